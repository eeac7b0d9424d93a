"""Opening a large Parquet file at once: what its footer and its first rows say."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from core.data.cancellation import Progress, ShouldStop, never_stop, no_progress
from core.data.identity import file_stamp, remembered_hash
from core.data.lazy.table import (
    LazyTable,
    ParquetColumn,
    check_columns,
    under_own_names,
    written_out,
)
from core.data.names import NameSink
from core.data.profile.summary import summarise_columns
from core.data.reading.parquet import open_parquet, plain_columns, plain_types, settle_table
from core.document.data.model import ReaderSettings
from core.document.data.results import ColumnSummary
from payoff.counting import counted

#: Files of more rows are opened so; below, all columns are read at once.
LARGE_ROWS = 5_000_000
PREVIEW_ROWS = 200_000


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenedParquet:
    """A large file: lazy table, first rows (``look``), kinds, and what is known of its columns."""

    table: LazyTable
    look: pa.Table
    kinds: dict[str, str]
    columns: tuple[ColumnSummary, ...]
    content_hash: str
    warnings: tuple[str, ...]


def is_large(path: str) -> bool:
    """Whether a Parquet file is opened column by column."""
    with open_parquet(path) as file:
        return bool(file.metadata.num_rows > LARGE_ROWS)


def open_large(
    path: str,
    reader: ReaderSettings,
    progress: Progress = no_progress,
    should_stop: ShouldStop = never_stop,
) -> OpenedParquet:
    """Open a large Parquet file without making its columns; its bytes are hashed, once.

    Raises
    ------
    PayoffError
        For a damaged file or two columns of one name.
    Stopped
    """
    stamp = file_stamp(path)
    with open_parquet(path) as file:
        schema, meta = file.schema_arrow, file.metadata
        check_columns(path, file, at_once=False)
        sink = NameSink.of(reader)
        wanted = plain_columns(schema, path, sink)
        sink.refuse()
        own = list(dict.fromkeys(column.own for column in wanted))
        first = pa.Table.from_batches(
            [next(file.iter_batches(batch_size=PREVIEW_ROWS, columns=own))]
        )
        first = written_out(first, path)
        missing, extremes = _footer_facts(meta, wanted)
    beyond = {column.name for column in wanted if _is_beyond(extremes.get(column.name))}
    types = {**dict.fromkeys(beyond, "text"), **dict(reader.column_types)}
    # Whether all cells of a column are numbers is not known before all of it is read.
    reader = replace(reader, column_types=tuple(types.items()), number_texts=False)

    def settle(name: str, values: pa.ChunkedArray) -> pa.ChunkedArray:
        if name in beyond:
            values = values.cast(pa.string())
        elif pa.types.is_decimal(values.type):  # one kind for every piece of the column
            values = values.cast(pa.float64(), safe=False)
        plain = plain_types(pa.table({name: values}), path)
        return settle_table(plain, reader, path)[0].column(0)

    raw = under_own_names(first, wanted)
    look = pa.table({name: settle(name, raw.column(name)) for name in raw.column_names})
    _, kinds, _ = settle_table(look, reader, path)
    seen = summarise_columns(look, kinds)
    columns = tuple(
        _of_whole_file(entry, meta.num_rows, missing.get(entry.name), extremes.get(entry.name))
        for entry in seen
    )
    warnings = [*sink.warnings]
    warnings += [f"Column '{name}' is kept as text: its numbers are too long." for name in beyond]
    warnings.append(
        f"The file has {counted(meta.num_rows, 'row')}: columns are read when they are "
        "needed. Means, "
        f"levels and small charts of page Data are those of the first "
        f"{counted(look.num_rows, 'row')}; "
        "results use all rows."
    )
    coded = tuple(
        column.own
        for column, entry in zip(wanted, seen, strict=True)
        if entry.distinct >= 0 and _is_only_text(schema, column.own)
    )
    return OpenedParquet(
        table=LazyTable(path, wanted, settle, coded, stamp=stamp),
        look=look,
        kinds=kinds,
        columns=columns,
        content_hash=remembered_hash(path, progress, should_stop),
        warnings=tuple(warnings),
    )


def _is_only_text(schema: pa.Schema, own: str) -> bool:
    """Whether a name is that of one column, and the column holds texts."""
    places = schema.get_all_field_indices(own)
    kind = schema.field(places[0]).type
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    return len(places) == 1 and bool(pa.types.is_string(kind))


def _footer_facts(
    meta: pq.FileMetaData, wanted: tuple[ParquetColumn, ...]
) -> tuple[dict[str, int], dict[str, tuple[float, float]]]:
    """Missing values and extremes by column, where every row group states them.

    Nothing of columns that share a name: the footer speaks of them by name.
    """
    missing: dict[str, int] = {}
    extremes: dict[str, tuple[float, float]] = {}
    paths = [meta.schema.column(at).path for at in range(len(meta.schema))]
    counts = Counter(paths)
    places = {path: at for at, path in enumerate(paths) if counts[path] == 1}
    groups = [meta.row_group(group) for group in range(meta.num_row_groups)]
    for column in wanted:
        if column.own not in places:
            continue
        name = column.name
        stated = [group.column(places[column.own]).statistics for group in groups]
        if all(entry is not None and entry.has_null_count for entry in stated):
            missing[name] = sum(entry.null_count for entry in stated)
        ends = [
            (_as_number(entry.min), _as_number(entry.max))
            for entry in stated
            if entry is not None
            and entry.has_min_max
            and isinstance(entry.max, int | float | Decimal)
        ]
        if ends and len(ends) == len(stated):
            extremes[name] = (min(low for low, _ in ends), max(high for _, high in ends))
    return missing, extremes


def _as_number(end: int | float | Decimal) -> int | float:
    """An extreme of a column; whole decimals are whole numbers."""
    if not isinstance(end, Decimal):
        return end
    return int(end) if end == int(end) else float(end)


def _is_beyond(ends: tuple[float, float] | None) -> bool:
    """Whether whole numbers are longer than a double can hold."""
    return ends is not None and any(isinstance(end, int) and abs(end) > 2**53 for end in ends)


def _of_whole_file(
    seen: ColumnSummary, rows: int, missing: int | None, ends: tuple[float, float] | None
) -> ColumnSummary:
    """What the first rows show, with the counts and extremes that the footer states."""
    known = replace(seen, rows=rows, missing=missing if missing is not None else seen.missing)
    if ends is None or seen.minimum is None or not np.isfinite(ends).all():
        return known
    return replace(known, minimum=float(ends[0]), maximum=float(ends[1]))
