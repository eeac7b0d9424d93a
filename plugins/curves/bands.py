"""Analytic 95 % bands of curves that are ratios: F1, precision, cost, concentration, AUC by time.

Each is the delta method: the variance of the mean of influence functions, one per case. Weights
stand for the population (``effective`` = number of equally weighted cases that say as much).
"""

from __future__ import annotations

import numpy as np

from payoff.intervals import NORMAL_95, wilson_interval
from payoff.types import FloatArray

Band = tuple[FloatArray, FloatArray]


def precision_band(precision: FloatArray, acted: FloatArray, effective: float) -> Band:
    """Wilson limits of the share of events among the cases acted on.

    Parameters
    ----------
    precision, acted : (cut-offs,)
        Share of events among those acted on (NaN: nobody is), and the share of all cases acted on.
    effective : float
        Cases in all.
    """
    low, high = wilson_interval(np.nan_to_num(precision), np.maximum(acted * effective, 1.0))
    is_known = np.isfinite(precision)
    return np.where(is_known, low, np.nan), np.where(is_known, high, np.nan)


def f1_band(found: FloatArray, alarms: FloatArray, missed: FloatArray, effective: float) -> Band:
    """Limits of F1 = 2 found / (2 found + alarms + missed), all as shares of all cases."""
    whole = 2.0 * found + alarms + missed
    with np.errstate(invalid="ignore", divide="ignore"):
        value = 2.0 * found / whole
        spread = found * (2.0 - 2.0 * value) ** 2 + (alarms + missed) * value**2
        half = NORMAL_95 * np.sqrt(spread / effective) / whole
    return np.clip(value - half, 0.0, 1.0), np.clip(value + half, 0.0, 1.0)


def concentration_band(
    key: FloatArray, outcome: FloatArray, weight: FloatArray, grid: FloatArray
) -> Band:
    """Limits of the share of the outcomes' sum that the lowest by a key hold.

    The influence of a case on C(p) = E[y 1(key <= q)] / E[y], q the p-quantile of the key, is
    ((y - m) 1(key <= q) + p m - C y) / E[y] with m = E[y | key = q], the slope of C times E[y].

    Parameters
    ----------
    key, outcome, weight : (n,)
    grid : (points,)
        Shares of the cases, 0 to 1.
    """
    order = np.argsort(key, kind="stable")
    y, w = outcome[order], weight[order]
    total = float(w.sum())
    mean = float(w @ y) / total
    ends = np.searchsorted(np.cumsum(w), grid * total * (1.0 - 1e-12), side="left")
    sums = [np.concatenate([[0.0], np.cumsum(w * w * y**power)]) for power in (0, 1, 2)]
    part = [entry[np.minimum(ends + (grid > 0), len(y))] for entry in sums]
    whole = [float(entry[-1]) for entry in sums]
    held = np.concatenate([[0.0], np.cumsum(w * y)])
    curve = held[np.minimum(ends + (grid > 0), len(y))] / (total * mean)
    last = np.gradient(curve, grid) * mean
    pull = grid * last
    spread = (
        part[2]
        - 2.0 * last * part[1]
        + last**2 * part[0]
        + curve**2 * whole[2]
        + pull**2 * whole[0]
        - 2.0 * curve * (part[2] - last * part[1])
        + 2.0 * pull * (part[1] - last * part[0])
        - 2.0 * pull * curve * whole[1]
    )
    half = NORMAL_95 * np.sqrt(np.maximum(spread, 0.0)) / (total * mean)
    half[(grid <= 0.0) | (grid >= 1.0)] = 0.0
    return curve - half, curve + half


def area_band(area: FloatArray, deviation: FloatArray) -> Band:
    """Limits of areas between 0 and 1."""
    half = NORMAL_95 * deviation
    return np.clip(area - half, 0.0, 1.0), np.clip(area + half, 0.0, 1.0)
