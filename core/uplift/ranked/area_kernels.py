"""Own kernels of areas and their errors, group by group of equal scores.

One walk over the groups gives an area and its variances: what a case changes is known up to
constants of its arm, among them the area itself, and constants are taken in afterwards, from sums.
Where the sums of all groups are at hand they are read; where cases are counted, the walk goes over
the packed bytes of the cases (``packed_kernels``), so that millions of groups need no memory.
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
#: Of the cases of an arm, each of which changes a figure by a + b y: the sum of the changes, of the
#: changes times y, and of the squared changes.
Changes: TypeAlias = tuple[float, float, float]
#: How changes of an arm become others: times a factor, plus a + b y.
Move: TypeAlias = tuple[float, float, float]
#: Change of a height with n_t, n_c, r_t and r_c.
Slopes: TypeAlias = tuple[float, float, float, float]
#: Area; integrals of the arms' parts of the height by depth; of the height by cases of each arm.
Areas: TypeAlias = tuple[float, float, float, float, float]
#: Depth of the group below, of this one, its height, and 1 over n_t and n_c there.
Place: TypeAlias = tuple[float, float, float, float, float]
#: What passes from group to group on the way up: the slopes of the heights below added up, the
#: changes by the treated and by the control cases, areas, and the place.
Walk: TypeAlias = tuple[Slopes, Changes, Changes, Areas, Place]
#: Of an arm ranked on its own: its changes, and the area under its curve.
ArmWalk: TypeAlias = tuple[Changes, float]

QINI_JOINT = 0
UPLIFT_JOINT = 1
RELATIVE_JOINT = 2
PLAIN = 3
GENERALISED = 4
QINI_SEPARATE = 0
UPLIFT_SEPARATE = 1
RELATIVE_SEPARATE = 2
SEPARATE = 3

NO_CHANGES: Changes = (0.0, 0.0, 0.0)
BEGIN: Point = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


@own_kernel(inline=True)
def once_over(variant: int, n_t: float, n_c: float, t: float, c: float) -> tuple[float, float]:
    """1 over the cases of each arm that a height is divided by: those so far, or all of them.

    Divisions are most of what a group costs: a place is left with those that it was entered with.
    """
    if variant in (QINI_JOINT, UPLIFT_JOINT):
        return 1.0 / n_t, 1.0 / n_c
    return 1.0 / t, 1.0 / c


@own_kernel(inline=True)
def joint_value(
    variant: int, nu: float, here: Point, once_t: float, once_c: float, cases: float
) -> float:
    """Height of a joint curve from the sums among the best and the number of all cases."""
    n_t, n_c, r_t, r_c = here[0], here[1], here[2], here[3]
    if variant == QINI_JOINT:
        return r_t - r_c * (n_t * once_c)
    if variant == UPLIFT_JOINT:
        return (r_t * once_t - r_c * once_c) * (n_t + n_c)
    if variant == RELATIVE_JOINT:
        return r_t * once_t - r_c * once_c
    if variant == PLAIN:
        return (r_t - r_c) * (1.0 / cases)
    return (r_t - nu * n_t) * once_t - (r_c - nu * n_c) * once_c


@own_kernel(inline=True)
def joint_slopes(
    variant: int, nu: float, here: Point, once_t: float, once_c: float, cases: float
) -> Slopes:
    """Change of the height with n_t, n_c, r_t and r_c, the sizes of the arms held fixed."""
    n_t, n_c, r_t, r_c = here[0], here[1], here[2], here[3]
    if variant == QINI_JOINT:
        ratio = n_t * once_c
        return -r_c * once_c, r_c * ratio * once_c, 1.0, -ratio
    if variant == UPLIFT_JOINT:
        up, down = n_c * once_t, n_t * once_c
        by_t = -r_t * up * once_t - r_c * once_c
        by_c = r_t * once_t + r_c * down * once_c
        return by_t, by_c, 1.0 + up, -down - 1.0
    if variant == RELATIVE_JOINT:
        return 0.0, 0.0, once_t, -once_c
    if variant == PLAIN:
        return 0.0, 0.0, 1.0 / cases, -1.0 / cases
    return -nu * once_t, nu * once_c, once_t, -once_c


@own_kernel(inline=True)
def depth_steps(variant: int, t: float, c: float) -> tuple[float, float]:
    """What a treated and a control case add to the depth."""
    if variant == GENERALISED:
        return 0.5 / t, 0.5 / c
    return 1.0 / (t + c), 1.0 / (t + c)


@own_kernel(inline=True)
def is_undefined(variant: int, n_t: float, n_c: float) -> bool:
    """Whether a joint curve has no height after so many cases of the arms."""
    if variant == QINI_JOINT:
        return n_c == 0.0
    return variant == UPLIFT_JOINT and (n_c == 0.0 or n_t == 0.0)


@own_kernel(inline=True)
def add_changes(changes: Changes, a: float, b: float, n: float, r: float, q: float) -> Changes:
    """Add cases that change a figure by a + b y; n, r, q are sums of weight, outcome, square."""
    change, by_outcome = a * n + b * r, a * r + b * q
    return (
        changes[0] + change,
        changes[1] + by_outcome,
        changes[2] + (a * change + b * by_outcome),
    )


@own_kernel(inline=True)
def changes_with(
    changes: Changes, factor: float, a: float, b: float, n: float, r: float, q: float
) -> tuple[float, float]:
    """Sum and sum of squares of ``factor`` times the changes plus a + b y, of all of an arm."""
    total = factor * changes[0] + a * n + b * r
    square = factor * factor * changes[2] + 2.0 * factor * (a * changes[0] + b * changes[1])
    return total, square + (a * a * n + 2.0 * a * b * r + b * b * q)


@own_kernel(inline=True)
def variance_with(ends: Point, treated: Changes, by_t: Move, control: Changes, by_c: Move) -> float:
    """Sum over all cases of the squared changes, moved by arm, about their mean."""
    t, c, r_t, r_c, q_t, q_c = ends
    total_t, square_t = changes_with(treated, by_t[0], by_t[1], by_t[2], t, r_t, q_t)
    total_c, square_c = changes_with(control, by_c[0], by_c[1], by_c[2], c, r_c, q_c)
    total = total_t + total_c
    return max(square_t + square_c - total * total / (t + c), 0.0)  # rounding may be below


@own_kernel(inline=True)
def point_at(sums: Sums, place: int) -> Point:
    """The sums at the end of one group."""
    g = np.uint64(place)
    return sums[0][g], sums[1][g], sums[2][g], sums[3][g], sums[4][g], sums[5][g]


@own_kernel
def joint_moments(variant: int, nu: float, sums: Sums, tables: FloatArray, out: FloatArray) -> None:
    """Area of a joint curve, its height at the end, and the variances of area and area less chord.

    The variance is the infinitesimal jackknife's: the sum over cases of the squared change of the
    area with the case's weight, about its mean. The sizes of the arms are estimated with the rest.
    Groups before the first at which the curve is defined are taken together with it.

    Parameters
    ----------
    sums : (n_t, n_c, r_t, r_c, q_t, q_c), each (G,) float64
        Cumulative sums at the ends of groups.
    tables : (4, G) or (4, 0) float64, filled
        Change of the area with a case's weight: a_t + b_t y for the treated, a_c + b_c y else.
    out : (6,) float64, filled
        Area, end, variance of the area, of the area less its chord, and of the end; chord's area.
    """
    groups = sums[0].shape[0]
    ends = point_at(sums, groups - 1)
    walk = start_joint(variant, nu, ends)
    here = ends
    for back in range(groups):
        place = groups - 1 - back
        above = BEGIN
        if place > 0:
            above = point_at(sums, place - 1)
        if is_undefined(variant, above[0], above[1]):
            above = BEGIN
        walk, by_t, by_c = add_group(variant, nu, ends, here, above, walk)
        is_start = above[0] + above[1] == 0.0
        if tables.shape[1] > 0:
            for early in range(0 if is_start else place, place + 1):
                tables[0, early], tables[1, early] = by_t, walk[0][2]
                tables[2, early], tables[3, early] = by_c, walk[0][3]
        if is_start:
            break
        here = above
    shifts = finish_joint(variant, nu, ends, walk, out)
    for row in range(4):
        for group in range(tables.shape[1]):
            tables[row, group] += shifts[row]


@own_kernel(inline=True)
def end_slopes(variant: int, nu: float, ends: Point) -> Slopes:
    """Change of the last height with n_t, n_c, r_t and r_c of all cases."""
    t, c, r_t, r_c = ends[0], ends[1], ends[2], ends[3]
    by_t, by_c, by_rt, by_rc = joint_slopes(variant, nu, ends, 1.0 / t, 1.0 / c, t + c)
    if variant in (GENERALISED, RELATIVE_JOINT):
        by_t -= (r_t - nu * t) / (t * t)
        by_c += (r_c - nu * c) / (c * c)
    return by_t, by_c, by_rt, by_rc


@own_kernel(inline=True)
def size_slopes(variant: int, ends: Point, areas: Areas) -> tuple[float, float]:
    """Change of the area with the sizes of the arms, which enter heights and depths."""
    t, c = ends[0], ends[1]
    by_t, by_c = 0.0, 0.0
    if variant in (GENERALISED, RELATIVE_JOINT):
        by_t, by_c = -areas[1] / t, areas[2] / c
    if variant == GENERALISED:
        by_t -= areas[3] * 0.5 / (t * t)
        by_c -= areas[4] * 0.5 / (c * c)
    return by_t, by_c


@own_kernel(inline=True)
def chord_areas(nu: float, ends: Point, height: float) -> Areas:
    """The areas of a walk as they are under the straight line to a curve's end."""
    t, c, r_t, r_c = ends[0], ends[1], ends[2], ends[3]
    half = 0.5 * height
    return half, 0.5 * (r_t - nu * t) / t, 0.5 * (r_c - nu * c) / c, half * t, half * c


