"""What counts by bucket say of a ranking before it is sorted.

Intervals that hold for any order: buckets rise with the key, and inside a bucket cases may stand in
any order, ties included. So every figure lies between its value at the worst and at the best of
them, whatever the scores are. And a sketch of the whole ranking, in which the cases of a bucket are
one tie: its figures lie inside of the intervals.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from core.evaluation.ranked.ranking import DEPTH_GRID
from core.inference.delong import ranked_area
from core.scale.ranked.ranges import KeyMap
from core.scale.ranked.ranking import PairCells, StreamedRanking
from payoff.types import FloatArray, IntArray

Interval: TypeAlias = tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingBounds:
    """Intervals that surely hold the figures of the rows read so far."""

    area: Interval
    ks: Interval
    average_precision: Interval

    def words(self) -> str:
        """The area in words, as exactly as it is known."""
        low, high = self.area
        return f"AUC {(low + high) / 2:.4f} ± {(high - low) / 2:.1g}"


def ranking_bounds(counts: IntArray) -> RankingBounds | None:
    """Bounds of the figures of a ranking; None where one side has no case.

    Parameters
    ----------
    counts : (buckets, 2) int64
        Events and others by bucket, best first.
    """
    used = counts[counts.sum(axis=1) > 0].astype(np.float64)
    whole = used.sum(axis=0) if len(used) else np.zeros(2)
    if min(whole) <= 0:
        return None
    after = np.cumsum(used, axis=0)
    before = after - used
    return RankingBounds(
        area=_area(used, before, whole),
        ks=_ks(before, after, whole),
        average_precision=_average_precision(used, before, after, float(whole[0])),
    )


def _area(used: FloatArray, before: FloatArray, whole: FloatArray) -> Interval:
    """Inside a bucket the area is 0 to events times others."""
    least = float((used[:, 1] * before[:, 0]).sum())
    inside = float((used[:, 0] * used[:, 1]).sum())
    square = float(whole[0] * whole[1])
    return least / square, (least + inside) / square


def _ks(before: FloatArray, after: FloatArray, whole: FloatArray) -> Interval:
    """The path of both shares stays inside the box of each bucket."""
    events, others = after[:, 0] / whole[0], after[:, 1] / whole[1]
    ends = float(np.abs(events - others).max())
    up = events - before[:, 1] / whole[1]
    down = others - before[:, 0] / whole[0]
    return ends, min(1.0, max(ends, float(up.max()), float(down.max())))


def _average_precision(
    used: FloatArray, before: FloatArray, after: FloatArray, events: float
) -> Interval:
    """Best: all events of a bucket first, as one tie; worst: all others first, then events."""
    has = used[:, 0] > 0
    own, begin, end = used[has], before[has], after[has]
    best = float((own[:, 0] * end[:, 0] / (end[:, 0] + begin[:, 1])).sum())
    others = end[:, 1]
    rise = np.log((end[:, 0] + others) / np.maximum(begin[:, 0] + others, 1e-300))
    worst = np.where(others > 0, own[:, 0] - others * rise, own[:, 0])
    return max(0.0, float(worst.sum()) / events), min(1.0, best / events)


def sketched_ranking(counts: IntArray, keys: KeyMap) -> StreamedRanking | None:
    """A ranking in which the cases of a bucket share a score; None where one side has no case.

    Nothing is drawn of it: it has no bins of draws, and one cell of pairs.

    Parameters
    ----------
    counts : (buckets, 2) int64
        Events and others by bucket, best first.
    keys : KeyMap
        That of the buckets.
    """
    bounds = ranking_bounds(counts)
    if bounds is None:
        return None
    buckets = np.flatnonzero(counts.sum(axis=1))
    own = counts[buckets]
    after = np.cumsum(own, axis=0)
    whole = (int(after[-1, 0]), int(after[-1, 1]))
    events, others = np.ascontiguousarray(after.T, dtype=np.float64)
    judged = ranked_area(*np.ascontiguousarray(own.T, dtype=np.float64))
    depths = np.searchsorted(after.sum(axis=1), DEPTH_GRID * sum(whole), side="left")
    depths = np.minimum(depths, len(buckets) - 1)
    return StreamedRanking(
        whole=whole,
        groups=len(buckets),
        area=judged.area,
        variance=judged.error**2,
        average_precision=float((own[:, 0] * events / (events + others)).sum()) / whole[0],
        ks=bounds.ks[0],
        events=events,
        others=others,
        half=(events, others),
        depth_sides=np.concatenate([after - own, after], axis=1)[depths],
        depth_keys=keys.first_keys(buckets[depths]),
        bin_cuts=np.empty(0, np.uint64),
        cells=PairCells(np.empty(0, np.uint64), np.full(1, 0.5), np.full(1, 0.5), is_exact=False),
    )


__all__ = ["RankingBounds", "ranking_bounds", "sketched_ranking"]
