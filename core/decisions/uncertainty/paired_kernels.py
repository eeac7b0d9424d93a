"""Kernels of paired differences: what two models' decisions bring on the same cases."""

from __future__ import annotations

import numpy as np

from core.decisions.case_blocks import ByteArray, consequence
from core.decisions.consequences import Consequences
from core.decisions.depths.case_worth import acting_share, case_value
from core.decisions.rating_kernels import DECISION, LEVEL, NO_CODE, ShortArray
from core.kernels import CHUNK_ROWS, parallel_kernel, prange
from payoff.types import FloatArray


@parallel_kernel
def rule_sums(
    parts: ByteArray,
    given: Consequences,
    frequency: FloatArray,
    first_code: ShortArray,
    second_code: ShortArray,
    sums: FloatArray,
) -> None:
    """``paired_sums`` where every case gets its own decision: most get the same from both."""
    gain, cost_row, rate, costs = given.gain, given.cost_row, given.rate, given.costs
    n = first_code.shape[0]
    for chunk in prange(sums.shape[0]):
        into = sums[chunk]
        for row in range(chunk * CHUNK_ROWS, min(n, (chunk + 1) * CHUNK_ROWS)):
            first, second = np.int64(first_code[row]), np.int64(second_code[row])
            if first == second:  # also where both are left out
                continue
            ours, theirs = np.int64(parts[first, DECISION]), np.int64(parts[second, DECISION])
            if ours == theirs:
                continue
            level = np.int64(parts[first, LEVEL])
            difference = consequence(gain, cost_row, rate, costs, level, ours, row)
            difference -= consequence(gain, cost_row, rate, costs, level, theirs, row)
            weight = frequency[row] if frequency.shape[0] else 1.0
            into[level, 0] += weight * difference
            into[level, 1] += weight * difference * difference


@parallel_kernel
def paired_sums(
    acting: int,
    parts: ByteArray,
    worth: FloatArray,
    given: Consequences,
    frequency: FloatArray,
    first_code: ShortArray,
    first_key: FloatArray,
    first_cut: tuple[float, float, float],
    second_code: ShortArray,
    second_key: FloatArray,
    second_cut: tuple[float, float, float],
    sums: FloatArray,
) -> None:
    """Sums by class of the difference of two models at a depth, and of its square.

    A cut is (key of the last group within, share of it within, sign of the order). ``sums`` is
    (chunks, levels, 2), zero before.
    """
    cost_row, rate, costs = given.cost_row, given.rate, given.costs
    n = first_code.shape[0]
    for chunk in prange(sums.shape[0]):
        into = sums[chunk]
        for row in range(chunk * CHUNK_ROWS, min(n, (chunk + 1) * CHUNK_ROWS)):
            first, second = np.int64(first_code[row]), np.int64(second_code[row])
            if first == NO_CODE:
                continue
            a = acting_share(first_key[row], first_cut[0], first_cut[1], first_cut[2])
            b = acting_share(second_key[row], second_cut[0], second_cut[1], second_cut[2])
            difference = case_value(
                row, first, parts, worth, cost_row, rate, costs, acting, False, a
            ) - case_value(row, second, parts, worth, cost_row, rate, costs, acting, False, b)
            weight = frequency[row] if frequency.shape[0] else 1.0
            level = np.int64(parts[first, LEVEL])
            into[level, 0] += weight * difference
            into[level, 1] += weight * difference * difference
