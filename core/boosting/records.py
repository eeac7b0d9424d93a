"""Records of bins and gradients, and the histogram kernels over them.

A record holds up to 28 columns of one case: words of four bins each, then one word with the
case's gradient and curvature, rounded. One add of an int64 whose lanes are gradient, curvature
and count moves a bin; lanes are flushed to int32 planes before one can overflow: every 16,384
rows, or once, at the end, where no bin has more cases than that.
While rows are counted, the bins of a column lie together; in the planes the columns of a bin do
(bin x step + column), so that a search runs over eight columns at once.
Integer sums do not depend on the order of rows, so neither does a model on threads.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.boosting.binning import BinArray
from core.boosting.leaves import RowArray
from core.boosting.rules import whole
from core.kernels import own_kernel, parallel_kernel, prange, prefetch
from payoff.types import FloatArray

WordArray = NDArray[np.uint32]
LaneArray = NDArray[np.int64]

TILE_COLUMNS = 28
FLUSH_ROWS = 16_384
SERIAL_ROWS = 3_072
"""Rows of a leaf below which one thread builds its histogram."""

COUNT_LANE = 15
GRADIENT_LANE = 39
LARGEST = 1023
"""Largest rounded gradient and curvature where both stand in a word."""
LARGEST_ALONE = 2**23
"""Largest rounded gradient where every case has the same curvature."""


class Records(NamedTuple):
    """``words`` uint32 (tiles, n x stride); ``used`` words of bins in each tile.

    ``shift``: a tile's histogram has 1 << shift places per bin, at least one for each column.
    ``flush``: rows that can be counted before a lane may overflow.
    """

    words: WordArray
    used: NDArray[np.int64]
    stride: int
    shift: int
    flush: int


def new_records(bins: BinArray, rows: int) -> Records:
    """Records of the first ``rows`` cases of uint8 (F, n) bins."""
    width = bins.shape[0]
    tiles = -(-width // TILE_COLUMNS)
    used = np.array(
        [-(-min(TILE_COLUMNS, width - t * TILE_COLUMNS) // 4) for t in range(tiles)], dtype=np.int64
    )
    stride = (int(used[0]) + 2) // 2 * 2
    memory = np.zeros(tiles * rows * stride + 16, dtype=np.uint32)
    skip = (-memory.ctypes.data // 4) % 16  # to the next cache line
    words = memory[skip : skip + tiles * rows * stride].reshape(tiles, rows * stride)
    _fill_bins(bins, rows, stride * 4, words.view(np.uint8))
    heaviest = np.zeros(width, dtype=np.int64)
    _count_heaviest(bins, rows, heaviest)
    flush = rows if heaviest.max() <= FLUSH_ROWS else FLUSH_ROWS
    return Records(words, used, stride, lane_shift(width), max(flush, FLUSH_ROWS))


def lane_shift(columns: int) -> int:
    """Binary logarithm of the places per bin: 8, 16 or 32, as the columns of a tile need."""
    return 3 if columns <= 8 else 4 if columns <= 16 else 5


@parallel_kernel
def _fill_bins(bins: BinArray, rows: int, stride_bytes: int, out: NDArray[np.uint8]) -> None:
    for block in prange((rows + 511) // 512):
        for column in range(bins.shape[0]):
            tile = column // TILE_COLUMNS
            place = column % TILE_COLUMNS
            for row in range(block * 512, min(rows, block * 512 + 512)):
                out[tile, row * stride_bytes + place] = bins[column, row]


@parallel_kernel
def _count_heaviest(bins: BinArray, rows: int, out: NDArray[np.int64]) -> None:
    """Fill the cases in the fullest bin of each column."""
    for column in prange(bins.shape[0]):
        values = bins[column]
        counts = np.zeros((2, 256), dtype=np.int64)  # two, so that equal neighbours do not wait
        for row in range(rows // 2):
            counts[0, values[2 * row]] += 1
            counts[1, values[2 * row + 1]] += 1
        if rows % 2 == 1:
            counts[0, values[rows - 1]] += 1
        out[column] = (counts[0] + counts[1]).max()


@parallel_kernel
def largest_sizes(g: FloatArray, h: FloatArray, out: FloatArray) -> None:
    """Fill per chunk the largest |g|, the sums of |g| and g^2, the largest and the smallest h."""
    for chunk in prange(out.shape[0]):
        most = total = square = high = 0.0
        low = np.inf
        for i in range(chunk * 65_536, min(g.shape[0], (chunk + 1) * 65_536)):
            size = abs(g[i])
            most = size if size > most else most
            total += size
            square += size * size
            high = h[i] if h[i] > high else high
            low = h[i] if h[i] < low else low
        out[chunk, 0] = most
        out[chunk, 1] = total
        out[chunk, 2] = square
        out[chunk, 3] = high
        out[chunk, 4] = low


@parallel_kernel
def write_gradients(
    g: FloatArray,
    h: FloatArray,
    scale_g: float,
    scale_h: float,
    seed: int,
    words: WordArray,
    stride: int,
) -> None:
    """Round g x scale_g and h x scale_h at random, fair in the mean, into every record.

    Rounding to the nearest would lose the many small gradients of rare events. The random bits
    are a hash of seed and row. ``scale_h`` 0: the word is the gradient alone.
    """
    n = g.shape[0]
    last = np.uint64(stride - 1)
    step = np.uint64(stride)
    for block in prange((n + 1023) // 1024):
        start = block * 1024
        size = min(n, start + 1024) - start
        packed = np.empty(1024, dtype=np.uint32)
        for i in range(size):
            noise = np.uint32(np.uint32(start + i) * np.uint32(0x9E3779B9)) + np.uint32(seed)
            noise ^= noise >> np.uint32(16)
            noise = np.uint32(noise * np.uint32(0x7FEB352D))
            noise ^= noise >> np.uint32(15)
            noise = np.uint32(noise * np.uint32(0x846CA68B))
            noise ^= noise >> np.uint32(16)
            first = np.float64(np.int32(noise & np.uint32(0xFFFF))) * (1.0 / 65_536.0)
            whole_g = np.int32(np.floor(g[start + i] * scale_g + first))
            if scale_h > 0.0:
                second = np.float64(np.int32(noise >> np.uint32(16))) * (1.0 / 65_536.0)
                whole_h = np.int32(np.floor(h[start + i] * scale_h + second))
                packed[i] = (np.uint32(whole_g) << np.uint32(16)) | np.uint32(whole_h)
            else:
                packed[i] = np.uint32(whole_g)
        for tile in range(words.shape[0]):
            out = words[tile]
            for i in range(size):
                out[np.uint64(start + i) * step + last] = packed[i]


@own_kernel(inline=True)
def _add_word(sums: LaneArray, base: np.uint64, word: np.uint32, value: np.int64) -> None:
    sums[base + np.uint64(word & np.uint32(255))] += value
    sums[base + np.uint64(256) + np.uint64((word >> np.uint32(8)) & np.uint32(255))] += value
    sums[base + np.uint64(512) + np.uint64((word >> np.uint32(16)) & np.uint32(255))] += value
    sums[base + np.uint64(768) + np.uint64(word >> np.uint32(24))] += value


@own_kernel(inline=True)
def _lanes(word: np.uint32, is_alone: bool) -> np.int64:
    """The int64 that adds one case to a bin."""
    if is_alone:
        return (np.int64(np.int32(word)) << np.int64(COUNT_LANE)) + np.int64(1)
    return (
        (np.int64(np.int32(word) >> np.int32(16)) << np.int64(GRADIENT_LANE))
        + (np.int64(word & np.uint32(65_535)) << np.int64(COUNT_LANE))
        + np.int64(1)
    )


@own_kernel(inline=True)
def _add_full_record(words: WordArray, at: np.uint64, is_alone: bool, sums: LaneArray) -> None:
    """Add one record of 28 columns."""
    value = _lanes(words[at + np.uint64(7)], is_alone)
    _add_word(sums, np.uint64(0), words[at], value)
    _add_word(sums, np.uint64(1024), words[at + np.uint64(1)], value)
    _add_word(sums, np.uint64(2048), words[at + np.uint64(2)], value)
    _add_word(sums, np.uint64(3072), words[at + np.uint64(3)], value)
    _add_word(sums, np.uint64(4096), words[at + np.uint64(4)], value)
    _add_word(sums, np.uint64(5120), words[at + np.uint64(5)], value)
    _add_word(sums, np.uint64(6144), words[at + np.uint64(6)], value)


@own_kernel
def _add_full_rows(
    words: WordArray, rows: RowArray, start: int, stop: int, is_alone: bool, sums: LaneArray
) -> None:
    """``_add_rows`` of a tile with all its 28 columns: the commonest, so with constants."""
    if stop > start and rows[stop - 1] - rows[start] == stop - 1 - start:  # rows rise: all of them
        first = np.uint64(rows[start]) * np.uint64(8)
        for k in range(stop - start):
            _add_full_record(words, first + np.uint64(k) * np.uint64(8), is_alone, sums)
        return
    last = np.uint64(stop - 1)
    for k in range(start, stop):
        place = np.uint64(k)
        prefetch(words, np.intp(rows[min(place + np.uint64(32), last)]) * 8)
        _add_full_record(words, np.uint64(rows[place]) * np.uint64(8), is_alone, sums)


@own_kernel
def _add_rows(
    words: WordArray,
    used: int,
    stride: int,
    rows: RowArray,
    start: int,
    stop: int,
    is_alone: bool,
    sums: LaneArray,
) -> None:
    """Add some rows to the lanes of one tile, bin b of column c at c x 256 + b."""
    if used == 7:
        _add_full_rows(words, rows, start, stop, is_alone, sums)
        return
    step = np.uint64(stride)
    last = np.uint64(stride - 1)
    end = np.uint64(stop - 1)
    quads = used // 4
    for k in range(start, stop):
        place = np.uint64(k)
        prefetch(words, np.intp(rows[min(place + np.uint64(32), end)]) * stride)
        at = np.uint64(rows[place]) * step
        value = _lanes(words[at + last], is_alone)
        for quad in range(quads):
            four = at + np.uint64(4 * quad)
            base = np.uint64(4096 * quad)
            _add_word(sums, base, words[four], value)
            _add_word(sums, base + np.uint64(1024), words[four + np.uint64(1)], value)
            _add_word(sums, base + np.uint64(2048), words[four + np.uint64(2)], value)
            _add_word(sums, base + np.uint64(3072), words[four + np.uint64(3)], value)
        for word in range(4 * quads, used):
            _add_word(sums, np.uint64(1024 * word), words[at + np.uint64(word)], value)


@own_kernel
def _write_lanes(
    sums: LaneArray,
    first: int,
    stop: int,
    step: int,
    is_alone: bool,
    slope: NDArray[np.int32],
    bend: NDArray[np.int32],
    count: NDArray[np.int32],
) -> None:
    """Write the lanes of the columns ``first`` to ``stop - 1`` to the planes of their tile.

    Eight bins, a cache line of lanes, at a time.
    """
    mask = np.int64((1 << COUNT_LANE) - 1)
    bend_mask = np.int64((1 << (GRADIENT_LANE - COUNT_LANE)) - 1)
    width = np.uint64(step)
    for block in range(0, 256, 8):
        for column in range(first, stop):
            base = np.uint64(column * 256 + block)
            at = np.uint64(block * step + column)
            for j in range(8):
                x = sums[base + np.uint64(j)]
                to = at + np.uint64(j) * width
                cases = np.int32(x & mask)
                count[to] = cases
                if is_alone:
                    bend[to] = cases
                    slope[to] = np.int32(x >> np.int64(COUNT_LANE))
                else:
                    bend[to] = np.int32((x >> np.int64(COUNT_LANE)) & bend_mask)
                    slope[to] = np.int32(x >> np.int64(GRADIENT_LANE))


@own_kernel
def _add_lanes(
    sums: LaneArray,
    first: int,
    stop: int,
    step: int,
    is_alone: bool,
    slope: NDArray[np.int32],
    bend: NDArray[np.int32],
    count: NDArray[np.int32],
) -> None:
    """As ``_write_lanes``, added to what the planes hold."""
    mask = np.int64((1 << COUNT_LANE) - 1)
    bend_mask = np.int64((1 << (GRADIENT_LANE - COUNT_LANE)) - 1)
    width = np.uint64(step)
    for block in range(0, 256, 8):
        for column in range(first, stop):
            base = np.uint64(column * 256 + block)
            at = np.uint64(block * step + column)
            for j in range(8):
                x = sums[base + np.uint64(j)]
                to = at + np.uint64(j) * width
                cases = np.int32(x & mask)
                count[to] += cases
                if is_alone:
                    bend[to] += cases
                    slope[to] += np.int32(x >> np.int64(COUNT_LANE))
                else:
                    bend[to] += np.int32((x >> np.int64(COUNT_LANE)) & bend_mask)
                    slope[to] += np.int32(x >> np.int64(GRADIENT_LANE))


@own_kernel
def _range_histogram(
    records: Records,
    rows: RowArray,
    start: int,
    end: int,
    is_alone: bool,
    sums: LaneArray,
    planes: NDArray[np.int32],
) -> None:
    """The planes of all tiles over some rows, on one thread."""
    step = 1 << records.shift
    size = 256 * step
    for tile in range(records.words.shape[0]):
        at = tile * size
        lanes = sums[at : at + size]
        slope, bend, count = planes[0][at : at + size], planes[1][at : at + size], planes[2][at:]
        width = 4 * records.used[tile]
        for begin in range(start, max(end, start + 1), records.flush):
            _add_rows(
                records.words[tile],
                records.used[tile],
                records.stride,
                rows,
                begin,
                min(end, begin + records.flush),
                is_alone,
                lanes,
            )
            if begin == start:
                _write_lanes(lanes, 0, width, step, is_alone, slope, bend, count)
            else:
                _add_lanes(lanes, 0, width, step, is_alone, slope, bend, count)
            lanes[:] = 0


@parallel_kernel
def _histogram_by_rows(
    records: Records,
    rows: RowArray,
    start: int,
    end: int,
    is_alone: bool,
    sums: NDArray[np.int64],
    planes: NDArray[np.int32],
) -> None:
    parts = sums.shape[0]
    size = end - start
    for part in prange(parts):
        _range_histogram(
            records,
            rows,
            whole(start + size * part // parts),
            whole(start + size * (part + 1) // parts),
            is_alone,
            sums[part],
            planes[part],
        )


@parallel_kernel
def _add_planes(planes: NDArray[np.int32], out: NDArray[np.int32]) -> None:
    parts = planes.shape[0]
    width = out.shape[1]
    for part in prange(parts):
        first, stop = width * part // parts, width * (part + 1) // parts
        for plane in range(3):
            total = out[plane, first:stop]
            total[:] = planes[0, plane, first:stop]
            for other in range(1, parts):
                total += planes[other, plane, first:stop]


@parallel_kernel
def _add_in_parts(
    records: Records,
    rows: RowArray,
    start: int,
    end: int,
    is_alone: bool,
    sums: NDArray[np.int64],
) -> None:
    parts = sums.shape[0]
    size = 256 << records.shift
    for part in prange(parts):
        for tile in range(records.words.shape[0]):
            _add_rows(
                records.words[tile],
                records.used[tile],
                records.stride,
                rows,
                whole(start + (end - start) * part // parts),
                whole(start + (end - start) * (part + 1) // parts),
                is_alone,
                sums[part, tile * size : tile * size + size],
            )


@own_kernel
def _gather_columns(
    records: Records,
    part: int,
    is_alone: bool,
    sums: NDArray[np.int64],
    out: NDArray[np.int32],
) -> None:
    """One thread's columns: add up what all threads counted, write it and clear it."""
    parts = sums.shape[0]
    step = 1 << records.shift
    size = 256 * step
    for tile in range(records.words.shape[0]):
        width = 4 * records.used[tile]
        first, stop = width * part // parts, width * (part + 1) // parts
        at = tile * size
        total = sums[0, at + first * 256 : at + stop * 256]
        for other in range(1, parts):
            more = sums[other, at + first * 256 : at + stop * 256]
            for i in range(total.shape[0]):
                total[i] += more[i]
            more[:] = 0
        _write_lanes(
            sums[0, at : at + size],
            first,
            stop,
            step,
            is_alone,
            out[0][at : at + size],
            out[1][at : at + size],
            out[2][at : at + size],
        )
        total[:] = 0


