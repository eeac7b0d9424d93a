"""Ranking inside groups: lambdas, the pull of each pair times what swapping it would cost."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

import payoff
from payoff.numeric import identity_response
from payoff.specs import Blocks, Columns
from payoff.types import FloatArray, IntArray, StopFlag
from plugins.distributions.ranking_measures import (
    best_measure,
    measure,
    prepared_sums,
    ranks_of,
    swap_cost,
)

METRICS = ("conc", "mrr", "map", "ndcg")


@payoff.kernel(shape="helper")
def average_over_ties(
    ranked: FloatArray, own: FloatArray, gradient: FloatArray, hessian: FloatArray
) -> None:
    """Share pulls evenly among cases of equal score and label, which may stand in any order.

    Their places follow each other. Whichever order they have, the sums over them are the same: the
    mean over all orders gives each the mean of what they have together.
    """
    size = ranked.shape[0]
    first = 0
    while first < size:
        stop = first + 1
        while stop < size and own[stop] == own[first] and ranked[stop] == ranked[first]:
            stop += 1
        pull = 0.0
        curve = 0.0
        for place in range(first, stop):
            pull += gradient[place]
            curve += hessian[place]
        for place in range(first, stop):
            gradient[place] = pull / (stop - first)
            hessian[place] = curve / (stop - first)
        first = stop


@payoff.kernel(shape="helper")
def pull_pairs(
    outcome: FloatArray,
    score: FloatArray,
    rows: IntArray,
    start: int,
    size: int,
    metric: int,
    max_rank: int,
    is_gbm: bool,
    gradient: FloatArray,
    curvature: FloatArray,
) -> None:
    """Fill the lambdas of a group: D rho up for the better, down for the worse case of each pair.

    D is what swapping the two would change, rho = 1 / (1 + exp(F_better - F_worse)); all is
    divided by the group's best measure and its number of pairs with D > 0. Sums run over places,
    so that the order of the rows changes nothing.
    """
    for k in range(start, start + size):
        gradient[0, rows[k]] = 0.0
        curvature[0, rows[k]] = 0.0
    if size < 2 or outcome[rows[start]] == outcome[rows[start + size - 1]]:
        return
    best = best_measure(outcome, rows, start, size, metric, max_rank)
    if best <= 0.0:
        return
    ranks, ranked = ranks_of(outcome, score, rows, start, size)[1:]
    sums = prepared_sums(ranked, ranked, metric, max_rank)
    own = np.empty(size)
    places = np.arange(1, size + 1)
    gradient_sum = np.zeros(size)
    hessian = np.zeros(size)
    for a in range(size):
        own[ranks[a] - 1] = score[0, rows[start + a]]
    pairs = 0
    for a in range(size):
        for b in range(size):
            if ranked[a] <= ranked[b]:
                continue
            cost = swap_cost(ranked, places, sums, a, b, metric, max_rank, is_gbm)
            if cost <= 0.0:
                continue
            pairs += 1
            rho = 1.0 / (1.0 + math.exp(min(own[a] - own[b], 500.0)))
            pull = cost * rho
            gradient_sum[a] += pull
            gradient_sum[b] -= pull
            hessian[a] += pull * (1.0 - rho)
            hessian[b] += pull * (1.0 - rho)
    if pairs > 0:
        average_over_ties(ranked, own, gradient_sum, hessian)
        for a in range(size):
            gradient[0, rows[start + a]] = gradient_sum[ranks[a] - 1] / (best * pairs)
            curvature[0, rows[start + a]] = hessian[ranks[a] - 1] / (best * pairs)


@payoff.kernel(shape="helper")
def pull_groups(
    cases: payoff.BlockCases,
    is_gbm: bool,
    gradient: FloatArray,
    curvature: FloatArray,
    first_group: int,
    last_group: int,
) -> None:
    """Fill the lambdas of several groups."""
    outcome, score, rows, offsets = cases.outcome, cases.score, cases.rows, cases.offsets
    metric, max_rank = int(cases.parameters[0]), int(cases.parameters[1])
    for block in range(first_group, last_group):
        start = offsets[block]
        size = offsets[block + 1] - start
        pull_pairs(
            outcome,
            score,
            rows,
            start,
            size,
            metric,
            max_rank,
            is_gbm,
            gradient,
            curvature,
        )


@payoff.kernel(shape="by_group", takes_cases=True)
def pairwise_loss(
    cases: payoff.BlockCases,
    out: FloatArray,
    factor: FloatArray,
    first_group: int,
    last_group: int,
) -> None:
    """Fill 1 - measure / best measure for the cases of each group, factor 1 / cases.

    Groups of one case, of one label only or without a label above 0 have factor 0.
    """
    outcome, score, rows, offsets = cases.outcome, cases.score, cases.rows, cases.offsets
    metric = int(cases.parameters[0])
    max_rank = int(cases.parameters[1])
    for block in range(first_group, last_group):
        start = offsets[block]
        size = offsets[block + 1] - start
        lost = 0.0
        share = 0.0
        if size >= 2 and outcome[rows[start]] != outcome[rows[start + size - 1]]:
            best = best_measure(outcome, rows, start, size, metric, max_rank)
            if best > 0.0:
                ranked = ranks_of(outcome, score, rows, start, size)[2]
                lost = 1.0 - measure(ranked, metric, max_rank) / best
                share = 1.0 / size
        for k in range(start, start + size):
            out[rows[k]] = lost
            factor[rows[k]] = share


@payoff.kernel(shape="by_group", takes_cases=True)
def pairwise_gradient(
    cases: payoff.BlockCases,
    gradient: FloatArray,
    curvature: FloatArray,
    first_group: int,
    last_group: int,
) -> None:
    """Fill the lambdas of each group and their bends."""
    pull_groups(cases, False, gradient, curvature, first_group, last_group)


@payoff.kernel(shape="by_group", takes_cases=True)
def gbm_pairwise_gradient(
    cases: payoff.BlockCases,
    gradient: FloatArray,
    curvature: FloatArray,
    first_group: int,
    last_group: int,
) -> None:
    """Fill the same with gbm's rule for mrr, which overlooks a second hit between the two."""
    pull_groups(cases, True, gradient, curvature, first_group, last_group)


