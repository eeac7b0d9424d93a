"""Whether new cases are like those a model was evaluated on: the population stability index.

PSI = sum over bins of (now - then) x ln(now / then), where then and now are shares of cases; with
the rule of thumb of credit scoring (below 0.1 stable, above 0.25 another population). A small file
has an index above 0 by chance alone: what 95 % of files of its size stay below is reckoned with.

The population stability index of one column: numbers by quantiles of then, levels by name.

Totals and counts of evaluated cases brought to a list of another size, its luck included.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.document.results import Estimate
from core.inference.normal import error_of_interval, normal_quantile, normal_reach
from payoff.groups import effective_cases
from payoff.types import CodeArray, FloatArray, IntArray

__all__ = [
    "Stability",
    "bin_edges",
    "score_stability",
    "stability",
]


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


MOST_LEVELS = 15
MISSING = "missing"


@dataclass(frozen=True, slots=True, eq=False)
class MeasuredShift:
    """The index of a column with its bins; shares of the cases then and now, summing to 1."""

    found: Stability
    bins: tuple[str, ...]
    then: FloatArray
    now: FloatArray


def shift_of_numbers(
    then: FloatArray, now: FloatArray, then_weight: FloatArray, now_weight: FloatArray
) -> MeasuredShift | None:
    """Ten bins of equal weight then, and one of missing values; None where none is known then."""
    known = ~np.isnan(then)
    if not known.any() or not len(now):
        return None
    edges = bin_edges(then[known], then_weight[known])
    places = [_placed(edges, values) for values in (then, now)]
    texts = [f"up to {edge:.4g}" for edge in edges] + [f"above {edges[-1]:.4g}", MISSING]
    return _shift(places[0], places[1], then_weight, now_weight, texts)


def _placed(edges: FloatArray, values: FloatArray) -> IntArray:
    place = np.searchsorted(edges, values, side="left").astype(np.int64)
    place[np.isnan(values)] = len(edges) + 1
    return place


def shift_of_levels(
    then: tuple[CodeArray, Sequence[str]],
    now: tuple[CodeArray, Sequence[str]],
    then_weight: FloatArray,
    now_weight: FloatArray,
) -> MeasuredShift | None:
    """A bin per level, the rare ones pooled, and one of missing values.

    Parameters
    ----------
    then, now : (codes (n,), levels)
        Each with its own codes; -1 = missing. Levels match by name.
    """
    if not len(then[0]) or not len(now[0]):
        return None
    counts = np.bincount(
        then[0][then[0] >= 0], weights=then_weight[then[0] >= 0], minlength=len(then[1])
    )
    order = [int(place) for place in np.argsort(-counts, kind="stable")]
    kept = [then[1][place] for place in order[:MOST_LEVELS]]
    names = [*kept, "other values", MISSING]
    places = [_by_name(codes, levels, kept) for codes, levels in (then, now)]
    return _shift(places[0], places[1], then_weight, now_weight, names)


def _by_name(codes: CodeArray, levels: Sequence[str], kept: list[str]) -> IntArray:
    lookup = np.full(len(levels) + 1, len(kept), dtype=np.int64)
    for place, level in enumerate(levels):
        if level in kept:
            lookup[place] = kept.index(level)
    lookup[-1] = len(kept) + 1
    return lookup[codes]


def _shift(
    then: IntArray,
    now: IntArray,
    then_weight: FloatArray,
    now_weight: FloatArray,
    names: Sequence[str],
) -> MeasuredShift:
    """Compare two columns of bins; a bin that neither has is left out."""
    sides = [
        np.bincount(place, weights=weight, minlength=len(names)).astype(np.float64)
        for place, weight in ((then, then_weight), (now, now_weight))
    ]
    used = (sides[0] + sides[1]) > 0
    first, second = sides[0][used], sides[1][used]
    found = Stability(0.0, 0.0, "stable")
    if used.sum() > 1:
        found = stability(first, second, effective_cases(then_weight), effective_cases(now_weight))
    bins = tuple(name for name, is_used in zip(names, used, strict=True) if is_used)
    return MeasuredShift(found, bins, first / first.sum(), second / second.sum())


def scaled_total(total: Estimate, wanted: int, size: float) -> Estimate:
    """Return a total of ``size`` evaluated cases brought to ``wanted`` new ones.

    With average m and its standard error s on n cases, the total of N cases has variance
    N² s² + N n s²: the population's mean is not known exactly, and N cases are a draw from it.
    """
    factor = wanted / size
    spread = error_of_interval(total.low, total.high) * factor
    half = normal_reach() * spread * float(np.sqrt(1.0 + size / wanted))
    value = total.value * factor
    return Estimate(
        value=value,
        low=value - half,
        high=value + half,
        method="scaled from the evaluated rows, luck of the list included",
        holds_fixed=total.holds_fixed,
        note=total.note,
    )


def scaled_count(share: float, wanted: int, cases: float) -> Estimate:
    """Return how many of ``wanted`` new cases a share of ``cases`` evaluated ones stands for."""
    spread = np.sqrt(share * (1.0 - share) * (wanted**2 / cases + wanted))
    value = share * wanted
    return Estimate(
        value=value,
        low=max(0.0, value - normal_reach() * float(spread)),
        high=min(float(wanted), value + normal_reach() * float(spread)),
        method="scaled from the evaluated rows, luck of the list included",
    )
