"""Intervals and p-values from a variance or from counts.

A case is the unit: its weight is held fixed and rows are taken as independent, so that a row of
weight 2 is one case that counts twice in a value, and one draw in an interval.
"""

from __future__ import annotations

import math

import numpy as np
from scipy.special import betainc, expit

from core.document.results import Estimate
from core.inference.means import student_reach
from payoff.intervals import NORMAL_95

NEARLY = 1e-3  # figures below count as of this size where rounding is told from spread
MANY_UNITS = 100_000  # from here on t is normal
_LEAST_SKEWNESS = 1e-6  # below, limits are those of a normal mean
FEW_UNITS = 30  # cases of the smaller class below which a normal interval is too narrow
_NAN = float("nan")


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


def student_quantile(units: float) -> float:
    """The 97.5 % point of Student's t with one degree of freedom less than there are units."""
    return student_reach(units - 1.0) if units < MANY_UNITS else NORMAL_95
