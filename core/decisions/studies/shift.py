"""Whether new cases are like those a model was evaluated on: the population stability index.

PSI = sum over bins of (now - then) x ln(now / then), where then and now are shares of cases; with
the rule of thumb of credit scoring (below 0.1 stable, above 0.25 another population). A small file
has an index above 0 by chance alone: what 95 % of files of its size stay below is reckoned with.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from core.inference.normal import normal_quantile
from payoff.groups import effective_cases
from payoff.types import FloatArray

SHIFTED, ANOTHER = 0.1, 0.25
BINS = 10


@dataclass(frozen=True, slots=True)
class Stability:
    """A population stability index.

    ``verdict``: "stable", "shifted", "another population", or "too few cases" where a difference
    this large is no surprise in so small a file. ``noise``: what chance alone stays below in 95 %.
    """

    index: float
    noise: float
    verdict: str


def stability(then: FloatArray, now: FloatArray, then_cases: float, now_cases: float) -> Stability:
    """Compare two distributions over the same bins.

    Parameters
    ----------
    then, now : (bins,) float64
        Weights of cases in each bin.
    then_cases, now_cases : float
        Effective numbers of cases.
    """
    # Half a case in each bin, so that an empty one gives no infinite index.
    first = (then / then.sum() * then_cases + 0.5) / (then_cases + 0.5 * len(then))
    second = (now / now.sum() * now_cases + 0.5) / (now_cases + 0.5 * len(now))
    index = float(np.sum((second - first) * np.log(second / first)))
    noise = _chi_square_95(len(then) - 1) * (1.0 / then_cases + 1.0 / now_cases)
    if index < SHIFTED:
        verdict = "stable"
    elif index <= noise:
        verdict = "too few cases"
    else:
        verdict = "shifted" if index < ANOTHER else "another population"
    return Stability(index, noise, verdict)


def score_stability(
    then: FloatArray, now: FloatArray, then_weight: FloatArray, now_weight: FloatArray
) -> Stability:
    """The index of a score over ten bins of equal weight then; missing scores are left out."""
    known, also = ~np.isnan(then), ~np.isnan(now)
    then, then_weight, now, now_weight = (
        then[known],
        then_weight[known],
        now[also],
        now_weight[also],
    )
    edges = bin_edges(then, then_weight)
    places = [np.searchsorted(edges, values, side="left") for values in (then, now)]
    counts = [
        np.bincount(place, weights=weight, minlength=len(edges) + 1).astype(np.float64)
        for place, weight in zip(places, (then_weight, now_weight), strict=True)
    ]
    sizes = effective_cases(then_weight), effective_cases(now_weight)
    return stability(counts[0], counts[1], *sizes)


def bin_edges(values: FloatArray, weight: FloatArray) -> FloatArray:
    """Upper edges of all bins but the last; fewer where many scores are equal."""
    order = np.argsort(values, kind="stable")
    running = np.cumsum(weight[order]) / weight.sum()
    at = np.searchsorted(running, np.arange(1, BINS) / BINS)
    return np.unique(values[order][np.minimum(at, len(values) - 1)])


def _chi_square_95(degrees: int) -> float:
    """The 95 % point of chi-square, by Wilson and Hilferty's cube (within 1 % from 1 degree on)."""
    if degrees < 1:
        return 0.0
    part = 2.0 / (9.0 * degrees)
    return degrees * (1.0 - part + normal_quantile(0.95) * math.sqrt(part)) ** 3


__all__ = ["Stability", "bin_edges", "score_stability", "stability"]
