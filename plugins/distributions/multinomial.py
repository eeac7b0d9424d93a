"""Softmax loss: the chances of several classes."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

import payoff
from payoff.numeric import log_or_minus_infinity
from payoff.types import FloatArray, IntArray, StopFlag

# A class without any case has no finite best score; it gets that of this share of the cases.
LEAST_SHARE = 1e-13
MOST_STEPS = 1000

# gbm's least divisor of a leaf value.
GBM_LEAST_HESSIAN = 1e-8


@payoff.kernel(shape="helper")
def log_total(score: FloatArray, case: int) -> float:
    """Return log(sum over classes of exp F) of a case without overflow."""
    most = score[0, case]
    for k in range(1, score.shape[0]):
        most = max(most, score[k, case])
    total = 0.0
    for k in range(score.shape[0]):
        total += math.exp(score[k, case] - most)
    return float(most + math.log(total))


@payoff.kernel(shape="elementwise")
def multinomial_loss(
    outcome: FloatArray,
    score: FloatArray,
    parameters: FloatArray,
    out: FloatArray,
    start: int,
    stop: int,
) -> None:
    """Fill -log p of the case's own class."""
    for i in range(start, stop):
        out[i] = log_total(score, i) - score[int(outcome[i]), i]


@payoff.kernel(shape="elementwise")
def multinomial_gradient(
    outcome: FloatArray,
    score: FloatArray,
    parameters: FloatArray,
    gradient: FloatArray,
    curvature: FloatArray,
    start: int,
    stop: int,
) -> None:
    """Fill y_k - p_k and p_k (1 - p_k)."""
    for i in range(start, stop):
        most = score[0, i]
        for k in range(1, score.shape[0]):
            most = max(most, score[k, i])
        total = 0.0
        for k in range(score.shape[0]):
            curvature[k, i] = math.exp(score[k, i] - most)
            total += curvature[k, i]
        own = int(outcome[i])
        for k in range(score.shape[0]):
            probability = curvature[k, i] / total
            gradient[k, i] = (1.0 if k == own else 0.0) - probability
            curvature[k, i] = probability * (1.0 - probability)


@payoff.kernel(shape="helper")
def expected_cases(weight: FloatArray, offset: FloatArray, score: FloatArray) -> FloatArray:
    """Return the expected weight of each class when a constant is added to the offsets, (K,)."""
    classes = offset.shape[0]
    expected = np.zeros(classes)
    probabilities = np.zeros(classes)
    for i in range(weight.shape[0]):
        most = -math.inf
        for k in range(classes):
            most = max(most, offset[k, i] + score[k])
        total = 0.0
        for k in range(classes):
            probabilities[k] = math.exp(offset[k, i] + score[k] - most)
            total += probabilities[k]
        for k in range(classes):
            expected[k] += weight[i] * probabilities[k] / total
    return expected


@payoff.kernel(shape="whole")
def multinomial_initial_score(
    outcome: FloatArray,
    weight: FloatArray,
    offset: FloatArray,
    parameters: FloatArray,
    out: FloatArray,
    stop_flag: StopFlag,
) -> None:
    """Fill the constants at which expected and observed classes balance, with mean 0.

    Each round moves a class by log(observed / expected), which never raises the loss; without
    offsets the first round is exact.
    """
    classes = offset.shape[0]
    observed = np.zeros(classes)
    mass = 0.0
    for i in range(outcome.shape[0]):
        observed[int(outcome[i])] += weight[i]
        mass += weight[i]
    out[:] = 0.0
    if mass <= 0.0:
        return
    for k in range(classes):
        observed[k] = max(observed[k], LEAST_SHARE * mass)
    before = math.inf
    for _ in range(MOST_STEPS):
        expected = expected_cases(weight, offset, out)
        furthest = 0.0
        for k in range(classes):
            step = math.log(observed[k] / max(expected[k], LEAST_SHARE * mass))
            furthest = max(furthest, abs(step))
            out[k] += step
        # Sums over many cases are rounded: near the end steps do not become smaller than that.
        is_rounding = furthest <= 1e-9 and furthest >= before
        if furthest <= 1e-13 or is_rounding or stop_flag[0] != 0:
            break
        before = furthest
    out -= np.mean(out)


@payoff.kernel(shape="whole")
def gbm_multinomial_initial_score(
    outcome: FloatArray,
    weight: FloatArray,
    offset: FloatArray,
    parameters: FloatArray,
    out: FloatArray,
    stop_flag: StopFlag,
) -> None:
    """Fill gbm's start: 0 for each class."""
    out[:] = 0.0


@payoff.kernel(shape="by_group")
def gbm_multinomial_leaf_values(
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
    """Fill Newton values whose divisor is at least 1e-8."""
    for leaf in range(first_group, last_group):
        gradient_sum = 0.0
        hessian = 0.0
        for k in range(offsets[leaf], offsets[leaf + 1]):
            i = rows[k]
            size = abs(gradient[output, i])
            gradient_sum += weight[i] * gradient[output, i]
            hessian += weight[i] * size * (1.0 - size)
        out[leaf] = gradient_sum / max(hessian, GBM_LEAST_HESSIAN)


@payoff.kernel(shape="elementwise")
def multinomial_response(
    score: FloatArray, parameters: FloatArray, out: FloatArray, start: int, stop: int
) -> None:
    """Fill the chance of each class."""
    for i in range(start, stop):
        whole = log_total(score, i)
        for k in range(score.shape[0]):
            out[k, i] = math.exp(score[k, i] - whole)


@payoff.kernel(shape="elementwise")
def multinomial_link(
    prediction: FloatArray, parameters: FloatArray, out: FloatArray, start: int, stop: int
) -> None:
    """Fill the log of each chance."""
    for i in range(start, stop):
        for k in range(prediction.shape[0]):
            out[k, i] = log_or_minus_infinity(prediction[k, i])


MULTINOMIAL = payoff.LossDistribution(
    id="multinomial",
    label="Multinomial",
    asks="one of several classes",
    usual_for=(payoff.Task.MULTICLASS,),
    plain=payoff.PlainWords(
        "Chance of each class",
        "Learns the chance of every class at once; they add up to 100 %.",
        "when the outcome is one of several and each has its own worth.",
    ),
    help="Softmax loss: fits the chance of each class; one tree per class and round.",
    formula="mean of −w log p_y, p_k = e^(F_k) / Σ e^(F_l)",
    reference="Friedman 2001, K-class logistic; R package gbm, distribution multinomial",
    target=payoff.TargetDomain.CLASSES,
    loss=multinomial_loss,
    negative_gradient=multinomial_gradient,
    initial_score=multinomial_initial_score,
    response=multinomial_response,
    link=multinomial_link,
    leaf_kind=payoff.LeafKind.NEWTON,
    gradient_factor=1.0,
    n_scores=0,
    is_shift_free=True,
    response_low=0.0,
    response_high=1.0,
)

_FROM_ZERO = "gbm starts each class at 0, whatever its share and offset."
GBM_MULTINOMIAL = replace(
    MULTINOMIAL,
    id="gbm_multinomial",
    label="Multinomial as in gbm",
    initial_score=gbm_multinomial_initial_score,
    leaf_kind=payoff.LeafKind.SOLVER,
    leaf_values=gbm_multinomial_leaf_values,
    expected_failures=(
        ("Offsets are honoured", _FROM_ZERO),
        ("Initial score is the best constant", _FROM_ZERO),
    ),
)
MULTINOMIAL = replace(MULTINOMIAL, gbm=GBM_MULTINOMIAL)
