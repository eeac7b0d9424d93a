"""The decision pass: expected consequences, the choice and its tables, block by block.

Blocks of 1,024 cases stay in the processor's cache; loops over cases inside a block vectorise.
Partial tables belong to fixed chunks of 65,536 rows and are added in chunk order.
"""

from __future__ import annotations

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


@own_kernel
def _load_chances(
    posteriors: FloatArray,
    ratio: FloatArray,
    start: int,
    width: int,
    chance: FloatArray,
    mass: FloatArray,
) -> None:
    """Posteriors of a block, corrected; ``mass`` is NaN or 0 for a case with bad posteriors."""
    levels = posteriors.shape[0]
    for i in range(width):
        mass[i] = 0.0
    for level in range(levels):
        source = posteriors[level, start : start + width]
        target = chance[level]
        for i in range(width):
            value = source[i]
            value = value if (value >= 0.0) & (value <= 1.0) else np.nan
            target[i] = value
            mass[i] += value
    if ratio.shape[0] == 0:
        return
    total = np.zeros(width)
    for level in range(levels):
        target = chance[level]
        factor = ratio[level]
        if factor < 0.0:
            for i in range(width):
                mass[i] = mass[i] if target[i] == 0.0 else np.nan
                target[i] = 0.0
        else:
            for i in range(width):
                target[i] *= factor
                total[i] += target[i]
    for i in range(width):
        total[i] = total[i] if total[i] > SMALLEST_SUM else 1.0
    for level in range(levels):
        target = chance[level]
        for i in range(width):
            target[i] /= total[i]


@own_kernel
def _expect(
    chance: FloatArray,
    gain: FloatArray,
    decision: int,
    cost: FloatArray,
    width: int,
    out: FloatArray,
    mass: FloatArray,
) -> None:
    """A(i, d) = sum over t of Q(i, t, d) * posterior(i, t) for the cases of a block."""
    levels = chance.shape[0]
    first = gain[0, decision]
    for i in range(width):
        out[i] = chance[0, i] * first
    for level in range(1, levels):
        source = chance[level]
        value = gain[level, decision]
        for i in range(width):
            out[i] += source[i] * value
    if cost.shape[0]:
        # The cost falls due whatever the class, so it counts with the sum of the posteriors.
        for i in range(width):
            total = 0.0
            for level in range(levels):
                total += chance[level, i]
            out[i] -= cost[i] * total
            mass[i] += cost[i] - cost[i]  # a missing cost spoils the case


@own_kernel
def _decide_block(
    chance: FloatArray,
    gain: FloatArray,
    cost_row: IntArray,
    costs: FloatArray,
    tolerance: float,
    start: int,
    width: int,
    mass: FloatArray,
    trial: FloatArray,
    value: FloatArray,
    chosen: ByteArray,
) -> None:
    """The best decision of each case of a block: a later one must win by more than a tie."""
    decisions = gain.shape[1] - 1
    for decision in range(decisions):
        row = cost_row[decision]
        cost = costs[row, start : start + width] if row >= 0 else trial[:0]
        _expect(chance, gain, decision, cost, width, trial, mass)
        if decision == 0:
            for i in range(width):
                value[i] = trial[i]
                chosen[i] = np.uint8(0)
        else:
            for i in range(width):
                is_better = trial[i] > value[i] + tolerance
                chosen[i] = np.uint8(decision) if is_better else chosen[i]
                value[i] = trial[i] if is_better else value[i]


@own_kernel(inline=True)
def consequence(
    gain: FloatArray, cost_row: IntArray, costs: FloatArray, level: int, decision: int, row: int
) -> float:
    """Q(i, t, d): the gain less the case's own cost."""
    value = gain[level, decision]
    if cost_row[decision] >= 0:
        value -= costs[cost_row[decision], row]
    return value


@own_kernel
def best_consequence(
    gain: FloatArray, cost_row: IntArray, costs: FloatArray, level: int, row: int
) -> float:
    """B(i): the largest consequence of a case whose class is known."""
    best = consequence(gain, cost_row, costs, level, 0, row)
    for decision in range(1, gain.shape[1] - 1):
        value = consequence(gain, cost_row, costs, level, decision, row)
        best = max(best, value)
    return best


@own_kernel
def _write_plain(
    gain: FloatArray,
    ceiling: FloatArray,
    outcome: NDArray[np.int32],
    start: int,
    width: int,
    value: FloatArray,
    mass: FloatArray,
    chosen: ByteArray,
    decision: ByteArray,
    expected: FloatArray,
    computed: FloatArray,
    best: FloatArray,
) -> None:
    """Results of a block without costs by case."""
    decisions = gain.shape[1]
    flat = gain.ravel()
    for i in range(width):
        is_good = mass[i] > 0.0
        expected[start + i] = value[i] if is_good else np.nan
        decision[start + i] = chosen[i] if is_good else np.uint8(UNDECIDED)
    if outcome.shape[0] == 0:
        return
    for i in range(width):
        level = outcome[start + i]
        is_known = (mass[i] > 0.0) & (level >= 0)
        place = np.uint64(max(level, 0))
        computed[start + i] = (
            flat[place * np.uint64(decisions) + np.uint64(chosen[i])] if is_known else np.nan
        )
        best[start + i] = ceiling[place] if is_known else np.nan


