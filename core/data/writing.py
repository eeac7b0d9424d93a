"""Tables written as CSV, Parquet or workbooks.

Tables as Excel workbooks: texts stay texts, whatever they begin with.

Texts that a spreadsheet could take for formulas: an apostrophe in front, taken off again.

Which columns got apostrophes stands in a small file beside the CSV, with the CSV's hash: reading
the file back with Payoff gives the texts as they were. A text that begins with apostrophes before
such a sign gets one more, so that taking one off is always right.

Writing tables: all or nothing, with text cells guarded against spreadsheets' formulas.
"""

from __future__ import annotations

import datetime
import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pacsv
import pyarrow.parquet as pq

from core.data.cancellation import Progress, ShouldStop, never_stop, no_progress
from core.data.identity import content_hash
from core.document.files.guarded import check_targets, write_file
from core.document.files.spreadsheet import SIGNS, is_risky
from payoff.counting import counted
from payoff.errors import PayoffError, StoppedError

MOST_ROWS = 1_048_575  # and the header
MOST_COLUMNS = 16_384
MOST_TEXT = 32_767
_SHEET_PART_ROWS = 5_000


def check_fits(table: pa.Table, path: str) -> None:
    """Refuse a table that is larger than a sheet can be."""
    if table.num_rows > MOST_ROWS or table.num_columns > MOST_COLUMNS:
        raise PayoffError(
            "The table is too large for an Excel sheet.",
            where=path,
            why=f"It has {counted(table.num_rows, 'row')} and "
            f"{counted(table.num_columns, 'column')}; a sheet takes "
            f"{MOST_ROWS:,} rows below its header and {MOST_COLUMNS:,} columns.",
            remedy="Write CSV or Parquet.",
        )


def write_workbook(path: str, table: pa.Table, progress: Progress, should_stop: ShouldStop) -> None:
    """Write one sheet; a text that could pass for a formula is marked as text (its apostrophe)."""
    import xlsxwriter

    options = {
        "constant_memory": True,
        "strings_to_formulas": False,
        "strings_to_numbers": False,
        "strings_to_urls": False,
        "nan_inf_to_errors": False,
    }
    try:
        _fill(xlsxwriter.Workbook(path, options), table, progress, should_stop)
    except xlsxwriter.exceptions.FileCreateError as error:  # wraps what the system said
        cause = error.args[0] if error.args else error
        raise cause if isinstance(cause, OSError) else OSError(str(error)) from error


def _fill(workbook: Any, table: pa.Table, progress: Progress, should_stop: ShouldStop) -> None:
    with workbook as book:
        sheet = _Sheet(book)
        for at, name in enumerate(table.column_names):
            sheet.write(0, at, name)
        for start in range(0, table.num_rows, _SHEET_PART_ROWS):
            if should_stop():
                raise StoppedError
            columns = [
                column.to_pylist() for column in table.slice(start, _SHEET_PART_ROWS).columns
            ]
            for row, cells in enumerate(zip(*columns, strict=True), start=start + 1):
                for at, cell in enumerate(cells):
                    sheet.write(row, at, cell)
            progress(min(1.0, (start + _SHEET_PART_ROWS) / table.num_rows), "writing")


class _Sheet:
    """Writes one cell after the other, each as what it is."""

    def __init__(self, book: Any) -> None:
        self._sheet = book.add_worksheet("Data")
        self._guarded = book.add_format({"quote_prefix": True})
        self._date = book.add_format({"num_format": "yyyy-mm-dd"})
        self._time = book.add_format({"num_format": "yyyy-mm-dd hh:mm:ss"})

    def write(self, row: int, column: int, cell: object) -> None:
        """Write a cell; missing ones stay empty, infinite ones become words."""
        if cell is None or (isinstance(cell, float) and math.isnan(cell)):
            return
        if isinstance(cell, bool):
            self._sheet.write_boolean(row, column, cell)
        elif isinstance(cell, int | float) and math.isfinite(cell):
            self._sheet.write_number(row, column, cell)
        elif isinstance(cell, datetime.datetime) and cell.tzinfo is None and cell.year > 1900:
            self._sheet.write_datetime(row, column, cell, self._time)
        elif type(cell) is datetime.date and cell.year > 1900:
            self._sheet.write_datetime(row, column, cell, self._date)
        else:
            self._write_text(row, column, str(cell))

    def _write_text(self, row: int, column: int, text: str) -> None:
        if len(text) > MOST_TEXT:
            raise PayoffError(
                "A text is too long for an Excel cell.",
                where=f"data row {row}, column {column + 1}",
                why=f"It has {counted(len(text), 'character')}; a cell takes {MOST_TEXT:,}.",
                remedy="Write CSV or Parquet.",
            )
        style = self._guarded if is_risky(text) else None
        self._sheet.write_string(row, column, text, style)


