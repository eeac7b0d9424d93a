"""Exact variances of money totals, and differences of two models on the same cases.

A row with frequency F stands for F equal cases (weight 2 = the row twice), each drawn by itself.

With priors the class shares are held fixed, so that cases are drawn within their class: a total
T = sum over t of w_t * sum of c has the variance sum over t of w_t^2 * (S2_t - S1_t^2 / n_t), where
n_t, S1_t, S2_t are the sums of F, F c and F c^2 in class t. Without priors the classes of the cases
vary too: S2 - S1^2 / n over all cases.

A prior that is known only as a range: what that adds to the intervals of money.

Decisions are those made at the prior itself; only the weights of the classes move. A total is then
a straight line in the event's share, and its standard error a convex function of it, so that the
lowest lower end and the highest upper end over the whole range lie at its two ends.
"""

from __future__ import annotations

import numpy as np

from core.decisions.priors import prior_weights
from core.decisions.problem import DecisionProblem, checked_priors
from core.inference.normal import normal_limits, normal_p_value
from payoff.types import FloatArray

ROUNDING = 1e-12
"""Share of a sum of squares below which a centred one is taken for rounding."""

METHOD = "exact variance"


def total_variance(
    weights: FloatArray,
    cases: FloatArray,
    value: FloatArray,
    square: FloatArray,
    is_within_class: bool,
) -> FloatArray:
    """Variance of a total from sums by class.

    Parameters
    ----------
    weights : array (levels,)
        Prior weights.
    cases : array (levels,)
        n_t, sum of frequencies.
    value, square : array (levels, ...)
        Sums of F c and F c^2; further axes are kept.
    is_within_class : bool
        Whether class shares are held fixed.

    Returns
    -------
    array (...)
    """
    extra = (1,) * (value.ndim - 1)
    weight = weights.reshape(-1, *extra)
    count = cases.reshape(-1, *extra)
    if is_within_class:
        centred = square - np.divide(value**2, count, out=np.zeros_like(value), where=count > 0)
        return np.asarray((weight**2 * _without_rounding(centred, square)).sum(axis=0))
    first, second = (weight * value).sum(axis=0), (weight**2 * square).sum(axis=0)
    size = cases.sum()
    return _without_rounding(second - (first**2 / size if size > 0 else 0.0), second)


def _without_rounding(centred: FloatArray, square: FloatArray) -> FloatArray:
    """Zero where what is left of the sum of squares is rounding (all cases of a class equal)."""
    return np.asarray(np.where(centred <= ROUNDING * square, 0.0, centred))


def range_weights(problem: DecisionProblem, class_cases: FloatArray) -> FloatArray | None:
    """Weights of the classes at both ends of the range, (2, levels); None without one."""
    if problem.prior_range is None or problem.priors is None:
        return None
    shares = checked_priors(problem.priors, problem.levels)
    rest = shares[1:] / shares[1:].sum()
    ends = [
        prior_weights(np.append(share, (1.0 - share) * rest), class_cases)
        for share in problem.prior_range
    ]
    return np.stack(ends)


def limits(
    weights: FloatArray,
    ends: FloatArray | None,
    cases: FloatArray,
    value: FloatArray,
    square: FloatArray,
    is_within_class: bool,
) -> tuple[FloatArray, FloatArray]:
    """The 95 % interval of totals from sums by class; over a range of the prior the widest.

    Parameters
    ----------
    weights : array (levels,)
    ends : array (2, levels) or None
        As of ``range_weights``.
    cases, value, square, is_within_class
        As of ``total_variance``.

    Returns
    -------
    low, high : array (...)
    """
    tried = weights[np.newaxis] if ends is None else np.vstack([weights, ends])
    lows, highs = [], []
    for weight in tried:
        total = np.tensordot(weight, value, axes=1)
        variance = total_variance(weight, cases, value, square, is_within_class)
        low, high = normal_limits(total, np.sqrt(variance))
        lows.append(low)
        highs.append(high)
    return np.min(lows, axis=0), np.max(highs, axis=0)


def range_p_value(
    weights: FloatArray,
    ends: FloatArray | None,
    cases: FloatArray,
    value: FloatArray,
    square: FloatArray,
    is_within_class: bool,
) -> float:
    """Two-sided p-value of a difference; over a range of the prior the largest.

    1 where the difference changes its sign within the range.
    """
    tried = weights[np.newaxis] if ends is None else np.vstack([weights, ends])
    totals = tried @ value
    if totals.min() < 0.0 < totals.max():
        return 1.0
    return max(
        normal_p_value(
            float(total),
            float(total_variance(weight, cases, value, square, is_within_class)),
        )
        for weight, total in zip(tried, totals, strict=True)
    )
