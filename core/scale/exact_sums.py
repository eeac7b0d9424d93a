"""Sums of doubles without rounding: the same digits in whatever order and grouping they are added.

An accumulator has 67 windows of 64 bits: window k counts whole multiples of 2^(32 k). A strip of
terms is cut, from its largest exponent down, into nearest multiples of each window's unit, whose
sum is a sum of integers. Merging two accumulators adds 67 integers. The value is the double nearest
to the exact rational number.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from core.kernels import own_kernel
from payoff.types import FloatArray, IntArray

WINDOWS = 67
WIDTH = 32  # bits of a window
_DIGIT = (1 << WIDTH) - 1
LOWEST = -34  # the number of the first window: 2^-1088 is below every subnormal
_DENOMINATOR = 1 << (-LOWEST * WIDTH)
STRIP = 2_048
_CARRY_STRIPS = 1 << 18  # a window holds so many strips: 2^18 of 2^11 terms below 2^32
_OUTSIDE = (1023 + 960, 1023 - 900)  # biased exponents beyond which terms are added one by one
_SMALLEST_WINDOW = -900  # below, what is left of terms is added one by one
_MANTISSA = 0xFFFFFFFFFFFFF
_MAGNITUDE = 0x7FFFFFFFFFFFFFFF

SumArray = NDArray[np.int64]


def new_sums(*shape: int) -> SumArray:
    """Accumulators of 0, (*shape, 67)."""
    return np.zeros((*shape, WINDOWS), dtype=np.int64)


@own_kernel
def _carry(out: SumArray) -> None:
    """Move what is beyond 32 bits of each window to the next one; the value stays."""
    for window in range(WINDOWS - 1):
        high = out[window] >> WIDTH
        out[window] -= high << WIDTH
        out[window + 1] += high


@own_kernel
def _add_one(bits: np.int64, out: SumArray) -> None:
    """Add a finite double, given by its bits, digit by digit."""
    exponent = (bits >> 52) & 2047
    mantissa = bits & _MANTISSA
    if exponent > 0:
        mantissa |= 1 << 52
    place = int(max(exponent, np.int64(1))) - 1075 - LOWEST * WIDTH
    window, shift = place >> 5, place & 31
    low = (mantissa & 0xFFFFFFFF) << shift
    high = (mantissa >> 32) << shift
    sign = -1 if bits < 0 else 1
    out[window] += sign * (low & 0xFFFFFFFF)
    out[window + 1] += sign * ((low >> 32) + (high & 0xFFFFFFFF))
    out[window + 2] += sign * (high >> 32)


@own_kernel
def _take_window(rest: FloatArray, size: int, window: int, cut: FloatArray) -> int:
    """Take from each term its nearest multiple of 2^(32 window), return their sum in units."""
    magic = 1.5 * 2.0 ** (52 + WIDTH * window)
    cut[STRIP] = magic
    for place in range(size):
        moved = rest[place] + magic
        cut[place] = moved
        rest[place] -= moved - magic
    bits = cut.view(np.int64)
    zero = bits[STRIP]
    total = 0
    for place in range(size):
        total += bits[place] - zero
    return total


@own_kernel
def _largest(bits: SumArray) -> np.int64:
    """The bits of the largest magnitude of some doubles."""
    largest = np.int64(0)
    for place in range(bits.shape[0]):
        largest = max(largest, bits[place] & _MAGNITUDE)
    return largest


@own_kernel
def _add_each(bits: SumArray, out: SumArray) -> None:
    """Add finite doubles, given by their bits, one by one."""
    for place in range(bits.shape[0]):
        _add_one(bits[place], out)


@own_kernel
def _count_not_finite(bits: SumArray) -> int:
    bad = 0
    for place in range(bits.shape[0]):
        bad += ((bits[place] & _MAGNITUDE) >> 52) == 2047
    return bad


@own_kernel
def _add_strip(terms: FloatArray, rest: FloatArray, cut: FloatArray, out: SumArray) -> int:
    """Add at most ``STRIP`` terms; how many of them are infinite or NaN (nothing is added then)."""
    size = terms.shape[0]
    bits = terms.view(np.int64)
    largest = _largest(bits)
    exponent = largest >> 52
    if largest == 0:
        return 0
    if exponent == 2047:
        return _count_not_finite(bits)
    if exponent > _OUTSIDE[0] or exponent < _OUTSIDE[1]:
        _add_each(bits, out)
        return 0
    for place in range(size):
        rest[place] = terms[place]
    left = rest[:size].view(np.int64)
    window = int((exponent - 1022) // WIDTH)  # every term is below 2^(32 (window + 1))
    while largest != 0:
        if WIDTH * window < _SMALLEST_WINDOW:
            _add_each(left, out)
            return 0
        out[window - LOWEST] += _take_window(rest, size, window, cut)
        largest = _largest(left)
        window -= 1
    return 0


@own_kernel
def add_terms(terms: FloatArray, out: SumArray) -> int:
    """Add terms (n,) to an accumulator (67,), exactly.

    Returns
    -------
    int
        Terms that are infinite or NaN; the strips they lie in are not added.
    """
    rest, cut = np.empty(STRIP), np.empty(STRIP + 1)
    bad = 0
    strips = 0
    for start in range(0, terms.shape[0], STRIP):
        stop = min(start + STRIP, terms.shape[0])
        bad += _add_strip(terms[start:stop], rest, cut, out)
        strips += 1
        if strips == _CARRY_STRIPS:
            _carry(out)
            strips = 0
    _carry(out)
    return bad


@own_kernel
def add_products(first: FloatArray, second: FloatArray, out: SumArray) -> int:
    """Add the products of two columns (n,) to an accumulator (67,), exactly.

    A product is added as its rounded value and the error of that (Dekker 1971), both exact while
    the factors lie between 1e-130 and 1e150 in size. Smaller factors count as 0.

    Returns
    -------
    int
        Products of a factor beyond 1e150, infinite or NaN: the strips they lie in are not added.
    """
    rest, cut = np.empty(STRIP), np.empty(STRIP + 1)
    product, error = np.empty(STRIP), np.empty(STRIP)
    bad = 0
    strips = 0
    for start in range(0, first.shape[0], STRIP):
        size = min(STRIP, first.shape[0] - start)
        wrong = 0
        for place in range(size):
            a, b = first[start + place], second[start + place]
            if abs(a) < 1e-130:
                a = 0.0
            if abs(b) < 1e-130:
                b = 0.0
            p = a * b
            big = 134217729.0 * a
            a_high = big - (big - a)
            a_low = a - a_high
            big = 134217729.0 * b
            b_high = big - (big - b)
            b_low = b - b_high
            product[place] = p
            error[place] = ((a_high * b_high - p) + a_high * b_low + a_low * b_high) + a_low * b_low
            wrong += not (abs(a) < 1e150 and abs(b) < 1e150)
        bad += wrong
        if wrong == 0:
            _add_strip(product[:size], rest, cut, out)
            _add_strip(error[:size], rest, cut, out)
        strips += 2
        if strips >= _CARRY_STRIPS:
            _carry(out)
            strips = 0
    _carry(out)
    return bad


@own_kernel
def add_scattered(terms: FloatArray, places: IntArray, out: SumArray) -> None:
    """Add finite terms (n,) to accumulators (k, 67), each to that of its place, exactly."""
    bits = terms.view(np.int64)
    for row in range(terms.shape[0]):
        _add_one(bits[row], out[places[row]])
    for place in range(out.shape[0]):
        _carry(out[place])


@own_kernel
def _carry_rows(sums: SumArray) -> None:
    for row in range(sums.shape[0]):
        _carry(sums[row])


def merge_sums(first: SumArray, second: SumArray) -> SumArray:
    """The accumulators (..., 67) of both together; any order and grouping gives one value."""
    merged = first + second
    _carry_rows(merged.reshape(-1, WINDOWS))
    return merged


def add_count(count: int, out: SumArray) -> None:
    """Add a whole number to an accumulator (67,)."""
    out[-LOWEST] += count
    _carry(out)


def exact_value(sums: SumArray) -> Fraction:
    """The sum that an accumulator (67,) holds, without rounding."""
    return Fraction(_numerator(sums), _DENOMINATOR)


def rounded_value(sums: SumArray) -> float:
    """The double nearest to what an accumulator (67,) holds; infinite beyond the largest."""
    return _quotient(_numerator(sums), _DENOMINATOR)


def rounded_values(sums: SumArray) -> FloatArray:
    """The doubles (...,) nearest to what accumulators (..., 67) hold."""
    rows = sums.reshape(-1, WINDOWS)
    return np.array([rounded_value(row) for row in rows]).reshape(sums.shape[:-1])


def _numerator(sums: SumArray) -> int:
    """The whole number that windows (67,) are digits of, whether they have been carried or not."""
    digits = (sums & _DIGIT).astype("<u4").tobytes()
    carried: list[int] = (sums >> WIDTH).tolist()
    above = (count << (WIDTH * place) for place, count in enumerate(carried, 1) if count)
    found: int = int.from_bytes(digits, "little") + sum(above)
    return found


def nearest_double(value: Fraction) -> float:
    """The double nearest to a rational number, ties to even; infinite beyond the largest."""
    return _quotient(value.numerator, value.denominator)


def _quotient(numerator: int, denominator: int) -> float:
    """Rounded once, as Python divides whole numbers."""
    try:
        return numerator / denominator
    except OverflowError:
        return float("inf") if numerator > 0 else float("-inf")


__all__ = [
    "WINDOWS",
    "SumArray",
    "add_count",
    "add_products",
    "add_scattered",
    "add_terms",
    "exact_value",
    "merge_sums",
    "nearest_double",
    "new_sums",
    "rounded_value",
    "rounded_values",
]
