"""Calibration groups as other tools cut them: equal width, ranks of 5 %, quantiles of type 7."""

from __future__ import annotations

from typing import Any

import numpy as np

from core.document.chart_kinds import SAS_EM, SKLEARN, R
from core.evaluation.calibration import CalibrationGroups
from payoff.curves import wilson_interval
from payoff.types import FloatArray, IntArray

SKLEARN_BINS, SAS_BINS, R_BINS = 5, 20, 10


def groups_as(
    convention: str, chance: FloatArray, is_event: FloatArray, weight: FloatArray
) -> CalibrationGroups | None:
    """Groups by another tool's rule; None for one that has none of its own.

    Parameters
    ----------
    convention : str
        "scikit-learn": 5 bins of equal width, a chance on a border in the lower one, 0 in the
        first. "sas_em": 20 groups of 5 % of the cases by rank; equal chances stay together, in
        the group of their middle. "r": 10 groups by quantiles of type 7, borders in the lower one.
    chance, is_event, weight : (n,) float64
    """
    if convention == SKLEARN:
        return _grouped(equal_width_bins(chance, SKLEARN_BINS), chance, is_event, weight)
    if convention == SAS_EM:
        return _grouped(_by_rank(chance, weight, SAS_BINS), chance, is_event, weight)
    if convention == R:
        return _grouped(quantile_bins(chance, R_BINS, 7), chance, is_event, weight)
    return None


def equal_width_bins(chance: FloatArray, bins: int) -> IntArray:
    """The bin of each chance: (0, 1/bins], ... ; 0 belongs to the first. (n,) int64."""
    edges = np.linspace(0.0, 1.0, bins + 1)
    return np.searchsorted(edges[1:-1], chance, side="left").astype(np.int64)


_QUANTILE_METHODS = {
    1: "inverted_cdf",
    2: "averaged_inverted_cdf",
    3: "closest_observation",
    4: "interpolated_inverted_cdf",
    5: "hazen",
    6: "weibull",
    7: "linear",
    8: "median_unbiased",
    9: "normal_unbiased",
}
"""Types of quantiles by the numbers of Hyndman and Fan (1996), as R counts them."""


def quantile_bins(chance: FloatArray, bins: int, kind: int) -> IntArray:
    """The group of each chance by quantiles of a type (1 to 9); borders in the lower group.

    Fewer groups come out where quantiles coincide.
    """
    method: Any = _QUANTILE_METHODS[kind]
    edges = np.quantile(chance, np.arange(1, bins) / bins, method=method)
    return np.searchsorted(np.unique(edges), chance, side="left").astype(np.int64)


def _by_rank(chance: FloatArray, weight: FloatArray, bins: int) -> IntArray:
    values, place = np.unique(chance, return_inverse=True)
    mass = np.bincount(place, weights=weight, minlength=len(values))
    middle = (np.cumsum(mass) - 0.5 * mass) / mass.sum()
    group: IntArray = np.minimum((middle * bins).astype(np.int64), bins - 1)
    return group[place]


def _grouped(
    group: IntArray, chance: FloatArray, is_event: FloatArray, weight: FloatArray
) -> CalibrationGroups:
    """Means of each group that has a case, lowest first, with Wilson limits."""
    number = int(group.max()) + 1

    def total(values: FloatArray) -> FloatArray:
        return np.bincount(group, weights=values, minlength=number).astype(np.float64)

    whole = total(weight)
    kept = whole > 0
    whole = whole[kept]
    share = np.clip(total(weight * is_event)[kept] / whole, 0.0, 1.0)
    cases = whole**2 / total(weight * weight)[kept]
    low, high = wilson_interval(share, cases)
    return CalibrationGroups(total(weight * chance)[kept] / whole, share, low, high, cases)
