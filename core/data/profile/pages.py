"""Cells of a table as text, a screenful at a time."""

from __future__ import annotations

import datetime
import math

import pyarrow as pa

from core.data.table import LoadedTable
from core.document.data.results import RowsPage
from payoff.types import IntArray

_MOST_ROWS = 2_000


def rows_page(table: LoadedTable, start: int, count: int) -> RowsPage:
    """Rows ``start`` to ``start + count`` as text, column by column in file order.

    Only the asked rows are touched, so any offset of ten million rows costs the same. At most
    2,000 rows at once; a start beyond the end gives no rows. Missing cells are empty.
    """
    start = min(max(0, start), table.rows)
    part = table.table.slice(start, min(max(0, count), _MOST_ROWS))
    columns = [_texts(part.column(index)) for index in range(part.num_columns)]
    rows = tuple(zip(*columns, strict=True)) if columns else ()
    numbers = range(start + 1, start + part.num_rows + 1)
    return RowsPage(start=start, rows=rows, numbers=tuple(numbers), total=table.rows)


def ordered_page(table: LoadedTable, rows: IntArray, start: int, count: int) -> RowsPage:
    """Places ``start`` to ``start + count`` of some rows in their order, as ``rows_page``."""
    start = min(max(0, start), len(rows))
    chosen = rows[start : start + min(max(0, count), _MOST_ROWS)]
    part = table.table.take(chosen)
    columns = [_texts(part.column(index)) for index in range(part.num_columns)]
    return RowsPage(
        start=start,
        rows=tuple(zip(*columns, strict=True)) if columns else (),
        numbers=tuple((chosen + 1).tolist()),
        total=len(rows),
    )


def texts_at(table: LoadedTable, name: str, rows: IntArray) -> tuple[str, ...]:
    """Cells of one column at some rows, as text."""
    return tuple(cell_text(value) for value in table.require_column(name).take(rows).to_pylist())


def _texts(values: pa.ChunkedArray) -> list[str]:
    """Cells of one column as a person reads them; numbers with a point and all their digits."""
    return [cell_text(value) for value in values.to_pylist()]


def cell_text(value: object) -> str:
    """One cell; the shortest text that gives the same number back."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        if math.isnan(value):
            return ""
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    if isinstance(value, datetime.datetime):
        return value.isoformat(" ")
    return str(value)
