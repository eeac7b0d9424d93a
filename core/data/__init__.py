"""Tables: reading, roles, splits, what the engine reads from a table, and writing.

The file is read once into Arrow columns (``load``); every other function answers from a
``LoadedTable``. Each refusal is a ``PayoffError`` that names file, line, data row, column, value.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.data.signals import Progress, ShouldStop, Stopped, never_stop, no_progress
from core.data.table import LoadedTable, RowPlaces
from core.document.model import DataRef, Document, ReaderSettings, RowUse, TargetSpec
from core.document.results import ColumnDetail, PreviewResult, RowsNote, RowsPage
from payoff.types import AnyArray, CodeArray, FloatArray, IntArray

ROW_USE_CODES: dict[RowUse, int] = {
    RowUse.TRAIN: 0,
    RowUse.VALIDATION: 1,
    RowUse.TEST: 2,
    RowUse.TO_DECIDE: 3,
}
UNKNOWN_USE = 255


def preview(path: str, reader: ReaderSettings | None = None, *, count: int = 100) -> PreviewResult:
    """First rows and reader settings found (from the first 256 KB), each with its reason."""
    raise NotImplementedError


def load(
    path: str,
    reader: ReaderSettings | None = None,
    progress: Progress = no_progress,
    should_stop: ShouldStop = never_stop,
) -> LoadedTable:
    """Read a whole file. Raises ``PayoffError`` (what, file, line, row, column, value) or ``Stopped``."""
    raise NotImplementedError


def from_data(data: Any, *, name: str = "data") -> LoadedTable:
    """A table from a path, pandas DataFrame, pyarrow Table or mapping of name -> 1-D array."""
    raise NotImplementedError


def column_as_float(table: LoadedTable, name: str, *, role: str = "number") -> FloatArray:
    """A column as (n,) float64, missing = NaN; refuses text naming file, line, row, column, value."""
    raise NotImplementedError


def column_as_text(table: LoadedTable, name: str) -> list[str]:
    """A column in printed form; missing = ""."""
    raise NotImplementedError


def outcome_codes(table: LoadedTable, target: TargetSpec) -> tuple[CodeArray, tuple[str, ...]]:
    """(n,) int32 codes into ``target.levels`` (-1 = not known), and warnings. Levels by printed form."""
    raise NotImplementedError


def posteriors(table: LoadedTable, document: Document, model: str) -> FloatArray:
    """(K, n) float64 posteriors in the order of ``document.target.levels``; missing = NaN in all K.

    A single column gives the other of two levels as its complement. Refuses values outside 0..1
    and rows whose sum is off by more than 1e-6, naming row and value.
    """
    raise NotImplementedError


def frequency(table: LoadedTable, document: Document) -> FloatArray | None:
    """(n,) float64 case weights, or None without a weight column; refuses negative or missing."""
    raise NotImplementedError


def row_uses(table: LoadedTable, document: Document) -> NDArray[np.uint8]:
    """(n,) codes of ``ROW_USE_CODES``; ``UNKNOWN_USE`` where the use column says nothing known."""
    raise NotImplementedError


def usable_rows(
    table: LoadedTable, document: Document, use: RowUse | None = None, models: tuple[str, ...] = ()
) -> tuple[IntArray, RowsNote]:
    """Row numbers (0-based, rising) a result is computed from, and the note that names them.

    Rows without a known outcome, of another use, with zero weight or with a missing posterior or
    prediction of one of ``models`` are left out and counted by reason. ``use`` None = ``document.rows_used``.
    """
    raise NotImplementedError


def rows_page(table: LoadedTable, start: int, count: int) -> RowsPage:
    """Cells as text, at any offset in about a millisecond."""
    raise NotImplementedError


def column_detail(table: LoadedTable, document: Document, column: str) -> ColumnDetail:
    """One column's summary and its distribution by target level."""
    raise NotImplementedError


def check_same_roles(table: LoadedTable, document: Document) -> tuple[str, ...]:
    """Refuse a table that lacks columns the rule needs; return warnings (unknown levels ...)."""
    raise NotImplementedError


def find_moved(data: DataRef, folders: tuple[str, ...]) -> str | None:
    """Find a data file again by size and hash in some folders (two levels deep)."""
    raise NotImplementedError


def content_hash(
    path: str, progress: Progress = no_progress, should_stop: ShouldStop = never_stop
) -> str:
    """The SHA-256 of a file, hexadecimal."""
    raise NotImplementedError


def write_table(path: str, columns: Mapping[str, AnyArray | list[str]]) -> None:
    """Write columns as CSV or Parquet (by suffix), atomically; text cells guarded in CSV."""
    raise NotImplementedError


def write_sample(folder: str) -> str:
    """Write the bundled direct-mail sample (and its new customers); return the sample's path."""
    raise NotImplementedError


def sample_document(path: str) -> Document:
    """The project that goes with the sample at ``path`` (after ``write_sample``)."""
    raise NotImplementedError


__all__ = [
    "ROW_USE_CODES",
    "UNKNOWN_USE",
    "LoadedTable",
    "Progress",
    "RowPlaces",
    "ShouldStop",
    "Stopped",
    "check_same_roles",
    "column_as_float",
    "column_as_text",
    "column_detail",
    "content_hash",
    "find_moved",
    "frequency",
    "from_data",
    "load",
    "never_stop",
    "no_progress",
    "outcome_codes",
    "posteriors",
    "preview",
    "row_uses",
    "rows_page",
    "sample_document",
    "usable_rows",
    "write_sample",
    "write_table",
]
