"""Sorting scores, best first: a parallel radix sort that carries row numbers inside its keys.

A float64 becomes 64 order-preserving bits. The leading ones of them, 40 at most, and the row number
in the low ``b`` bits (b = bits of n - 1) share one uint64, sorted by 8-bit digits, least
significant first. Rows whose leading bits are equal are then put right by their true scores; where
long runs of nearly equal scores make that slow, a second pair of sorts over all bits replaces it.
The order is unique (score, then row number), so it does not depend on the number of threads.
"""

from __future__ import annotations

import threading

import numpy as np
from numpy.typing import NDArray

from core.kernels.compiling import own_kernel, parallel_kernel, prange
from core.kernels.prefetching import prefetch
from core.kernels.thread_control import threads
from payoff.errors import PayoffError
from payoff.types import FloatArray, IntArray, OrderArray

_DIGITS = 256
_LONG_RUN = 64
_AHEAD = 32
_SERIAL_ROWS = 16_384
_LEADING = 40
"""Leading bits that are sorted by digits: sign, exponent and 28 bits of the fraction leave few
rows to be put right one by one, and a pass over all rows is saved for every 8 bits less."""
_SIGN = np.uint64(0x8000000000000000)
_LAST = np.uint64(0xFFFFFFFFFFFFFFFF)
_SIGN_32 = np.uint32(0x80000000)
_LAST_32 = np.uint32(0xFFFFFFFF)

KeyArray = NDArray[np.uint64]
Scores = NDArray[np.float64] | NDArray[np.float32]


class SortBuffers:
    """Two reusable key buffers: the first touch of new memory costs more than the sort.

    Not for two threads at once; ``argsort_descending`` guards its own shared pair.
    """

    def __init__(self) -> None:
        self._keys = np.empty(0, dtype=np.uint64)
        self._other = np.empty(0, dtype=np.uint64)
        self.lock = threading.Lock()

    def take(self, rows: int) -> tuple[KeyArray, KeyArray]:
        """Two uint64 arrays of ``rows``, contents undefined."""
        if self._keys.shape[0] < rows:
            self._keys = np.empty(rows, dtype=np.uint64)
            self._other = np.empty(rows, dtype=np.uint64)
        return self._keys[:rows], self._other[:rows]

    def release(self) -> None:
        """Give the memory back."""
        with self.lock:
            self._keys = np.empty(0, dtype=np.uint64)
            self._other = np.empty(0, dtype=np.uint64)

    @property
    def nbytes(self) -> int:
        """Bytes held."""
        return self._keys.nbytes + self._other.nbytes


_shared_buffers = SortBuffers()


@own_kernel(inline=True)
def _descending_bits(bits: np.uint64) -> np.uint64:
    """Bits that ascend as the float64 descends; -0.0 as 0.0, every NaN last."""
    magnitude = bits & ~_SIGN
    if magnitude > np.uint64(0x7FF0000000000000):
        return _LAST
    if magnitude == np.uint64(0):
        return ~_SIGN
    return bits if bits & _SIGN else ~(bits | _SIGN)


@own_kernel(inline=True)
def _descending_bits_32(bits: np.uint32) -> np.uint32:
    """The same for float32."""
    magnitude = np.uint32(bits & ~_SIGN_32)
    if magnitude > np.uint32(0x7F800000):
        return _LAST_32
    if magnitude == np.uint32(0):
        return np.uint32(~_SIGN_32)
    return bits if bits & _SIGN_32 else np.uint32(~(bits | _SIGN_32))


@own_kernel
def fill_descending_keys(scores: FloatArray, keys: KeyArray) -> None:
    """Fill keys (n,) that ascend as the scores (n,) descend; equal keys are equal scores."""
    bits = scores.view(np.uint64)
    for row in range(bits.shape[0]):
        keys[row] = _descending_bits(bits[row])


def scores_of_keys(keys: KeyArray) -> FloatArray:
    """The scores (n,) whose descending keys these are; every NaN key gives NaN."""
    bits = np.where(keys & _SIGN, keys, ~keys & ~_SIGN)
    return np.asarray(np.where(keys == _LAST, np.uint64(0x7FF8000000000000), bits)).view(np.float64)


