"""Student's t loss: a number with wild misses, by the middle of its bulk."""

from __future__ import annotations

import math

import numpy as np

import payoff
from payoff.numeric import weighted_median
from payoff.types import FloatArray
from plugins.distributions.gbm_median import gbm_median

MOST_STEPS = 200

# The end of gbm's iterations, and the least scale it divides by.
GBM_STEPS = 50
GBM_CLOSE = 1e-8


@payoff.kernel(shape="helper")
def pull_at(
    values: FloatArray, weight: FloatArray, df: float, value: float
) -> tuple[float, float, float]:
    """Return minus half the slope, half the bend and half the majorant's bend of the loss.

    The loss is that of one value for all: sum w log(df + (x - value)^2).
    """
    gradient = 0.0
    hessian = 0.0
    majorant = 0.0
    for i in range(values.shape[0]):
        residual = values[i] - value
        square = residual * residual
        share = 1.0 / (df + square)
        pull = weight[i] * share
        gradient += pull * residual
        majorant += pull
        hessian += pull * (df - square) * share
    return gradient, hessian, majorant


def tdist_location(y: FloatArray, f: FloatArray, weight: FloatArray, df: float) -> float:
    """Return the value nearest the weighted median that is best for all; 0 without weight.

    Newton steps inside a bracket that always holds a minimum; where the loss bends down or the
    step leaves the bracket, the step of iterated weights, which never raises the loss.
    """
    values = y - f
    value = weighted_median(values, weight)
    if not math.isfinite(value):
        return 0.0
    low = -math.inf
    high = math.inf
    for _ in range(MOST_STEPS):
        gradient, hessian, majorant = pull_at(values, weight, df, value)
        if gradient > 0.0:
            low = value
        elif gradient < 0.0:
            high = value
        else:
            break
        following = value + gradient / majorant
        if hessian > 0.25 * majorant:
            following = value + gradient / hessian
        if abs(following - value) <= 1e-13 * max(1.0, abs(value)):
            return following
        if not low < following < high:
            following = 0.5 * (low + high)
        value = following
    return value


def gbm_location(y: FloatArray, f: FloatArray, weight: FloatArray, df: float) -> float:
    """Return gbm's M-estimate: iterated weights with the scale 1.4826 times the median distance."""
    values = y - f
    value = gbm_median(values, weight)
    scale = max(1.4826 * gbm_median(np.abs(values - value), weight), GBM_CLOSE)
    for _ in range(GBM_STEPS):
        total = 0.0
        mass = 0.0
        for i in range(values.shape[0]):
            distance = abs(values[i] - value) / scale
            pull = weight[i] / (df + distance * distance)
            total += pull * values[i]
            mass += pull
        following = total / mass if mass > 0.0 else value
        change = abs(following - value)
        if change > GBM_CLOSE and value != 0.0:
            change /= abs(value)
        value = following
        if change < GBM_CLOSE:
            break
    return value


@payoff.loss(
    "Student t",
    asks="a number with wild misses",
    plain=payoff.PlainWords(
        "The average, outliers tamed",
        "Like the average, but errors far out count less and less.",
        "when some values are plainly wrong.",
    ),
    formula="mean of w log(df + (y − F)²)",
    reference="Lange, Little & Taylor 1989; R package gbm, distribution tdist",
    parameters=(
        payoff.Parameter(
            name="df",
            words="degrees of freedom",
            default=4.0,
            minimum=0.0,
            is_minimum_open=True,
            help="The fewer, the less single wild rows count.",
        ),
    ),
)
class Tdist:
    """Loss that grows with the logarithm of a miss: rows that fit nothing hardly count."""

    @staticmethod
    def loss(y: float, f: float, df: float) -> float:
        """Return log(df + u^2), u = y - F."""
        return math.log(df + (y - f) * (y - f))

    @staticmethod
    def saturated(y: float, df: float) -> float:
        """Return log df."""
        return math.log(df)

    @staticmethod
    def step(y: float, f: float, df: float) -> tuple[float, float]:
        """Return 2 u / (df + u^2) and 1: the loss bends down far from its middle."""
        return 2.0 * (y - f) / (df + (y - f) * (y - f)), 1.0

    leaf = payoff.best_shift(tdist_location)
    gbm = payoff.variant(
        start=payoff.best_shift(gbm_location),
        leaf=payoff.best_shift(gbm_location, is_best=False),
        expected_failures=(
            ("Initial score is the best constant", "gbm's M-estimate has a scale of its own."),
        ),
    )
