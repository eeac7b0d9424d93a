"""The smallest concave curve above an uplift curve: where marginal returns are read."""

from __future__ import annotations

import numpy as np

from core.uplift.curves import UpliftCurve
from core.uplift.kernels import upper_hull
from payoff.types import IntArray


def envelope_points(curve: UpliftCurve) -> IntArray:
    """Places of the envelope's corners among the curve's points, rising."""
    kept = np.empty(len(curve.x), dtype=np.int64)
    count = upper_hull(curve.x, curve.y, kept)
    return kept[:count]


def envelope_of(curve: UpliftCurve) -> UpliftCurve:
    """The concave envelope. Of a noisy curve it is biased upwards: it follows the lucky peaks."""
    kept = envelope_points(curve)
    return UpliftCurve(curve.x[kept], curve.y[kept], curve.count[kept], curve.skipped)
