"""Binning: where the borders lie, and the bins of every case.

A bin number counts the borders at or below the value: bin b holds border[b - 1] <= x < border[b].
The largest number of the type (255 or 65,535) is a missing value; one less an unknown level.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.boosting.inputs import InputArray, InputColumn, Inputs
from core.kernels import own_kernel, parallel_kernel, prange, sort_ascending, threads
from payoff.types import FloatArray, IntArray

BinArray = NDArray[Any]
"""uint8 or uint16."""

SAMPLE_ROWS = 200_000
"""Rows that borders are taken from where there are more distinct values than bins."""

BLOCK_ROWS = 512
FEW_ROWS = 1_000
"""Rows below which a search by numpy is done before a grid would be made and threads begun."""
CELLS = 2_048
MOST_STEPS = 4
"""Borders in one cell of a column's grid up to which stepping is quicker than halving."""

BYTE_BINS = 255
BYTE_LEVELS = 254


@dataclass(frozen=True, slots=True)
class Borders:
    """Borders of each column.

    Attributes
    ----------
    numbers : tuple of float64 arrays
        Rising; empty for nominal columns.
    n_bins : int64 (F,)
        Bins that hold values (nominal: levels).
    is_wide : bool
        Whether bins take two bytes.
    """

    numbers: tuple[FloatArray, ...]
    n_bins: IntArray
    is_wide: bool

    @property
    def missing_bin(self) -> int:
        """The bin of missing values."""
        return 65_535 if self.is_wide else 255


@own_kernel
def _pack_values(values: InputArray, most: int, borders: FloatArray) -> int:
    """Fill borders between sorted values so that at most ``most`` bins hold about equal counts.

    A value as frequent as a full bin gets one of its own. Returns the number of borders; a border
    lies halfway between neighbouring values, or on the upper one where rounding says so.
    """
    n = values.shape[0]
    found = 0
    held = 0
    left = n
    start = 0
    while start < n:
        end = start + 1
        while end < n and values[end] == values[start]:
            end += 1
        size = end - start
        target = left / (most - found)
        closes_before = held > 0 and size >= target
        if start > 0 and found < most - 1 and (held >= target or closes_before):
            low = np.float64(values[start - 1])
            high = np.float64(values[start])
            middle = low + 0.5 * (high - low)
            borders[found] = middle if low < middle <= high else high
            found += 1
            left -= held
            held = 0
        held += size
        start = end
    return found


