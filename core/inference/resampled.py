"""Intervals and p-values of values and paired differences from resamples.

Bootstrap limits of a mean: percentile and BCa (Efron 1987).

Small samples are drawn by index. Large ones are drawn by bucket: losses are sorted into a few
thousand buckets of neighbours and a draw takes a multinomial number of each bucket's mean; the
spread lost within buckets is worked out and given back.
"""

from __future__ import annotations

import math

import numpy as np
from scipy import special

from core.inference.intervals import FEW_UNITS, NEARLY, student_p_value, student_quantile
from core.inference.normal import CONFIDENCE, NORMAL, normal_interval, normal_p_value
from payoff.types import FloatArray

FEW_DRAWS = 400  # below, percentiles are too rough
FEWEST_DRAWS = 20  # below, an interval from draws says nothing
_NAN = float("nan")


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
        return *normal_interval(value, error), normal_p_value(value, variance)
    half = student_quantile(units) * error
    return value - half, value + half, student_p_value(value, error, units - 1.0)


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


RESAMPLES = 1000
SMALL = 4096
"""Losses up to which every draw takes single losses."""

_BUCKETS = 1024
_AT_ONCE = 2_000_000  # drawn places held in memory


def bootstrap_means(loss: FloatArray, *, seed: int, resamples: int = RESAMPLES) -> FloatArray:
    """Means of resamples, sorted.

    Parameters
    ----------
    loss : float64 (n,)
    seed : int
    resamples : int

    Returns
    -------
    float64 (resamples,)
    """
    draw = np.random.default_rng(seed)
    n = loss.shape[0]
    values, counts = np.unique(loss, return_counts=True)
    if len(values) <= SMALL // 8:  # few different losses: exact by their numbers
        drawn = draw.multinomial(n, counts / n, size=resamples)
        return np.sort(drawn @ values / n)
    if n <= SMALL:
        return np.sort(_drawn_by_index(loss, draw, resamples))
    means, shares, lost = _buckets(values, counts)
    drawn = draw.multinomial(n, shares, size=resamples)
    whole = float(loss.mean())
    return np.sort(whole + (drawn @ means / n - whole) * lost)


def _drawn_by_index(loss: FloatArray, draw: np.random.Generator, resamples: int) -> FloatArray:
    n = loss.shape[0]
    rows = max(1, _AT_ONCE // n)
    parts = [
        loss[draw.integers(0, n, size=(min(rows, resamples - start), n))].mean(axis=1)
        for start in range(0, resamples, rows)
    ]
    return np.concatenate(parts)


def _buckets(values: FloatArray, counts: np.ndarray) -> tuple[FloatArray, FloatArray, float]:
    """Means and shares of buckets of equal number and of equal width, and the spread given back."""
    passed = np.cumsum(counts)
    by_number = np.searchsorted(passed, np.linspace(0, passed[-1], _BUCKETS + 1)[1:-1])
    by_width = np.searchsorted(values, np.linspace(values[0], values[-1], _BUCKETS + 1)[1:-1])
    starts = np.unique(np.concatenate([[0], by_number, by_width]))
    starts = starts[starts < len(values)]
    number = np.add.reduceat(counts, starts).astype(np.float64)
    means = np.add.reduceat(values * counts, starts) / number
    whole = float((values * counts).sum() / passed[-1])
    spread = float((counts * (values - whole) ** 2).sum())
    between = float((number * (means - whole) ** 2).sum())
    shares = number / number.sum()
    return means, shares, math.sqrt(spread / between) if between > 0.0 else 1.0


def percentile_limits(means: FloatArray, low: float, high: float) -> tuple[float, float]:
    """The drawn means below which a share of ``low`` and of ``high`` lie.

    Between the drawn means: the smallest with at least that share at or below it.
    """
    return _quantile(means, low), _quantile(means, high)


def _quantile(means: FloatArray, share: float) -> float:
    place = math.ceil(share * len(means) - 1e-9) - 1
    return float(means[min(max(place, 0), len(means) - 1)])


def bca_limits(
    loss: FloatArray, means: FloatArray, low: float, high: float
) -> tuple[float, float] | None:
    """BCa limits; None where the losses do not vary or the mean lies outside all draws."""
    whole = float(loss.mean())
    deviation = loss - whole  # the jackknife: mean less the mean without the case
    square = float((deviation**2).sum())
    below = (np.count_nonzero(means < whole) + 0.5 * np.count_nonzero(means == whole)) / len(means)
    if square <= 0.0 or not 0.0 < below < 1.0:
        return None
    z0 = float(special.ndtri(below))
    acceleration = float((deviation**3).sum()) / (6.0 * square**1.5)

    def moved(share: float) -> float:
        z = z0 + float(special.ndtri(share))
        return float(special.ndtr(z0 + z / (1.0 - acceleration * z)))

    return _quantile(means, moved(low)), _quantile(means, moved(high))
