"""Huberized squared hinge loss: a yes or no, robust against cases on the wrong side."""

from __future__ import annotations

import math
from dataclasses import replace

import payoff
from payoff.types import FloatArray, IntArray, StopFlag

MOST_STEPS = 200


@payoff.kernel(shape="helper")
def hinge(margin: float) -> float:
    """Return 0 above a margin of 1, (1 - margin)^2 down to -1, -4 margin below."""
    if margin >= 1.0:
        return 0.0
    if margin < -1.0:
        return -4.0 * margin
    return (1.0 - margin) * (1.0 - margin)


@payoff.kernel(shape="helper")
def hinge_fall(margin: float) -> float:
    """Return minus the slope of the loss by the margin: 0, 2 (1 - margin), 4."""
    return min(max(2.0 * (1.0 - margin), 0.0), 4.0)


@payoff.kernel(shape="elementwise")
def huberized_loss(
    outcome: FloatArray,
    score: FloatArray,
    parameters: FloatArray,
    out: FloatArray,
    start: int,
    stop: int,
) -> None:
    """Fill the loss of the margin s F, s = 2 y - 1."""
    for i in range(start, stop):
        out[i] = hinge((2.0 * outcome[i] - 1.0) * score[0, i])


@payoff.kernel(shape="elementwise")
def huberized_gradient(
    outcome: FloatArray,
    score: FloatArray,
    parameters: FloatArray,
    gradient: FloatArray,
    curvature: FloatArray,
    start: int,
    stop: int,
) -> None:
    """Fill s times 0, 2 (1 - s F) or 4, with curvature 1: most cases lie on straight parts."""
    for i in range(start, stop):
        side = 2.0 * outcome[i] - 1.0
        gradient[0, i] = side * hinge_fall(side * score[0, i])
        curvature[0, i] = 1.0


@payoff.kernel(shape="helper")
def slope_and_bend(
    outcome: FloatArray, score: FloatArray, weight: FloatArray, shift: float
) -> tuple[float, float]:
    """Return minus the slope and the bend of the sum of w loss when all scores move by a shift."""
    slope = 0.0
    bend = 0.0
    for i in range(outcome.shape[0]):
        side = 2.0 * outcome[i] - 1.0
        fall = hinge_fall(side * (score[i] + shift))
        slope += weight[i] * side * fall
        if 0.0 < fall < 4.0:
            bend += 2.0 * weight[i]
    return slope, bend


@payoff.kernel(shape="helper")
def huberized_shift(outcome: FloatArray, score: FloatArray, weight: FloatArray) -> float:
    """Return a shift of all scores that minimises the sum of w loss, found from 0 outwards.

    The slope falls in straight pieces: Newton steps inside a shrinking bracket.
    """
    reach = 0.0
    mass = 0.0
    for i in range(outcome.shape[0]):
        if weight[i] > 0.0:
            reach = max(reach, 1.0 + abs(score[i]))
            mass += weight[i]
    low = -reach
    high = reach
    value = 0.0
    for _ in range(MOST_STEPS):
        slope, bend = slope_and_bend(outcome, score, weight, value)
        if abs(slope) <= 1e-14 * mass:
            break
        if slope > 0.0:
            low = value
        else:
            high = value
        following = value + slope / bend if bend > 0.0 else math.inf
        if not low < following <= high:
            following = 0.5 * (low + high)
        if abs(following - value) <= 1e-15 * max(1.0, abs(value)):
            return following
        value = following
    return value


@payoff.kernel(shape="whole")
def huberized_initial_score(
    outcome: FloatArray,
    weight: FloatArray,
    offset: FloatArray,
    parameters: FloatArray,
    out: FloatArray,
    stop_flag: StopFlag,
) -> None:
    """Fill the best constant: twice the share of events less 1, without offsets."""
    out[0] = huberized_shift(outcome, offset[0], weight)


