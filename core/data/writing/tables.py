"""Writing tables: all or nothing, with text cells guarded against spreadsheets' formulas."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.csv as pacsv
import pyarrow.parquet as pq

from core.data.cancellation import Progress, ShouldStop, never_stop, no_progress
from core.data.writing.excel import check_fits, write_workbook
from core.data.writing.formula_injection import ENDING, guard_table, note_guard
from core.document.files.guarded import check_targets, write_file
from payoff.errors import StoppedError

_PART_ROWS = 100_000

Column: TypeAlias = "np.ndarray[Any, Any] | Sequence[Any] | pa.Array | pa.ChunkedArray"


def write_columns(
    path: str,
    columns: Mapping[str, Column],
    progress: Progress = no_progress,
    should_stop: ShouldStop = never_stop,
) -> None:
    """Write columns as CSV (UTF-8, comma, point); for ``.parquet`` and ``.xlsx`` as those.

    Afterwards the old file or the new one is there, never half of one
    (``core.document.files.guarded``).

    Parameters
    ----------
    path : str
    columns : mapping of name -> 1-D values
        NaN and None are empty cells; infinities are ``inf``. In CSV a text that a spreadsheet could
        take for a formula gets a leading apostrophe, which reading with Payoff takes off again
        (see ``guarding``); in a workbook it is marked as text. Numbers are never touched.

    Raises
    ------
    PayoffError
        When the folder is missing, read-only or full, or the table too large for a sheet; the old
        file is then as it was.
    StoppedError
    """
    table = pa.table({name: _as_column(values) for name, values in columns.items()})
    write_arrow(path, table, progress, should_stop)


def write_arrow(
    path: str,
    table: pa.Table,
    progress: Progress = no_progress,
    should_stop: ShouldStop = never_stop,
) -> None:
    """Write an Arrow table, as ``write_columns`` does."""
    ending = Path(path).suffix.lower()
    if ending in (".parquet", ".pq"):
        write_file(path, lambda target: _write_parquet(target, table, progress, should_stop))
        return
    if ending == ".xlsx":
        check_fits(table, path)
        write_file(path, lambda target: write_workbook(target, table, progress, should_stop))
        return
    check_targets([path + ENDING])
    guarded = guard_table(table)
    write_file(path, lambda target: _write_csv(target, guarded.table, progress, should_stop))
    note_guard(path, guarded)


def _as_column(values: Column) -> pa.ChunkedArray:
    """Values as Arrow, NaN as missing, coded texts as texts."""
    if isinstance(values, pa.ChunkedArray):
        column = values
    elif isinstance(values, pa.Array):
        column = pa.chunked_array([values])
    else:
        column = pa.chunked_array([pa.array(values, from_pandas=True)])
    if pa.types.is_dictionary(column.type):
        return column.cast(column.type.value_type)
    return column


def _write_csv(path: str, table: pa.Table, progress: Progress, should_stop: ShouldStop) -> None:
    """Write text a stretch of rows at a time."""
    options = pacsv.WriteOptions(quoting_style="needed", quoting_header="needed")
    with pacsv.CSVWriter(path, table.schema, write_options=options) as writer:
        _write_parts(writer.write_table, table, progress, should_stop)


def _write_parquet(path: str, table: pa.Table, progress: Progress, should_stop: ShouldStop) -> None:
    with pq.ParquetWriter(path, table.schema, compression="zstd") as writer:
        _write_parts(writer.write_table, table, progress, should_stop)


def _write_parts(
    write: Callable[[pa.Table], None], table: pa.Table, progress: Progress, should_stop: ShouldStop
) -> None:
    """Hand over stretches of rows, looking up between them."""
    for start in range(0, max(1, table.num_rows), _PART_ROWS):
        if should_stop():
            raise StoppedError
        write(table.slice(start, _PART_ROWS))
        progress(min(1.0, (start + _PART_ROWS) / max(1, table.num_rows)), "writing")
