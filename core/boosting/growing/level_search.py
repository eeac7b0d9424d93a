"""Levels in the order of their means, shrunk by what their counts can tell.

The mean of a level of few cases is mostly noise, and of many such means some lie far out: parted by
their raw means, levels promise a gain that new cases do not keep. So each mean is drawn to that of
the node by h / (h + noise / spread): h is the level's curvature, the noise is what cases of one
level differ by, and the spread what the means of levels differ by beyond it (DerSimonian and Laird
1986). What a split gains, and how far its sides are set apart, follow from the shrunk means.

Trees learn means bit by bit. Once a level's mean is learned as far as it can be trusted, what is
left of its noise is smaller than in fresh cases, by what the spread before the first tree tells.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from core.boosting.growing.moments import Moments, moments_of
from core.boosting.growing.rules import Rules, rising_order
from core.boosting.inputs import Inputs
from core.kernels import own_kernel
from payoff.types import FloatArray

MARGIN = 2.0
"""Standard errors by which levels must differ more than chance makes them."""

CHANCE = 4.0
"""Units of noise by which the gain of a numeric column is too good: 2 for any cut, and some for the
choice of it. Shrunk levels, whose gain is what new cases keep, are given them too."""

LEAST_TRUST = 1e-6
"""Sides whose distance shrinks to less do not differ: what is left is rounding."""


@own_kernel
def _left_noise(noise: float, hessian: float, first_spread: float) -> float:
    """Return the share of a level's noise that is left once its shrunk mean has been learned."""
    return noise / (hessian * first_spread + noise) if first_spread > 0.0 and noise > 0.0 else 1.0


@own_kernel
def level_spread(
    gradient: FloatArray,
    hessian: FloatArray,
    missing_g: float,
    missing_h: float,
    moments: Moments,
    first_spread: float,
    rules: Rules,
) -> tuple[float, float]:
    """Return the noise of one unit of curvature, and the spread of the levels' means beyond it.

    A spread that chance alone might show is 0. ``first_spread`` is that before the first tree: what
    it promised may be learned in full, so only the noise beyond it is held against the levels.
    Weights are numbers of cases here (``rules.case_weight`` is what one case weighs), and a level
    has as many as its share of the curvature says.

    What chance may show is the variance of the spread found, with the tails of the cases, about
    what the differences within levels lead to expect. A few far cases (a count of 6 among zeros)
    that are alone in their levels make these look small, where most levels have one case: so both
    are held to have the noise of all cases, and go with each other as they do for such tails.
    """
    square, fourth, total = moments
    size = hessian.shape[0]
    held_g = held = 0.0
    levels = 0
    for i in range(size):
        held_g += gradient[i]
        held += hessian[i]
        levels += 1 if hessian[i] > 0.0 else 0
    all_h = held + missing_h
    cases = total / rules.case_weight
    free = cases - levels - (1 if missing_h > 0.0 else 0)
    if levels < 2 or free < 1.0 or square <= 0.0:
        return 0.0, 0.0
    centre = held_g / held
    between = missing_g * missing_g / missing_h if missing_h > 0.0 else 0.0
    found = largest = 0.0
    for i in range(size):
        if hessian[i] > 0.0:
            step = gradient[i] / hessian[i] - centre
            between += gradient[i] * gradient[i] / hessian[i]
            found += hessian[i] * step * step
            largest += hessian[i] * hessian[i]
    within = max(square - between * all_h / total, 0.0)
    noise = rules.level_penalty * rules.case_weight * within / all_h * cases / free
    tails = max(fourth * total / (square * square) - 3.0, -2.0)
    degrees = varied = shared = inner = 0.0
    for i in range(size):
        if hessian[i] > 0.0:
            left = _left_noise(noise, hessian[i], first_spread)
            known = 1.0 / max(hessian[i] * cases / all_h, 1.0)
            degrees += left * (1.0 - hessian[i] / held)
            varied += left * left * (2.0 + tails * known)
            shared += left * tails * (1.0 - known)
            inner += tails * (1.0 / known - 2.0 + known)
    ratio = degrees / free
    doubt = varied + ratio * (ratio * (2.0 * free + inner) - 2.0 * shared)
    unit = (found + noise * free) / (degrees + free)
    if found - noise * degrees <= MARGIN * unit * math.sqrt(max(doubt, 0.0)):
        return noise, 0.0
    return noise, (found - noise * degrees) / (held - largest / held)


@own_kernel
def order_levels(
    gradient: FloatArray,
    hessian: FloatArray,
    missing_g: float,
    missing_h: float,
    moments: Moments,
    first_spread: float,
    rules: Rules,
) -> tuple[NDArray[np.int64], float]:
    """Return the places of levels in rising order of their means, and the noise of a unit.

    Levels without weight come last. ``gradient`` (levels,) is overwritten by what the shrunk means
    make of it; its sum stays. The noise is in units of gains.
    """
    size = gradient.shape[0]
    mean = np.empty(size)
    if rules.level_penalty == 0.0:
        for i in range(size):
            mean[i] = gradient[i] / hessian[i] if hessian[i] > 0.0 else np.inf
        return rising_order(mean, size), 0.0
    all_g = all_h = 0.0
    for i in range(size):
        all_g += gradient[i]
        all_h += hessian[i]
    centre = all_g / all_h if all_h > 0.0 else 0.0
    noise, spread = level_spread(
        gradient, hessian, missing_g, missing_h, moments, first_spread, rules
    )
    moved = 0.0
    for i in range(size):
        trust = 0.0
        if spread > 0.0 and hessian[i] > 0.0:
            known = hessian[i] * spread
            trust = known / (known + noise * _left_noise(noise, hessian[i], first_spread))
        mean[i] = trust * (gradient[i] / hessian[i] - centre) if hessian[i] > 0.0 else np.inf
        gradient[i] = trust * (gradient[i] - centre * hessian[i]) + centre * hessian[i]
        moved += gradient[i]
    for i in range(size):
        if all_h > 0.0:
            gradient[i] += (all_g - moved) * hessian[i] / all_h
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


def first_spreads(
    inputs: Inputs, g: FloatArray, h: FloatArray, weight: FloatArray, rules: Rules
) -> FloatArray:
    """Return the spread of the levels of each column (F,) over all training cases.

    Parameters
    ----------
    g, h, weight : float64 (n,)
        Weighted gradient, fit weight and weight of the cases that train, the first of ``inputs``.
    """
    found = np.zeros(len(inputs.columns))
    rows = g.shape[0]
    moments = moments_of(g, weight, np.arange(rows, dtype=np.int32))
    for place, (column, codes) in enumerate(zip(inputs.columns, inputs.arrays, strict=True)):
        if column.is_nominal:
            is_known = codes[:rows] >= 0.0
            level = codes[:rows][is_known].astype(np.int64)
            size = len(column.levels)
            gradient: FloatArray = np.bincount(level, g[is_known], size).astype(np.float64)
            hessian: FloatArray = np.bincount(level, h[is_known], size).astype(np.float64)
            lost_g, lost_h = float(g[~is_known].sum()), float(h[~is_known].sum())
            found[place] = level_spread(gradient, hessian, lost_g, lost_h, moments, 0.0, rules)[1]
    return found
