"""Tweedie loss: an amount that is often nothing, such as the claims of a year."""

from __future__ import annotations

import math

import numpy as np

import payoff
from payoff.numeric import exp_or_infinity, fill_exp, log_or_minus_infinity
from payoff.types import FloatArray

# Where nothing was paid the best score is minus infinity; exp(-19) = 6e-9 stands for nothing.
LOWEST_SCORE = -19.0
_BLOCK = 512


@payoff.kernel(shape="elementwise")
def tweedie_deviance(
    outcome: FloatArray,
    prediction: FloatArray,
    parameters: FloatArray,
    out: FloatArray,
    start: int,
    stop: int,
) -> None:
    """Fill 2 (m^(2 - p) / (2 - p) - y m^(1 - p) / (1 - p) - y^(2 - p) / ((p - 1) (2 - p))).

    Over arrays, since powers in strips are three times as fast as one by one.
    """
    power = parameters[0]
    log_of = np.empty(_BLOCK)
    pull = np.empty(_BLOCK)
    paid = np.empty(_BLOCK)
    for base in range(start, stop, _BLOCK):
        count = min(_BLOCK, stop - base)
        for j in range(count):
            log_of[j] = (1.0 - power) * math.log(prediction[0, base + j])
        fill_exp(log_of[:count], pull[:count])
        for j in range(count):
            log_of[j] = (2.0 - power) * log_or_minus_infinity(outcome[base + j])
        fill_exp(log_of[:count], paid[:count])
        for j in range(count):
            y = outcome[base + j]
            expected = prediction[0, base + j] * pull[j] / (2.0 - power)
            known = paid[j] / ((power - 1.0) * (2.0 - power)) if y > 0.0 else 0.0
            out[base + j] = 2.0 * (expected - y * pull[j] / (1.0 - power) - known)


def best_constant(y: FloatArray, f: FloatArray, weight: FloatArray, power: float) -> float:
    """Return log(sum w y exp((1 - p) F) / sum w exp((2 - p) F)).

    The sums of a leaf, taken from gradients, would lose the last digits.
    """
    paid = 0.0
    exposed = 0.0
    for i in range(y.shape[0]):
        exposed += weight[i] * exp_or_infinity((2.0 - power) * f[i])
        if y[i] > 0.0:
            paid += weight[i] * y[i] * exp_or_infinity((1.0 - power) * f[i])
    return math.log(paid / exposed) if paid > 0.0 and exposed > 0.0 else LOWEST_SCORE


def shares(y: float, gradient: float, curvature: float, power: float) -> tuple[float, float]:
    """Return y exp((1 - p) F) and exp((2 - p) F): gradient and curvature hold both powers."""
    paid = curvature + (2.0 - power) * gradient if y > 0.0 else 0.0  # nothing paid: exactly 0
    return paid, paid - gradient


@payoff.loss(
    "Tweedie",
    asks="an amount, often nothing",
    plain=payoff.PlainWords(
        "Often 0, else an amount",
        "Learns the mean of amounts that are exactly 0 for many cases.",
        "when most cases bring nothing and some bring a lot.",
    ),
    formula="loss 2 w (e^((2−p)F)/(2−p) − y e^((1−p)F)/(1−p)), p = power",
    reference="Jørgensen 1987; Yang, Qian & Zou 2018; R package gbm3, distribution Tweedie",
    target=payoff.TargetDomain.COUNTS,
    link="log",
    gradient_factor=0.5,
    parameters=(
        payoff.Parameter(
            name="power",
            words="power by which the variance grows with the mean",
            default=1.5,
            minimum=1.0,
            maximum=2.0,
            is_minimum_open=True,
            is_maximum_open=True,
            help="Near 1 like counts, near 2 like positive amounts.",
        ),
    ),
)
class Tweedie:
    """Tweedie loss: the mean of an amount with many zeros; exposure goes in as log offset."""

    @staticmethod
    def loss(y: float, f: float, power: float) -> float:
        """Return 2 (exp((2 - p) F) / (2 - p) - y exp((1 - p) F) / (1 - p))."""
        cost = 2.0 * exp_or_infinity((2.0 - power) * f) / (2.0 - power)
        if y > 0.0:
            cost -= 2.0 * y * exp_or_infinity((1.0 - power) * f) / (1.0 - power)
        return cost

    @staticmethod
    def saturated(y: float, power: float) -> float:
        """Return the loss at F = log y: 2 y^(2 - p) / ((p - 1) (2 - p)), 0 where y is 0."""
        return float(2.0 * y ** (2.0 - power) / ((power - 1.0) * (2.0 - power)))

    @staticmethod
    def step(y: float, f: float, power: float) -> tuple[float, float]:
        """Return y exp((1 - p) F) - exp((2 - p) F) and its fall."""
        expected = exp_or_infinity((2.0 - power) * f)
        paid = y * exp_or_infinity((1.0 - power) * f) if y > 0.0 else 0.0
        return paid - expected, (power - 1.0) * paid + (2.0 - power) * expected

    deviance = tweedie_deviance
    start = payoff.best_shift(best_constant)
    leaf = payoff.log_ratio(shares, lowest=LOWEST_SCORE)
