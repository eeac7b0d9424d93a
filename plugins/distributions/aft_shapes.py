"""The three shapes that log times scatter like: log likelihoods with slopes, at z = (log t - F)/s.

Slopes and curvatures are by F, in units of the scale: the slope by F is minus that by z.
Shape 0 is the normal, 1 the logistic, 2 the smallest-extreme-value distribution.
"""

from __future__ import annotations

import math

import payoff
from payoff.numeric import exp_or_infinity, log1p_exp, sigmoid

HALF_LOG_TWO_PI = 0.9189385332046727
ROOT_HALF = 0.7071067811865476
# Beyond this many standard deviations the normal's tail is taken from its series.
FAR = 30.0
LARGEST_EXPONENT = 600.0
LEAST_MASS = 1e-290


@payoff.kernel(shape="helper")
def extreme_power(place: float) -> float:
    """Return exp(z), held below overflow."""
    return math.exp(min(place, LARGEST_EXPONENT))


@payoff.kernel(shape="helper")
def density_gradients(place: float, shape: int) -> tuple[float, float, float]:
    """Return log f(z), and its slope and minus its curvature by F."""
    if shape == 0:
        return -0.5 * place * place - HALF_LOG_TWO_PI, place, 1.0
    if shape == 1:
        probability = sigmoid(place)
        level = -place - 2.0 * log1p_exp(-place) if place > 0.0 else place - 2.0 * log1p_exp(place)
        return level, 2.0 * probability - 1.0, 2.0 * probability * (1.0 - probability)
    power = extreme_power(place)
    return place - power, power - 1.0, power


@payoff.kernel(shape="helper")
def censored_gradients(place: float, shape: int) -> tuple[float, float, float]:
    """Return log S(z), the log chance of a longer time, with slope and minus curvature by F."""
    if shape == 0:
        if place > FAR:
            hazard = place + 1.0 / place
            level = -0.5 * place * place - HALF_LOG_TWO_PI - math.log(hazard)
        else:
            tail = 0.5 * math.erfc(place * ROOT_HALF)
            level = math.log(tail)
            hazard = math.exp(-0.5 * place * place - HALF_LOG_TWO_PI) / tail
        return level, hazard, hazard * (hazard - place)
    if shape == 1:
        probability = sigmoid(place)
        return -log1p_exp(place), probability, probability * (1.0 - probability)
    power = extreme_power(place)
    return -power, power, power


@payoff.kernel(shape="helper")
def tails(place: float, shape: int) -> tuple[float, float]:
    """Return the chances below and above z, each exact where it is small."""
    if shape == 0:
        return 0.5 * math.erfc(-place * ROOT_HALF), 0.5 * math.erfc(place * ROOT_HALF)
    if shape == 1:
        return sigmoid(place), sigmoid(-place)
    power = extreme_power(place)
    return -math.expm1(-power), math.exp(-power)


@payoff.kernel(shape="helper")
def interval_gradients(first: float, last: float, shape: int) -> tuple[float, float, float]:
    """Return the log chance between two z, with slope and minus curvature by F.

    Where the chance is too small for a number, the density at the nearer end stands for it.
    """
    below, above = tails(first, shape)
    last_below, last_above = tails(last, shape)
    mass = above - last_above if above < below else last_below - below
    if not mass > LEAST_MASS:
        near = first if first + last > 0.0 else last
        return density_gradients(near, shape)
    one, one_gradient, _ = density_gradients(first, shape)
    two, two_gradient, _ = density_gradients(last, shape)
    ratio = exp_or_infinity(one) / mass
    last_ratio = exp_or_infinity(two) / mass
    gradient = ratio - last_ratio
    return (
        math.log(mass),
        gradient,
        gradient * gradient - (ratio * one_gradient - last_ratio * two_gradient),
    )
