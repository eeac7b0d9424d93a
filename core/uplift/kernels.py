"""Own kernels over ranked cases of two arms: packing, sums at the ends of groups, areas and errors.

A group is a run of equal scores. Cumulative sums at the ends of groups say all that any curve
needs, so that no number depends on the order of rows. ``n`` are weights of cases, ``r`` sums of the
outcome, ``q`` sums of its square; ``_t`` treated, ``_c`` control.
"""

from __future__ import annotations

import math
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from core.kernels import own_kernel, prefetch, row_fold
from payoff.types import FloatArray, IntArray, OrderArray

#: Cumulative sums at the ends of groups, as the kernels of areas take them: n_t, n_c, r_t, r_c, q_t
#: and q_c, each (G,).
Sums: TypeAlias = tuple[FloatArray, FloatArray, FloatArray, FloatArray, FloatArray, FloatArray]

QINI_JOINT = 0
UPLIFT_JOINT = 1
RELATIVE_JOINT = 2
PLAIN = 3
GENERALISED = 4
QINI_SEPARATE = 5
UPLIFT_SEPARATE = 6
RELATIVE_SEPARATE = 7

TREATED_BIT = np.uint8(1)
EVENT_BIT = np.uint8(2)
END_BIT = np.uint8(4)
_AHEAD = 48


@own_kernel
def pack_cases(
    outcome: FloatArray,
    treated: NDArray[np.uint8],
    packed: NDArray[np.uint8],
    start: int,
    stop: int,
) -> None:
    """One byte a case in row order: arm, and whether a 0/1 outcome is 1."""
    for row in range(start, stop):
        packed[row] = treated[row] | (EVENT_BIT if outcome[row] != 0.0 else np.uint8(0))


