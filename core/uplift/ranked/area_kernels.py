"""Own kernels of areas and their errors, block by block down the groups of equal scores.

A block is a run of groups with their cumulative sums. Where the sums of all groups are at hand they
are one block; where cases are counted, blocks are made from the packed bytes of the cases and
forgotten again (``packed_kernels``), so that millions of groups need no memory of their own. What
passes from block to block stands in ``carry``.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from core.kernels import own_kernel
from payoff.types import FloatArray

#: Cumulative sums at the ends of groups, as the kernels of areas take them: n_t, n_c, r_t, r_c, q_t
#: and q_c, each (G,).
Sums: TypeAlias = tuple[FloatArray, FloatArray, FloatArray, FloatArray, FloatArray, FloatArray]
#: The same six sums at one place.
Point: TypeAlias = tuple[float, float, float, float, float, float]

QINI_JOINT = 0
UPLIFT_JOINT = 1
RELATIVE_JOINT = 2
PLAIN = 3
GENERALISED = 4
QINI_SEPARATE = 5
UPLIFT_SEPARATE = 6
RELATIVE_SEPARATE = 7

AREA_CARRY = 11
CHANGES_CARRY = 11
ARM_CARRY = 7


@own_kernel(inline=True)
def joint_value(
    variant: int, nu: float, n_t: float, n_c: float, r_t: float, r_c: float, t: float, c: float
) -> float:
    """Height of a joint curve from the sums among the best and the sizes of the arms."""
    if variant == QINI_JOINT:
        return r_t - r_c * n_t / n_c
    if variant == UPLIFT_JOINT:
        return (r_t / n_t - r_c / n_c) * (n_t + n_c)
    if variant == RELATIVE_JOINT:
        return r_t / t - r_c / c
    if variant == PLAIN:
        return (r_t - r_c) / (t + c)
    return (r_t - nu * n_t) / t - (r_c - nu * n_c) / c


@own_kernel(inline=True)
def joint_slopes(
    variant: int, nu: float, n_t: float, n_c: float, r_t: float, r_c: float, t: float, c: float
) -> tuple[float, float, float, float]:
    """Change of the height with n_t, n_c, r_t and r_c, the sizes of the arms held fixed."""
    if variant == QINI_JOINT:
        once_c = 1.0 / n_c  # one division a group: they are what this costs
        ratio = n_t * once_c
        return -r_c * once_c, r_c * ratio * once_c, 1.0, -ratio
    if variant == UPLIFT_JOINT:
        once_t, once_c = 1.0 / n_t, 1.0 / n_c
        up, down = n_c * once_t, n_t * once_c
        by_t = -r_t * up * once_t - r_c * once_c
        by_c = r_t * once_t + r_c * down * once_c
        return by_t, by_c, 1.0 + up, -down - 1.0
    if variant == RELATIVE_JOINT:
        return 0.0, 0.0, 1.0 / t, -1.0 / c
    if variant == PLAIN:
        return 0.0, 0.0, 1.0 / (t + c), -1.0 / (t + c)
    return -nu / t, nu / c, 1.0 / t, -1.0 / c


@own_kernel(inline=True)
def depth_steps(variant: int, t: float, c: float) -> tuple[float, float]:
    """What a treated and a control case add to the depth."""
    if variant == GENERALISED:
        return 0.5 / t, 0.5 / c
    return 1.0 / (t + c), 1.0 / (t + c)


@own_kernel
def joint_moments(
    variant: int, nu: float, sums: Sums, first: int, tables: FloatArray, out: FloatArray
) -> None:
    """Area of a joint curve, its height at the end, and the variances of area and area less chord.

    The variance is the infinitesimal jackknife's: the sum over cases of the squared change of the
    area with the case's weight, about its mean. The sizes of the arms are estimated with the rest.

    Parameters
    ----------
    sums : (n_t, n_c, r_t, r_c, q_t, q_c), each (G,) float64
        Cumulative sums at the ends of groups.
    first : int
        First group at which the curve is defined; those before are taken together with it.
    tables : (4, G) or (4, 0) float64, filled
        Change of the area with a case's weight: a_t + b_t y for the treated, a_c + b_c y else.
    out : (6,) float64, filled
        Area, end, variance of the area, of the area less its chord, and of the end; chord's area.
    """
    groups = sums[0].shape[0]
    ends = point_at(sums, groups - 1)
    nothing = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    down, up = np.zeros(AREA_CARRY), np.zeros(CHANGES_CARRY)
    add_area(variant, nu, sums, first, groups, ends, down)
    slopes = start_changes(variant, nu, ends, down, up)
    add_changes(variant, nu, sums, first, groups, nothing, ends, slopes, up, tables)
    finish_joint(ends, slopes, down, up, out)


@own_kernel(inline=True)
def point_at(sums: Sums, place: int) -> Point:
    """The sums at the end of one group."""
    g = np.uint64(place)
    return sums[0][g], sums[1][g], sums[2][g], sums[3][g], sums[4][g], sums[5][g]


@own_kernel
def add_area(
    variant: int, nu: float, sums: Sums, first: int, last: int, ends: Point, carry: FloatArray
) -> None:
    """Add the part of the area under groups ``first`` to ``last`` (not included).

    Parameters
    ----------
    ends : tuple
        The six sums over all cases.
    carry : (11,) float64, changed
        Area, height and depth so far; then what gives the area's change with the sizes of the arms,
        which enter the heights of relative curves, and the depths of the generalised one.
    """
    n_t, n_c, r_t, r_c = sums[0], sums[1], sums[2], sums[3]
    t, c = ends[0], ends[1]
    x_of_t, x_of_c = depth_steps(variant, t, c)
    sized = variant in (GENERALISED, RELATIVE_JOINT)
    area, before, x_before = carry[0], carry[1], carry[2]
    own_t, own_c, own_t_before, own_c_before = carry[3], carry[4], carry[5], carry[6]
    along_t, along_c, t_before, c_before = carry[7], carry[8], carry[9], carry[10]
    for place in range(first, last):
        g = np.uint64(place)
        x = n_t[g] * x_of_t + n_c[g] * x_of_c
        height = joint_value(variant, nu, n_t[g], n_c[g], r_t[g], r_c[g], t, c)
        middle = 0.5 * (before + height)
        area += middle * (x - x_before)
        if sized:
            part_t = (r_t[g] - nu * n_t[g]) / t
            part_c = (r_c[g] - nu * n_c[g]) / c
            own_t += 0.5 * (own_t_before + part_t) * (x - x_before)
            own_c += 0.5 * (own_c_before + part_c) * (x - x_before)
            along_t += middle * (n_t[g] - t_before)
            along_c += middle * (n_c[g] - c_before)
            own_t_before, own_c_before, t_before, c_before = part_t, part_c, n_t[g], n_c[g]
        before, x_before = height, x
    carry[0], carry[1], carry[2] = area, before, x_before
    carry[3], carry[4], carry[5], carry[6] = own_t, own_c, own_t_before, own_c_before
    carry[7], carry[8], carry[9], carry[10] = along_t, along_c, t_before, c_before


@own_kernel
def start_changes(
    variant: int, nu: float, ends: Point, down: FloatArray, up: FloatArray
) -> tuple[float, float, float, float, float, float]:
    """Begin the way up from the last group, once the area is known.

    Returns the change of the height at the end with n_t, n_c, r_t and r_c of all cases, and that of
    the area with the sizes of the two arms.
    """
    t, c, r_t, r_c = ends[0], ends[1], ends[2], ends[3]
    by_t, by_c, by_rt, by_rc = joint_slopes(variant, nu, t, c, r_t, r_c, t, c)
    size_t, size_c = 0.0, 0.0
    if variant in (GENERALISED, RELATIVE_JOINT):
        by_t -= (r_t - nu * t) / (t * t)
        by_c += (r_c - nu * c) / (c * c)
        size_t, size_c = -down[3] / t, down[4] / c
    if variant == GENERALISED:
        x_of_t, x_of_c = depth_steps(variant, t, c)
        size_t -= down[7] * x_of_t / t
        size_c -= down[8] * x_of_c / c
    up[8], up[9], up[10] = down[2], down[2], down[1]
    return by_t, by_c, by_rt, by_rc, size_t, size_c


@own_kernel
def add_changes(
    variant: int,
    nu: float,
    sums: Sums,
    first: int,
    last: int,
    above: Point,
    ends: Point,
    slopes: tuple[float, float, float, float, float, float],
    carry: FloatArray,
    tables: FloatArray,
) -> None:
    """Add what the cases of a block change, from its last group up to its first.

    A case changes the curve from its own group to the end.

    Parameters
    ----------
    above : tuple
        The six sums at the end of the group before ``first``; zeros where the curve begins here.
    carry : (11,) float64, changed
        Sum and sum of squares over cases of the area's change, and of that of the area less chord;
        sums of the slopes of the heights below; depths of the next two groups and a height.
    """
    n_t, n_c, r_t, r_c, q_t, q_c = sums
    t, c = ends[0], ends[1]
    x_of_t, x_of_c = depth_steps(variant, t, c)
    first_sum, first_square, less_sum, less_square = carry[0], carry[1], carry[2], carry[3]
    sum_nt, sum_nc, sum_rt, sum_rc = carry[4], carry[5], carry[6], carry[7]
    x_next, x_here, height = carry[8], carry[9], carry[10]
    begins_here = above[0] + above[1] == 0.0
    for back in range(last - first):
        place = last - 1 - back
        g = np.uint64(place)
        a_nt, a_nc, a_rt, a_rc, a_qt, a_qc = above
        if place != first:
            h = np.uint64(place - 1)
            a_nt, a_nc, a_rt, a_rc, a_qt, a_qc = n_t[h], n_c[h], r_t[h], r_c[h], q_t[h], q_c[h]
        x_prior = a_nt * x_of_t + a_nc * x_of_c
        is_start = begins_here and place == first
        below = 0.0
        if not is_start:
            below = joint_value(variant, nu, a_nt, a_nc, a_rt, a_rc, t, c)
        by_nt, by_nc, by_rt, by_rc = joint_slopes(variant, nu, n_t[g], n_c[g], r_t[g], r_c[g], t, c)
        share = 0.5 * (x_next - x_prior)
        sum_nt += by_nt * share
        sum_nc += by_nc * share
        sum_rt += by_rt * share
        sum_rc += by_rc * share
        middle = 0.5 * (height + below)
        a_t = sum_nt + middle * x_of_t + slopes[4]
        a_c = sum_nc + middle * x_of_c + slopes[5]
        if tables.shape[1] > 0:
            for early in range(0 if is_start else place, place + 1):
                tables[0, early], tables[1, early] = a_t, sum_rt
                tables[2, early], tables[3, early] = a_c, sum_rc
        cases_t, cases_c = n_t[g] - a_nt, n_c[g] - a_nc
        y_t, y_c = r_t[g] - a_rt, r_c[g] - a_rc
        yy_t, yy_c = q_t[g] - a_qt, q_c[g] - a_qc
        less_t, less_c = a_t - 0.5 * slopes[0], a_c - 0.5 * slopes[1]
        slope_t, slope_c = sum_rt - 0.5 * slopes[2], sum_rc - 0.5 * slopes[3]
        first_sum += a_t * cases_t + sum_rt * y_t + a_c * cases_c + sum_rc * y_c
        first_square += square_of(a_t, sum_rt, cases_t, y_t, yy_t)
        first_square += square_of(a_c, sum_rc, cases_c, y_c, yy_c)
        less_sum += less_t * cases_t + slope_t * y_t + less_c * cases_c + slope_c * y_c
        less_square += square_of(less_t, slope_t, cases_t, y_t, yy_t)
        less_square += square_of(less_c, slope_c, cases_c, y_c, yy_c)
        x_next, x_here, height = x_here, x_prior, below
    carry[0], carry[1], carry[2], carry[3] = first_sum, first_square, less_sum, less_square
    carry[4], carry[5], carry[6], carry[7] = sum_nt, sum_nc, sum_rt, sum_rc
    carry[8], carry[9], carry[10] = x_next, x_here, height


@own_kernel
def finish_joint(
    ends: Point,
    slopes: tuple[float, float, float, float, float, float],
    down: FloatArray,
    up: FloatArray,
    out: FloatArray,
) -> None:
    """The six figures of ``joint_moments`` once both ways are done."""
    t, c, r_t, r_c, q_t, q_c = ends
    out[0], out[1], out[5] = down[0], down[1], 0.5 * down[1] * down[2]
    end_sum = slopes[0] * t + slopes[2] * r_t + slopes[1] * c + slopes[3] * r_c
    end_square = square_of(slopes[0], slopes[2], t, r_t, q_t)
    end_square += square_of(slopes[1], slopes[3], c, r_c, q_c)
    out[2] = about_mean(up[0], up[1], t + c)
    out[3] = about_mean(up[2], up[3], t + c)
    out[4] = about_mean(end_sum, end_square, t + c)


@own_kernel(inline=True)
def square_of(a: float, b: float, n: float, r: float, q: float) -> float:
    """Sum of (a + b y)^2 over cases with the sums n, r, q of weight, outcome and its square."""
    return a * a * n + 2.0 * a * b * r + b * b * q


@own_kernel(inline=True)
def about_mean(total: float, square: float, cases: float) -> float:
    """Sum of squares about the mean; rounding never makes it negative."""
    return max(square - total * total / cases, 0.0)


@own_kernel
def separate_moments(variant: int, sums: Sums, tables: FloatArray, out: FloatArray) -> None:
    """The same for curves in which each arm is ranked on its own, over the share of the arm."""
    n_t, n_c, r_t, r_c, q_t, q_c = sums
    groups = n_t.shape[0]
    ends = point_at(sums, groups - 1)
    areas, parts = np.zeros((2, 3)), np.zeros((2, ARM_CARRY))
    add_arm_area(n_t, r_t, groups, areas[0])
    add_arm_area(n_c, r_c, groups, areas[1])
    plan = arm_plan(variant, ends, areas)
    add_arm(n_t, r_t, q_t, groups, plan[0], parts[0], tables[0:2])
    add_arm(n_c, r_c, q_c, groups, plan[1], parts[1], tables[2:4])
    finish_separate(ends, plan, parts, out)


@own_kernel
def add_arm_area(n: FloatArray, r: FloatArray, groups: int, carry: FloatArray) -> None:
    """Add a block to the area under an arm's own curve; carry: area, and the sums so far."""
    area, n_before, r_before = carry[0], carry[1], carry[2]
    for g in range(groups):
        area += 0.5 * (r[g] + r_before) * (n[g] - n_before)
        n_before, r_before = n[g], r[g]
    carry[0], carry[1], carry[2] = area, n_before, r_before


