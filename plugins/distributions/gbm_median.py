"""The weighted median with the roundings of R's gbm."""

from __future__ import annotations

import numpy as np

import payoff
from payoff.types import FloatArray


@payoff.kernel(shape="helper")
def gbm_median(values: FloatArray, weight: FloatArray) -> float:
    """Return the weighted median of (m,) values; 0 without weight.

    The first value, in rising order, at which the running weight reaches half; the mean with the
    next weighted value only where it is half to the last bit: the whole is summed in row order
    and the running weight in order of values, as gbm does, so that roundings fall the same way.
    """
    whole = 0.0
    for i in range(values.shape[0]):
        whole += weight[i]
    if whole <= 0.0:
        return 0.0
    order = np.argsort(values, kind="mergesort")
    running = 0.0
    place = -1
    while running < 0.5 * whole and place + 1 < order.shape[0]:
        place += 1
        running += weight[order[place]]
    middle: float = values[order[place]]
    if running > 0.5 * whole:
        return middle
    for later in range(place + 1, order.shape[0]):
        if weight[order[later]] > 0.0:
            following: float = values[order[later]]
            return 0.5 * (middle + following)
    return middle
