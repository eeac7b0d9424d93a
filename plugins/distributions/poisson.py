"""Poisson loss: the expected number of events."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

import payoff
from payoff.numeric import exp_or_infinity, exp_response, fill_log, log_link
from payoff.types import FloatArray, IntArray, StopFlag

STRIP = 512
"""Cases whose logarithms are taken together."""

# Where nothing was counted the best score is minus infinity; exp(-19) = 6e-9 stands for none.
LOWEST_SCORE = -19.0
HIGHEST_SCORE = 19.0


@payoff.kernel(shape="elementwise")
def poisson_loss(
    outcome: FloatArray,
    score: FloatArray,
    parameters: FloatArray,
    out: FloatArray,
    start: int,
    stop: int,
) -> None:
    """Fill -2 (y F - exp F)."""
    for i in range(start, stop):
        known = outcome[i] * score[0, i] if outcome[i] != 0.0 else 0.0
        out[i] = -2.0 * (known - exp_or_infinity(score[0, i]))


@payoff.kernel(shape="elementwise")
def poisson_saturated(
    outcome: FloatArray, parameters: FloatArray, out: FloatArray, start: int, stop: int
) -> None:
    """Fill the loss at F = log y: -2 (y log y - y), 0 where y is 0."""
    for i in range(start, stop):
        count = outcome[i]
        out[i] = -2.0 * (count * math.log(count) - count) if count > 0.0 else 0.0


@payoff.kernel(shape="elementwise")
def poisson_deviance(
    outcome: FloatArray,
    prediction: FloatArray,
    parameters: FloatArray,
    out: FloatArray,
    start: int,
    stop: int,
) -> None:
    """Fill 2 (y log(y / m) - (y - m)), 2 m where y is 0, in strips that stay in the cache."""
    ratio, log_ratio = np.empty(STRIP), np.empty(STRIP)
    for first in range(start, stop, STRIP):
        size = min(STRIP, stop - first)
        for i in range(size):
            count = outcome[first + i]
            ratio[i] = count / prediction[0, first + i] if count > 0.0 else 1.0
        fill_log(ratio[:size], log_ratio[:size])
        for i in range(size):
            count = outcome[first + i]
            out[first + i] = 2.0 * (count * log_ratio[i] - (count - prediction[0, first + i]))


@payoff.kernel(shape="elementwise")
def poisson_gradient(
    outcome: FloatArray,
    score: FloatArray,
    parameters: FloatArray,
    gradient: FloatArray,
    curvature: FloatArray,
    start: int,
    stop: int,
) -> None:
    """Fill y - exp F and exp F."""
    for i in range(start, stop):
        expected = exp_or_infinity(score[0, i])
        gradient[0, i] = outcome[i] - expected
        curvature[0, i] = expected


@payoff.kernel(shape="whole")
def poisson_initial_score(
    outcome: FloatArray,
    weight: FloatArray,
    offset: FloatArray,
    parameters: FloatArray,
    out: FloatArray,
    stop_flag: StopFlag,
) -> None:
    """Fill log(sum w y / sum w exp(offset))."""
    counted = 0.0
    exposed = 0.0
    for i in range(outcome.shape[0]):
        counted += weight[i] * outcome[i]
        exposed += weight[i] * exp_or_infinity(offset[0, i])
    if counted > 0.0 and exposed > 0.0:
        out[0] = math.log(counted / exposed)
    else:
        out[0] = LOWEST_SCORE


@payoff.kernel(shape="by_group")
def poisson_leaf_values(
    outcome: FloatArray,
    score: FloatArray,
    weight: FloatArray,
    gradient: FloatArray,
    curvature: FloatArray,
    parameters: FloatArray,
    output: int,
    rows: IntArray,
    offsets: IntArray,
    out: FloatArray,
    first_group: int,
    last_group: int,
) -> None:
    """Fill log(sum w y / sum w exp F), the exact best shift of a leaf.

    A leaf without any count would go to minus infinity: its lowest score goes to -19 instead,
    and never up.
    """
    for leaf in range(first_group, last_group):
        counted = 0.0
        expected = 0.0
        lowest = math.inf
        for k in range(offsets[leaf], offsets[leaf + 1]):
            i = rows[k]
            counted += weight[i] * outcome[i]
            expected += weight[i] * curvature[0, i]
            if weight[i] > 0.0:
                lowest = min(lowest, score[0, i])
        if expected <= 0.0:
            out[leaf] = 0.0
        elif counted > 0.0:
            out[leaf] = math.log(counted / expected)
        else:
            out[leaf] = min(LOWEST_SCORE - lowest, 0.0)


@payoff.kernel(shape="by_group")
def gbm_poisson_leaf_values(
    outcome: FloatArray,
    score: FloatArray,
    weight: FloatArray,
    gradient: FloatArray,
    curvature: FloatArray,
    parameters: FloatArray,
    output: int,
    rows: IntArray,
    offsets: IntArray,
    out: FloatArray,
    first_group: int,
    last_group: int,
) -> None:
    """Fill gbm's log(sum w y / sum w exp F) for fits with an offset: -19 where nothing was
    counted, and no other limit.
    """
    for leaf in range(first_group, last_group):
        counted = 0.0
        expected = 0.0
        for k in range(offsets[leaf], offsets[leaf + 1]):
            i = rows[k]
            counted += weight[i] * outcome[i]
            expected += weight[i] * curvature[0, i]
        if counted <= 0.0:
            out[leaf] = LOWEST_SCORE
        elif expected <= 0.0:
            out[leaf] = 0.0
        else:
            out[leaf] = math.log(counted / expected)


@payoff.kernel(shape="by_group")
def gbm_poisson_clamped_leaf_values(
    outcome: FloatArray,
    score: FloatArray,
    weight: FloatArray,
    gradient: FloatArray,
    curvature: FloatArray,
    parameters: FloatArray,
    output: int,
    rows: IntArray,
    offsets: IntArray,
    out: FloatArray,
    first_group: int,
    last_group: int,
) -> None:
    """Fill gbm's values for fits without an offset: no score of a leaf may leave -19 .. 19."""
    gbm_poisson_leaf_values(
        outcome,
        score,
        weight,
        gradient,
        curvature,
        parameters,
        output,
        rows,
        offsets,
        out,
        first_group,
        last_group,
    )
    for leaf in range(first_group, last_group):
        lowest = 0.0
        highest = 0.0
        for k in range(offsets[leaf], offsets[leaf + 1]):
            value = score[0, rows[k]]
            lowest = value if k == offsets[leaf] else min(lowest, value)
            highest = value if k == offsets[leaf] else max(highest, value)
        out[leaf] = min(max(out[leaf], LOWEST_SCORE - lowest), HIGHEST_SCORE - highest)


