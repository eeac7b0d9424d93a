"""Negative binomial loss: a count that spreads more than Poisson's."""

from __future__ import annotations

import math

import payoff
from payoff.numeric import exp_or_infinity, exp_response, log1p_exp, log_link, sigmoid
from payoff.types import FloatArray, IntArray, StopFlag

# Where nothing was counted the best score is minus infinity; exp(-19) = 6e-9 stands for nothing.
LOWEST_SCORE = -19.0
MOST_STEPS = 200


@payoff.kernel(shape="elementwise")
def negative_binomial_loss(
    outcome: FloatArray,
    score: FloatArray,
    parameters: FloatArray,
    out: FloatArray,
    start: int,
    stop: int,
) -> None:
    """Fill 2 ((y + s) log(1 + e^F / s) - y F), s = size."""
    size = parameters[0]
    shift = math.log(size)
    for i in range(start, stop):
        spread = (outcome[i] + size) * log1p_exp(score[0, i] - shift)
        out[i] = 2.0 * (spread - outcome[i] * score[0, i])


@payoff.kernel(shape="elementwise")
def negative_binomial_saturated(
    outcome: FloatArray, parameters: FloatArray, out: FloatArray, start: int, stop: int
) -> None:
    """Fill the loss at F = log y, 0 where y is 0."""
    size = parameters[0]
    for i in range(start, stop):
        out[i] = 0.0
        if outcome[i] > 0.0:
            spread = (outcome[i] + size) * math.log1p(outcome[i] / size)
            out[i] = 2.0 * (spread - outcome[i] * math.log(outcome[i]))


@payoff.kernel(shape="elementwise")
def negative_binomial_gradient(
    outcome: FloatArray,
    score: FloatArray,
    parameters: FloatArray,
    gradient: FloatArray,
    curvature: FloatArray,
    start: int,
    stop: int,
) -> None:
    """Fill (y - mu) s / (mu + s) and the expected curvature mu s / (mu + s)."""
    size = parameters[0]
    shift = math.log(size)
    for i in range(start, stop):
        share = sigmoid(score[0, i] - shift)
        gradient[0, i] = outcome[i] * sigmoid(shift - score[0, i]) - size * share
        curvature[0, i] = size * share


@payoff.kernel(shape="helper")
def log_ratio(counted: float, expected: float, lowest: float) -> float:
    """Return log(counted / expected); where nothing was counted, the way down to -19."""
    if expected <= 0.0:
        return 0.0
    if counted > 0.0:
        return math.log(counted / expected)
    return min(LOWEST_SCORE - lowest, 0.0)


@payoff.kernel(shape="whole")
def negative_binomial_initial_score(
    outcome: FloatArray,
    weight: FloatArray,
    offset: FloatArray,
    parameters: FloatArray,
    out: FloatArray,
    stop_flag: StopFlag,
) -> None:
    """Fill the best constant: log(sum of q y / sum of q mu) again and again, q = w s / (mu + s)."""
    size = parameters[0]
    total = 0.0
    mass = 0.0
    for i in range(outcome.shape[0]):
        total += weight[i] * outcome[i]
        mass += weight[i] * exp_or_infinity(offset[0, i])
    value = math.log(total / mass) if total > 0.0 and mass > 0.0 else LOWEST_SCORE
    out[0] = value
    if value == LOWEST_SCORE:
        return
    shift = math.log(size)
    before = math.inf
    for _ in range(MOST_STEPS):
        counted = 0.0
        expected = 0.0
        for i in range(outcome.shape[0]):
            share = sigmoid(out[0] + offset[0, i] - shift)
            counted += weight[i] * outcome[i] * sigmoid(shift - out[0] - offset[0, i])
            expected += weight[i] * size * share
        step = log_ratio(counted, expected, out[0])
        out[0] += step
        # Sums over many cases are rounded: near the end steps do not become smaller than that.
        is_rounding = abs(step) <= 1e-10 and abs(step) >= before
        if abs(step) <= 1e-13 or is_rounding or stop_flag[0] != 0:
            break
        before = abs(step)


@payoff.kernel(shape="by_group")
def negative_binomial_leaf_values(
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
    """Fill log(sum of q y / sum of q mu) with q = w s / (mu + s) held at the scores before.

    The best shift where a leaf's scores are equal, a step towards it elsewhere; unlike Newton's
    it cannot leap up. A leaf without counts moves its lowest score to -19, and never up.
    """
    for leaf in range(first_group, last_group):
        counted = 0.0
        expected = 0.0
        lowest = math.inf
        is_counted = False
        for k in range(offsets[leaf], offsets[leaf + 1]):
            i = rows[k]
            if weight[i] > 0.0:
                counted += weight[i] * (gradient[0, i] + curvature[0, i])
                expected += weight[i] * curvature[0, i]
                lowest = min(lowest, score[0, i])
                is_counted = is_counted or outcome[i] > 0.0
        out[leaf] = log_ratio(counted if is_counted else 0.0, expected, lowest)


NEGATIVE_BINOMIAL = payoff.LossDistribution(
    id="negative_binomial",
    label="Negative binomial",
    asks="a count that spreads more than Poisson's",
    help="Negative binomial loss: the mean of a count whose variance outgrows its mean.",
    formula="loss 2 w ((y + s) log(1 + e^F/s) − y F); variance μ + μ²/s, μ = e^F, s = size",
    reference="Hilbe 2011; R package MASS, glm.nb (Venables & Ripley 2002)",
    target=payoff.TargetDomain.COUNTS,
    loss=negative_binomial_loss,
    saturated=negative_binomial_saturated,
    negative_gradient=negative_binomial_gradient,
    initial_score=negative_binomial_initial_score,
    response=exp_response,
    link=log_link,
    leaf_kind=payoff.LeafKind.SOLVER,
    leaf_values=negative_binomial_leaf_values,
    gradient_factor=0.5,
    response_low=0.0,
    is_response_open=True,
    parameters=(
        payoff.Parameter(
            name="size",
            words="size: variance is mean + mean² / size",
            default=1.0,
            minimum=0.0,
            is_minimum_open=True,
            help="theta of glm.nb. Large: like Poisson. Small: single large counts count little.",
        ),
    ),
)
