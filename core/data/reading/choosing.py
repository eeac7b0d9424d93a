"""Which reader opens a file: as stated, by the end of its name, by its first bytes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from core.data.cancellation import ShouldStop, never_stop
from core.data.reading.guards import PARQUET_MARK, read_start
from core.document.data.model import ReaderSettings
from payoff.errors import PayoffError, no_such
from payoff.readers import ReadRequest, TableReader
from payoff.vocabulary import ReaderForm

#: Gives the readers of the plugins; asked only for files that are no plain text and no Parquet.
FindReaders: TypeAlias = Callable[[], Sequence[TableReader]]

DELIMITED, PARQUET = "delimited", "parquet"
#: Ends of names that are taken for plain text without asking any plugin.
PLAIN_SUFFIXES = (".csv", ".tsv", ".txt", ".tab", ".dat", ".data", ".asc")
_START = 4096


def no_readers() -> Sequence[TableReader]:
    """No plugin: plain text and Parquet only."""
    return ()


def choose_reader(
    path: str, settings: ReaderSettings, find_readers: FindReaders
) -> TableReader | str:
    """The reader of a file: a plugin's, or "delimited" or "parquet", which the host reads itself.

    Raises
    ------
    PayoffError
        For a format that no plugin brings, or a file that is none of the stated format.
    """
    start = read_start(path, _START)
    if settings.format not in (None, DELIMITED, PARQUET):
        return _as_stated(path, str(settings.format), start, find_readers())
    is_parquet = start.startswith(PARQUET_MARK)
    if settings.format == PARQUET and not is_parquet:
        raise PayoffError(
            "This is not a Parquet file.",
            where=path,
            why="Its first bytes are not PAR1.",
            remedy="Read it as delimited text.",
        )
    if is_parquet:
        return PARQUET
    if settings.format == DELIMITED or path.lower().endswith(PLAIN_SUFFIXES):
        return DELIMITED
    return _by_name_or_start(path, start, find_readers())


def _as_stated(path: str, wanted: str, start: bytes, readers: Sequence[TableReader]) -> TableReader:
    """The reader of a stated format."""
    reader = next((entry for entry in readers if entry.id == wanted), None)
    if reader is None:
        known = [entry.id for entry in readers] or [DELIMITED, PARQUET]
        raise no_such("reader", wanted, known, where=path)
    if not reader.claims_start(start):
        raise _not_what_it_claims(path, reader)
    return reader


def _by_name_or_start(path: str, start: bytes, readers: Sequence[TableReader]) -> TableReader | str:
    """The first reader that claims the name; else the only one that claims the first bytes."""
    named = [entry for entry in readers if entry.claims_name(path)]
    if named:
        fitting = [entry for entry in named if entry.claims_start(start)]
        if not fitting:
            raise _not_what_it_claims(path, named[0])
        return _own(fitting[0])
    marked = [entry for entry in readers if entry.marks and entry.claims_start(start)]
    return _own(marked[0]) if len(marked) == 1 else DELIMITED


def _own(reader: TableReader) -> TableReader | str:
    """The name of what the host reads itself, else the reader."""
    if reader.form == ReaderForm.PARQUET:
        return PARQUET
    return DELIMITED if reader.open is None else reader


def _not_what_it_claims(path: str, reader: TableReader) -> PayoffError:
    return PayoffError(
        f"This is not what its name says: {reader.label}.",
        where=path,
        why="Its first bytes are others.",
        remedy="Give the file the end of name that fits what it is, such as .csv for text.",
    )


def request_of(
    path: str,
    settings: ReaderSettings,
    first_rows: int | None = None,
    should_stop: ShouldStop = never_stop,
) -> ReadRequest:
    """What a plugin's reader is asked, from the import settings."""
    return ReadRequest(
        path=path,
        part=settings.part,
        has_header=settings.has_header,
        skip_lines=settings.skip_lines,
        missing_marks=settings.missing_marks,
        widths=settings.widths,
        use_labels=bool(settings.use_labels),
        encoding=settings.encoding,
        first_rows=first_rows,
        should_stop=should_stop,
    )
