"""What a learner sees: conditions and T(S) side by side, scaled by the training rows alone."""

from __future__ import annotations

import numpy as np

from core.kernels import own_kernel
from payoff.types import FloatArray, IntArray


@own_kernel
def _moments(raw: FloatArray, rows: IntArray, mean: FloatArray, scale: FloatArray) -> None:
    """Mean and standard deviation of the columns over some rows; NaN cells are left out."""
    width = raw.shape[1]
    count = np.zeros(width)
    mean[:] = 0.0
    scale[:] = 0.0
    for row in rows:
        line = raw[row]
        for place in range(width):
            known = not np.isnan(line[place])
            count[place] += 1.0 if known else 0.0
            mean[place] += line[place] if known else 0.0
    for place in range(width):
        mean[place] = mean[place] / count[place] if count[place] > 0.0 else 0.0
    for row in rows:
        line = raw[row]
        for place in range(width):
            apart = line[place] - mean[place]
            scale[place] += apart * apart if not np.isnan(apart) else 0.0
    for place in range(width):
        spread = np.sqrt(scale[place] / count[place]) if count[place] > 0.0 else 0.0
        scale[place] = spread if spread > 0.0 else 1.0


@own_kernel
def _write_scaled(
    raw: FloatArray,
    rows: IntArray,
    fill: FloatArray,
    mean: FloatArray,
    scale: FloatArray,
    out: FloatArray,
) -> None:
    for place in range(rows.shape[0]):
        line, target = raw[rows[place]], out[place]
        for column in range(raw.shape[1]):
            value = line[column]
            value = fill[column] if np.isnan(value) else value
            target[column] = (value - mean[column]) / scale[column]


class Scaling:
    """Medians, means and standard deviations of the training rows."""

    def __init__(self, raw: FloatArray, train: IntArray) -> None:
        width = raw.shape[1]
        self.fill = np.zeros(width)
        for column in np.flatnonzero(np.isnan(raw).any(axis=0)):
            known = raw[train, column]
            known = known[~np.isnan(known)]
            self.fill[column] = np.median(known) if len(known) else 0.0
        self.mean, self.scale = np.empty(width), np.empty(width)
        _moments(raw, train, self.mean, self.scale)

    def apply(self, raw: FloatArray, rows: IntArray) -> FloatArray:
        """The scaled columns of some rows, float64 (rows, p)."""
        out = np.empty((len(rows), raw.shape[1]))
        _write_scaled(raw, rows, self.fill, self.mean, self.scale, out)
        return out


def with_flags(conditions: FloatArray) -> FloatArray:
    """Conditions with a 0/1 column more for each that has gaps."""
    missing = np.isnan(conditions)
    flags = missing[:, missing.any(axis=0)].astype(np.float64)
    return np.ascontiguousarray(np.hstack([conditions, flags]))
