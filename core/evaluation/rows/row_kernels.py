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
def _inspect(numerator: FloatArray, divisor: FloatArray) -> tuple[int, int]:
    """Count, of (m,) each, terms that are not finite or have a factor other than 1; and
    contributions other than 0 and 1.
    """
    odd = 0
    not_share = 0
    for row in range(numerator.shape[0]):
        value = numerator[row]
        odd += (divisor[row] != 1.0) | (value - value != 0.0)  # infinity less itself is NaN
        not_share += value * (1.0 - value) != 0.0
    return odd, not_share


@own_kernel
def _plain_sum(numerator: FloatArray) -> float:
    """The sum; four running sums, so that no addition waits for the one before it."""
    rows = numerator.shape[0]
    fours = rows - rows % 4
    a, b, c, d = 0.0, 0.0, 0.0, 0.0
    for row in range(0, fours, 4):
        a += numerator[row]
        b += numerator[row + 1]
        c += numerator[row + 2]
        d += numerator[row + 3]
    total = (a + b) + (c + d)
    for row in range(fours, rows):
        total += numerator[row]
    return total


@own_kernel
def _plain_moments(numerator: FloatArray, shift: float) -> tuple[float, float]:
    """Sums of the terms less ``shift``, and of their squares."""
    rows = numerator.shape[0]
    fours = rows - rows % 4
    a, b, c, d = 0.0, 0.0, 0.0, 0.0
    e, f, g, h = 0.0, 0.0, 0.0, 0.0
    for row in range(0, fours, 4):
        n, o = numerator[row] - shift, numerator[row + 1] - shift
        p, q = numerator[row + 2] - shift, numerator[row + 3] - shift
        a += n
        b += o
        c += p
        d += q
        e += n * n
        f += o * o
        g += p * p
        h += q * q
    gap, squares = (a + b) + (c + d), (e + f) + (g + h)
    for row in range(fours, rows):
        n = numerator[row] - shift
        gap += n
        squares += n * n
    return gap, squares


@own_kernel
def _add_plain_moments(
    numerator: FloatArray, is_share: bool, shift: float, out: FloatArray
) -> None:
    """As ``add_moments`` where every weight and divisor is 1, (9,); counts of shares are exact."""
    rows = numerator.shape[0]
    gap, squares = _plain_moments(numerator, shift)
    out[0] += gap
    out[1] += rows
    out[2] += squares
    out[3] += gap
    out[4] += rows
    out[8] += _plain_sum(numerator) if is_share else gap + rows * shift


@own_kernel
def add_strip(
    numerator: FloatArray,
    divisor: FloatArray,
    weight: FloatArray,
    strata: AnyArray,
    shift: float,
    place: int,
    sums: FloatArray,
    moments: FloatArray,
    marks: IntArray,
    worst: FloatArray,
) -> None:
    """Add up one strip of terms as a plugin filled them, and clear them for the next strip.

    Nothing is added from a strip with a row that is not finite.

    Parameters
    ----------
    numerator, divisor : (means, m) float64
        Contributions and factors; NaN afterwards.
    weight, strata : (m,) or (0,)
        As in ``add_sums``.
    shift : float
        Of the moments.
    place : int
        Where the strip begins within its chunk.
    sums : (means, strata, 2) float64
        As ``add_sums`` fills them; left alone where ``moments`` are wanted.
    moments : (strata, 9) or (0, 9) float64
        As ``add_moments`` fills them, of the first mean; (0, 9): sums are wanted.
    marks : (5,) int64
        Of the chunk so far, as ``settle_rows`` fills them for a strip.
    worst : (1,) float64
        Sum of the terms of the first row that is not finite.
    """
    means, rows = numerator.shape
    is_plain = weight.shape[0] == 0 and strata.shape[0] == 0
    not_share = 0
    for mean in range(means):
        if is_plain:
            odd, wide = _inspect(numerator[mean], divisor[mean])
            is_plain = odd == 0
            not_share += wide
    if is_plain:
        marks[NOT_SHARE] += not_share
        if moments.shape[0] > 0:
            _add_plain_moments(numerator[0], not_share == 0, shift, moments[0])
        for mean in range(means if moments.shape[0] == 0 else 0):
            sums[mean, 0, 0] += _plain_sum(numerator[mean])
            sums[mean, 0, 1] += rows
    else:
        found = np.empty(MARKS, dtype=np.int64)
        settle_rows(numerator, divisor, found)
        if found[NOT_FINITE] > 0 and marks[NOT_FINITE] == 0:
            marks[FIRST] = place + found[FIRST]
            worst[0] = np.sum(numerator[:, found[FIRST]])
        for kind in (UNFILLED, NOT_FINITE, NOT_ONE, NOT_SHARE):
            marks[kind] += found[kind]
        if found[NOT_FINITE] == 0 and moments.shape[0] > 0:
            add_moments(numerator[0], divisor[0], weight, strata, shift, moments)
        elif found[NOT_FINITE] == 0:
            add_sums(numerator, divisor, weight, strata, sums)
    numerator[:] = np.nan
    divisor[:] = np.nan


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
