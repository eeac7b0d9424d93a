"""Kernels by row: marks, folds, the rating of cases and sums that need no order.

A case's *code* says its class, its decision, its best decision other than acting ("rest") and its
fold.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.decisions.passes.case_blocks import (
    BLOCK,
    ByteArray,
    best_consequence,
    consequence,
    decide_block,
    expect_block,
    load_probabilities,
    new_scratch,
)
from core.decisions.passes.decision_pass import (
    MARK_COST,
    MARK_FREQUENCY,
    MARK_LEVEL,
    MARK_POSTERIOR,
)
from core.decisions.priors import spoiled
from core.decisions.problem import Consequences
from core.kernels import CHUNK_ROWS, own_kernel, parallel_kernel, prange, row_fold
from payoff.types import CodeArray, FloatArray, IntArray

NO_CODE = 65_535
"""Code of a case that is left out."""

LEVEL, DECISION, REST, FOLD = range(4)
"""Columns of ``parts``: what a code says."""

ShortArray = NDArray[np.uint16]


@parallel_kernel
def write_folds(seed: int, folds: ByteArray) -> None:
    """Fold 0 or 1 of every row."""
    for row in prange(folds.shape[0]):
        folds[row] = np.uint8(row_fold(seed, row))


@parallel_kernel
def scale_rows(values: FloatArray, factor: float, scaled: FloatArray) -> None:
    """Write the values times a factor, in all threads: new pages cost most of it."""
    for row in prange(values.shape[0]):
        scaled[row] = factor * values[row]


@parallel_kernel
def write_folds_at(seed: int, rows: IntArray, folds: ByteArray) -> None:
    """Fold 0 or 1 of rows by their numbers, (n,), from 0."""
    for place in prange(folds.shape[0]):
        folds[place] = np.uint8(row_fold(seed, rows[place]))


@parallel_kernel
def mark_posteriors(posteriors: FloatArray, ratio: FloatArray, marks: ByteArray) -> None:
    """Add MARK_POSTERIOR where a case's posteriors are bad."""
    levels, n = posteriors.shape
    has_ratio = ratio.shape[0] > 0
    for row in prange(n):
        has_any = False
        is_bad = False
        for level in range(levels):
            probability = posteriors[level, row]
            is_bad = is_bad or spoiled(probability, ratio[level] if has_ratio else 1.0)
            has_any = has_any or probability > 0.0
        if is_bad or not has_any:
            marks[row] |= np.uint8(MARK_POSTERIOR)


@parallel_kernel
def mark_rows(
    outcome: CodeArray, frequency: FloatArray, costs: FloatArray, marks: ByteArray
) -> None:
    """Add the marks of an unknown class, a missing cost, a frequency that does not count."""
    for row in prange(marks.shape[0]):
        mark = 0
        if outcome.shape[0] and outcome[row] < 0:
            mark |= MARK_LEVEL
        if frequency.shape[0] and not 0.0 < frequency[row] < np.inf:
            mark |= MARK_FREQUENCY
        for place in range(costs.shape[0]):
            if not np.isfinite(costs[place, row]):
                mark |= MARK_COST
        if mark:
            marks[row] |= np.uint8(mark)


@own_kernel
def add_totals(
    marks: ByteArray,
    outcome: CodeArray,
    frequency: FloatArray,
    decision: ByteArray,
    realised: FloatArray,
    best: FloatArray,
    spent: FloatArray,
    sums: FloatArray,
    by_decision: FloatArray,
) -> None:
    """Add up what every case brought, in the order of rows, so that the sums keep their digits.

    Parameters
    ----------
    marks, outcome, decision : array (n,)
        Cases with a mark are left out.
    frequency : array (n,) or (0,)
    realised, best : array (n,)
        What a case brought, and would have with foresight.
    spent : array (n,) or (0,)
        What was spent on it.
    sums : array (levels, 4)
        Brought, its square, with foresight, spent; all weighted by frequency. Added to.
    by_decision : array (levels, decisions)
        What decisions brought; where there is none, it stands with the first. Added to.
    """
    width = by_decision.shape[1]
    for row in range(marks.shape[0]):
        if marks[row]:
            continue
        level = outcome[row]
        weight = frequency[row] if frequency.shape[0] else 1.0
        weighted = weight * realised[row]
        sums[level, 0] += weighted
        sums[level, 1] += weighted * realised[row]
        sums[level, 2] += weight * best[row]
        if spent.shape[0] and weight > 0.0:
            sums[level, 3] += weight * spent[row]
        chosen = decision[row]
        by_decision[level, chosen if chosen < width else 0] += weighted


