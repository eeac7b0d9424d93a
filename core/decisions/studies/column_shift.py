"""The population stability index of one column: numbers by quantiles of then, levels by name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.decisions.studies.shift import Stability, bin_edges, stability
from payoff.groups import effective_cases
from payoff.types import CodeArray, FloatArray, IntArray

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
