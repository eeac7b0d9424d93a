"""Kernels over the rows of one metric: each chunk's terms are settled and added up while cached."""

from __future__ import annotations

import numpy as np

from core.kernels import CHUNK_ROWS, own_kernel, run_chunks
from payoff.types import AnyArray, CodeArray, FloatArray, IntArray

MOMENTS = 9
UNFILLED, NOT_FINITE, FIRST, NOT_ONE, NOT_SHARE = range(5)
MARKS = 5


@own_kernel
def settle_rows(numerator: FloatArray, divisor: FloatArray, marks: IntArray) -> None:
    """Multiply contributions by their factors in place, and mark what is to be known of them.

    Parameters
    ----------
    numerator : (means, m) float64
        Contributions; 0 where the factor is 0, whatever stood there.
    divisor : (means, m) float64
        Factors.
    marks : (5,) int64, filled
        Factors that are NaN; rows that are not finite, and the first of them (m: none); factors
        other than 1; values other than 0 and 1 in either array.
    """
    means, rows = numerator.shape
    unfilled = 0
    not_one = 0
    not_share = 0
    bad_rows = 0
    first = rows
    for mean in range(means):
        above, below = numerator[mean], divisor[mean]
        for row in range(rows):
            factor = below[row]
            value = above[row] * factor
            if factor == 0.0:
                value = 0.0
            above[row] = value
            unfilled += np.isnan(factor)
            not_one += factor != 1.0
            # Only 0 and 1 give 0; infinity gives NaN.
            not_share += factor * (1.0 - factor) != 0.0 or value * (1.0 - value) != 0.0
            bad_rows += not np.isfinite(value)
    if bad_rows:
        bad_rows = 0
        for row in range(rows):
            is_bad = False
            for mean in range(means):
                is_bad = is_bad or not np.isfinite(numerator[mean, row])
            if is_bad:
                bad_rows += 1
                first = min(first, row)
    marks[UNFILLED] = unfilled
    marks[NOT_FINITE] = bad_rows
    marks[FIRST] = first
    marks[NOT_ONE] = not_one
    marks[NOT_SHARE] = not_share


@own_kernel
def add_sums(
    numerator: FloatArray,
    divisor: FloatArray,
    weight: FloatArray,
    strata: AnyArray,
    out: FloatArray,
) -> None:
    """Add weighted numerators and divisors by stratum, (means, strata, 2).

    ``weight`` (m,) or (0,): empty = 1 each. ``strata`` (m,) or (0,): empty = one.
    """
    means, rows = numerator.shape
    weighted = weight.shape[0] > 0
    split = strata.shape[0] > 0
    for mean in range(means):
        above, below = numerator[mean], divisor[mean]
        if split:
            for row in range(rows):
                times = weight[row] if weighted else 1.0
                total = out[mean, strata[row]]
                total[0] += times * above[row]
                total[1] += times * below[row]
            continue
        first = 0.0
        second = 0.0
        for row in range(rows):
            times = weight[row] if weighted else 1.0
            first += times * above[row]
            second += times * below[row]
        out[mean, 0, 0] += first
        out[mean, 0, 1] += second


@own_kernel
def add_moments(
    numerator: FloatArray,
    divisor: FloatArray,
    weight: FloatArray,
    strata: AnyArray,
    shift: float,
    out: FloatArray,
) -> None:
    """Add what a ratio of two sums and its variance need, by stratum, (strata, 9).

    With e = numerator - shift * divisor, so that nothing large cancels: the sums of w e, w d,
    w2 e2, w2 e d, w2 d2, w2 e, w2 d and w2 (these three for several strata only), and of w times
    the numerator. ``weight`` and ``strata`` as in ``add_sums``.
    """
    rows = numerator.shape[0]
    weighted = weight.shape[0] > 0
    if strata.shape[0] > 0:
        for row in range(rows):
            times = weight[row] if weighted else 1.0
            d = times * divisor[row]
            n = times * numerator[row]
            e = n - shift * d
            total = out[strata[row]]
            total[0] += e
            total[1] += d
            total[2] += e * e
            total[3] += e * d
            total[4] += d * d
            total[5] += times * e
            total[6] += times * d
            total[7] += times * times
            total[8] += n
        return
    a, b, c, f, g, h = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for row in range(rows):
        times = weight[row] if weighted else 1.0
        d = times * divisor[row]
        n = times * numerator[row]
        e = n - shift * d
        h += n
        a += e
        b += d
        c += e * e
        f += e * d
        g += d * d
    total = out[0]
    total[0] += a
    total[1] += b
    total[2] += c
    total[3] += f
    total[4] += g
    total[8] += h


@own_kernel
def add_plain_sums(numerator: FloatArray, out: FloatArray) -> None:
    """As ``add_sums`` where every weight and divisor is 1, (means, 1, 2)."""
    means, rows = numerator.shape
    fours = rows - rows % 4
    for mean in range(means):
        above = numerator[mean]
        total = 0.0
        # Four rows at a time: the sum waits for one addition, not for four.
        for row in range(0, fours, 4):
            total += (above[row] + above[row + 1]) + (above[row + 2] + above[row + 3])
        for row in range(fours, rows):
            total += above[row]
        out[mean, 0, 0] += total
        out[mean, 0, 1] += rows


@own_kernel
def add_plain_moments(numerator: FloatArray, shift: float, out: FloatArray) -> None:
    """As ``add_moments`` where every weight and divisor is 1, (9,)."""
    rows = numerator.shape[0]
    fours = rows - rows % 4
    total, gap, squares = 0.0, 0.0, 0.0
    for row in range(0, fours, 4):
        n, o, p, q = numerator[row], numerator[row + 1], numerator[row + 2], numerator[row + 3]
        total += (n + o) + (p + q)
        n, o, p, q = n - shift, o - shift, p - shift, q - shift
        gap += (n + o) + (p + q)
        squares += (n * n + o * o) + (p * p + q * q)
    for row in range(fours, rows):
        n = numerator[row]
        total += n
        gap += n - shift
        squares += (n - shift) * (n - shift)
    out[0] += gap
    out[1] += rows
    out[2] += squares
    out[3] += gap
    out[4] += rows
    out[8] += total


@own_kernel
def _count_chunk(codes: CodeArray, counts: IntArray, start: int, stop: int) -> None:
    out = counts[start // CHUNK_ROWS]
    for row in range(start, stop):
        out[codes[row]] += 1


def class_counts(codes: CodeArray, classes: int) -> IntArray:
    """Rows of each class, (classes,), of codes 0 upward."""
    counts = np.zeros((-(-len(codes) // CHUNK_ROWS), classes), dtype=np.int64)
    run_chunks(_count_chunk, (np.ascontiguousarray(codes, dtype=np.int32), counts), len(codes))
    return np.asarray(counts.sum(axis=0), dtype=np.int64)
