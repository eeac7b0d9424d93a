"""Intervals that metrics, curves and the program itself share."""

from __future__ import annotations

import numpy as np

from payoff.types import FloatArray

NORMAL_95 = 1.959963984540054
"""Normal quantile of a two-sided 95 % interval."""


def wilson_interval(
    share: FloatArray, cases: FloatArray, *, z: float = NORMAL_95
) -> tuple[FloatArray, FloatArray]:
    """Wilson's interval of a share (Wilson 1927), element by element.

    Parameters
    ----------
    share : (m,) float64 array
        Observed shares.
    cases : (m,) float64 array
        Cases behind each share (effective cases, where they are weighted).
    z : float
        Normal quantile of the level.
    """
    square = z**2
    denominator = 1.0 + square / cases
    middle = (share + square / (2.0 * cases)) / denominator
    half = z * np.sqrt(share * (1.0 - share) / cases + square / (4.0 * cases**2)) / denominator
    return np.maximum(middle - half, 0.0), np.minimum(middle + half, 1.0)
