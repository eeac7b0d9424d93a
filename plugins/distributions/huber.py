"""Huber loss: squared for small misses, absolute for large ones."""

from __future__ import annotations

import math

import payoff
from payoff.numeric import weighted_mean
from payoff.types import FloatArray

MOST_STEPS = 200


def huber_location(y: FloatArray, f: FloatArray, weight: FloatArray, delta: float) -> float:
    """Return the value that minimises the sum of w huber(y - F - value); 0 without weight.

    The slope falls in straight pieces: Newton steps, kept inside a shrinking bracket, end on the
    root exactly.
    """
    values = y - f
    value = weighted_mean(values, weight)
    if not math.isfinite(value):
        return 0.0
    low = -math.inf
    high = math.inf
    for i in range(values.shape[0]):
        if weight[i] > 0.0:
            low = max(low, -values[i])
            high = min(high, -values[i])
    low, high = -low, -high
    for _ in range(MOST_STEPS):
        gradient = 0.0
        hessian = 0.0
        for i in range(values.shape[0]):
            residual = values[i] - value
            if residual > delta:
                gradient += weight[i] * delta
            elif residual < -delta:
                gradient -= weight[i] * delta
            else:
                gradient += weight[i] * residual
                hessian += weight[i]
        if gradient == 0.0:
            break
        if gradient > 0.0:
            low = value
        else:
            high = value
        following = value + gradient / hessian if hessian > 0.0 else math.inf
        if not low <= following <= high:
            following = 0.5 * (low + high)
        if abs(following - value) <= 1e-15 * max(1.0, abs(value)):
            return following
        value = following
    return value


@payoff.loss(
    "Huber",
    asks="a number, by its mean, with some wild misses",
    plain=payoff.PlainWords(
        "The average, with a limit",
        "Counts small errors by their square and large ones only by their size.",
        "when most values behave and a few do not.",
    ),
    formula="mean of w (u²/2 if |u| ≤ δ, else δ (|u| − δ/2)), u = y − F",
    reference="Huber 1964; Friedman 2001",
    parameters=(
        payoff.Parameter(
            name="delta",
            words="miss from which on it counts as large",
            default=1.0,
            minimum=0.0,
            is_minimum_open=True,
            help="In units of the target.",
        ),
    ),
)
class Huber:
    """Squared error up to a miss of delta, absolute beyond: outliers count, but not much."""

    @staticmethod
    def loss(y: float, f: float, delta: float) -> float:
        """Return u^2 / 2 where |u| <= delta, else delta (|u| - delta / 2), u = y - F."""
        distance = abs(y - f)
        if distance <= delta:
            return 0.5 * distance * distance
        return delta * (distance - 0.5 * delta)

    @staticmethod
    def step(y: float, f: float, delta: float) -> tuple[float, float]:
        """Return the residual cut to -delta .. delta, and 1."""
        return min(max(y - f, -delta), delta), 1.0

    leaf = payoff.best_shift(huber_location)
