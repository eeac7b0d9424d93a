"""What page Data asks and is answered.

What is asked and answered of a second file: joins, further rows, overlap.

What page Data asks to look at: rows in an order, and what an expression would give.

What window and engine say to each other about a table that is written to a file.
"""

from __future__ import annotations

from dataclasses import dataclass

from core.document.data.model import DataRef, FileRef, ReaderSettings
from core.document.model import Document


@dataclass(frozen=True, slots=True, kw_only=True)
class MakeTableArguments:
    """-> TableSummary. Kind "make_table": the data's file with its recipe."""

    data: DataRef


@dataclass(frozen=True, slots=True, kw_only=True)
class SecondFileArguments:
    """-> SecondFile. Kind "second_file": read a further file and look at it beside the data."""

    document: Document
    path: str
    reader: ReaderSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class SecondFile:
    """A further file, with what a join of it would most likely be.

    ``columns``: name, kind, and whether the data have a column of the name. ``keys``: likely pairs,
    the best first; empty where no column of one is like one of the other.
    """

    file: FileRef
    rows: int
    columns: tuple[tuple[str, str, bool], ...]
    keys: tuple[tuple[str, str], ...]
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Spelling:
    """Two spellings of one key, as they stand in the files, and the rows of the data they join."""

    own: str
    other: str
    rows: int


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinReport:
    """What a join does, counted and listed. Examples are keys, up to 20 of each.

    Attributes
    ----------
    matched, unmatched, keyless : int
        Rows of the data with a partner, with a key that has none, and without a key.
    unused, other_keyless : int
        Rows of the other file that no row asks for, and those without a key.
    repeated_own, repeated_other : int
        Keys that stand in several rows.
    refusal : str
        Why the join cannot be made as it is; empty if it can.
    spellings : tuple of Spelling
        Keys that are one though written differently: 1 and 1.0, "A " and "A".
    by_case, by_zeros : int
        Further rows that would match if case, or leading zeros, did not count.
    """

    rows: int
    other_rows: int
    matched: int
    unmatched: int
    keyless: int
    unused: int
    other_keyless: int
    repeated_own: int
    repeated_other: int
    unmatched_examples: tuple[str, ...] = ()
    unused_examples: tuple[str, ...] = ()
    repeated_examples: tuple[str, ...] = ()
    spellings: tuple[Spelling, ...] = ()
    by_case: int = 0
    by_zeros: int = 0
    refusal: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class OverlapLine:
    """Rows that are in two uses. ``first`` are data rows of the two, from 1."""

    what: str  # "id" or "row"
    uses: tuple[str, str]  # RowUse values; twice the same: within one use
    rows: int  # of the second use
    first: tuple[int, int]
    example: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Overlap:
    """What train, validation and test rows have in common."""

    rows: int
    id_column: str | None
    compared: tuple[str, ...]  # columns whose values make two rows the same
    lines: tuple[OverlapLine, ...]
    seconds: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class TableOrder:
    """Which rows of a table are looked at, and in which order; nothing of it changes a number.

    ``search`` keeps rows in which a cell holds the text (case does not count). ``sort`` names a
    column; missing values come last both ways.
    """

    sort: str = ""
    is_falling: bool = False
    search: str = ""
    only_used: bool = False  # rows of the document's row filter only

    @property
    def is_plain(self) -> bool:
        """Whether it is the file's own order with all rows."""
        return not (self.sort or self.search or self.only_used)


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomeGaps:
    """Rows that should have an outcome and have none; ``words`` names the first of them."""

    rows: int
    total: int
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpressionResult:
    """What an expression gives over the data; ``refusal`` says why it gives nothing.

    ``kind`` is number, text or boolean. ``lost``: reason -> rows that arithmetic left missing.
    ``examples``: the values of the first rows.
    """

    text: str
    kind: str = ""
    rows: int = 0
    true: int = 0
    missing: int = 0
    lost: tuple[tuple[str, int], ...] = ()
    examples: tuple[str, ...] = ()
    refusal: str = ""


#: Ends of file names that a table can be written with, and their words.
EXPORT_KINDS = ((".csv", "CSV"), (".parquet", "Parquet"), (".xlsx", "Excel"))


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportDataArguments:
    """-> TableExported. Kind "export_data": the data of a document, every column."""

    document: Document
    path: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportCellsArguments:
    """-> TableExported. Kind "export_cells": a table of the window, as it is shown.

    A column of which every filled cell is a plain number is written as numbers.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    path: str
    document: Document | None = None  # whose figures they are: its files are not written over


@dataclass(frozen=True, slots=True, kw_only=True)
class TableExported:
    """A file that was written."""

    path: str
    rows: int
    columns: int