@payoff.kernel(shape="by_group")
def huberized_leaf_values(
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
        out[leaf] = huberized_shift(outcome[cases], score[0][cases], weight[cases])


@payoff.kernel(shape="elementwise")
def gbm_huberized_gradient(
    outcome: FloatArray,
    score: FloatArray,
    parameters: FloatArray,
    gradient: FloatArray,
    curvature: FloatArray,
    start: int,
    stop: int,
) -> None:
    """Fill gbm's working response: the sign is that of the slope."""
    for i in range(start, stop):
        side = 2.0 * outcome[i] - 1.0
        gradient[0, i] = -side * hinge_fall(side * score[0, i])
        curvature[0, i] = 1.0


@payoff.kernel(shape="whole")
def gbm_huberized_initial_score(
    outcome: FloatArray,
    weight: FloatArray,
    offset: FloatArray,
    parameters: FloatArray,
    out: FloatArray,
    stop_flag: StopFlag,
) -> None:
    """Fill gbm's start: the odds of an event; offsets are left out."""
    events = 0.0
    others = 0.0
    for i in range(outcome.shape[0]):
        if outcome[i] > 0.5:
            events += weight[i]
        else:
            others += weight[i]
    out[0] = events / others if others > 0.0 else 1.0


@payoff.kernel(shape="by_group")
def gbm_huberized_leaf_values(
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
    """Fill gbm's quotient: right-signed gradients over losses instead of bends."""
    for leaf in range(first_group, last_group):
        slope = 0.0
        loss = 0.0
        for k in range(offsets[leaf], offsets[leaf + 1]):
            i = rows[k]
            side = 2.0 * outcome[i] - 1.0
            slope += weight[i] * side * hinge_fall(side * score[0, i])
            loss += weight[i] * hinge(side * score[0, i])
        out[leaf] = slope / loss if loss > 0.0 else 0.0


@payoff.kernel(shape="elementwise")
def huberized_response(
    score: FloatArray, parameters: FloatArray, out: FloatArray, start: int, stop: int
) -> None:
    """Fill chances (1 + F) / 2, cut to 0 .. 1."""
    for i in range(start, stop):
        out[0, i] = min(max(0.5 * (1.0 + score[0, i]), 0.0), 1.0)


@payoff.kernel(shape="elementwise")
def huberized_link(
    prediction: FloatArray, parameters: FloatArray, out: FloatArray, start: int, stop: int
) -> None:
    """Fill 2 p - 1, the score at which the expected loss of a chance is least."""
    for i in range(start, stop):
        out[0, i] = 2.0 * prediction[0, i] - 1.0


HUBERIZED = payoff.LossDistribution(
    id="huberized",
    label="Huberized hinge",
    asks="a yes or no, with some wrong labels",
    help="Squared hinge that turns straight: cases far on the wrong side count less than squared.",
    formula="mean of w × (0 if m > 1; (1 − m)² if −1 ≤ m ≤ 1; −4m if m < −1), m = (2y − 1) F",
    reference="Zhang 2004, modified Huber loss; R package gbm, distribution huberized",
    target=payoff.TargetDomain.BINARY,
    loss=huberized_loss,
    negative_gradient=huberized_gradient,
    initial_score=huberized_initial_score,
    response=huberized_response,
    link=huberized_link,
    leaf_kind=payoff.LeafKind.LOCATION,
    leaf_values=huberized_leaf_values,
    gradient_factor=1.0,
    response_low=0.0,
    response_high=1.0,
)

GBM_HUBERIZED = replace(
    HUBERIZED,
    id="gbm_huberized",
    label="Huberized hinge as in gbm",
    negative_gradient=gbm_huberized_gradient,
    initial_score=gbm_huberized_initial_score,
    leaf_kind=payoff.LeafKind.SOLVER,
    leaf_values=gbm_huberized_leaf_values,
    expected_failures=(
        ("Gradient matches the loss", "gbm's working response has the wrong sign."),
        ("Offsets are honoured", "gbm starts from the odds of an event and leaves offsets out."),
        ("Initial score is the best constant", "gbm starts from the odds of an event."),
    ),
)
HUBERIZED = replace(HUBERIZED, gbm=GBM_HUBERIZED)
