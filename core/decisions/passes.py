"""The decision pass: expected consequences, the choice and its tables, block by block.

Blocks of 1,024 cases stay in the processor's cache; loops over cases inside a block vectorise.
Partial tables belong to fixed chunks of 65,536 rows and are added in chunk order.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from core.decisions.priors import SMALLEST_SUM
from core.kernels import CHUNK_ROWS, own_kernel, parallel_kernel, prange
from payoff.types import FloatArray, IntArray

BLOCK = 1024
UNDECIDED = 255
"""Decision number of a case without a decision."""

MARK_POSTERIOR, MARK_LEVEL, MARK_COST, MARK_FREQUENCY = 1, 2, 4, 8

ByteArray = NDArray[np.uint8]

Index: TypeAlias = int | np.int64
"""A number of a class, decision or row inside a kernel."""


@own_kernel
def _check_chances(posteriors: FloatArray, start: int, width: int, mass: FloatArray) -> None:
    """Sum of the posteriors of each case of a block; NaN where one is missing or not 0 to 1."""
    first = posteriors[0, start : start + width]
    for i in range(width):
        value = first[i]
        mass[i] = value if (value >= 0.0) & (value <= 1.0) else np.nan
    for level in range(1, posteriors.shape[0]):
        source = posteriors[level, start : start + width]
        for i in range(width):
            value = source[i]
            mass[i] += value if (value >= 0.0) & (value <= 1.0) else np.nan


@own_kernel
def _correct_chances(
    posteriors: FloatArray,
    ratio: FloatArray,
    start: int,
    width: int,
    chance: FloatArray,
    mass: FloatArray,
) -> None:
    """Posteriors of a block corrected to the priors; bad ones have lost their ``mass``."""
    total = np.zeros(width)
    for level in range(posteriors.shape[0]):
        source = posteriors[level, start : start + width]
        target = chance[level]
        factor = ratio[level]
        if factor < 0.0:
            for i in range(width):
                mass[i] += 0.0 if source[i] == 0.0 else np.nan
                target[i] = 0.0
        else:
            for i in range(width):
                corrected = source[i] * factor
                target[i] = corrected
                total[i] += corrected
    for i in range(width):
        whole = total[i]
        total[i] = whole if whole > SMALLEST_SUM else 1.0
    for level in range(posteriors.shape[0]):
        target = chance[level]
        for i in range(width):
            target[i] /= total[i]


@own_kernel
def load_chances(
    posteriors: FloatArray,
    ratio: FloatArray,
    start: int,
    width: int,
    chance: FloatArray,
    mass: FloatArray,
) -> tuple[FloatArray, int]:
    """Where the posteriors of a block stand: (table, first column), corrected if there is a ratio.

    ``mass`` is NaN or 0 for a case with bad posteriors.
    """
    _check_chances(posteriors, start, width, mass)
    if ratio.shape[0] == 0:
        return posteriors, start
    _correct_chances(posteriors, ratio, start, width, chance, mass)
    return chance, 0


@own_kernel
def _expect_into(
    table: FloatArray, origin: int, gain: FloatArray, decision: int, width: int, out: FloatArray
) -> None:
    """A(i, d) = sum over t of Q(i, t, d) * posterior(i, t) for the cases of a block."""
    levels = table.shape[0]
    source = table[0, origin : origin + width]
    first = gain[0, decision]
    if levels == 2:
        other, second = table[1, origin : origin + width], gain[1, decision]
        for i in range(width):
            out[i] = source[i] * first + other[i] * second
        return
    if levels == 3:
        other, second = table[1, origin : origin + width], gain[1, decision]
        last, third = table[2, origin : origin + width], gain[2, decision]
        for i in range(width):
            out[i] = source[i] * first + other[i] * second + last[i] * third
        return
    for i in range(width):
        out[i] = source[i] * first
    for level in range(1, levels):
        source = table[level, origin : origin + width]
        value = gain[level, decision]
        for i in range(width):
            out[i] += source[i] * value


@own_kernel
def _take_costs(
    cost: FloatArray, whole: FloatArray, width: int, out: FloatArray, mass: FloatArray
) -> None:
    """Subtract the cost of each case as often as it falls due on average (``whole``)."""
    for i in range(width):
        out[i] -= cost[i] * whole[i]
        mass[i] += cost[i] - cost[i]  # NaN for a missing cost: the case is not decided


@own_kernel
def expect_block(
    table: FloatArray,
    origin: int,
    gain: FloatArray,
    cost_row: IntArray,
    rate: FloatArray,
    costs: FloatArray,
    decision: int,
    start: int,
    width: int,
    mass: FloatArray,
    whole: FloatArray,
    out: FloatArray,
) -> None:
    """A(i, d) of one decision, less costs by case; ``whole`` (BLOCK,) is working memory."""
    _expect_into(table, origin, gain, decision, width, out)
    row = cost_row[decision]
    if row >= 0:
        _expect_into(table, origin, rate, decision, width, whole)
        _take_costs(costs[row, start : start + width], whole, width, out, mass)


@own_kernel
def _choose_four(
    table: FloatArray,
    origin: int,
    worth: FloatArray,
    numbers: FloatArray,
    tolerance: float,
    width: int,
    best: FloatArray,
    number: FloatArray,
) -> None:
    """The best of four decisions with two or three classes, in one loop that keeps no trial.

    ``worth`` (3, 4) holds their gains by class; with two classes its third row is 0.
    """
    p = table[0, origin : origin + width]
    q = table[1, origin : origin + width]
    r = table[table.shape[0] - 1, origin : origin + width]
    a0, a1, a2, a3 = worth[0, 0], worth[0, 1], worth[0, 2], worth[0, 3]
    b0, b1, b2, b3 = worth[1, 0], worth[1, 1], worth[1, 2], worth[1, 3]
    c0, c1, c2, c3 = worth[2, 0], worth[2, 1], worth[2, 2], worth[2, 3]
    n0, n1, n2, n3 = numbers[0], numbers[1], numbers[2], numbers[3]
    for i in range(width):
        x, y, z = p[i], q[i], r[i]
        top, name = x * a0 + y * b0 + z * c0, n0
        trial = x * a1 + y * b1 + z * c1
        is_better = trial > top + tolerance
        name = n1 if is_better else name
        top = trial if is_better else top
        trial = x * a2 + y * b2 + z * c2
        is_better = trial > top + tolerance
        name = n2 if is_better else name
        top = trial if is_better else top
        trial = x * a3 + y * b3 + z * c3
        is_better = trial > top + tolerance
        name = n3 if is_better else name
        top = trial if is_better else top
        best[i] = top
        number[i] = name


@own_kernel
def _line_up(gain: FloatArray, skipped: int, worth: FloatArray, numbers: FloatArray) -> bool:
    """Gains and numbers of one to four decisions with two or three classes; False if other."""
    levels, decisions = gain.shape[0], gain.shape[1] - 1
    tried = decisions - (1 if 0 <= skipped < decisions else 0)
    if levels < 2 or levels > 3 or tried < 1 or tried > 4:
        return False
    place = 0
    for decision in range(decisions):
        if decision != skipped:
            worth[:levels, place] = gain[:, decision]
            numbers[place] = float(decision)
            place += 1
    for left in range(place, 4):  # the last one again: it never beats itself
        worth[:, left] = worth[:, place - 1]
        numbers[left] = numbers[place - 1]
    return True


@own_kernel
def _decide_few(
    table: FloatArray,
    origin: int,
    gain: FloatArray,
    tolerance: float,
    width: int,
    skipped: int,
    best: FloatArray,
    number: FloatArray,
) -> bool:
    """``decide_block`` for two or three classes and one to four decisions without case costs."""
    worth, numbers = np.zeros((3, 4)), np.empty(4)
    if not _line_up(gain, skipped, worth, numbers):
        return False
    _choose_four(table, origin, worth, numbers, tolerance, width, best, number)
    return True


@own_kernel
def _keep_better(
    value: FloatArray,
    chosen: FloatArray,
    trial: FloatArray,
    numbers: FloatArray,
    tolerance: float,
    width: int,
    best: FloatArray,
    number: FloatArray,
) -> None:
    """The better of a choice and three further decisions, one after the other.

    Out-arrays of its own: choosing in place would become a branch per case.
    """
    first, second, third = trial[0], trial[1], trial[2]
    n0, n1, n2 = numbers[0], numbers[1], numbers[2]
    for i in range(width):
        top, name = value[i], chosen[i]
        a, b, c = first[i], second[i], third[i]
        is_better = a > top + tolerance
        name = n0 if is_better else name
        top = a if is_better else top
        is_better = b > top + tolerance
        name = n1 if is_better else name
        top = b if is_better else top
        is_better = c > top + tolerance
        name = n2 if is_better else name
        top = c if is_better else top
        best[i] = top
        number[i] = name


@own_kernel
def new_scratch() -> FloatArray:
    """Working memory of ``decide_block``: three trials, two pairs of choice and number, a sum."""
    return np.empty((9, BLOCK))


@own_kernel
def decide_block(
    table: FloatArray,
    origin: int,
    gain: FloatArray,
    cost_row: IntArray,
    rate: FloatArray,
    costs: FloatArray,
    tolerance: float,
    start: int,
    width: int,
    skipped: int,
    mass: FloatArray,
    scratch: FloatArray,
) -> int:
    """The best decision of each case of a block, among all but ``skipped`` (-1: among all).

    Returns the row of ``scratch`` that holds the expected consequences; the next row holds the
    decision numbers, as floats so that the loops stay in one type.
    """
    decisions = gain.shape[1] - 1
    numbers = np.empty(3)
    now, waiting = 3, -1
    whole = scratch[8]
    if costs.shape[0] == 0 and _decide_few(
        table, origin, gain, tolerance, width, skipped, scratch[3], scratch[4]
    ):
        return now
    for decision in range(decisions):
        if decision == skipped:
            continue
        target = scratch[now] if waiting < 0 else scratch[waiting]
        expect_block(
            table, origin, gain, cost_row, rate, costs, decision, start, width, mass, whole, target
        )
        if waiting < 0:
            for i in range(width):
                scratch[now + 1, i] = float(decision)
        else:
            numbers[waiting] = float(decision)
        waiting += 1
        if waiting == 3:
            after = 8 - now
            _keep_better(
                scratch[now],
                scratch[now + 1],
                scratch,
                numbers,
                tolerance,
                width,
                scratch[after],
                scratch[after + 1],
            )
            now, waiting = after, 0
    if waiting < 0:  # nothing but the skipped one: the implicit do-nothing
        for i in range(width):
            scratch[now, i] = 0.0
            scratch[now + 1, i] = float(decisions)
    if waiting > 0:
        for place in range(waiting, 3):  # the last one again: it never beats itself
            numbers[place] = numbers[waiting - 1]
            scratch[place, :width] = scratch[waiting - 1, :width]
        after = 8 - now
        _keep_better(
            scratch[now],
            scratch[now + 1],
            scratch,
            numbers,
            tolerance,
            width,
            scratch[after],
            scratch[after + 1],
        )
        now = after
    return now


@own_kernel(inline=True)
def consequence(
    gain: FloatArray,
    cost_row: IntArray,
    rate: FloatArray,
    costs: FloatArray,
    level: Index,
    decision: Index,
    row: Index,
) -> float:
    """Q(i, t, d): the gain less the case's own cost, as often as it falls due in its class."""
    value = gain[level, decision]
    if cost_row[decision] >= 0:
        value -= rate[level, decision] * costs[cost_row[decision], row]
    return float(value)


