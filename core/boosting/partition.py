"""Parting the rows of a node into left and right, in order, on one or several threads."""

from __future__ import annotations

import numpy as np

from core.boosting.binning import BinArray
from core.boosting.leaves import RowArray
from core.boosting.rules import MaskArray, whole
from core.kernels import own_kernel, parallel_kernel, prange
from payoff.types import IntArray

SERIAL_ROWS = 4_096
"""Rows of a node below which one thread parts it."""


@own_kernel
def _part_piece(
    values: BinArray,
    side: MaskArray,
    rows: RowArray,
    left_rows: RowArray,
    right_rows: RowArray,
    counts: IntArray,
    start: int,
    end: int,
    part: int,
) -> None:
    """Put one thread's rows into the left and right buffer, in order, without a branch.

    Places are unsigned: numba asks of signed ones whether they count from the end, which costs
    more than all the rest.
    """
    parts = counts.shape[0]
    begin = start + (end - start) * part // parts
    stop = start + (end - start) * (part + 1) // parts
    left = np.uint64(begin)
    right = np.uint64(begin)
    for k in range(begin, stop):
        row = rows[np.uint64(k)]
        goes_left = np.uint64(side[np.uint64(values[np.uint64(row)])])
        left_rows[left] = row
        right_rows[right] = row
        left += goes_left
        right += np.uint64(1) - goes_left
    counts[part, 0] = np.int64(left) - begin
    counts[part, 1] = np.int64(right) - begin


@own_kernel
def _move_piece(
    rows: RowArray,
    left_rows: RowArray,
    right_rows: RowArray,
    counts: IntArray,
    start: int,
    end: int,
    part: int,
) -> None:
    """Bring one thread's piece from the buffers to its place."""
    parts = counts.shape[0]
    begin = start + (end - start) * part // parts
    to_left = start
    to_right = start
    for piece in range(parts):
        to_right += counts[piece, 0]
    for piece in range(part):
        to_left += counts[piece, 0]
        to_right += counts[piece, 1]
    lefts, rights = counts[part, 0], counts[part, 1]
    rows[to_left : to_left + lefts] = left_rows[begin : begin + lefts]
    rows[to_right : to_right + rights] = right_rows[begin : begin + rights]


@parallel_kernel
def _part_parallel(
    values: BinArray,
    side: MaskArray,
    rows: RowArray,
    left_rows: RowArray,
    right_rows: RowArray,
    counts: IntArray,
    start: int,
    end: int,
) -> None:
    for part in prange(counts.shape[0]):
        _part_piece(values, side, rows, left_rows, right_rows, counts, start, end, whole(part))


@parallel_kernel
def _move_parallel(
    rows: RowArray,
    left_rows: RowArray,
    right_rows: RowArray,
    counts: IntArray,
    start: int,
    end: int,
) -> None:
    for part in prange(counts.shape[0]):
        _move_piece(rows, left_rows, right_rows, counts, start, end, whole(part))


_part_in_parallel = _part_parallel.dispatcher
_move_in_parallel = _move_parallel.dispatcher


@own_kernel
def part_rows(
    values: BinArray,
    side: MaskArray,
    rows: RowArray,
    left_rows: RowArray,
    right_rows: RowArray,
    all_counts: IntArray,
    start: int,
    end: int,
) -> int:
    """Part the rows of a node stably; where the right side begins."""
    counts = all_counts
    if end - start < SERIAL_ROWS or counts.shape[0] == 1:
        counts = all_counts[:1]
        _part_piece(values, side, rows, left_rows, right_rows, counts, start, end, 0)
        _move_piece(rows, left_rows, right_rows, counts, start, end, 0)
        return int(start + counts[0, 0])
    _part_in_parallel(values, side, rows, left_rows, right_rows, counts, start, end)
    _move_in_parallel(rows, left_rows, right_rows, counts, start, end)
    middle = start
    for part in range(counts.shape[0]):
        middle += counts[part, 0]
    return middle
