"""A look over the dictionary of an SPSS file before readstat opens it.

readstat ends the whole process on some damaged dictionaries (a variable of an impossible type, a
record that claims another size than its kind has). The records are walked here and refused when
one cannot be, so that a damaged file costs a message and nothing else.

Layout: PSPP Developers Guide, appendix "System File Format".
"""

from __future__ import annotations

import struct
from typing import BinaryIO

from payoff import PayoffError

_HEADER = 176
_VARIABLE, _LABELS, _LABELLED, _DOCUMENTS, _EXTENSION, _END = 2, 3, 4, 6, 7, 999
_MOST_COUNT = 10_000_000
_FIXED_EXTENSIONS = {3: (4, 8), 4: (8, 3)}  # kind -> bytes and number of its entries


class _Walk:
    """Reads whole numbers and passes over stretches, refusing what ends too early."""

    def __init__(self, source: BinaryIO, path: str) -> None:
        self._source = source
        self._path = path
        self.order = "<"
        self.variables = 0

    def refuse(self, why: str) -> PayoffError:
        return PayoffError(
            "The SPSS file cannot be read.",
            where=f"{self._path}, byte offset {self._source.tell():,}",
            why=why,
            remedy="It may be damaged or cut off: export it again.",
        )

    def take(self, count: int) -> bytes:
        piece = self._source.read(count) if 0 <= count <= _MOST_COUNT * 32 else b""
        if len(piece) != count:
            raise self.refuse("It ends, or a length is impossible, within its list of columns.")
        return piece

    def numbers(self, count: int) -> tuple[int, ...]:
        return struct.unpack(f"{self.order}{count}i", self.take(4 * count))


def check_dictionary(path: str) -> None:
    """Refuse an SPSS file whose dictionary cannot be right."""
    with open(path, "rb") as source:
        walk = _Walk(source, path)
        header = walk.take(_HEADER)
        layout = header[64:68]
        if int.from_bytes(layout, "little") not in (2, 3):
            walk.order = ">"
            if int.from_bytes(layout, "big") not in (2, 3):
                raise walk.refuse("Its header names no layout that is known.")
        continued = 0  # eight-byte pieces of a long text that are still to come
        while True:
            (kind,) = walk.numbers(1)
            if kind == _END:
                return
            if kind == _VARIABLE:
                continued = _pass_variable(walk, continued)
            elif continued:
                raise walk.refuse("A long text column breaks off.")
            else:
                _pass_other(walk, kind)


def _pass_variable(walk: _Walk, continued: int) -> int:
    """Check one variable record; return how many records continue it."""
    walk.variables += 1
    width, has_label, missing, _, _ = walk.numbers(5)
    walk.take(8)
    if not -1 <= width <= 255 or has_label not in (0, 1) or not -3 <= missing <= 3:
        raise walk.refuse("A column has a kind that does not exist.")
    if (width == -1) != (continued > 0) or missing == -1:
        raise walk.refuse("A long text column is put together wrongly.")
    if has_label:
        (length,) = walk.numbers(1)
        walk.take((length + 3) // 4 * 4)
    walk.take(8 * abs(missing))
    if width == -1:
        return continued - 1
    return (width + 7) // 8 - 1 if width > 8 else 0


def _pass_other(walk: _Walk, kind: int) -> None:
    """Check a record of labels, documents or an extension."""
    if kind in (_LABELS, _LABELLED, _DOCUMENTS):
        (count,) = walk.numbers(1)
        if not 0 <= count <= _MOST_COUNT:
            raise walk.refuse("A number of labels is impossible.")
        if kind == _LABELS:
            for _ in range(count):
                length = walk.take(9)[8]
                walk.take((length + 8) // 8 * 8 - 1)
        elif kind == _DOCUMENTS:
            walk.take(80 * count)
        elif not all(1 <= place <= walk.variables for place in walk.numbers(count)):
            raise walk.refuse("Labels belong to a column that does not exist.")
    elif kind == _EXTENSION:
        subtype, size, count = walk.numbers(3)
        if not (0 < size <= _MOST_COUNT and 0 <= count <= _MOST_COUNT):
            raise walk.refuse("A record of the dictionary has an impossible size.")
        if _FIXED_EXTENSIONS.get(subtype, (size, count)) != (size, count):
            raise walk.refuse("A record of the dictionary has another size than its kind.")
        walk.take(size * count)
    else:
        raise walk.refuse(f"There is no record of kind {kind}.")
