"""The one rule of ties: what comes later must be better by more than rounding leaves.

SAS score code replaces the present decision by a later one only where that is better by more than
the largest cell times 2**-41; so the first of equal ones wins, and rounding decides nothing. Every
choice of a best decision, depth or model goes through here: over arrays by ``first_best``, for one
case by ``first_best_of``, along a curve by ``peak``, in kernels by ``better``.
"""

from __future__ import annotations

import numpy as np

from core.kernels import own_kernel
from payoff.types import FloatArray, IntArray

TIE_FACTOR = 2.0**-41
"""A later decision must be better by more than this times the largest cell."""


@own_kernel(inline=True)
def better(
    top: float, name: float, trial: float, number: float, tolerance: float
) -> tuple[float, float]:
    """Value and number of the best so far, or of the trial where that is better by more than the
    tolerance: chosen without a branch.
    """
    is_better = trial > top + tolerance
    name = number if is_better else name
    top = trial if is_better else top
    return top, name


def first_best(values: FloatArray, tolerance: float | FloatArray) -> IntArray:
    """Number of the best of each column, (k,); ``values`` is (choices, k), the tolerance one or k.

    A value that is missing beats nothing, and is kept only where it comes first.
    """
    best = np.zeros(values.shape[1], dtype=np.int64)
    highest = values[0].copy()
    for place in range(1, values.shape[0]):
        is_better = values[place] > highest + tolerance
        best[is_better] = place
        highest = np.where(is_better, values[place], highest)
    return best


def first_best_of(values: FloatArray, tolerance: float) -> int:
    """Number of the best of some values."""
    return int(first_best(values[:, np.newaxis], tolerance)[0])


def peak(values: FloatArray, scale: float | None = None) -> int:
    """The first place as high as the highest of a curve, but for rounding; NaN is no height.

    ``scale``: the size of what was added up to these values; left out = the largest of them.
    """
    heights = np.where(np.isnan(values), -np.inf, values)
    finite = np.abs(heights[np.isfinite(heights)])
    size = float(finite.max(initial=0.0)) if scale is None else scale
    return int(np.argmax(heights >= heights.max() - size * TIE_FACTOR))
