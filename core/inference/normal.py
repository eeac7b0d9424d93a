"""The normal distribution: quantiles, intervals and two-sided p-values."""

from __future__ import annotations

import math
from statistics import NormalDist

from payoff.intervals import NORMAL_95
from payoff.types import FloatArray

CONFIDENCE = 0.95
NORMAL = NormalDist()
"""Its quantiles and shares without scipy, which the first totals do not need."""


def normal_quantile(share: float) -> float:
    """Return the point below which a share of a standard normal variable lies."""
    from scipy.special import ndtri  # late: 0.1 s that the first totals do not need

    return float(ndtri(share))


def normal_reach(confidence: float = CONFIDENCE) -> float:
    """Return how many standard errors a two-sided normal interval reaches."""
    return NORMAL_95 if confidence == CONFIDENCE else normal_quantile(0.5 + confidence / 2)


def standard_error(variance: float) -> float:
    """Return the root of a variance; NaN for one that is missing or below 0."""
    return math.sqrt(variance) if variance >= 0 else math.nan


def normal_interval(
    value: float, error: float, confidence: float = CONFIDENCE
) -> tuple[float, float]:
    """Return the value less and plus the reach of its standard error; NaN where that is NaN."""
    half = normal_reach(confidence) * error
    return value - half, value + half


def normal_limits(values: FloatArray, errors: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the 95 % limits of values with standard errors, shapes as given."""
    half = NORMAL_95 * errors
    return values - half, values + half


def error_of_interval(low: float, high: float) -> float:
    """Return the standard error of which a 95 % interval is the normal one."""
    return (high - low) / (2.0 * NORMAL_95)


def two_sided_p_value(z: float) -> float:
    """Return the chance of a standard normal variable at least as far from 0 as ``z``."""
    return math.erfc(abs(z) / math.sqrt(2.0))


def normal_p_value(difference: float, variance: float) -> float:
    """Return the two-sided p-value of a difference.

    Without spread it is 1 where there is no difference (identical curves), else 0; NaN where the
    difference is not finite or the variance missing.
    """
    if not math.isfinite(difference) or not variance >= 0:
        return math.nan
    if variance == 0.0:
        return 1.0 if difference == 0.0 else 0.0
    return math.erfc(abs(difference) / math.sqrt(2.0 * variance))
