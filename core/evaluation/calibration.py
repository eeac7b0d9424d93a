"""Calibration: do the chances come true? Groups of equal size, Wilson bands, a verdict in words."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.evaluation.cases import percent
from core.evaluation.intervals import NORMAL, wilson_interval
from core.evaluation.ranking import RankedSample
from payoff.types import FloatArray, IntArray

MOST_GROUPS = 20
FEWEST_ROWS = 50  # a group is no smaller, while there are rows enough for five groups


@dataclass(frozen=True, slots=True, eq=False)
class CalibrationGroups:
    """Groups of cases by chance, lowest first; arrays of one length.

    Attributes
    ----------
    chance : mean predicted chance
    share : share in which the event happened
    low, high : 95 % Wilson limits of that share
    cases : effective number of cases
    """

    chance: FloatArray
    share: FloatArray
    low: FloatArray
    high: FloatArray
    cases: FloatArray


def group_count(rows: int) -> int:
    """Groups for a number of rows: 20, fewer where a group would have under 50 rows, at least 5."""
    return int(np.clip(rows // FEWEST_ROWS, 5, MOST_GROUPS))


def calibration_groups(
    ranking: RankedSample, weight: FloatArray, is_event: FloatArray, groups: int
) -> CalibrationGroups:
    """Cut cases into groups of equal weight by their chance.

    Cases of equal chance stay in one group, the one that the middle of theirs falls into, so that
    no row order matters.

    Parameters
    ----------
    weight : (n,) float64
        Weight of each case, prior weights applied.
    is_event : (n,) float64
        1 for the event, else 0.
    groups : int
    """
    depth = ranking.group_depth
    before = np.concatenate([[0.0], depth[:-1]])
    middle = 0.5 * (before + depth) / depth[-1]
    number = np.minimum((middle * groups).astype(np.int64), groups - 1)
    sizes = np.diff(np.concatenate([[0], ranking.group_ends]))
    of_row: IntArray = np.empty(len(ranking), dtype=np.int64)
    of_row[ranking.order] = np.repeat(number, sizes)

    def total(values: FloatArray) -> FloatArray:
        return np.asarray(np.bincount(of_row, weights=values, minlength=groups), dtype=np.float64)

    whole = total(weight)
    kept = whole > 0
    whole = whole[kept]
    chance = total(weight * ranking.score)[kept] / whole
    share = np.clip(total(weight * is_event)[kept] / whole, 0.0, 1.0)
    cases = whole**2 / total(weight * weight)[kept]
    low, high = wilson_interval(share, cases)
    lowest_first = slice(None, None, -1)
    return CalibrationGroups(
        chance[lowest_first], share[lowest_first], low[lowest_first], high[lowest_first],
        cases[lowest_first],
    )  # fmt: skip


def calibration_verdict(model: str, groups: CalibrationGroups) -> str:
    """One plain sentence: where chances are too low or too high, all groups judged together.

    A group counts as off where its mean chance lies outside Wilson's interval at the level
    1 - 0.05 / groups (Bonferroni), so that 20 groups do not raise a false alarm each time.
    """
    number = len(groups.chance)
    z = NORMAL.inv_cdf(1.0 - 0.025 / number)
    low, high = wilson_interval(groups.share, groups.cases, z=z)
    for word, off in (("too low", groups.chance < low), ("too high", groups.chance > high)):
        places = np.flatnonzero(off)
        if len(places):
            first, last = float(groups.chance[places[0]]), float(groups.chance[places[-1]])
            span = percent(first) if first == last else f"{percent(first)} to {percent(last)}"
            other = np.flatnonzero(groups.chance > high) if word == "too low" else places[:0]
            more = "; too high elsewhere" if len(other) else ""
            return f"{model}: chances are {word} around {span}{more}."
    return f"{model}: the chances come true, as far as {number} groups can tell."