@own_kernel
def arm_plan(variant: int, ends: Point, areas: FloatArray) -> FloatArray:
    """Of each arm: size, rate, area of its curve, scale, and shift of area and rate, (2, 6)."""
    t, c = ends[0], ends[1]
    area_t, area_c = areas[0, 0] / (t * t), areas[1, 0] / (c * c)
    rate_t, rate_c = ends[2] / t, ends[3] / c
    scale_t = 1.0 if variant == RELATIVE_SEPARATE else t
    scale_c = scale_t if variant != UPLIFT_SEPARATE else c
    plan = np.zeros((2, 6))
    plan[0, 0], plan[0, 1], plan[0, 2], plan[0, 3] = t, rate_t, area_t, scale_t
    plan[1, 0], plan[1, 1], plan[1, 2], plan[1, 3] = c, rate_c, area_c, -scale_c
    if variant == QINI_SEPARATE:
        plan[0, 4], plan[0, 5] = area_t - area_c, rate_t - rate_c
    elif variant == UPLIFT_SEPARATE:
        plan[0, 4], plan[0, 5] = area_t, rate_t
        plan[1, 4], plan[1, 5] = -area_c, -rate_c
    return plan


@own_kernel(inline=True)
def end_change(plan: FloatArray) -> tuple[float, float]:
    """Change of the height at the end with a case of the arm: a + b y."""
    return plan[5] - plan[3] * plan[1] / plan[0], plan[3] / plan[0]


