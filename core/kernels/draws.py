"""Random numbers by position: a draw depends on (seed, row, draw) and on nothing else.

The generator is Philox4x32-10 (Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as
1, 2, 3", 2011). Row and draw are its counter, the seed its key; so weights never depend on the
order of rows, on chunks or on threads, and every model sees the same drawn cases.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from core.kernels.compiling import own_kernel, parallel_kernel, prange
from payoff.types import IntArray

LANES = 32
"""Draws made side by side; draw numbers of a group begin at a multiple of this."""

_MULTIPLIER_0 = np.uint64(0xD2511F53)
_MULTIPLIER_1 = np.uint64(0xCD9E8D57)
_WEYL_0 = np.uint32(0x9E3779B9)
_WEYL_1 = np.uint32(0xBB67AE85)
_LOW = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)
_ROUNDS = 10

STREAM_POISSON = np.uint32(1)
STREAM_FOLDS = np.uint32(2)

WeightArray = NDArray[np.uint8]


def _poisson_limits() -> tuple[int, ...]:
    """32-bit limits: the weight is the number of limits at or below the draw (9 at most)."""
    total, term, limits = 0.0, math.exp(-1.0), []
    for count in range(9):
        total += term
        limits.append(min(round(total * 2**32), 2**32 - 1))
        term /= count + 1
    return tuple(limits)


_L0, _L1, _L2, _L3, _L4, _L5, _L6, _L7, _L8 = (np.uint32(limit) for limit in _poisson_limits())


@own_kernel
def philox(
    c0: np.uint32, c1: np.uint32, c2: np.uint32, c3: np.uint32, k0: np.uint32, k1: np.uint32
) -> tuple[np.uint32, np.uint32, np.uint32, np.uint32]:
    """Four random uint32 of a counter of four and a key of two words."""
    for _ in range(_ROUNDS):
        product_0 = _MULTIPLIER_0 * np.uint64(c0)
        product_1 = _MULTIPLIER_1 * np.uint64(c2)
        c0 = np.uint32(np.uint32(product_1 >> _HALF) ^ c1 ^ k0)
        c2 = np.uint32(np.uint32(product_0 >> _HALF) ^ c3 ^ k1)
        c1 = np.uint32(product_1 & _LOW)
        c3 = np.uint32(product_0 & _LOW)
        k0 = np.uint32(k0 + _WEYL_0)
        k1 = np.uint32(k1 + _WEYL_1)
    return c0, c1, c2, c3


@own_kernel(inline=True)
def _poisson(draw: np.uint32) -> np.uint8:
    """A Poisson(1) count from 32 uniform bits, without a branch."""
    return np.uint8(
        np.uint8(draw >= _L0)
        + np.uint8(draw >= _L1)
        + np.uint8(draw >= _L2)
        + np.uint8(draw >= _L3)
        + np.uint8(draw >= _L4)
        + np.uint8(draw >= _L5)
        + np.uint8(draw >= _L6)
        + np.uint8(draw >= _L7)
        + np.uint8(draw >= _L8)
    )


@own_kernel
def fill_poisson(seed: int, unit: int, group: int, out: WeightArray) -> None:
    """Poisson(1) weights of one unit for the draws ``LANES * group`` onward.

    Parameters
    ----------
    seed : int
        0 or more, below 2**64.
    unit : int
        Number of the row (or cluster, or query) that is drawn as a whole.
    group : int
        Which 32 draws.
    out : array (LANES,) of uint8
        Filled. Draw 4 b + w of the group is word w of block b.
    """
    k0 = np.uint32(np.uint64(seed) & _LOW)
    k1 = np.uint32(np.uint64(seed) >> _HALF)
    low = np.uint32(np.uint64(unit) & _LOW)
    high = np.uint32(np.uint64(unit) >> _HALF)
    first = np.uint32(group * (LANES // 4))
    for block in range(LANES // 4):
        w0, w1, w2, w3 = philox(low, high, np.uint32(first + block), STREAM_POISSON, k0, k1)
        out[4 * block] = _poisson(w0)
        out[4 * block + 1] = _poisson(w1)
        out[4 * block + 2] = _poisson(w2)
        out[4 * block + 3] = _poisson(w3)


@parallel_kernel
def _poisson_table(seed: int, units: IntArray, group: int, out: NDArray[np.uint8]) -> None:
    for position in prange(units.shape[0]):
        for step in range(out.shape[1] // LANES):
            fill_poisson(
                seed,
                units[position],
                group + step,
                out[position, step * LANES : (step + 1) * LANES],
            )


def poisson_weights(seed: int, units: IntArray, *, first_draw: int, draws: int) -> WeightArray:
    """Poisson(1) weights of some units (rows, clusters) for some draws.

    Parameters
    ----------
    seed : int
        0 or more.
    units : array (n,) of int64
        Row or cluster numbers in the file: the same number gets the same weights everywhere.
    first_draw, draws : int
        Which draws.

    Returns
    -------
    array (n, draws) of uint8
    """
    group = first_draw // LANES
    groups = -(-(first_draw + draws) // LANES) - group
    table = np.empty((units.shape[0], groups * LANES), dtype=np.uint8)
    _poisson_table(int(seed), np.ascontiguousarray(units, dtype=np.int64), group, table)
    start = first_draw - group * LANES
    return table[:, start : start + draws]


@own_kernel
def row_fold(seed: int, row: int) -> int:
    """Fold 0 or 1 of a row, by its number and the seed alone."""
    k0 = np.uint32(np.uint64(seed) & _LOW)
    k1 = np.uint32(np.uint64(seed) >> _HALF)
    low = np.uint32(np.uint64(row) & _LOW)
    high = np.uint32(np.uint64(row) >> _HALF)
    return int(philox(low, high, np.uint32(0), STREAM_FOLDS, k0, k1)[0] & np.uint32(1))
