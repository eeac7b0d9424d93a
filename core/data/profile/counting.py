"""Counting numbers into bins, in one pass."""

from __future__ import annotations

import numpy as np

from core.kernels import own_kernel
from payoff.types import FloatArray, IntArray


@own_kernel
def count_bins(values: FloatArray, low: float, scale: float, bins: int) -> IntArray:
    """How many of (n,) values lie in each of ``bins`` equal bins from ``low`` on.

    ``scale`` is bins per unit. The last bin takes its upper end. Returns (bins,) int64.
    """
    counts = np.zeros(bins, dtype=np.int64)
    last = bins - 1
    for row in range(values.shape[0]):
        counts[min(int((values[row] - low) * scale), last)] += 1
    return counts
