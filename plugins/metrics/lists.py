"""Metrics of ranked lists: the cases of a group (a query, a customer) in the order of their score.

A group counts by the mean weight of its cases. Groups in which a measure is undefined (no case
above grade 0, or no two different grades) are left out of the mean.
"""

from __future__ import annotations

import math
from functools import partial
from typing import TypeAlias

import numpy as np

import payoff
from payoff.counting import counted_of
from payoff.types import FloatArray, IntArray, StopFlag


@payoff.kernel(shape="helper")
def gain_of(grade: float, is_steep: bool) -> float:
    """Return what a grade is worth: itself, or 2^grade - 1."""
    worth: float = 2.0**grade - 1.0 if is_steep else grade
    return worth


@payoff.kernel(shape="helper")
def discounted(
    grade: FloatArray, score: FloatArray, start: int, stop: int, places: int, is_steep: bool
) -> float:
    """Return the discounted gain of cases in order; cases of equal score share their places."""
    total = 0.0
    first = start
    while first < stop:
        last = first
        gains = 0.0
        discounts = 0.0
        while last < stop and score[last] == score[first]:
            gains += gain_of(grade[last], is_steep)
            if last - start < places:
                discounts += 1.0 / math.log2(2.0 + (last - start))
            last += 1
        total += discounts * gains / (last - first)
        first = last
    return total


@payoff.kernel(shape="whole")
def sum_gains(
    grade: FloatArray,
    score: FloatArray,
    best: FloatArray,
    weight: FloatArray,
    offsets: IntArray,
    parameters: FloatArray,
    out: FloatArray,
    stop_flag: StopFlag,
) -> None:
    """Fill the weighted sum of nDCG over groups, and the weight of the groups that have one.

    ``grade`` and ``score`` stand group by group by falling score, ``best`` by falling grade.
    """
    is_steep = parameters[1] > 0.0
    for group in range(offsets.shape[0] - 1):
        start, stop = offsets[group], offsets[group + 1]
        places = int(parameters[0]) if parameters[0] > 0.0 else stop - start
        ideal = 0.0
        for place in range(start, min(stop, start + places)):
            ideal += gain_of(best[place], is_steep) / math.log2(2.0 + (place - start))
        if ideal > 0.0:
            gain = discounted(grade, score, start, stop, places, is_steep)
            out[0] += weight[group] * gain / ideal
            out[1] += weight[group]
        if stop_flag[0] != 0:
            return


@payoff.kernel(shape="whole")
def sum_first_hits(
    grade: FloatArray, weight: FloatArray, offsets: IntArray, out: FloatArray, stop_flag: StopFlag
) -> None:
    """Fill the weighted sum of 1 / place of the first hit, and the weight of groups with one."""
    for group in range(offsets.shape[0] - 1):
        for place in range(offsets[group], offsets[group + 1]):
            if grade[place] > 0.0:
                out[0] += weight[group] / (1.0 + (place - offsets[group]))
                out[1] += weight[group]
                break


@payoff.kernel(shape="whole")
def sum_precisions(
    grade: FloatArray, weight: FloatArray, offsets: IntArray, out: FloatArray, stop_flag: StopFlag
) -> None:
    """Fill the weighted sum of the mean precision at hits, and the weight of groups with one."""
    for group in range(offsets.shape[0] - 1):
        hits = 0.0
        total = 0.0
        for place in range(offsets[group], offsets[group + 1]):
            if grade[place] > 0.0:
                hits += 1.0
                total += hits / (1.0 + (place - offsets[group]))
        if hits > 0.0:
            out[0] += weight[group] * total / hits
            out[1] += weight[group]


