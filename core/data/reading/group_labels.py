"""Labels of groups of rows, which pivot tables write in the first row alone."""

from __future__ import annotations

import math

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from payoff.counting import counted
from payoff.types import BoolArray, IntArray

_BY_CHANCE, _FEWEST_ROWS, _LONGEST_LABEL, _MOST_SORTED = 0.01, 6, 60, 20


def fill_labels(columns: dict[str, pa.ChunkedArray]) -> list[str]:
    """Write labels of groups in every row of theirs; what is said of the columns.

    The leading columns of texts, each within the groups of the one before, where chance would leave
    such gaps in one table of a hundred at most.
    """
    words: list[str] = []
    begins: BoolArray | None = None  # where a group of the columns before begins
    for name, values in columns.items():
        kind = values.type.value_type if pa.types.is_dictionary(values.type) else values.type
        if not pa.types.is_string(kind) or not values.null_count:
            break
        filled = np.asarray(values.is_valid())
        if not _are_labels(values.filter(filled).cast(pa.string()), filled, begins):
            break
        places = np.maximum.accumulate(np.where(filled, np.arange(len(filled)), 0))
        columns[name] = values.unify_dictionaries().take(pa.array(places))
        empty = counted(int((~filled).sum()), "empty cell has", "empty cells have")
        words.append(
            f"Column '{name}' has the label of each group in its first row only, as a pivot table "
            f"does: {empty} the label above."
        )
        begins = filled if begins is None else filled | begins
    return words


def _are_labels(given: pa.ChunkedArray, filled: BoolArray, begins: BoolArray | None) -> bool:
    """Whether the filled cells are labels of the rows below them, by where they stand.

    Each occurs once, or once in each group, whose first row has one. Chance would fill as many
    first rows, and leave as few neighbours or groups as large, in one table of a hundred at most;
    where neighbours are few indeed, sorted labels count too: ids that are missing here and there
    are sorted as well.
    """
    rows, count = len(filled), len(given)
    if begins is None:
        begins = np.arange(rows) == 0
    if rows < _FEWEST_ROWS or count < 2 or not filled[begins].all():
        return False
    if pc.max(pc.utf8_length(given)).as_py() > _LONGEST_LABEL:
        return False
    groups, labels = np.cumsum(begins)[filled], given.to_pylist()
    if len(set(zip(groups.tolist(), labels, strict=True))) < count:
        return False
    share, first = count / rows, int(begins.sum())
    free = ~begins & np.concatenate(([False], filled[:-1]))
    neighbours, expected = int((filled & free).sum()), share * int(free.sum())
    chance = _at_most(neighbours, expected)
    if first < 2:
        chance = 2.0 * min(chance, _as_large(np.diff(np.append(np.flatnonzero(filled), rows))))
        is_sorted = 4 * neighbours <= expected and labels == sorted(labels)
        chance /= math.factorial(min(count, _MOST_SORTED)) if is_sorted else 1
    return share**first * chance < _BY_CHANCE


def _at_most(hits: int, expected: float) -> float:
    """The chance of so few hits where so many are expected (Poisson)."""
    if not expected or hits >= expected:
        return 1.0
    terms = (k * math.log(expected) - expected - math.lgamma(k + 1) for k in range(hits + 1))
    return sum(map(math.exp, terms))


def _as_large(sizes: IntArray) -> float:
    """The chance that each of as many groups of as many rows is as large as the least of these."""
    groups, rows = len(sizes), int(sizes.sum())
    free = rows - groups * int(sizes.min())
    return math.exp(_log_choices(free + groups - 1, free) - _log_choices(rows - 1, groups - 1))


def _log_choices(total: int, taken: int) -> float:
    return math.lgamma(total + 1) - math.lgamma(taken + 1) - math.lgamma(total - taken + 1)
