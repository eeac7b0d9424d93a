"""Tweedie loss: an amount that is often nothing, such as the claims of a year."""

from __future__ import annotations

import math

import numpy as np

import payoff
from payoff.numeric import exp_or_infinity, exp_response, fill_exp, log_link, log_or_minus_infinity
from payoff.types import FloatArray, IntArray, StopFlag

# Where nothing was paid the best score is minus infinity; exp(-19) = 6e-9 stands for nothing.
LOWEST_SCORE = -19.0
_BLOCK = 512


@payoff.kernel(shape="elementwise")
def tweedie_loss(
    outcome: FloatArray,
    score: FloatArray,
    parameters: FloatArray,
    out: FloatArray,
    start: int,
    stop: int,
) -> None:
    """Fill 2 (exp((2 - p) F) / (2 - p) - y exp((1 - p) F) / (1 - p))."""
    power = parameters[0]
    for i in range(start, stop):
        out[i] = 2.0 * exp_or_infinity((2.0 - power) * score[0, i]) / (2.0 - power)
        if outcome[i] > 0.0:
            pull = exp_or_infinity((1.0 - power) * score[0, i])
            out[i] -= 2.0 * outcome[i] * pull / (1.0 - power)


@payoff.kernel(shape="elementwise")
def tweedie_saturated(
    outcome: FloatArray, parameters: FloatArray, out: FloatArray, start: int, stop: int
) -> None:
    """Fill the loss at F = log y: 2 y^(2 - p) / ((p - 1) (2 - p)), 0 where y is 0."""
    power = parameters[0]
    for i in range(start, stop):
        out[i] = 2.0 * outcome[i] ** (2.0 - power) / ((power - 1.0) * (2.0 - power))


@payoff.kernel(shape="elementwise")
def tweedie_deviance(
    outcome: FloatArray,
    prediction: FloatArray,
    parameters: FloatArray,
    out: FloatArray,
    start: int,
    stop: int,
) -> None:
    """Fill 2 (m^(2 - p) / (2 - p) - y m^(1 - p) / (1 - p) - y^(2 - p) / ((p - 1) (2 - p)))."""
    power = parameters[0]
    log_of = np.empty(_BLOCK)
    pull = np.empty(_BLOCK)
    paid = np.empty(_BLOCK)
    for base in range(start, stop, _BLOCK):
        count = min(_BLOCK, stop - base)
        for j in range(count):
            log_of[j] = (1.0 - power) * math.log(prediction[0, base + j])
        fill_exp(log_of[:count], pull[:count])
        for j in range(count):
            log_of[j] = (2.0 - power) * log_or_minus_infinity(outcome[base + j])
        fill_exp(log_of[:count], paid[:count])
        for j in range(count):
            y = outcome[base + j]
            expected = prediction[0, base + j] * pull[j] / (2.0 - power)
            known = paid[j] / ((power - 1.0) * (2.0 - power)) if y > 0.0 else 0.0
            out[base + j] = 2.0 * (expected - y * pull[j] / (1.0 - power) - known)


@payoff.kernel(shape="elementwise")
def tweedie_gradient(
    outcome: FloatArray,
    score: FloatArray,
    parameters: FloatArray,
    gradient: FloatArray,
    curvature: FloatArray,
    start: int,
    stop: int,
) -> None:
    """Fill y exp((1 - p) F) - exp((2 - p) F) and its fall."""
    power = parameters[0]
    for i in range(start, stop):
        expected = exp_or_infinity((2.0 - power) * score[0, i])
        paid = 0.0
        if outcome[i] > 0.0:
            paid = outcome[i] * exp_or_infinity((1.0 - power) * score[0, i])
        gradient[0, i] = paid - expected
        curvature[0, i] = (power - 1.0) * paid + (2.0 - power) * expected


@payoff.kernel(shape="whole")
def tweedie_initial_score(
    outcome: FloatArray,
    weight: FloatArray,
    offset: FloatArray,
    parameters: FloatArray,
    out: FloatArray,
    stop_flag: StopFlag,
) -> None:
    """Fill log(sum w y exp((1 - p) offset) / sum w exp((2 - p) offset))."""
    power = parameters[0]
    paid = 0.0
    exposed = 0.0
    for i in range(outcome.shape[0]):
        exposed += weight[i] * exp_or_infinity((2.0 - power) * offset[0, i])
        if outcome[i] > 0.0:
            paid += weight[i] * outcome[i] * exp_or_infinity((1.0 - power) * offset[0, i])
    out[0] = math.log(paid / exposed) if paid > 0.0 and exposed > 0.0 else LOWEST_SCORE


@payoff.kernel(shape="by_group")
def tweedie_leaf_values(
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
    """Fill log(sum w y exp((1 - p) F) / sum w exp((2 - p) F)), the exact best shift of a leaf.

    A leaf in which nothing was paid would go to minus infinity: its lowest score goes to -19
    instead, and never up.
    """
    power = parameters[0]
    for leaf in range(first_group, last_group):
        paid = 0.0
        expected = 0.0
        lowest = math.inf
        for k in range(offsets[leaf], offsets[leaf + 1]):
            i = rows[k]
            # Gradient and curvature hold both powers of the score; nothing paid gives exactly 0.
            pull = curvature[0, i] + (2.0 - power) * gradient[0, i] if outcome[i] > 0.0 else 0.0
            paid += weight[i] * pull
            expected += weight[i] * (pull - gradient[0, i])
            if weight[i] > 0.0:
                lowest = min(lowest, score[0, i])
        if expected <= 0.0:
            out[leaf] = 0.0
        elif paid > 0.0:
            out[leaf] = math.log(paid / expected)
        else:
            out[leaf] = min(LOWEST_SCORE - lowest, 0.0)


TWEEDIE = payoff.LossDistribution(
    id="tweedie",
    label="Tweedie",
    asks="an amount, often nothing",
    help="Tweedie loss: the mean of an amount with many zeros; exposure goes in as log offset.",
    formula="loss 2 w (e^((2−p)F)/(2−p) − y e^((1−p)F)/(1−p)), p = power",
    reference="Jørgensen 1987; Yang, Qian & Zou 2018; R package gbm3, distribution Tweedie",
    target=payoff.TargetDomain.COUNTS,
    loss=tweedie_loss,
    saturated=tweedie_saturated,
    deviance=tweedie_deviance,
    negative_gradient=tweedie_gradient,
    initial_score=tweedie_initial_score,
    response=exp_response,
    link=log_link,
    leaf_kind=payoff.LeafKind.LOCATION,
    leaf_values=tweedie_leaf_values,
    gradient_factor=0.5,
    response_low=0.0,
    is_response_open=True,
    parameters=(
        payoff.Parameter(
            name="power",
            words="power by which the variance grows with the mean",
            default=1.5,
            minimum=1.0,
            maximum=2.0,
            is_minimum_open=True,
            is_maximum_open=True,
            help="Near 1 like counts, near 2 like positive amounts.",
        ),
    ),
)
