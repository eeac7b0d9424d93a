"""A loaded table: columns in Arrow, what they are, and where each row stands in its file."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping
from dataclasses import dataclass, field, replace

import pyarrow as pa

from core.data.identity import rows_identity
from core.data.text.dialect import Dialect
from core.document.data.model import DataRef
from core.document.data.results import ColumnSummary, TableSummary
from core.document.model import Role, RoleAssignment
from payoff.errors import no_such
from payoff.types import CodeArray, IntArray


@dataclass(frozen=True, slots=True, kw_only=True)
class RowPlaces:
    """Where data rows stand in the file, as the user's editor counts lines.

    ``first_line`` is the line of data row 1 (0: the source has no lines, such as Parquet).
    ``is_regular`` is True when every row is exactly one line, so that no search is needed.
    """

    first_line: int = 0
    is_regular: bool = True
    dialect: Dialect | None = None  # how to search, where rows and lines do not run in step
    left_out: tuple[int, ...] = ()  # rows of the file (from 0) that are none of the table's
    totals: int = 0  # how many of these hold totals

    def row_in_file(self, row: int) -> int:
        """The row of the file (from 0) that a row of the table is."""
        for other in self.left_out:
            row += other <= row
        return row


@dataclass(frozen=True, slots=True, kw_only=True)
class TablePart:
    """Rows from ``first_row`` on that come from another file."""

    first_row: int
    path: str
    places: RowPlaces


class Overview:
    """What a table looks like at a glance, worked out when somebody first asks.

    A script that only predicts or decides never asks; the window asks at once.

    Parameters
    ----------
    summarise : callable
        Makes the summary of all columns, with the roles that are guessed from them.
    summarise_column : callable, optional
        Makes the summary of one column by its name, for whoever needs no other.
    """

    __slots__ = ("_columns", "_make", "_make_column", "_whole")

    def __init__(
        self,
        summarise: Callable[[], TableSummary],
        summarise_column: Callable[[str], ColumnSummary] | None = None,
    ) -> None:
        self._make = summarise
        self._make_column = summarise_column
        self._whole: TableSummary | None = None
        self._columns: dict[str, ColumnSummary] = {}

    @classmethod
    def of(cls, summary: TableSummary) -> Overview:
        """The overview of a table whose summary is known."""
        return cls(lambda: summary)

    def whole(self) -> TableSummary:
        """The summary of all columns and the roles that were guessed."""
        if self._whole is None:
            self._whole = self._make()
        return self._whole

    def known_column(self, name: str) -> ColumnSummary | None:
        """The summary of one column, where it has been worked out."""
        if self._whole is None:
            return self._columns.get(name)
        return next((entry for entry in self._whole.columns if entry.name == name), None)

    def column(self, name: str) -> ColumnSummary:
        """The summary of one column."""
        if self._whole is None and self._make_column is not None:
            if name not in self._columns:
                self._columns[name] = self._make_column(name)
            return self._columns[name]
        return next(entry for entry in self.whole().columns if entry.name == name)


@dataclass(frozen=True, slots=True, weakref_slot=True, kw_only=True)
class LoadedTable:
    """A table, where it comes from, and its summary. Columns never change after loading.

    ``kinds`` maps a column to "integer", "number", "text", "boolean" or "date".
    """

    table: pa.Table
    kinds: dict[str, str]
    data: DataRef
    overview: Overview
    places: RowPlaces = field(default_factory=RowPlaces)
    row_numbers: IntArray | None = None  # of the rows in the file, where some were left out
    parts: tuple[TablePart, ...] = ()  # further files whose rows follow those of the first
    origins: Mapping[str, str] = field(default_factory=dict)  # column -> where it comes from
    choice: Hashable = None  # what chose the rows, where that is known
    encoded: dict[str, tuple[CodeArray, tuple[str, ...]]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )  # of the column whose levels were read last: an outcome is asked for several times in turn
    shares: set[tuple[str, bool]] = field(
        default_factory=set, init=False, repr=False, compare=False
    )  # columns, each with whether it was read as percent, that were seen to hold shares only

    @property
    def summary(self) -> TableSummary:
        """What the table looks like at a glance, of all its rows; worked out when first needed."""
        return replace(self.overview.whole(), data=self.data)

    @property
    def identity(self) -> Hashable:
        """What tells the table apart from every other: the key of what is worked out from it."""
        if self.row_numbers is None:
            return self.data.identity
        if self.choice is not None:
            return self.data.identity, self.choice
        return self.data.identity, rows_identity(self.row_numbers)

    @property
    def rows_hash(self) -> str:
        """By it a trained model knows the rows that it has seen; none has seen a choice of them."""
        return self.data.rows_hash if self.row_numbers is None else ""

    @property
    def path(self) -> str:
        """The file the table came from; a short name for data given by a script."""
        return self.data.path

    @property
    def rows(self) -> int:
        """The number of data rows."""
        return int(self.table.num_rows)

    @property
    def columns(self) -> tuple[str, ...]:
        """Column names in file order."""
        return tuple(self.table.column_names)

    def ids_besides(self, named: Collection[str]) -> tuple[RoleAssignment, ...]:
        """The column that tells cases apart, where it is none of those named; else nothing.

        Only whole numbers and texts are ever taken as ids: where no such column is left, the table
        needs no look.
        """
        kinds = {kind for name, kind in self.kinds.items() if name not in named}
        if kinds.isdisjoint(("integer", "text")):
            return ()
        found = (entry for entry in self.summary.roles if entry.role is Role.ID)
        return tuple(entry for entry in found if entry.column not in named)

    def require_column(self, name: str) -> pa.ChunkedArray:
        """Return a column, or refuse naming the ones there are."""
        if name not in self.kinds:
            raise no_such("column", name, self.columns, where=self.path, listed="Columns are")
        return self.table.column(name)

    def with_rows(
        self,
        rows: IntArray,
        columns: tuple[str, ...] | None = None,
        *,
        chosen_by: str | None = None,
    ) -> LoadedTable:
        """The same with some of its rows; messages name them as the file does.

        With ``columns`` only those are there: of a file whose columns are read on need, the others
        are left alone. ``chosen_by`` is the condition that chose the rows, which tells them apart
        without a look at their numbers.
        """
        numbers = rows if self.row_numbers is None else self.row_numbers[rows]
        choice = None if chosen_by is None else (self.identity, chosen_by)
        if columns is None:
            taken = self.table.take(rows)
            return replace(self, table=taken, row_numbers=numbers, choice=choice)
        taken = pa.table({name: self.require_column(name).take(pa.array(rows)) for name in columns})
        kinds = {name: self.kinds[name] for name in columns}
        return replace(self, table=taken, kinds=kinds, row_numbers=numbers, choice=None)

    def source_of(self, row: int) -> tuple[str, RowPlaces, int]:
        """File, places and row number (from 0) in it of a row of the table."""
        if self.row_numbers is not None:
            row = int(self.row_numbers[row])
        for part in reversed(self.parts):
            if row >= part.first_row:
                return part.path, part.places, row - part.first_row
        return self.path, self.places, row

    def column_summary(self, name: str) -> ColumnSummary:
        """The summary of one column."""
        self.require_column(name)
        return self.overview.column(name)
