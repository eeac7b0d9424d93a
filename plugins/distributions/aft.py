"""Accelerated failure time: the log of a time, some seen only in part."""

from __future__ import annotations

import math

import numpy as np

import payoff
from payoff.numeric import exp_response, log_link
from payoff.specs import Columns
from payoff.types import FloatArray, IntArray, StopFlag
from plugins.distributions.aft_shapes import (
    censored_gradients,
    density_gradients,
    interval_gradients,
)

MOST_STEPS = 200
# A Newton step of a leaf goes at most this many scales, where the curvature is nearly 0.
LARGEST_STEP = 3.0
# Without any event the best time is endless; this many scales above the longest stands for it.
FURTHEST = 40.0


@payoff.kernel(shape="helper")
def case_gradients(
    outcome: float, score: float, event: float, upper: float, shape: int, scale: float
) -> tuple[float, float, float]:
    """Return a case's log likelihood, its slope and minus its curvature by the score."""
    place = (math.log(outcome) - score) / scale
    if event == 0.0 or upper == math.inf:
        level, gradient, hessian = censored_gradients(place, shape)
    elif upper > outcome:
        end = (math.log(upper) - score) / scale
        level, gradient, hessian = interval_gradients(place, end, shape)
    else:
        level, gradient, hessian = density_gradients(place, shape)
        level -= math.log(scale) + math.log(outcome)
    return level, gradient / scale, max(hessian, 0.0) / (scale * scale)


@payoff.kernel(shape="elementwise")
def aft_loss(
    outcome: FloatArray,
    score: FloatArray,
    parameters: FloatArray,
    event: FloatArray,
    upper: FloatArray,
    out: FloatArray,
    start: int,
    stop: int,
) -> None:
    """Fill minus twice the log likelihood of what was seen of a time."""
    shape = int(parameters[0])
    for i in range(start, stop):
        level, _, _ = case_gradients(
            outcome[i], score[0, i], event[i], upper[i], shape, parameters[1]
        )
        out[i] = -2.0 * level


@payoff.kernel(shape="elementwise")
def aft_gradient(
    outcome: FloatArray,
    score: FloatArray,
    parameters: FloatArray,
    event: FloatArray,
    upper: FloatArray,
    gradient: FloatArray,
    curvature: FloatArray,
    start: int,
    stop: int,
) -> None:
    """Fill the slope of the log likelihood and minus its curvature."""
    shape = int(parameters[0])
    for i in range(start, stop):
        _, gradient[0, i], curvature[0, i] = case_gradients(
            outcome[i], score[0, i], event[i], upper[i], shape, parameters[1]
        )


@payoff.kernel(shape="whole")
def aft_initial_score(
    outcome: FloatArray,
    weight: FloatArray,
    offset: FloatArray,
    parameters: FloatArray,
    event: FloatArray,
    upper: FloatArray,
    out: FloatArray,
    stop_flag: StopFlag,
) -> None:
    """Fill the most likely constant: Newton's steps from the mean, halving what they leave."""
    shape = int(parameters[0])
    scale = parameters[1]
    low = math.inf
    high = -math.inf
    mean = 0.0
    mass = 0.0
    for i in range(outcome.shape[0]):
        if weight[i] > 0.0:
            place = math.log(outcome[i]) - offset[0, i]
            mean += weight[i] * place
            mass += weight[i]
            low = min(low, place - FURTHEST * scale)
            high = max(high, place + FURTHEST * scale)
    out[0] = 0.0
    if low > high:
        return
    value = min(max(mean / mass, low), high)
    for _ in range(MOST_STEPS):
        gradient = 0.0
        hessian = 0.0
        for i in range(outcome.shape[0]):
            _, one, two = case_gradients(
                outcome[i], value + offset[0, i], event[i], upper[i], shape, scale
            )
            gradient += weight[i] * one
            hessian += weight[i] * two
        if gradient > 0.0:
            low = value
        else:
            high = value
        following = value + gradient / hessian if hessian > 0.0 else low
        if not low < following < high:
            following = 0.5 * (low + high)
        step = following - value
        value = following
        if abs(step) <= 1e-13 * max(1.0, abs(value)) or stop_flag[0] != 0:
            break
    out[0] = value


