"""Kernels of depth: sums along the order of cases, and exact sums at any place of it.

The order of cases is cut into blocks of 128; sums before each block are kept, so that any depth
costs one block's scan, however many cases there are.

What one case brings at a depth, read from the table of what each code is worth.

Kernels that find where a depth ends in the order of cases: in which group, how far into it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from core.decisions.passes.case_blocks import ByteArray, Index
from core.decisions.passes.rating_kernels import DECISION, FOLD, LEVEL, REST, ShortArray
from core.kernels import own_kernel, parallel_kernel, prange, prefetch
from payoff.types import CodeArray, FloatArray, IntArray, OrderArray

BASE, GAINED, OWN_WORTH, SPENT, IS_ACT = range(5)
"""Columns of ``worth``: what a case of a code brings beyond the depth, how much more within, by its
own decision; the constant cost of that; 1 where within means acting (0: its own decision)."""


@own_kernel(inline=True)
def case_cost(
    cost_row: IntArray,
    rate: FloatArray,
    costs: FloatArray,
    level: Index,
    decision: Index,
    row: Index,
) -> float:
    """A case's own cost of a decision; 0 where the cost is constant (the worth holds it)."""
    place = cost_row[decision]
    return float(rate[level, decision] * costs[place, row]) if place >= 0 else 0.0


@own_kernel(inline=True)
def acting_share(key: float, cut: float, share: float, sign: float) -> float:
    """Share of a case that is within the depth: 1 better than the cut, 0 beyond, tied: a share."""
    # Two choices without a branch: which side a case is on cannot be foreseen.
    inside = 1.0 if (key - cut) * sign > 0.0 else 0.0
    return share if key == cut else inside


@own_kernel(inline=True)
def case_value(
    row: Index,
    name: Index,
    parts: ByteArray,
    worth: FloatArray,
    cost_row: IntArray,
    rate: FloatArray,
    costs: FloatArray,
    acting: int,
    is_by_rule: bool,
    share: float,
) -> float:
    """What a case brings: by its own decision, or with ``share`` of it within the depth."""
    own, base, value = worth[name, OWN_WORTH], worth[name, BASE], worth[name, GAINED]
    if costs.shape[0] > 0:
        level = np.int64(parts[name, LEVEL])
        own -= case_cost(cost_row, rate, costs, level, np.int64(parts[name, DECISION]), row)
        if worth[name, IS_ACT] > 0.0:
            rest = np.int64(parts[name, REST])
            otherwise = case_cost(cost_row, rate, costs, level, rest, row)
            base -= otherwise
            value -= case_cost(cost_row, rate, costs, level, acting, row) - otherwise
        else:
            value = own
    return float(own) if is_by_rule else float(base + share * value)


STEP = 128
"""Cases between kept sums."""

MANY_CODES = 256
"""With more codes than this, cases of a block are not counted by code."""

AHEAD = 24
"""How many cases ahead memory is asked for: their rows are known, their places are far apart."""

# Sums kept per class: cases; value of acting v, 2 r v of the interval (r: value otherwise), v * v;
# expected value; the first three for fold 0; consequence of the own decision; its cost.
CASES, VALUE, CROSS, SQUARE, EXPECTED, VALUE_0, CROSS_0, SQUARE_0, OWN, COST = range(10)
SUMS = 10


class OrderedCases(NamedTuple):
    """What sums along an order read: n cases, C codes, L levels, D decisions, k cost columns."""

    order: OrderArray  # (n,) places of the cases, best first
    code: ShortArray  # (n,)
    parts: ByteArray  # (C, parts of a code)
    worth: FloatArray  # (C, columns above)
    cost_row: IntArray  # (D,) row of ``costs``, -1 where a decision's cost is constant
    rate: FloatArray  # (L, D)
    costs: FloatArray  # (k, n), or empty
    acting: int
    value_expected: FloatArray  # (n,)
    frequency: FloatArray  # (n,), or empty


