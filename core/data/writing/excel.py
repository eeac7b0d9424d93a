"""Tables as Excel workbooks: texts stay texts, whatever they begin with."""

from __future__ import annotations

import datetime
import math
from typing import Any

import pyarrow as pa

from core.data.cancellation import Progress, ShouldStop
from core.document.files.spreadsheet import is_risky
from payoff.counting import counted
from payoff.errors import PayoffError, StoppedError

MOST_ROWS = 1_048_575  # and the header
MOST_COLUMNS = 16_384
MOST_TEXT = 32_767
_PART_ROWS = 5_000


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
        for start in range(0, table.num_rows, _PART_ROWS):
            if should_stop():
                raise StoppedError
            columns = [column.to_pylist() for column in table.slice(start, _PART_ROWS).columns]
            for row, cells in enumerate(zip(*columns, strict=True), start=start + 1):
                for at, cell in enumerate(cells):
                    sheet.write(row, at, cell)
            progress(min(1.0, (start + _PART_ROWS) / table.num_rows), "writing")


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
