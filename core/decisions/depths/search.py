"""Kernels that find where a depth ends in the order of cases: in which group, how far into it."""

from __future__ import annotations

import numpy as np

from core.decisions.case_blocks import ByteArray, Index
from core.decisions.depths.sums import STEP
from core.decisions.rating_kernels import LEVEL, ShortArray
from core.kernels import own_kernel, parallel_kernel, prange, prefetch
from payoff.types import CodeArray, FloatArray, IntArray, OrderArray


@own_kernel
def _weight(
    row: Index,
    code: ShortArray | CodeArray,
    parts: ByteArray,
    class_weight: FloatArray,
    frequency: FloatArray,
) -> float:
    """Prior-weighted cases of a row."""
    weight = class_weight[parts[code[row], LEVEL]]
    return float(weight * frequency[row] if frequency.shape[0] else weight)


@own_kernel
def _group_of(position: int, order: OrderArray, key: FloatArray) -> tuple[int, int]:
    """First position and end of the group of equal keys around a position (keys are in order).

    Steps double until they leave the group: most groups are one case, and a leap through memory
    for each halving of all cases would cost more than everything else.
    """
    value = key[order[position]]
    step, high = 1, position
    while high - step >= 0 and key[order[high - step]] == value:
        high -= step
        step *= 2
    low = max(high - step, -1)  # the first position with this key is after low, up to high
    while high - low > 1:
        middle = (low + high) // 2
        if key[order[middle]] == value:
            high = middle
        else:
            low = middle
    n = order.shape[0]
    step, last = 1, position
    while last + step < n and key[order[last + step]] == value:
        last += step
        step *= 2
    end = min(last + step, n)  # the first position after the group is after last, up to end
    while end - last > 1:
        middle = (last + end) // 2
        if key[order[middle]] == value:
            last = middle
        else:
            end = middle
    return high, end


@own_kernel
def _weight_to(
    position: int,
    known: int,
    reached: float,
    weight_before: FloatArray,
    order: OrderArray,
    code: ShortArray | CodeArray,
    parts: ByteArray,
    class_weight: FloatArray,
    frequency: FloatArray,
) -> float:
    """Prior-weighted cases before a position, given those (``reached``) before a ``known`` one."""
    if abs(position - known) > STEP:
        known = (position // STEP) * STEP
        reached = weight_before[position // STEP]
    total = reached
    for place in range(known, position):
        total += _weight(order[place], code, parts, class_weight, frequency)
    for place in range(position, known):
        total -= _weight(order[place], code, parts, class_weight, frequency)
    return float(total)


@parallel_kernel
def find_depths(
    depths: FloatArray,
    weight_before: FloatArray,
    order: OrderArray,
    key: FloatArray,
    code: ShortArray | CodeArray,
    parts: ByteArray,
    class_weight: FloatArray,
    frequency: FloatArray,
    groups: IntArray,
    fraction: FloatArray,
) -> None:
    """The group of ties in which a depth ends, and the share of it that lies within.

    ``groups`` (depths, 2) gets its first position and its end. A depth within 1e-12 of the end of
    a group ends there, so that rounding never starts the next one.
    """
    n = order.shape[0]
    total = weight_before[weight_before.shape[0] - 1]
    slack = total * 1e-12
    for index in prange(depths.shape[0]):
        wanted = depths[index]
        target = min(wanted, 1.0) * total if wanted > 0.0 else 0.0  # no number: nobody
        block = max(np.searchsorted(weight_before, target - slack) - 1, 0)
        position = block * STEP
        reached = weight_before[block]  # before ``position``
        for place in range(position, min(position + STEP, n)):
            prefetch(code, np.int64(order[place]))
        while position < n - 1:
            after = reached + _weight(order[position], code, parts, class_weight, frequency)
            if after >= target - slack:
                break
            reached = after
            position += 1
        first, end = _group_of(position, order, key)
        start = _weight_to(
            first,
            position,
            reached,
            weight_before,
            order,
            code,
            parts,
            class_weight,
            frequency,
        )
        stop = _weight_to(
            end, position, reached, weight_before, order, code, parts, class_weight, frequency
        )
        share = 1.0
        if stop > start:
            share = min(max((target - start) / (stop - start), 0.0), 1.0)
            if stop - target <= slack:
                share = 1.0
            elif target - start <= slack:
                share = 0.0
        groups[index, 0] = first
        groups[index, 1] = end
        fraction[index] = share
