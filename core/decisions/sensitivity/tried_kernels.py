"""The kernel behind What-if: totals now, with decisions kept, and with decisions made again."""

from __future__ import annotations

from core.decisions.case_blocks import ByteArray, Index, consequence
from core.decisions.consequences import Consequences
from core.decisions.decision_pass import UNDECIDED
from core.kernels import CHUNK_ROWS, own_kernel, parallel_kernel, prange
from payoff.types import CodeArray, FloatArray, IntArray

NOW, KEPT, REMADE, KEPT_CHANGE, REMADE_CHANGE = range(5)
"""Measures; each has its sum and, ``MEASURES`` places on, the sum of its squares."""
MEASURES = 5
MOVED = 2 * MEASURES
"""Cases whose decision is another."""


@own_kernel(inline=True)
def _realised(
    weight: FloatArray,
    gain: FloatArray,
    cost_row: IntArray,
    rate: FloatArray,
    costs: FloatArray,
    level: Index,
    decision: Index,
    row: Index,
) -> float:
    """What a case adds to the total; nothing without a decision."""
    if decision == UNDECIDED:
        return 0.0
    return float(weight[level] * consequence(gain, cost_row, rate, costs, level, decision, row))


@parallel_kernel
def tried_sums(
    outcome: CodeArray,
    frequency: FloatArray,
    marks: ByteArray,
    before: ByteArray,
    after: ByteArray,
    weight: FloatArray,
    given: Consequences,
    other_weight: FloatArray,
    other: Consequences,
    sums: FloatArray,
) -> None:
    """Sums by class of F x and F x² of every measure x, and of the cases that move.

    Parameters
    ----------
    outcome, before, after : array (n,)
        Class, and decision now and under the changed numbers.
    frequency, marks : array (n,), or empty
        Cases that a row stands for; 0 where a row counts.
    weight, given
        Class weights (levels,) and consequences as they are; ``other`` as they are tried.
    sums : array (chunks, levels, MOVED + 1)
        Zero before.
    """
    gain, cost_row, rate, costs = given.gain, given.cost_row, given.rate, given.costs
    other_gain, other_rate = other.gain, other.rate
    other_row, other_costs = other.cost_row, other.costs
    n = outcome.shape[0]
    for chunk in prange(sums.shape[0]):
        for row in range(chunk * CHUNK_ROWS, min(n, (chunk + 1) * CHUNK_ROWS)):
            if outcome[row] < 0 or (marks.shape[0] and marks[row] != 0):
                continue
            level = outcome[row]
            first, second = before[row], after[row]
            now = _realised(weight, gain, cost_row, rate, costs, level, first, row)
            kept = _realised(
                other_weight, other_gain, other_row, other_rate, other_costs, level, first, row
            )
            remade = kept
            cases = frequency[row] if frequency.shape[0] else 1.0
            into = sums[chunk, level]
            if first != second:
                into[MOVED] += cases
                remade = _realised(
                    other_weight, other_gain, other_row, other_rate, other_costs, level, second, row
                )
            measures = (now, kept, remade, kept - now, remade - now)
            for place in range(MEASURES):
                into[place] += cases * measures[place]
                into[MEASURES + place] += cases * measures[place] * measures[place]
