"""Jobs on a table: preview, load, rows, one column."""

from __future__ import annotations

from dataclasses import replace

from core import data
from core.data import LoadedTable
from core.document.model import Document
from core.document.results import ColumnDetail, PreviewResult, RowsPage, TableSummary
from core.engine.context import JobContext
from core.engine.messages import (
    ColumnArguments,
    LoadArguments,
    PreviewArguments,
    RowsArguments,
)
from payoff.errors import PayoffError


def table_of(document: Document, context: JobContext) -> LoadedTable:
    """The document's table; refuses a document without data."""
    if document.data is None:
        raise PayoffError("No data is open.", remedy="Open a data file first.")
    return context.workbench.table(document.data, context)


def preview_file(arguments: PreviewArguments, context: JobContext) -> PreviewResult:
    """First rows of a file under some reader settings."""
    context.check()
    readers = context.workbench.registry_readers
    seen = data.preview(arguments.path, arguments.reader, find_readers=readers)
    return replace(seen, memory_free_bytes=data.free_memory())


def load_file(arguments: LoadArguments, context: JobContext) -> TableSummary:
    """Read a whole file and keep its table; what was loaded before stays loaded."""
    data.check_memory(arguments.path, arguments.reader, context.workbench.registry_readers)
    table = context.workbench.read(arguments.path, arguments.reader, context)
    context.workbench.keep_table(table)
    return table.summary


def read_rows(arguments: RowsArguments, context: JobContext) -> RowsPage:
    """Cells of some rows."""
    return data.rows_page(table_of(arguments.document, context), arguments.start, arguments.count)


def describe_column(arguments: ColumnArguments, context: JobContext) -> ColumnDetail:
    """One column by target class."""
    table = table_of(arguments.document, context)
    return data.column_detail(table, arguments.document, arguments.column)
