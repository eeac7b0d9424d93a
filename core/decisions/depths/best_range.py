"""Which depths cannot be told apart from the best one: how much a peak of the chart says.

Two depths of one model differ in the cases between them; those alone make the difference of their
profits, so it is far surer than either profit. A depth is as good as the best where the 95 %
interval of that paired difference holds 0. The variance is exact with both depths held fixed; draws
of the cases would only come near it. The peak was chosen on the same cases, so the range is
rather too narrow than too wide.
"""

from __future__ import annotations

import math

import numpy as np

from core.decisions.depths.depth import DepthPoints
from core.decisions.depths.sums import SQUARE, VALUE
from core.decisions.ties import peak
from core.decisions.uncertainty.prior_range import limits
from payoff.types import FloatArray


def differences_to(points: DepthPoints, place: int) -> tuple[FloatArray, FloatArray]:
    """95 % interval of the profit at each depth less that at one of them, (k,) each."""
    value = points.linear(VALUE)
    difference = value - value[place]
    square = _squares_between(points, place)
    weighting = points.weighting
    return limits(
        weighting.class_weight,
        weighting.ends,
        weighting.class_cases,
        difference.T,
        square.T,
        weighting.is_within_class,
    )


def _squares_between(points: DepthPoints, place: int) -> FloatArray:
    """Sum of F (share v)² over the cases between each depth and one of them, (k, levels).

    A case in a group of ties lies between by the share by which the two depths differ in it.
    """
    low, high = points.low[:, :, SQUARE], points.high[:, :, SQUARE]
    group = high - low
    share = points.fraction[:, np.newaxis]
    own, own_share = group[place], float(points.fraction[place])
    before = points.groups[:, 0] < points.groups[place, 0]
    after = points.groups[:, 0] > points.groups[place, 0]
    up = low[place] - high + (1.0 - share) ** 2 * group + own_share**2 * own
    down = low - high[place] + (1.0 - own_share) ** 2 * own + share**2 * group
    same = (share - own_share) ** 2 * group
    chosen = np.where(before[:, np.newaxis], up, np.where(after[:, np.newaxis], down, same))
    return np.asarray(np.maximum(chosen, 0.0))


def best_range(points: DepthPoints) -> tuple[float, float]:
    """Lowest and highest depth not distinguishable from the best of these; NaN without profits.

    Depths between them may be worse for sure: a run of cases that all fail right after the peak.
    """
    profit = points.profit
    if np.isnan(profit).all():
        return math.nan, math.nan
    place = peak(profit)
    low, high = differences_to(points, place)
    is_tied = (low <= 0.0) & (high >= 0.0)
    is_tied[place] = True
    tied = points.depth[is_tied]
    return float(tied.min()), float(tied.max())
