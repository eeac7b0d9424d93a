"""Poisson loss: the expected number of events."""

from __future__ import annotations

import math

import payoff


def shares(y: float, gradient: float, curvature: float) -> tuple[float, float]:
    """Return what a case counts and what is expected of it."""
    return y, curvature


@payoff.loss(
    "Poisson",
    asks="a count",
    gbm_improvement_factor=0.5,
    plain=payoff.PlainWords(
        "How many",
        "Learns the expected number of events; never below 0. An offset holds the exposure.",
        "when events are counted: claims, calls, visits.",
    ),
    formula="loss −2 w (y F − e^F); deviance 2 w (y log(y/μ) − (y − μ)), μ = e^F",
    reference="McCullagh & Nelder 1989; Ridgeway, Generalized boosted models",
    target=payoff.TargetDomain.COUNTS,
    link="log",
    gradient_factor=0.5,
)
class Poisson:
    """Poisson loss: fits the expected number of events; exposure goes in as log offset."""

    @staticmethod
    def loss(y: float, f: float, mu: float) -> float:
        """Return -2 (y F - mu); where nothing was counted F may be minus infinity."""
        return -2.0 * ((y * f if y != 0.0 else 0.0) - mu)

    @staticmethod
    def saturated(y: float) -> float:
        """Return the loss at F = log y."""
        return -2.0 * (y * math.log(y) - y) if y > 0.0 else 0.0

    @staticmethod
    def deviance(y: float, mu: float, log_ratio: float) -> float:
        """Return 2 (y log(y / mu) - (y - mu))."""
        return 2.0 * (y * log_ratio - (y - mu))

    @staticmethod
    def step(y: float, f: float, mu: float) -> tuple[float, float]:
        """Return y - mu and mu."""
        return y - mu, mu

    leaf = payoff.log_ratio(shares, lowest=-19.0)
    gbm = payoff.variant(leaf=payoff.log_ratio(shares, lowest=-19.0, highest=19.0, limit="score"))
    gbm_with_offset = payoff.variant(leaf=payoff.log_ratio(shares, lowest=-19.0, limit="step"))
