"""A large Parquet file as a table whose columns are read when they are needed.

Rows for a screen are cut out of the row groups they stand in; a column that is asked for is read
whole, settled and kept.

What a Parquet file takes in memory, by its footer and by its dictionaries.

A column that repeats one value costs no bytes in the file; a text that is repeated stands there
once. So rows and widths are multiplied before anything is read, and texts that the file keeps in a
dictionary are read as codes first, and counted before they are written out.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from core.data.cancellation import check_stop
from core.data.identity import FileStamp, file_stamp
from core.data.lazy.columns import LazyColumns, gather
from payoff.counting import counted
from payoff.errors import PayoffError
from payoff.types import IntArray
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
    said = counted(meta.num_rows, "row") + (
        f" of {counted(len(widths), 'column')}" if at_once else ""
    )
    check_memory_of(path, os.path.getsize(path), needed, said)


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
    said = f"the texts of column '{name}', each written out where it stands,"
    check_memory_of(path, os.path.getsize(path), needed, said)
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


_KEPT_GROUPS = 2

#: What a damaged file makes the Parquet library raise: types that do not exist, names that are no
#: text, sizes beyond the file.
DAMAGED = (pa.ArrowException, OSError, UnicodeDecodeError, OverflowError)

#: Takes a column's name and its values as they stand in the file; gives them as the program has.
Settle = Callable[[str, pa.ChunkedArray], pa.ChunkedArray]


@dataclass(frozen=True, slots=True)
class ParquetColumn:
    """A column as it is called here, and where it stands in the file.

    ``own`` is its name there; ``place`` counts the columns of that name, from 0.
    """

    name: str
    own: str
    place: int = 0


class LazyTable(LazyColumns):
    """Columns of a Parquet file, read on need.

    Parameters
    ----------
    path : str
    columns : tuple of ParquetColumn
        Those that are offered, in file order.
    settle : callable
        Brings a column to the kind that the rest of the program expects.
    coded : tuple of str
        Columns of few different texts, by their names in the file: read as codes, each text once.
    stamp : FileStamp, optional
        The file as it was when its content was looked at; left out = as it is now.
    """

    def __init__(
        self,
        path: str,
        columns: tuple[ParquetColumn, ...],
        settle: Settle,
        coded: tuple[str, ...] = (),
        *,
        stamp: FileStamp | None = None,
    ) -> None:
        self._stamp = file_stamp(path) if stamp is None else stamp
        with pq.ParquetFile(path) as file:
            counts = [file.metadata.row_group(i).num_rows for i in range(file.num_row_groups)]
            self._doubtful = doubtful_texts(path, file.metadata, file.schema_arrow)
        self._starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        super().__init__(tuple(column.name for column in columns), int(self._starts[-1]))
        self._sources = {column.name: column for column in columns}
        self._path = path
        self._settle = settle
        self._coded = list(coded)
        self._groups: dict[int, pa.Table] = {}

    def _make(self, name: str) -> pa.ChunkedArray:
        parts: list[pa.Table] = []
        for part in self._pieces([name]):
            parts.append(part)
            check_held(self._path, parts)
        raw = [part.column(0) for part in parts]
        return self._settle(name, pa.chunked_array([c for part in raw for c in part.chunks]))

    def parts(self, names: Sequence[str]) -> Iterator[pa.Table]:
        to_read = [name for name in names if name not in self._columns]
        start = 0
        for piece in self._pieces(to_read or list(self._names[:1])):
            columns = {
                name: self._settle(name, piece.column(name))
                if name in to_read
                else self._columns[name].slice(start, piece.num_rows)
                for name in names
            }
            start += piece.num_rows
            yield pa.table(columns)

    def _pieces(self, names: list[str]) -> Iterator[pa.Table]:
        """Columns as they stand in the file, a row group at a time; Stop is asked between them."""
        self._check_unchanged()
        for group in range(len(self._starts) - 1):
            check_stop()
            yield self._read_group(group, names)

    def _of(self, names: Sequence[str]) -> tuple[ParquetColumn, ...]:
        return tuple(self._sources[name] for name in names)

    def rows_at(self, rows: IntArray) -> pa.Table:
        """Every column at some rows; no more is read than the row groups they stand in."""

        def inside(group: int, wanted: IntArray) -> pa.Table:
            whole = self._group(group)
            if not len(wanted):
                return whole.slice(0, 0)
            first, last = int(wanted[0]), int(wanted[-1])
            is_run = len(wanted) == last - first + 1 and bool((np.diff(wanted) == 1).all())
            return whole.slice(first, len(wanted)) if is_run else whole.take(pa.array(wanted))

        return gather(self._starts, rows, inside)

    def _group(self, group: int) -> pa.Table:
        """One row group, settled; the last two are kept."""
        with self._lock:
            if group not in self._groups:
                self._check_unchanged()
                wanted = list(self._names)
                read = self._read_group(group, wanted)
                while len(self._groups) >= _KEPT_GROUPS:
                    self._groups.pop(next(iter(self._groups)))
                self._groups[group] = pa.table(
                    {name: self._settle(name, read.column(name)) for name in wanted}
                )
            return self._groups[group]

    def _read_group(self, group: int, names: Sequence[str]) -> pa.Table:
        columns = self._of(names)
        as_codes = [*self._coded, *self._doubtful]
        try:
            with pq.ParquetFile(self._path, read_dictionary=as_codes) as file:
                return read_row_group(file, group, columns, self._path, self._coded)
        except DAMAGED as error:
            raise PayoffError(
                "A part of the Parquet file cannot be read.",
                where=self._path,
                why=str(error).split("\n")[0],
                remedy="The file is damaged or gone: copy or export it again.",
            ) from None

    def _check_unchanged(self) -> None:
        """Refuse a file that is another one by now: its columns would not belong together."""
        try:
            is_same = self._stamp.agrees(file_stamp(self._path))
        except OSError:
            is_same = False
        if not is_same:
            raise PayoffError(
                "The data file has changed or gone while it was open.",
                where=self._path,
                why="A large Parquet file is read column by column, when each is needed.",
                remedy="Open the file again.",
            )


def read_row_group(
    file: pq.ParquetFile,
    group: int,
    columns: Sequence[ParquetColumn],
    path: str,
    coded: Sequence[str] = (),
) -> pa.Table:
    """Some columns of a row group, under the names they have here; ``coded`` ones stay codes."""
    read = file.read_row_group(group, columns=list(dict.fromkeys(c.own for c in columns)))
    return under_own_names(written_out(read, path, coded), columns)


def under_own_names(table: pa.Table, columns: Sequence[ParquetColumn]) -> pa.Table:
    """Columns of a table that may bear one name several times, under the names they have here."""
    places = [table.schema.get_all_field_indices(c.own)[c.place] for c in columns]
    return pa.table([table.column(place) for place in places], names=[c.name for c in columns])
