"""Heights of uplift curves over draws, and the areas under them.

Arrays are (draws, groups): a draw is a row, a group a run of equal scores, highest first. A curve
runs in straight lines from (0, 0) through its groups; where an arm has no case yet among the best
the height is undefined, and the curve runs straight to the first group at which both have.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from payoff import UpliftSum
from payoff.types import FloatArray

Points = tuple[FloatArray, FloatArray]
PointsCall = Callable[[FloatArray], Points]


def area_under(x: FloatArray, y: FloatArray) -> FloatArray:
    """Area of the polygon from (0, 0) through the points, (draws,)."""
    steps = np.diff(x, axis=1, prepend=0.0)
    before = np.concatenate([np.zeros_like(y[:, :1]), y[:, :-1]], axis=1)
    return np.asarray(0.5 * np.sum((y + before) * steps, axis=1))


def chord_under(x: FloatArray, y: FloatArray) -> FloatArray:
    """Area under the straight line to the end: a random ranking's, (draws,)."""
    return np.asarray(0.5 * x[:, -1] * y[:, -1])


def straight_start(x: FloatArray, y: FloatArray, is_defined: np.ndarray) -> FloatArray:
    """Heights with an undefined start on the straight line to the first defined one."""
    first = np.argmax(is_defined, axis=1)[:, np.newaxis]
    at_first = np.take_along_axis(y, first, axis=1)
    depth = np.take_along_axis(x, first, axis=1)
    is_before = np.arange(x.shape[1])[np.newaxis, :] < first
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(is_before, at_first * x / depth, y)


def arms(sums: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """n_t, n_c, r_t, r_c."""
    return (
        sums[UpliftSum.TREATED],
        sums[UpliftSum.CONTROL],
        sums[UpliftSum.TREATED_OUTCOME],
        sums[UpliftSum.CONTROL_OUTCOME],
    )


def share_of_cases(sums: FloatArray) -> FloatArray:
    """Depth as the share of all cases."""
    count = sums[UpliftSum.TREATED] + sums[UpliftSum.CONTROL]
    return np.asarray(count / count[:, -1:])


def qini_joint(sums: FloatArray) -> Points:
    """r_T - r_C n_T / n_C over the share of cases."""
    n_t, n_c, r_t, r_c = arms(sums)
    x = share_of_cases(sums)
    y = r_t - r_c * n_t / n_c
    return x, straight_start(x, y, n_c > 0)


def uplift_joint(sums: FloatArray) -> Points:
    """(r_T / n_T - r_C / n_C)(n_T + n_C) over the share of cases."""
    n_t, n_c, r_t, r_c = arms(sums)
    x = share_of_cases(sums)
    y = (r_t / n_t - r_c / n_c) * (n_t + n_c)
    return x, straight_start(x, y, (n_t > 0) & (n_c > 0))


def relative_joint(sums: FloatArray) -> Points:
    """r_T / |T| - r_C / |C| over the share of cases."""
    n_t, n_c, r_t, r_c = arms(sums)
    return share_of_cases(sums), r_t / n_t[:, -1:] - r_c / n_c[:, -1:]


def plain(sums: FloatArray) -> Points:
    """(r_T - r_C) / N over the share of cases."""
    n_t, n_c, r_t, r_c = arms(sums)
    return share_of_cases(sums), (r_t - r_c) / (n_t + n_c)[:, -1:]


def generalised(sums: FloatArray, nu: float | FloatArray = 0.0) -> Points:
    """Formulas (25) and (26): sum of s (y - nu) over the re-balanced depth."""
    height = sums[UpliftSum.EFFECT] - nu * sums[UpliftSum.BALANCE]
    return sums[UpliftSum.DEPTH], np.asarray(height)


def best_nu(sums: FloatArray) -> FloatArray:
    """Sum of y s^2 over sum of s^2 among the best, (draws, groups); the last is that of all."""
    square = sums[UpliftSum.SQUARE]
    return np.asarray(sums[UpliftSum.SQUARE_OUTCOME] / np.where(square > 0, square, 1.0))


def area_nu(sums: FloatArray, reach: float) -> FloatArray:
    """The baseline that is about best for the area, (draws, 1).

    Cases count by the square of ``reach`` times the whole depth less their own: 1 for the whole
    area, 1/2 for that above chance.
    """
    x = sums[UpliftSum.DEPTH]
    middle = x - 0.5 * np.diff(x, axis=1, prepend=0.0)
    left = (reach * x[:, -1:] - middle) ** 2
    square = np.diff(sums[UpliftSum.SQUARE], axis=1, prepend=0.0)
    outcome = np.diff(sums[UpliftSum.SQUARE_OUTCOME], axis=1, prepend=0.0)
    top, bottom = (left * outcome).sum(axis=1), (left * square).sum(axis=1)
    found = np.where(bottom > 0, top / np.where(bottom > 0, bottom, 1.0), best_nu(sums)[:, -1])
    return np.asarray(found[:, np.newaxis])


def arm_area(n: FloatArray, r: FloatArray) -> FloatArray:
    """Area under an arm's own curve, shares of the arm on both axes, (draws,)."""
    size = n[:, -1:]
    return area_under(n / size, r / size)


def among_best(sums: FloatArray, depth: float) -> FloatArray:
    """Every sum among the best share of cases, ties in proportion, (rows, draws)."""
    x = share_of_cases(sums)
    after = np.minimum(np.argmax(x >= depth * (1 - 1e-12), axis=1), x.shape[1] - 1)[:, np.newaxis]
    above = np.take_along_axis(x, after, axis=1)[:, 0]
    is_first = after[:, 0] == 0
    prior = np.maximum(after - 1, 0)
    below = np.where(is_first, 0.0, np.take_along_axis(x, prior, axis=1)[:, 0])
    part = np.clip((depth - below) / np.maximum(above - below, 1e-300), 0.0, 1.0)
    found = []
    for row in sums:
        high = np.take_along_axis(row, after, axis=1)[:, 0]
        low = np.where(is_first, 0.0, np.take_along_axis(row, prior, axis=1)[:, 0])
        found.append(low + part * (high - low))
    return np.array(found)


def mean_effect(sums: FloatArray) -> FloatArray:
    """Mean outcome of the treated less that of the control cases, from sums (10, ...).

    Both means are weighted by the inverse chance of the arm and divided by their own weight.
    """
    depth, balance = sums[UpliftSum.DEPTH], sums[UpliftSum.BALANCE]
    treated = sums[UpliftSum.TREATED_EFFECT]
    control = treated - sums[UpliftSum.EFFECT]
    return np.asarray(treated / (depth + 0.5 * balance) - control / (depth - 0.5 * balance))