_SIGNS = "".join(f"\\x{{{ord(sign):X}}}" for sign in SIGNS)
_RISKY = f"^'*[{_SIGNS}]"
_GUARDED = f"^'+[{_SIGNS}]"
_MOST_BYTES = 1 << 20
ENDING = ".guard.json"


@dataclass(frozen=True, slots=True)
class Guarded:
    """A table ready for a spreadsheet; ``columns``: guarded name -> name, texts with an apostrophe.

    ``names`` holds only names that changed.
    """

    table: pa.Table
    columns: tuple[str, ...]
    names: Mapping[str, str]


def guard_texts(values: pa.ChunkedArray) -> pa.ChunkedArray:
    """Put an apostrophe before texts that a spreadsheet could take for a formula."""
    risky = pc.match_substring_regex(values, _RISKY)
    if not pc.any(risky).as_py():
        return values
    return pc.if_else(risky, pc.binary_join_element_wise("'", values, ""), values)


def guard_table(table: pa.Table) -> Guarded:
    """Guard every text and every column name of a table."""
    columns: list[pa.ChunkedArray] = []
    changed: list[str] = []
    names: dict[str, str] = {}
    for name, values in zip(table.column_names, table.columns, strict=True):
        shown = f"'{name}" if is_risky(name) else name
        if shown != name:
            names[shown] = name
        guarded = guard_texts(values) if pa.types.is_string(values.type) else values
        if guarded is not values:
            changed.append(shown)
        columns.append(guarded)
    shown_names = [f"'{name}" if is_risky(name) else name for name in table.column_names]
    return Guarded(pa.table(columns, names=shown_names), tuple(changed), names)


def note_guard(path: str, guarded: Guarded) -> None:
    """Write beside a CSV what was guarded in it; a note of an older file goes away."""
    note = Path(path + ENDING)
    if not guarded.columns and not guarded.names:
        note.unlink(missing_ok=True)
        return
    content = {
        "about": "Texts that a spreadsheet could take for formulas have an apostrophe in front.",
        "sha256": content_hash(path),
        "columns": list(guarded.columns),
        "names": dict(guarded.names),
    }
    text = json.dumps(content, ensure_ascii=False, indent=1) + "\n"
    write_file(note, text.encode("utf-8"))


def guard_note(path: str, digest: str) -> dict[str, Any] | None:
    """What stands beside a CSV about its guard; None if nothing, or of another content."""
    note = Path(path + ENDING)
    try:
        if note.stat().st_size > _MOST_BYTES:
            return None
        content = json.loads(note.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    if not isinstance(content, dict) or content.get("sha256") != digest:
        return None
    is_sound = isinstance(content.get("columns"), list) and isinstance(content.get("names"), dict)
    return content if is_sound else None


def without_guard(
    table: pa.Table, kinds: dict[str, str], note: dict[str, Any]
) -> tuple[pa.Table, dict[str, str], str]:
    """Take off the apostrophes that writing put on; also says so in a sentence."""
    columns: dict[str, pa.ChunkedArray] = {}
    new_kinds: dict[str, str] = {}
    for name, values in zip(table.column_names, table.columns, strict=True):
        original = str(note["names"].get(name, name))
        if name in note["columns"] and kinds[name] == "text":
            text = values.cast(pa.string())
            is_guarded = pc.match_substring_regex(text, _GUARDED)
            columns[original] = pc.if_else(is_guarded, pc.utf8_slice_codeunits(text, 1), text)
        else:
            columns[original] = values
        new_kinds[original] = kinds[name]
    said = "Apostrophes that guarded texts against formulas when the file was written are taken off"
    return pa.table(columns), new_kinds, f"{said}."


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
