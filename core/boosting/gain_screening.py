"""What each numeric column promises: its best gain in float32, eight columns at once.

A search of every column bin by bin costs more than counting the rows of a small leaf. Here the
columns of a tile are scanned side by side; only those whose promise comes near the best one are
then searched exactly.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.boosting.bin_search import PlaneArray
from core.boosting.records import TILE_COLUMNS
from core.kernels import own_kernel, parallel_kernel, prange
from payoff.types import FloatArray, IntArray


@own_kernel
def _scan(
    gradient: PlaneArray,
    hessian: PlaneArray,
    count: PlaneArray,
    bins: int,
    step: int,
    min_cases: np.int32,
    least: np.float32,
    l2: np.float32,
    running: NDArray[np.int32],
    best: NDArray[np.float32],
) -> None:
    """Raise ``best`` (step,) to the largest sum of g^2 / (h + l2) over two sides of each column.

    ``running`` (192,): totals of gradient, curvature and count, then what lies left so far, 32
    places each. Written so that the loop over columns becomes one of vectors: no store under a
    condition, one type per array.
    """
    nothing = np.float32(0.0)
    for place in range(bins):
        base = place * step
        more_g = gradient[base : base + step]
        more_h = hessian[base : base + step]
        more_c = count[base : base + step]
        for c in range(step):
            g = np.int32(running[96 + c] + more_g[c])
            h = np.int32(running[128 + c] + more_h[c])
            cases = np.int32(running[160 + c] + more_c[c])
            running[96 + c] = g
            running[128 + c] = h
            running[160 + c] = cases
            rest_g = np.float32(np.int32(running[c] - g))
            rest_h = np.float32(np.int32(running[32 + c] - h))
            rest_cases = np.int32(running[64 + c] - cases)
            left_g = np.float32(g)
            left_h = np.float32(h)
            x = left_h + l2
            y = rest_h + l2
            gain = (left_g * left_g * y + rest_g * rest_g * x) / (x * y)
            is_fit = (cases >= min_cases) & (rest_cases >= min_cases)
            is_fit = is_fit & (left_h >= least) & (rest_h >= least)
            gain = gain if is_fit else nothing
            more = gain - best[c]
            best[c] += more if more > nothing else nothing


@own_kernel
def screen_columns(
    planes: NDArray[np.int32],
    step: int,
    n_bins: IntArray,
    missing_slot: int,
    totals: PlaneArray,
    limits: FloatArray,
    is_third_child: bool,
    running: NDArray[np.int32],
    expected_gain: NDArray[np.float32],
) -> None:
    """Fill each column's best sum of g^2 / (h + l2), near enough to tell which to search.

    Parameters
    ----------
    planes : int32 (3, P)
        Gradient, curvature and count of a leaf.
    step, n_bins, missing_slot
        Layout of the planes.
    totals : int32 (3,)
        Sums of the leaf.
    limits : float64 (3,)
        Least cases and least curvature of a side, and l2, in units of the sums.
    is_third_child : bool
        Missing values are on neither side.
    running : int32 (192,)
        Working memory.
    expected_gain : float32 (tiles x step,)
        A column's place is tile x step + its number in the tile.
    """
    min_cases, least, l2 = np.int32(limits[0]), np.float32(limits[1]), np.float32(limits[2])
    size = 256 * step
    at_missing = missing_slot * step
    expected_gain[:] = 0.0
    for tile in range(planes.shape[1] // size):
        gradient = planes[0][tile * size : tile * size + size]
        hessian = planes[1][tile * size : tile * size + size]
        count = planes[2][tile * size : tile * size + size]
        best = expected_gain[tile * step : tile * step + step]
        bins = 0
        for column in range(TILE_COLUMNS * tile, min(TILE_COLUMNS * (tile + 1), n_bins.shape[0])):
            bins = max(bins, n_bins[column])
        absent = 0
        for c in range(step):
            absent += count[at_missing + c]
            running[c], running[32 + c], running[64 + c] = totals[0], totals[1], totals[2]
            running[96 + c] = running[128 + c] = running[160 + c] = 0
            if is_third_child:
                running[c] -= gradient[at_missing + c]
                running[32 + c] -= hessian[at_missing + c]
                running[64 + c] -= count[at_missing + c]
        _scan(gradient, hessian, count, bins, step, min_cases, least, l2, running, best)
        if absent == 0 or is_third_child:
            continue
        for c in range(step):
            running[96 + c] = gradient[at_missing + c]
            running[128 + c] = hessian[at_missing + c]
            running[160 + c] = count[at_missing + c]
        _scan(gradient, hessian, count, bins, step, min_cases, least, l2, running, best)


@parallel_kernel
def _screen_in_parallel(
    nodes: IntArray,
    pool: NDArray[np.int32],
    slot: IntArray,
    totals: NDArray[np.int32],
    step: int,
    n_bins: IntArray,
    missing_slot: int,
    limits: FloatArray,
    is_third_child: bool,
    running: NDArray[np.int32],
    expected_gains: NDArray[np.float32],
) -> None:
    for place in prange(nodes.shape[0]):
        node = nodes[place]
        screen_columns(
            pool[slot[node]],
            step,
            n_bins,
            missing_slot,
            totals[node],
            limits,
            is_third_child,
            running[place],
            expected_gains[place],
        )


_in_parallel = _screen_in_parallel.dispatcher


@own_kernel
def screen_leaves(
    nodes: IntArray,
    is_parallel: bool,
    pool: NDArray[np.int32],
    slot: IntArray,
    totals: NDArray[np.int32],
    step: int,
    n_bins: IntArray,
    missing_slot: int,
    limits: FloatArray,
    is_third_child: bool,
    running: NDArray[np.int32],
    expected_gains: NDArray[np.float32],
) -> None:
    """``screen_columns`` of several leaves (numbers int64 (k,)), each on a thread if parallel.

    ``pool`` holds the planes, ``slot`` says which are a leaf's, ``totals`` (N, 3) its sums;
    ``running`` and ``expected_gains`` have a row for each of ``nodes``.
    """
    if is_parallel:
        _in_parallel(
            nodes,
            pool,
            slot,
            totals,
            step,
            n_bins,
            missing_slot,
            limits,
            is_third_child,
            running,
            expected_gains,
        )
        return
    for place in range(nodes.shape[0]):
        node = nodes[place]
        screen_columns(
            pool[slot[node]],
            step,
            n_bins,
            missing_slot,
            totals[node],
            limits,
            is_third_child,
            running[place],
            expected_gains[place],
        )
