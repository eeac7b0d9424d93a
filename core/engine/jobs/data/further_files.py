"""Jobs on further files: made tables, a look at a second file, at a join, and at overlap."""

from __future__ import annotations

from dataclasses import replace

from core import data
from core.assembly.context import table_of
from core.data import LoadedTable
from core.document.data.model import FileRef
from core.document.data.results import TableSummary
from core.document.studies.joining import (
    JoinArguments,
    JoinReport,
    MakeTableArguments,
    Overlap,
    OverlapArguments,
    SecondFile,
    SecondFileArguments,
)
from core.engine.context import JobContext

COMPARED_ROWS = 5_000_000


def make_table(arguments: MakeTableArguments, context: JobContext) -> TableSummary:
    """The summary of a table made by a recipe; the table is kept."""
    context.progress(None, "Putting the table together")
    table = context.tables.table(arguments.data, context)
    summary = table.summary
    said = context.tables.changed_data(arguments.data)
    overlap = data.overlap_warnings(table, COMPARED_ROWS) if arguments.data.recipe.rows else ()
    return replace(summary, warnings=(*said, *overlap, *summary.warnings))


def look_at_file(arguments: SecondFileArguments, context: JobContext) -> SecondFile:
    """Read a further file and say what it has beside the data."""
    table = table_of(arguments.document, context)
    other = context.tables.read(arguments.path, arguments.reader, context)
    context.tables.keep(other)
    reference = other.summary.data
    return SecondFile(
        file=FileRef(
            path=reference.path,
            content_hash=reference.content_hash,
            size_bytes=reference.size_bytes,
            reader=reference.reader,
        ),
        rows=other.rows,
        columns=tuple((name, other.kinds[name], name in table.kinds) for name in other.columns),
        keys=data.likely_keys(table, other),
        warnings=other.summary.warnings,
    )


def look_at_join(arguments: JoinArguments, context: JobContext) -> JoinReport:
    """Count what a join would do."""
    table = table_of(arguments.document, context)
    other = _other(arguments.join.file, context)
    return data.match_rows(table, other, arguments.join).report


def find_overlap(arguments: OverlapArguments, context: JobContext) -> Overlap:
    """Rows of different uses with one id, or with the same values."""
    context.progress(None, "Comparing rows")
    return data.find_overlap(table_of(arguments.document, context), arguments.document)


def _other(file: FileRef, context: JobContext) -> LoadedTable:
    return context.tables.further_table(file, "", context)
