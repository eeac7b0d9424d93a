"""Calibration: do the chances come true? Groups of equal size, Wilson bands, a verdict in words."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass

import numpy as np

from core.evaluation.cases import percent
from core.evaluation.intervals import NORMAL
from core.evaluation.ranking import RankedSample
from core.kernels import CHUNK_ROWS, own_kernel, run_chunks
from payoff.curves import wilson_interval
from payoff.types import AnyArray, FloatArray

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


@own_kernel
def _add_groups(
    score: FloatArray,
    codes: AnyArray,
    weight: FloatArray,
    factor: FloatArray,
    edges: FloatArray,
    sums: FloatArray,
    start: int,
    stop: int,
) -> None:
    """Add weight, weight times score, weight of events and squared weight by group of scores.

    ``edges`` (groups - 1,) falls; a score belongs to the group of all edges that it does not
    exceed. ``sums`` (chunks, groups, 4) is filled, ``weight`` (n,) or (0,): empty = 1 each.
    """
    out = sums[start // CHUNK_ROWS]
    weighted = weight.shape[0] > 0
    for row in range(start, stop):
        here = score[row]
        # Halving by a fixed number of steps: the processor guesses no branch.
        low = 0
        left = edges.shape[0]
        while left > 0:
            half = left // 2
            is_beyond = here <= edges[low + half]
            low = low + half + 1 if is_beyond else low
            left = left - half - 1 if is_beyond else half
        times = factor[codes[row]] * (weight[row] if weighted else 1.0)
        total = out[low]
        total[0] += times
        total[1] += times * here
        total[2] += times if codes[row] == 0 else 0.0
        total[3] += times * times


def _edges(ranking: RankedSample, groups: int) -> FloatArray:
    """Highest score of each group but the first, falling; -inf where no group is left."""
    events, others = ranking.events, ranking.others
    whole = float(events[-1] + others[-1])

    def number(group: int) -> int:
        """The group of calibration that the middle of a group of equal scores falls into."""
        depth = float(events[group] + others[group])
        before = float(events[group - 1] + others[group - 1]) if group else 0.0
        return min(int(0.5 * (before + depth) / whole * groups), groups - 1)

    places = range(len(events))
    firsts = [bisect_left(places, wanted, key=number) for wanted in range(1, groups)]
    return np.array([_score_of(ranking, place) for place in firsts])


def _score_of(ranking: RankedSample, group: int) -> float:
    if group >= len(ranking.group_ends):
        return float("-inf")
    return float(ranking.score[ranking.order[ranking.group_ends[group] - 1]])


def calibration_groups(ranking: RankedSample, codes: AnyArray, groups: int) -> CalibrationGroups:
    """Cut cases into groups of equal weight by their chance.

    Cases of equal chance stay in one group, the one that the middle of theirs falls into, so that
    no row order matters.

    Parameters
    ----------
    codes : (n,) integers
        Class codes in row order, the event 0.
    groups : int
    """
    sums = np.zeros((-(-len(ranking) // CHUNK_ROWS), groups, 4))
    arrays = (
        ranking.score, codes, ranking.weight, ranking.factor, _edges(ranking, groups), sums,
    )  # fmt: skip
    run_chunks(_add_groups, arrays, len(ranking))
    total = np.cumsum(sums, axis=0)[-1]
    whole, chances, events, squares = total[total[:, 0] > 0][::-1].T
    share = np.clip(events / whole, 0.0, 1.0)
    cases = whole**2 / squares
    low, high = wilson_interval(share, cases)
    return CalibrationGroups(chances / whole, share, low, high, cases)


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