@own_kernel(inline=True)
def best_consequence(
    gain: FloatArray,
    cost_row: IntArray,
    rate: FloatArray,
    costs: FloatArray,
    level: Index,
    row: Index,
) -> float:
    """B(i): the largest consequence of a case whose class is known."""
    best = consequence(gain, cost_row, rate, costs, level, 0, row)
    for decision in range(1, gain.shape[1] - 1):
        value = consequence(gain, cost_row, rate, costs, level, decision, row)
        best = max(best, value)
    return best


@own_kernel
def _write_choice(
    mass: FloatArray,
    value: FloatArray,
    chosen: FloatArray,
    decision: ByteArray,
    expected: FloatArray,
) -> None:
    """Decision and expected consequence of a block, missing where the case is not decided."""
    for i in range(expected.shape[0]):
        best = value[i]
        expected[i] = best if mass[i] > 0.0 else np.nan
    for i in range(decision.shape[0]):
        name = chosen[i]
        decision[i] = np.uint8(np.int32(name if mass[i] > 0.0 else float(UNDECIDED)))


@own_kernel
def _find_places(
    outcome: NDArray[np.int32],
    mass: FloatArray,
    chosen: FloatArray,
    decisions: int,
    spare: int,
    place: NDArray[np.int32],
) -> None:
    """Number of each case's cell; ``spare`` where class or decision is not known."""
    width, last = np.int32(decisions), np.int32(spare)
    for i in range(outcome.shape[0]):
        level = outcome[i]
        cell = np.int32(level * width + np.int32(chosen[i]))
        cell = cell if mass[i] > 0.0 else last
        place[i] = cell if level >= 0 else last


