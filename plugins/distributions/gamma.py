"""Gamma loss: a positive amount whose spread grows with its mean."""

from __future__ import annotations

import math

import payoff
from payoff.numeric import exp_or_infinity


def shares(y: float, gradient: float, curvature: float) -> tuple[float, float]:
    """Return y exp(-F), and the 1 that is expected of it."""
    return curvature, 1.0


@payoff.loss(
    "Gamma",
    asks="a positive amount",
    plain=payoff.PlainWords(
        "A size above 0",
        "Learns the mean of amounts whose spread grows with their size.",
        "when amounts are always above 0: the cost of a claim.",
    ),
    formula="loss 2 w (y e^−F + F); deviance 2 w (y/μ − 1 − log(y/μ)), μ = e^F",
    reference="McCullagh & Nelder 1989; R package gbm3, distribution Gamma",
    target=payoff.TargetDomain.POSITIVE,
    link="log",
    gradient_factor=0.5,
)
class Gamma:
    """Gamma loss: fits the mean of a positive amount; misses count in per cent of it."""

    @staticmethod
    def loss(y: float, f: float) -> float:
        """Return 2 (y exp(-F) + F)."""
        return 2.0 * (y * exp_or_infinity(-f) + f)

    @staticmethod
    def saturated(y: float) -> float:
        """Return the loss at F = log y: 2 (1 + log y)."""
        return 2.0 * (1.0 + math.log(y))

    @staticmethod
    def deviance(y: float, mu: float, log_ratio: float) -> float:
        """Return 2 (y / mu - 1 - log(y / mu))."""
        return 2.0 * (y / mu - 1.0 - log_ratio)

    @staticmethod
    def step(y: float, f: float) -> tuple[float, float]:
        """Return y exp(-F) - 1 and y exp(-F)."""
        ratio = y * exp_or_infinity(-f)
        return ratio - 1.0, ratio

    leaf = payoff.log_ratio(shares)
