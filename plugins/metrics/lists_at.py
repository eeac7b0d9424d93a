"""Metrics of the first places of ranked lists: precision and recall at k, expected reciprocal rank.

Cases of equal score share their places evenly: a value is the mean over all orders of the tied.
"""

from __future__ import annotations

import math

import numpy as np

import payoff
from payoff.types import FloatArray, IntArray, StopFlag
from plugins.metrics.lists import check_grades, in_lists, list_metric, lists_without_hit


@payoff.kernel(shape="helper")
def hits_above(
    grade: FloatArray, score: FloatArray, start: int, stop: int, places: int
) -> tuple[float, float]:
    """Return the hits (grades above 0) on the first places, tied ones in proportion, and all."""
    end = start + places
    first_hits = 0.0
    hits = 0.0
    first = start
    while first < stop:
        last = first
        here = 0.0
        while last < stop and score[last] == score[first]:
            here += 1.0 if grade[last] > 0.0 else 0.0
            last += 1
        if first < end:
            first_hits += here * min(1.0, (end - first) / (last - first))
        hits += here
        first = last
    return first_hits, hits


@payoff.kernel(shape="whole")
def sum_hits(
    grade: FloatArray,
    score: FloatArray,
    weight: FloatArray,
    offsets: IntArray,
    places: int,
    of_hits: bool,
    out: FloatArray,
    stop_flag: StopFlag,
) -> None:
    """Fill the weighted sum of precision (or recall) on the first places, and the weight in it."""
    for group in range(offsets.shape[0] - 1):
        start, stop = offsets[group], offsets[group + 1]
        found, hits = hits_above(grade, score, start, stop, places)
        if of_hits:
            if hits > 0.0:
                out[0] += weight[group] * found / hits
                out[1] += weight[group]
        else:
            out[0] += weight[group] * found / places
            out[1] += weight[group]


@payoff.kernel(shape="whole")
def sum_stops(
    grade: FloatArray,
    score: FloatArray,
    weight: FloatArray,
    offsets: IntArray,
    highest: float,
    places: int,
    out: FloatArray,
    stop_flag: StopFlag,
) -> None:
    """Fill the weighted sum of expected reciprocal ranks, and the weight of the groups.

    Of equal scores the lower grade stands first.
    """
    for group in range(offsets.shape[0] - 1):
        start, stop = offsets[group], offsets[group + 1]
        last = stop if places == 0 else min(stop, start + places)
        going = 1.0
        total = 0.0
        for place in range(start, last):
            stops = (2.0 ** grade[place] - 1.0) / 2.0**highest
            total += going * stops / (1.0 + (place - start))
            going *= 1.0 - stops
        out[0] += weight[group] * total
        out[1] += weight[group]


def _mean(found: FloatArray) -> float:
    return float(found[0] / found[1]) if found[1] > 0.0 else math.nan


def precision_at(sample: payoff.Sample, parameters: payoff.Parameters) -> float:
    """Mean over groups of hits on the first places over the places."""
    grade, score, weight, offsets = in_lists(sample)
    found, flag = np.zeros(2), np.zeros(1, dtype=np.uint8)
    sum_hits(grade, score, weight, offsets, int(parameters["places"]), False, found, flag)
    return _mean(found)


def recall_at(sample: payoff.Sample, parameters: payoff.Parameters) -> float:
    """Mean over groups with a hit of hits on the first places over all hits."""
    grade, score, weight, offsets = in_lists(sample)
    found, flag = np.zeros(2), np.zeros(1, dtype=np.uint8)
    sum_hits(grade, score, weight, offsets, int(parameters["places"]), True, found, flag)
    return _mean(found)


def expected_reciprocal_rank(sample: payoff.Sample, parameters: payoff.Parameters) -> float:
    """Mean over groups of the expected reciprocal of the place where a reader stops."""
    grade, score, weight, offsets = in_lists(sample)
    highest = parameters["highest"] or float(grade.max(initial=1.0))
    found, flag = np.zeros(2), np.zeros(1, dtype=np.uint8)
    places = int(parameters["places"])
    sum_stops(grade, score, weight, offsets, highest, places, found, flag)
    return _mean(found)


def check_highest(sample: payoff.Sample, parameters: payoff.Parameters) -> None:
    """Refuse grades below 0, and above the highest one named."""
    check_grades(sample, parameters)
    highest = parameters["highest"]
    if highest and (sample.outcome > highest).any():
        raise payoff.PayoffError(
            f"The grade {sample.outcome.max():g} is above the highest one, {highest:g}.",
            why="A reader would stop with a chance above 1.",
            remedy="Name the highest grade of the scale.",
        )


_PLACES = payoff.Parameter(
    name="places",
    aliases=("k",),
    words="places that count",
    default=10.0,
    kind=payoff.ParameterKind.INTEGER,
    minimum=1.0,
)

PRECISION_AT = list_metric(
    id="precision_at",
    label="Precision at k",
    title="Precision at {places}",
    help="Share of the first places that hold a hit (a grade above 0), mean over lists; shorter "
    "lists count their empty places as misses.",
    formula="mean over groups of hits on the first k places ÷ k",
    aliases=("precision_at_k",),
    reference="Manning, Raghavan & Schütze 2008, section 8.4; as trec_eval",
    parameters=(_PLACES,),
    compute=precision_at,
)

RECALL_AT = list_metric(
    id="recall_at",
    label="Recall at k",
    title="Recall at {places}",
    help="Share of a list's hits (grades above 0) that stand on its first places, mean over the "
    "lists with a hit.",
    formula="mean over groups with a hit of hits on the first k places ÷ hits",
    aliases=("recall_at_k",),
    reference="Manning, Raghavan & Schütze 2008, section 8.4",
    parameters=(_PLACES,),
    compute=recall_at,
    remark=lists_without_hit,
)

EXPECTED_RANK = list_metric(
    id="err",
    label="Expected reciprocal rank",
    help="Expected 1 ÷ place at which a reader who goes down the list is content; of equal scores "
    "the lower grade stands first.",
    formula="mean over groups of Σ 1/place · R · Π above (1 − R), R = (2^grade − 1) ÷ 2^highest",
    aliases=("expected_reciprocal_rank",),
    reference="Chapelle et al. 2009",
    parameters=(
        payoff.Parameter(
            name="highest",
            words="highest grade of the scale",
            default=0.0,
            minimum=0.0,
            help="0 = the highest grade of these rows.",
        ),
        payoff.Parameter(
            name="places",
            aliases=("k",),
            words="places that count",
            default=0.0,
            kind=payoff.ParameterKind.INTEGER,
            minimum=0.0,
            help="0 = all.",
        ),
    ),
    compute=expected_reciprocal_rank,
    check=check_highest,
)
