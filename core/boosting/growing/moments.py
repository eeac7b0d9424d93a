"""Moments of the gradients of a node's cases: what the noise of its levels is told by."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.boosting.growing.rules import whole
from core.kernels import CHUNK_ROWS, own_kernel, parallel_kernel, prange
from payoff.types import FloatArray, IntArray

RowArray = NDArray[np.int32]

Moments = tuple[float, float, float]
"""Sums over the cases of a node: squares and fourth powers of the gradient of one case, by weight,
and the weight."""

PARTS = 8
"""Pieces of a node's rows that are added up by themselves, whatever the number of threads."""
SERIAL_ROWS = 8_192
"""Rows of a node below which one thread adds them up."""


@own_kernel(inline=True)
def _terms_of(g: float, weight: float) -> Moments:
    """What a case adds; nothing without weight."""
    if weight <= 0.0:
        return 0.0, 0.0, 0.0
    square = g * g / weight
    return square, square * square / weight, weight


@own_kernel
def moments_of(g: FloatArray, weight: FloatArray, rows: RowArray) -> Moments:
    """Return the moments of a node, from weighted gradients and weights."""
    square = fourth = total = 0.0
    for k in range(rows.shape[0]):
        row = np.uint64(rows[k])
        terms = _terms_of(g[row], weight[row])
        square += terms[0]
        fourth += terms[1]
        total += terms[2]
    return square, fourth, total


@parallel_kernel
def fill_terms(g: FloatArray, weight: FloatArray, terms: FloatArray) -> None:
    """Fill what every case adds to the moments of its nodes, (n, 3): divided once a tree."""
    n = g.shape[0]
    for chunk in prange((n + CHUNK_ROWS - 1) // CHUNK_ROWS):
        for row in range(chunk * CHUNK_ROWS, min(n, (chunk + 1) * CHUNK_ROWS)):
            terms[row, 0], terms[row, 1], terms[row, 2] = _terms_of(g[row], weight[row])


@own_kernel
def _add_part(
    terms: FloatArray, rows: RowArray, start: int, end: int, part: int, sums: FloatArray
) -> None:
    """Add up the terms of one piece of some rows."""
    square = fourth = total = 0.0
    first = start + (end - start) * part // PARTS
    last = start + (end - start) * (part + 1) // PARTS
    for k in range(first, last):
        row = np.uint64(rows[np.uint64(k)])
        square += terms[row, np.uint64(0)]
        fourth += terms[row, np.uint64(1)]
        total += terms[row, np.uint64(2)]
    sums[part, 0], sums[part, 1], sums[part, 2] = square, fourth, total


@parallel_kernel
def _add_parts(terms: FloatArray, rows: RowArray, start: int, end: int, sums: FloatArray) -> None:
    for part in prange(PARTS):
        _add_part(terms, rows, start, end, whole(part), sums)


_add_in_parallel = _add_parts.dispatcher


@own_kernel
def sum_moments(
    terms: FloatArray,
    rows: RowArray,
    start: int,
    end: int,
    is_parallel: bool,
    moments: FloatArray,
) -> None:
    """Write the moments of the rows from ``start`` to ``end`` into (3,)."""
    sums = np.empty((PARTS, 3))
    if is_parallel and end - start >= SERIAL_ROWS:
        _add_in_parallel(terms, rows, start, end, sums)
    else:
        for part in range(PARTS):
            _add_part(terms, rows, start, end, part, sums)
    for place in range(3):
        total = 0.0
        for part in range(PARTS):
            total += sums[part, place]
        moments[place] = total


@own_kernel
def part_moments(
    terms: FloatArray,
    rows: RowArray,
    starts: IntArray,
    ends: IntArray,
    parent: int,
    children: tuple[int, int, int],
    largest: int,
    is_parallel: bool,
    moments: FloatArray,
) -> None:
    """Write the moments of a node's children: the largest takes what the others leave."""
    for place in range(3):
        moments[largest, place] = moments[parent, place]
    for child in children:
        if child < 0 or child == largest:
            continue
        sum_moments(terms, rows, starts[child], ends[child], is_parallel, moments[child])
        for place in range(3):
            left = moments[largest, place] - moments[child, place]
            moments[largest, place] = max(left, 0.0)  # rounding may leave less than nothing