@own_kernel
def _write_plain(
    place: NDArray[np.int32],
    flat: FloatArray,
    ceiling: FloatArray,
    computed: FloatArray,
    best: FloatArray,
) -> None:
    """Realised and best consequence of a block, looked up by cell."""
    for i in range(computed.shape[0]):
        cell = np.uint32(place[i])
        computed[i] = flat[cell]
        best[i] = ceiling[cell]


@own_kernel
def _write_costed(
    gain: FloatArray,
    cost_row: IntArray,
    rate: FloatArray,
    costs: FloatArray,
    place: NDArray[np.int32],
    start: int,
    computed: FloatArray,
    best: FloatArray,
) -> None:
    """Realised and best consequence of a block with costs by case."""
    decisions = gain.shape[1] - 1
    spare = gain.shape[0] * decisions
    for i in range(computed.shape[0]):
        computed[i] = np.nan
        best[i] = np.nan
        if place[i] < spare:
            level = place[i] // decisions
            chosen = place[i] % decisions
            computed[i] = consequence(gain, cost_row, rate, costs, level, chosen, start + i)
            best[i] = best_consequence(gain, cost_row, rate, costs, level, start + i)


@own_kernel
def _add_counts(place: NDArray[np.int32], value: FloatArray, width: int, tally: FloatArray) -> None:
    """Add a block's cases by cell, (4, cells, 2): count and value side by side in one vector.

    Four tables, so that additions overlap in the processor. Counts are exact below 2**53.
    """
    for i in range(width):
        into = tally[np.uint64(i & 3), np.uint32(place[i])]
        into[0] += 1.0
        into[1] += value[i]


