"""Exact variances of money totals, and differences of two models on the same cases.

A row with frequency F stands for F equal cases (weight 2 = the row twice), each drawn by itself.

With priors the class shares are held fixed, so that cases are drawn within their class: a total
T = sum over t of w_t * sum of c has the variance sum over t of w_t^2 * (S2_t - S1_t^2 / n_t), where
n_t, S1_t, S2_t are the sums of F, F c and F c^2 in class t. Without priors the classes of the cases
vary too: S2 - S1^2 / n over all cases.
"""

from __future__ import annotations

import numpy as np

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