@own_kernel(inline=True)
def start_joint(variant: int, nu: float, ends: Point) -> Walk:
    """The walk before the last group.

    Changes are those of the area less its chord, as if the curve were its chord: they are small
    whatever all outcomes have in common, so that their squares lose no digits.
    """
    t, c = ends[0], ends[1]
    height = joint_value(variant, nu, ends, 1.0 / t, 1.0 / c, t + c)
    by_t, by_c, by_rt, by_rc = end_slopes(variant, nu, ends)
    size_t, size_c = size_slopes(variant, ends, chord_areas(nu, ends, height))
    slopes = (size_t - 0.5 * by_t, size_c - 0.5 * by_c, -0.5 * by_rt, -0.5 * by_rc)
    steps = depth_steps(variant, t, c)
    x = t * steps[0] + c * steps[1]
    place = (x, x, height, 1.0 / t, 1.0 / c)
    return slopes, NO_CHANGES, NO_CHANGES, (0.0, 0.0, 0.0, 0.0, 0.0), place


@own_kernel(inline=True)
def add_group(
    variant: int, nu: float, ends: Point, here: Point, above: Point, walk: Walk
) -> tuple[Walk, float, float]:
    """Add a group on the way up; a case changes the curve from its own group to the end.

    Parameters
    ----------
    here, above : tuple
        The six sums at the end of the group, and of the group before; zeros where the curve begins.

    Returns
    -------
    tuple
        The walk, and what a treated and a control case of the group change, their outcomes' part
        left out.
    """
    slopes, treated, control, areas, (x_next, x_here, height, once_t, once_c) = walk
    t, c = ends[0], ends[1]
    x_of_t, x_of_c = depth_steps(variant, t, c)
    x_above = above[0] * x_of_t + above[1] * x_of_c
    share = 0.5 * (x_next - x_above)
    by_nt, by_nc, by_rt, by_rc = joint_slopes(variant, nu, here, once_t, once_c, t + c)
    slopes = (
        slopes[0] + by_nt * share,
        slopes[1] + by_nc * share,
        slopes[2] + by_rt * share,
        slopes[3] + by_rc * share,
    )
    below = 0.0
    if above[0] + above[1] != 0.0:
        once_t, once_c = once_over(variant, above[0], above[1], t, c)
        below = joint_value(variant, nu, above, once_t, once_c, t + c)
    middle = 0.5 * (height + below)
    n_t, n_c = here[0] - above[0], here[1] - above[1]
    area = areas[0] + height * share
    if variant in (GENERALISED, RELATIVE_JOINT):
        areas = (
            area,
            areas[1] + (here[2] - nu * here[0]) * share,
            areas[2] + (here[3] - nu * here[1]) * share,
            areas[3] + middle * n_t,
            areas[4] + middle * n_c,
        )
    else:
        areas = (area, 0.0, 0.0, 0.0, 0.0)
    a_t, a_c = slopes[0] + middle * x_of_t, slopes[1] + middle * x_of_c
    treated = add_changes(treated, a_t, slopes[2], n_t, here[2] - above[2], here[4] - above[4])
    control = add_changes(control, a_c, slopes[3], n_c, here[3] - above[3], here[5] - above[5])
    place = (x_here, x_above, below, once_t, once_c)
    return (slopes, treated, control, areas, place), a_t, a_c


