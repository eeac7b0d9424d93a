"""Delimited text in gzip, bzip2, xz or zip: unpacked while it is read, never onto the disk."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import zipfile
import zlib
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, cast

from payoff import Found, OpenedText, PayoffError, ReaderForm, ReadRequest, TableReader
from payoff.counting import counted

_FAULTS = (
    OSError,
    EOFError,
    ValueError,
    RuntimeError,
    NotImplementedError,
    zlib.error,
    lzma.LZMAError,
    zipfile.BadZipFile,
)
_HEAD = 1 << 18
_OPENERS: tuple[tuple[bytes, Callable[[str], Any]], ...] = (
    (b"\x1f\x8b", gzip.GzipFile),
    (b"BZh", bz2.BZ2File),
    (b"\xfd7zXZ\x00", lzma.LZMAFile),
)


class _Unpacking(io.RawIOBase):
    """A stream whose faults are refusals in the user's words."""

    def __init__(self, path: str, inner: BinaryIO, owner: zipfile.ZipFile | None = None) -> None:
        super().__init__()
        self._path = path
        self._inner = inner
        self._owner = owner

    def readable(self) -> bool:
        """Say that reading works."""
        return True

    def readinto(self, buffer: object) -> int:
        """Fill a buffer with the next bytes."""
        view = memoryview(cast(bytearray, buffer))
        try:
            piece = self._inner.read(len(view))
        except _FAULTS as error:
            raise _damaged(self._path, error) from None
        view[: len(piece)] = piece
        return len(piece)

    def close(self) -> None:
        """Close the stream and the archive it came from."""
        if not self.closed:
            self._inner.close()
            if self._owner is not None:
                self._owner.close()
        super().close()


def _damaged(path: str, error: Exception) -> PayoffError:
    return PayoffError(
        "The archive cannot be unpacked.",
        where=path,
        why=f"It is damaged or cut off ({error or type(error).__name__}).",
        remedy="Download or pack it again.",
    )


def _open(request: ReadRequest) -> OpenedText:
    """Open the text inside an archive."""
    with open(request.path, "rb") as source:
        start = source.read(8)
    for mark, opener in _OPENERS:
        if start.startswith(mark):
            return _open_single(request.path, opener)
    return _open_zip(request)


def _open_single(path: str, opener: Callable[[str], Any]) -> OpenedText:
    def stream() -> BinaryIO:
        return cast(BinaryIO, _Unpacking(path, opener(path)))

    return OpenedText(stream=stream, size=_guess_size(path, stream))


def _guess_size(path: str, stream: Callable[[], BinaryIO]) -> int:
    """Bytes of the text, from how well its first stretch is packed."""
    packed = os.path.getsize(path)
    with stream() as source:
        head = _read_head(source)
    if len(head) < _HEAD:
        return len(head)
    return int(packed * len(head) / max(1, len(zlib.compress(head, 6))))


def _read_head(source: BinaryIO) -> bytes:
    pieces, total = [], 0
    while total < _HEAD and (piece := source.read(_HEAD - total)):
        pieces.append(piece)
        total += len(piece)
    return b"".join(pieces)


def _open_zip(request: ReadRequest) -> OpenedText:
    """Open one file of a zip archive; which of several is asked."""
    path = request.path
    try:
        with zipfile.ZipFile(path) as archive:
            members = [entry for entry in archive.infolist() if _is_data(entry)]
    except _FAULTS as error:
        raise _damaged(path, error) from None
    if not members:
        raise PayoffError("The archive holds no file.", where=path)
    names = tuple(entry.filename for entry in members)
    if request.part is not None and request.part not in names:
        raise PayoffError(
            f"The archive has no file '{request.part}'.",
            where=path,
            why=f"It holds {', '.join(names[:8])}{' ...' if len(names) > 8 else ''}.",
        )
    tables = [name for name in names if name.lower().endswith(_TABLES)]
    only = tables[0] if len(tables) == 1 else None
    name = request.part or only or names[0]
    entry = members[names.index(name)]
    if entry.flag_bits & 1:
        raise PayoffError(
            "The archive is locked with a password.",
            where=f"{path}, file {name}",
            remedy="Unpack it with its password, and open the file inside.",
        )
    found: tuple[Found, ...] = ()
    if len(names) > 1 and request.part is None:
        reason = f"the archive holds {counted(len(names), 'file')}: {', '.join(names[:8])}"
        reason += f"; only {only} is a table by its name" * bool(only)
        found = (Found(setting="part", value=name, reason=reason, is_certain=bool(only)),)
    return OpenedText(
        stream=partial(_stream_of, path, name),
        size=entry.file_size,
        part=name,
        parts=names,
        found=found,
    )


_TABLES = (".csv", ".tsv", ".tab", ".dat", ".data", ".asc")


def _is_data(entry: zipfile.ZipInfo) -> bool:
    """No folder and none of the shadow files that macOS packs along."""
    is_shadow = entry.filename.startswith("__MACOSX/") or Path(entry.filename).name[:1] == "."
    return not entry.is_dir() and not is_shadow


def _stream_of(path: str, name: str) -> BinaryIO:
    try:
        archive = zipfile.ZipFile(path)
        return cast(BinaryIO, _Unpacking(path, cast(BinaryIO, archive.open(name)), archive))
    except (*_FAULTS, KeyError) as error:
        raise _damaged(path, error) from None


def _example(folder: str) -> str:
    path = Path(folder) / "cases.csv.gz"
    path.write_bytes(gzip.compress(b"id,score,y\n007,0.25,0\n008,0.75,1\n", mtime=0))
    return str(path)


COMPRESSED = TableReader(
    id="compressed",
    label="Compressed text (gz, bz2, xz, zip)",
    help="Delimited text, packed; of an archive with several files you choose one.",
    form=ReaderForm.DELIMITED,
    suffixes=(".gz", ".bz2", ".xz", ".zip"),
    marks=(b"\x1f\x8b", b"BZh", b"\xfd7zXZ\x00", b"PK\x03\x04", b"PK\x05\x06"),
    open=_open,
    settings=("part", "has_header", "skip_lines", "missing_marks", "encoding"),
    part_word="file",
    example=_example,
    reference="RFC 1952 (gzip), PKWARE APPNOTE (zip)",
    expected_failures=(
        ("Unknown part is refused", "the example is a gzip file, which holds one text only"),
    ),
)