@parallel_kernel
def _pack_leading(bits: KeyArray, keys: KeyArray, row_bits: int, dropped: int) -> None:
    """Leading bits of the score, without the ``dropped`` last ones, above the row number."""
    low, less = np.uint64(row_bits), np.uint64(dropped)
    for row in prange(bits.shape[0]):
        keys[row] = ((_descending_bits(bits[row]) >> less) << low) | np.uint64(row)


@parallel_kernel
def _pack_trailing(bits: KeyArray, keys: KeyArray, row_bits: int, dropped: int) -> None:
    """The ``dropped`` last bits of the score above the row number."""
    low = np.uint64(row_bits)
    mask = (np.uint64(1) << np.uint64(dropped)) - np.uint64(1)
    for row in prange(bits.shape[0]):
        keys[row] = ((_descending_bits(bits[row]) & mask) << low) | np.uint64(row)


@parallel_kernel
def _repack_leading(bits: KeyArray, keys: KeyArray, row_bits: int, dropped: int) -> None:
    """Replace keys, in their order, by the leading bits of their rows."""
    low, less = np.uint64(row_bits), np.uint64(dropped)
    mask = (np.uint64(1) << low) - np.uint64(1)
    for position in prange(keys.shape[0]):
        row = keys[position] & mask
        keys[position] = ((_descending_bits(bits[row]) >> less) << low) | row


@parallel_kernel
def _pack_32(bits: NDArray[np.uint32], keys: KeyArray) -> None:
    """All 32 bits of the score above the row number."""
    for row in prange(bits.shape[0]):
        keys[row] = (np.uint64(_descending_bits_32(bits[row])) << np.uint64(32)) | np.uint64(row)


