"""Squared error: a number whose mean is wanted."""

from __future__ import annotations

import payoff
from payoff.numeric import identity_response
from payoff.types import FloatArray, StopFlag


@payoff.kernel(shape="elementwise")
def gaussian_loss(
    outcome: FloatArray,
    score: FloatArray,
    parameters: FloatArray,
    out: FloatArray,
    start: int,
    stop: int,
) -> None:
    """Fill (y - F)^2."""
    for i in range(start, stop):
        residual = outcome[i] - score[0, i]
        out[i] = residual * residual


@payoff.kernel(shape="elementwise")
def gaussian_gradient(
    outcome: FloatArray,
    score: FloatArray,
    parameters: FloatArray,
    gradient: FloatArray,
    curvature: FloatArray,
    start: int,
    stop: int,
) -> None:
    """Fill y - F, half of minus the slope, with curvature 1: a leaf gets the mean residual."""
    for i in range(start, stop):
        gradient[0, i] = outcome[i] - score[0, i]
        curvature[0, i] = 1.0


@payoff.kernel(shape="whole")
def gaussian_initial_score(
    outcome: FloatArray,
    weight: FloatArray,
    offset: FloatArray,
    parameters: FloatArray,
    out: FloatArray,
    stop_flag: StopFlag,
) -> None:
    """Fill the weighted mean of outcome less offset."""
    total = 0.0
    mass = 0.0
    for i in range(outcome.shape[0]):
        total += weight[i] * (outcome[i] - offset[0, i])
        mass += weight[i]
    out[0] = total / mass if mass > 0.0 else 0.0


GAUSSIAN = payoff.LossDistribution(
    id="gaussian",
    label="Gaussian",
    asks="a number, by its mean",
    help="Squared error: fits the mean of a number; large misses count most.",
    formula="mean of w (y − F)²",
    reference="Friedman 2001; Ridgeway, Generalized boosted models",
    target=payoff.TargetDomain.REAL,
    loss=gaussian_loss,
    negative_gradient=gaussian_gradient,
    initial_score=gaussian_initial_score,
    response=identity_response,
    link=identity_response,
    leaf_kind=payoff.LeafKind.NEWTON,
    gradient_factor=0.5,
)