@own_kernel(inline=True)
def finish_joint(variant: int, nu: float, ends: Point, walk: Walk, out: FloatArray) -> Slopes:
    """The six figures of ``joint_moments``; what changes of the walk lack, as of its tables."""
    t, c = ends[0], ends[1]
    treated, control, found = walk[1], walk[2], walk[3]
    end = joint_value(variant, nu, ends, 1.0 / t, 1.0 / c, t + c)
    by_t, by_c, by_rt, by_rc = end_slopes(variant, nu, ends)
    areas = (found[0], found[1] / t, found[2] / c, found[3], found[4])
    size_t, size_c = size_slopes(variant, ends, areas)
    known_t, known_c = size_slopes(variant, ends, chord_areas(nu, ends, end))
    less_t, less_c = size_t - known_t, size_c - known_c
    a_t, a_c, b_t, b_c = less_t + 0.5 * by_t, less_c + 0.5 * by_c, 0.5 * by_rt, 0.5 * by_rc
    steps = depth_steps(variant, t, c)
    out[0], out[1], out[5] = areas[0], end, 0.5 * end * (t * steps[0] + c * steps[1])
    out[2] = variance_with(ends, treated, (1.0, a_t, b_t), control, (1.0, a_c, b_c))
    out[3] = variance_with(ends, treated, (1.0, less_t, 0.0), control, (1.0, less_c, 0.0))
    out[4] = variance_with(ends, NO_CHANGES, (0.0, by_t, by_rt), NO_CHANGES, (0.0, by_c, by_rc))
    return a_t, b_t, a_c, b_c


