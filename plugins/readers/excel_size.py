"""How large the sheets of a workbook are, found out before anything is made of them.

A library that reads workbooks makes every cell between A1 and the last one that holds anything: one
cell at the far corner of a file of 2 kB asks for 550 GB, and ends the process. So the references
of all cells are looked at first, in the text of every part, without building a tree of it.
"""

from __future__ import annotations

import os
import re
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from payoff import PayoffError
from payoff.counting import counted
from payoff.unpacking import check_members, check_memory_of, member_blocks

MOST_ROWS, MOST_COLUMNS = 1_048_576, 16_384
"""The size of a sheet in the format."""

_CELL_BYTES, _BOX_BYTES = 72, 40  # of a cell that is filled, and of any between A1 and the last
_LONGEST_TAG = 1 << 20
_QUOTED = rb"(?:[^<>\"']|\"[^\"]*\"|'[^']*')*"
_CELL = re.compile(rb"<(?:[\w.-]+:)?c[\s/>]")
_ROW = re.compile(rb"<(?:[\w.-]+:)?row[\s/>]")
_PLACE = re.compile(rb"\sr\s*=\s*[\"']([A-Za-z]+)([0-9]+)[\"']")
_FILLED = re.compile(_PLACE.pattern + rb"(?!" + _QUOTED + rb"/>)")
_ROW_PLACE = re.compile(rb"\sr\s*=\s*[\"']([0-9]+)[\"']")


@dataclass(slots=True)
class _Extent:
    """How far the filled cells of a part reach; rows and columns count from 1."""

    cells: int = 0
    rows: int = 0
    columns: int = 0
    last: str = ""
    unplaced: int = 0  # cells of the widest row that do not say where they are
    unplaced_rows: int = 0
    _open_row: int = 0

    def add(self, text: bytes) -> None:
        """Take in a stretch of the part, cut between tags."""
        found = _FILLED.findall(text)
        self.cells += len(found)
        letters = {columns for columns, _ in found}
        for name in letters:
            self.columns = max(self.columns, column_number(name))
        if found:
            columns, row = max(found, key=lambda place: (len(place[1]), place[1]))
            if _number(row) > self.rows:
                self.rows, self.last = _number(row), (columns + row).decode()
        tags = len(_CELL.findall(text))
        if tags > len(_PLACE.findall(text)):
            self._add_unplaced(text, tags)

    def _add_unplaced(self, text: bytes, tags: int) -> None:
        """Cells without a place follow each other in their row, and such rows each other."""
        self.cells += tags
        first, *others = (len(_CELL.findall(part)) for part in _ROW.split(text))
        self.unplaced = max(self.unplaced, self._open_row + first, *others)
        self._open_row = others[-1] if others else self._open_row + first
        placed = _ROW_PLACE.findall(text)
        self.rows = max([self.rows, *map(_number, placed)])
        self.unplaced_rows += len(others)


def check_workbook(path: str) -> None:
    """Refuse a workbook whose sheets would take more memory than its size allows for.

    Raises
    ------
    PayoffError
    """
    packed = os.path.getsize(path)
    with zipfile.ZipFile(path) as archive:
        members = archive.infolist()
    check_members(path, packed, members)
    with open(path, "rb") as source:
        for member in members:
            where = f"{path}, {member.filename}"
            extent = _Extent()
            for text in tag_stretches(member_blocks(source, member, where), where):
                extent.add(text)
            _check_extent(where, packed, extent)


def _check_extent(where: str, packed: int, extent: _Extent) -> None:
    rows, columns = extent.rows + extent.unplaced_rows, extent.columns + extent.unplaced
    if extent.rows > MOST_ROWS or extent.columns > MOST_COLUMNS:
        raise PayoffError(
            "The workbook has a cell that no sheet can have.",
            where=f"{where}, cell {extent.last or columns}",
            why=f"A sheet has {MOST_ROWS:,} rows and {MOST_COLUMNS:,} columns.",
            remedy="The file is damaged: save it again in the program that made it.",
        )
    needed = _CELL_BYTES * extent.cells + _BOX_BYTES * rows * columns
    described = (
        f"{counted(extent.cells, 'cell')} within {counted(rows, 'row')} and "
        f"{counted(columns, 'column')}"
    )
    try:
        check_memory_of(where, packed, needed, described)
    except PayoffError as refusal:
        raise PayoffError(
            refusal.what,
            where=refusal.where,
            why=refusal.why,
            remedy="Delete cells that stand far from the table, or save the sheet as CSV.",
        ) from None


def tag_stretches(blocks: Iterable[bytes], where: str) -> Iterator[bytes]:
    """Text of XML cut between tags.

    Raises
    ------
    PayoffError
        For text that is not UTF-8, and for a tag that does not end.
    """
    held = b""
    is_first = True
    for block in blocks:
        if is_first and block:
            is_first = False
            _refuse_wide_text(block, where)
        held += block
        end = held.rfind(b"<")
        if end < 0 or b">" in held[end:]:
            yield held
            held = b""
        elif end > 0:
            yield held[:end]
            held = held[end:]
        if len(held) > _LONGEST_TAG:
            raise PayoffError("The workbook is damaged.", where=where, why="A tag does not end.")
    yield held


def _refuse_wide_text(start: bytes, where: str) -> None:
    if start.startswith((b"\xff\xfe", b"\xfe\xff", b"<\0", b"\0<")):
        raise PayoffError(
            "The workbook is written in an unusual way.",
            where=where,
            why="Its parts are UTF-16 text; spreadsheets write UTF-8.",
            remedy="Open it in a spreadsheet program and save it again.",
        )


def _number(digits: bytes) -> int:
    return int(digits[:12])


def column_number(letters: bytes) -> int:
    """The number of a column, from 1, by its letters."""
    number = 0
    for letter in letters.upper()[:8]:
        number = 26 * number + letter - 64
    return number