@own_kernel
def add_arm(
    n: FloatArray,
    r: FloatArray,
    q: FloatArray,
    groups: int,
    plan: FloatArray,
    carry: FloatArray,
    tables: FloatArray,
) -> None:
    """Add a block to an arm's sums and squares of changes: of the area, of the area less chord.

    The carry ends with the three sums so far. ``tables`` (2, G) or (2, 0) as for joint curves.
    """
    size, area, scale, shift = plan[0], plan[2], plan[3], plan[4]
    end_a, end_b = end_change(plan)
    keeps = tables.shape[1] > 0
    first_sum, first_square, less_sum, less_square = carry[0], carry[1], carry[2], carry[3]
    n_before, r_before, q_before = carry[4], carry[5], carry[6]
    by_size = scale / (size * size)
    for place in range(groups):
        g = np.uint64(place)
        b = by_size * (size - 0.5 * (n[g] + n_before))
        a = by_size * (0.5 * (r[g] + r_before)) - 2.0 * scale * area / size + shift
        if keeps:
            tables[0, place], tables[1, place] = a, b
        cases, y, yy = n[g] - n_before, r[g] - r_before, q[g] - q_before
        less_a, less_b = a - 0.5 * end_a, b - 0.5 * end_b
        first_sum += a * cases + b * y
        first_square += square_of(a, b, cases, y, yy)
        less_sum += less_a * cases + less_b * y
        less_square += square_of(less_a, less_b, cases, y, yy)
        n_before, r_before, q_before = n[g], r[g], q[g]
    carry[0], carry[1], carry[2], carry[3] = first_sum, first_square, less_sum, less_square
    carry[4], carry[5], carry[6] = n_before, r_before, q_before


@own_kernel
def finish_separate(ends: Point, plan: FloatArray, parts: FloatArray, out: FloatArray) -> None:
    """The six figures of ``separate_moments``."""
    t, c, r_t, r_c, q_t, q_c = ends
    out[0] = plan[0, 3] * plan[0, 2] + plan[1, 3] * plan[1, 2]
    out[1] = plan[0, 3] * plan[0, 1] + plan[1, 3] * plan[1, 1]
    for part in range(2):
        total = parts[0, 2 * part] + parts[1, 2 * part]
        square = parts[0, 2 * part + 1] + parts[1, 2 * part + 1]
        out[2 + part] = about_mean(total, square, t + c)
    at, bt = end_change(plan[0])
    ac, bc = end_change(plan[1])
    total = at * t + bt * r_t + ac * c + bc * r_c
    square = square_of(at, bt, t, r_t, q_t) + square_of(ac, bc, c, r_c, q_c)
    out[4] = about_mean(total, square, t + c)
    out[5] = 0.5 * out[1]
