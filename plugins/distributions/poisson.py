"""Poisson loss: the expected number of events."""

from __future__ import annotations

import math

import payoff
from payoff.numeric import exp_or_infinity, log_or_minus_infinity
from payoff.types import FloatArray, IntArray, StopFlag

# Where nothing was counted the best score is minus infinity; exp(-19) = 6e-9 stands for none.
LOWEST_SCORE = -19.0


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
            expected += weight[i] * exp_or_infinity(score[0, i])
            if weight[i] > 0.0:
                lowest = min(lowest, score[0, i])
        if expected <= 0.0:
            out[leaf] = 0.0
        elif counted > 0.0:
            out[leaf] = math.log(counted / expected)
        else:
            out[leaf] = min(LOWEST_SCORE - lowest, 0.0)


@payoff.kernel(shape="elementwise")
def poisson_response(
    score: FloatArray, parameters: FloatArray, out: FloatArray, start: int, stop: int
) -> None:
    """Fill expected counts exp F."""
    for i in range(start, stop):
        out[0, i] = exp_or_infinity(score[0, i])


@payoff.kernel(shape="elementwise")
def poisson_link(
    prediction: FloatArray, parameters: FloatArray, out: FloatArray, start: int, stop: int
) -> None:
    """Fill the log of expected counts."""
    for i in range(start, stop):
        out[0, i] = log_or_minus_infinity(prediction[0, i])


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
    negative_gradient=poisson_gradient,
    initial_score=poisson_initial_score,
    response=poisson_response,
    link=poisson_link,
    leaf_kind=payoff.LeafKind.LOCATION,
    leaf_values=poisson_leaf_values,
    gradient_factor=0.5,
    response_low=0.0,
    is_response_open=True,
)
