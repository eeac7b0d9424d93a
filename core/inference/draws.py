"""Poisson bootstrap draws: one pass over the rows fills every draw of every ranking and row sum.

A draw changes weights only. Rankings are kept as class weights in bins of whole groups of equal
scores, so that a draw of a curve costs the same for a thousand cases and for ten million.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from core.inference.draw_kernels import BinArray, CellArray, add_to_sums, count_cells, weigh_cells
from core.kernels import LANES
from core.kernels.draws import (
    as_weights,
    fill_poisson_counts,
    fill_poisson_rows,
    poisson_words,
)
from core.kernels.tasks import run_tasks
from payoff.errors import StoppedError
from payoff.types import FloatArray, IntArray

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
    groups = -(-plan.draws // LANES)
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

        _fill(plan, first, counts, sums, should_stop, report)
        for index in range(number):
            yield DrawBlock((first + index) * LANES, counts[index].astype(np.float64), sums[index])


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