@payoff.kernel(shape="whole", takes_cases=True)
def pairwise_initial_score(cases: payoff.BlockCases, out: FloatArray, stop_flag: StopFlag) -> None:
    """Fill 0: a constant changes no ranking."""
    out[0] = 0.0


def groups_by_falling_label(
    outcome: FloatArray, parameters: payoff.Parameters, columns: Columns
) -> Blocks:
    """Return one block per group, its cases by falling label."""
    group = columns["group"]
    rows = np.lexsort((-outcome, group))
    ends = np.flatnonzero(np.diff(group[rows])) + 1
    return rows, np.concatenate([[0], ends, [outcome.shape[0]]])


def check_groups(
    outcome: FloatArray, weight: FloatArray, parameters: payoff.Parameters, columns: Columns
) -> None:
    """Refuse labels that the measure cannot read, uneven weights, and groups without any pair."""
    metric = METRICS[int(parameters["metric"])]
    if metric in ("mrr", "map"):
        is_wrong = (outcome != 0.0) & (outcome != 1.0)
        if is_wrong.any():
            row = int(np.argmax(is_wrong))
            raise payoff.PayoffError(
                f"The label {outcome[row]:g} cannot be ranked by {metric}.",
                where=f"row {row + 1}",
                why="It knows hits (1) and others (0) only.",
                remedy="Take ndcg or conc for grades, or mark hits with 1.",
            )
    rows, offsets = groups_by_falling_label(outcome, parameters, columns)
    first, size = rows[offsets[:-1]], np.diff(offsets)
    is_uneven = weight[rows] != np.repeat(weight[first], size)
    if is_uneven.any():
        row = int(rows[is_uneven].min())
        raise payoff.PayoffError(
            "The weights of a group differ.",
            where=f"weight, row {row + 1}",
            why="Rankings weigh whole groups.",
            remedy="Give all rows of a group the same weight.",
        )
    has_pair = (outcome[first] != outcome[rows[offsets[1:] - 1]]) & (weight[first] > 0.0)
    if not has_pair.any():
        raise payoff.PayoffError(
            "No group has two different labels.",
            where="group",
            why="A ranking is learnt from pairs of a better and a worse case in the same group.",
            remedy="Check the group column: each of its values should stand for one list.",
        )


def judging_metric(parameters: payoff.Parameters) -> tuple[str, payoff.Parameters]:
    """Return the metric of the measure that is trained for."""
    metric, places = METRICS[int(parameters["metric"])], parameters["max_rank"]
    if metric == "conc":
        return "ordered_pairs", {}
    return metric, {"places": places} if metric == "ndcg" and places > 0 else {}


_STAND_IN = "Ranking measures are steps; lambdas are slopes of a smooth stand-in."
PAIRWISE = payoff.LossDistribution(
    id="pairwise",
    label="Ranking in groups",
    asks="which cases of a group come first",
    judged_by=judging_metric,
    plain=payoff.PlainWords(
        "The best on top",
        "Learns to put the better case above the worse one within each group.",
        "when a list is shown and only its order counts.",
    ),
    help="Lambda gradients: fits the order of cases inside groups by a ranking measure.",
    formula="mean over groups of 1 − measure / best; a pair pulls D / (1 + e^(F_i − F_j))",
    reference="Burges, Ragno & Le 2006; Burges 2010, LambdaMART; R package gbm, pairwise",
    target=payoff.TargetDomain.GRADES,
    loss=pairwise_loss,
    negative_gradient=pairwise_gradient,
    initial_score=pairwise_initial_score,
    response=identity_response,
    link=identity_response,
    leaf_kind=payoff.LeafKind.NEWTON,
    gradient_factor=1.0,
    parameters=(
        payoff.Parameter(
            name="metric",
            words="measure of a ranking",
            default=3.0,
            kind=payoff.ParameterKind.CHOICE,
            choices=METRICS,
            help="conc: pairs in order; mrr: place of the first hit; map: places of all hits; "
            "ndcg: grades, higher places count more (linear gain).",
        ),
        payoff.Parameter(
            name="max_rank",
            words="places that count",
            default=0.0,
            kind=payoff.ParameterKind.INTEGER,
            minimum=0.0,
            help="0 = all; for ndcg and mrr only.",
        ),
    ),
    extras=(payoff.Extra.WEIGHT, payoff.Extra.OFFSET, payoff.Extra.GROUP),
    usual_for=(payoff.Task.RANKING,),
    arrange=groups_by_falling_label,
    is_weight_exact=False,
    is_shift_free=True,
    check_cases=check_groups,
    expected_failures=(
        ("Gradient matches the loss", _STAND_IN),
        ("Gradient holds at other settings", _STAND_IN),
    ),
)

GBM_PAIRWISE = replace(
    PAIRWISE,
    id="gbm_pairwise",
    label="Ranking in groups as in gbm",
    negative_gradient=gbm_pairwise_gradient,
)
PAIRWISE = replace(PAIRWISE, gbm=GBM_PAIRWISE)