@own_kernel
def _add_costed(
    ordered: OrderedCases,
    start: int,
    stop: int,
    sums: FloatArray,
) -> None:
    """``add_range`` where costs differ by case: every sum of every case."""
    order, code, parts, worth = ordered.order, ordered.code, ordered.parts, ordered.worth
    cost_row, rate, costs = ordered.cost_row, ordered.rate, ordered.costs
    value_expected, frequency = ordered.value_expected, ordered.frequency
    has_frequency = frequency.shape[0] > 0
    lanes = np.empty(SUMS)
    last = order.shape[0] - 1
    for position in range(start, stop):
        ahead = np.int64(order[min(position + AHEAD, last)])
        prefetch(code, ahead)
        prefetch(value_expected, ahead)
        for column in range(costs.shape[0]):
            prefetch(costs, column * costs.shape[1] + ahead)
        row = np.int64(order[position])
        name = np.int64(code[row])
        base, value = worth[name, BASE], worth[name, GAINED]
        own, cost = worth[name, OWN_WORTH], worth[name, SPENT]
        decision, rest = np.int64(parts[name, DECISION]), np.int64(parts[name, REST])
        level = np.int64(parts[name, LEVEL])
        spent = case_cost(cost_row, rate, costs, level, decision, row)
        own -= spent
        cost += spent
        if worth[name, IS_ACT] > 0.0:
            otherwise = case_cost(cost_row, rate, costs, level, rest, row)
            base -= otherwise
            value -= case_cost(cost_row, rate, costs, level, ordered.acting, row) - otherwise
        else:
            value = own
        weight = frequency[row] if has_frequency else 1.0
        gained = weight * value
        cross = 2.0 * base * gained
        square = gained * value
        is_first = 1.0 - np.float64(parts[name, FOLD])
        lanes[CASES] = weight
        lanes[VALUE] = gained
        lanes[CROSS] = cross
        lanes[SQUARE] = square
        lanes[EXPECTED] = weight * value_expected[row]
        lanes[VALUE_0] = is_first * gained
        lanes[CROSS_0] = is_first * cross
        lanes[SQUARE_0] = is_first * square
        lanes[OWN] = weight * own
        lanes[COST] = weight * cost
        into = sums[level]
        for lane in range(SUMS):  # one loop, so that lanes are added side by side
            into[lane] += lanes[lane]


@own_kernel
def _add_counted(
    ordered: OrderedCases,
    start: int,
    stop: int,
    sums: FloatArray,
) -> None:
    """``add_range`` where a code says all: count codes first, then what each code is worth."""
    order, code, parts, worth = ordered.order, ordered.code, ordered.parts, ordered.worth
    value_expected, frequency = ordered.value_expected, ordered.frequency
    has_frequency = frequency.shape[0] > 0
    tally = np.zeros(worth.shape[0])
    expected = np.zeros(worth.shape[0])
    last = order.shape[0] - 1
    for position in range(start, stop):
        ahead = np.int64(order[min(position + AHEAD, last)])
        prefetch(code, ahead)
        prefetch(value_expected, ahead)
        row = np.int64(order[position])
        name = np.int64(code[row])
        weight = frequency[row] if has_frequency else 1.0
        tally[name] += weight
        expected[name] += weight * value_expected[row]
    for each in range(worth.shape[0]):
        cases = tally[each]
        if cases == 0.0:
            continue
        level = np.int64(parts[each, LEVEL])
        base, value = worth[each, BASE], worth[each, GAINED]
        gained = cases * value
        cross = 2.0 * base * gained
        square = gained * value
        into = sums[level]
        into[CASES] += cases
        into[VALUE] += gained
        into[CROSS] += cross
        into[SQUARE] += square
        into[EXPECTED] += expected[each]
        if parts[each, FOLD] == 0:
            into[VALUE_0] += gained
            into[CROSS_0] += cross
            into[SQUARE_0] += square
        into[OWN] += cases * worth[each, OWN_WORTH]
        into[COST] += cases * worth[each, SPENT]


