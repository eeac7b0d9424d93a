"""The histogram kernel over columns of bins as they are: any number of bins, any gradients."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.boosting.binning import BinArray
from core.boosting.leaves import RowArray
from core.boosting.rules import whole
from core.kernels import own_kernel, parallel_kernel, prange
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
