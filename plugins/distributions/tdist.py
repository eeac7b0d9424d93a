"""Student's t loss: a number with wild misses, by the middle of its bulk."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

import payoff
from payoff.numeric import identity_response, weighted_median
from payoff.types import FloatArray, IntArray, StopFlag
from plugins.distributions.gbm_median import gbm_median

MOST_STEPS = 200

# The end of gbm's iterations, and the least scale it divides by.
GBM_STEPS = 50
GBM_CLOSE = 1e-8


@payoff.kernel(shape="elementwise")
def tdist_loss(
    outcome: FloatArray,
    score: FloatArray,
    parameters: FloatArray,
    out: FloatArray,
    start: int,
    stop: int,
) -> None:
    """Fill log(df + u^2), u = y - F."""
    for i in range(start, stop):
        residual = outcome[i] - score[0, i]
        out[i] = math.log(parameters[0] + residual * residual)


@payoff.kernel(shape="elementwise")
def tdist_saturated(
    outcome: FloatArray, parameters: FloatArray, out: FloatArray, start: int, stop: int
) -> None:
    """Fill log df, the loss of a perfect prediction."""
    out[start:stop] = math.log(parameters[0])


@payoff.kernel(shape="elementwise")
def tdist_gradient(
    outcome: FloatArray,
    score: FloatArray,
    parameters: FloatArray,
    gradient: FloatArray,
    curvature: FloatArray,
    start: int,
    stop: int,
) -> None:
    """Fill 2 u / (df + u^2) with curvature 1: the loss bends down far from its middle."""
    for i in range(start, stop):
        residual = outcome[i] - score[0, i]
        gradient[0, i] = 2.0 * residual / (parameters[0] + residual * residual)
        curvature[0, i] = 1.0


@payoff.kernel(shape="helper")
def pull_at(
    values: FloatArray, weight: FloatArray, df: float, value: float
) -> tuple[float, float, float]:
    """Return minus half the slope, half the bend and half the majorant's bend of the loss.

    The loss is that of one value for all: sum w log(df + (x - value)^2).
    """
    slope = 0.0
    bend = 0.0
    majorant = 0.0
    for i in range(values.shape[0]):
        residual = values[i] - value
        square = residual * residual
        share = 1.0 / (df + square)
        pull = weight[i] * share
        slope += pull * residual
        majorant += pull
        bend += pull * (df - square) * share
    return slope, bend, majorant


@payoff.kernel(shape="helper")
def tdist_location(values: FloatArray, weight: FloatArray, df: float) -> float:
    """Return the value nearest the weighted median that is best for all; 0 without weight.

    Newton steps inside a bracket that always holds a minimum; where the loss bends down or the
    step leaves the bracket, the step of iterated weights, which never raises the loss.
    """
    value = weighted_median(values, weight)
    if not math.isfinite(value):
        return 0.0
    low = -math.inf
    high = math.inf
    for _ in range(MOST_STEPS):
        slope, bend, majorant = pull_at(values, weight, df, value)
        if slope > 0.0:
            low = value
        elif slope < 0.0:
            high = value
        else:
            break
        following = value + slope / majorant
        if bend > 0.25 * majorant:
            following = value + slope / bend
        if abs(following - value) <= 1e-13 * max(1.0, abs(value)):
            return following
        if not low < following < high:
            following = 0.5 * (low + high)
        value = following
    return value


@payoff.kernel(shape="helper")
def gbm_location(values: FloatArray, weight: FloatArray, df: float) -> float:
    """Return gbm's M-estimate: iterated weights with the scale 1.4826 times the median distance."""
    value = gbm_median(values, weight)
    scale = max(1.4826 * gbm_median(np.abs(values - value), weight), GBM_CLOSE)
    for _ in range(GBM_STEPS):
        total = 0.0
        mass = 0.0
        for i in range(values.shape[0]):
            distance = abs(values[i] - value) / scale
            pull = weight[i] / (df + distance * distance)
            total += pull * values[i]
            mass += pull
        following = total / mass if mass > 0.0 else value
        change = abs(following - value)
        if change > GBM_CLOSE and value != 0.0:
            change /= abs(value)
        value = following
        if change < GBM_CLOSE:
            break
    return value


@payoff.kernel(shape="whole")
def tdist_initial_score(
    outcome: FloatArray,
    weight: FloatArray,
    offset: FloatArray,
    parameters: FloatArray,
    out: FloatArray,
    stop_flag: StopFlag,
) -> None:
    """Fill the best constant of outcome less offset."""
    out[0] = tdist_location(outcome - offset[0], weight, parameters[0])


@payoff.kernel(shape="by_group")
def tdist_leaf_values(
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
    """Fill the best shift of each leaf, nearest the median of its residuals."""
    for leaf in range(first_group, last_group):
        cases = rows[offsets[leaf] : offsets[leaf + 1]]
        residual = outcome[cases] - score[0][cases]
        out[leaf] = tdist_location(residual, weight[cases], parameters[0])


@payoff.kernel(shape="whole")
def gbm_tdist_initial_score(
    outcome: FloatArray,
    weight: FloatArray,
    offset: FloatArray,
    parameters: FloatArray,
    out: FloatArray,
    stop_flag: StopFlag,
) -> None:
    """Fill gbm's M-estimate of outcome less offset."""
    out[0] = gbm_location(outcome - offset[0], weight, parameters[0])


@payoff.kernel(shape="by_group")
def gbm_tdist_leaf_values(
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
    """Fill gbm's M-estimate of the residuals of each leaf."""
    for leaf in range(first_group, last_group):
        cases = rows[offsets[leaf] : offsets[leaf + 1]]
        residual = outcome[cases] - score[0][cases]
        out[leaf] = gbm_location(residual, weight[cases], parameters[0])


TDIST = payoff.LossDistribution(
    id="tdist",
    label="Student t",
    asks="a number with wild misses",
    help="Loss that grows with the logarithm of a miss: rows that fit nothing hardly count.",
    formula="mean of w log(df + (y − F)²)",
    reference="Lange, Little & Taylor 1989; R package gbm, distribution tdist",
    target=payoff.TargetDomain.REAL,
    loss=tdist_loss,
    negative_gradient=tdist_gradient,
    initial_score=tdist_initial_score,
    response=identity_response,
    link=identity_response,
    leaf_kind=payoff.LeafKind.LOCATION,
    leaf_values=tdist_leaf_values,
    gradient_factor=1.0,
    saturated=tdist_saturated,
    parameters=(
        payoff.Parameter(
            name="df",
            words="degrees of freedom",
            default=4.0,
            minimum=0.0,
            is_minimum_open=True,
            help="The fewer, the less single wild rows count.",
        ),
    ),
)

GBM_TDIST = replace(
    TDIST,
    id="gbm_tdist",
    label="Student t as in gbm",
    initial_score=gbm_tdist_initial_score,
    leaf_kind=payoff.LeafKind.SOLVER,
    leaf_values=gbm_tdist_leaf_values,
    expected_failures=(
        ("Initial score is the best constant", "gbm's M-estimate has a scale of its own."),
    ),
)
TDIST = replace(TDIST, gbm=GBM_TDIST)
