"""The first rows of a table that a plugin's reader opens."""

from __future__ import annotations

import os
from dataclasses import replace

import pyarrow as pa

from core.data.cancellation import never_stop, no_progress
from core.data.names import REPEATED, NameSink, settle_given_names
from core.data.profile.summary import cell_text
from core.data.reading.opened import choose_rows_of, findings_of, take_table
from core.data.reading.parquet import settle_table
from core.document.data.model import ReaderSettings
from core.document.data.results import PreviewResult
from payoff.errors import PayoffError
from payoff.readers import OpenedTable, TableReader

_LOADING_FACTOR = 3.0  # the reader's own cells, and the columns they are being made into


def preview_columns(
    path: str, reader: TableReader, opened: OpenedTable, settings: ReaderSettings
) -> PreviewResult:
    """Show what a reader hands over first; faults that loading refuses are warnings here."""
    sink = NameSink(renames=bool(settings.rename_repeated))
    names = settle_given_names(opened.columns, path, sink)
    warnings, shown = sink.warnings, settings
    table = take_table(path, reader, opened, names, no_progress, never_stop)
    try:
        kept = choose_rows_of(table, opened, _of_head(settings, table, opened), path)
        if opened.rows is None or table.num_rows >= opened.rows:
            shown = kept.in_settings(settings)
        settled, kinds, more = settle_table(
            kept.take(table), settings, path, first_line=opened.first_line
        )
        warnings += [*kept.words, *more]
        cells = table if kept.left_out else settled
    except PayoffError as error:
        settled, cells, kinds = table, table, dict.fromkeys(names, "text")
        warnings.append(str(error))
    rows = opened.rows if opened.rows is not None else settled.num_rows
    width = settled.nbytes / max(1, settled.num_rows)
    columns = [[cell_text(cell) for cell in column.to_pylist()] for column in cells.columns]
    return PreviewResult(
        path=path,
        size_bytes=os.path.getsize(path),
        settings=shown,
        findings=(*findings_of(opened.found), *sink.findings),
        columns=names,
        column_types=tuple(kinds[name] for name in names),
        rows=tuple(zip(*columns, strict=True)) if columns else (),
        row_estimate=rows,
        memory_estimate_bytes=int(rows * width * _LOADING_FACTOR),
        warnings=(*warnings, *opened.notes),
        parts=opened.parts,
        obeyed=(*reader.settings, "column_types", "date_order", REPEATED),
    )


def _of_head(settings: ReaderSettings, table: pa.Table, opened: OpenedTable) -> ReaderSettings:
    """The settings for the first rows alone: the end of a longer table is not seen yet."""
    if opened.rows is None or table.num_rows >= opened.rows:
        return settings
    told = tuple(row for row in settings.left_out or () if row <= table.num_rows)
    return replace(settings, left_out=told)