@parallel_kernel
def _sort_digit(keys: KeyArray, out: KeyArray, shift: int, counts: IntArray) -> bool:
    """One stable pass over an 8-bit digit; False (nothing written) where all digits are equal."""
    n = keys.shape[0]
    parts = counts.shape[0]
    bits = np.uint64(shift)
    mask = np.uint64(_DIGITS - 1)
    for part in prange(parts):
        count = counts[part]
        count[:] = 0
        for position in range(n * part // parts, n * (part + 1) // parts):
            count[(keys[position] >> bits) & mask] += 1
    start = 0
    for digit in range(_DIGITS):
        total = 0
        for part in range(parts):
            here = counts[part, digit]
            counts[part, digit] = start
            start += here
            total += here
        if total == n:
            return False
    for part in prange(parts):
        place = counts[part]
        for position in range(n * part // parts, n * (part + 1) // parts):
            key = keys[position]
            digit = (key >> bits) & mask
            out[np.uint64(place[digit])] = key
            place[digit] += 1
    return True


@own_kernel
def _order_run(
    keys: KeyArray, scores: FloatArray, order: OrderArray, start: int, stop: int, mask: np.uint64
) -> bool:
    """Order one run of equal leading bits by score; False if it is long and mixed."""
    first = scores[keys[start] & mask]
    is_mixed = False
    for position in range(start, stop):
        prefetch(scores, np.int64(keys[min(position + _AHEAD, stop - 1)] & mask))
        order[position] = np.uint32(keys[position] & mask)
        # NaN equals no score, but a run with one NaN holds nothing else.
        is_mixed = is_mixed or (scores[order[position]] != first and not np.isnan(first))
    if not is_mixed:
        return True
    if stop - start > _LONG_RUN:
        return False
    for position in range(start + 1, stop):
        row = order[position]
        score = scores[row]
        hole = position - 1
        while hole >= start and scores[order[hole]] < score:
            order[hole + 1] = order[hole]
            hole -= 1
        order[hole + 1] = row
    return True


@parallel_kernel
def _order_runs(
    keys: KeyArray, scores: FloatArray, order: OrderArray, row_bits: int, parts: int
) -> int:
    """Order every run of equal leading bits; the number of runs left in disorder."""
    n = keys.shape[0]
    low = np.uint64(row_bits)
    mask = (np.uint64(1) << low) - np.uint64(1)
    left = 0
    for part in prange(parts):
        start = n * part // parts
        stop = n * (part + 1) // parts
        while 0 < start < stop and keys[start] >> low == keys[start - 1] >> low:
            start += 1
        # A run that begins in this part is ordered here, also where it reaches into the next.
        while start < stop < n and keys[stop] >> low == keys[stop - 1] >> low:
            stop += 1
        position = start
        while position < stop:
            end = position + 1
            while end < stop and keys[end] >> low == keys[position] >> low:
                end += 1
            if end - position == 1:
                order[position] = np.uint32(keys[position] & mask)
            elif not _order_run(keys, scores, order, position, end, mask):
                left += 1
            position = end
    return left


@parallel_kernel
def _unpack(keys: KeyArray, order: OrderArray, row_bits: int) -> None:
    mask = (np.uint64(1) << np.uint64(row_bits)) - np.uint64(1)
    for position in prange(keys.shape[0]):
        order[position] = np.uint32(keys[position] & mask)


def _sort_digits(
    keys: KeyArray, other: KeyArray, first_bit: int, last_bit: int, parts: int
) -> tuple[KeyArray, KeyArray]:
    """Sort by the bits from ``first_bit`` up to ``last_bit``; the sorted buffer comes first."""
    counts = np.empty((parts, _DIGITS), dtype=np.int64)
    for shift in range(first_bit, last_bit, 8):
        if _sort_digit(keys, other, shift, counts):
            keys, other = other, keys
    return keys, other


def _order_float64(
    scores: FloatArray, keys: KeyArray, other: KeyArray, order: OrderArray, parts: int
) -> None:
    row_bits = max(8, int(scores.shape[0] - 1).bit_length())
    dropped = max(row_bits, 64 - _LEADING)
    top = row_bits + 64 - dropped
    bits = scores.view(np.uint64)
    _pack_leading(bits, keys, row_bits, dropped)
    keys, other = _sort_digits(keys, other, row_bits, top, parts)
    if _order_runs(keys, scores, order, row_bits, parts) == 0:
        return
    _pack_trailing(bits, keys, row_bits, dropped)
    keys, other = _sort_digits(keys, other, row_bits, row_bits + dropped, parts)
    _repack_leading(bits, keys, row_bits, dropped)
    keys, other = _sort_digits(keys, other, row_bits, top, parts)
    _unpack(keys, order, row_bits)


def argsort_descending(scores: Scores, *, buffers: SortBuffers | None = None) -> OrderArray:
    """Row numbers by descending score; rows of equal score stay in row order.

    Parameters
    ----------
    scores : array (n,) of float64 or float32
        -0.0 equals 0.0; NaN comes last, in row order. n < 2**32.
    buffers : SortBuffers, optional
        Memory to reuse; left out = a pair shared by all callers.

    Returns
    -------
    array (n,) of uint32

    Raises
    ------
    PayoffError
        If the scores are no vector of floats, or there are 2**32 or more.
    """
    n = int(scores.shape[0])
    if scores.ndim != 1 or scores.dtype not in (np.float64, np.float32):
        raise PayoffError(f"Scores must be one column of floats, not {scores.dtype}.")
    if n >= 2**32:
        raise PayoffError(f"{n:,} rows are too many to sort.", why="The limit is 4,294,967,295.")
    order = np.empty(n, dtype=np.uint32)
    if n == 0:
        return order
    parts = 1 if n < _SERIAL_ROWS else threads()
    store = buffers or _shared_buffers
    with store.lock:
        keys, other = store.take(n)
        if scores.dtype == np.float32:
            _pack_32(np.ascontiguousarray(scores).view(np.uint32), keys)
            keys, other = _sort_digits(keys, other, 32, 64, parts)
            _unpack(keys, order, 32)
        else:
            _order_float64(
                np.ascontiguousarray(scores, dtype=np.float64), keys, other, order, parts
            )
    return order


_WIDE_BITS = 11
_WIDE_MASK = np.uint64((1 << _WIDE_BITS) - 1)
_FIRST_WIDE = 31
"""Bits of a key below which a first sort does not look: sign, exponent and 21 bits are above."""
_MOST_MOVES = 2
"""Moves for each number up to which single ones are put right."""


@own_kernel
def _by_wide_digits(
    keys: KeyArray, other: KeyArray, first_bit: int, last_bit: int
) -> tuple[KeyArray, KeyArray]:
    """Sort by some bits on one thread, digits of 11 bits; the sorted buffer comes first."""
    counts = np.empty(1 << _WIDE_BITS, np.int64)
    for bit in range(first_bit, last_bit, _WIDE_BITS):
        shift = np.uint64(bit)
        counts[:] = 0
        for i in range(keys.shape[0]):
            counts[(keys[i] >> shift) & _WIDE_MASK] += 1
        start = most = 0
        for digit in range(counts.shape[0]):
            here = counts[digit]
            counts[digit] = start
            start += here
            most = max(most, here)
        if most == keys.shape[0]:
            continue
        for i in range(keys.shape[0]):
            key = keys[i]
            digit = (key >> shift) & _WIDE_MASK
            other[np.uint64(counts[digit])] = key
            counts[digit] += 1
        keys, other = other, keys
    return keys, other


@own_kernel
def _put_right(keys: KeyArray) -> bool:
    """Put single keys right that the digits left in disorder; False where there are too many."""
    moves = 0
    for i in range(1, keys.shape[0]):
        key = keys[i]
        hole = i - 1
        while hole >= 0 and keys[hole] > key:
            keys[hole + 1] = keys[hole]
            hole -= 1
        keys[hole + 1] = key
        moves += i - 1 - hole
        if moves > _MOST_MOVES * keys.shape[0]:
            return False
    return True


@own_kernel
def sort_ascending(values: Scores) -> FloatArray:
    """Return the numbers of (n,) in rising order as float64, without NaN; -0.0 becomes 0.0.

    One thread; a column of 100,000 takes less than half of what ``numpy.sort`` takes.
    """
    room = np.empty(values.shape[0])
    size = 0
    for value in values:
        if not np.isnan(value):
            room[size] = value
            size += 1
    bits = room[:size].view(np.uint64)
    keys, other = np.empty(size, np.uint64), np.empty(size, np.uint64)
    for i in range(size):
        keys[i] = _descending_bits(bits[i])
    keys, other = _by_wide_digits(keys, other, _FIRST_WIDE, 64)
    if not _put_right(keys):
        keys, other = _by_wide_digits(keys, other, 0, _FIRST_WIDE + 2)
        keys, other = _by_wide_digits(keys, other, _FIRST_WIDE, 64)
    for i in range(size):
        key = keys[i]
        bits[size - 1 - i] = key if key & _SIGN else ~key & ~_SIGN
    return room[:size]


@parallel_kernel
def _count_ends(order: OrderArray, scores: Scores, counts: IntArray) -> None:
    n = order.shape[0]
    parts = counts.shape[0]
    for part in prange(parts):
        found = 0
        for position in range(n * part // parts, n * (part + 1) // parts):
            if position + 1 == n or scores[order[position + 1]] != scores[order[position]]:
                found += 1
        counts[part] = found


@parallel_kernel
def _write_ends(order: OrderArray, scores: Scores, starts: IntArray, ends: IntArray) -> None:
    n = order.shape[0]
    parts = starts.shape[0]
    for part in prange(parts):
        place = starts[part]
        for position in range(n * part // parts, n * (part + 1) // parts):
            if position + 1 == n or scores[order[position + 1]] != scores[order[position]]:
                ends[place] = position + 1
                place += 1


def group_ends(order: OrderArray, scores: Scores) -> IntArray:
    """Positions after the last row of each group of equal scores, int64 (groups,).

    Parameters
    ----------
    order : array (m,) of uint32
        Row numbers by descending score, possibly without some rows.
    scores : array (n,)
        The scores that were sorted; every NaN is a group of its own.
    """
    if order.shape[0] == 0:
        return np.empty(0, dtype=np.int64)
    counts = np.empty(threads(), dtype=np.int64)
    _count_ends(order, scores, counts)
    ends = np.empty(int(counts.sum()), dtype=np.int64)
    _write_ends(order, scores, np.cumsum(counts) - counts, ends)
    return ends
