"""Predicted quantiles beside outcomes: mean quantiles of groups, and how often ranges hold."""

from __future__ import annotations

import numpy as np

from core.document.studies.compare import PredictedRange
from payoff.intervals import wilson_interval
from payoff.types import FloatArray, IntArray

GROUPS = 100
_SAME = 1e-9


def quantile_fan(
    values: FloatArray, weight: FloatArray, levels: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Middles (m,) of groups of cases by their median, mean quantiles (K, m), places (n,)."""
    middle = values[int(np.argmin(np.abs(levels - 0.5)))]
    order = np.argsort(middle, kind="stable")
    mass = np.cumsum(weight[order]) / weight.sum()
    place = np.empty(len(order))
    place[order] = mass - 0.5 * weight[order] / weight.sum()
    group = np.minimum((place * GROUPS).astype(np.int64), GROUPS - 1)
    size = np.bincount(group, weights=weight, minlength=GROUPS)
    used = size > 0
    means = [np.bincount(group, weights=weight * row, minlength=GROUPS)[used] for row in values]
    middles = np.bincount(group, weights=weight * place, minlength=GROUPS)[used]
    return middles / size[used], np.array(means) / size[used], place


def predicted_ranges(
    levels: FloatArray,
    values: FloatArray,
    outcome: FloatArray,
    weight: FloatArray,
    effective: float,
) -> tuple[PredictedRange, ...]:
    """Ranges whose ends lie as far from 0 as from 1, the widest first."""
    found = []
    for low, high in _pairs(levels):
        inside = (outcome >= values[low]) & (outcome <= values[high])
        held = float(inside @ weight / weight.sum())
        limits = wilson_interval(np.array([held]), np.array([effective]))
        width = float((values[high] - values[low]) @ weight / weight.sum())
        found.append(
            PredictedRange(
                low_level=float(levels[low]),
                high_level=float(levels[high]),
                wanted=float(levels[high] - levels[low]),
                held=held,
                held_low=float(limits[0][0]),
                held_high=float(limits[1][0]),
                width=width,
            )
        )
    return tuple(found)


def _pairs(levels: FloatArray) -> list[tuple[int, int]]:
    """Places of levels that mirror each other around one half, outermost first."""
    pairs = []
    for low in np.flatnonzero(levels < 0.5 - _SAME).tolist():
        matching: IntArray = np.flatnonzero(np.abs(levels - (1.0 - levels[low])) < _SAME)
        if len(matching):
            pairs.append((low, int(matching[0])))
    return pairs
