"""Special missing values of a SAS transport file (.A to .Z, ._), which readstat does not tell.

Layout (SAS TS-140; version 8 differs in two marks): records of 80 bytes; a header counts the
variables, 140 bytes describe each; behind the header OBS stand the rows, numbers as IBM doubles.
A number whose first byte is a letter or underscore and whose other bytes are zero is a special
missing value; a point is the plain one.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

_RECORD = 80
MARK = b"HEADER RECORD*******"
_NAMESTR = re.compile(rb"HEADER RECORD\*{7}(?:NAMESTR|NAMSTV8) HEADER RECORD!{7}")
_OBS = re.compile(rb"HEADER RECORD\*{7}(?:OBS    |OBSV8  ) HEADER RECORD!{7}")
_MEMBER = re.compile(rb"HEADER RECORD\*{7}(?:MEMBER |MEMBV8 ) HEADER RECORD!{7}")
_MOST_HEADER = 32 << 20
_ROWS = 100_000
_LETTERS = np.frombuffer(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ_", dtype=np.uint8)


@dataclass(frozen=True, slots=True)
class _Number:
    """Where a numeric variable stands in a row."""

    name: str
    position: int
    length: int


def members(path: str) -> int:
    """How many data sets a transport file holds (in its first 32 MB)."""
    with open(path, "rb") as source:
        return len(_MEMBER.findall(source.read(_MOST_HEADER)))


def special_missing(path: str) -> Mapping[str, Mapping[str, int]]:
    """Count special missing values by variable and letter; empty where the layout is not clear."""
    with open(path, "rb") as source:
        head = source.read(_MOST_HEADER)
    described = _describe(head)
    if described is None:
        return {}
    numbers, width, start = described
    size = os.path.getsize(path)
    rows = (size - start) // width if width else 0
    counts: dict[str, dict[str, int]] = {}
    if rows < 1:
        return counts
    cells = np.memmap(path, dtype=np.uint8, mode="r", offset=start, shape=(rows, width))
    for first in range(0, rows, _ROWS):
        part = cells[first : first + _ROWS]
        for number in numbers:
            _add_letters(part, number, counts)
    return counts


def _add_letters(
    part: np.ndarray[tuple[int, int], np.dtype[np.uint8]],
    number: _Number,
    counts: dict[str, dict[str, int]],
) -> None:
    """Add the special missing values of one variable in some rows."""
    stretch = part[:, number.position : number.position + number.length]
    is_special = np.isin(stretch[:, 0], _LETTERS) & ~stretch[:, 1:].any(axis=1)
    if not is_special.any():
        return
    letters, times = np.unique(stretch[is_special, 0], return_counts=True)
    of_name = counts.setdefault(number.name, {})
    for letter, count in zip(letters.tolist(), times.tolist(), strict=True):
        of_name[chr(letter)] = of_name.get(chr(letter), 0) + count


def _describe(head: bytes) -> tuple[list[_Number], int, int] | None:
    """The numeric variables, bytes per row, and where the rows begin."""
    names, rows = _NAMESTR.search(head), _OBS.search(head)
    if names is None or rows is None:
        return None
    digits = head[names.end() + 6 : names.end() + 10]
    if not digits.isdigit():
        return None
    begin = names.start() + _RECORD
    numbers: list[_Number] = []
    width = 0
    for at in range(begin, begin + 140 * int(digits), 140):
        entry = head[at : at + 140]
        kind, length = int.from_bytes(entry[0:2], "big"), int.from_bytes(entry[4:6], "big")
        position = int.from_bytes(entry[84:88], "big")
        if len(entry) < 140 or kind not in (1, 2) or not 1 <= length <= 32_767:
            return None
        name = (entry[88:120].strip(b"\0 ") or entry[8:16].strip()).decode("latin-1")
        if kind == 1:
            numbers.append(_Number(name, position, length))
        width = max(width, position + length)
    return numbers, width, rows.start() + _RECORD