@own_kernel
def separate_moments(sums: Sums, chosen: int, tables: FloatArray, out: FloatArray) -> None:
    """The same for the curves in which each arm is ranked on its own, over the share of the arm.

    One walk serves the three of them.

    Parameters
    ----------
    chosen : int
        The curve that ``tables`` is filled for, as in ``joint_moments``.
    out : (3, 6) float64, filled
        By variant.
    """
    groups = sums[0].shape[0]
    ends = point_at(sums, groups - 1)
    treated, control = (NO_CHANGES, 0.0), (NO_CHANGES, 0.0)
    above = BEGIN
    for place in range(groups):
        here = point_at(sums, place)
        treated, a_t, b_t = add_arm(
            treated, ends[0], ends[2], here[0], here[2], here[4], above[0], above[2], above[4]
        )
        control, a_c, b_c = add_arm(
            control, ends[1], ends[3], here[1], here[3], here[5], above[1], above[3], above[5]
        )
        if tables.shape[1] > 0:
            tables[0, place], tables[1, place], tables[2, place], tables[3, place] = (
                a_t,
                b_t,
                a_c,
                b_c,
            )
        above = here
    for variant in range(SEPARATE):
        arms = finish_separate(variant, ends, treated, control, out[variant])
        if variant == chosen:
            for group in range(tables.shape[1]):
                for arm in range(2):
                    factor, a, b = arms[arm]
                    tables[2 * arm, group] = factor * tables[2 * arm, group] + a
                    tables[2 * arm + 1, group] = factor * tables[2 * arm + 1, group] + b


