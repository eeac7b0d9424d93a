"""Levels in the order of their means, shrunk by what their counts can tell.

The mean of a level of few cases is mostly noise, and of many such means some lie far out: parted by
their raw means, levels promise a gain that new cases do not keep. So each mean is drawn to that of
the node by h / (h + noise / spread): h is the level's curvature, the noise is what cases of one
level differ by, and the spread what the means of levels differ by beyond it (DerSimonian and Laird
1986). What a split gains, and how far its sides are set apart, follow from the shrunk means.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from core.boosting.rules import Rules, rising_order
from core.kernels import own_kernel
from payoff.types import FloatArray

RowArray = NDArray[np.int32]

Moments = tuple[float, float, float]
"""Sums over the cases of a node: squares and fourth powers of the gradient of one case, by weight,
and the weight."""


MARGIN = 2.0
"""Standard errors by which levels must differ more than chance makes them."""

CHANCE = 4.0
"""Units of noise by which the gain of a numeric column is too good: 2 for any cut, and some for the
choice of it. Shrunk levels, whose gain is what new cases keep, are given them too."""

LEAST_TRUST = 1e-6
"""Sides whose distance shrinks to less do not differ: what is left is rounding."""


@own_kernel
def moments_of(g: FloatArray, weight: FloatArray, rows: RowArray) -> Moments:
    """Return the moments of a node, from weighted gradients and weights."""
    square = fourth = total = 0.0
    for k in range(rows.shape[0]):
        row = np.uint64(rows[k])
        if weight[row] > 0.0:
            more = g[row] * g[row] / weight[row]
            square += more
            fourth += more * more / weight[row]
            total += weight[row]
    return square, fourth, total


@own_kernel
def _spread(
    slope: FloatArray,
    bend: FloatArray,
    centre: float,
    missing_g: float,
    missing_h: float,
    moments: Moments,
    rules: Rules,
) -> tuple[float, float]:
    """Return the noise of one unit of curvature, and the spread of the levels' means beyond it.

    A spread that chance alone might show is 0. Weights are numbers of cases here
    (``rules.case_weight`` is what one case weighs), and a level has as many as its share of the
    curvature says.
    """
    square, fourth, total = moments
    all_h = missing_h
    for i in range(bend.shape[0]):
        all_h += bend[i]
    if all_h <= 0.0 or total <= 0.0 or square <= 0.0:
        return 0.0, 0.0
    per_weight = total / all_h
    cases = total / rules.case_weight
    between = largest = inverse = found = held = 0.0
    levels = 0
    if missing_h > 0.0:
        between += missing_g * missing_g / missing_h
        levels += 1
    for i in range(bend.shape[0]):
        if bend[i] > 0.0:
            step = slope[i] / bend[i] - centre
            between += slope[i] * slope[i] / bend[i]
            found += bend[i] * step * step
            inverse += all_h / (bend[i] * cases)
            largest += bend[i] * bend[i]
            held += bend[i]
            levels += 1
    free = cases - levels
    degrees = levels - 1.0 if missing_h <= 0.0 else levels - 2.0
    if free < 1.0 or degrees < 1.0:
        return 0.0, 0.0
    within = max(square - between / per_weight, 0.0)
    noise = rules.level_penalty * rules.case_weight * within / all_h * cases / free
    tails = max(fourth * total / (square * square) - 3.0, -2.0)
    doubt = math.sqrt(max(2.0 * degrees + 2.0 * degrees * degrees / free + tails * inverse, 0.0))
    beyond = found - noise * (degrees + MARGIN * doubt)
    if beyond <= 0.0:
        return noise, 0.0
    return noise, (found - noise * degrees) / (held - largest / held)


@own_kernel
def order_levels(
    slope: FloatArray,
    bend: FloatArray,
    missing_g: float,
    missing_h: float,
    moments: Moments,
    rules: Rules,
) -> tuple[NDArray[np.int64], float]:
    """Return the places of levels in rising order of their means, and the noise of a unit.

    Levels without weight come last. ``slope`` (levels,) is overwritten by what the shrunk means
    make of it; its sum stays. The noise is in units of gains.
    """
    size = slope.shape[0]
    mean = np.empty(size)
    if rules.level_penalty == 0.0:
        for i in range(size):
            mean[i] = slope[i] / bend[i] if bend[i] > 0.0 else np.inf
        return rising_order(mean, size), 0.0
    all_g = all_h = 0.0
    for i in range(size):
        all_g += slope[i]
        all_h += bend[i]
    centre = all_g / all_h if all_h > 0.0 else 0.0
    noise, spread = _spread(slope, bend, centre, missing_g, missing_h, moments, rules)
    moved = 0.0
    for i in range(size):
        trust = bend[i] * spread / (bend[i] * spread + noise) if spread > 0.0 else 0.0
        mean[i] = trust * (slope[i] / bend[i] - centre) if bend[i] > 0.0 else np.inf
        slope[i] = trust * (slope[i] - centre * bend[i]) + centre * bend[i]
        moved += slope[i]
    for i in range(size):
        if all_h > 0.0:
            slope[i] += (all_g - moved) * bend[i] / all_h
    return rising_order(mean, size), noise


@own_kernel
def believed(
    gain: float,
    noise: float,
    raw_g: float,
    shrunk_g: float,
    side_h: float,
    all_g: float,
    all_h: float,
    has_third_child: bool,
) -> tuple[float, float]:
    """Return the gain on the scale of other columns, and how far the sides are set apart, 0 to 1.

    At most it is what the raw means of the two sides gain.
    """
    raw = raw_g - side_h * all_g / all_h
    shrunk = shrunk_g - side_h * all_g / all_h
    trust = min(1.0, shrunk / raw) if raw != 0.0 else 0.0
    if trust < LEAST_TRUST:  # a third child may gain all the same
        return (gain if has_third_child else 0.0), 0.0
    return min(gain + CHANCE * noise, gain / (trust * trust)), trust
