"""Poisson bootstrap draws: one pass over the rows fills every draw of every ranking and row sum.

A draw changes weights only. Rankings are kept as class weights in bins of whole groups of equal
scores, so that a draw of a curve costs the same for a thousand cases and for ten million.

Kernels that add drawn weights to the cells of a ranking and to row sums, 32 draws side by side.

Inner loops run over ``shape[0]`` of a row of lanes, not over the constant: a constant number of
turns is unrolled before it is vectorised, which costs half the speed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from core.kernels import LANES, own_kernel
from core.kernels.draws import (
    as_weights,
    fill_poisson_counts,
    fill_poisson_rows,
    poisson_words,
)
from core.kernels.tasks import run_tasks
from payoff.errors import StoppedError
from payoff.types import FloatArray, IntArray

STRIP = 64
"""Rows whose drawn weights are widened to floats at a time: they stay in a core's first cache."""

BinArray: TypeAlias = NDArray[np.uint16]
CellArray: TypeAlias = NDArray[np.uint32]
DrawnArray: TypeAlias = NDArray[np.uint8] | FloatArray
"""How often rows are drawn: counts, or as floats where a row stands for many cases."""


@own_kernel
def count_cells(drawn: DrawnArray, cells: CellArray, counts: NDArray[np.uint32]) -> None:
    """Add drawn weights (m, LANES) to the cells (cells, LANES) that ``cells`` (m,) names.

    Whole numbers: exact below 470 million rows, 9 being the largest weight.
    """
    for row in range(cells.shape[0]):
        lanes = drawn[np.uint64(row)]
        total = counts[np.uint64(cells[row])]
        for lane in range(lanes.shape[0]):
            total[lane] = np.uint32(total[lane] + np.uint32(lanes[lane]))


@own_kernel
def weigh_cells(
    drawn: DrawnArray, weight: FloatArray, cells: CellArray, counts: FloatArray
) -> None:
    """The same with a case weight (m,) per row, in floats."""
    for row in range(cells.shape[0]):
        lanes = drawn[np.uint64(row)]
        total = counts[np.uint64(cells[row])]
        case_weight = weight[row]
        for lane in range(lanes.shape[0]):
            total[lane] += lanes[lane] * case_weight


@own_kernel
def add_to_sums(
    drawn: DrawnArray,
    weight: FloatArray,
    contributions: FloatArray,
    first: int,
    sums: FloatArray,
) -> None:
    """Add drawn weights (m, LANES) times contributions to the sums (S, LANES).

    Parameters
    ----------
    weight : (m,) or (0,) float64
        Case weights; empty = 1 each.
    contributions : (S, rows) float64
        Those of the drawn rows begin at column ``first``.
    """
    weighted = weight.shape[0] > 0
    size = drawn.shape[0]
    strip = np.empty((STRIP, LANES))
    part = np.zeros(STRIP)
    for base in range(0, size, STRIP):
        count = min(STRIP, size - base)
        for step in range(STRIP):
            # Beyond the last row parts are 0: any weights will do.
            row = np.uint64(min(base + step, size - 1))
            case_weight = weight[row] if weighted else 1.0
            lanes = drawn[row]
            scaled = strip[np.uint64(step)]
            for lane in range(lanes.shape[0]):
                scaled[lane] = lanes[lane] * case_weight
        for index in range(contributions.shape[0]):
            for step in range(STRIP):
                inside = step < count
                part[step] = contributions[index, first + base + step] if inside else 0.0
            total = sums[np.uint64(index)]
            # Eight rows for each reading of the sums.
            for step in range(0, STRIP, 8):
                place = np.uint64(step)
                a, b = strip[place], strip[place + np.uint64(1)]
                c, d = strip[place + np.uint64(2)], strip[place + np.uint64(3)]
                e, f = strip[place + np.uint64(4)], strip[place + np.uint64(5)]
                g, h = strip[place + np.uint64(6)], strip[place + np.uint64(7)]
                p, q, r, s = part[step], part[step + 1], part[step + 2], part[step + 3]
                t, u, v, w = part[step + 4], part[step + 5], part[step + 6], part[step + 7]
                for lane in range(total.shape[0]):
                    total[lane] += (
                        (a[lane] * p + b[lane] * q)
                        + (c[lane] * r + d[lane] * s)
                        + (e[lane] * t + f[lane] * u)
                        + (g[lane] * v + h[lane] * w)
                    )


BLOCK_ROWS = 65_536  # between these a stop is read
TILE_ROWS = 8_192  # the drawn weights of a tile, 32 bytes a row, stay in a core's cache
ACCUMULATOR_BYTES = 256 * 2**20  # draws are filled in as many passes as this asks for

ContributionCall = Callable[[int, int], FloatArray]
StepCall = Callable[[float], None]
Counts: TypeAlias = NDArray[np.float64] | NDArray[np.uint32]


