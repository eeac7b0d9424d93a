"""Intervals and p-values: analytic where exact, from Poisson bootstrap draws else.

A case is the unit: its weight is held fixed and rows are taken as independent, so that a row of
weight 2 is one case that counts twice in a value, and one draw in an interval.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from scipy.special import betainc, expit, stdtr, stdtrit

from core.document.results import Estimate
from core.inference.normal import CONFIDENCE, normal_p_value
from core.kernels import CHUNK_ROWS, own_kernel, run_chunks
from payoff.intervals import NORMAL_95
from payoff.types import AnyArray, FloatArray, IntArray

NORMAL = NormalDist()
NEARLY = 1e-3  # figures below count as of this size where rounding is told from spread
MANY_UNITS = 100_000  # from here on t is normal
_LEAST_SKEWNESS = 1e-6  # below, limits are those of a normal mean
FEW_DRAWS = 400  # below, percentiles are too rough
FEWEST_DRAWS = 20  # below, an interval from draws says nothing
FEW_UNITS = 30  # cases of the smaller class below which a normal interval is too narrow
_NAN = float("nan")


@dataclass(frozen=True, slots=True, eq=False)
class Influence:
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


def normal_estimate(
    value: float,
    variance: float,
    *,
    method: str,
    bounds: tuple[float, float] = (-np.inf, np.inf),
    note: str = "",
    skewness: float = 0.0,
) -> Estimate:
    """A value with the interval value ± 1.96 standard errors, cut at the metric's range.

    ``skewness`` of the value, where it is known, moves both limits to the longer side (Hall 1992).
    """
    error = float(np.sqrt(variance)) if variance >= 0 else float("nan")
    low = max(value - error * skewed_quantile(NORMAL_95, skewness), bounds[0])
    high = min(value - error * skewed_quantile(-NORMAL_95, skewness), bounds[1])
    if np.isnan(error):
        low = high = float("nan")
    return Estimate(value=value, low=float(low), high=float(high), method=method, note=note)


def logit_limits(
    value: float, variance: float, bounds: tuple[float, float], units: float
) -> tuple[float, float]:
    """Limits by Student's t on the logit of a value between two bounds; NaN where it is at one.

    Near an end of its range a value is skewed, and its variance depends on it: on the logit scale
    neither is so (Pepe 2003, section 5.2.4, for the area under the ROC curve).
    """
    bottom, top = bounds
    if not (bottom < value < top and variance >= 0.0):
        return _NAN, _NAN
    share = (value - bottom) / (top - bottom)
    middle = math.log(share / (1.0 - share))
    error = math.sqrt(variance) / ((top - bottom) * share * (1.0 - share))
    half = student_quantile(units) * error
    low, high = (expit(middle + side * half) for side in (-1.0, 1.0))
    return bottom + (top - bottom) * float(low), bottom + (top - bottom) * float(high)


def skewed_quantile(normal: float, skewness: float) -> float:
    """The quantile of a studentised mean that belongs to a normal one, by the mean's skewness.

    Hall (1992, On the removal of skewness by transformation): g(T) = T + aT²/3 + a²T³/27 + a/6 is
    nearly normal, where a is the skewness of the mean, that of the terms over the root of their
    number; it is monotone, and this is its inverse.
    """
    if abs(skewness) < _LEAST_SKEWNESS:
        return normal
    return 3.0 / skewness * (math.cbrt(1.0 + skewness * (normal - skewness / 6.0)) - 1.0)


def mcnemar_p_value(only_first: int, only_second: int) -> float:
    """Two-sided exact p-value of McNemar's test (1947) from the two discordant counts."""
    number, fewer = only_first + only_second, min(only_first, only_second)
    if number == 0:
        return 1.0
    return float(min(1.0, 2.0 * betainc(number - fewer, fewer + 1.0, 0.5)))


def paired_share_limits(only_first: int, only_second: int, shared: int) -> tuple[float, float]:
    """The 95 % interval of a difference of two shares of the same cases (Agresti and Min 2005).

    Half a case is added to each cell of the table of both, so that few cases, none of which tells
    the two apart, do not make it a point.
    """
    number = shared + 2.0
    gap = only_first - only_second
    error = math.sqrt(only_first + only_second + 1.0 - gap**2 / number) / number
    middle, plain = gap / number, gap / shared
    low, high = middle - NORMAL_95 * error, middle + NORMAL_95 * error
    return max(-1.0, min(low, plain)), min(1.0, max(high, plain))