@own_kernel
def _write_costed(
    gain: FloatArray,
    cost_row: IntArray,
    costs: FloatArray,
    outcome: NDArray[np.int32],
    start: int,
    width: int,
    value: FloatArray,
    mass: FloatArray,
    chosen: ByteArray,
    decision: ByteArray,
    expected: FloatArray,
    computed: FloatArray,
    best: FloatArray,
) -> None:
    """Results of a block with costs by case."""
    for i in range(width):
        row = start + i
        is_good = mass[i] > 0.0
        expected[row] = value[i] if is_good else np.nan
        decision[row] = chosen[i] if is_good else np.uint8(UNDECIDED)
        if outcome.shape[0] == 0:
            continue
        level = outcome[row]
        computed[row] = np.nan
        best[row] = np.nan
        if is_good and level >= 0:
            computed[row] = consequence(gain, cost_row, costs, level, np.int64(chosen[i]), row)
            best[row] = best_consequence(gain, cost_row, costs, level, row)


@own_kernel
def _add_counts(
    outcome: NDArray[np.int32],
    chosen: ByteArray,
    mass: FloatArray,
    value: FloatArray,
    start: int,
    width: int,
    decisions: int,
    counts: IntArray,
    expected: FloatArray,
) -> None:
    """Add a block's cases by class and decision; four tables, so that additions can overlap.

    Cases that do not count go to the last place.
    """
    spare = counts.shape[1] - 1
    for i in range(width):
        level = outcome[start + i]
        place = level * decisions + np.int64(chosen[i])
        place = place if (level >= 0) & (mass[i] > 0.0) else spare
        lane = i & 3
        counts[lane, place] += 1
        expected[lane, place] += value[i]


@own_kernel
def _add_weights(
    outcome: NDArray[np.int32],
    frequency: FloatArray,
    chosen: ByteArray,
    mass: FloatArray,
    value: FloatArray,
    start: int,
    width: int,
    decisions: int,
    cases: FloatArray,
    expected: FloatArray,
) -> None:
    """The same with a frequency per case; one of 0, less or missing does not count."""
    for i in range(width):
        weight = frequency[start + i]
        level = outcome[start + i]
        if level >= 0 and mass[i] > 0.0 and 0.0 < weight < np.inf:
            place = level * decisions + np.int64(chosen[i])
            cases[place] += weight
            expected[place] += weight * value[i]


@parallel_kernel
def decide_rows(
    posteriors: FloatArray,
    ratio: FloatArray,
    gain: FloatArray,
    cost_row: IntArray,
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

    Empty arrays stand for what is not given (``ratio``, ``outcome``, ``frequency``).
    ``cases`` and ``expected_sum`` are (chunks, levels * decisions), zero before; C is left out there
    because it follows from the counts, or from ``computed`` where costs differ by case.
    """
    levels, n = posteriors.shape
    decisions = gain.shape[1] - 1
    has_costs = costs.shape[0] > 0
    ceiling = np.empty(levels)
    for level in range(levels):
        ceiling[level] = gain[level, 0]
        for column in range(1, decisions):
            ceiling[level] = max(ceiling[level], gain[level, column])
    for chunk in prange((n + CHUNK_ROWS - 1) // CHUNK_ROWS):
        chance = np.empty((levels, BLOCK))
        mass = np.empty(BLOCK)
        trial = np.empty(BLOCK)
        value = np.empty(BLOCK)
        chosen = np.empty(BLOCK, dtype=np.uint8)
        counts = np.zeros((4, levels * decisions + 1), dtype=np.int64)
        sums = np.zeros((4, levels * decisions + 1))
        for start in range(chunk * CHUNK_ROWS, min(n, (chunk + 1) * CHUNK_ROWS), BLOCK):
            width = min(n, start + BLOCK, (chunk + 1) * CHUNK_ROWS) - start
            _load_chances(posteriors, ratio, start, width, chance, mass)
            _decide_block(
                chance, gain, cost_row, costs, tolerance, start, width, mass, trial, value, chosen
            )
            if has_costs:
                _write_costed(
                    gain,
                    cost_row,
                    costs,
                    outcome,
                    start,
                    width,
                    value,
                    mass,
                    chosen,
                    decision,
                    expected,
                    computed,
                    best,
                )
            else:
                _write_plain(
                    gain,
                    ceiling,
                    outcome,
                    start,
                    width,
                    value,
                    mass,
                    chosen,
                    decision,
                    expected,
                    computed,
                    best,
                )
            if outcome.shape[0] == 0:
                continue
            if frequency.shape[0]:
                _add_weights(
                    outcome,
                    frequency,
                    chosen,
                    mass,
                    value,
                    start,
                    width,
                    decisions,
                    cases[chunk],
                    expected_sum[chunk],
                )
            else:
                _add_counts(outcome, chosen, mass, value, start, width, decisions, counts, sums)
        if frequency.shape[0] == 0:
            for place in range(levels * decisions):
                cases[chunk, place] = (
                    counts[0, place] + counts[1, place] + counts[2, place] + counts[3, place]
                )
                expected_sum[chunk, place] = (
                    sums[0, place] + sums[1, place] + sums[2, place] + sums[3, place]
                )