@dataclass(frozen=True, slots=True, eq=False)
class DrawPlan:
    """What is drawn.

    Attributes
    ----------
    seed : int
    draws : int
        Rounded up to a multiple of 32 by the draws themselves.
    units : (n,) int64
        Row numbers, or numbers of groups or clusters that are drawn as a whole.
    codes : (n,) uint8
        Class codes.
    classes : int
    weight : (n,) or (0,) float64
    bins : (R, n) uint16
    bin_count : int
    sums : int
        Rows that ``contributions`` gives.
    contributions : callable (start, stop) -> (sums, stop - start) float64
    copies : (n,) or (0,) float64
        How many cases a row stands for, each drawn by itself.
    first : int
        The first draw that is made, a multiple of 32; those before are not.
    """

    seed: int
    draws: int
    units: IntArray
    codes: NDArray[np.uint8]
    classes: int
    weight: FloatArray
    bins: BinArray
    bin_count: int
    sums: int
    contributions: ContributionCall
    copies: FloatArray = field(default_factory=lambda: np.empty(0))
    first: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class DrawBlock:
    """Some draws: ``counts`` (R, B, K, 32) and ``sums`` (S, 32); the first draw's number."""

    first: int
    counts: FloatArray
    sums: FloatArray


def draw_blocks(
    plan: DrawPlan, *, should_stop: Callable[[], bool], step: StepCall
) -> Iterator[DrawBlock]:
    """Make all draws, 32 at a time.

    Parameters
    ----------
    should_stop : callable
        Asked after each block of rows.
    step : callable (fraction)
        Told how much is done.

    Raises
    ------
    StoppedError
        If a stop was asked for.
    """
    groups, skipped = -(-(plan.draws - plan.first) // LANES), plan.first // LANES
    is_weighed = len(plan.weight) > 0 or len(plan.copies) > 0
    cells = plan.bins.shape[0] * plan.bin_count * plan.classes + plan.sums
    at_once = int(np.clip(ACCUMULATOR_BYTES // (8 * LANES * max(cells, 1)), 1, groups))
    for first in range(0, groups, at_once):
        number = min(at_once, groups - first)
        shape = (number, plan.bins.shape[0], plan.bin_count, plan.classes, LANES)
        counts = np.zeros(shape, dtype=np.float64 if is_weighed else np.uint32)
        sums = np.zeros((number, plan.sums, LANES))

        def report(part: float, begun: int = first, share: int = number) -> None:
            step((begun + part * share) / groups)

        _fill(plan, skipped + first, counts, sums, should_stop, report)
        for index in range(number):
            begun = (skipped + first + index) * LANES
            yield DrawBlock(begun, counts[index].astype(np.float64), sums[index])


def _fill(
    plan: DrawPlan,
    first: int,
    counts: Counts,
    sums: FloatArray,
    should_stop: Callable[[], bool],
    step: StepCall,
) -> None:
    """Add all rows to some groups of draws, block by block."""
    rows = len(plan.units)
    flat: Counts = counts.reshape(*counts.shape[:2], plan.bin_count * plan.classes, LANES)
    for start in range(0, rows, BLOCK_ROWS):
        if should_stop():
            raise StoppedError
        block = _Block(plan, start, min(rows, start + BLOCK_ROWS))

        def add(group: int, block: _Block = block) -> None:
            block.add(first + group, flat[group], sums[group])

        run_tasks(add, len(flat))
        step(block.stop / rows)


class _Block:
    """Some rows with all that a group of draws reads of them."""

    def __init__(self, plan: DrawPlan, start: int, stop: int) -> None:
        self.seed = plan.seed
        self.stop = stop
        self.units = plan.units[start:stop]
        self.weight = plan.weight[start:stop]
        self.copies = plan.copies[start:stop]
        if len(self.copies) and not len(self.weight):
            self.weight = np.ones(stop - start)
        bins = plan.bins[:, start:stop].astype(np.uint32)
        self.cells: CellArray = bins * np.uint32(plan.classes) + plan.codes[start:stop]
        self.contributions = plan.contributions(start, stop)

    def add(self, group: int, counts: Counts, sums: FloatArray) -> None:
        """Add the rows to a group of draws: ``counts`` (R, cells, LANES), ``sums`` (S, LANES).

        A group belongs to one thread and its rows come in order: no number depends on threads.
        """
        words = poisson_words(TILE_ROWS)
        for start in range(0, len(self.units), TILE_ROWS):
            tile = slice(start, start + TILE_ROWS)
            weight = self.weight[tile]
            drawn = self._drawn(group, tile, words)
            for ranking, into in enumerate(counts):
                if len(weight):
                    weigh_cells(drawn, weight, self.cells[ranking, tile], into)
                else:
                    count_cells(drawn, self.cells[ranking, tile], into)
            add_to_sums(drawn, weight, self.contributions, start, sums)

    def _drawn(
        self, group: int, tile: slice, words: NDArray[np.uint32]
    ) -> NDArray[np.uint8] | FloatArray:
        """How often each row of a tile is drawn, (rows, LANES)."""
        units = self.units[tile]
        if not len(self.copies):
            fill_poisson_rows(self.seed, group, units, words, 0, len(units))
            return as_weights(words)[: len(units)]
        drawn = np.empty((len(units), LANES))
        fill_poisson_counts(self.seed, group, units, self.copies[tile], drawn)
        return drawn
