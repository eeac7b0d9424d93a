"""Jobs on a table: preview, load, rows, one column."""

from __future__ import annotations

from dataclasses import replace

from core import data
from core.data import LoadedTable
from core.document.data.results import ColumnDetail, PreviewResult, RowsPage, TableSummary
from core.document.model import Document
from core.engine.context import JobContext
from core.engine.messages import (
    ColumnArguments,
    LoadArguments,
    PreviewArguments,
    RowsArguments,
)
from payoff.errors import PayoffError
from payoff.types import IntArray

COMPARED_ROWS = 300_000  # beyond, rows in common are looked for when asked: it takes seconds


def table_of(document: Document, context: JobContext) -> LoadedTable:
    """The document's table; refuses a document without data."""
    if document.data is None:
        raise PayoffError("No data is open.", remedy="Open a data file first.")
    return context.tables.table(document.data, context)


def preview_file(arguments: PreviewArguments, context: JobContext) -> PreviewResult:
    """First rows of a file under some reader settings."""
    context.check()
    context.tables.check_reader(arguments.path, arguments.reader)
    readers = context.tables.find_readers
    seen = data.preview(arguments.path, arguments.reader, find_readers=readers)
    return replace(seen, memory_free_bytes=data.free_memory())


def load_file(arguments: LoadArguments, context: JobContext) -> TableSummary:
    """Read a whole file and keep its table; what was loaded before stays loaded."""
    context.tables.check_reader(arguments.path, arguments.reader)
    data.check_memory(arguments.path, arguments.reader, context.tables.find_readers)
    table = context.tables.read(arguments.path, arguments.reader, context)
    context.tables.keep(table)
    overlap = data.overlap_warnings(table, COMPARED_ROWS)
    return replace(table.summary, warnings=(*table.summary.warnings, *overlap))


def read_rows(arguments: RowsArguments, context: JobContext) -> RowsPage:
    """Cells of some rows; an order is worked out once and kept."""
    document, order = arguments.document, arguments.order
    table = table_of(document, context)
    if order.is_plain:
        return data.rows_page(table, arguments.start, arguments.count)
    where = document.split.where if order.only_used else ""

    def make() -> tuple[IntArray, int]:
        rows = data.ordered_rows(table, document, order, context.should_stop)
        return rows, rows.nbytes

    key = ("row order", table.identity, where, order)
    rows: IntArray = context.cache.get_or_make(key, make)
    return data.ordered_page(table, rows, arguments.start, arguments.count)


def describe_column(arguments: ColumnArguments, context: JobContext) -> ColumnDetail:
    """One column by target class."""
    table = table_of(arguments.document, context)
    found = data.rows_inside(table, arguments.document)
    inside = None if found is None else found[0]
    return data.column_detail(table, arguments.document, arguments.column, inside)