@payoff.kernel(shape="by_group")
def aft_leaf_values(
    outcome: FloatArray,
    score: FloatArray,
    weight: FloatArray,
    gradient: FloatArray,
    curvature: FloatArray,
    parameters: FloatArray,
    event: FloatArray,
    upper: FloatArray,
    output: int,
    rows: IntArray,
    offsets: IntArray,
    out: FloatArray,
    first_group: int,
    last_group: int,
) -> None:
    """Fill one Newton step per leaf, of at most three scales; 0 in a leaf without weight."""
    most = LARGEST_STEP * parameters[1]
    for leaf in range(first_group, last_group):
        gradient_sum = 0.0
        hessian = 0.0
        for k in range(offsets[leaf], offsets[leaf + 1]):
            i = rows[k]
            gradient_sum += weight[i] * gradient[0, i]
            hessian += weight[i] * curvature[0, i]
        if abs(gradient_sum) < most * hessian:
            out[leaf] = gradient_sum / hessian
        elif gradient_sum == 0.0:
            out[leaf] = 0.0
        else:
            out[leaf] = most if gradient_sum > 0.0 else -most


def surviving(score: FloatArray, times: FloatArray, parameters: payoff.Parameters) -> FloatArray:
    """Return the chance (n, m) of a longer time: S(z) at z = (log t - F) / scale."""
    from scipy.special import expit, ndtr  # late: 0.1 s that the first totals do not need

    with np.errstate(divide="ignore", over="ignore"):
        place = (np.log(times)[np.newaxis] - score[:, np.newaxis]) / parameters["scale"]
        shape = int(parameters["shape"])
        if shape == 0:
            return np.asarray(ndtr(-place), dtype=np.float64)
        if shape == 1:
            return np.asarray(expit(-place), dtype=np.float64)
        return np.asarray(np.exp(-np.exp(place)), dtype=np.float64)


def check_times(
    outcome: FloatArray, weight: FloatArray, parameters: payoff.Parameters, columns: Columns
) -> None:
    """Refuse marks other than 0 and 1, upper ends before the time, and no event at all."""
    event, upper = columns["event"], columns["upper"]
    is_wrong = ~((event == 0.0) | (event == 1.0))
    if is_wrong.any():
        row = int(np.argmax(is_wrong))
        raise payoff.PayoffError(
            f"The event mark is {event[row]:g}.",
            where=f"event, row {row + 1}",
            why="It must be 1 where the event happened and 0 where the case was censored.",
        )
    is_wrong = ~((upper == 0.0) | (upper >= outcome))
    if is_wrong.any():
        row = int(np.argmax(is_wrong))
        raise payoff.PayoffError(
            f"The event happened between {outcome[row]:g} and {upper[row]:g}.",
            where=f"upper, row {row + 1}",
            why="The latest time must be no earlier than the earliest.",
            remedy="Write 0 where the time itself is known.",
        )
    if not ((event == 1.0) & (upper < np.inf) & (weight > 0.0)).any():
        raise payoff.PayoffError(
            "All cases are censored.",
            where="event",
            why="A model of times learns from the times of events; here is none.",
            remedy="Check the column of event marks: 1 means that the event happened.",
        )


AFT = payoff.LossDistribution(
    id="aft",
    label="Accelerated failure time",
    asks="how long until an event, as a time",
    plain=payoff.PlainWords(
        "Time until it happens",
        "Learns how long it takes; those who have not had it yet count as far as they were "
        "followed.",
        "when a date is wanted, not only an order.",
    ),
    help="Fits the time itself, on a log scale; censored and interval-censored cases count too.",
    formula="mean of −2 w log likelihood, log t = F + scale × error of the chosen shape",
    reference="Kalbfleisch & Prentice 2002; R package survival, survreg (Therneau)",
    target=payoff.TargetDomain.TIME_EVENT,
    loss=aft_loss,
    negative_gradient=aft_gradient,
    initial_score=aft_initial_score,
    response=exp_response,
    link=log_link,
    leaf_kind=payoff.LeafKind.SOLVER,
    leaf_values=aft_leaf_values,
    gradient_factor=0.5,
    predicts_time=True,
    surviving=surviving,
    response_low=0.0,
    is_response_open=True,
    parameters=(
        payoff.Parameter(
            name="shape",
            words="what log times scatter like",
            default=0.0,
            kind=payoff.ParameterKind.CHOICE,
            choices=("lognormal", "loglogistic", "weibull"),
            help="Weibull also is a model of proportional hazards.",
        ),
        payoff.Parameter(
            name="scale",
            words="how far log times scatter around the score",
            default=1.0,
            minimum=0.0,
            is_minimum_open=True,
            help="The scale of survreg. The deviance says which scale and shape fit better.",
        ),
    ),
    extras=(payoff.Extra.WEIGHT, payoff.Extra.OFFSET, payoff.Extra.EVENT, payoff.Extra.UPPER),
    optional_extras=(payoff.Extra.UPPER,),
    check_cases=check_times,
)
