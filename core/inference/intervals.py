"""Intervals and p-values.

Means of few cases: Student's t, and Welch's comparison of two means.

Intervals and p-values from a variance or from counts.

A case is the unit: its weight is held fixed and rows are taken as independent, so that a row of
weight 2 is one case that counts twice in a value, and one draw in an interval.

Exact limits of a share.

Several tests at once.
"""

from __future__ import annotations

import math

import numpy as np
from scipy.special import betainc, betaincinv, expit, stdtr, stdtrit

from core.document.results import Estimate
from core.inference.normal import CONFIDENCE
from payoff.intervals import NORMAL_95
from payoff.types import FloatArray


def student_point(freedom: float, share: float) -> float:
    """Return the point below which a share of Student's t lies."""
    return float(stdtrit(freedom, share))


def student_reach(freedom: float, confidence: float = CONFIDENCE) -> float:
    """Return how many standard errors a two-sided interval by Student's t reaches."""
    return student_point(freedom, 0.5 + confidence / 2)


def student_interval(
    value: float, error: float, freedom: float, confidence: float = CONFIDENCE
) -> tuple[float, float]:
    """Return the value less and plus the reach of its standard error."""
    half = student_reach(freedom, confidence) * error
    return value - half, value + half


def student_p_value(value: float, error: float, freedom: float) -> float:
    """Return the two-sided p-value of a value of 0; 1 without a standard error."""
    return 2.0 * float(stdtr(freedom, -abs(value) / error)) if error > 0 else 1.0


def welch(
    first_variance: float, first_cases: float, second_variance: float, second_cases: float
) -> tuple[float, float]:
    """Return the standard error of a difference of two means and its degrees of freedom.

    Welch 1947. Variances are those of one case, with divisor n - 1; numbers of cases are above 1.
    """
    first, second = first_variance / first_cases, second_variance / second_cases
    below = first**2 / (first_cases - 1) + second**2 / (second_cases - 1)
    freedom = (first + second) ** 2 / below if below > 0 else first_cases + second_cases - 2
    return math.sqrt(first + second), freedom


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


def clopper_pearson_upper(events: float, cases: float, failure: float) -> float:
    """Return the upper limit that a share exceeds with a chance of at most ``failure``.

    Clopper and Pearson 1934. The lower limit of a share is 1 less the upper one of its complement.

    Parameters
    ----------
    events, cases : float
        Counts.
    failure : float
        Half of 1 less the confidence, for a two-sided interval.
    """
    if events >= cases:
        return 1.0
    if events == 0:
        return -math.expm1(math.log(failure) / cases)
    return float(betaincinv(events + 1.0, cases - events, 1.0 - failure))


def clopper_pearson_lower(events: float, cases: float, failure: float) -> float:
    """Return the lower limit, as ``clopper_pearson_upper`` the upper one."""
    if events <= 0:
        return 0.0
    if events == cases:
        return math.exp(math.log(failure) / cases)
    return float(betaincinv(events, cases - events + 1.0, failure))


def clopper_pearson(
    events: float, cases: float, confidence: float = CONFIDENCE
) -> tuple[float, float]:
    """Return the exact two-sided interval of a share (Clopper and Pearson 1934)."""
    failure = (1.0 - confidence) / 2.0
    return (
        clopper_pearson_lower(events, cases, failure),
        clopper_pearson_upper(events, cases, failure),
    )


def holm_p_values(p_values: FloatArray, parts: FloatArray | None = None) -> FloatArray:
    """Return p-values adjusted for several tests at once (Holm 1979).

    Sound whatever the tests have in common. NaN stays NaN and counts as no test.

    Parameters
    ----------
    p_values : (m,) float64
    parts : (m,) float64, optional
        What part of the level each test may use up (Holm 1979, section 3), in any unit; left out =
        equal parts.
    """
    part = np.ones(len(p_values)) if parts is None else parts
    known = np.flatnonzero(np.isfinite(p_values))
    adjusted = np.full(len(p_values), np.nan)
    rising = known[np.argsort(p_values[known] / part[known], kind="stable")]
    left = np.cumsum(part[rising][::-1])[::-1]
    adjusted[rising] = np.minimum(
        np.maximum.accumulate(p_values[rising] / part[rising] * left), 1.0
    )
    return adjusted
