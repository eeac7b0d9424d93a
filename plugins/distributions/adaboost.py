"""Exponential loss: a yes or no, as AdaBoost weighs it."""

from __future__ import annotations

import math
from dataclasses import replace

import payoff
from payoff.numeric import logit, newton_leaf_values, sigmoid
from payoff.types import FloatArray, IntArray, StopFlag

# A sample of one class only has no finite best score; a chance of 1e-13 stands for never.
FURTHEST_SCORE = 15.0

# Keeps sums over millions of rows finite; no fit comes near it.
LARGEST_EXPONENT = 500.0


@payoff.kernel(shape="helper")
def lost(side: float, score: float) -> float:
    """Return exp(-side F) for a side of +1 or -1, its exponent cut to 500."""
    return math.exp(min(-side * score, LARGEST_EXPONENT))


@payoff.kernel(shape="elementwise")
def adaboost_loss(
    outcome: FloatArray,
    score: FloatArray,
    parameters: FloatArray,
    out: FloatArray,
    start: int,
    stop: int,
) -> None:
    """Fill exp(-s F), s = 2 y - 1."""
    for i in range(start, stop):
        out[i] = lost(2.0 * outcome[i] - 1.0, score[0, i])


@payoff.kernel(shape="elementwise")
def adaboost_gradient(
    outcome: FloatArray,
    score: FloatArray,
    parameters: FloatArray,
    gradient: FloatArray,
    curvature: FloatArray,
    start: int,
    stop: int,
) -> None:
    """Fill s exp(-s F) and exp(-s F)."""
    for i in range(start, stop):
        side = 2.0 * outcome[i] - 1.0
        curvature[0, i] = lost(side, score[0, i])
        gradient[0, i] = side * curvature[0, i]


@payoff.kernel(shape="elementwise")
def gbm_adaboost_gradient(
    outcome: FloatArray,
    score: FloatArray,
    parameters: FloatArray,
    gradient: FloatArray,
    curvature: FloatArray,
    start: int,
    stop: int,
) -> None:
    """Fill gbm's -s exp(-s F): the sign is that of the slope."""
    for i in range(start, stop):
        side = 2.0 * outcome[i] - 1.0
        curvature[0, i] = lost(side, score[0, i])
        gradient[0, i] = -side * curvature[0, i]


@payoff.kernel(shape="whole")
def adaboost_initial_score(
    outcome: FloatArray,
    weight: FloatArray,
    offset: FloatArray,
    parameters: FloatArray,
    out: FloatArray,
    stop_flag: StopFlag,
) -> None:
    """Fill half the log of sum w y exp(-offset) over sum w (1 - y) exp(offset)."""
    events = 0.0
    others = 0.0
    for i in range(outcome.shape[0]):
        side = 2.0 * outcome[i] - 1.0
        if side > 0.0:
            events += weight[i] * lost(side, offset[0, i])
        else:
            others += weight[i] * lost(side, offset[0, i])
    if events > 0.0 and others > 0.0:
        out[0] = 0.5 * math.log(events / others)
    elif events > 0.0:
        out[0] = FURTHEST_SCORE
    elif others > 0.0:
        out[0] = -FURTHEST_SCORE
    else:
        out[0] = 0.0


@payoff.kernel(shape="by_group")
def gbm_adaboost_leaf_values(
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
    """Fill the Newton values with the right sign, as gbm has them after all."""
    newton_leaf_values(
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
        out[leaf] = -out[leaf]


@payoff.kernel(shape="elementwise")
def adaboost_response(
    score: FloatArray, parameters: FloatArray, out: FloatArray, start: int, stop: int
) -> None:
    """Fill chances 1 / (1 + exp(-2 F))."""
    for i in range(start, stop):
        out[0, i] = sigmoid(2.0 * score[0, i])


@payoff.kernel(shape="elementwise")
def adaboost_link(
    prediction: FloatArray, parameters: FloatArray, out: FloatArray, start: int, stop: int
) -> None:
    """Fill half the logit of chances."""
    for i in range(start, stop):
        out[0, i] = 0.5 * logit(prediction[0, i])


ADABOOST = payoff.LossDistribution(
    id="adaboost",
    label="AdaBoost",
    asks="a yes or no, errors punished hard",
    help="Exponential loss: like Bernoulli, but cases on the wrong side count ever more.",
    formula="mean of w exp(−s F), s = 2y − 1; chance = 1 / (1 + e^(−2F))",
    reference="Freund & Schapire 1997; Friedman, Hastie & Tibshirani 2000",
    target=payoff.TargetDomain.BINARY,
    loss=adaboost_loss,
    negative_gradient=adaboost_gradient,
    initial_score=adaboost_initial_score,
    response=adaboost_response,
    link=adaboost_link,
    leaf_kind=payoff.LeafKind.NEWTON,
    gradient_factor=1.0,
    response_low=0.0,
    response_high=1.0,
)

GBM_ADABOOST = replace(
    ADABOOST,
    id="gbm_adaboost",
    label="AdaBoost as in gbm",
    negative_gradient=gbm_adaboost_gradient,
    leaf_kind=payoff.LeafKind.SOLVER,
    leaf_values=gbm_adaboost_leaf_values,
    expected_failures=(
        (
            "Gradient matches the loss",
            "gbm's working response has the wrong sign; splits do not care, monotone signs do.",
        ),
    ),
)
ADABOOST = replace(ADABOOST, gbm=GBM_ADABOOST)
