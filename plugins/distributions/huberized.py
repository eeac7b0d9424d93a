"""Huberized squared hinge loss: a yes or no, robust against cases on the wrong side."""

from __future__ import annotations

import math

import payoff
from payoff.types import FloatArray

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


@payoff.kernel(shape="helper")
def gradient_and_hessian(
    y: FloatArray, f: FloatArray, weight: FloatArray, shift: float
) -> tuple[float, float]:
    """Return minus the slope and the bend of the sum of w loss when all scores move by a shift."""
    gradient = 0.0
    hessian = 0.0
    for i in range(y.shape[0]):
        side = 2.0 * y[i] - 1.0
        fall = hinge_fall(side * (f[i] + shift))
        gradient += weight[i] * side * fall
        if 0.0 < fall < 4.0:
            hessian += 2.0 * weight[i]
    return gradient, hessian


def huberized_shift(y: FloatArray, f: FloatArray, weight: FloatArray) -> float:
    """Return a shift of all scores that minimises the sum of w loss, found from 0 outwards.

    The slope falls in straight pieces: Newton steps inside a shrinking bracket.
    """
    reach = 0.0
    mass = 0.0
    for i in range(y.shape[0]):
        if weight[i] > 0.0:
            reach = max(reach, 1.0 + abs(f[i]))
            mass += weight[i]
    low = -reach
    high = reach
    value = 0.0
    for _ in range(MOST_STEPS):
        gradient, hessian = gradient_and_hessian(y, f, weight, value)
        if abs(gradient) <= 1e-14 * mass:
            break
        if gradient > 0.0:
            low = value
        else:
            high = value
        following = value + gradient / hessian if hessian > 0.0 else math.inf
        if not low < following <= high:
            following = 0.5 * (low + high)
        if abs(following - value) <= 1e-15 * max(1.0, abs(value)):
            return following
        value = following
    return value


def odds_of_event(y: FloatArray, f: FloatArray, weight: FloatArray) -> float:
    """Return gbm's start: the odds of an event; offsets are left out."""
    events = 0.0
    others = 0.0
    for i in range(y.shape[0]):
        if y[i] > 0.5:
            events += weight[i]
        else:
            others += weight[i]
    return events / others if others > 0.0 else 1.0


def gradient_over_loss(y: FloatArray, f: FloatArray, weight: FloatArray) -> float:
    """Return gbm's quotient: right-signed gradients over losses instead of bends."""
    gradient = 0.0
    loss = 0.0
    for i in range(y.shape[0]):
        side = 2.0 * y[i] - 1.0
        gradient += weight[i] * side * hinge_fall(side * f[i])
        loss += weight[i] * hinge(side * f[i])
    return gradient / loss if loss > 0.0 else 0.0


def wrong_signed_step(y: float, f: float) -> tuple[float, float]:
    """Return gbm's working response: the sign is that of the slope."""
    side = 2.0 * y - 1.0
    return -side * hinge_fall(side * f), 1.0


@payoff.loss(
    "Huberized hinge",
    asks="a yes or no, with some wrong labels",
    plain=payoff.PlainWords(
        "Robust yes or no",
        "Separates yes from no and gives up on cases that are hopelessly on the wrong side.",
        "when some outcomes are recorded wrongly and ranking matters more than chances.",
    ),
    formula="mean of w × (0 if m > 1; (1 − m)² if −1 ≤ m ≤ 1; −4m if m < −1), m = (2y − 1) F",
    reference="Zhang 2004, modified Huber loss; R package gbm, distribution huberized",
    target=payoff.TargetDomain.BINARY,
    response_low=0.0,
    response_high=1.0,
)
class Huberized:
    """Squared hinge that turns straight: cases far on the wrong side count less than squared."""

    @staticmethod
    def loss(y: float, f: float) -> float:
        """Return the loss of the margin s F, s = 2 y - 1."""
        return hinge((2.0 * y - 1.0) * f)

    @staticmethod
    def step(y: float, f: float) -> tuple[float, float]:
        """Return s times 0, 2 (1 - s F) or 4, and 1: most cases lie on straight parts."""
        side = 2.0 * y - 1.0
        return side * hinge_fall(side * f), 1.0

    @staticmethod
    def response(f: float) -> float:
        """Return the chance (1 + F) / 2, cut to 0 .. 1."""
        return min(max(0.5 * (1.0 + f), 0.0), 1.0)

    @staticmethod
    def link(mu: float) -> float:
        """Return 2 p - 1, the score at which the expected loss of a chance is least."""
        return 2.0 * mu - 1.0

    leaf = payoff.best_shift(huberized_shift)
    gbm = payoff.variant(
        step=wrong_signed_step,
        start=payoff.best_shift(odds_of_event, is_best=False),
        leaf=payoff.best_shift(gradient_over_loss, is_best=False),
        expected_failures=(
            ("Gradient matches the loss", "gbm's working response has the wrong sign."),
            (
                "Offsets are honoured",
                "gbm starts from the odds, and leaves offsets out.",
            ),
            ("Initial score is the best constant", "gbm starts from the odds of an event."),
        ),
    )
