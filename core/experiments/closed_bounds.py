"""Bounds of a mean in closed form, for losses in [0, 1]: their mean, variance and number suffice.

Every function gives an **upper** limit that fails with probability ``failure`` at most. Lower
limits are those of 1 - loss, reflected; two-sided ones are asked for at half the failure.
"""

from __future__ import annotations

import math

import numpy as np
from scipy import optimize, special

from core.inference.intervals import student_point
from core.inference.normal import normal_quantile
from payoff.intervals import wilson_interval


def hoeffding(mean: float, n: int, failure: float) -> float:
    """Hoeffding 1963, theorem 2: mean + sqrt(ln(1/s) / 2n)."""
    return mean + math.sqrt(math.log(1.0 / failure) / (2.0 * n))


def divergence(a: float, b: float) -> float:
    """The Kullback-Leibler divergence of two chances of one event."""
    value: float = float(special.rel_entr(a, b) + special.rel_entr(1.0 - a, 1.0 - b))
    return value


def chernoff_kl(mean: float, n: int, failure: float) -> float:
    """Hoeffding 1963, theorem 1: the largest q with kl(mean, q) <= ln(1/s)/n."""
    room = math.log(1.0 / failure) / n
    if mean >= 1.0:
        return 1.0
    if mean <= 0.0:
        return -math.expm1(-room)
    top = math.nextafter(1.0, 0.0)
    if divergence(mean, top) <= room:
        return 1.0
    found: float = optimize.brentq(lambda q: divergence(mean, q) - room, mean, top, xtol=1e-15)
    return found


def empirical_bernstein(mean: float, variance: float, n: int, failure: float) -> float:
    """Maurer and Pontil 2009, theorem 4; ``variance`` with divisor n - 1."""
    level = math.log(2.0 / failure)
    return mean + math.sqrt(2.0 * variance * level / n) + 7.0 * level / (3.0 * (n - 1))


def wilson(mean: float, n: int, failure: float) -> float:
    """Wilson 1927, for 0/1 losses; approximate."""
    z = -normal_quantile(failure)
    return float(wilson_interval(np.array([mean]), np.array([float(n)]), z=z)[1][0])


def student_t(mean: float, variance: float, n: int, failure: float) -> float:
    """The textbook interval of a mean; approximate, and poor for few skewed losses."""
    return mean - student_point(n - 1, failure) * math.sqrt(variance / n)
