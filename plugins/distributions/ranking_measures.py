"""Measures of a ranking and what swapping two cases would change them by.

A group has m cases in the order of falling label; places count from 1. Cases of equal score
stand with the lower label first: ties never flatter a model, and row order does not matter.
"""

from __future__ import annotations

import math

import numpy as np

import payoff
from payoff.types import FloatArray, IntArray

CONC, MRR, MAP, NDCG = 0, 1, 2, 3


@payoff.kernel(shape="helper")
def ranks_of(
    outcome: FloatArray, score: FloatArray, rows: IntArray, start: int, size: int
) -> tuple[FloatArray, IntArray, FloatArray]:
    """Return labels (m,), the place of each case (m,), and the labels in order of place (m,)."""
    label = np.empty(size)
    negative = np.empty(size)
    for k in range(size):
        # Reversed, so that a stable sort puts the lower of tied labels first.
        label[k] = outcome[rows[start + k]]
        negative[k] = -score[0, rows[start + size - 1 - k]]
    order = np.argsort(negative, kind="mergesort")
    ranks = np.empty(size, dtype=np.int64)
    ranked = np.empty(size)
    for place in range(size):
        case = size - 1 - order[place]
        ranks[case] = place + 1
        ranked[place] = label[case]
    return label, ranks, ranked


@payoff.kernel(shape="helper")
def discounted_gain(label: FloatArray, places: int) -> float:
    """Return the sum of label / log2(1 + place) over the first places."""
    total = 0.0
    for place in range(min(places, label.shape[0])):
        total += label[place] / math.log2(2.0 + place)
    return total


@payoff.kernel(shape="helper")
def places_that_count(size: int, max_rank: int) -> int:
    """Return how many places count; 0 stands for all."""
    return min(size, max_rank) if max_rank > 0 else size


@payoff.kernel(shape="helper")
def measure(ranked: FloatArray, metric: int, max_rank: int) -> float:
    """Return the measure of labels in order of place.

    conc: pairs in the right order; mrr: 1 / place of the first hit; map: mean precision at the
    hits; ndcg: discounted gain, not divided by the best.
    """
    size = ranked.shape[0]
    if metric == NDCG:
        return discounted_gain(ranked, places_that_count(size, max_rank))
    total = 0.0
    hits = 0.0
    if metric == MRR:
        for place in range(places_that_count(size, max_rank)):
            if ranked[place] > 0.0:
                return 1.0 / (place + 1.0)
        return 0.0
    if metric == MAP:
        for place in range(size):
            if ranked[place] > 0.0:
                hits += 1.0
                total += hits / (place + 1.0)
        return total / hits if hits > 0.0 else 0.0
    for place in range(size):
        for later in range(place + 1, size):
            if ranked[place] > ranked[later]:
                total += 1.0
    return total


@payoff.kernel(shape="helper")
def best_measure(
    outcome: FloatArray, rows: IntArray, start: int, size: int, metric: int, max_rank: int
) -> float:
    """Return the measure of the best order, 0 where no label is above 0."""
    label = np.empty(size)
    for k in range(size):
        label[k] = outcome[rows[start + k]]
    if label[0] <= 0.0:
        return 0.0
    if metric != CONC:
        return measure(label, metric, max_rank)
    pairs = 0.0
    above = 0
    for k in range(1, size):
        if label[k] < label[k - 1]:
            above = k
        pairs += above
    return pairs


@payoff.kernel(shape="helper")
def prepared_sums(label: FloatArray, ranked: FloatArray, metric: int, max_rank: int) -> FloatArray:
    """Return sums over places from which a swap's change follows at once.

    map: row 0 the hits up to each place, row 1 the sum of 1 / place over them; mrr: the places of
    the first two hits in row 0; conc: for each case the higher less the lower labels up to each
    place; ndcg: the discount of each place. Column 0 stands before the first place.
    """
    size = ranked.shape[0]
    if metric == NDCG:
        sums = np.zeros((1, size + 1))
        for place in range(1, places_that_count(size, max_rank) + 1):
            sums[0, place] = 1.0 / math.log2(1.0 + place)
        return sums
    if metric == MAP:
        sums = np.zeros((2, size + 1))
        for place in range(1, size + 1):
            hit = 1.0 if ranked[place - 1] > 0.0 else 0.0
            sums[0, place] = sums[0, place - 1] + hit
            sums[1, place] = sums[1, place - 1] + hit / place
        return sums
    if metric == MRR:
        sums = np.full((1, 2), math.inf)
        found = 0
        for place in range(1, size + 1):
            if ranked[place - 1] > 0.0 and found < 2:
                sums[0, found] = place
                found += 1
        return sums
    sums = np.zeros((size, size + 1))
    for case in range(size):
        if case > 0 and label[case] == label[case - 1]:
            sums[case] = sums[case - 1]
            continue
        for place in range(1, size + 1):
            other = ranked[place - 1]
            step = 1.0 if other > label[case] else -1.0 if other < label[case] else 0.0
            sums[case, place] = sums[case, place - 1] + step
    return sums


@payoff.kernel(shape="helper")
def first_hit_change(sums: FloatArray, hit: int, other: int, max_rank: int, is_gbm: bool) -> float:
    """Return the change of 1 / place of the first hit when a hit and another swap places."""
    first: float = sums[0, 0]
    second: float = sums[0, 1]
    after = first
    if other < first:
        after = float(other)
    elif hit == first:
        after = float(other) if is_gbm else min(float(other), second)
    if max_rank > 0:
        first = first if first <= max_rank else math.inf
        after = after if after <= max_rank else math.inf
    return abs(1.0 / after - 1.0 / first)


@payoff.kernel(shape="helper")
def precision_change(sums: FloatArray, hit: int, other: int) -> float:
    """Return the change of the mean precision when a hit and another swap places."""
    hits: float = sums[0, sums.shape[1] - 1]
    old: float = sums[0, hit] / hit
    if other < hit:
        change: float = (sums[0, other - 1] + 1.0) / other + sums[1, hit - 1] - sums[1, other]
    else:
        change = sums[0, other] / other - sums[1, other] + sums[1, hit]
    return abs(change - old) / hits


@payoff.kernel(shape="helper")
def swap_cost(
    label: FloatArray,
    ranks: IntArray,
    sums: FloatArray,
    better: int,
    worse: int,
    metric: int,
    max_rank: int,
    is_gbm: bool,
) -> float:
    """Return how much the measure changes when two cases swap places."""
    up = ranks[better]
    down = ranks[worse]
    if metric == NDCG:
        gain: float = abs(sums[0, up] - sums[0, down]) * (label[better] - label[worse])
        return gain
    if metric == MRR:
        return first_hit_change(sums, up, down, max_rank, is_gbm)
    if metric == MAP:
        return precision_change(sums, up, down)
    low = min(up, down)
    high = max(up, down) - 1
    above_worse: float = sums[worse, high] - sums[worse, low]
    above_better: float = sums[better, high] - sums[better, low]
    return 1.0 + above_worse - above_better
