"""Whether a model's chances come true: mean chances against shares, and by height of the chance."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.decisions.workspace import ProbabilitySums
from payoff.types import FloatArray

GROUPS = 10
CLEAR = 3.5
"""Standard errors from which a group's deviation counts."""
RELATIVE = 0.2
"""Smallest relative deviation worth saying."""


@dataclass(frozen=True, slots=True)
class Miscalibration:
    """Chances that do not come true: ``low`` to ``high`` as the model says them.

    ``where``: "low", "high" or "all" chances. ``is_too_low``: the event happens more often.
    """

    where: str
    is_too_low: bool
    low: float
    high: float


@dataclass(frozen=True, slots=True, eq=False)
class CalibrationGroups:
    """About ten groups of equal weight, by the event's chance."""

    said: FloatArray  # mean chance
    seen: FloatArray  # weighted share of events
    error: FloatArray  # standard error of ``seen`` if the chances were right
    weight: FloatArray


def calibration_groups(
    probabilities: ProbabilitySums, class_weight: FloatArray
) -> CalibrationGroups:
    """Join fine bins of the chance into groups of about equal weight."""
    weights = np.nan_to_num(class_weight)
    cases, described = probabilities.bins[:, :, 0], probabilities.bins[:, :, 1]
    weight = cases @ weights
    running = np.cumsum(weight)
    total = running[-1] if running[-1] > 0 else 1.0
    # A bin belongs to the group in which its middle lies.
    group = np.minimum((GROUPS * (running - 0.5 * weight) / total).astype(np.int64), GROUPS - 1)

    def add(values: FloatArray) -> FloatArray:
        return np.bincount(group, weights=values, minlength=GROUPS).astype(np.float64)

    mass, squared = add(weight), add(cases @ weights**2)
    used = mass > 0
    mean = add(described @ weights)[used] / mass[used]
    seen = add(cases[:, 0] * weights[0])[used] / mass[used]
    variance = mean * (1.0 - mean) * squared[used] / mass[used] ** 2
    return CalibrationGroups(mean, seen, np.sqrt(np.maximum(variance, 0.0)), mass[used])


def find_miscalibration(groups: CalibrationGroups) -> Miscalibration | None:
    """The clearest stretch of chances that are too low or too high, or None."""
    gap = groups.seen - groups.said
    is_clear = (np.abs(gap) > CLEAR * groups.error) & (np.abs(gap) > RELATIVE * groups.said)
    if not is_clear.any():
        return None
    lows, highs = is_clear & (gap > 0), is_clear & (gap < 0)
    cost = groups.weight * np.abs(gap)
    is_too_low = bool(cost[lows].sum() >= cost[highs].sum())
    chosen = np.flatnonzero(lows if is_too_low else highs)
    count = groups.said.shape[0]
    middle = (count - 1) / 2
    where = "low" if chosen.mean() < middle else "high"
    if chosen.size >= 0.7 * count:
        where = "all"
    return Miscalibration(
        where, is_too_low, float(groups.said[chosen[0]]), float(groups.said[chosen[-1]])
    )
