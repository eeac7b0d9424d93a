"""Squared error: a number whose mean is wanted."""

from __future__ import annotations

import payoff


@payoff.loss(
    "Gaussian",
    asks="a number, by its mean",
    usual_for=(payoff.Task.REGRESSION,),
    judged_by=lambda parameters: ("rmse", {}),
    plain=payoff.PlainWords(
        "The average",
        "Learns the mean of the number for cases like this one. Large errors count most.",
        "when totals matter: averages add up.",
    ),
    formula="mean of w (y − F)²",
    reference="Friedman 2001; Ridgeway, Generalized boosted models",
    gradient_factor=0.5,
)
class Gaussian:
    """Squared error: fits the mean of a number; large misses count most."""

    @staticmethod
    def loss(y: float, f: float) -> float:
        """Return (y - F)^2."""
        return (y - f) * (y - f)

    @staticmethod
    def step(y: float, f: float) -> tuple[float, float]:
        """Return y - F, half of minus the slope, and 1: a leaf gets the mean residual."""
        return y - f, 1.0

    start = payoff.newton()
