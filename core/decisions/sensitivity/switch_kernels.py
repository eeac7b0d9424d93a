"""Kernels of switches: where single cases change their decision, and the total between them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from core.kernels import CHUNK_ROWS, own_kernel, parallel_kernel, prange
from payoff.types import CodeArray, FloatArray, IntArray, OrderArray

NEAR = 2.0**-40
"""Share of a number's size by which places may differ and still be one place."""


class RealisedValues(NamedTuple):
    """What decisions bring in n cases, as terms at offset 0 and per unit of it."""

    outcome: CodeArray  # (n,)
    frequency: FloatArray  # (n,)
    costs: FloatArray  # (k, n), or empty
    cost_rows: IntArray  # (decisions,) row of ``costs``, -1 where there is none
    amounts: FloatArray  # (n,), or empty
    real: FloatArray  # (2, levels, decisions), of ``Family``
    weight: FloatArray  # (2, levels), of ``Family``
    share_real: FloatArray  # (2, levels, decisions), of its ``Shares``, or empty


@own_kernel(inline=True)
def _fill_lines(
    probabilities: FloatArray,
    costs: FloatArray,
    cost_rows: IntArray,
    amounts: FloatArray,
    expect: FloatArray,
    mass: FloatArray,
    share_expect: FloatArray,
    case: int,
    lines: FloatArray,
) -> None:
    """Expected consequence of every decision at offset 0 and per unit: ``lines`` (2, decisions)."""
    whole, growth = 0.0, 0.0
    for level in range(probabilities.shape[0]):
        whole += mass[0, level] * probabilities[level, case]
        growth += mass[1, level] * probabilities[level, case]
    scale = whole if whole > 0.0 else 1.0  # at offset 0 the chances then sum to 1
    for decision in range(lines.shape[1]):
        base, turn = 0.0, 0.0
        for level in range(probabilities.shape[0]):
            base += expect[0, level, decision] * probabilities[level, case]
            turn += expect[1, level, decision] * probabilities[level, case]
        if share_expect.shape[0]:
            for level in range(probabilities.shape[0]):
                share = probabilities[level, case] * amounts[case]
                base += share_expect[0, level, decision] * share
                turn += share_expect[1, level, decision] * share
        if cost_rows[decision] >= 0:
            base -= costs[cost_rows[decision], case] * whole
            turn -= costs[cost_rows[decision], case] * growth
        lines[0, decision], lines[1, decision] = base / scale, turn / scale


@own_kernel(inline=True)
def _fill_worth(
    outcome: CodeArray,
    frequency: FloatArray,
    costs: FloatArray,
    cost_rows: IntArray,
    amounts: FloatArray,
    real: FloatArray,
    weight: FloatArray,
    share_real: FloatArray,
    case: int,
    worth: FloatArray,
) -> None:
    """What every decision adds to the total in one case: ``worth`` (2, decisions)."""
    level = outcome[case]
    for part in range(2):
        for decision in range(worth.shape[1]):
            value = real[part, level, decision]
            if share_real.shape[0]:
                value += share_real[part, level, decision] * amounts[case]
            if cost_rows[decision] >= 0:
                value -= costs[cost_rows[decision], case] * weight[part, level]
            worth[part, decision] = frequency[case] * value


@own_kernel(inline=True)
def _steeper(lines: FloatArray, decision: int, other: int) -> float:
    """By how much a line is steeper than another; 0 where nothing but rounding is left."""
    turn: float = lines[1, decision] - lines[1, other]
    size = abs(lines[1, decision]) + abs(lines[1, other])
    return 0.0 if abs(turn) <= NEAR * size else turn


@own_kernel
def far_left(lines: FloatArray, tolerance: float) -> int:
    """The line on top at the far left: the flattest, of equal ones the highest, then the first."""
    best = 0
    for decision in range(1, lines.shape[1]):
        is_higher = lines[0, decision] > lines[0, best] + tolerance
        turn = _steeper(lines, decision, best)
        if turn < 0.0 or (turn == 0.0 and is_higher):
            best = decision
    return best


