"""Own kernels of areas and heights of curves straight from the packed bytes of counted cases.

Where the outcome is 0/1 and cases weigh 1, one byte a ranked case (arm, event, end of a group) says
all: cumulative counts are made on the way, so that millions of groups need no memory.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.kernels import own_kernel
from core.uplift.ranked.area_kernels import (
    BEGIN,
    NO_CHANGES,
    SEPARATE,
    Point,
    add_arm,
    add_group,
    depth_steps,
    finish_joint,
    finish_separate,
    is_undefined,
    joint_value,
    once_over,
    start_joint,
)
from core.uplift.ranked.kernels import END_BIT
from payoff.types import FloatArray


@own_kernel(inline=True)
def _point(cases: int, treated: int, events: int, treated_events: int) -> Point:
    """The six sums after so many cases; the sum of squares of 0/1 outcomes is their sum."""
    r_t, r_c = float(treated_events), float(events - treated_events)
    return float(treated), float(cases - treated), r_t, r_c, r_t, r_c


@own_kernel
def _end(packed: NDArray[np.uint8]) -> Point:
    """The six sums of all cases."""
    treated, events, treated_events = 0, 0, 0
    for position in range(packed.shape[0]):
        value = int(packed[position])
        treated += value & 1
        events += (value >> 1) & 1
        treated_events += value & (value >> 1) & 1
    return _point(packed.shape[0], treated, events, treated_events)


@own_kernel
def packed_joint_moments(
    variant: int, nu: float, packed: NDArray[np.uint8], out: FloatArray
) -> None:
    """``joint_moments`` of counted cases."""
    position = packed.shape[0]
    ends = _end(packed)
    treated, treated_events = int(ends[0]), int(ends[2])
    events = treated_events + int(ends[3])
    walk = start_joint(variant, nu, ends)
    here = ends
    while position > 0:
        position -= 1
        value = int(packed[position])
        treated -= value & 1
        events -= (value >> 1) & 1
        treated_events -= value & (value >> 1) & 1
        if position > 0 and not packed[position - 1] & END_BIT:
            continue
        above = _point(position, treated, events, treated_events)
        if is_undefined(variant, above[0], above[1]):
            above = BEGIN
        walk, _, _ = add_group(variant, nu, ends, here, above, walk)
        if above[0] + above[1] == 0.0:
            break
        here = above
    finish_joint(variant, nu, ends, walk, out)


@own_kernel
def packed_separate_moments(packed: NDArray[np.uint8], out: FloatArray) -> None:
    """``separate_moments`` of counted cases, (3, 6)."""
    ends = _end(packed)
    by_t, by_c = (NO_CHANGES, 0.0), (NO_CHANGES, 0.0)
    treated, events, treated_events = 0, 0, 0
    above = BEGIN
    for position in range(packed.shape[0]):
        value = int(packed[position])
        treated += value & 1
        events += (value >> 1) & 1
        treated_events += value & (value >> 1) & 1
        if packed[position] & END_BIT:
            here = _point(position + 1, treated, events, treated_events)
            by_t, _, _ = add_arm(
                by_t, ends[0], ends[2], here[0], here[2], here[2], above[0], above[2], above[2]
            )
            by_c, _, _ = add_arm(
                by_c, ends[1], ends[3], here[1], here[3], here[3], above[1], above[3], above[3]
            )
            above = here
    for variant in range(SEPARATE):
        finish_separate(variant, ends, by_t, by_c, out[variant])


@own_kernel
def packed_heights(
    variant: int, nu: float, packed: NDArray[np.uint8], depths: FloatArray, out: FloatArray
) -> None:
    """Heights of a joint curve at depths, on the straight lines between ends of groups.

    Parameters
    ----------
    depths : (m,) float64
        Ascending.
    out : (m,) float64, filled
    """
    cases = packed.shape[0]
    ends = _end(packed)
    x_of_t, x_of_c = depth_steps(variant, ends[0], ends[1])
    x_before, before, requested = 0.0, 0.0, 0
    treated, events, treated_events = 0, 0, 0
    for position in range(cases):
        value = int(packed[position])
        treated += value & 1
        events += (value >> 1) & 1
        treated_events += value & (value >> 1) & 1
        here = _point(position + 1, treated, events, treated_events)
        if not packed[position] & END_BIT or is_undefined(variant, here[0], here[1]):
            continue
        x = here[0] * x_of_t + here[1] * x_of_c
        once_t, once_c = once_over(variant, here[0], here[1], ends[0], ends[1])
        height = joint_value(variant, nu, here, once_t, once_c, ends[0] + ends[1])
        while requested < depths.shape[0] and depths[requested] <= x:
            part = (depths[requested] - x_before) / (x - x_before)
            out[requested] = before + max(part, 0.0) * (height - before)
            requested += 1
        x_before, before = x, height
    out[requested:] = before
