"""The area under the ROC curve of groups of equal scores, with DeLong's error and influences.

What each case adds to a value, and the variance that follows: the infinitesimal jackknife.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from core.kernels import CHUNK_ROWS, own_kernel, run_chunks
from payoff.types import AnyArray, BoolArray, CodeArray, FloatArray, IntArray


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
    area, spread_t, spread_c, cubes = area_sums(first, second, t, c)
    total = t + c
    ties = (cubes - total) / (total * (total - 1)) if total > 1 else 0.0
    return RankedArea(
        area=area,
        error=math.sqrt(spread_t / max(t - 1, 1) + spread_c / max(c - 1, 1)),
        null_error=math.sqrt(max((total + 1 - ties) / (12.0 * t * c), 0.0)),
    )


@own_kernel
def area_sums(
    first: FloatArray, second: FloatArray, t: float, c: float
) -> tuple[float, float, float, float]:
    """Area of two kinds by group, the spread of either kind's placements, sum of cubed sizes.

    ``first`` and ``second`` (groups,) sum to ``t`` and ``c``.
    """
    area = 0.0
    passed = 0.0
    for group in range(first.shape[0]):
        passed += second[group]
        area += first[group] * (c - passed + 0.5 * second[group])
    area /= c * t
    spread_t = spread_c = cubes = 0.0
    passed_t = passed_c = 0.0
    for group in range(first.shape[0]):
        own_t, own_c = first[group], second[group]
        passed_t += own_t
        passed_c += own_c
        below = (c - passed_c + 0.5 * own_c) / c - area
        above = (passed_t - 0.5 * own_t) / t - area
        spread_t += own_t * below * below
        spread_c += own_c * above * above
        size = own_t + own_c
        cubes += size * size * size
    return area, spread_t / t, spread_c / c, cubes


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


@dataclass(frozen=True, slots=True, eq=False)
class CaseInfluence:
    """A value and what each case adds to it: the first-order (infinitesimal jackknife) expansion.

    The variance of the value is ``inflation * sum(parts ** 2)``, that of a difference of two values
    on the same cases the same with the difference of the parts. For the area under the ROC curve
    this is DeLong's estimate (DeLong, DeLong and Clarke-Pearson 1988), for a mean the usual one.

    Attributes
    ----------
    value : float
        The metric.
    parts : (n,) float64 array
        Influence per case, in row order, within each stratum summing to 0.
    strata : (n,) integers or None
        Numbers of the strata whose sizes are held fixed (classes); None: all cases together.
    method : str
        How an interval from it is called.
    scale : float
        What the parts are multiplied with.
    """

    value: float
    parts: FloatArray
    strata: AnyArray | None = None
    method: str = "exact variance"
    scale: float = 1.0

    def variance(self, parts: FloatArray | None = None) -> float:
        """The variance of the value, or of a difference whose influence is ``parts``.

        Divisors are n - 1 per stratum; NaN where a stratum has one case.
        """
        parts = self.parts if parts is None else parts
        square = self.scale**2
        if self.strata is None:
            size = len(parts)
            whole = float(np.dot(parts, parts)) * square
            return whole * size / (size - 1) if size > 1 else float("nan")
        return stratum_variance(*stratum_squares(parts, self.strata)) * square


def stratum_variance(squares: FloatArray, sizes: FloatArray | IntArray) -> float:
    """Variance from sums of squared parts (strata,), divisors n - 1; NaN for one case alone."""
    present = np.asarray(sizes > 0)
    squares, rows = squares[present], np.asarray(sizes[present], dtype=np.float64)
    if (rows < 2).any():
        return float("nan")
    return float(np.sum(squares * rows / (rows - 1)))


@own_kernel
def _add_squares(
    parts: FloatArray, strata: AnyArray, sums: FloatArray, start: int, stop: int
) -> None:
    """Add squares and rows by stratum to the chunk's ``sums`` (chunks, strata, 2)."""
    out = sums[start // CHUNK_ROWS]
    for row in range(start, stop):
        total = out[strata[row]]
        total[0] += parts[row] * parts[row]
        total[1] += 1.0


def stratum_squares(parts: FloatArray, strata: AnyArray) -> tuple[FloatArray, FloatArray]:
    """Sum of squares and number of the parts (n,) in each stratum, (strata,) each."""
    chunks = -(-len(parts) // CHUNK_ROWS)
    sums = np.zeros((chunks, int(strata.max()) + 1, 2))
    run_chunks(_add_squares, (parts, strata, sums), len(parts))
    whole = np.cumsum(sums, axis=0)[-1]
    return whole[:, 0], whole[:, 1]