@own_kernel
def _write_codes(
    mass: FloatArray,
    outcome: CodeArray,
    folds: ByteArray,
    decisions: int,
    chosen: FloatArray,
    rest: FloatArray,
    rest_value: FloatArray,
    act_value: FloatArray,
    code: ShortArray,
    advantage: FloatArray,
) -> None:
    """Codes and advantages of a block; loops without a branch."""
    width, other_width = np.int32(decisions), np.int32(decisions + 1)
    for i in range(code.shape[0]):
        place = outcome[i] * width + np.int32(chosen[i])
        place = (place * other_width + np.int32(rest[i])) * np.int32(2) + np.int32(folds[i])
        code[i] = np.uint16(place if mass[i] > 0.0 else np.int32(NO_CODE))
    for i in range(advantage.shape[0]):
        edge = act_value[i] - rest_value[i]
        advantage[i] = edge if mass[i] > 0.0 else np.nan


@own_kernel
def _add_expected(
    code: ShortArray,
    outcome: CodeArray,
    frequency: FloatArray,
    own: FloatArray,
    rest: FloatArray,
    tally: FloatArray,
) -> None:
    """Expected consequences by class, (4, levels, 2); four tables, so that additions overlap."""
    has_frequency = frequency.shape[0] > 0
    for i in range(code.shape[0]):
        if code[i] == NO_CODE:
            continue
        weight = frequency[i] if has_frequency else 1.0
        into = tally[np.uint64(i & 3), np.uint32(outcome[i])]
        into[0] += weight * own[i]
        into[1] += weight * rest[i]


