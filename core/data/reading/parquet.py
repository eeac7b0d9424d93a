"""Reading Parquet, one row group after the other."""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from core.data.cancellation import Progress, ShouldStop
from core.data.identity import content_hash
from core.data.kinds import LARGEST_EXACT, Settling, settle_columns
from core.data.lazy.table import (
    DAMAGED,
    ParquetColumn,
    check_columns,
    check_held,
    doubtful_texts,
    read_row_group,
)
from core.data.names import NameSink, settle_given_names
from core.data.reading.left_out import choose_rows
from core.data.table import RowPlaces
from core.data.text.nested import spread
from core.document.data.model import ReaderSettings
from payoff.errors import PayoffError, StoppedError


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadParquet:
    """What reading Parquet gives."""

    table: pa.Table
    kinds: dict[str, str]
    content_hash: str
    warnings: tuple[str, ...]
    places: RowPlaces


def open_parquet(path: str) -> pq.ParquetFile:
    """Open a Parquet file; refuses a damaged one.

    Repeated texts that could become too many bytes are read as codes (``parquet_size``).
    """
    try:
        file = pq.ParquetFile(path)
        doubtful = doubtful_texts(path, file.metadata, file.schema_arrow)
        if doubtful:
            with file:
                return pq.ParquetFile(path, metadata=file.metadata, read_dictionary=doubtful)
        return file
    except DAMAGED as error:
        raise PayoffError(
            "The file looks like Parquet and cannot be opened.",
            where=path,
            why=str(error).split("\n")[0],
            remedy="It may be cut off: copy or export it again.",
        ) from None


def read_parquet(
    path: str, reader: ReaderSettings, progress: Progress, should_stop: ShouldStop
) -> ReadParquet:
    """Read a whole Parquet file.

    Raises
    ------
    PayoffError
        For a damaged file, no rows, two columns of one name, or infinite numbers.
    StoppedError
    """
    with open_parquet(path) as file:
        check_columns(path, file, at_once=True)
        sink = NameSink.of(reader)
        spreads = reader.number_texts is not False  # as projects of before read their files
        columns = plain_columns(file.schema_arrow, path, sink, with_nested=spreads)
        sink.refuse()
        groups = _read_groups(file, columns, path, progress, should_stop)
    table = plain_types(spread(pa.concat_tables(groups), sink.warnings), path)
    digest = content_hash(
        path, lambda f, s: progress(None if f is None else 0.8 + 0.1 * f, s), should_stop
    )
    kept = choose_rows(table, reader, path, lambda row: f"data row {row + 1}")
    table, kinds, more = settle_table(kept.take(table), reader, path)
    return ReadParquet(
        table=table,
        kinds=kinds,
        content_hash=digest,
        warnings=(*sink.warnings, *kept.words, *more),
        places=kept.places(RowPlaces()),
    )


def plain_columns(
    schema: pa.Schema, path: str, sink: NameSink, *, with_nested: bool = False
) -> tuple[ParquetColumn, ...]:
    """The columns that are read, each with a name of its own; lists and records only if wanted."""
    names = settle_given_names(schema.names, path, sink)
    places: dict[str, int] = {}
    columns = []
    for field, name in zip(schema, names, strict=True):
        place = places.setdefault(field.name, 0)
        places[field.name] += 1
        if with_nested or is_plain(field.with_name(name), sink.warnings):
            columns.append(ParquetColumn(name, field.name, place))
    return tuple(columns)


def _read_groups(
    file: pq.ParquetFile,
    columns: tuple[ParquetColumn, ...],
    path: str,
    progress: Progress,
    should_stop: ShouldStop,
) -> list[pa.Table]:
    """Read all row groups, saying how far it is and stopping where asked."""
    if file.metadata.num_rows == 0:
        raise PayoffError("The file has columns and no data rows.", where=path)
    groups: list[pa.Table] = []
    count = file.metadata.num_row_groups
    for index in range(count):
        if should_stop():
            raise StoppedError
        progress(0.8 * index / count, "reading")
        groups.append(_read_group(file, index, columns, path))
        check_held(path, groups)
    return groups


def settle_table(
    table: pa.Table,
    reader: ReaderSettings,
    path: str,
    *,
    first_line: int = 0,
    decimals_in_texts: bool = True,
) -> tuple[pa.Table, dict[str, str], tuple[str, ...]]:
    """Settle the kinds of a typed table's columns; ``first_line``: the line of data row 1.

    With ``decimals_in_texts`` a column of texts such as 0,25 is one of numbers.
    """

    def place(name: str, row: int, value: str) -> str:
        shown = value or str(table.column(name)[row].as_py())
        line = f", line {first_line + row}" if first_line else ""
        return f"{path}{line}, data row {row + 1}, column {name}, value '{shown}'"

    def reread(names: list[str]) -> dict[str, pa.ChunkedArray]:
        return {name: table.column(name).cast(pa.string()) for name in names}

    settling = Settling(
        settings=reader,
        reread=reread,
        place=place,
        is_typed=True,
        decimals_in_texts=decimals_in_texts,
    )
    settled, kinds = settle_columns(table, settling)
    return settled, kinds, tuple(settling.warnings)


