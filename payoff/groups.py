"""Groups of cases by prediction, as charts cut them: equal weight, equal width, quantiles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from payoff.types import FloatArray, IntArray

MOST_GROUPS = 20
FEWEST_ROWS = 50  # a group is no smaller, while there are rows enough for five groups


def effective_cases(weight: FloatArray) -> float:
    """Kish's number of equally weighted cases: (sum w)^2 / sum w^2; 0 without weight."""
    square = float(np.dot(weight, weight))
    return float(np.sum(weight)) ** 2 / square if square > 0 else 0.0


def group_count(rows: int) -> int:
    """Groups for a number of rows: 20, fewer where a group would have under 50 rows, at least 5."""
    return int(np.clip(rows // FEWEST_ROWS, 5, MOST_GROUPS))


@dataclass(frozen=True, slots=True, eq=False)
class EqualGroups:
    """Groups of equal weight by prediction, lowest first.

    Attributes
    ----------
    group : int64 array (n,)
        The group of each case.
    prediction : float64 array (groups,)
        Mean prediction.
    weight, number : float64 arrays (groups,)
        Sum of weights, and the effective number of cases.
    middle : float64 array (groups,)
        Share of the cases below the middle of the group.
    """

    group: IntArray
    prediction: FloatArray
    weight: FloatArray
    number: FloatArray
    middle: FloatArray


def equal_groups(prediction: FloatArray, weight: FloatArray, groups: int) -> EqualGroups:
    """Cut cases into groups of equal weight; equal predictions stay in one group.

    Parameters
    ----------
    prediction, weight : float64 arrays (n,)
    groups : int
        At most so many; ties may leave fewer.
    """
    values, place = np.unique(prediction, return_inverse=True)
    mass = np.bincount(place, weights=weight, minlength=len(values))
    below = (np.cumsum(mass) - 0.5 * mass) / mass.sum()
    number = np.minimum((below * groups).astype(np.int64), groups - 1)
    _, dense = np.unique(number, return_inverse=True)
    group = dense[place].astype(np.int64)
    whole = np.bincount(group, weights=weight).astype(np.float64)
    share = whole / whole.sum()
    return EqualGroups(
        group,
        np.bincount(group, weights=weight * prediction) / whole,
        whole,
        whole**2 / np.bincount(group, weights=weight * weight),
        np.cumsum(share) - 0.5 * share,
    )


def weighted_quantiles(
    values: FloatArray, weight: FloatArray, levels: tuple[float, ...]
) -> FloatArray:
    """Weighted quantiles, as ``payoff.numeric.weighted_quantile`` defines them, of one sort."""
    order = np.argsort(values, kind="stable")
    ranked, running = values[order], np.cumsum(weight[order])
    wanted = np.asarray(levels) * running[-1]
    first = np.minimum(np.searchsorted(running, wanted, side="left"), len(ranked) - 1)
    after = np.minimum(first + 1, len(ranked) - 1)
    middle = 0.5 * (ranked[first] + ranked[after])
    return np.asarray(np.where(running[first] == wanted, middle, ranked[first]))


def equal_width_bins(probability: FloatArray, bins: int) -> IntArray:
    """The bin of each chance: (0, 1/bins], ... ; 0 belongs to the first. (n,) int64."""
    edges = np.linspace(0.0, 1.0, bins + 1)
    return np.searchsorted(edges[1:-1], probability, side="left").astype(np.int64)


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


def quantile_bins(probability: FloatArray, bins: int, kind: int) -> IntArray:
    """The group of each chance by quantiles of a type (1 to 9); borders in the lower group.

    Fewer groups come out where quantiles coincide.
    """
    method: Any = _QUANTILE_METHODS[kind]
    edges = np.quantile(probability, np.arange(1, bins) / bins, method=method)
    return np.searchsorted(np.unique(edges), probability, side="left").astype(np.int64)
