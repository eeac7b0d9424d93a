"""Own kernels of areas and heights of curves straight from the packed bytes of counted cases.

Where the outcome is 0/1 and cases weigh 1, one byte a ranked case (arm, event, end of a group) says
all. Cumulative counts are made a block of cases at a time, in a few hundred kilobytes that stay
near the processor, and handed to the same kernels that take the sums of all groups.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.kernels import own_kernel
from core.uplift.ranked.area_kernels import (
    AREA_CARRY,
    ARM_CARRY,
    CHANGES_CARRY,
    QINI_JOINT,
    UPLIFT_JOINT,
    Point,
    Sums,
    add_area,
    add_arm,
    add_arm_area,
    add_changes,
    arm_plan,
    depth_steps,
    finish_joint,
    finish_separate,
    joint_value,
    start_changes,
)
from payoff.types import FloatArray

BLOCK = 4_096
_TREATED, _EVENTS, _BOTH, _END = 0, 1, 2, 3
STATES = 7


@own_kernel
def mark_blocks(packed: NDArray[np.uint8], states: FloatArray) -> None:
    """Counts at the start of every block of cases, and at its end for the last one.

    Parameters
    ----------
    packed : (n,) uint8
    states : (blocks + 1, 7) float64, filled
        Treated, events, treated events among the cases before; then n_t, n_c, r_t, r_c at the last
        end of a group before.
    """
    treated, events, both = 0, 0, 0
    end_t, end_c, end_rt, end_rc = 0, 0, 0, 0
    for position in range(packed.shape[0]):
        if position % BLOCK == 0:
            row = states[position // BLOCK]
            row[0], row[1], row[2] = treated, events, both
            row[3], row[4], row[5], row[6] = end_t, end_c, end_rt, end_rc
        value = int(packed[position])
        treated += value & 1
        events += (value >> 1) & 1
        both += value & (value >> 1) & 1
        if value & 4:
            end_t, end_c = treated, position + 1 - treated
            end_rt, end_rc = both, events - both
    row = states[states.shape[0] - 1]
    row[0], row[1], row[2] = treated, events, both
    row[3], row[4], row[5], row[6] = end_t, end_c, end_rt, end_rc


@own_kernel
def _fill_block(packed: NDArray[np.uint8], states: FloatArray, block: int, sums: FloatArray) -> int:
    """Cumulative counts at the ends of groups in a block, (4, BLOCK); how many there are."""
    treated, events, both = states[block, 0], states[block, 1], states[block, 2]
    start = block * BLOCK
    group = 0
    for position in range(start, min(packed.shape[0], start + BLOCK)):
        value = int(packed[position])
        treated += value & 1
        events += (value >> 1) & 1
        both += value & (value >> 1) & 1
        if value & 4:
            place = np.uint64(group)
            sums[0, place] = treated
            sums[1, place] = position + 1 - treated
            sums[2, place] = both
            sums[3, place] = events - both
            group += 1
    return group


@own_kernel(inline=True)
def _rows_of(sums: FloatArray) -> Sums:
    """The rows of a block's counts; the sum of squares of 0/1 outcomes is their sum."""
    return sums[0], sums[1], sums[2], sums[3], sums[2], sums[3]


@own_kernel(inline=True)
def _end_before(states: FloatArray, block: int) -> Point:
    """The six sums at the last end of a group before a block."""
    row = states[block]
    return row[3], row[4], row[5], row[6], row[5], row[6]


@own_kernel(inline=True)
def _is_undefined(variant: int, n_t: float, n_c: float) -> bool:
    """Whether a joint curve has no height after so many cases of the arms."""
    if variant == QINI_JOINT:
        return n_c == 0.0
    return variant == UPLIFT_JOINT and (n_c == 0.0 or n_t == 0.0)


@own_kernel
def _first_defined(variant: int, sums: FloatArray, count: int) -> int:
    """The first group of a block at which a joint curve has a height; ``count`` if none has."""
    first = 0
    while first < count and _is_undefined(variant, sums[0, first], sums[1, first]):
        first += 1
    return first


@own_kernel
def packed_joint_moments(
    variant: int, nu: float, packed: NDArray[np.uint8], states: FloatArray, out: FloatArray
) -> None:
    """``joint_moments`` of counted cases; ``states`` from ``mark_blocks``."""
    blocks = states.shape[0] - 1
    ends = _end_before(states, blocks)
    sums, tables = np.empty((4, BLOCK)), np.empty((4, 0))
    down, up = np.zeros(AREA_CARRY), np.zeros(CHANGES_CARRY)
    for block in range(blocks):
        count = _fill_block(packed, states, block, sums)
        first = _first_defined(variant, sums, count)
        add_area(variant, nu, _rows_of(sums), first, count, ends, down)
    slopes = start_changes(variant, nu, ends, down, up)
    for back in range(blocks):
        block = blocks - 1 - back
        count = _fill_block(packed, states, block, sums)
        first = _first_defined(variant, sums, count)
        above = _end_before(states, block)
        if _is_undefined(variant, above[0], above[1]):
            above = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
        rows = _rows_of(sums)
        add_changes(variant, nu, rows, first, count, above, ends, slopes, up, tables)
    finish_joint(ends, slopes, down, up, out)


@own_kernel
def packed_separate_moments(
    variant: int, packed: NDArray[np.uint8], states: FloatArray, out: FloatArray
) -> None:
    """``separate_moments`` of counted cases."""
    blocks = states.shape[0] - 1
    ends = _end_before(states, blocks)
    sums, tables = np.empty((4, BLOCK)), np.empty((2, 0))
    areas, parts = np.zeros((2, 3)), np.zeros((2, ARM_CARRY))
    for block in range(blocks):
        count = _fill_block(packed, states, block, sums)
        add_arm_area(sums[0], sums[2], count, areas[0])
        add_arm_area(sums[1], sums[3], count, areas[1])
    plan = arm_plan(variant, ends, areas)
    for block in range(blocks):
        count = _fill_block(packed, states, block, sums)
        add_arm(sums[0], sums[2], sums[2], count, plan[0], parts[0], tables)
        add_arm(sums[1], sums[3], sums[3], count, plan[1], parts[1], tables)
    finish_separate(ends, plan, parts, out)


@own_kernel
def packed_heights(
    variant: int,
    nu: float,
    packed: NDArray[np.uint8],
    states: FloatArray,
    depths: FloatArray,
    out: FloatArray,
) -> None:
    """Heights of a joint curve at depths, on the straight lines between ends of groups.

    Parameters
    ----------
    depths : (m,) float64
        Ascending.
    out : (m,) float64, filled
    """
    ends = _end_before(states, states.shape[0] - 1)
    t, c = ends[0], ends[1]
    x_of_t, x_of_c = depth_steps(variant, t, c)
    sums = np.empty((4, BLOCK))
    x_before, before, requested = 0.0, 0.0, 0
    for block in range(states.shape[0] - 1):
        count = _fill_block(packed, states, block, sums)
        for g in range(_first_defined(variant, sums, count), count):
            n_t, n_c, r_t, r_c = sums[0, g], sums[1, g], sums[2, g], sums[3, g]
            x = n_t * x_of_t + n_c * x_of_c
            height = joint_value(variant, nu, n_t, n_c, r_t, r_c, t, c)
            while requested < depths.shape[0] and depths[requested] <= x:
                part = (depths[requested] - x_before) / (x - x_before)
                out[requested] = before + max(part, 0.0) * (height - before)
                requested += 1
            x_before, before = x, height
    out[requested:] = before
