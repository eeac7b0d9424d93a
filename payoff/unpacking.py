"""What a packed file may grow to when it is unpacked: one limit for every packed format.

A few bytes can ask for any amount of memory: a workbook with one cell at its far corner, a gzip of
zeros, a Parquet file whose columns repeat one value. Declared sizes are looked at before anything
is made, and bytes are counted while they come, since declarations may lie.

The limit is on purpose no setting: a file that grows a hundred times over can be unpacked by its
own program, and opened as what it then is.
"""

from __future__ import annotations

import struct
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import BinaryIO

from payoff.counting import counted
from payoff.errors import PayoffError

MOST_RATIO = 100
"""Unpacked bytes to one packed byte, beyond the first ``SMALL_BYTES``."""

SMALL_BYTES = 256 << 20
"""What any packed file may unpack to, however small it is."""

MEMORY_RATIO = 4
"""Bytes of memory that columns take for a byte of unpacked text."""

_BLOCK = 1 << 18
_LOCAL_HEADER = struct.Struct("<4s22xHH")
_LOCAL_MARK = b"PK\x03\x04"
_NONE = [("", 0)]


def most_unpacked(packed: int) -> int:
    """How many bytes a file of ``packed`` bytes may unpack to."""
    return max(SMALL_BYTES, MOST_RATIO * packed)


def most_memory(packed: int) -> int:
    """How many bytes of memory what is made of a file of ``packed`` bytes may take."""
    return MEMORY_RATIO * most_unpacked(packed)


def grows_too_much(path: str, packed: int, why: str, remedy: str = "") -> PayoffError:
    """Return the refusal of a file that is small on the disk and asks for far more."""
    return PayoffError(
        "The file asks for far more memory than its size allows for.",
        where=path,
        why=f"It has {_size_words(packed)} on the disk; {why}",
        remedy=remedy
        or "If it is meant so, unpack it with its own program and open what is in it.",
    )


def check_unpacked(path: str, packed: int, unpacked: int) -> None:
    """Refuse a file that unpacks, or says it does, to more bytes than its size allows for.

    Raises
    ------
    PayoffError
    """
    if unpacked > most_unpacked(packed):
        raise grows_too_much(
            path, packed, f"unpacked it has more than {_size_words(most_unpacked(packed))}."
        )


def check_memory_of(path: str, packed: int, needed: int, what: str) -> None:
    """Refuse a file of which more would be made than its size allows for.

    Parameters
    ----------
    path : str
    packed : int
        Bytes on the disk.
    needed : int
        Bytes of memory, about.
    what : str
        What needs them: "1,048,576 rows of 16,384 columns".

    Raises
    ------
    PayoffError
    """
    if needed > most_memory(packed):
        why = f"{what} need about {_size_words(needed)}."
        raise grows_too_much(path, packed, why)


def member_blocks(source: BinaryIO, member: zipfile.ZipInfo, where: str) -> Iterator[bytes]:
    """Unpack a member of a zip block by block: all its bytes, whatever size its header declares.

    Other libraries do not stop at the declared size as Python's does.

    Raises
    ------
    PayoffError
        For a damaged member, or one packed in an unusual way.
    """
    source.seek(member.header_offset)
    head = source.read(_LOCAL_HEADER.size)
    if len(head) < _LOCAL_HEADER.size or not head.startswith(_LOCAL_MARK):
        raise _damaged_member(where, "It does not stand where the archive says.")
    _, name, extra = _LOCAL_HEADER.unpack(head)
    source.seek(name + extra, 1)
    if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise _damaged_member(where, "It is packed in a way that is not read.")
    inflate = zlib.decompressobj(-zlib.MAX_WBITS)
    left = member.compress_size
    while left > 0 and (packed := source.read(min(left, _BLOCK))):
        left -= len(packed)
        if member.compress_type == zipfile.ZIP_STORED:
            yield packed
            continue
        while packed and not inflate.eof:
            try:
                yield inflate.decompress(packed, _BLOCK)
            except zlib.error as error:
                raise _damaged_member(where, f"{error}.") from None
            packed = inflate.unconsumed_tail
    yield inflate.flush()


def check_members(path: str, packed: int, members: Sequence[zipfile.ZipInfo]) -> None:
    """Refuse a zip whose members unpack to too much, or two of which have one name.

    Bytes are counted, not believed.

    Raises
    ------
    PayoffError
    """
    [(twice, count), *_] = Counter(m.filename.casefold() for m in members).most_common(1) or _NONE
    if count > 1:
        raise PayoffError("The archive is damaged.", where=path, why=f"'{twice}' is there twice.")
    check_unpacked(path, packed, sum(member.file_size for member in members))
    total = 0
    with open(path, "rb") as source:
        for member in members:
            for block in member_blocks(source, member, f"{path}, {member.filename}"):
                total += len(block)
                check_unpacked(path, packed, total)


def _damaged_member(where: str, why: str) -> PayoffError:
    return PayoffError(
        "The archive cannot be unpacked.", where=where, why=why, remedy="Download or save it again."
    )


def _size_words(count: int) -> str:
    for size, unit in ((10**12, "TB"), (10**9, "GB"), (10**6, "MB"), (10**3, "kB")):
        if count >= size:
            return f"{count / size:,.3g} {unit}"
    return counted(count, "byte")
