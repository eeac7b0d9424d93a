"""Which reader opens a file: as stated, by the end of its name, by its first bytes.

What is refused before reading: folders, devices, pipes, and files that are something else.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeAlias

from core.data.cancellation import ShouldStop, never_stop
from core.document.data.model import ReaderSettings
from payoff.errors import PayoffError, no_such
from payoff.readers import ReadRequest, TableReader
from payoff.vocabulary import ReaderForm

_AS_TABLE = "Open it in its own program and save the table as CSV."
_AS_BOOK = "Open it in Excel, LibreOffice or Numbers and save it as a workbook (.xlsx)."
_FROM_DATABASE = "Export the table that is meant, as CSV or Parquet."
_FROM_PYTHON = "Write it with to_parquet or to_csv in place of it."
_FROM_R = "Write the table in R with write.csv(data, 'data.csv')."
#: First bytes -> what such a file is, in the user's words, and what to do.
_DISGUISES: tuple[tuple[bytes, str, str], ...] = (
    (b"PK\x03\x04", "a zip archive, an Excel workbook or one of LibreOffice (ods)", _AS_BOOK),
    (b"PK\x05\x06", "an empty zip archive", _AS_TABLE),
    (b"\x1f\x8b", "a gzip archive", _AS_TABLE),
    (b"BZh", "a bzip2 archive", _AS_TABLE),
    (b"\xfd7zXZ\x00", "an xz archive", _AS_TABLE),
    (b"(\xb5/\xfd", "a Zstandard archive", _AS_TABLE),
    (b"7z\xbc\xaf'\x1c", "a 7-Zip archive", "Unpack it, and open the file inside."),
    (b"\xd0\xcf\x11\xe0", "an old Excel (.xls) or Word document", _AS_BOOK),
    (b"%PDF", "a PDF document", _AS_TABLE),
    (b"SQLite format 3", "an SQLite database", _FROM_DATABASE),
    (b"DUCK", "a DuckDB database", _FROM_DATABASE),
    (b"ARROW1", "an Arrow (Feather) file", "Write it as Parquet: to_parquet, write_parquet."),
    (b"FEA1", "an old Feather file", "Write it as Parquet: to_parquet, write_parquet."),
    (b"\x89HDF\r\n", "an HDF5 file", _FROM_PYTHON),
    (b"\x93NUMPY", "an array of numpy", "Write it with numpy.savetxt, with a line of names."),
    (b"X\n\x00\x00\x00", "an R data file (.rds)", _FROM_R),
    (b"RDX", "an R data file (.RData)", _FROM_R),
    (b"\x89PNG", "a picture (PNG)", _AS_TABLE),
    (b"\xff\xd8\xff", "a picture (JPEG)", _AS_TABLE),
    (b"$FL2", "an SPSS file", "Give the file the end of name .sav."),
    (b"\x80\x04\x95", "a Python pickle, which Payoff never opens", _FROM_PYTHON),
    (b"\x80\x05\x95", "a Python pickle, which Payoff never opens", _FROM_PYTHON),
    (b"{\\rtf", "a rich-text document", _AS_TABLE),
)
_PLACES = {b"DUCK": 8}  # of marks that do not stand at the beginning
PARQUET_MARK = b"PAR1"


def check_readable(path: str) -> int:
    """Refuse what is no readable, non-empty ordinary file; return its size in bytes.

    The kind is looked at before anything is opened, so that a named pipe or a device never hangs.
    """
    place = Path(path)
    try:
        status = os.stat(path)
    except FileNotFoundError:
        raise _missing(place) from None
    except (OSError, ValueError) as error:
        raise PayoffError(
            "The file cannot be opened.", where=path, why=_system_reason(error)
        ) from None
    if stat.S_ISDIR(status.st_mode):
        raise PayoffError(
            "This is a folder, not a file.",
            where=path,
            remedy="Choose a file inside it. Parts of one table are read by payoff.evaluate, "
            "apply_to_parts and predict_to_parts.",
        )
    if not stat.S_ISREG(status.st_mode):
        raise PayoffError(
            "This is a device or a pipe, not a file.",
            where=path,
            remedy="Copy its contents into an ordinary file first.",
        )
    if status.st_size == 0:
        raise PayoffError("The file is empty (0 bytes).", where=path)
    return status.st_size


def read_start(path: str, count: int) -> bytes:
    """The first ``count`` bytes of a file that ``check_readable`` let through."""
    try:
        with open(path, "rb") as source:
            return source.read(count)
    except PermissionError:
        raise PayoffError(
            "You have no permission to read this file.",
            where=path,
            remedy="Ask its owner for read access, or copy it to a folder of yours.",
        ) from None
    except OSError as error:
        raise PayoffError(
            "The file cannot be read.", where=path, why=_system_reason(error)
        ) from None


def check_not_disguised(start: bytes, path: str) -> None:
    """Refuse archives, workbooks, web pages and the like that only bear the name of a text file."""
    for mark, kind, remedy in _DISGUISES:
        if start.startswith(mark, _PLACES.get(mark, 0)):
            raise PayoffError(
                f"This looks like {kind}, not like delimited text.",
                where=path,
                why="Its first bytes say so, whatever its name says.",
                remedy=remedy,
            )
    opening = start[:2048].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if re.match(rb'\{\s*"|\[\s*[\[{]', opening):
        raise PayoffError(
            "This looks like JSON, not like delimited text.",
            where=path,
            why="It begins with a bracket, as objects and lists of JSON do.",
            remedy="Export a table instead: CSV, Excel or Parquet, with one row per case.",
        )
    if opening.startswith((b"<!doctype", b"<html", b"<?xml", b"<head", b"<body")):
        raise PayoffError(
            "This looks like a web page (HTML or XML), not like delimited text.",
            where=path,
            why="A download sometimes saves an error or log-in page under the name of the file.",
            remedy="Open it in a browser to see what it says, and download the data again.",
        )


def _missing(place: Path) -> PayoffError:
    """Say whether the file, its folder or the target of a link is missing."""
    if place.is_symlink():
        return PayoffError(
            "This link points to a file that no longer exists.",
            where=str(place),
            why=f"It points to {os.readlink(place)}.",
        )
    if not place.parent.exists():
        return PayoffError(
            "The folder of this file does not exist.", where=str(place), why=f"{place.parent}"
        )
    return PayoffError("There is no such file.", where=str(place))


def _system_reason(error: Exception) -> str:
    """The system's own words on a failure, without a number or a path."""
    text = getattr(error, "strerror", None) or str(error)
    return f"The system says: {text}."


