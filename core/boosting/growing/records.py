"""Records of bins and gradients: how cases are packed, and gradients rounded into them.

A record holds up to 28 columns of one case: words of four bins each, then one word with the
case's gradient and curvature, rounded. ``record_histograms`` counts them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.boosting.growing.binning import BinArray
from core.kernels import parallel_kernel, prange
from payoff.types import FloatArray

WordArray = NDArray[np.uint32]

TILE_COLUMNS = 28
SIZED_ROWS = 16_384
"""Rows of a chunk of ``largest_sizes``."""
FLUSH_ROWS = 16_384
"""Rows that may be counted, whatever their bins, before a lane could overflow."""

COUNT_LANE = 15
GRADIENT_LANE = 39
"""Bits at which the curvature (the gradient, where it stands alone) and the gradient begin."""
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
        for i in range(chunk * SIZED_ROWS, min(g.shape[0], (chunk + 1) * SIZED_ROWS)):
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