def _read_group(
    file: pq.ParquetFile, index: int, columns: tuple[ParquetColumn, ...], path: str
) -> pa.Table:
    try:
        return read_row_group(file, index, columns, path)
    except DAMAGED as error:
        raise PayoffError(
            "A part of the Parquet file cannot be read.",
            where=f"{path}, row group {index + 1} of {file.metadata.num_row_groups}",
            why=str(error).split("\n")[0],
            remedy="The file is damaged: copy or export it again.",
        ) from None


def is_plain(field: pa.Field, warnings: list[str]) -> bool:
    """Columns that hold lists or records are passed over, with a warning."""
    if not pa.types.is_nested(field.type):
        return True
    warnings.append(f"Column '{field.name}' holds lists or records: left out.")
    return False


def plain_types(table: pa.Table, path: str) -> pa.Table:
    """Decimals become numbers, bytes text, long strings strings, repeated texts coded."""
    columns: dict[str, pa.ChunkedArray] = {}
    for name, values in zip(table.column_names, table.columns, strict=True):
        columns[name] = _plain_column(name, values, path)
    return pa.table(columns)


def _plain_column(name: str, values: pa.ChunkedArray, path: str) -> pa.ChunkedArray:
    kind = values.type
    _refuse_damaged_text(name, values, path)
    if pa.types.is_dictionary(kind):
        inner = kind.value_type
        if not (pa.types.is_string(inner) or pa.types.is_large_string(inner)):
            return _plain_column(name, values.cast(inner), path)
        return pa.chunked_array(
            [_plain_codes(chunk) for chunk in values.chunks],
            type=pa.dictionary(pa.int32(), pa.string(), ordered=kind.ordered),
        ).unify_dictionaries()
    if pa.types.is_decimal(kind) and kind.scale <= 0 and _is_beyond(values):
        return values.cast(pa.string())  # ids longer than a number can hold exactly
    if pa.types.is_decimal(kind) or pa.types.is_float16(kind):
        return values.cast(pa.float64(), safe=False)
    if pa.types.is_uint64(kind):
        high = pc.max(values).as_py()
        return values.cast(pa.string() if high and high > 2**53 else pa.int64())
    if pa.types.is_duration(kind):
        return values.cast(pa.int64())
    is_bytes = pa.types.is_binary(kind) or pa.types.is_large_binary(kind)
    if is_bytes or pa.types.is_fixed_size_binary(kind) or pa.types.is_large_string(kind):
        try:
            return values.cast(pa.string())
        except pa.ArrowInvalid:
            raise _no_text(name, path) from None
    return values


def _plain_codes(values: pa.DictionaryArray) -> pa.DictionaryArray:
    """The column with codes of four bytes; their bounds must have been looked at."""
    return pa.DictionaryArray.from_arrays(
        values.indices.cast(pa.int32()),
        values.dictionary.cast(pa.string()),
        ordered=values.type.ordered,
        safe=False,
    )


def _is_beyond(values: pa.ChunkedArray) -> bool:
    """Whether whole decimals are longer than a double can hold."""
    ends = pc.min_max(values).as_py().values()
    return any(end is not None and abs(end) > LARGEST_EXACT for end in ends)


def _refuse_damaged_text(name: str, values: pa.ChunkedArray, path: str) -> None:
    """Refuse texts that are none: the Parquet library takes a file's word that they are UTF-8."""
    is_coded = pa.types.is_dictionary(values.type)
    kind = values.type.value_type if is_coded else values.type
    if not (pa.types.is_string(kind) or pa.types.is_large_string(kind)):
        return
    try:
        for chunk in values.chunks:
            _validate_codes(chunk) if is_coded else chunk.validate(full=True)
    except pa.ArrowInvalid:
        raise _no_text(name, path) from None


def _validate_codes(values: pa.DictionaryArray) -> None:
    """The texts and the bounds of the codes: looked at quicker than by ``validate``."""
    values.dictionary.validate(full=True)
    ends = pc.min_max(values.indices).as_py()
    if ends["min"] is not None and not 0 <= ends["min"] <= ends["max"] < len(values.dictionary):
        raise pa.ArrowInvalid("codes beyond the texts")


def _no_text(name: str, path: str) -> PayoffError:
    return PayoffError(
        f"Column '{name}' holds bytes that are no text.",
        where=f"{path}, column {name}",
        remedy="Save the column as text or leave it out.",
    )
