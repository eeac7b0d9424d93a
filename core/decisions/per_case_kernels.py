"""Kernels that choose and rate where amounts are laid out by case and decision."""

from __future__ import annotations

import numpy as np

from core.decisions.case_blocks import ByteArray
from core.decisions.rating_kernels import NO_CODE, ShortArray
from core.decisions.ties import better
from core.kernels import CHUNK_ROWS, own_kernel, parallel_kernel, prange
from payoff.types import CodeArray, FloatArray, IntArray


@own_kernel
def _best_of(values: FloatArray, row: int, tolerance: float, skipped: int) -> tuple[float, int]:
    """The best decision of a case among all but ``skipped``, its amount first.

    Where there is no other: the implicit do-nothing, worth 0 and numbered one past the last.
    """
    decisions = values.shape[0]
    best, number = -np.inf, float(decisions)
    for decision in range(decisions):
        if decision != skipped:
            best, number = better(best, number, values[decision, row], float(decision), tolerance)
    if number == float(decisions):
        return 0.0, decisions
    return best, int(number)


@own_kernel
def _is_whole(values: FloatArray, row: int) -> bool:
    """Whether every decision of a case has an amount."""
    gap = 0.0
    for decision in range(values.shape[0]):
        gap += values[decision, row] - values[decision, row]  # NaN for one missing or infinite
    return gap == 0.0


@parallel_kernel
def choose_amounts(
    values: FloatArray, tolerance: float, skipped: int, best: FloatArray, number: IntArray
) -> None:
    """The best decision of every case among all but ``skipped`` (-1: among all), and its amount.

    A case with an amount missing gets NaN and decision 0.
    """
    for row in prange(values.shape[1]):
        best[row], number[row] = np.nan, 0
        if _is_whole(values, row):
            best[row], number[row] = _best_of(values, row, tolerance, skipped)


@parallel_kernel
def rate_amounts(
    values: FloatArray,
    tolerance: float,
    acting: int,
    outcome: CodeArray,
    frequency: FloatArray,
    marks: ByteArray,
    folds: ByteArray,
    code: ShortArray,
    advantage: FloatArray,
    expected: FloatArray,
    sums: FloatArray,
) -> None:
    """Code, advantage of acting and expected amount of every case from ``values`` (decisions, n).

    ``frequency``, ``marks`` and ``expected`` may be empty. ``sums`` (chunks, levels, 2), zero
    before, gets the expected amount of the own and of the rest decision of the counted cases.
    """
    decisions, n = values.shape
    for chunk in prange(sums.shape[0]):
        for row in range(chunk * CHUNK_ROWS, min(n, (chunk + 1) * CHUNK_ROWS)):
            code[row] = np.uint16(NO_CODE)
            advantage[row] = np.nan
            if expected.shape[0]:
                expected[row] = np.nan
            if not _is_whole(values, row):
                continue
            best, number = _best_of(values, row, tolerance, -1)
            if expected.shape[0]:
                expected[row] = best
            level = np.int64(outcome[row])
            if level < 0 or (marks.shape[0] and marks[row] != 0):
                continue
            rest, other = _best_of(values, row, tolerance, acting)
            place = (level * decisions + number) * (decisions + 1) + other
            code[row] = np.uint16(place * 2 + np.int64(folds[row]))
            advantage[row] = values[acting, row] - rest
            weight = frequency[row] if frequency.shape[0] else 1.0
            sums[chunk, level, 0] += weight * best
            sums[chunk, level, 1] += weight * rest
