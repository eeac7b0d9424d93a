"""Jobs that write a table to a file: the data, or a table of the window as it is shown."""

from __future__ import annotations

import pyarrow as pa

from core import data
from core.assembly.context import table_of
from core.data import LoadedTable
from core.data.names import free_names
from core.data.text.number_texts import plain_number
from core.document.studies.data import (
    ExportCellsArguments,
    ExportDataArguments,
    TableExported,
)
from core.engine.context import JobContext


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
