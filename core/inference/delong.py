"""The area under the ROC curve of groups of equal scores, with DeLong's error and influences."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from core.kernels import own_kernel
from payoff.types import BoolArray, CodeArray, FloatArray


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedArea:
    """Chance that a case of the first kind stands above one of the second, ties half.

    Attributes
    ----------
    area : float
        NaN where a kind has no case.
    error : float
        Standard error of DeLong, DeLong and Clarke-Pearson (1988), divisors m - 1 and n - 1.
    null_error : float
        That of a score that knows nothing, with ties (Mann and Whitney 1947).
    """

    area: float
    error: float
    null_error: float


def ranked_area(first: FloatArray, second: FloatArray) -> RankedArea:
    """Compare two kinds of cases by the group of equal scores that each stands in.

    Parameters
    ----------
    first, second : (groups,) float64
        Cases of each kind in every group, best first; a row of weight w counts as w cases.
    """
    t, c = float(first.sum()), float(second.sum())
    if t <= 0 or c <= 0:
        return RankedArea(area=math.nan, error=math.nan, null_error=math.nan)
    passed_t, passed_c = np.cumsum(first), np.cumsum(second)
    below = (c - passed_c + 0.5 * second) / c
    above = (passed_t - 0.5 * first) / t
    area = float(first @ below) / t
    spread_t = float(first @ (below - area) ** 2) / t
    spread_c = float(second @ (above - area) ** 2) / c
    total, sizes = t + c, first + second
    ties = float(np.sum(sizes**3 - sizes)) / (total * (total - 1)) if total > 1 else 0.0
    return RankedArea(
        area=area,
        error=math.sqrt(spread_t / max(t - 1, 1) + spread_c / max(c - 1, 1)),
        null_error=math.sqrt(max((total + 1 - ties) / (12.0 * t * c), 0.0)),
    )


def weighted_auc(score: FloatArray, is_event: BoolArray, weight: FloatArray) -> float:
    """Return the chance that an event scores above another case, ties half."""
    _, group = np.unique(score, return_inverse=True)
    sums = [np.bincount(group, weights=weight * kind) for kind in (is_event, ~is_event)]
    events, others = (of_group[::-1].astype(np.float64) for of_group in sums)
    return ranked_area(events, others).area


@own_kernel
def fill_area_parts(
    placements: FloatArray,
    codes: CodeArray,
    weight: FloatArray,
    centre: FloatArray,
    share: FloatArray,
    start: int,
    stop: int,
) -> None:
    """Turn placements (n,) into influences, in place.

    ``centre`` and ``share`` (K,) are what a class's placements are centred at, and what its case
    weight is multiplied with; ``weight`` (n,) or (0,): empty = 1 each.
    """
    weighted = weight.shape[0] > 0
    for row in range(start, stop):
        code = codes[row]
        times = weight[row] if weighted else 1.0
        placements[row] = (placements[row] - centre[code]) * times * share[code]
