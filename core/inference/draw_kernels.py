"""Kernels that add drawn weights to the cells of a ranking and to row sums, 32 draws side by side.

Inner loops run over ``shape[0]`` of a row of lanes, not over the constant: a constant number of
turns is unrolled before it is vectorised, which costs half the speed.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from core.kernels import LANES, own_kernel
from payoff.types import FloatArray

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
