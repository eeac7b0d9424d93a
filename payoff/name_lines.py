"""Which of the first lines of a table names its columns, where two lines or three of them could."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

_NUMBERED = re.compile(r"(?P<stem>[^\W\d_]{1,7}:?)[ _.]?(?P<number>\d+)")
_MOST_WORDS = 6  # of a name: longer ones are questions of a survey
_FEWEST = 3


def names_stand_below(above: Sequence[str], names: Sequence[str]) -> bool:
    """Whether a first line of words is none of names, and the line below it is.

    Parameters
    ----------
    above, names : sequence of str
        The cells of both lines; the lines below them hold numbers where ``names`` has words.

    Returns
    -------
    bool
        True for names that only count ("X1", "X2", "Unnamed: 3", "A", "B") above others, and for
        groups that are written above each of their columns ("model A", "model A" above "p", "y").
    """
    words = [name for name in names if name]
    if len(above) != len(names) or len(words) < len(names) / 2 or not words:
        return False
    if _only_count(above):
        are_names = all(len(name.split()) <= _MOST_WORDS for name in words)
        return are_names and len(set(words)) == len(words) and not _only_count(names)
    given = [cell for cell in above if cell]
    pairs = list(zip(above, names, strict=True))
    is_again = any(a and a == b for a, b in pairwise(above))
    return is_again and len(given) >= len(words) and len(set(pairs)) == len(pairs)


def names_of_index(names: Sequence[str], below: Sequence[str]) -> list[str]:
    """Names with those of the line below, where it has one for each blank and nothing else.

    As data frames with two lines of names are written, the name of their index in a third. Empty
    where the line below is none such.
    """
    is_even = len(names) == len(below) and any(below)
    if not is_even or any(
        bool(name) == bool(cell) for name, cell in zip(names, below, strict=True)
    ):
        return []
    return [name or cell for name, cell in zip(names, below, strict=True)]


def _only_count(cells: Sequence[str]) -> bool:
    """Whether cells are letters in order, or one word with a number that rises: three or more."""
    given = [cell for cell in cells if cell]
    if len(given) >= _FEWEST and given == [chr(65 + at) for at in range(len(given))]:
        return True
    found = [(_NUMBERED.fullmatch(cell), cell) for cell in given]
    numbers = [int(match["number"]) for match, _ in found if match]
    stems = {match["stem"].casefold() for match, _ in found if match}
    others = [cell for match, cell in found if not match]
    is_rising = all(a < b for a, b in pairwise(numbers))
    return (
        len(numbers) >= _FEWEST
        and len(stems) == 1
        and is_rising
        and all(len(cell) == 1 for cell in others)  # "Y" beside X1, X2
    )