@own_kernel
def next_meeting(lines: FloatArray, tolerance: float, current: int) -> tuple[float, int]:
    """Where the present line is met first by a steeper one, and by which (-1: by none)."""
    offset, following = np.inf, -1
    for decision in range(lines.shape[1]):
        turn = _steeper(lines, decision, current)
        if turn <= 0.0:
            continue
        above = lines[0, current] - lines[0, decision]
        meeting = 0.0 if abs(above) <= tolerance else above / turn
        slack = 0.0 if meeting == 0.0 else tolerance / turn
        is_there = abs(meeting - offset) <= slack
        is_steeper = following < 0 or _steeper(lines, decision, following) > 0.0
        if (meeting < offset and not is_there) or (is_there and is_steeper):
            offset, following = meeting, decision
    return offset, following


@parallel_kernel
def find_switches(
    probabilities: FloatArray,
    expect: FloatArray,
    mass: FloatArray,
    share_expect: FloatArray,
    tolerance: float,
    realised: RealisedValues,
    start_sums: FloatArray,
    start_counts: IntArray,
    offset: FloatArray,
    added: FloatArray,
    moves: CodeArray,
) -> None:
    """Walk along the upper envelope of every case's lines, from the far left to the far right.

    Parameters
    ----------
    probabilities : array (levels, n)
    expect, mass : arrays
        Of ``Family``; ``share_expect`` of its ``Shares``, or empty.
    tolerance : float
        Lines that are no further apart at offset 0 meet there.
    realised : Brought
        What decisions bring in the cases.
    start_sums : array (chunks, 2)
        Filled: the total at the far left, at offset 0 and per unit.
    start_counts : array (chunks, decisions)
        Filled: cases with each decision at the far left.
    offset : array (n, decisions - 1)
        Filled: where the case changes its decision; inf where it does so no more.
    added : array (n, decisions - 1, 2)
        Filled: what the change adds to the total.
    moves : array (n, decisions - 1, 2)
        Filled: the decisions before and after.
    """
    outcome, frequency, amounts = realised.outcome, realised.frequency, realised.amounts
    costs, cost_rows = realised.costs, realised.cost_rows
    real, weight, share_real = realised.real, realised.weight, realised.share_real
    cases, decisions = outcome.shape[0], expect.shape[2]
    for chunk in prange(start_sums.shape[0]):
        lines, worth = np.empty((2, decisions)), np.empty((2, decisions))
        value, slope = 0.0, 0.0
        start_counts[chunk] = 0
        for case in range(chunk * CHUNK_ROWS, min(cases, (chunk + 1) * CHUNK_ROWS)):
            _fill_lines(
                probabilities, costs, cost_rows, amounts, expect, mass, share_expect, case, lines
            )
            _fill_worth(
                outcome, frequency, costs, cost_rows, amounts, real, weight, share_real, case, worth
            )
            current = far_left(lines, tolerance)
            start_counts[chunk, current] += 1
            value += worth[0, current]
            slope += worth[1, current]
            for step in range(decisions - 1):
                meeting, following = np.inf, -1
                if current >= 0:
                    meeting, following = next_meeting(lines, tolerance, current)
                offset[case, step] = meeting
                if following >= 0:
                    moves[case, step, 0], moves[case, step, 1] = current, following
                    added[case, step, 0] = worth[0, following] - worth[0, current]
                    added[case, step, 1] = worth[1, following] - worth[1, current]
                current = following
        start_sums[chunk, 0], start_sums[chunk, 1] = value, slope


