"""Own kernels over ranked cases of two arms: packing, sums at the ends of groups, envelopes.

A group is a run of equal scores. Cumulative sums at the ends of groups say all that any curve
needs, so that no number depends on the order of rows. ``n`` are weights of cases, ``r`` sums of the
outcome, ``q`` sums of its square; ``_t`` treated, ``_c`` control.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from core.kernels import CHUNK_ROWS, own_kernel, prefetch, row_fold
from payoff.types import FloatArray, IntArray, OrderArray

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
    ends[start // CHUNK_ROWS] = found


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
    """Cumulative sums with known propensities, (9, G).

    |s|/2, s y, s, s^2 y, s^2, s^2 y^2, s y of the treated alone, s|s| y and s|s|.
    """
    weighted = weight.shape[0] > 0
    x, sy, s, ssy, ss, ssyy, ty = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    turned_y, turned = 0.0, 0.0
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
        turned_y += amount * factor * abs(factor) * value
        turned += amount * factor * abs(factor)
        if packed[position] & END_BIT:
            place = np.uint64(group)
            sums[0, place], sums[1, place], sums[2, place] = x, sy, s
            sums[3, place], sums[4, place] = ssy, ss
            sums[5, place], sums[6, place] = ssyy, ty
            sums[7, place], sums[8, place] = turned_y, turned
            group += 1


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