@own_kernel
def rank_cases(
    order: OrderArray,
    score: FloatArray,
    codes: NDArray[np.uint8],
    packed: NDArray[np.uint8],
    ends: IntArray,
    start: int,
    stop: int,
) -> None:
    """The bytes in ranked order with the ends of groups marked; ``ends[chunk]`` counts them."""
    size = order.shape[0]
    last = np.int64(order[size - 1])
    found = 0
    here = score[order[start]]
    for position in range(start, stop):
        ahead = np.int64(order[position + _AHEAD]) if position + _AHEAD < size else last
        prefetch(score, ahead)
        prefetch(codes, ahead)
        value = codes[order[position]]
        following = here
        is_end = position + 1 == size
        if not is_end:
            following = score[order[position + 1]]
            is_end = following != here
        if is_end:
            value |= END_BIT
            found += 1
        packed[position] = value
        here = following
    ends[start // 65_536] = found


@own_kernel
def copy_arms(
    order: OrderArray,
    outcome: FloatArray,
    treated: NDArray[np.uint8],
    ranked_outcome: FloatArray,
    ranked_arm: NDArray[np.uint8],
    start: int,
    stop: int,
) -> None:
    """Outcome and arm in ranked order."""
    for position in range(start, stop):
        ranked_outcome[position] = outcome[order[position]]
        ranked_arm[position] = treated[order[position]]


@own_kernel
def count_groups(packed: NDArray[np.uint8], ends: IntArray, sums: FloatArray) -> None:
    """Cumulative counts at the ends of groups where the outcome is 0/1 and cases weigh 1.

    Parameters
    ----------
    packed : (n,) uint8
    ends : (G,) int64, filled
        Position after the last row of each group.
    sums : (4, G) float64, filled
        n_t, n_c, r_t, r_c.
    """
    treated, events, treated_events, group = 0, 0, 0, 0
    for position in range(packed.shape[0]):
        value = np.int64(packed[position])
        arm = value & 1
        event = (value >> 1) & 1
        treated += int(arm)
        events += int(event)
        treated_events += int(arm & event)
        if value & 4:
            place = np.uint64(group)
            ends[place] = position + 1
            sums[0, place] = treated
            sums[1, place] = position + 1 - treated
            sums[2, place] = treated_events
            sums[3, place] = events - treated_events
            group += 1


@own_kernel
def add_groups(
    packed: NDArray[np.uint8],
    order: OrderArray,
    outcome: FloatArray,
    weight: FloatArray,
    ends: IntArray,
    sums: FloatArray,
) -> None:
    """The same with any outcome and weights; ``sums`` (6, G) ends with q_t and q_c."""
    weighted = weight.shape[0] > 0
    n_t, n_c, r_t, r_c, q_t, q_c = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    group = 0
    for position in range(packed.shape[0]):
        row = order[position]
        amount = weight[row] if weighted else 1.0
        value = outcome[row]
        if packed[position] & TREATED_BIT:
            n_t += amount
            r_t += amount * value
            q_t += amount * value * value
        else:
            n_c += amount
            r_c += amount * value
            q_c += amount * value * value
        if packed[position] & END_BIT:
            place = np.uint64(group)
            ends[place] = position + 1
            sums[0, place], sums[1, place] = n_t, n_c
            sums[2, place], sums[3, place] = r_t, r_c
            sums[4, place], sums[5, place] = q_t, q_c
            group += 1


@own_kernel
def add_signed(
    packed: NDArray[np.uint8],
    order: OrderArray,
    outcome: FloatArray,
    weight: FloatArray,
    signed: FloatArray,
    sums: FloatArray,
) -> None:
    """Cumulative sums with known propensities, (7, G).

    |s|/2, s y, s, s^2 y, s^2, s^2 y^2, and s y of the treated alone.
    """
    weighted = weight.shape[0] > 0
    x, sy, s, ssy, ss, ssyy, ty = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    group = 0
    for position in range(packed.shape[0]):
        row = order[position]
        amount = weight[row] if weighted else 1.0
        factor = signed[row]
        value = outcome[row]
        x += amount * abs(factor) * 0.5
        sy += amount * factor * value
        s += amount * factor
        ssy += amount * factor * factor * value
        ss += amount * factor * factor
        ssyy += amount * factor * factor * value * value
        ty += amount * max(factor, 0.0) * value
        if packed[position] & END_BIT:
            place = np.uint64(group)
            sums[0, place], sums[1, place], sums[2, place] = x, sy, s
            sums[3, place], sums[4, place] = ssy, ss
            sums[5, place], sums[6, place] = ssyy, ty
            group += 1


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
        ratio = n_t / n_c
        return -r_c / n_c, r_c * ratio / n_c, 1.0, -ratio
    if variant == UPLIFT_JOINT:
        up, down = n_c / n_t, n_t / n_c
        by_t = -r_t * up / n_t - r_c / n_c
        by_c = r_t / n_t + r_c * down / n_c
        return by_t, by_c, 1.0 + up, -down - 1.0
    if variant == RELATIVE_JOINT:
        return 0.0, 0.0, 1.0 / t, -1.0 / c
    if variant == PLAIN:
        return 0.0, 0.0, 1.0 / (t + c), -1.0 / (t + c)
    return -nu / t, nu / c, 1.0 / t, -1.0 / c


@own_kernel
def joint_moments(
    variant: int,
    nu: float,
    sums: Sums,
    first: int,
    tables: FloatArray,
    out: FloatArray,
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
    n_t, n_c, r_t, r_c, q_t, q_c = sums
    last = np.uint64(n_t.shape[0] - 1)
    t, c = n_t[last], n_c[last]
    down = _joint_area(variant, nu, sums, first)
    area, end, x_end = down[0], down[1], down[2]
    slopes = _end_slopes(variant, nu, n_t[last], n_c[last], r_t[last], r_c[last])
    changes = _joint_changes(variant, nu, sums, first, down, slopes, tables)
    out[0], out[1], out[5] = area, end, 0.5 * end * x_end
    end_sum = slopes[0] * t + slopes[2] * r_t[last] + slopes[1] * c + slopes[3] * r_c[last]
    end_square = _square(slopes[0], slopes[2], t, r_t[last], q_t[last])
    end_square += _square(slopes[1], slopes[3], c, r_c[last], q_c[last])
    out[2] = _about_mean(changes[0], changes[1], t + c)
    out[3] = _about_mean(changes[2], changes[3], t + c)
    out[4] = _about_mean(end_sum, end_square, t + c)


@own_kernel(inline=True)
def _depth_steps(variant: int, t: float, c: float) -> tuple[float, float]:
    """What a treated and a control case add to the depth."""
    if variant == GENERALISED:
        return 0.5 / t, 0.5 / c
    return 1.0 / (t + c), 1.0 / (t + c)


@own_kernel
def _joint_area(
    variant: int,
    nu: float,
    sums: Sums,
    first: int,
) -> tuple[float, float, float, float, float]:
    """Area, height and depth at the end, and the area's change with the sizes of the arms.

    The sizes enter the heights of relative curves, and the depths of the generalised one.
    """
    n_t, n_c, r_t, r_c = sums[0], sums[1], sums[2], sums[3]
    groups = n_t.shape[0]
    t, c = n_t[groups - 1], n_c[groups - 1]
    x_of_t, x_of_c = _depth_steps(variant, t, c)
    sized = variant in (GENERALISED, RELATIVE_JOINT)
    area, before, x_before = 0.0, 0.0, 0.0
    own_t, own_c, own_t_before, own_c_before = 0.0, 0.0, 0.0, 0.0
    along_t, along_c, t_before, c_before = 0.0, 0.0, 0.0, 0.0
    for place in range(first, groups):
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
    size_t = -own_t / t if sized else 0.0
    size_c = own_c / c if sized else 0.0
    if variant == GENERALISED:
        size_t -= along_t * x_of_t / t
        size_c -= along_c * x_of_c / c
    return area, before, x_before, size_t, size_c


@own_kernel
def _end_slopes(
    variant: int, nu: float, t: float, c: float, r_t: float, r_c: float
) -> tuple[float, float, float, float]:
    """Change of the height at the end with n_t, n_c, r_t and r_c of all cases."""
    by_t, by_c, by_rt, by_rc = joint_slopes(variant, nu, t, c, r_t, r_c, t, c)
    if variant in (GENERALISED, RELATIVE_JOINT):
        by_t -= (r_t - nu * t) / (t * t)
        by_c += (r_c - nu * c) / (c * c)
    return by_t, by_c, by_rt, by_rc


@own_kernel
def _joint_changes(
    variant: int,
    nu: float,
    sums: Sums,
    first: int,
    down: tuple[float, float, float, float, float],
    slopes: tuple[float, float, float, float],
    tables: FloatArray,
) -> tuple[float, float, float, float]:
    """Sum and sum of squares over cases of the area's change, and of that of the area less chord.

    One pass from the last group up: a case changes the curve from its own group to the end.
    """
    n_t, n_c, r_t, r_c, q_t, q_c = sums
    groups = n_t.shape[0]
    t, c = n_t[groups - 1], n_c[groups - 1]
    x_of_t, x_of_c = _depth_steps(variant, t, c)
    first_sum, first_square, less_sum, less_square = 0.0, 0.0, 0.0, 0.0
    sum_nt, sum_nc, sum_rt, sum_rc = 0.0, 0.0, 0.0, 0.0
    x_next, x_here, height = down[2], down[2], down[1]
    for back in range(groups - first):
        place = groups - 1 - back
        g = np.uint64(place)
        h = np.uint64(max(place - 1, 0))
        keep = 0.0 if place == first else 1.0  # of what stands above the group
        t_above, c_above = keep * n_t[h], keep * n_c[h]
        x_prior = t_above * x_of_t + c_above * x_of_c
        below = 0.0
        if place != first:
            below = joint_value(variant, nu, n_t[h], n_c[h], r_t[h], r_c[h], t, c)
        by_nt, by_nc, by_rt, by_rc = joint_slopes(variant, nu, n_t[g], n_c[g], r_t[g], r_c[g], t, c)
        share = 0.5 * (x_next - x_prior)
        sum_nt += by_nt * share
        sum_nc += by_nc * share
        sum_rt += by_rt * share
        sum_rc += by_rc * share
        middle = 0.5 * (height + below)
        a_t = sum_nt + middle * x_of_t + down[3]
        a_c = sum_nc + middle * x_of_c + down[4]
        if tables.shape[1] > 0:
            for early in range(0 if place == first else place, place + 1):
                tables[0, early], tables[1, early] = a_t, sum_rt
                tables[2, early], tables[3, early] = a_c, sum_rc
        cases_t, cases_c = n_t[g] - t_above, n_c[g] - c_above
        y_t, y_c = r_t[g] - keep * r_t[h], r_c[g] - keep * r_c[h]
        yy_t, yy_c = q_t[g] - keep * q_t[h], q_c[g] - keep * q_c[h]
        less_t, less_c = a_t - 0.5 * slopes[0], a_c - 0.5 * slopes[1]
        slope_t, slope_c = sum_rt - 0.5 * slopes[2], sum_rc - 0.5 * slopes[3]
        first_sum += a_t * cases_t + sum_rt * y_t + a_c * cases_c + sum_rc * y_c
        first_square += _square(a_t, sum_rt, cases_t, y_t, yy_t)
        first_square += _square(a_c, sum_rc, cases_c, y_c, yy_c)
        less_sum += less_t * cases_t + slope_t * y_t + less_c * cases_c + slope_c * y_c
        less_square += _square(less_t, slope_t, cases_t, y_t, yy_t)
        less_square += _square(less_c, slope_c, cases_c, y_c, yy_c)
        x_next, x_here, height = x_here, x_prior, below
    return first_sum, first_square, less_sum, less_square


@own_kernel(inline=True)
def _square(a: float, b: float, n: float, r: float, q: float) -> float:
    """Sum of (a + b y)^2 over cases with the sums n, r, q of weight, outcome and its square."""
    return a * a * n + 2.0 * a * b * r + b * b * q


@own_kernel(inline=True)
def _about_mean(total: float, square: float, cases: float) -> float:
    """Sum of squares about the mean; rounding never makes it negative."""
    return max(square - total * total / cases, 0.0)


@own_kernel
def separate_moments(
    variant: int,
    sums: Sums,
    tables: FloatArray,
    out: FloatArray,
) -> None:
    """The same for curves in which each arm is ranked on its own, over the share of the arm."""
    n_t, n_c, r_t, r_c, q_t, q_c = sums
    groups = n_t.shape[0]
    area_t = _arm_area(n_t, r_t)
    area_c = _arm_area(n_c, r_c)
    t, c = n_t[groups - 1], n_c[groups - 1]
    rate_t, rate_c = r_t[groups - 1] / t, r_c[groups - 1] / c
    scale_t = 1.0 if variant == RELATIVE_SEPARATE else t
    scale_c = scale_t if variant != UPLIFT_SEPARATE else c
    shift_t, shift_c, rate_shift_t, rate_shift_c = 0.0, 0.0, 0.0, 0.0
    if variant == QINI_SEPARATE:
        shift_t, rate_shift_t = area_t - area_c, rate_t - rate_c
    elif variant == UPLIFT_SEPARATE:
        shift_t, rate_shift_t = area_t, rate_t
        shift_c, rate_shift_c = -area_c, -rate_c
    parts_t = _arm_sums(n_t, r_t, q_t, area_t, scale_t, shift_t, rate_t, rate_shift_t, 0, tables)
    parts_c = _arm_sums(n_c, r_c, q_c, area_c, -scale_c, shift_c, rate_c, rate_shift_c, 2, tables)
    out[0] = scale_t * area_t - scale_c * area_c
    out[1] = scale_t * rate_t - scale_c * rate_c
    out[2] = _about_mean(parts_t[0] + parts_c[0], parts_t[1] + parts_c[1], t + c)
    out[3] = _about_mean(parts_t[2] + parts_c[2], parts_t[3] + parts_c[3], t + c)
    out[4] = _about_mean(parts_t[4] + parts_c[4], parts_t[5] + parts_c[5], t + c)
    out[5] = 0.5 * out[1]


@own_kernel
def _arm_area(n: FloatArray, r: FloatArray) -> float:
    """Area under an arm's own curve, shares of the arm on both axes."""
    size = n[n.shape[0] - 1]
    area, n_before, r_before = 0.0, 0.0, 0.0
    for g in range(n.shape[0]):
        area += 0.5 * (r[g] + r_before) * (n[g] - n_before)
        n_before, r_before = n[g], r[g]
    share: float = area / (size * size)
    return share


@own_kernel
def _arm_sums(
    n: FloatArray,
    r: FloatArray,
    q: FloatArray,
    area: float,
    scale: float,
    shift: float,
    rate: float,
    rate_shift: float,
    row: int,
    tables: FloatArray,
) -> tuple[float, float, float, float, float, float]:
    """Sums and squares of an arm's changes: of the area, of the area less chord, of the end."""
    groups = n.shape[0]
    size = n[groups - 1]
    end_a = rate_shift - scale * rate / size
    end_b = scale / size
    keeps = tables.shape[1] > 0
    first_sum, first_square, less_sum, less_square = 0.0, 0.0, 0.0, 0.0
    n_before, r_before, q_before = 0.0, 0.0, 0.0
    by_size = scale / (size * size)
    for place in range(groups):
        g = np.uint64(place)
        b = by_size * (size - 0.5 * (n[g] + n_before))
        a = by_size * (0.5 * (r[g] + r_before)) - 2.0 * scale * area / size + shift
        if keeps:
            tables[row, place], tables[row + 1, place] = a, b
        cases, y, yy = n[g] - n_before, r[g] - r_before, q[g] - q_before
        less_a, less_b = a - 0.5 * end_a, b - 0.5 * end_b
        first_sum += a * cases + b * y
        first_square += _square(a, b, cases, y, yy)
        less_sum += less_a * cases + less_b * y
        less_square += _square(less_a, less_b, cases, y, yy)
        n_before, r_before, q_before = n[g], r[g], q[g]
    end_sum = end_a * size + end_b * r_before
    end_square = _square(end_a, end_b, size, r_before, q_before)
    return first_sum, first_square, less_sum, less_square, end_sum, end_square


@own_kernel
def local_share(treated: FloatArray, half_width: int, out: FloatArray) -> None:
    """Treated share in a box of 2h + 1 ranked cases, cut at both ends, and clipped."""
    size = treated.shape[0]
    lowest = 1.0 / (2.0 * (2 * half_width + 1))
    inside, low, high = 0.0, 0, 0
    for position in range(size):
        while high < min(size, position + half_width + 1):
            inside += treated[high]
            high += 1
        while low < position - half_width:
            inside -= treated[low]
            low += 1
        out[position] = min(max(inside / (high - low), lowest), 1.0 - lowest)


@own_kernel
def upper_hull(x: FloatArray, y: FloatArray, kept: IntArray) -> int:
    """Andrew's scan: the points of the smallest concave curve above (x, y), x rising."""
    count = 0
    for point in range(x.shape[0]):
        while count >= 1:
            last = kept[count - 1]
            if x[last] == x[point] and y[last] <= y[point]:
                count -= 1
                continue
            if count < 2:
                break
            prior = kept[count - 2]
            cross = (x[last] - x[prior]) * (y[point] - y[prior]) - (y[last] - y[prior]) * (
                x[point] - x[prior]
            )
            if cross < 0.0:
                break
            count -= 1
        if count == 0 or x[point] > x[kept[count - 1]] or math.isnan(x[point]):
            kept[count] = point
            count += 1
    return count


@own_kernel
def fill_folds(seed: int, folds: NDArray[np.uint8], start: int, stop: int) -> None:
    """Fold 0 or 1 of each row, by its number and the seed alone."""
    for row in range(start, stop):
        folds[row] = row_fold(seed, row)