def column_borders(values: InputArray, most: int) -> FloatArray:
    """Borders of one column: between all distinct values, or of about equal counts.

    Parameters
    ----------
    values : float (n,)
        NaN = missing.
    most : int
        Most bins.
    """
    step = max(1, values.shape[0] // SAMPLE_ROWS)
    # One type of array, whatever the inputs' is: the kernel is compiled once.
    sample = sort_ascending(np.array(values[::step], dtype=np.float64))
    distinct = (
        sample[np.concatenate([[True], sample[1:] != sample[:-1]])] if sample.size else sample
    )
    if distinct.shape[0] <= most and step == 1:
        sample = distinct
        most = max(distinct.shape[0], 1)
    borders = np.empty(most)
    return borders[: _pack_values(sample, most, borders)].copy()


def find_borders(inputs: Inputs, train_rows: int, max_bins: int) -> Borders:
    """Borders from the training cases; two-byte bins where one byte is too small."""
    levels = max((len(c.levels) for c in inputs.columns if c.is_nominal), default=0)
    is_wide = max_bins > BYTE_BINS or levels > BYTE_LEVELS
    pairs = tuple(zip(inputs.columns, inputs.arrays, strict=True))

    def of_one(pair: tuple[InputColumn, InputArray]) -> FloatArray:
        column, array = pair
        return np.zeros(0) if column.is_nominal else column_borders(array[:train_rows], max_bins)

    if train_rows < FEW_ROWS or threads() == 1:
        numbers = tuple(map(of_one, pairs))
    else:  # sorting lets go of the lock
        with ThreadPoolExecutor(threads(), thread_name_prefix="payoff-borders") as pool:
            numbers = tuple(pool.map(of_one, pairs))
    n_bins = [
        len(column.levels) if column.is_nominal else borders.shape[0] + 1
        for column, borders in zip(inputs.columns, numbers, strict=True)
    ]
    return Borders(numbers, np.array(n_bins, dtype=np.int64), is_wide)


def joined_borders(borders: Borders) -> tuple[FloatArray, IntArray]:
    """All borders one column after the other, and where each column's begin, (F + 1,)."""
    sizes = [numbers.shape[0] for numbers in borders.numbers]
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    return np.concatenate([np.zeros(0), *borders.numbers]), starts


def byte_table(borders: Borders, dtype: Any) -> InputArray:
    """Borders as (F, 256) of the inputs' type, padded with NaN (never at or below a value).

    A float32 border is the next float32 at or above the float64 one: the same cases lie below it.
    """
    table = np.full((len(borders.numbers), 256), np.nan, dtype=dtype)
    for place, numbers in enumerate(borders.numbers):
        cut = numbers.astype(dtype)
        below = cut < numbers
        cut[below] = np.nextafter(cut[below], np.array(np.inf, dtype=dtype))
        table[place, : cut.shape[0]] = cut
    return table


@own_kernel(inline=True)
def _byte_bin(borders: InputArray, value: float) -> np.uint8:
    """Count the borders at or below a value without a branch; missing = 255."""
    p = np.uint64(0)
    p += np.uint64(128) if borders[p + np.uint64(127)] <= value else np.uint64(0)
    p += np.uint64(64) if borders[p + np.uint64(63)] <= value else np.uint64(0)
    p += np.uint64(32) if borders[p + np.uint64(31)] <= value else np.uint64(0)
    p += np.uint64(16) if borders[p + np.uint64(15)] <= value else np.uint64(0)
    p += np.uint64(8) if borders[p + np.uint64(7)] <= value else np.uint64(0)
    p += np.uint64(4) if borders[p + np.uint64(3)] <= value else np.uint64(0)
    p += np.uint64(2) if borders[p + np.uint64(1)] <= value else np.uint64(0)
    p += np.uint64(1) if borders[p] <= value else np.uint64(0)
    return np.uint8(255) if np.isnan(value) else np.uint8(p)


class Grid(NamedTuple):
    """Where among a column's borders to begin: equal cells between the first and the last one.

    ``low`` and ``scale`` (F,) give a value's cell; ``start`` uint8 (F, CELLS) the borders before
    the cell; ``steps`` int64 (F,) the most borders in one, or -1 where halving is quicker.
    """

    low: InputArray
    scale: InputArray
    start: NDArray[np.uint8]
    steps: NDArray[np.int64]


@own_kernel(inline=True)
def _cell(value: float, low: float, scale: float, last: float) -> Any:
    """The cell of a value; never falls as the value rises. Missing: cell 0."""
    place = (value - low) * scale
    place = place if place > 0.0 else 0.0
    return np.int64(place if place < last else last)


@own_kernel
def _fill_grid(
    borders: InputArray, low: float, scale: float, last: float, start: NDArray[np.uint8]
) -> int:
    """Fill how many borders lie before each cell; the most in one cell."""
    size = start.shape[0]
    count = np.zeros(size + 1, dtype=np.int64)
    for border in borders:
        count[_cell(border, low, scale, last)] += 1
    before = most = 0
    for cell in range(size):
        start[cell] = before
        before += count[cell]
        most = max(most, count[cell])
    return most


def make_grid(table: InputArray, sizes: list[int]) -> Grid:
    """The grid of every column of a table of borders (F, 256) of which ``sizes`` are used."""
    width = table.shape[0]
    kind = table.dtype.type
    low, scale = np.zeros(width, dtype=kind), np.zeros(width, dtype=kind)
    start = np.zeros((width, CELLS), dtype=np.uint8)
    steps = np.full(width, -1, dtype=np.int64)
    for column, size in enumerate(sizes):
        borders = table[column, :size]
        if size == 0:
            continue
        with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
            reach = borders[-1] - borders[0]
            cells = kind(CELLS) / reach if reach > 0 else kind(0)
        if not np.isfinite(reach) or not np.isfinite(cells):
            continue
        low[column], scale[column] = borders[0], cells
        most = _fill_grid(borders, low[column], cells, kind(CELLS - 1), start[column])
        steps[column] = most if most <= MOST_STEPS else -1
    return Grid(low, scale, start, steps)


@own_kernel
def _bin_rows(
    values: InputArray,
    begin: int,
    stop: int,
    borders: InputArray,
    low: float,
    scale: float,
    last: float,
    start: NDArray[np.uint8],
    steps: int,
    out: BinArray,
) -> None:
    """Bins of some values of a column: the borders at or below each."""
    if steps < 0:
        for row in range(begin, stop):
            out[row] = _byte_bin(borders, values[row])
        return
    for row in range(begin, stop):
        value = values[row]
        place = np.uint64(start[_cell(value, low, scale, last)])
        for _ in range(steps):
            place += np.uint64(1) if borders[place] <= value else np.uint64(0)
        out[row] = np.uint8(255) if np.isnan(value) else np.uint8(place)


@parallel_kernel
def _bin_matrix(matrix: InputArray, table: InputArray, grid: Grid, out: BinArray) -> None:
    n, width = matrix.shape
    last = grid.low.dtype.type(CELLS - 1)
    for block in prange((n + BLOCK_ROWS - 1) // BLOCK_ROWS):
        start = block * BLOCK_ROWS
        stop = min(n, start + BLOCK_ROWS)
        for column in range(width):
            _bin_rows(
                matrix[:, column],
                start,
                stop,
                table[column],
                grid.low[column],
                grid.scale[column],
                last,
                grid.start[column],
                grid.steps[column],
                out[column],
            )


@parallel_kernel
def _bin_column(values: InputArray, borders: InputArray, grid: Grid, out: BinArray) -> None:
    n = values.shape[0]
    last = grid.low.dtype.type(CELLS - 1)
    for block in prange((n + 4095) // 4096):
        _bin_rows(
            values,
            block * 4096,
            min(n, block * 4096 + 4096),
            borders,
            grid.low[0],
            grid.scale[0],
            last,
            grid.start[0],
            grid.steps[0],
            out,
        )


def bin_inputs(inputs: Inputs, borders: Borders) -> BinArray:
    """Bins of every case, uint8 or uint16 (F, n)."""
    dtype = np.uint16 if borders.is_wide else np.uint8
    out = np.empty((len(inputs.arrays), inputs.n_rows), dtype=dtype)
    if inputs.matrix is not None and not borders.is_wide and inputs.n_rows >= FEW_ROWS:
        table = byte_table(borders, inputs.matrix.dtype)
        grid = make_grid(table, [numbers.shape[0] for numbers in borders.numbers])
        _bin_matrix(inputs.matrix, table, grid, out)
        return out
    for place, (column, array) in enumerate(zip(inputs.columns, inputs.arrays, strict=True)):
        if column.is_nominal:
            out[place] = _level_bins(array, borders.missing_bin)
        elif borders.is_wide or inputs.n_rows < FEW_ROWS:
            bins = np.searchsorted(borders.numbers[place], array, side="right")
            bins[np.isnan(array)] = borders.missing_bin
            out[place] = bins
        else:
            one = Borders((borders.numbers[place],), borders.n_bins[place : place + 1], False)
            table = byte_table(one, array.dtype)
            _bin_column(array, table[0], make_grid(table, [one.numbers[0].shape[0]]), out[place])
    return out


def _level_bins(codes: InputArray, missing_bin: int) -> IntArray:
    bins = np.where(codes < 0.0, missing_bin - 1.0, codes)
    return np.where(np.isnan(bins), float(missing_bin), bins).astype(np.int64)
