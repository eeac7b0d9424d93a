"""A prior that is known only as a range: what that adds to the intervals of money.

Decisions are those made at the prior itself; only the weights of the classes move. A total is then
a straight line in the event's share, and its standard error a convex function of it, so that the
lowest lower end and the highest upper end over the whole range lie at its two ends.
"""

from __future__ import annotations

import numpy as np

from core.decisions.priors import prior_weights
from core.decisions.problem import DecisionProblem, checked_priors
from core.decisions.uncertainty.intervals import total_variance
from core.inference.normal import normal_limits, normal_p_value
from payoff.types import FloatArray


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
