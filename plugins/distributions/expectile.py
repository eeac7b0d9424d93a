"""Expectile loss: squared error with unequal prices for too much and too little."""

from __future__ import annotations

import payoff
from payoff.types import FloatArray

# Each step is exact for the cases it finds on either side; sides settle long before.
MOST_STEPS = 100


def expectile(y: FloatArray, f: FloatArray, weight: FloatArray, alpha: float) -> float:
    """Return the weighted expectile of y - F; 0 without weight."""
    value = 0.0
    for _ in range(MOST_STEPS):
        pull = 0.0
        mass = 0.0
        for i in range(y.shape[0]):
            miss = y[i] - f[i]
            price = weight[i] * (alpha if miss > value else 1.0 - alpha)
            pull += price * miss
            mass += price
        before = value
        value = pull / mass if mass > 0.0 else 0.0
        if value == before:
            break
    return value


@payoff.loss(
    "Expectile",
    asks="a number, too little and too much priced unequally",
    plain=payoff.PlainWords(
        "Too little and too much cost differently",
        "Learns a number that leans to the side where a miss costs less.",
        "when a shortage hurts more than a surplus, or the other way round.",
    ),
    formula="mean of w (α (y − F)² if y > F, else (1 − α) (y − F)²)",
    reference="Newey & Powell 1987",
    gradient_factor=0.5,
    parameters=(
        payoff.Parameter(
            name="alpha",
            words="price of too low against too high",
            default=0.5,
            minimum=0.0,
            maximum=1.0,
            is_minimum_open=True,
            is_maximum_open=True,
            help="0.5 is the mean; 0.8 makes a miss below four times as dear as one above.",
        ),
    ),
)
class Expectile:
    """Squared error with unequal prices: too low counts alpha, too high 1 − alpha."""

    @staticmethod
    def loss(y: float, f: float, alpha: float) -> float:
        """Return alpha (y - F)^2 where y > F, else (1 - alpha) (y - F)^2."""
        return (alpha if y - f > 0.0 else 1.0 - alpha) * (y - f) * (y - f)

    @staticmethod
    def step(y: float, f: float, alpha: float) -> tuple[float, float]:
        """Return the miss times the price of its side, and that price."""
        price = alpha if y - f > 0.0 else 1.0 - alpha
        return price * (y - f), price

    leaf = payoff.best_shift(expectile)
