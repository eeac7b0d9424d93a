"""Jobs on further files: made tables, and a look at a second file."""

from __future__ import annotations

from dataclasses import replace

from core import data
from core.assembly.context import table_of
from core.document.data.model import FileRef
from core.document.data.results import TableSummary
from core.document.studies.data import MakeTableArguments, SecondFile, SecondFileArguments
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
    reference = other.data
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
