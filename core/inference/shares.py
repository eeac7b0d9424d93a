"""Exact limits of a share."""

from __future__ import annotations

import math

from scipy.special import betaincinv

from core.inference.normal import CONFIDENCE


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