POISSON = payoff.LossDistribution(
    id="poisson",
    label="Poisson",
    asks="a count",
    help="Poisson loss: fits the expected number of events; exposure goes in as log offset.",
    formula="loss −2 w (y F − e^F); deviance 2 w (y log(y/μ) − (y − μ)), μ = e^F",
    reference="McCullagh & Nelder 1989; Ridgeway, Generalized boosted models",
    target=payoff.TargetDomain.COUNTS,
    loss=poisson_loss,
    saturated=poisson_saturated,
    deviance=poisson_deviance,
    negative_gradient=poisson_gradient,
    initial_score=poisson_initial_score,
    response=exp_response,
    link=log_link,
    leaf_kind=payoff.LeafKind.LOCATION,
    leaf_values=poisson_leaf_values,
    gradient_factor=0.5,
    response_low=0.0,
    is_response_open=True,
)

GBM_POISSON = replace(
    POISSON,
    id="gbm_poisson",
    label="Poisson as in gbm",
    leaf_kind=payoff.LeafKind.SOLVER,
    leaf_values=gbm_poisson_clamped_leaf_values,
)
GBM_POISSON_WITH_OFFSET = replace(
    GBM_POISSON,
    id="gbm_poisson_with_offset",
    label="Poisson with an offset as in gbm",
    leaf_values=gbm_poisson_leaf_values,
)
POISSON = replace(POISSON, gbm=GBM_POISSON, gbm_with_offset=GBM_POISSON_WITH_OFFSET)
