"""The decision pass: expected consequences, the choice and its tables, block by block.

Blocks of 1,024 cases stay in the processor's cache; loops over cases inside a block vectorise.
Partial tables belong to fixed chunks of 65,536 rows and are added in chunk order.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.decisions.passes.case_blocks import (
    BLOCK,
    ByteArray,
    best_consequence,
    best_of_four,
    consequence,
    decide_block,
    four_of,
    line_up,
    load_probabilities,
    new_scratch,
)
from core.decisions.problem import Consequences
from core.kernels import CHUNK_ROWS, own_kernel, parallel_kernel, prange
from payoff.types import FloatArray

UNDECIDED = 255
"""Decision number of a case without a decision."""

MARK_POSTERIOR, MARK_LEVEL, MARK_COST, MARK_FREQUENCY = 1, 2, 4, 8


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
    given: Consequences,
    place: NDArray[np.int32],
    start: int,
    computed: FloatArray,
    best: FloatArray,
) -> None:
    """Realised and best consequence of a block with costs by case."""
    gain, cost_row, rate, costs = given.gain, given.cost_row, given.rate, given.costs
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

    A case with bad posteriors gets NaN and UNDECIDED. Beside ``decide_block`` for its speed: the
    decision pass of 3,000,000 cases takes 1.5 to 1.6 times the processor time without it.
    """
    width = expected.shape[0]
    p = posteriors[0, start : start + width]
    q = posteriors[1, start : start + width]
    r = posteriors[posteriors.shape[0] - 1, start : start + width]
    a, b, c, names = four_of(worth[0]), four_of(worth[1]), four_of(worth[2]), four_of(numbers)
    for i in range(width):
        x, y, z = p[i], q[i], r[i]
        lowest, highest = min(x, y, z), max(x, y, z)
        is_good = (lowest >= 0.0) & (highest > 0.0) & (highest <= 1.0) & (x + y + z >= 0.0)
        top, name = best_of_four(x, y, z, a, b, c, names, tolerance)
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


@own_kernel
def _decide_any(
    table: FloatArray,
    origin: int,
    given: Consequences,
    start: int,
    mass: FloatArray,
    scratch: FloatArray,
    outcome: NDArray[np.int32],
    decision: ByteArray,
    value: FloatArray,
    place: NDArray[np.int32],
) -> None:
    """Decision, expected consequence and cell of the cases of a block, whatever the problem."""
    decisions = given.gain.shape[1] - 1
    row = decide_block(table, origin, given, start, value.shape[0], -1, mass, scratch)
    _write_choice(mass, scratch[row], scratch[row + 1], decision, value)
    _find_places(outcome, mass, scratch[row + 1], decisions, given.gain.shape[0] * decisions, place)


@own_kernel
def _add_tally(tally: FloatArray, cases: FloatArray, expected: FloatArray) -> None:
    """Counts and values of the four tables together, by cell."""
    for cell in range(cases.shape[0]):
        into = tally[0, cell] + tally[1, cell] + tally[2, cell] + tally[3, cell]
        cases[cell] = into[0]
        expected[cell] = into[1]


@parallel_kernel
def decide_rows(
    posteriors: FloatArray,
    ratio: FloatArray,
    given: Consequences,
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
    decisions = given.gain.shape[1] - 1
    spare = levels * decisions
    flat, ceiling = lookup_tables(given.gain)
    worth, numbers = np.zeros((3, 4)), np.empty(4)
    has_costs = given.costs.shape[0] > 0
    is_plain = not has_costs and ratio.shape[0] == 0 and line_up(given.gain, -1, worth, numbers)
    for chunk in prange((n + CHUNK_ROWS - 1) // CHUNK_ROWS):
        probability = np.empty((levels, BLOCK))
        mass = np.empty(BLOCK)
        scratch = new_scratch()
        place = np.empty(BLOCK, dtype=np.int32)
        tally = np.zeros((4, spare + 1, 2))
        for start in range(chunk * CHUNK_ROWS, min(n, (chunk + 1) * CHUNK_ROWS), BLOCK):
            stop = min(n, start + BLOCK)
            width = stop - start
            value = expected[start:stop]
            if is_plain:
                _decide_plain(posteriors, start, worth, numbers, given.tolerance, value, scratch[4])
                _write_plain_choice(
                    scratch[4], outcome[start:stop], decisions, spare, decision[start:stop], place
                )
            else:
                table, origin = load_probabilities(
                    posteriors, ratio, start, width, probability, mass
                )
                _decide_any(
                    table,
                    origin,
                    given,
                    start,
                    mass,
                    scratch,
                    outcome[start:stop],
                    decision[start:stop],
                    value,
                    place,
                )
            if outcome.shape[0] == 0:
                continue
            if computed.shape[0] and has_costs:
                _write_costed(
                    given,
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
            _add_tally(tally, cases[chunk], expected_sum[chunk])
