"""The jobs of page Data: reading, further files, writing tables.

Jobs on a data file: its first rows, and reading it whole.

Jobs on further files: made tables, and a look at a second file.

Jobs that write a table to a file: the data, or a table of the window as it is shown.
"""

from __future__ import annotations

from dataclasses import replace

import pyarrow as pa

from core import data
from core.assembly.context import table_of
from core.data import LoadedTable
from core.data.names import free_names
from core.data.text.number_texts import plain_number
from core.document.data.model import PARTS, FileRef
from core.document.data.results import PreviewResult, TableSummary
from core.document.studies.data import (
    ExportCellsArguments,
    ExportDataArguments,
    MakeTableArguments,
    SecondFile,
    SecondFileArguments,
    TableExported,
)
from core.engine.context import JobContext
from core.engine.messages import (
    ClusterArguments,
    ClusterFacts,
    LoadArguments,
    PreviewArguments,
)
from core.kernels.cluster import ClusterRunner, worker_facts
from core.scale.sources import why_not_written

COMPARED_ROWS = 300_000  # beyond, rows in common are looked for when asked: it takes seconds


def preview_file(arguments: PreviewArguments, context: JobContext) -> PreviewResult:
    """First rows of a file under some reader settings."""
    context.check()
    context.tables.check_reader(arguments.path, arguments.reader)
    readers = context.tables.find_readers
    seen = data.preview(arguments.path, arguments.reader, find_readers=readers)
    return replace(seen, memory_free_bytes=data.free_memory())


def look_at_cluster(arguments: ClusterArguments, context: JobContext) -> ClusterFacts:
    """Whether a cluster answers with workers that are this program and see a folder.

    Raises
    ------
    PayoffError
        Where it does not, naming worker, versions or folder.
    """
    context.progress(None, f"Asking the cluster {arguments.address}")
    with ClusterRunner(arguments.address) as runner:
        if arguments.folder:
            runner.check_files([arguments.folder], why_not_written)
        return ClusterFacts(
            workers=runner.workers, threads=runner.width, version=worker_facts()["Payoff"]
        )


def load_file(arguments: LoadArguments, context: JobContext) -> TableSummary:
    """Read a whole file and keep its table; what was loaded before stays loaded."""
    context.tables.check_reader(arguments.path, arguments.reader)
    if arguments.reader.format != PARTS:
        data.check_memory(arguments.path, arguments.reader, context.tables.find_readers)
    table = context.tables.read(arguments.path, arguments.reader, context)
    context.tables.keep(table)
    if table.data.is_in_parts:
        return table.summary
    overlap = data.overlap_warnings(table, COMPARED_ROWS)
    return replace(table.summary, warnings=(*table.summary.warnings, *overlap))


COMPARED_FURTHER_ROWS = 5_000_000


def make_table(arguments: MakeTableArguments, context: JobContext) -> TableSummary:
    """The summary of a table made by a recipe; the table is kept."""
    context.progress(None, "Putting the table together")
    table = context.tables.table(arguments.data, context, as_it_is=True)
    summary = table.summary
    described = context.tables.changed_data(arguments.data)
    if described:
        context.tables.keep(table)  # under what it is now, for what is asked next
    overlap = (
        data.overlap_warnings(table, COMPARED_FURTHER_ROWS) if arguments.data.recipe.rows else ()
    )
    return replace(summary, warnings=(*described, *overlap, *summary.warnings))


def inspect_file(arguments: SecondFileArguments, context: JobContext) -> SecondFile:
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


def export_data(arguments: ExportDataArguments, context: JobContext) -> TableExported:
    """Write every row and column of the document's data."""
    plain = written_table(table_of(arguments.document, context))
    data.write_arrow(arguments.path, plain, context.progress, context.should_stop)
    return TableExported(path=arguments.path, rows=plain.num_rows, columns=plain.num_columns)


def written_table(loaded: LoadedTable) -> pa.Table:
    """All rows and columns, texts written out."""
    table = loaded.table
    columns = [
        column.cast(column.type.value_type) if pa.types.is_dictionary(column.type) else column
        for column in table.columns
    ]
    return pa.table(columns, names=table.column_names)


def export_cells(arguments: ExportCellsArguments, context: JobContext) -> TableExported:
    """Write the cells of a table of the window."""
    names = free_names(arguments.columns)
    columns = {
        name: _typed([row[at] if at < len(row) else "" for row in arguments.rows])
        for at, name in enumerate(names)
    }
    data.write_arrow(arguments.path, pa.table(columns), context.progress, context.should_stop)
    return TableExported(path=arguments.path, rows=len(arguments.rows), columns=len(names))


def _typed(cells: list[str]) -> pa.Array:
    """Numbers where every filled cell is one, else texts."""
    numbers = [plain_number(cell) if cell.strip() else None for cell in cells]
    is_number = all(
        number is not None or not cell.strip() for number, cell in zip(numbers, cells, strict=True)
    )
    if is_number and any(number is not None for number in numbers):
        return pa.array(numbers, pa.float64())
    return pa.array([cell or None for cell in cells], pa.string())
