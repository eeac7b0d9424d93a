"""Jobs on a data file: its first rows, and reading it whole."""

from __future__ import annotations

from dataclasses import replace

from core import data
from core.document.data.results import PreviewResult, TableSummary
from core.engine.context import JobContext
from core.engine.messages import (
    LoadArguments,
    PreviewArguments,
)

COMPARED_ROWS = 300_000  # beyond, rows in common are looked for when asked: it takes seconds


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
