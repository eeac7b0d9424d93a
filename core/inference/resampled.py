"""Intervals and p-values of values and paired differences from resamples."""

from __future__ import annotations

import math

import numpy as np

from core.inference.intervals import FEW_UNITS, NEARLY, student_quantile
from core.inference.means import student_p_value
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
