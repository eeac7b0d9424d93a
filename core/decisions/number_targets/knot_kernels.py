"""The kernel of straight lines between knots: every decision's amount at every value."""

from __future__ import annotations

import numpy as np

from core.kernels import CHUNK_ROWS, own_kernel, parallel_kernel, prange
from payoff.types import FloatArray


@own_kernel
def _write_row(
    value: float, knots: FloatArray, amounts: FloatArray, row: int, out: FloatArray
) -> None:
    """The amounts at one value; beyond the outer knots the end lines go on."""
    last = knots.shape[0] - 1
    place = 0
    while place < last - 1 and value >= knots[place + 1]:
        place += 1
    left, right = knots[place], knots[place + 1]
    share = (value - left) / (right - left)
    for decision in range(out.shape[0]):
        first, second = amounts[place, decision], amounts[place + 1, decision]
        line = first + share * (second - first)
        out[decision, row] = second if share == 1.0 else line  # exact on the last knot


@parallel_kernel
def lines_at(values: FloatArray, knots: FloatArray, amounts: FloatArray, out: FloatArray) -> None:
    """Fill ``out`` (decisions, n) with the amounts at each value; NaN where there is none.

    ``knots`` (two or more) rise; ``amounts`` is (knots, decisions).
    """
    n = values.shape[0]
    for chunk in prange((n + CHUNK_ROWS - 1) // CHUNK_ROWS):
        for row in range(chunk * CHUNK_ROWS, min(n, (chunk + 1) * CHUNK_ROWS)):
            if np.isfinite(values[row]):
                _write_row(values[row], knots, amounts, row, out)
            else:
                for decision in range(out.shape[0]):
                    out[decision, row] = np.nan
