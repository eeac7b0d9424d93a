"""What each case adds to a value, and the variance that follows: the infinitesimal jackknife."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.kernels import CHUNK_ROWS, own_kernel, run_chunks
from payoff.types import AnyArray, FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class CaseInfluence:
    """A value and what each case adds to it: the first-order (infinitesimal jackknife) expansion.

    The variance of the value is ``inflation * sum(parts ** 2)``, that of a difference of two values
    on the same cases the same with the difference of the parts. For the area under the ROC curve
    this is DeLong's estimate (DeLong, DeLong and Clarke-Pearson 1988), for a mean the usual one.

    Attributes
    ----------
    value : float
        The metric.
    parts : (n,) float64 array
        Influence per case, in row order, within each stratum summing to 0.
    strata : (n,) integers or None
        Numbers of the strata whose sizes are held fixed (classes); None: all cases together.
    method : str
        How an interval from it is called.
    scale : float
        What the parts are multiplied with.
    """

    value: float
    parts: FloatArray
    strata: AnyArray | None = None
    method: str = "exact variance"
    scale: float = 1.0

    def variance(self, parts: FloatArray | None = None) -> float:
        """The variance of the value, or of a difference whose influence is ``parts``.

        Divisors are n - 1 per stratum; NaN where a stratum has one case.
        """
        parts = self.parts if parts is None else parts
        square = self.scale**2
        if self.strata is None:
            size = len(parts)
            whole = float(np.dot(parts, parts)) * square
            return whole * size / (size - 1) if size > 1 else float("nan")
        return stratum_variance(*stratum_squares(parts, self.strata)) * square


def stratum_variance(squares: FloatArray, sizes: FloatArray | IntArray) -> float:
    """Variance from sums of squared parts (strata,), divisors n - 1; NaN for one case alone."""
    present = np.asarray(sizes > 0)
    squares, rows = squares[present], np.asarray(sizes[present], dtype=np.float64)
    if (rows < 2).any():
        return float("nan")
    return float(np.sum(squares * rows / (rows - 1)))


@own_kernel
def _add_squares(
    parts: FloatArray, strata: AnyArray, sums: FloatArray, start: int, stop: int
) -> None:
    """Add squares and rows by stratum to the chunk's ``sums`` (chunks, strata, 2)."""
    out = sums[start // CHUNK_ROWS]
    for row in range(start, stop):
        total = out[strata[row]]
        total[0] += parts[row] * parts[row]
        total[1] += 1.0


def stratum_squares(parts: FloatArray, strata: AnyArray) -> tuple[FloatArray, FloatArray]:
    """Sum of squares and number of the parts (n,) in each stratum, (strata,) each."""
    chunks = -(-len(parts) // CHUNK_ROWS)
    sums = np.zeros((chunks, int(strata.max()) + 1, 2))
    run_chunks(_add_squares, (parts, strata, sums), len(parts))
    whole = np.cumsum(sums, axis=0)[-1]
    return whole[:, 0], whole[:, 1]
