"""Which cases and columns a tree sees: drawn from the seed and the iteration alone.

A stopped, continued or parallel training therefore draws the same bags.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.kernels import own_kernel
from payoff.counting import counted
from payoff.errors import PayoffError
from payoff.types import FloatArray, IntArray

MaskArray = NDArray[np.uint8]

STREAM_ROWS = 1
STREAM_COLUMNS = 2
STREAM_FOLDS = 3
STREAM_SHUFFLES = 4
STREAM_ROUNDING = 5


def generator(seed: int, stream: int, step: int) -> np.random.Generator:
    """The random numbers of one purpose at one step."""
    return np.random.Generator(np.random.Philox(np.random.SeedSequence([seed, stream, step])))


@own_kernel
def _select(uniform: FloatArray, wanted: int, mask: MaskArray) -> None:
    """Fill a mask of ``wanted`` ones: sequential selection, one uniform number per position."""
    left = uniform.shape[0]
    for place in range(uniform.shape[0]):
        take = uniform[place] * left < wanted
        mask[place] = 1 if take else 0
        wanted -= 1 if take else 0
        left -= 1


def drawn_mask(size: int, wanted: int, source: np.random.Generator) -> MaskArray:
    """uint8 (size,) with exactly ``wanted`` ones."""
    mask = np.empty(size, dtype=np.uint8)
    _select(source.random(size), wanted, mask)
    return mask


def bag_size(rows: int, fraction: float) -> int:
    """Cases in a bag: the whole part of fraction times rows."""
    return int(fraction * rows)


def bag_of(
    rows: int, fraction: float, groups: IntArray | None, seed: int, step: int
) -> MaskArray | None:
    """uint8 (rows,): 1 for cases in this tree's bag; None = all of them.

    With ``groups`` (numbers 0 to G-1) whole groups are drawn.
    """
    if fraction >= 1.0:
        return None
    source = generator(seed, STREAM_ROWS, step)
    if groups is None:
        return drawn_mask(rows, bag_size(rows, fraction), source)
    n_groups = int(groups.max()) + 1
    chosen: MaskArray = drawn_mask(n_groups, bag_size(n_groups, fraction), source)[groups]
    return chosen


def drawn_columns(columns: int, fraction: float, seed: int, step: int) -> MaskArray:
    """uint8 (columns,): 1 for the columns that a tree may use; at least one."""
    if fraction >= 1.0:
        return np.ones(columns, dtype=np.uint8)
    wanted = max(1, round(fraction * columns))
    return drawn_mask(columns, wanted, generator(seed, STREAM_COLUMNS, step))


def check_bag(rows: int, groups: IntArray | None, fraction: float, min_cases: int) -> None:
    """Refuse bags too small to be split (gbm's rule: rows in the bag > 2 m + 1).

    Raises
    ------
    PayoffError
    """
    if groups is not None and fraction < 1.0:
        if bag_size(int(groups.max()) + 1, fraction) < 1:
            raise PayoffError(
                "The bag holds no group.",
                where=f"{counted(int(groups.max()) + 1, 'group')}, bag_fraction {fraction:g}",
                remedy="Raise bag_fraction.",
            )
        return
    if rows * fraction <= 2 * min_cases + 1:
        raise PayoffError(
            "There are too few training rows to split a tree.",
            where=f"{rows:,} training rows, bag_fraction {fraction:g}, min_cases_in_node "
            f"{min_cases:,}",
            why="Rows times bag_fraction must exceed 2 x min_cases_in_node + 1.",
            remedy="Lower min_cases_in_node, or raise bag_fraction or train_fraction.",
        )