@payoff.kernel(shape="whole")
def sum_ordered(
    grade: FloatArray,
    score: FloatArray,
    weight: FloatArray,
    offsets: IntArray,
    out: FloatArray,
    stop_flag: StopFlag,
) -> None:
    """Fill the weighted sum of the share of pairs in order, and the weight of groups with pairs."""
    for group in range(offsets.shape[0] - 1):
        right = 0.0
        pairs = 0.0
        for above in range(offsets[group], offsets[group + 1]):
            for below in range(above + 1, offsets[group + 1]):
                if grade[above] != grade[below]:
                    pairs += 1.0
                    if score[above] == score[below]:
                        right += 0.5
                    elif grade[above] > grade[below]:
                        right += 1.0
        if pairs > 0.0:
            out[0] += weight[group] * right / pairs
            out[1] += weight[group]
        if stop_flag[0] != 0:
            return


Lists: TypeAlias = tuple[FloatArray, FloatArray, FloatArray, IntArray]


def _ordered(sample: payoff.Sample) -> tuple[IntArray, FloatArray, FloatArray, IntArray]:
    """Rows group by group, best score first and of equal scores the lower grade; their grades and
    scores, and the bounds of the groups: all that does not depend on weights.
    """
    group, grade = sample.roles["group"], sample.outcome.astype(np.float64)
    rows = np.lexsort((grade, -sample.score, group))
    ends = np.flatnonzero(np.diff(group[rows])) + 1
    offsets = np.concatenate([[0], ends, [len(sample)]]).astype(np.int64)
    return rows, grade[rows], np.ascontiguousarray(sample.score[rows]), offsets


def in_lists(sample: payoff.Sample) -> Lists:
    """Grade and score (n,) group by group, best score first and of equal scores the lower grade;
    the mean weight (groups,) and the bounds (groups + 1,) of the groups.
    """
    rows, grade, score, offsets = sample.kept("lists", lambda: _ordered(sample))
    weight = np.add.reduceat(sample.weight[rows], offsets[:-1]) / np.diff(offsets)
    return grade, score, weight, offsets


def _lists_left_out(sample: payoff.Sample, needs_pair: bool) -> str:
    grade, _, weight, offsets = in_lists(sample)
    best = np.maximum.reduceat(grade, offsets[:-1])
    worst = np.minimum.reduceat(grade, offsets[:-1]) if needs_pair else np.zeros(len(best))
    left = int(np.count_nonzero((best <= worst) & (weight > 0.0)))
    if not left:
        return ""
    why = "without two different grades" if needs_pair else "without a grade above 0"
    return f"Left out: {counted_of(left, len(best), 'list')} {why}."


def lists_without_hit(sample: payoff.Sample, parameters: payoff.Parameters) -> str:
    """Say how many lists have nothing to find."""
    return _lists_left_out(sample, needs_pair=False)


def lists_without_pair(sample: payoff.Sample, parameters: payoff.Parameters) -> str:
    """Say how many lists have nothing to order."""
    return _lists_left_out(sample, needs_pair=True)


def _mean(found: FloatArray) -> float:
    return float(found[0] / found[1]) if found[1] > 0.0 else math.nan


def _best_order(grade: FloatArray, offsets: IntArray) -> FloatArray:
    """Grades group by group, highest first."""
    groups = np.repeat(np.arange(offsets.shape[0] - 1), np.diff(offsets))
    best: FloatArray = grade[np.lexsort((-grade, groups))]
    return best


def ndcg(sample: payoff.Sample, parameters: payoff.Parameters) -> float:
    """Mean over groups of discounted gain over that of the best order."""
    grade, score, weight, offsets = in_lists(sample)
    best = sample.kept("ndcg best", lambda: _best_order(grade, offsets))
    values = np.array([parameters["places"], parameters["gain"]])
    found = np.zeros(2)
    sum_gains(grade, score, best, weight, offsets, values, found, np.zeros(1, dtype=np.uint8))
    return _mean(found)


def mean_reciprocal_rank(sample: payoff.Sample, parameters: payoff.Parameters) -> float:
    """Mean over groups of 1 / place of the first hit."""
    grade, _, weight, offsets = in_lists(sample)
    found = np.zeros(2)
    sum_first_hits(grade, weight, offsets, found, np.zeros(1, dtype=np.uint8))
    return _mean(found)


