"""Huber loss: squared for small misses, absolute for large ones."""

from __future__ import annotations

import math

import payoff
from payoff.numeric import identity_response, weighted_mean
from payoff.types import FloatArray, IntArray, StopFlag

MOST_STEPS = 200


@payoff.kernel(shape="elementwise")
def huber_loss(
    outcome: FloatArray,
    score: FloatArray,
    parameters: FloatArray,
    out: FloatArray,
    start: int,
    stop: int,
) -> None:
    """Fill u^2 / 2 where |u| <= delta, else delta (|u| - delta / 2), u = y - F."""
    delta = parameters[0]
    for i in range(start, stop):
        distance = abs(outcome[i] - score[0, i])
        if distance <= delta:
            out[i] = 0.5 * distance * distance
        else:
            out[i] = delta * (distance - 0.5 * delta)


@payoff.kernel(shape="elementwise")
def huber_gradient(
    outcome: FloatArray,
    score: FloatArray,
    parameters: FloatArray,
    gradient: FloatArray,
    curvature: FloatArray,
    start: int,
    stop: int,
) -> None:
    """Fill the residual cut to -delta .. delta, with curvature 1."""
    delta = parameters[0]
    for i in range(start, stop):
        gradient[0, i] = min(max(outcome[i] - score[0, i], -delta), delta)
        curvature[0, i] = 1.0


@payoff.kernel(shape="helper")
def huber_location(values: FloatArray, weight: FloatArray, delta: float) -> float:
    """Return the value that minimises the sum of w huber(x - value); 0 without weight.

    The slope falls in straight pieces: Newton steps, kept inside a shrinking bracket, end on the
    root exactly.
    """
    value = weighted_mean(values, weight)
    if not math.isfinite(value):
        return 0.0
    low = -math.inf
    high = math.inf
    for i in range(values.shape[0]):
        if weight[i] > 0.0:
            low = max(low, -values[i])
            high = min(high, -values[i])
    low, high = -low, -high
    for _ in range(MOST_STEPS):
        slope = 0.0
        bend = 0.0
        for i in range(values.shape[0]):
            residual = values[i] - value
            if residual > delta:
                slope += weight[i] * delta
            elif residual < -delta:
                slope -= weight[i] * delta
            else:
                slope += weight[i] * residual
                bend += weight[i]
        if slope == 0.0:
            break
        if slope > 0.0:
            low = value
        else:
            high = value
        following = value + slope / bend if bend > 0.0 else math.inf
        if not low <= following <= high:
            following = 0.5 * (low + high)
        if abs(following - value) <= 1e-15 * max(1.0, abs(value)):
            return following
        value = following
    return value


@payoff.kernel(shape="whole")
def huber_initial_score(
    outcome: FloatArray,
    weight: FloatArray,
    offset: FloatArray,
    parameters: FloatArray,
    out: FloatArray,
    stop_flag: StopFlag,
) -> None:
    """Fill the best constant of outcome less offset."""
    out[0] = huber_location(outcome - offset[0], weight, parameters[0])


@payoff.kernel(shape="by_group")
def huber_leaf_values(
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
    """Fill the best shift of each leaf."""
    for leaf in range(first_group, last_group):
        cases = rows[offsets[leaf] : offsets[leaf + 1]]
        residual = outcome[cases] - score[0][cases]
        out[leaf] = huber_location(residual, weight[cases], parameters[0])


HUBER = payoff.LossDistribution(
    id="huber",
    label="Huber",
    asks="a number, by its mean, with some wild misses",
    help="Squared error up to a miss of delta, absolute beyond: outliers count, but not much.",
    formula="mean of w (u²/2 if |u| ≤ δ, else δ (|u| − δ/2)), u = y − F",
    reference="Huber 1964; Friedman 2001",
    target=payoff.TargetDomain.REAL,
    loss=huber_loss,
    negative_gradient=huber_gradient,
    initial_score=huber_initial_score,
    response=identity_response,
    link=identity_response,
    leaf_kind=payoff.LeafKind.LOCATION,
    leaf_values=huber_leaf_values,
    gradient_factor=1.0,
    parameters=(
        payoff.Parameter(
            name="delta",
            words="miss from which on it counts as large",
            default=1.0,
            minimum=0.0,
            is_minimum_open=True,
            help="In units of the target.",
        ),
    ),
)
