"""Tables whose columns are read when they are needed: what they share, and views of them.

They answer to the names of an Arrow table that the program uses. What else an Arrow table can do
reads all columns first.

Rows of several files below each other, with columns that are read when they are needed.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from core.data.cancellation import check_stop
from core.data.table import LoadedTable
from payoff.types import IntArray

#: So many rows are read at once, of every column; more become a view that reads single columns.
EAGER_ROWS = 5_000
#: Rows of a piece, where whole columns are gone through without keeping them.
PART_ROWS = 1_000_000


class LazyColumns(ABC):
    """Columns that are made at their first use and kept.

    Parameters
    ----------
    names : tuple of str
        Columns that are offered, in order.
    rows : int
    """

    def __init__(self, names: tuple[str, ...], rows: int) -> None:
        self._names = names
        self._rows = rows
        self._columns: dict[str, pa.ChunkedArray] = {}
        self._lock = threading.RLock()

    @property
    def num_rows(self) -> int:
        """Rows of the table."""
        return self._rows

    @property
    def num_columns(self) -> int:
        """Columns that are offered."""
        return len(self._names)

    @property
    def column_names(self) -> list[str]:
        """Names of the columns, in the order of the table."""
        return list(self._names)

    @property
    def nbytes(self) -> int:
        """Bytes of the columns that were read so far."""
        return sum(column.nbytes for column in self._columns.values())

    @property
    def loaded(self) -> tuple[str, ...]:
        """Columns that were read so far."""
        return tuple(self._columns)

    def column(self, which: str | int) -> pa.ChunkedArray:
        """One whole column; made at its first use."""
        name = self._names[which] if isinstance(which, int) else which
        with self._lock:
            if name not in self._columns:
                self._columns[name] = self._make(name)
            return self._columns[name]

    def slice(self, start: int, count: int | None = None) -> pa.Table:
        """Some rows that follow each other, every column."""
        end = self.num_rows if count is None else min(self.num_rows, start + count)
        return self.rows_at(np.arange(start, max(start, end), dtype=np.int64))

    def take(self, rows: IntArray) -> pa.Table | LazyColumns:
        """Some rows in any order: as a table if they are few, else as a view."""
        rows = np.asarray(rows, dtype=np.int64)
        return self.rows_at(rows) if len(rows) <= EAGER_ROWS else LazyRows(self, rows)

    def append_column(self, name: str, values: pa.ChunkedArray | pa.Array) -> LazyColumns:
        """The same with a column behind; the others are still read on need."""
        return LazyBeside(self, name, values)

    def parts(self, names: Sequence[str]) -> Iterator[pa.Table]:
        """Some columns from the first row to the last, piece by piece; nothing is kept."""
        for start in range(0, self._rows, PART_ROWS):
            check_stop()
            yield self.slice(start, PART_ROWS).select(list(names))

    def whole(self) -> pa.Table:
        """All columns as an Arrow table."""
        return pa.table({name: self.column(name) for name in self._names})

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self.whole(), name)

    @abstractmethod
    def _make(self, name: str) -> pa.ChunkedArray:
        """Make a whole column."""

    @abstractmethod
    def rows_at(self, rows: IntArray) -> pa.Table:
        """Every column at some rows, without making whole columns."""


class LazyRows(LazyColumns):
    """Some rows of a lazy table."""

    def __init__(self, source: LazyColumns, rows: IntArray) -> None:
        super().__init__(tuple(source.column_names), len(rows))
        self._source = source
        self._chosen = rows

    def _make(self, name: str) -> pa.ChunkedArray:
        return self._source.column(name).take(pa.array(self._chosen))

    def parts(self, names: Sequence[str]) -> Iterator[pa.Table]:
        """The columns that are named are made: their rows may stand in any order."""
        whole = pa.table({name: self.column(name) for name in names})
        for start in range(0, self._rows, PART_ROWS):
            check_stop()
            yield whole.slice(start, PART_ROWS)

    def rows_at(self, rows: IntArray) -> pa.Table:
        return self._source.rows_at(self._chosen[rows])


class LazyBeside(LazyColumns):
    """A lazy table with one more column, which is there already."""

    def __init__(self, source: LazyColumns, name: str, values: pa.ChunkedArray | pa.Array) -> None:
        super().__init__((*source.column_names, name), source.num_rows)
        self._source = source
        self._columns[name] = values if isinstance(values, pa.ChunkedArray) else _chunked(values)
        self._added = name

    def _make(self, name: str) -> pa.ChunkedArray:
        return self._source.column(name)

    def parts(self, names: Sequence[str]) -> Iterator[pa.Table]:
        own = self._columns[self._added]
        start = 0
        wanted = [name for name in names if name != self._added]
        for part in self._source.parts(wanted or self._source.column_names[:1]):
            beside = own.slice(start, part.num_rows)
            start += part.num_rows
            yield part.append_column(self._added, beside).select(list(names))

    def rows_at(self, rows: IntArray) -> pa.Table:
        found = self._source.rows_at(rows)
        return found.append_column(self._added, self._columns[self._added].take(pa.array(rows)))


def gather(
    starts: IntArray, rows: IntArray, rows_of: Callable[[int, IntArray], pa.Table]
) -> pa.Table:
    """Rows of a table that stands in pieces, in the order that is asked for.

    Parameters
    ----------
    starts : (pieces + 1,) int64
        First row of each piece, and the number of all rows.
    rows : (m,) int64
    rows_of : callable
        ``(piece, rows inside it) -> table``.
    """
    if not len(rows):
        return rows_of(0, rows)
    pieces = np.searchsorted(starts, rows, side="right") - 1
    order = np.argsort(pieces, kind="stable")
    found = pa.concat_tables(
        rows_of(int(piece), rows[order[pieces[order] == piece]] - starts[piece])
        for piece in np.unique(pieces)
    )
    if bool((np.diff(order) == 1).all()):
        return found
    back = np.empty(len(rows), dtype=np.int64)
    back[order] = np.arange(len(rows))
    return found.unify_dictionaries().take(pa.array(back))


def _chunked(values: pa.Array) -> pa.ChunkedArray:
    return pa.chunked_array([values])


@dataclass(frozen=True, slots=True, eq=False)
class StackedFile:
    """One file of the stack.

    ``fit`` brings some of its rows, or one of its columns, to the columns and kinds that all have
    in common: ``(table, names) -> table``.
    """

    table: LoadedTable
    fit: Callable[[pa.Table, Sequence[str]], pa.Table]

    def column(self, name: str) -> pa.ChunkedArray:
        """One whole column in the common kind."""
        own = self.table
        # A column that the file lacks takes its length from one that it has.
        found = name if name in own.kinds else own.columns[0]
        some = pa.table({found: own.table.column(found)})
        return self.fit(some, (name,)).column(0)

    def parts(self, names: Sequence[str]) -> Iterator[pa.Table]:
        """Some columns in pieces; nothing is kept."""
        own = self.table
        wanted = [name for name in names if name in own.kinds] or [own.columns[0]]
        table = own.table
        is_lazy = isinstance(table, LazyColumns)
        for part in table.parts(wanted) if is_lazy else [table.select(wanted)]:
            yield self.fit(part, names)

    def rows_at(self, rows: IntArray, names: Sequence[str]) -> pa.Table:
        """Some rows, every column."""
        table = self.table.table
        is_lazy = isinstance(table, LazyColumns)
        return self.fit(table.rows_at(rows) if is_lazy else table.take(pa.array(rows)), names)


class LazyStack(LazyColumns):
    """Files below each other.

    Parameters
    ----------
    files : sequence of StackedFile
    names : tuple of str
        Columns in common order.
    """

    def __init__(self, files: Sequence[StackedFile], names: tuple[str, ...]) -> None:
        counts = [entry.table.rows for entry in files]
        self._starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        super().__init__(names, int(self._starts[-1]))
        self._files = tuple(files)

    def _make(self, name: str) -> pa.ChunkedArray:
        pieces = [entry.column(name) for entry in self._files]
        return pa.chunked_array([chunk for piece in pieces for chunk in piece.chunks])

    def parts(self, names: Sequence[str]) -> Iterator[pa.Table]:
        for entry in self._files:
            yield from entry.parts(names)

    def rows_at(self, rows: IntArray) -> pa.Table:
        return gather(
            self._starts,
            rows,
            lambda place, inside: self._files[place].rows_at(inside, self._names),
        )