@own_kernel
def _add_one_cost(
    ordered: OrderedCases,
    start: int,
    stop: int,
    sums: FloatArray,
) -> None:
    """``add_range`` where one column of costs is all that a code does not say.

    Every sum is a polynomial in the cost c, so cases, c and c * c by code are enough.
    """
    order, code, parts, worth = ordered.order, ordered.code, ordered.parts, ordered.worth
    rate, costs = ordered.rate, ordered.costs
    value_expected, frequency = ordered.value_expected, ordered.frequency
    has_frequency = frequency.shape[0] > 0
    tally = np.zeros((worth.shape[0], 4))
    last = order.shape[0] - 1
    for position in range(start, stop):
        ahead = np.int64(order[min(position + AHEAD, last)])
        prefetch(code, ahead)
        prefetch(value_expected, ahead)
        prefetch(costs, ahead)
        row = np.int64(order[position])
        weight = frequency[row] if has_frequency else 1.0
        spent = costs[0, row]
        into = tally[np.int64(code[row])]
        into[0] += weight
        into[1] += weight * value_expected[row]
        into[2] += weight * spent
        into[3] += weight * spent * spent
    for each in range(worth.shape[0]):
        cases, expected, spent, squared = tally[each]
        if cases == 0.0:
            continue
        level = np.int64(parts[each, LEVEL])
        base, value, own = worth[each, BASE], worth[each, GAINED], worth[each, OWN_WORTH]
        own_cost = rate[level, np.int64(parts[each, DECISION])]
        base_cost, value_cost = 0.0, own_cost
        if worth[each, IS_ACT] > 0.0:
            base_cost = rate[level, np.int64(parts[each, REST])]
            value_cost = rate[level, ordered.acting] - base_cost
        gained = cases * value - value_cost * spent
        cross = base * value * cases - (base * value_cost + value * base_cost) * spent
        cross = 2.0 * (cross + base_cost * value_cost * squared)
        square = value * value * cases - 2.0 * value * value_cost * spent
        square += value_cost * value_cost * squared
        into = sums[level]
        into[CASES] += cases
        into[VALUE] += gained
        into[CROSS] += cross
        into[SQUARE] += square
        into[EXPECTED] += expected
        if parts[each, FOLD] == 0:
            into[VALUE_0] += gained
            into[CROSS_0] += cross
            into[SQUARE_0] += square
        into[OWN] += own * cases - own_cost * spent
        into[COST] += worth[each, SPENT] * cases + own_cost * spent


@own_kernel
def add_range(
    ordered: OrderedCases,
    start: int,
    stop: int,
    sums: FloatArray,
) -> None:
    """Add the cases at positions ``start`` to ``stop - 1`` to the sums (levels, SUMS)."""
    codes, columns = ordered.worth.shape[0], ordered.costs.shape[0]
    if columns == 1 and codes <= MANY_CODES:
        _add_one_cost(ordered, start, stop, sums)
    elif columns > 0 or codes > MANY_CODES:
        _add_costed(ordered, start, stop, sums)
    else:
        _add_counted(ordered, start, stop, sums)


@parallel_kernel
def sum_blocks(
    ordered: OrderedCases,
    sums: FloatArray,
) -> None:
    """Sums of each block of the order; ``sums`` (blocks, levels, SUMS), zero before."""
    n = ordered.order.shape[0]
    for block in prange(sums.shape[0]):
        add_range(ordered, block * STEP, min(n, (block + 1) * STEP), sums[block])


@parallel_kernel
def sums_at(
    ordered: OrderedCases,
    groups: IntArray,
    before: FloatArray,
    low: FloatArray,
    high: FloatArray,
) -> None:
    """Sums of the cases before each group (first position, end) of the order, and to its end.

    ``low`` and ``high`` are (k, levels, SUMS).
    """
    for place in prange(groups.shape[0]):
        first, end = groups[place]
        block = first // STEP
        low[place] = before[block]
        add_range(ordered, block * STEP, first, low[place])
        if end // STEP > block:
            first = (end // STEP) * STEP
            high[place] = before[end // STEP]
        else:
            high[place] = low[place]
        add_range(ordered, first, end, high[place])


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