@own_kernel
def sum_kept(
    decision: IntArray,
    realised: RealisedValues,
    sums: FloatArray,
) -> None:
    """The total with the decisions given, at offset 0 and per unit, for each chunk: (chunks, 2).

    Parameters as of ``find_switches``, and ``decision`` (n,).
    """
    outcome, frequency, amounts = realised.outcome, realised.frequency, realised.amounts
    costs, cost_rows = realised.costs, realised.cost_rows
    real, weight, share_real = realised.real, realised.weight, realised.share_real
    sums[:] = 0.0
    worth = np.empty((2, real.shape[2]))
    for case in range(decision.shape[0]):
        _fill_worth(
            outcome, frequency, costs, cost_rows, amounts, real, weight, share_real, case, worth
        )
        sums[case // CHUNK_ROWS, 0] += worth[0, decision[case]]
        sums[case // CHUNK_ROWS, 1] += worth[1, decision[case]]


@own_kernel
def snap_near(order: OrderArray, offset: FloatArray, unit: float) -> None:
    """Let switches that differ by rounding alone happen at one place: at 0 where one of them does.

    ``order`` (m,) by rising ``offset`` (switches,); ``unit`` is the size of the number that moves.
    """
    first = 0
    while first < order.shape[0] and offset[order[first]] < np.inf:
        here = offset[order[first]]
        near = NEAR * (unit + abs(here))
        last, place = first, here
        while last < order.shape[0] and offset[order[last]] - here <= near:
            if offset[order[last]] == 0.0:
                place = 0.0
            last += 1
        for switch in range(first, last):
            offset[order[switch]] = place
        first = last


@own_kernel
def add_up(
    order: OrderArray,
    offset: FloatArray,
    added: FloatArray,
    start: FloatArray,
    knots: FloatArray,
    intercept: FloatArray,
    slope: FloatArray,
) -> int:
    """The total between switches: the number of different offsets.

    Parameters
    ----------
    order : array (m,)
        Switches by rising offset, those that do not happen (inf) last.
    offset : array (switches,)
    added : array (switches, 2)
    start : array (2,)
        The total at the far left.
    knots : array (m,)
        Filled; ``intercept`` and ``slope`` (m + 1,) are of the pieces between them.
    """
    sums, lost, pieces = start.copy(), np.zeros(2), 0
    intercept[0], slope[0] = start[0], start[1]
    for place in range(order.shape[0]):
        switch = order[place]
        here = offset[switch]
        if here == np.inf:
            break
        for part in range(2):  # what rounding takes is kept apart (Neumaier 1974)
            before, more = sums[part], added[switch, part]
            after = before + more
            if abs(before) >= abs(more):
                lost[part] += (before - after) + more
            else:
                lost[part] += (more - after) + before
            sums[part] = after
        if place + 1 == order.shape[0] or offset[order[place + 1]] != here:
            knots[pieces] = here
            pieces += 1
            intercept[pieces], slope[pieces] = sums[0] + lost[0], sums[1] + lost[1]
    return pieces


@own_kernel
def find_flips(
    order: OrderArray,
    offset: FloatArray,
    moves: CodeArray,
    start_counts: IntArray,
    is_used: IntArray,
    flips: FloatArray,
) -> None:
    """Where, next to offset 0 on either side, a decision comes into use or falls out of it.

    Parameters
    ----------
    order, offset, moves
        As of ``add_up`` and ``find_switches``.
    start_counts : array (decisions,)
        Cases with each decision at the far left.
    is_used : array (decisions,)
        1 where a decision is given to some case now.
    flips : array (2, 2)
        Filled: offset (at most 0, and at least 0) and decision; NaN where there is none.
    """
    counts, flips[:] = start_counts.copy(), np.nan
    flat_offset, flat_moves = offset.ravel(), moves.reshape(-1, 2)
    below = -np.inf
    for place in range(order.shape[0] + 1):
        above = np.inf if place == order.shape[0] else flat_offset[order[place]]
        if above > below:  # a piece between equal switches has no width: it says nothing
            for decision in range(counts.shape[0]):
                if (counts[decision] > 0) == (is_used[decision] > 0):
                    continue
                if below < 0.0:
                    flips[0, 0], flips[0, 1] = min(above, 0.0), decision
                if above > 0.0:
                    flips[1, 0], flips[1, 1] = max(below, 0.0), decision
                break
        if above == np.inf or not np.isnan(flips[1, 0]):
            break
        before, after = flat_moves[order[place], 0], flat_moves[order[place], 1]
        counts[before] -= 1
        counts[after] += 1
        below = above