def draw_limits(
    value: float,
    draws: FloatArray,
    centre: float,
    *,
    units: float = math.inf,
    is_maximum: bool = False,
) -> tuple[float, float]:
    """A 95 % interval from resamples.

    Percentiles, moved by the difference of value and centre. With few units they are expanded
    (Hesterberg 2015): draws of n units spread like divisors of n, not n - 1, and like a normal
    variable, not Student's t. With fewer than 400 draws the ends of their distribution are too
    rough: the interval is then the value less the draws' bias, plus and minus t times their spread
    and bias together.

    A maximum over noise (KS, H-measure, calibration error) is itself drawn upwards. Draws add noise
    of the same size to noise: they show the whole of a bias that grows with its square, and 41 % of
    one that grows with it. Twice what they show is taken off, and its size counts as spread.

    Parameters
    ----------
    value : float
        The exact value.
    draws : (draws,) float64 array
        Values of the resamples; those that are not finite are left out.
    centre : float
        What the resamples' own arithmetic gives for the data as they are. It differs from
        ``value`` where draws are made on merged groups of scores; the interval is moved by it.
    units : float
        Cases that are drawn; of classes those of the smaller one.
    is_maximum : bool
        As in ``EvaluationMetric``.

    Returns
    -------
    low, high : float
        NaN with fewer than 20 usable draws, or fewer than 2 units.
    """
    usable = draws[np.isfinite(draws)]
    if len(usable) < FEWEST_DRAWS or units < 2:
        return _NAN, _NAN
    if _are_alike(usable):
        return value + float(usable[0]) - centre, value + float(usable[0]) - centre
    bias, error = float(usable.mean()) - centre, float(usable.std(ddof=1))
    reach = student_quantile(units)
    half = reach * math.hypot(error, bias)
    if is_maximum:
        middle = value - 2.0 * bias
        return min(middle - half, value), max(middle + half, value)
    if len(usable) < FEW_DRAWS:
        return value - bias - half, value - bias + half
    stretch = math.sqrt(units / (units - 1.0)) if math.isfinite(units) else 1.0
    share = NORMAL.cdf(-reach * stretch)
    low, high = np.quantile(usable, [share, 1.0 - share])
    return value + float(low) - centre, value + float(high) - centre


def student_quantile(units: float) -> float:
    """The 97.5 % point of Student's t with one degree of freedom less than there are units."""
    return float(stdtrit(units - 1.0, 0.5 + CONFIDENCE / 2.0)) if units < MANY_UNITS else NORMAL_95


def draw_difference(
    value: float,
    draws: FloatArray,
    centre: float,
    *,
    units: float = math.inf,
    is_maximum: bool = False,
) -> tuple[float, float, float]:
    """The 95 % interval and the two-sided p-value of a paired difference, from the same resamples.

    0 lies outside the interval exactly where the p-value is below 0.05. Biases of the two values
    cancel, or nearly: what is left of them is noise, and taking it off adds noise, so that it
    counts as spread only. With 400 draws or more the limits are order statistics of the draws and
    the p-value twice the smaller tail; with fewer both are those of a normal value, and the bias of
    a maximum, which draws show in part, counts four times. With fewer than 30 units both are those
    of Student's t, with the draws' spread: the tails of draws of a few cases are steps, and too
    short.

    Parameters
    ----------
    value, draws, centre, units, is_maximum
        As in ``draw_limits``, of the difference.

    Returns
    -------
    low, high, p_value : float
        NaN with fewer than 20 usable draws, or fewer than 2 units.
    """
    usable = draws[np.isfinite(draws)] + (value - centre)
    if len(usable) < FEWEST_DRAWS or units < 2:
        return _NAN, _NAN, _NAN
    nearly = 1e-12 * max(abs(value), float(np.abs(usable).max()), NEARLY)
    usable[np.abs(usable) <= nearly] = 0.0
    bias, error = float(usable.mean()) - value, float(usable.std(ddof=1))
    if error <= nearly and abs(value) <= nearly:
        return min(value, 0.0), max(value, 0.0), 1.0
    if len(usable) < FEW_DRAWS:
        spread = math.hypot(error, (4.0 if is_maximum else 1.0) * bias)
        return spread_difference(value, spread**2, units)
    if units < FEW_UNITS:
        spread = math.hypot(error, bias) if is_maximum else error
        return spread_difference(value, spread**2, units)
    usable.sort()
    tail = math.ceil((1.0 - CONFIDENCE) / 2.0 * (len(usable) + 1) - 1e-9) - 2
    return float(usable[tail]), float(usable[-1 - tail]), draw_p_value(usable)


def spread_difference(value: float, variance: float, units: float) -> tuple[float, float, float]:
    """The 95 % interval and the two-sided p-value of a difference, from its variance.

    Both are normal, with fewer than 30 units those of Student's t with one degree of freedom less
    than there are units.
    """
    if not variance >= 0.0:
        return _NAN, _NAN, _NAN
    error = math.sqrt(variance)
    if units >= FEW_UNITS or error == 0.0:
        half = NORMAL_95 * error
        return value - half, value + half, normal_p_value(value, variance)
    half = student_quantile(units) * error
    return value - half, value + half, 2.0 * float(stdtr(units - 1.0, -abs(value) / error))


def _are_alike(draws: FloatArray) -> bool:
    """Whether draws differ by rounding at most."""
    return float(np.ptp(draws)) <= 1e-12 * max(float(np.abs(draws).max()), NEARLY)


def draw_p_value(differences: FloatArray) -> float:
    """Two-sided p-value from paired resamples: twice the smaller tail, one draw added to each."""
    usable = differences[np.isfinite(differences)]
    if len(usable) < FEWEST_DRAWS:
        return float("nan")
    above = np.count_nonzero(usable >= 0.0)
    below = np.count_nonzero(usable <= 0.0)
    return float(min(1.0, 2.0 * (min(above, below) + 1) / (len(usable) + 1)))
