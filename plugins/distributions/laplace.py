"""Absolute error: a number whose median is wanted."""

from __future__ import annotations

import payoff
from payoff.types import FloatArray
from plugins.distributions.gbm_median import gbm_median


def rounded_median(y: FloatArray, f: FloatArray, weight: FloatArray) -> float:
    """Return the weighted median of y - F, rounded as in gbm."""
    return gbm_median(y - f, weight)


@payoff.loss(
    "Laplace",
    asks="a number, by its median",
    judged_by=lambda parameters: ("mae", {}),
    plain=payoff.PlainWords(
        "The middle value",
        "Learns the median: half of such cases lie above, half below. Outliers hardly count.",
        "when a few extreme values would pull an average away.",
    ),
    formula="mean of w |y − F|",
    reference="Friedman 2001; Ridgeway, Generalized boosted models",
)
class Laplace:
    """Absolute error: fits the median of a number; single large misses count little."""

    @staticmethod
    def loss(y: float, f: float) -> float:
        """Return |y - F|."""
        return abs(y - f)

    @staticmethod
    def step(y: float, f: float) -> tuple[float, float]:
        """Return +1 where y > F, else -1 (gbm's choice at y = F), and 1."""
        return (1.0 if y > f else -1.0), 1.0

    leaf = payoff.quantile(0.5)
    gbm = payoff.variant(
        leaf=payoff.quantile(0.5, rule=rounded_median), start=payoff.best_shift(rounded_median)
    )
