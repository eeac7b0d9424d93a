"""Negative binomial loss: a count that spreads more than Poisson's."""

from __future__ import annotations

import math

import payoff
from payoff.numeric import exp_or_infinity, log1p_exp, sigmoid
from payoff.types import FloatArray

# Where nothing was counted the best score is minus infinity; exp(-19) = 6e-9 stands for nothing.
LOWEST_SCORE = -19.0
MOST_STEPS = 200


def best_constant(y: FloatArray, f: FloatArray, weight: FloatArray, size: float) -> float:
    """Return log(sum of q y / sum of q mu), again and again, q = w s / (mu + s)."""
    total = 0.0
    mass = 0.0
    for i in range(y.shape[0]):
        total += weight[i] * y[i]
        mass += weight[i] * exp_or_infinity(f[i])
    if total <= 0.0 or mass <= 0.0:
        return LOWEST_SCORE
    value = math.log(total / mass)
    shift = math.log(size)
    before = math.inf
    for _ in range(MOST_STEPS):
        counted = 0.0
        expected = 0.0
        for i in range(y.shape[0]):
            counted += weight[i] * y[i] * sigmoid(shift - value - f[i])
            expected += weight[i] * size * sigmoid(value + f[i] - shift)
        step = math.log(counted / expected) if counted > 0.0 and expected > 0.0 else 0.0
        value += step
        # Sums over many cases are rounded: near the end steps do not become smaller than that.
        is_rounding = abs(step) <= 1e-10 and abs(step) >= before
        if abs(step) <= 1e-13 or is_rounding:
            break
        before = abs(step)
    return value


def shares(y: float, gradient: float, curvature: float, size: float) -> tuple[float, float]:
    """Return q y and q mu with q = s / (mu + s) held at the score before; of no count exactly 0.

    Their ratio is the best shift where a leaf's scores are equal, a step towards it elsewhere;
    unlike Newton's it cannot leap up.
    """
    return gradient + curvature, curvature


@payoff.loss(
    "Negative binomial",
    asks="a count that spreads more than Poisson's",
    plain=payoff.PlainWords(
        "Counts that vary a lot",
        "Learns the expected number; a few very large counts are expected and pull less.",
        "when some cases have many more events than chance explains.",
    ),
    formula="loss 2 w ((y + s) log(1 + e^F/s) − y F); variance μ + μ²/s, μ = e^F, s = size",
    reference="Hilbe 2011; R package MASS, glm.nb (Venables & Ripley 2002)",
    target=payoff.TargetDomain.COUNTS,
    link="log",
    gradient_factor=0.5,
    parameters=(
        payoff.Parameter(
            name="size",
            words="size: variance is mean + mean² / size",
            default=1.0,
            minimum=0.0,
            is_minimum_open=True,
            help="theta of glm.nb. Large: like Poisson. Small: single large counts count little.",
        ),
    ),
)
class NegativeBinomial:
    """Negative binomial loss: the mean of a count whose variance outgrows its mean."""

    @staticmethod
    def loss(y: float, f: float, size: float) -> float:
        """Return 2 ((y + s) log(1 + e^F / s) - y F), s = size."""
        return 2.0 * ((y + size) * log1p_exp(f - math.log(size)) - y * f)

    @staticmethod
    def saturated(y: float, size: float) -> float:
        """Return the loss at F = log y, 0 where y is 0."""
        if y <= 0.0:
            return 0.0
        return 2.0 * ((y + size) * math.log1p(y / size) - y * math.log(y))

    @staticmethod
    def step(y: float, f: float, size: float) -> tuple[float, float]:
        """Return (y - mu) s / (mu + s) and the expected curvature mu s / (mu + s)."""
        shift = math.log(size)
        expected = size * sigmoid(f - shift)
        return y * sigmoid(shift - f) - expected, expected

    start = payoff.best_shift(best_constant)
    leaf = payoff.log_ratio(shares, lowest=LOWEST_SCORE, is_best=False)