@parallel_kernel
def rate_rows(
    posteriors: FloatArray,
    ratio: FloatArray,
    given: Consequences,
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
    """Code, advantage of acting and expected consequence of every case.

    ``marks`` and ``expected`` may be empty. ``sums`` (chunks, levels, 2) gets the expected
    consequence of the own decision and of the rest decision.
    """
    levels, n = posteriors.shape
    decisions = given.gain.shape[1] - 1
    for chunk in prange((n + CHUNK_ROWS - 1) // CHUNK_ROWS):
        probability = np.empty((levels, BLOCK))
        mass = np.empty(BLOCK)
        own, rest, act = new_scratch(), new_scratch(), np.empty(BLOCK)
        tally = np.zeros((4, levels, 2))
        for start in range(chunk * CHUNK_ROWS, min(n, (chunk + 1) * CHUNK_ROWS), BLOCK):
            width = min(n, start + BLOCK) - start
            table, origin = load_probabilities(posteriors, ratio, start, width, probability, mass)
            a = decide_block(table, origin, given, start, width, -1, mass, own)
            b = decide_block(
                table,
                origin,
                given,
                start,
                width,
                acting,
                mass,
                rest,
            )
            expect_block(table, origin, given, acting, start, width, mass, own[8], act)
            if marks.shape[0] > 0:
                for i in range(width):
                    mass[i] = mass[i] if marks[start + i] == 0 else 0.0
            stop = start + width
            _write_codes(
                mass,
                outcome[start:stop],
                folds[start:stop],
                decisions,
                own[a + 1],
                rest[b + 1],
                rest[b],
                act,
                code[start:stop],
                advantage[start:stop],
            )
            _add_expected(
                code[start:stop],
                outcome[start:stop],
                frequency[start:stop],
                own[a],
                rest[b],
                tally,
            )
            if expected.shape[0]:
                expected[start:stop] = own[a, :width]
        sums[chunk] = tally[0] + tally[1] + tally[2] + tally[3]


@parallel_kernel
def count_codes(code: ShortArray, frequency: FloatArray, rows: IntArray, cases: FloatArray) -> None:
    """Rows and cases by code; ``rows`` and ``cases`` are (chunks, codes), zero before."""
    n = code.shape[0]
    has_frequency = frequency.shape[0] > 0
    for chunk in prange(rows.shape[0]):
        for row in range(chunk * CHUNK_ROWS, min(n, (chunk + 1) * CHUNK_ROWS)):
            place = code[row]
            if place == NO_CODE:
                continue
            rows[chunk, place] += 1
            if has_frequency:
                cases[chunk, place] += frequency[row]


@parallel_kernel
def sum_costs_by_code(
    code: ShortArray, frequency: FloatArray, costs: FloatArray, sums: FloatArray
) -> None:
    """Cost and squared cost of one column by code; ``sums`` (chunks, codes, 2), zero before."""
    n = code.shape[0]
    has_frequency = frequency.shape[0] > 0
    for chunk in prange(sums.shape[0]):
        for row in range(chunk * CHUNK_ROWS, min(n, (chunk + 1) * CHUNK_ROWS)):
            if code[row] == NO_CODE:
                continue
            spent = costs[0, row]
            weighted = spent * frequency[row] if has_frequency else spent
            into = sums[chunk, np.int64(code[row])]
            into[0] += weighted
            into[1] += weighted * spent


@parallel_kernel
def sum_best(
    code: ShortArray,
    outcome: CodeArray,
    frequency: FloatArray,
    given: Consequences,
    sums: FloatArray,
) -> None:
    """What the best decisions of all counted cases bring; ``sums`` (chunks, levels), zero before.

    ``code`` of any model: it says which cases count.
    """
    gain, cost_row, rate, costs = given.gain, given.cost_row, given.rate, given.costs
    n = code.shape[0]
    has_frequency = frequency.shape[0] > 0
    for chunk in prange(sums.shape[0]):
        for row in range(chunk * CHUNK_ROWS, min(n, (chunk + 1) * CHUNK_ROWS)):
            if code[row] == NO_CODE:
                continue
            level = np.int64(outcome[row])
            weight = frequency[row] if has_frequency else 1.0
            sums[chunk, level] += weight * best_consequence(gain, cost_row, rate, costs, level, row)


@parallel_kernel
def table_rows(
    code: ShortArray,
    frequency: FloatArray,
    parts: ByteArray,
    given: Consequences,
    tables: FloatArray,
) -> None:
    """Sums by class and decision where costs differ by case.

    ``tables`` is (chunks, levels, decisions, 5): C, C * C, rest, rest * rest, cost, in the column
    of the own decision.
    """
    gain, cost_row, rate, costs = given.gain, given.cost_row, given.rate, given.costs
    constant_cost = given.constant_cost
    n = code.shape[0]
    has_frequency = frequency.shape[0] > 0
    for chunk in prange(tables.shape[0]):
        sums = tables[chunk]
        lanes = np.empty(5)
        for row in range(chunk * CHUNK_ROWS, min(n, (chunk + 1) * CHUNK_ROWS)):
            if code[row] == NO_CODE:
                continue
            level = np.int64(parts[code[row], LEVEL])
            decision = np.int64(parts[code[row], DECISION])
            rest = np.int64(parts[code[row], REST])
            weight = frequency[row] if has_frequency else 1.0
            own = consequence(gain, cost_row, rate, costs, level, decision, row)
            other = consequence(gain, cost_row, rate, costs, level, rest, row)
            cost = constant_cost[decision]
            if cost_row[decision] >= 0:
                cost = costs[cost_row[decision], row]
            lanes[0] = weight * own
            lanes[1] = weight * own * own
            lanes[2] = weight * other
            lanes[3] = weight * other * other
            lanes[4] = weight * cost
            into = sums[level, decision]
            for lane in range(5):
                into[lane] += lanes[lane]


@parallel_kernel
def probability_sums(
    posteriors: FloatArray,
    ratio: FloatArray,
    outcome: CodeArray,
    frequency: FloatArray,
    marks: ByteArray,
    sums: FloatArray,
    bins: FloatArray,
) -> None:
    """Sums of chances by class, before and after correction, and calibration bins of the event.

    ``sums`` is (chunks, levels of the outcome, levels, 2); ``bins`` (chunks, bins, levels, 2) gets
    cases and the sum of the event's corrected chance. All zero before.
    """
    levels, n = posteriors.shape
    width = bins.shape[1]
    for chunk in prange(sums.shape[0]):
        for row in range(chunk * CHUNK_ROWS, min(n, (chunk + 1) * CHUNK_ROWS)):
            if marks.shape[0] and marks[row] != 0:
                continue
            weight = frequency[row] if frequency.shape[0] else 1.0
            total = 1.0
            if ratio.shape[0]:
                total = 0.0
                for level in range(levels):
                    total += posteriors[level, row] * max(ratio[level], 0.0)
                total = total if total > 0.0 else 1.0
            into = sums[chunk, outcome[row]]
            event = 0.0
            for level in range(levels):
                probability = posteriors[level, row]
                after = probability
                if ratio.shape[0]:
                    after = probability * max(ratio[level], 0.0) / total
                into[level, 0] += weight * probability
                into[level, 1] += weight * after
                if level == 0:
                    event = after
            place = min(np.int64(event * width), width - 1)
            bins[chunk, place, outcome[row], 0] += weight
            bins[chunk, place, outcome[row], 1] += weight * event