@own_kernel
def _add_weights(
    place: NDArray[np.int32],
    value: FloatArray,
    frequency: FloatArray,
    cases: FloatArray,
    expected: FloatArray,
) -> None:
    """The same with a frequency per case; one of 0, less or missing does not count."""
    spare = cases.shape[0] - 1
    for i in range(frequency.shape[0]):
        weight = frequency[i]
        if place[i] < spare and 0.0 < weight < np.inf:
            cases[place[i]] += weight
            expected[place[i]] += weight * value[i]


@own_kernel
def lookup_tables(gain: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Consequence and row maximum by cell (level * decisions + decision); NaN in the spare cell."""
    levels = gain.shape[0]
    decisions = gain.shape[1] - 1
    flat = np.full(levels * decisions + 1, np.nan)
    ceiling = np.full(levels * decisions + 1, np.nan)
    for level in range(levels):
        best = gain[level, 0]
        for column in range(1, decisions):
            best = max(best, gain[level, column])
        for column in range(decisions):
            flat[level * decisions + column] = gain[level, column]
            ceiling[level * decisions + column] = best
    return flat, ceiling


@own_kernel
def _decide_plain(
    posteriors: FloatArray,
    start: int,
    worth: FloatArray,
    numbers: FloatArray,
    tolerance: float,
    expected: FloatArray,
    number: FloatArray,
) -> None:
    """``_choose_four`` with the check of the posteriors in the same loop, straight to the result.

    A case with bad posteriors gets NaN and UNDECIDED.
    """
    width = expected.shape[0]
    p = posteriors[0, start : start + width]
    q = posteriors[1, start : start + width]
    r = posteriors[posteriors.shape[0] - 1, start : start + width]
    a0, a1, a2, a3 = worth[0, 0], worth[0, 1], worth[0, 2], worth[0, 3]
    b0, b1, b2, b3 = worth[1, 0], worth[1, 1], worth[1, 2], worth[1, 3]
    c0, c1, c2, c3 = worth[2, 0], worth[2, 1], worth[2, 2], worth[2, 3]
    n0, n1, n2, n3 = numbers[0], numbers[1], numbers[2], numbers[3]
    for i in range(width):
        x, y, z = p[i], q[i], r[i]
        lowest, highest = min(x, y, z), max(x, y, z)
        is_good = (lowest >= 0.0) & (highest > 0.0) & (highest <= 1.0) & (x + y + z >= 0.0)
        top, name = x * a0 + y * b0 + z * c0, n0
        trial = x * a1 + y * b1 + z * c1
        is_better = trial > top + tolerance
        name = n1 if is_better else name
        top = trial if is_better else top
        trial = x * a2 + y * b2 + z * c2
        is_better = trial > top + tolerance
        name = n2 if is_better else name
        top = trial if is_better else top
        trial = x * a3 + y * b3 + z * c3
        is_better = trial > top + tolerance
        name = n3 if is_better else name
        top = trial if is_better else top
        expected[i] = top if is_good else np.nan
        number[i] = name if is_good else 255.0


@own_kernel
def _write_plain_choice(
    number: FloatArray,
    outcome: NDArray[np.int32],
    decisions: int,
    spare: int,
    decision: ByteArray,
    place: NDArray[np.int32],
) -> None:
    """Decision and cell of each case from its decision number."""
    for i in range(decision.shape[0]):
        decision[i] = np.uint8(np.int32(number[i]))
    width, last = np.int32(decisions), np.int32(spare)
    for i in range(outcome.shape[0]):
        level, chosen = outcome[i], np.int32(number[i])
        cell = np.int32(level * width + chosen)
        place[i] = cell if (level >= 0) & (chosen < width) else last


@parallel_kernel
def decide_rows(
    posteriors: FloatArray,
    ratio: FloatArray,
    gain: FloatArray,
    cost_row: IntArray,
    rate: FloatArray,
    costs: FloatArray,
    tolerance: float,
    outcome: NDArray[np.int32],
    frequency: FloatArray,
    decision: ByteArray,
    expected: FloatArray,
    computed: FloatArray,
    best: FloatArray,
    cases: FloatArray,
    expected_sum: FloatArray,
) -> None:
    """Decide every case and add up by class and decision.

    Empty arrays stand for what is not given (``ratio``, ``outcome``, ``frequency``) or not wanted
    (``computed`` and ``best`` together: with constant costs the counts say it all). ``cases`` and
    ``expected_sum`` are (chunks, levels * decisions + 1), zero before; the last cell takes what
    does not count. Realised totals follow from the counts (from ``computed`` with case costs).
    """
    levels, n = posteriors.shape
    decisions = gain.shape[1] - 1
    spare = levels * decisions
    flat, ceiling = lookup_tables(gain)
    worth, numbers = np.zeros((3, 4)), np.empty(4)
    is_plain = ratio.shape[0] + costs.shape[0] == 0 and _line_up(gain, -1, worth, numbers)
    for chunk in prange((n + CHUNK_ROWS - 1) // CHUNK_ROWS):
        chance = np.empty((levels, BLOCK))
        mass = np.empty(BLOCK)
        scratch = new_scratch()
        place = np.empty(BLOCK, dtype=np.int32)
        tally = np.zeros((4, spare + 1, 2))
        for start in range(chunk * CHUNK_ROWS, min(n, (chunk + 1) * CHUNK_ROWS), BLOCK):
            stop = min(n, start + BLOCK)
            width = stop - start
            value = expected[start:stop]
            if is_plain:
                _decide_plain(posteriors, start, worth, numbers, tolerance, value, scratch[4])
                _write_plain_choice(
                    scratch[4], outcome[start:stop], decisions, spare, decision[start:stop], place
                )
            else:
                table, origin = load_chances(posteriors, ratio, start, width, chance, mass)
                row = decide_block(
                    table,
                    origin,
                    gain,
                    cost_row,
                    rate,
                    costs,
                    tolerance,
                    start,
                    width,
                    -1,
                    mass,
                    scratch,
                )
                chosen = scratch[row + 1]
                _write_choice(mass, scratch[row], chosen, decision[start:stop], value)
                _find_places(outcome[start:stop], mass, chosen, decisions, spare, place)
            if outcome.shape[0] == 0:
                continue
            if computed.shape[0] and costs.shape[0]:
                _write_costed(
                    gain,
                    cost_row,
                    rate,
                    costs,
                    place,
                    start,
                    computed[start:stop],
                    best[start:stop],
                )
            elif computed.shape[0]:
                _write_plain(place, flat, ceiling, computed[start:stop], best[start:stop])
            if frequency.shape[0]:
                _add_weights(place, value, frequency[start:stop], cases[chunk], expected_sum[chunk])
            else:
                _add_counts(place, value, width, tally)
        if frequency.shape[0] == 0:
            for cell in range(spare + 1):
                into = tally[0, cell] + tally[1, cell] + tally[2, cell] + tally[3, cell]
                cases[chunk, cell] = into[0]
                expected_sum[chunk, cell] = into[1]
