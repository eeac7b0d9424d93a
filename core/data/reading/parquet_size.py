"""What a Parquet file takes in memory, by its footer and by its dictionaries.

A column that repeats one value costs no bytes in the file; a text that is repeated stands there
once. So rows and widths are multiplied before anything is read, and texts that the file keeps in a
dictionary are read as codes first, and counted before they are written out.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from payoff.counting import counted
from payoff.unpacking import check_memory_of, most_memory

_NUMBER_BYTES = 8
_CODE_BYTES = 4
_MOST_PLAIN = 1 << 30  # texts of one column and row group that are written out; beyond, as codes


def column_bytes(meta: pq.FileMetaData, schema: pa.Schema) -> list[int]:
    """Bytes of each column in memory: numbers at their width, texts as long as they are."""
    places = _text_places(meta, schema)
    unpacked = dict.fromkeys(places.values(), 0)
    for index in range(meta.num_row_groups):
        group = meta.row_group(index)
        for place, name in places.items():
            unpacked[name] += group.column(place).total_uncompressed_size
    return [
        max(unpacked.get(field.name, 0), meta.num_rows * _CODE_BYTES)
        if _is_text(field.type)
        else meta.num_rows * _width(field.type)
        for field in schema
    ]


def _is_text(kind: pa.DataType) -> bool:
    if pa.types.is_dictionary(kind):
        return _is_text(kind.value_type)
    return bool(
        pa.types.is_string(kind)
        or pa.types.is_large_string(kind)
        or pa.types.is_binary(kind)
        or pa.types.is_large_binary(kind)
    )


def _width(kind: pa.DataType) -> int:
    """Bytes of a value, as the program keeps it."""
    is_fixed = pa.types.is_fixed_size_binary(kind) or pa.types.is_decimal(kind)
    return max(_NUMBER_BYTES, kind.byte_width) if is_fixed else _NUMBER_BYTES


def check_columns(path: str, file: pq.ParquetFile, *, at_once: bool) -> None:
    """Refuse a file whose columns, ``at_once`` or the largest, would take too much memory.

    Raises
    ------
    PayoffError
    """
    meta = file.metadata
    widths = column_bytes(meta, file.schema_arrow)
    needed = sum(widths) if at_once else max(widths, default=0)
    described = counted(meta.num_rows, "row") + (
        f" of {counted(len(widths), 'column')}" if at_once else ""
    )
    check_memory_of(path, os.path.getsize(path), needed, described)


def doubtful_texts(path: str, meta: pq.FileMetaData, schema: pa.Schema) -> list[str]:
    """Columns of texts in dictionaries that could become too much when they are written out."""
    most = most_memory(os.path.getsize(path))
    places = _text_places(meta, schema)
    found: set[str] = set()
    for index in range(meta.num_row_groups):
        group = meta.row_group(index)
        for place, name in places.items():
            column = group.column(place)
            could_be = group.num_rows * column.total_uncompressed_size
            if column.has_dictionary_page and could_be > most:
                found.add(name)
    return sorted(found)


def _text_places(meta: pq.FileMetaData, schema: pa.Schema) -> dict[int, str]:
    """Names of the columns of texts, by their places in the footer."""
    texts = {field.name for field in schema if _is_text(field.type)}
    names = [meta.schema.column(place).path for place in range(meta.num_columns)]
    return {place: name for place, name in enumerate(names) if name in texts}


def written_out(table: pa.Table, path: str, coded: Collection[str] = ()) -> pa.Table:
    """Texts that were read as codes, written out as far as the file's size allows for it.

    Parameters
    ----------
    coded : collection of str
        Columns that stay codes.

    Raises
    ------
    PayoffError
        If they would take too much memory.
    """
    columns = [
        values
        if name in coded or not pa.types.is_dictionary(values.type)
        else _written_out(values, path, name)
        for name, values in zip(table.column_names, table.columns, strict=True)
    ]
    return pa.table(columns, names=table.column_names)


def _written_out(values: pa.ChunkedArray, path: str, name: str) -> pa.ChunkedArray:
    if not _is_text(values.type.value_type):
        return values
    needed = sum(map(_length, values.chunks))
    described = f"the texts of column '{name}', each written out where it stands,"
    check_memory_of(path, os.path.getsize(path), needed, described)
    return values.cast(values.type.value_type) if needed <= _MOST_PLAIN else values


def _length(chunk: pa.DictionaryArray) -> int:
    """Bytes of the texts of a chunk, each as often as it stands there."""
    lengths = pc.binary_length(chunk.dictionary)
    return int(pc.sum(lengths.take(chunk.indices)).as_py() or 0)


def check_held(path: str, tables: Sequence[pa.Table]) -> None:
    """Refuse to read on when what was read takes more memory than the file's size allows for.

    Raises
    ------
    PayoffError
    """
    held = sum(table.nbytes for table in tables)
    rows = sum(table.num_rows for table in tables)
    check_memory_of(path, os.path.getsize(path), held, f"the first {counted(rows, 'row')}")
