"""Kernels of the bounds that depend on the order of the losses (Waudby-Smith and Ramdas 2024)."""

from __future__ import annotations

import math

import numpy as np

from core.kernels import own_kernel
from payoff.types import FloatArray

BLOCK = 64  # factors multiplied before a logarithm: none of them leaves [0.5, 7]


@own_kernel
def predictable_bets(loss: FloatArray, level: float, bet: FloatArray) -> tuple[float, float, float]:
    """Fill the bets of a fixed sample size and sum what PrPl-EB needs of them.

    Parameters
    ----------
    loss : float64 (n,)
        In [0, 1], in their fixed order.
    level : float
        ln(1/s) one-sided, ln(2/s) two-sided.
    bet : float64 (n,)
        Filled: sqrt(2 level / (n s²)), s² of the losses before, regularised.

    Returns
    -------
    tuple of float
        Sum of capped bets, of capped bets times losses, and of (loss - mean before)² psi(bet).
    """
    n = loss.shape[0]
    total, spread, mean = 0.5, 0.25, 0.5
    sum_bet, sum_weighted, sum_variance = 0.0, 0.0, 0.0
    for place in range(n):
        variance = spread / (place + 1.0)
        bet[place] = math.sqrt(2.0 * level / (n * variance))
        capped = min(bet[place], 0.5)
        x = loss[place]
        sum_bet += capped
        sum_weighted += capped * x
        sum_variance += (x - mean) ** 2 * (-math.log1p(-capped) - capped)
        total += x
        mean = total / (place + 2.0)
        spread += (x - mean) ** 2
    return sum_bet, sum_weighted, sum_variance


@own_kernel
def log_capital_below(loss: FloatArray, bet: FloatArray, mean: float) -> float:
    """Log of the wealth of betting that the mean lies below ``mean``: K- of the source.

    Rises with ``mean``. Factors are multiplied in fixed blocks, so that the answer is always the
    same.
    """
    n = loss.shape[0]
    most = 0.5 / (1.0 - mean) if mean < 1.0 else np.inf
    log_wealth = 0.0
    for start in range(0, n, BLOCK):
        product = 1.0
        for place in range(start, min(n, start + BLOCK)):
            product *= 1.0 - min(bet[place], most) * (loss[place] - mean)
        log_wealth += math.log(product)
    return log_wealth


@own_kernel
def largest_mean(loss: FloatArray, bet: FloatArray, level: float, tolerance: float) -> float:
    """The largest mean that the bets do not refute: log K- below ``level``; 1 if none is refuted.

    Found between the sample mean and 1 by halving; the answer is rounded towards 1.
    """
    low, high = 0.0, 1.0
    if log_capital_below(loss, bet, 1.0 - 1e-12) < level:
        return 1.0
    while high - low > tolerance:
        middle = 0.5 * (low + high)
        if log_capital_below(loss, bet, middle) < level:
            low = middle
        else:
            high = middle
    return high
