"""Sums over cases that do not depend on the number of threads."""

from __future__ import annotations

import numpy as np

from core.boosting.rules import MaskArray
from core.kernels import CHUNK_ROWS, parallel_kernel, prange
from payoff.types import FloatArray


@parallel_kernel
def _chunk_sums(values: FloatArray, weight: FloatArray, skip: MaskArray, out: FloatArray) -> None:
    for chunk in prange(out.shape[0]):
        total = mass = 0.0
        for i in range(chunk * CHUNK_ROWS, min(values.shape[0], (chunk + 1) * CHUNK_ROWS)):
            if skip.shape[0] == 0 or skip[i] == 0:
                total += weight[i] * values[i]
                mass += weight[i]
        out[chunk, 0] = total
        out[chunk, 1] = mass


def masked_sums(
    values: FloatArray, weight: FloatArray, skip: MaskArray | None
) -> tuple[float, float]:
    """Sum of weight times value, and of weight, over the cases whose ``skip`` is 0."""
    out = np.zeros((-(-values.shape[0] // CHUNK_ROWS), 2))
    nobody = np.zeros(0, dtype=np.uint8)
    _chunk_sums(values, weight, nobody if skip is None else skip, out)
    total, mass = out.sum(axis=0)
    return float(total), float(mass)
