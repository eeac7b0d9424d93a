"""Random numbers by position: a draw depends on (seed, row, draw) and on nothing else.

The generator is Philox4x32-10 (Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as
1, 2, 3", 2011). Row and draw are its counter, the seed its key; so weights never depend on the
order of rows, on chunks or on threads, and every model sees the same drawn cases.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from core.kernels.compiling import own_kernel
from core.kernels.running import run_chunks
from payoff.types import FloatArray, IntArray

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


# Signed, with the top bit of every draw turned: processors compare signed numbers faster.
_L0, _L1, _L2, _L3, _L4, _L5, _L6, _L7, _L8 = (
    np.int32(limit - 2**31) for limit in _poisson_limits()
)
_TOP = np.uint32(0x80000000)

TILE = 32
"""Rows whose draws are made side by side."""

MOST_MEAN = 32.0
"""Up to this mean counts are Poisson's own; above they are stretched from this one."""
_MOST_LIMITS = 128

_BLOCKS = LANES // 4  # Philox gives four words at a time


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
def _poisson(draw: np.int32) -> np.int32:
    """A Poisson(1) count from 32 uniform bits with the top bit turned, without a branch."""
    return (
        np.int32(draw >= _L0)
        + np.int32(draw >= _L1)
        + np.int32(draw >= _L2)
        + np.int32(draw >= _L3)
        + np.int32(draw >= _L4)
        + np.int32(draw >= _L5)
        + np.int32(draw >= _L6)
        + np.int32(draw >= _L7)
        + np.int32(draw >= _L8)
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
    first = np.uint32(group * _BLOCKS)
    for block in range(_BLOCKS):
        w0, w1, w2, w3 = philox(low, high, np.uint32(first + block), STREAM_POISSON, k0, k1)
        out[4 * block] = np.uint8(_poisson(np.int32(w0 ^ _TOP)))
        out[4 * block + 1] = np.uint8(_poisson(np.int32(w1 ^ _TOP)))
        out[4 * block + 2] = np.uint8(_poisson(np.int32(w2 ^ _TOP)))
        out[4 * block + 3] = np.uint8(_poisson(np.int32(w3 ^ _TOP)))


@own_kernel
def _tile_words(seed: int, count: int, state: NDArray[np.uint64]) -> None:
    """Philox of ``count`` counters side by side, state (4, counters), each word in 64 bits.

    Round by round over all counters: so every step is one vector instruction for several of them.
    """
    k0 = np.uint64(seed) & _LOW
    k1 = np.uint64(seed) >> _HALF
    c0, c1, c2, c3 = state[0], state[1], state[2], state[3]
    for _ in range(_ROUNDS):
        for place in range(count):
            product_0 = _MULTIPLIER_0 * c0[place]
            product_1 = _MULTIPLIER_1 * c2[place]
            c0[place] = (product_1 >> _HALF) ^ c1[place] ^ k0
            c2[place] = (product_0 >> _HALF) ^ c3[place] ^ k1
            c1[place] = product_1 & _LOW
            c3[place] = product_0 & _LOW
        k0 = (k0 + np.uint64(_WEYL_0)) & _LOW
        k1 = (k1 + np.uint64(_WEYL_1)) & _LOW


@own_kernel
def fill_poisson_rows(
    seed: int, group: int, units: IntArray, out: NDArray[np.uint32], start: int, stop: int
) -> None:
    """What ``fill_poisson`` gives, for many units at a third of the time.

    Parameters
    ----------
    seed, group : int
    units : array (n,) of int64
    out : array (n * LANES / 4,) of uint32
        From ``poisson_words``; the words of units ``start`` to ``stop`` are filled.
    start, stop : int
    """
    state = np.empty((4, TILE * _BLOCKS), dtype=np.uint64)
    draws = np.empty((4, TILE * _BLOCKS), dtype=np.int32)
    first = np.uint64(group * _BLOCKS)
    for base in range(start, stop, TILE):
        rows = min(TILE, stop - base)
        for row in range(rows):
            unit = np.uint64(units[base + row])
            for block in range(_BLOCKS):
                place = row * _BLOCKS + block
                state[0, place] = unit & _LOW
                state[1, place] = unit >> _HALF
                state[2, place] = first + np.uint64(block)
                state[3, place] = np.uint64(STREAM_POISSON)
        _tile_words(seed, rows * _BLOCKS, state)
        for place in range(draws.shape[1]):
            draws[0, place] = np.int32(np.uint32(state[0, place]) ^ _TOP)
            draws[1, place] = np.int32(np.uint32(state[1, place]) ^ _TOP)
            draws[2, place] = np.int32(np.uint32(state[2, place]) ^ _TOP)
            draws[3, place] = np.int32(np.uint32(state[3, place]) ^ _TOP)
        packed = out[base * _BLOCKS : (base + rows) * _BLOCKS]
        for place in range(packed.shape[0]):
            packed[place] = np.uint32(_poisson(draws[0, place]))
        for word in range(1, 4):
            narrow, shift = draws[word], np.uint32(8 * word)
            for place in range(packed.shape[0]):
                packed[place] |= np.uint32(_poisson(narrow[place])) << shift


@own_kernel
def _poisson_limits_of(mean: float, limits: FloatArray) -> int:
    """Fill the limits of Poisson counts as 32-bit draws meet them; how many there are."""
    term = math.exp(-mean)
    total, count = term, 0
    while count < limits.shape[0] and total * 2.0**32 < 2.0**32 - 0.5:
        limits[count] = total * 2.0**32
        count += 1
        term *= mean / count
        before = total
        total += term
        if count > mean and total == before:
            break
    return count


@own_kernel
def _count_of(draw: np.uint32, limits: FloatArray, count: int) -> float:
    """How many limits lie at or below a draw."""
    low, high = 0, count
    while low < high:
        middle = (low + high) // 2
        if limits[middle] <= np.float64(draw):
            low = middle + 1
        else:
            high = middle
    return float(low)


@own_kernel
def fill_poisson_counts(
    seed: int, group: int, units: IntArray, mean: FloatArray, out: FloatArray
) -> None:
    """Drawn cases of rows that stand for several: a draw of the copies of each, Poisson(mean).

    The sum of as many Poisson(1) weights of copies drawn by themselves is Poisson(mean). Above a
    mean of 32 it is stretched from that of 32: its mean and variance are right, and it is never
    below 0. A mean of 1 gives what ``fill_poisson`` gives.

    Parameters
    ----------
    seed, group : int
    units : array (n,) of int64
    mean : array (n,)
        Cases that each row stands for, 0 or more.
    out : array (n, LANES)
        Filled.
    """
    k0 = np.uint32(np.uint64(seed) & _LOW)
    k1 = np.uint32(np.uint64(seed) >> _HALF)
    first = np.uint32(group * _BLOCKS)
    limits, words = np.empty(_MOST_LIMITS), np.empty(4, dtype=np.uint32)
    for row in range(units.shape[0]):
        whole = mean[row]
        base = min(whole, MOST_MEAN)
        stretch = math.sqrt(whole / base) if whole > base else 1.0
        count = _poisson_limits_of(base, limits)
        unit = np.uint64(units[row])
        low, high = np.uint32(unit & _LOW), np.uint32(unit >> _HALF)
        for block in range(_BLOCKS):
            words[0], words[1], words[2], words[3] = philox(
                low, high, np.uint32(first + block), STREAM_POISSON, k0, k1
            )
            for word in range(4):
                if whole == 1.0:
                    drawn = float(_poisson(np.int32(words[word] ^ _TOP)))
                else:
                    drawn = _count_of(words[word], limits, count)
                out[row, 4 * block + word] = whole + stretch * (drawn - base)


def poisson_words(rows: int) -> NDArray[np.uint32]:
    """Memory for ``fill_poisson_rows``; contents undefined."""
    return np.empty(rows * _BLOCKS, dtype=np.uint32)


def as_weights(words: NDArray[np.uint32]) -> WeightArray:
    """The weights (rows, LANES) in filled words: the same memory, byte by byte.

    Words hold the first draw in their lowest byte, so other byte orders need a copy.
    """
    return words.astype("<u4", copy=False).view(np.uint8).reshape(-1, LANES)


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
    units = np.ascontiguousarray(units, dtype=np.int64)
    table = np.empty((units.shape[0], groups * LANES), dtype=np.uint8)
    words = poisson_words(units.shape[0])
    for step in range(groups):
        run_chunks(fill_poisson_rows, (int(seed), group + step, units, words), len(units))
        table[:, step * LANES : (step + 1) * LANES] = as_weights(words)
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
