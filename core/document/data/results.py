"""What reading a file and looking at its table gives."""

from __future__ import annotations

from dataclasses import dataclass

from core.document.data.model import DataRef, ReaderSettings
from core.document.model import RoleAssignment, SplitSpec, TargetSpec
from payoff.types import FloatArray


@dataclass(frozen=True, slots=True, kw_only=True)
class ReaderFinding:
    """One reader setting that was found, with the reason ("41 of 41 lines have 11 fields")."""

    setting: str  # name of a field of ReaderSettings
    value: str
    reason: str
    is_certain: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class PreviewResult:
    """The first rows of a file under some reader settings."""

    path: str
    size_bytes: int
    settings: ReaderSettings  # every None filled in
    findings: tuple[ReaderFinding, ...]
    columns: tuple[str, ...]
    column_types: tuple[str, ...]  # "integer", "number", "text", "boolean", "date"
    rows: tuple[tuple[str, ...], ...]
    row_estimate: int
    memory_estimate_bytes: int
    column_bytes: int = 0  # columns are read when they are needed: of the largest; 0 = all at once
    warnings: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()  # sheets or files to choose from
    obeyed: tuple[str, ...] = ()  # fields of ReaderSettings that this format obeys
    memory_free_bytes: int | None = None  # None: the system does not say


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnSummary:
    """One column at a glance. ``histogram`` counts in equal bins, or per level, largest first."""

    name: str
    kind: str  # "integer", "number", "text", "boolean", "date"
    rows: int
    missing: int
    distinct: int  # -1: more than were counted
    minimum: float | None = None
    maximum: float | None = None
    mean: float | None = None
    standard_deviation: float | None = None
    levels: tuple[tuple[str, int], ...] = ()  # up to 30, most frequent first
    histogram: tuple[int, ...] = ()
    edges: tuple[float, ...] = ()
    label: str = ""  # what the file calls it in words
    value_labels: tuple[tuple[str, str], ...] = ()  # printed code -> the file's word for it


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSummary:
    """A loaded table: what it is, and the roles that were guessed."""

    data: DataRef
    columns: tuple[ColumnSummary, ...]
    roles: tuple[RoleAssignment, ...]
    target: TargetSpec | None
    split: SplitSpec
    warnings: tuple[str, ...]
    seconds: float
    left_out: int = 0  # rows of the file that are no cases: totals, notes
    totals: int = 0  # how many of these hold totals
    parts: int = 0  # files that are read in pieces; 0: the table is held as a whole
    currency: str = ""  # of the file's amounts, where it is one
    guesses: tuple[str, ...] = ()  # those of the warnings that tell of guessed roles


@dataclass(frozen=True, slots=True, kw_only=True)
class RowsPage:
    """Cells of a virtual table, as text, row by row."""

    start: int
    rows: tuple[tuple[str, ...], ...]
    numbers: tuple[int, ...] = ()  # of the rows in the table, from 1
    total: int = -1  # rows there are in this order; -1 = all of the table


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnDetail:
    """One column by target class: ``by_level`` has one row of shares per class."""

    summary: ColumnSummary
    bins: tuple[str, ...]
    levels: tuple[str, ...]
    by_level: FloatArray  # (levels, bins), shares within a class
    example_rows: tuple[str, ...] = ()
