"""Gamma loss: a positive amount whose spread grows with its mean."""

from __future__ import annotations

import math

import numpy as np

import payoff
from payoff.numeric import exp_or_infinity, exp_response, fill_log, log_link
from payoff.types import FloatArray, IntArray, StopFlag

STRIP = 512


@payoff.kernel(shape="elementwise")
def gamma_loss(
    outcome: FloatArray,
    score: FloatArray,
    parameters: FloatArray,
    out: FloatArray,
    start: int,
    stop: int,
) -> None:
    """Fill 2 (y exp(-F) + F)."""
    for i in range(start, stop):
        out[i] = 2.0 * (outcome[i] * exp_or_infinity(-score[0, i]) + score[0, i])


@payoff.kernel(shape="elementwise")
def gamma_saturated(
    outcome: FloatArray, parameters: FloatArray, out: FloatArray, start: int, stop: int
) -> None:
    """Fill the loss at F = log y: 2 (1 + log y)."""
    for i in range(start, stop):
        out[i] = 2.0 * (1.0 + math.log(outcome[i]))


@payoff.kernel(shape="elementwise")
def gamma_deviance(
    outcome: FloatArray,
    prediction: FloatArray,
    parameters: FloatArray,
    out: FloatArray,
    start: int,
    stop: int,
) -> None:
    """Fill 2 (y / m - 1 - log(y / m)), in strips that stay in the cache."""
    ratio, log_ratio = np.empty(STRIP), np.empty(STRIP)
    for first in range(start, stop, STRIP):
        size = min(STRIP, stop - first)
        for i in range(size):
            ratio[i] = outcome[first + i] / prediction[0, first + i]
        fill_log(ratio[:size], log_ratio[:size])
        for i in range(size):
            out[first + i] = 2.0 * (ratio[i] - 1.0 - log_ratio[i])


@payoff.kernel(shape="elementwise")
def gamma_gradient(
    outcome: FloatArray,
    score: FloatArray,
    parameters: FloatArray,
    gradient: FloatArray,
    curvature: FloatArray,
    start: int,
    stop: int,
) -> None:
    """Fill y exp(-F) - 1 and y exp(-F)."""
    for i in range(start, stop):
        ratio = outcome[i] * exp_or_infinity(-score[0, i])
        gradient[0, i] = ratio - 1.0
        curvature[0, i] = ratio


@payoff.kernel(shape="whole")
def gamma_initial_score(
    outcome: FloatArray,
    weight: FloatArray,
    offset: FloatArray,
    parameters: FloatArray,
    out: FloatArray,
    stop_flag: StopFlag,
) -> None:
    """Fill the log of the weighted mean of y exp(-offset)."""
    total = 0.0
    mass = 0.0
    for i in range(outcome.shape[0]):
        total += weight[i] * outcome[i] * exp_or_infinity(-offset[0, i])
        mass += weight[i]
    out[0] = math.log(total / mass) if mass > 0.0 else 0.0


@payoff.kernel(shape="by_group")
def gamma_leaf_values(
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
    """Fill the log of the weighted mean of y exp(-F), the exact best shift of a leaf."""
    for leaf in range(first_group, last_group):
        total = 0.0
        mass = 0.0
        for k in range(offsets[leaf], offsets[leaf + 1]):
            i = rows[k]
            total += weight[i] * curvature[0, i]
            mass += weight[i]
        out[leaf] = math.log(total / mass) if total > 0.0 else 0.0


GAMMA = payoff.LossDistribution(
    id="gamma",
    label="Gamma",
    asks="a positive amount",
    help="Gamma loss: fits the mean of a positive amount; misses count in per cent of it.",
    formula="loss 2 w (y e^−F + F); deviance 2 w (y/μ − 1 − log(y/μ)), μ = e^F",
    reference="McCullagh & Nelder 1989; R package gbm3, distribution Gamma",
    target=payoff.TargetDomain.POSITIVE,
    loss=gamma_loss,
    saturated=gamma_saturated,
    deviance=gamma_deviance,
    negative_gradient=gamma_gradient,
    initial_score=gamma_initial_score,
    response=exp_response,
    link=log_link,
    leaf_kind=payoff.LeafKind.LOCATION,
    leaf_values=gamma_leaf_values,
    gradient_factor=0.5,
    response_low=0.0,
    is_response_open=True,
)
