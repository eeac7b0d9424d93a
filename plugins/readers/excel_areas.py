"""Several tables on one sheet: found by the blank columns and rows between them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

Row = list[Any]
_NARROW = 0.7  # of the cells that most rows of a table have
_FEW = 0.5  # of the largest table's rows: a stretch of columns with more is a part of it
_PAGE_HEAD = 4  # rows from a page's title to its names
_RANGE = re.compile(r"([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})")


@dataclass(frozen=True, slots=True, kw_only=True)
class Area:
    """Rows and columns of a sheet, from 0, the last ones included."""

    top: int
    bottom: int
    left: int
    right: int

    @property
    def name(self) -> str:
        """As a spreadsheet writes it: A1:D151."""
        return f"{_letters(self.left)}{self.top + 1}:{_letters(self.right)}{self.bottom + 1}"

    def cut(self, rows: Sequence[Row]) -> list[Row]:
        """The cells of the area; rows above it are empty, so that all keep their numbers."""
        width = self.right - self.left + 1
        above: list[Row] = [[""] * width] * min(self.top, len(rows))
        return above + [row[self.left : self.right + 1] for row in rows[self.top : self.bottom + 1]]


def area_named(name: str) -> Area | None:
    """The area of a name such as A1:D151; None for any other text."""
    found = _RANGE.fullmatch(name)
    if found is None:
        return None
    left, top, right, bottom = found.groups()
    return Area(top=int(top) - 1, bottom=int(bottom) - 1, left=_number(left), right=_number(right))


def find_areas(rows: Sequence[Row]) -> tuple[Area, ...]:
    """Find the tables of a sheet, the largest first; one table gives none.

    A stretch of columns beside a blank one is a table of its own where it has less than half as
    many rows as the largest; blank columns within a table are none of its borders. Below blank rows
    a table of its own begins with names that stand in columns of numbers.

    Parameters
    ----------
    rows : sequence of list
        All cells of the sheet; "" is an empty one.
    """
    if not rows:
        return ()
    beside = _beside(rows)
    main = beside[0]
    below = _row_of_table_below(main.cut(rows))
    if below is None:
        return tuple(beside) if len(beside) > 1 else ()
    last = Area(top=below, bottom=main.bottom, left=main.left, right=main.right)
    end = below - 1
    while end > 0 and not any(cell != "" for cell in rows[end][main.left : main.right + 1]):
        end -= 1
    first = Area(top=0, bottom=end, left=main.left, right=main.right)
    return (first, last, *beside[1:])


def _beside(rows: Sequence[Row]) -> list[Area]:
    """Stretches of columns that are tables of their own, the largest first."""
    width = max(map(len, rows))
    whole = [Area(top=0, bottom=len(rows) - 1, left=0, right=width - 1)]
    groups: list[list[int]] = []
    for at in range(width):
        if any(at < len(row) and row[at] != "" for row in rows):
            if groups and groups[-1][-1] == at - 1:
                groups[-1].append(at)
            else:
                groups.append([at])
    if len(groups) < 2:
        return whole
    held = {group[0]: _rows_held(rows, group) for group in groups}
    most = max(groups, key=lambda group: (held[group[0]].count, len(group)))
    enough = _FEW * held[most[0]].count
    own = [group for group in groups if group is not most and 2 <= held[group[0]].count < enough]
    others = [group for group in groups if group not in own]
    if not own or any(others[0][0] < group[0] < others[-1][-1] for group in own):
        return whole
    bottom = max(held[group[0]].last for group in others)
    main = Area(top=0, bottom=bottom, left=others[0][0], right=others[-1][-1])
    return [main, *(_area_of(group, held[group[0]]) for group in own)]


@dataclass(frozen=True, slots=True)
class _Held:
    """The rows in which a stretch of columns holds something."""

    count: int
    first: int
    last: int


def _rows_held(rows: Sequence[Row], group: list[int]) -> _Held:
    count = first = last = 0
    for number, row in enumerate(rows):
        if any(cell != "" for cell in row[group[0] : group[-1] + 1]):
            first = first if count else number
            count, last = count + 1, number
    return _Held(count, first, last)


def _area_of(group: list[int], held: _Held) -> Area:
    return Area(top=held.first, bottom=held.last, left=group[0], right=group[-1])


def _has_gap(rows: Sequence[Row]) -> bool:
    """Whether a blank row stands between rows that hold something."""
    is_filled = [any(cell != "" for cell in row) for row in rows]
    while is_filled and not is_filled[-1]:
        is_filled.pop()
    top = is_filled.index(True) if is_filled else 0
    return not all(is_filled[top:])


def _row_of_table_below(rows: Sequence[Row]) -> int | None:
    """Where another table begins below blank rows: by its names, or its width."""
    if not _has_gap(rows):
        return None
    counts = [sum(cell != "" for cell in row) for row in rows]
    usual = Counter(count for count in counts if count).most_common(1)[0][0]
    numbers = [0] * max(map(len, rows))
    texts = list(numbers)
    named: set[tuple[str, ...]] = set()  # rows of words so far: pages of a list repeat its names
    for at, row in enumerate(rows):
        is_apart = at > 0 and not counts[at - 1] and counts[at] >= 2
        words = [place for place, cell in enumerate(row) if isinstance(cell, str) and cell != ""]
        is_named = is_apart and len(words) == counts[at] and at + 2 < len(rows) and counts[at + 1]
        is_again = any(tuple(map(str, other)) in named for other in rows[at : at + _PAGE_HEAD])
        if len(words) == counts[at] >= 2:
            named.add(tuple(map(str, row)))
        if (
            is_named
            and not is_again
            and (
                any(numbers[place] > 5 > texts[place] for place in words)
                or all(count <= _NARROW * usual for count in counts[at:])
            )
        ):
            return at
        for place, cell in enumerate(row):
            if cell != "":
                numbers[place] += not isinstance(cell, str)
                texts[place] += isinstance(cell, str)
    return None


def _letters(column: int) -> str:
    """The letters of a column: A, B ... Z, AA."""
    text = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        text = chr(65 + rest) + text
    return text


def _number(letters: str) -> int:
    number = 0
    for letter in letters:
        number = 26 * number + ord(letter) - 64
    return number - 1


__all__ = ["Area", "area_named", "find_areas"]
