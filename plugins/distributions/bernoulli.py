"""Logistic loss: the chance of a yes-or-no outcome."""

from __future__ import annotations

import math

import numpy as np

import payoff
from payoff.numeric import fill_exp, log1p_exp, logit, sigmoid
from payoff.types import FloatArray, StopFlag

# A sample of one class only has no finite best score; a chance of 1e-13 stands for never.
FURTHEST_SCORE = 30.0

BLOCK = 512  # positions whose powers are worked out together: they stay in the nearest cache


@payoff.kernel(shape="elementwise")
def bernoulli_loss(
    outcome: FloatArray,
    score: FloatArray,
    parameters: FloatArray,
    out: FloatArray,
    start: int,
    stop: int,
) -> None:
    """Fill -2 (y F - log(1 + exp F)), written so that a certain and right score costs 0."""
    for i in range(start, stop):
        side = -1.0 if outcome[i] > 0.5 else 1.0
        out[i] = 2.0 * log1p_exp(side * score[0, i])


@payoff.kernel(shape="elementwise")
def bernoulli_gradient(
    outcome: FloatArray,
    score: FloatArray,
    parameters: FloatArray,
    gradient: FloatArray,
    curvature: FloatArray,
    start: int,
    stop: int,
) -> None:
    """Fill y - p and p (1 - p)."""
    room = np.empty((2, BLOCK))
    for first in range(start, stop, BLOCK):
        last = min(stop, first + BLOCK)
        y, f = outcome[first:last], score[0, first:last]
        size, power = room[0, : last - first], room[1, : last - first]
        slope, bend = gradient[0, first:last], curvature[0, first:last]
        for i in range(f.shape[0]):
            size[i] = -abs(f[i])
        fill_exp(size, power)
        for i in range(f.shape[0]):
            part = 1.0 / (1.0 + power[i])
            less = power[i] * part  # the smaller of p and 1 - p
            slope[i] = y[i] - (1.0 - less if f[i] >= 0.0 else less)
            bend[i] = less * part


@payoff.kernel(shape="helper")
def balance_of_chances(
    outcome: FloatArray, weight: FloatArray, offset: FloatArray, score: float
) -> tuple[float, float]:
    """Return sum w (y - p) and sum w p (1 - p) at a constant score added to the offsets."""
    slope = 0.0
    bend = 0.0
    for i in range(outcome.shape[0]):
        total = score + offset[0, i]
        chance = sigmoid(total)
        slope += weight[i] * (outcome[i] - chance)
        bend += weight[i] * chance * sigmoid(-total)
    return slope, bend


@payoff.kernel(shape="whole")
def bernoulli_initial_score(
    outcome: FloatArray,
    weight: FloatArray,
    offset: FloatArray,
    parameters: FloatArray,
    out: FloatArray,
    stop_flag: StopFlag,
) -> None:
    """Fill the constant at which expected and observed events balance.

    Without offsets that is the logit of the share of events. With offsets Newton steps are
    kept inside a shrinking bracket: plain Newton from 0 can run away.
    """
    events = 0.0
    mass = 0.0
    least = math.inf
    most = -math.inf
    for i in range(outcome.shape[0]):
        events += weight[i] * outcome[i]
        mass += weight[i]
        if weight[i] > 0.0:
            least = min(least, offset[0, i])
            most = max(most, offset[0, i])
    if mass <= 0.0:
        out[0] = 0.0
        return
    plain = min(max(logit(events / mass), -FURTHEST_SCORE), FURTHEST_SCORE)
    low = plain - most
    high = plain - least
    value = 0.5 * (low + high)
    for _ in range(200):
        if high - low <= 1e-14 * max(1.0, abs(value)) or stop_flag[0] != 0:
            break
        slope, bend = balance_of_chances(outcome, weight, offset, value)
        if slope > 0.0:
            low = value
        else:
            high = value
        step = slope / bend if bend > 0.0 else math.inf
        following = value + step
        if not low < following < high:
            following = 0.5 * (low + high)
        if abs(following - value) <= 1e-15 * max(1.0, abs(value)):
            break
        value = following
    out[0] = value


@payoff.kernel(shape="elementwise")
def bernoulli_response(
    score: FloatArray, parameters: FloatArray, out: FloatArray, start: int, stop: int
) -> None:
    """Fill chances 1 / (1 + exp(-F))."""
    for i in range(start, stop):
        out[0, i] = sigmoid(score[0, i])


@payoff.kernel(shape="elementwise")
def bernoulli_link(
    prediction: FloatArray, parameters: FloatArray, out: FloatArray, start: int, stop: int
) -> None:
    """Fill the logit of chances."""
    for i in range(start, stop):
        out[0, i] = logit(prediction[0, i])


BERNOULLI = payoff.LossDistribution(
    id="bernoulli",
    label="Bernoulli",
    asks="a yes or no",
    help="Logistic loss: fits the chance of an event; twice the log loss.",
    formula="mean of −2 w (y F − log(1 + e^F)), F = logit of the chance",
    reference="Friedman 2001; Ridgeway, Generalized boosted models",
    target=payoff.TargetDomain.BINARY,
    loss=bernoulli_loss,
    negative_gradient=bernoulli_gradient,
    initial_score=bernoulli_initial_score,
    response=bernoulli_response,
    link=bernoulli_link,
    leaf_kind=payoff.LeafKind.NEWTON,
    gradient_factor=0.5,
    response_low=0.0,
    response_high=1.0,
)