def mean_average_precision(sample: payoff.Sample, parameters: payoff.Parameters) -> float:
    """Mean over groups of the mean precision at the hits."""
    grade, _, weight, offsets = in_lists(sample)
    found = np.zeros(2)
    sum_precisions(grade, weight, offsets, found, np.zeros(1, dtype=np.uint8))
    return _mean(found)


def ordered_pairs(sample: payoff.Sample, parameters: payoff.Parameters) -> float:
    """Mean over groups of the share of pairs in order."""
    grade, score, weight, offsets = in_lists(sample)
    found = np.zeros(2)
    sum_ordered(grade, score, weight, offsets, found, np.zeros(1, dtype=np.uint8))
    return _mean(found)


def check_grades(sample: payoff.Sample, parameters: payoff.Parameters) -> None:
    """Refuse grades below 0."""
    if (sample.outcome < 0).any():
        raise payoff.PayoffError(
            f"The grade {sample.outcome.min():g} is below 0.",
            why="Grades of a ranking begin at 0: not relevant.",
        )


list_metric = partial(
    payoff.EvaluationMetric,
    direction=payoff.Direction.HIGHER,
    inputs=(payoff.Input.OUTCOME, payoff.Input.SCORE, payoff.Input.GROUP),
    tasks=(payoff.Task.RANKING,),
    form=payoff.MetricForm.GENERAL,
    value_range=(0.0, 1.0),
    weights=payoff.WeightMeaning.GROUP,
    unit=payoff.ResampleUnit.GROUP,
    check=check_grades,
)
_metric = partial(list_metric, perfect_value=1.0)

NDCG = _metric(
    id="ndcg",
    usual_for=(payoff.Task.RANKING,),
    label="nDCG",
    help="How good the order of each list is, 1 for the best one; grades count more on the first "
    "places. Mean over lists; lists without a grade above 0 are left out.",
    formula="mean over groups of Σ gain ÷ log₂(1 + place), over that of the best order",
    reference="Järvelin & Kekäläinen 2002; as sklearn.metrics.ndcg_score with gain = grade",
    parameters=(
        payoff.Parameter(
            name="places",
            aliases=("k",),
            words="places that count",
            default=0.0,
            kind=payoff.ParameterKind.INTEGER,
            minimum=0.0,
            help="Only the first places of each list count; 0 = all.",
        ),
        payoff.Parameter(
            name="gain",
            words="gain of a grade",
            default=0.0,
            kind=payoff.ParameterKind.CHOICE,
            choices=("grade", "2^grade - 1"),
            choice_aliases=(("linear",), ("exponential",)),
            help="The steeper gain makes the best grades count much more.",
        ),
    ),
    compute=ndcg,
    remark=lists_without_hit,
)

MRR = _metric(
    id="mrr",
    label="MRR",
    help="1 over the place of the first hit (a grade above 0), mean over lists; of equal scores "
    "the hit stands last.",
    formula="mean over groups of 1 ÷ place of the first hit",
    aliases=("mean_reciprocal_rank",),
    reference="Voorhees 1999",
    compute=mean_reciprocal_rank,
    remark=lists_without_hit,
)

MAP = _metric(
    id="map",
    label="MAP",
    help="Mean precision at the hits (grades above 0), mean over lists; of equal scores hits "
    "stand last.",
    formula="mean over groups of the mean over hits of hits so far ÷ place",
    aliases=("mean_average_precision",),
    reference="Manning, Raghavan & Schütze 2008, section 8.4",
    compute=mean_average_precision,
    remark=lists_without_hit,
)

ORDERED_PAIRS = _metric(
    id="ordered_pairs",
    usual_for=(payoff.Task.RANKING,),
    label="Pairs in order",
    help="Share of the pairs of different grades of a list that stand in the right order, mean "
    "over lists; equal scores count half.",
    formula="mean over groups of (pairs in order + ½ pairs of equal score) ÷ pairs",
    aliases=(
        "concordance",
        "conc",
    ),
    reference="R package gbm, pairwise measure conc",
    random_value=0.5,
    compute=ordered_pairs,
    remark=lists_without_pair,
)
