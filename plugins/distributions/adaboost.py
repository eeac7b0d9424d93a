"""Exponential loss: a yes or no, as AdaBoost weighs it."""

from __future__ import annotations

import math

import payoff
from payoff.numeric import logit, sigmoid
from payoff.types import FloatArray

# A sample of one class only has no finite best score; a chance of 1e-13 stands for never.
FURTHEST_SCORE = 15.0

# Keeps sums over millions of rows finite; no fit comes near it.
LARGEST_EXPONENT = 500.0


@payoff.kernel(shape="helper")
def lost(side: float, score: float) -> float:
    """Return exp(-side F) for a side of +1 or -1, its exponent cut to 500."""
    return math.exp(min(-side * score, LARGEST_EXPONENT))


def best_constant(y: FloatArray, f: FloatArray, weight: FloatArray) -> float:
    """Return half the log of sum w y exp(-F) over sum w (1 - y) exp(F)."""
    events = 0.0
    others = 0.0
    for i in range(y.shape[0]):
        side = 2.0 * y[i] - 1.0
        if side > 0.0:
            events += weight[i] * lost(side, f[i])
        else:
            others += weight[i] * lost(side, f[i])
    if events > 0.0 and others > 0.0:
        return 0.5 * math.log(events / others)
    if events > 0.0:
        return FURTHEST_SCORE
    return -FURTHEST_SCORE if others > 0.0 else 0.0


def wrong_signed_step(y: float, f: float) -> tuple[float, float]:
    """Return gbm's -s exp(-s F) and exp(-s F): the sign is that of the slope."""
    side = 2.0 * y - 1.0
    cost = lost(side, f)
    return -side * cost, cost


@payoff.loss(
    "AdaBoost",
    asks="a yes or no, errors punished hard",
    plain=payoff.PlainWords(
        "Hard cases first",
        "Each tree works on the cases that the trees before it got wrong, the worst ones hardest.",
        "when the outcome is clean: a few wrong labels mislead it.",
    ),
    formula="mean of w exp(−s F), s = 2y − 1; chance = 1 / (1 + e^(−2F))",
    reference="Freund & Schapire 1997; Friedman, Hastie & Tibshirani 2000",
    target=payoff.TargetDomain.BINARY,
    response_low=0.0,
    response_high=1.0,
)
class Adaboost:
    """Exponential loss: like Bernoulli, but cases on the wrong side count ever more."""

    @staticmethod
    def loss(y: float, f: float) -> float:
        """Return exp(-s F), s = 2 y - 1."""
        return lost(2.0 * y - 1.0, f)

    @staticmethod
    def step(y: float, f: float) -> tuple[float, float]:
        """Return s exp(-s F) and exp(-s F)."""
        side = 2.0 * y - 1.0
        cost = lost(side, f)
        return side * cost, cost

    @staticmethod
    def response(f: float) -> float:
        """Return the chance 1 / (1 + exp(-2 F))."""
        return sigmoid(2.0 * f)

    @staticmethod
    def link(mu: float) -> float:
        """Return half the logit of a chance."""
        return 0.5 * logit(mu)

    start = payoff.best_shift(best_constant)
    gbm = payoff.variant(
        step=wrong_signed_step,
        leaf=payoff.newton(is_minus=True),
        expected_failures=(
            (
                "Gradient matches the loss",
                "gbm's working response has the wrong sign; splits do not care, monotone signs do.",
            ),
        ),
    )