@own_kernel(inline=True)
def add_arm(
    walk: ArmWalk,
    size: float,
    events: float,
    n: float,
    r: float,
    q: float,
    n_above: float,
    r_above: float,
    q_above: float,
) -> tuple[ArmWalk, float, float]:
    """Add a group to an arm's changes of the area less its chord, in units of 1 / size.

    Parameters
    ----------
    size, events : float
        Weight and outcomes of all cases of the arm.
    n, r, q : float
        Sums down to the end of the group; ``_above`` those at its start.

    Returns
    -------
    tuple
        The walk, and the change a + b y by a case of the group: with the chord's area in place of
        the curve's, so that it is small whatever all outcomes have in common.
    """
    cases, y, once = n - n_above, r - r_above, 1.0 / size
    a = 0.5 * (r + r_above - events) * once
    b = 0.5 - 0.5 * (n + n_above) * once
    changes = add_changes(walk[0], a, b, cases, y, q - q_above)
    return (changes, walk[1] + 0.5 * (r + r_above) * cases), a, b


@own_kernel(inline=True)
def finish_separate(
    variant: int, ends: Point, treated: ArmWalk, control: ArmWalk, out: FloatArray
) -> tuple[Move, Move]:
    """The six figures of ``joint_moments``; by arm, how its changes of the walk become the area's.

    That is by a factor, then by constants that are added to a and to b.
    """
    t, c, r_t, r_c = ends[0], ends[1], ends[2], ends[3]
    rate_t, rate_c = r_t / t, r_c / c
    area_t, area_c = treated[1] / (t * t), control[1] / (c * c)
    scale_t = 1.0 if variant == RELATIVE_SEPARATE else t
    scale_c = -c if variant == UPLIFT_SEPARATE else -scale_t
    # The sizes of the arms are estimated, too: what an arm's scale adds to each of its cases.
    area_by_t, area_by_c, rate_by_t, rate_by_c = 0.0, 0.0, 0.0, 0.0
    if variant == QINI_SEPARATE:
        area_by_t, rate_by_t = area_t - area_c, rate_t - rate_c
    elif variant == UPLIFT_SEPARATE:
        area_by_t, rate_by_t, area_by_c, rate_by_c = area_t, rate_t, -area_c, -rate_c
    factor_t, factor_c = scale_t / t, scale_c / c
    end_t, end_c = rate_by_t - factor_t * rate_t, rate_by_c - factor_c * rate_c
    less_t = factor_t * (rate_t - 2.0 * area_t) + area_by_t - 0.5 * rate_by_t
    less_c = factor_c * (rate_c - 2.0 * area_c) + area_by_c - 0.5 * rate_by_c
    arm_t = (factor_t, less_t + 0.5 * end_t, 0.5 * factor_t)
    arm_c = (factor_c, less_c + 0.5 * end_c, 0.5 * factor_c)
    out[0] = scale_t * area_t + scale_c * area_c
    out[1] = scale_t * rate_t + scale_c * rate_c
    out[5] = 0.5 * out[1]
    out[2] = variance_with(ends, treated[0], arm_t, control[0], arm_c)
    out[3] = variance_with(
        ends, treated[0], (factor_t, less_t, 0.0), control[0], (factor_c, less_c, 0.0)
    )
    out[4] = variance_with(
        ends, NO_CHANGES, (0.0, end_t, factor_t), NO_CHANGES, (0.0, end_c, factor_c)
    )
    return arm_t, arm_c
