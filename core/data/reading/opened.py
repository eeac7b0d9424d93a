"""Tables that a plugin's reader opens: its batches become Arrow columns, watched for Stop."""

from __future__ import annotations

import io
import math
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, BinaryIO, cast

import numpy as np
import pyarrow as pa

from core.data.cancellation import Progress, ShouldStop
from core.data.currency import with_money
from core.data.identity import content_hash
from core.data.kinds import LARGEST_EXACT
from core.data.names import NameSink, settle_given_names
from core.data.reading.choosing import request_of
from core.data.reading.left_out import KeptRows, choose_rows
from core.data.reading.parquet import settle_table
from core.data.roles.labelled import FileLabels
from core.data.table import RowPlaces
from core.data.text.records import TextFile
from core.document.data.model import ReaderSettings
from core.document.data.results import ReaderFinding
from payoff.counting import counted
from payoff.errors import PayoffError, StoppedError
from payoff.readers import Found, Opened, OpenedTable, OpenedText, TableReader, cell_words
from payoff.unpacking import check_memory_of, check_unpacked

#: What ends reading and is no fault of the reader's. All else is one: a panic of a library in Rust
#: is no ``Exception``.
NO_FAULTS = (PayoffError, StoppedError, MemoryError, KeyboardInterrupt, SystemExit, GeneratorExit)
_TEXT_BYTES = 60  # a short text as Python holds it, with its place in a column
_WORDS = {
    "part": "part that is read",
    "widths": "widths",
    "has_header": "header",
    "skip_lines": "rows above the table",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadColumns:
    """What reading such a table gives."""

    table: pa.Table
    kinds: dict[str, str]
    settings: ReaderSettings
    content_hash: str
    places: RowPlaces
    warnings: tuple[str, ...]
    labels: FileLabels


def open_file(
    path: str,
    reader: TableReader,
    settings: ReaderSettings,
    first_rows: int | None = None,
    should_stop: ShouldStop | None = None,
) -> Opened:
    """Let a reader open a file; faults of its own become refusals that name it.

    Raises
    ------
    PayoffError
    """
    assert reader.open is not None
    requested = request_of(path, settings, first_rows)
    if should_stop is not None:
        requested = replace(requested, should_stop=should_stop)
    try:
        return reader.open(requested)
    except NO_FAULTS:
        raise
    except BaseException as error:
        raise _fault_of(reader, path, error) from error


def _fault_of(reader: TableReader, path: str, error: BaseException) -> PayoffError:
    return PayoffError(
        f"The reader '{reader.label}' failed.",
        where=path,
        why=f"{type(error).__name__}: {error}.",
        remedy="The file may be damaged; or save it as CSV in its own program.",
    )


def unpacked_text(path: str, opened: OpenedText) -> TextFile:
    """The text that a reader unpacks, as the splitter takes it; no more than its file allows for.

    Raises
    ------
    PayoffError
    """
    packed = os.path.getsize(path)
    check_unpacked(path, packed, opened.size)

    def stream() -> BinaryIO:
        return cast(BinaryIO, CountedStream(opened.stream(), path, packed))

    return TextFile(path, max(1, opened.size), stream, False)


class CountedStream(io.RawIOBase):
    """What a reader unpacks, counted while it comes: what it says of its size may not be so."""

    def __init__(self, inner: BinaryIO, path: str, packed: int) -> None:
        super().__init__()
        self._inner = inner
        self._path, self._packed = path, packed
        self._count = 0

    def readable(self) -> bool:
        """Say that reading works."""
        return True

    def readinto(self, buffer: object) -> int:
        """Fill a buffer with the next bytes."""
        view = memoryview(cast(bytearray, buffer))
        piece = self._inner.read(len(view))
        self._count += len(piece)
        check_unpacked(self._path, self._packed, self._count)
        view[: len(piece)] = piece
        return len(piece)

    def close(self) -> None:
        """Close what it reads from."""
        if not self.closed:
            self._inner.close()
        super().close()


def settings_of(reader: TableReader, settings: ReaderSettings, opened: Opened) -> ReaderSettings:
    """The settings with what the reader found; uncertain things too, since they were read so."""
    found = {entry.setting: entry.value for entry in opened.found}
    filled = replace(settings, format=reader.id, part=opened.part or settings.part)
    if "widths" in found:
        filled = replace(filled, widths=tuple(int(w) for w in found["widths"].split(",")))
    if "skip_lines" in found:
        filled = replace(filled, skip_lines=int(found["skip_lines"]))
    if "has_header" in found:
        filled = replace(filled, has_header=found["has_header"] == "yes")
    if isinstance(opened, OpenedText):
        filled = replace(
            filled,
            delimiter=opened.delimiter or settings.delimiter,
            quote=settings.quote if opened.quote is None else opened.quote,
            encoding=opened.encoding or settings.encoding,
        )
    return filled


def as_requested(
    settings: ReaderSettings, requested: ReaderSettings, opened: Opened
) -> ReaderSettings:
    """Settings to keep: what only holds for the text that the reader made is taken out again."""
    if not isinstance(opened, OpenedText):
        return settings
    return replace(
        settings,
        encoding=requested.encoding if opened.encoding else settings.encoding,
        delimiter=requested.delimiter if opened.delimiter else settings.delimiter,
        quote=settings.quote if opened.quote is None else requested.quote,
    )


def findings_of(found: Sequence[Found]) -> tuple[ReaderFinding, ...]:
    """A reader's findings as the window shows them."""
    return tuple(
        ReaderFinding(
            setting=entry.setting,
            value=entry.value,
            reason=entry.reason,
            is_certain=entry.is_certain,
        )
        for entry in found
    )


def refuse_open_question(path: str, reader: TableReader, opened: Opened) -> None:
    """Which of several sheets or files is meant is asked, never guessed."""
    for entry in opened.found:
        if entry.setting == "part" and not entry.is_certain:
            raise PayoffError(
                f"Which {reader.part_word} is to be read is not clear.",
                where=path,
                why=f"{entry.reason[0].upper()}{entry.reason[1:]}.",
                remedy=f"Choose the {reader.part_word} in the import settings (elsewhere "
                "sheet=...).",
            )


def doubts_of(opened: Opened) -> list[str]:
    """Findings that are not certain, as warnings."""
    return [
        f"Please check the {_WORDS[entry.setting]} ({entry.value}): {entry.reason}."
        for entry in opened.found
        if not entry.is_certain and entry.setting in _WORDS
    ]


def read_columns(
    path: str,
    reader: TableReader,
    settings: ReaderSettings,
    progress: Progress,
    should_stop: ShouldStop,
) -> ReadColumns:
    """Read a whole table through a reader.

    Raises
    ------
    PayoffError
    StoppedError
    """
    progress(None, "opening")
    opened = open_file(path, reader, settings, should_stop=should_stop)
    refuse_open_question(path, reader, opened)
    assert isinstance(opened, OpenedTable)
    sink = NameSink.of(settings)
    names = settle_given_names(opened.columns, path, sink, opened.headings)
    sink.refuse()
    table = take_table(path, reader, opened, names, progress, should_stop)
    if table.num_rows == 0:
        raise PayoffError("The file has columns and no data rows.", where=path)
    digest = content_hash(
        path, lambda f, s: progress(None if f is None else 0.85 + 0.1 * f, s), should_stop
    )
    settled = settings_of(reader, settings, opened)
    kept = choose_rows_of(table, opened, settled, path)
    table, kinds, more = settle_table(kept.take(table), settled, path, first_line=opened.first_line)
    table = with_money(table, dict(zip(names, opened.currencies, strict=False)))
    return ReadColumns(
        table=table,
        kinds=kinds,
        settings=settled,
        content_hash=digest,
        places=kept.places(RowPlaces(first_line=opened.first_line)),
        warnings=(*sink.warnings, *opened.notes, *doubts_of(opened), *kept.words, *more),
        labels=_labels_of(opened, names),
    )


def _labels_of(opened: OpenedTable, names: tuple[str, ...]) -> FileLabels:
    """The file's words by the names that the columns have here."""
    own = dict(zip(opened.columns, names, strict=True))
    return FileLabels(
        {own[name]: label for name, label in opened.labels.items() if name in own},
        {own[name]: words for name, words in opened.value_labels.items() if name in own},
    )


def choose_rows_of(
    table: pa.Table, opened: OpenedTable, settings: ReaderSettings, path: str
) -> KeptRows:
    """The rows of a reader's table that are cases."""
    first = opened.first_line

    def line(row: int) -> str:
        return f"row {first + row}" if first else f"data row {row + 1}"

    return choose_rows(table, settings, path, line)


def take_table(
    path: str,
    reader: TableReader,
    opened: OpenedTable,
    names: tuple[str, ...],
    progress: Progress,
    should_stop: ShouldStop,
) -> pa.Table:
    """All batches of an opened table as one Arrow table."""
    pieces: list[list[np.ndarray[Any, Any]]] = [[] for _ in names]
    rows = held = 0
    packed = os.path.getsize(path)
    try:
        for batch in opened.batches:
            if should_stop():
                raise StoppedError
            if len(batch) != len(names) or len({len(values) for values in batch}) > 1:
                raise ValueError("a batch has another number of columns, or columns of two lengths")
            for kept, values in zip(pieces, batch, strict=True):
                kept.append(np.asarray(values))
            rows += len(batch[0])
            held += sum(map(_bytes_of, batch))
            check_memory_of(
                path, packed, held, f"{counted(rows, 'row')} of {counted(len(names), 'column')}"
            )
            progress(0.8 * min(1.0, rows / opened.rows) if opened.rows else None, "reading")
    except NO_FAULTS:
        raise
    except BaseException as error:
        raise _fault_of(reader, path, error) from error
    if should_stop():
        raise StoppedError
    columns = {name: _as_column(kept) for name, kept in zip(names, pieces, strict=True)}
    return pa.table(columns)


def _bytes_of(values: Any) -> int:
    """Memory that a batch of one column takes, about."""
    array = np.asarray(values)
    return _TEXT_BYTES * len(array) if array.dtype.kind == "O" else int(array.nbytes)


def _as_column(pieces: list[np.ndarray[Any, Any]]) -> pa.ChunkedArray:
    """Batches of one column brought to the kind that holds them all."""
    kinds = {piece.dtype.kind for piece in pieces if len(piece) and not _is_unknown(piece)}
    if not kinds:
        return pa.chunked_array([pa.nulls(sum(map(len, pieces)), pa.float64())])
    if kinds <= {"i", "u", "f"}:
        return _numbers([_numeric(piece) for piece in pieces])
    if kinds == {"b"} and not any(map(_is_unknown, pieces)):
        return pa.chunked_array([pa.array(piece) for piece in pieces])
    if kinds == {"M"}:
        is_days = all(_is_days(piece) for piece in pieces)
        return pa.chunked_array([_dates(piece, is_days=is_days) for piece in pieces])
    return pa.chunked_array([_texts(piece) for piece in pieces], type=pa.string())


def _numbers(pieces: list[np.ndarray[Any, Any]]) -> pa.ChunkedArray:
    """Batches of numbers: whole ones, though some are missing, are integers as in text.

    Workbooks and statistics programs keep every number as a double.
    """
    if all(piece.dtype.kind != "f" for piece in pieces):
        return pa.chunked_array([pa.array(piece.astype(np.int64)) for piece in pieces])
    doubles = [piece.astype(np.float64) for piece in pieces]
    values = pa.chunked_array([pa.array(piece, from_pandas=True) for piece in doubles])
    are_whole = all(
        bool(np.all((np.abs(known) <= LARGEST_EXACT) & (known == np.floor(known))))
        for known in (piece[~np.isnan(piece)] for piece in doubles)
    )
    return values.cast(pa.int64()) if are_whole else values


def _is_unknown(piece: np.ndarray[Any, Any]) -> bool:
    """Whether a batch holds missing values only, so that its kind says nothing."""
    if piece.dtype.kind == "f":
        return bool(np.isnan(piece).all())
    if piece.dtype.kind == "M":
        return bool(np.isnat(piece).all())
    return piece.dtype.kind in "OU" and all(cell is None for cell in piece.tolist())


def _numeric(piece: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """A batch of numbers; one without any value is all NaN."""
    return piece if piece.dtype.kind in "iuf" else np.full(len(piece), np.nan)


def _is_days(piece: np.ndarray[Any, Any]) -> bool:
    """Whether a batch of dates has no time of day but midnight."""
    if piece.dtype.kind != "M" or piece.dtype == np.dtype("datetime64[D]"):
        return True
    return bool(((piece == piece.astype("datetime64[D]")) | np.isnat(piece)).all())


def _dates(piece: np.ndarray[Any, Any], *, is_days: bool) -> pa.Array:
    """A batch of dates, or of times to the microsecond; one without any value is all missing."""
    kind = pa.date32() if is_days else pa.timestamp("us")
    if piece.dtype.kind != "M":
        return pa.nulls(len(piece), kind)
    return pa.array(piece.astype("datetime64[D]" if is_days else "datetime64[us]"), type=kind)


def _texts(piece: np.ndarray[Any, Any]) -> pa.Array:
    """A batch as texts, numbers and dates as a person writes them."""
    cells = [None if _is_missing(cell) else cell_words(cell) for cell in piece.tolist()]
    return pa.array(cells, type=pa.string())


def _is_missing(cell: object) -> bool:
    return cell is None or (isinstance(cell, float) and math.isnan(cell))