@parallel_kernel
def _gather_in_parts(
    records: Records, is_alone: bool, sums: NDArray[np.int64], out: NDArray[np.int32]
) -> None:
    for part in prange(sums.shape[0]):
        _gather_columns(records, whole(part), is_alone, sums, out)


_by_rows = _histogram_by_rows.dispatcher
_planes_together = _add_planes.dispatcher
_rows_in_parts = _add_in_parts.dispatcher
_columns_together = _gather_in_parts.dispatcher


@own_kernel
def record_histogram(
    records: Records,
    rows: RowArray,
    start: int,
    end: int,
    is_alone: bool,
    sums: NDArray[np.int64],
    planes: NDArray[np.int32],
    out: NDArray[np.int32],
) -> None:
    """Fill the planes (3, P) of gradient, curvature, count over some rows.

    ``sums`` int64 (threads, P) must be zero and stays so; ``planes`` int32 (threads, 3, P).
    """
    size = end - start
    if size < SERIAL_ROWS or sums.shape[0] == 1:
        _range_histogram(records, rows, start, end, is_alone, sums[0], out)
    elif size <= records.flush:  # the lanes of all threads together do not overflow
        _rows_in_parts(records, rows, start, end, is_alone, sums)
        _columns_together(records, is_alone, sums, out)
    else:
        _by_rows(records, rows, start, end, is_alone, sums, planes)
        _planes_together(planes, out)


@parallel_kernel
def _column_histograms(
    bins: BinArray,
    rows: RowArray,
    start: int,
    end: int,
    g: FloatArray,
    h: FloatArray,
    first: NDArray[np.int64],
    missing_bin: int,
    missing_slot: NDArray[np.int64],
    out: FloatArray,
) -> None:
    for column in prange(bins.shape[0]):
        base = first[column]
        values = bins[column]
        for k in range(start, end):
            row = np.uint64(rows[k])
            place = whole(values[row])
            if place == missing_bin:
                place = missing_slot[column]
            out[0, base + place] += g[row]
            out[1, base + place] += h[row]
            out[2, base + place] += 1.0


_columns_in_parallel = _column_histograms.dispatcher


@own_kernel
def column_histogram(
    bins: BinArray,
    rows: RowArray,
    start: int,
    end: int,
    g: FloatArray,
    h: FloatArray,
    first: NDArray[np.int64],
    missing_bin: int,
    missing_slot: NDArray[np.int64],
    out: FloatArray,
) -> None:
    """Fill float64 planes (3, P) column by column, rows in order: any bins, any gradients."""
    out[:] = 0.0
    _columns_in_parallel(bins, rows, start, end, g, h, first, missing_bin, missing_slot, out)
