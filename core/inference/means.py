"""Means of few cases: Student's t, and Welch's comparison of two means."""

from __future__ import annotations

import math

from scipy.special import stdtr, stdtrit

from core.inference.normal import CONFIDENCE


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