#: Gives the readers of the plugins; asked only for files that are no plain text and no Parquet.
FindReaders: TypeAlias = Callable[[], Sequence[TableReader]]

DELIMITED, PARQUET = "delimited", "parquet"
#: Ends of names of plain text: cut by a usual delimiter, no plugin is asked for it.
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
    if settings.format == DELIMITED:
        return DELIMITED
    if path.lower().endswith(PLAIN_SUFFIXES) and _is_cut(start):
        return DELIMITED
    return _by_name_or_start(path, start, find_readers())


def _is_cut(start: bytes) -> bool:
    """Whether a usual delimiter stands in the first line; no line is drawn and no tag opened."""
    if re.match(rb"(?:\xef\xbb\xbf)?\s*<[!a-zA-Z]", start):
        return False
    first = start.lstrip().split(b"\n", 1)[0]
    is_drawn = re.search(rb"(?m)^[ |+]*[-=]{3}[-=+| :]*\r?$", start) is not None
    return not is_drawn and any(mark in first for mark in (b",", b";", b"\t", b"|"))


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
    """The first reader that claims the name; else the only one that claims the first bytes.

    A name of plain text says least: what a reader's pattern knows is that reader's.
    """
    named = [entry for entry in readers if entry.claims_name(path)]
    known = [entry for entry in readers if entry.pattern and entry.knows_start(start)]
    if len(known) == 1 and all(_own(entry) == DELIMITED for entry in named):
        return _own(known[0])
    if named:
        fitting = [entry for entry in named if entry.claims_start(start)]
        if not fitting:
            raise _not_what_it_claims(path, named[0])
        return _own(fitting[0])
    marked = [entry for entry in readers if entry.knows_start(start)]
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
