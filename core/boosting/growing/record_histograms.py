"""The histogram kernels over records of bins and gradients.

One add of an int64 whose lanes are gradient, curvature and count moves a bin; lanes are flushed to
int32 planes before one can overflow: every 16,384 rows, or once, at the end, where no bin has more
cases than that.
While rows are counted, the bins of a column lie together; in the planes the columns of a bin do
(bin x step + column), so that a search runs over eight columns at once.
Integer sums do not depend on the order of rows, so neither does a model on threads.

The histogram kernel over columns of bins as they are: any number of bins, any gradients.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.boosting.growing.binning import BinArray
from core.boosting.growing.leaves import RowArray
from core.boosting.growing.records import COUNT_LANE, GRADIENT_LANE, Records, WordArray
from core.boosting.growing.rules import whole
from core.kernels import own_kernel, parallel_kernel, prange, prefetch
from payoff.types import FloatArray


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


LaneArray = NDArray[np.int64]

SERIAL_ROWS = 12_288
"""Rows of a leaf below which one thread builds its histogram."""


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
def _take_lanes(
    sums: LaneArray,
    first: int,
    stop: int,
    step: int,
    is_alone: bool,
    is_added: bool,
    gradient: NDArray[np.int32],
    hessian: NDArray[np.int32],
    count: NDArray[np.int32],
) -> None:
    """Write the lanes of the columns ``first`` to ``stop - 1`` to the planes of their tile.

    Eight bins, a cache line of lanes, at a time. ``is_added``: to what the planes hold.
    """
    mask = np.int64((1 << COUNT_LANE) - 1)
    hessian_mask = np.int64((1 << (GRADIENT_LANE - COUNT_LANE)) - 1)
    width = np.uint64(step)
    for block in range(0, 256, 8):
        for column in range(first, stop):
            base = np.uint64(column * 256 + block)
            at = np.uint64(block * step + column)
            for j in range(8):
                x = sums[base + np.uint64(j)]
                to = at + np.uint64(j) * width
                cases = np.int32(x & mask)
                if is_alone:
                    curve, pull = cases, np.int32(x >> np.int64(COUNT_LANE))
                else:
                    curve = np.int32((x >> np.int64(COUNT_LANE)) & hessian_mask)
                    pull = np.int32(x >> np.int64(GRADIENT_LANE))
                if is_added:
                    cases += count[to]
                    curve += hessian[to]
                    pull += gradient[to]
                count[to], hessian[to], gradient[to] = cases, curve, pull


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
        gradient, hessian, count = (
            planes[0][at : at + size],
            planes[1][at : at + size],
            planes[2][at:],
        )
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
            _take_lanes(lanes, 0, width, step, is_alone, begin > start, gradient, hessian, count)
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
        _take_lanes(
            sums[0, at : at + size],
            first,
            stop,
            step,
            is_alone,
            False,
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
