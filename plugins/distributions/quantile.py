"""Check loss: a number that the outcome stays below with a given chance."""

from __future__ import annotations

import numpy as np

import payoff
from payoff.numeric import value_at_weight
from payoff.types import FloatArray

_WITHOUT_WEIGHTS = "gbm takes an order statistic of the rows and leaves their weights out."


def order_statistic(y: FloatArray, f: FloatArray, weight: FloatArray, alpha: float) -> float:
    """Return y - F number floor(m alpha) + 1 in rising order, the last at most; 0 of none."""
    size = y.shape[0]
    if size == 0:
        return 0.0
    return value_at_weight(y - f, np.ones(size), int(size * alpha) + 0.5)


@payoff.loss(
    "Quantile",
    asks="a number to stay below, with a given chance",
    plain=payoff.PlainWords(
        "A safe level",
        "Learns the value that a chosen share of such cases stays below, for example 90 %.",
        "when too little costs more than too much, as with stocks or reserves.",
    ),
    formula="mean of w (α (y − F) if y > F, else (1 − α)(F − y))",
    reference="Koenker & Bassett 1978; R package gbm, distribution quantile",
    parameters=(
        payoff.Parameter(
            name="alpha",
            words="share of cases that stay below",
            default=0.5,
            minimum=0.0,
            maximum=1.0,
            is_minimum_open=True,
            is_maximum_open=True,
            unit=payoff.NumberUnit.PERCENT,
        ),
    ),
)
class Quantile:
    """Check loss: fits the value that the outcome stays below in the given share of cases."""

    @staticmethod
    def loss(y: float, f: float, alpha: float) -> float:
        """Return alpha (y - F) where y > F, else (1 - alpha) (F - y)."""
        return alpha * (y - f) if y - f > 0.0 else (alpha - 1.0) * (y - f)

    @staticmethod
    def step(y: float, f: float, alpha: float) -> tuple[float, float]:
        """Return alpha where y > F, else alpha - 1, and 1."""
        return (alpha if y > f else alpha - 1.0), 1.0

    leaf = payoff.quantile("alpha")
    gbm = payoff.variant(
        leaf=payoff.best_shift(order_statistic, is_best=False),
        start=payoff.best_shift(order_statistic, is_best=False),
        expected_failures=(
            ("Weight 2 equals a row twice", _WITHOUT_WEIGHTS),
            ("Offsets are honoured", _WITHOUT_WEIGHTS),
            ("Cases of weight 0 do not count", _WITHOUT_WEIGHTS),
        ),
    )
