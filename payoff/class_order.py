"""The order of classes that have one: their own, never that of the event."""

from __future__ import annotations

import re
from collections.abc import Sequence

_PARTS = re.compile(r"(\d+)")


def are_numbers(levels: Sequence[str]) -> bool:
    """Whether all levels are numbers, so that their order is known."""
    try:
        return all(float(level) == float(level) for level in levels)
    except ValueError:
        return False


def own_order(levels: Sequence[str]) -> tuple[str, ...]:
    """Levels as numbers where they all are, else by their text, numbers within it by size.

    Examples
    --------
    >>> own_order(["10", "9", "1"]), own_order(["c", "a", "b"]), own_order(["Q10", "Q9"])
    (('1', '9', '10'), ('a', 'b', 'c'), ('Q9', 'Q10'))
    """
    return tuple(sorted(levels, key=float if are_numbers(levels) else _by_text))


def _by_text(level: str) -> list[tuple[int, str]]:
    parts = _PARTS.split(level)
    return [(int(part) if place % 2 else 0, part) for place, part in enumerate(parts)]
