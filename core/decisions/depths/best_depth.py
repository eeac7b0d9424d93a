"""The best of all depths: every end of a group of ties is looked at, not the depths of a grid.

Between two ends the profit is a straight line, so the best lies at one of them. Stretches of the
order that cannot reach the best one known are passed over: a stretch adds at most the sum of its
gains above 0, and that sum is at most half of sqrt(cases x sum of squares) + sum of gains
(Cauchy and Schwarz), both of which are kept.
"""

from __future__ import annotations

import math
from typing import Protocol

import numpy as np

from core.decisions.depths.depth import DepthPoints, Ordering, Weighting
from core.decisions.depths.sums import CASES, SQUARE, STEP, VALUE
from payoff.types import BoolArray, FloatArray, IntArray

_AT_ONCE = 1 << 15
"""Ends looked at in one go: what they need of memory stays small."""
_ROUNDING = 1e-12
"""Relative to what the depth moves: less than that is no better depth."""


class Curve(Protocol):
    """What both curves of depths can do."""

    @property
    def ordering(self) -> Ordering: ...

    @property
    def weighting(self) -> Weighting: ...

    def points(self, depths: FloatArray) -> DepthPoints: ...

    def sums_before(self, positions: IntArray) -> FloatArray: ...


def best_depth(curve: Curve, points: DepthPoints) -> tuple[float, float]:
    """The depth with the highest profit of all, and that profit; the lowest of equals.

    Parameters
    ----------
    curve : DepthCurve or ChanceCurve
    points : DepthPoints
        Of this curve, with rising depths: where the search begins.

    Returns
    -------
    tuple of float
        NaN each where the profit is not defined.
    """
    if np.isnan(points.profit).any():
        return math.nan, math.nan
    search = _Search(curve, points)
    search.look_between(_bounds(points, search.rows))
    depth = search.depth
    return depth, float(curve.points(np.array([depth])).profit[0])


def _bounds(points: DepthPoints, rows: int) -> IntArray:
    return np.unique(np.concatenate((points.groups[:, 0], points.groups[:, 1], [0, rows])))


class _Search:
    """The best end known so far, and how it is looked for."""

    def __init__(self, curve: Curve, points: DepthPoints) -> None:
        self.curve = curve
        self.rows = int(curve.ordering.order.shape[0])
        weight = curve.weighting.class_weight
        self._weight = weight
        whole = curve.sums_before(np.array([self.rows]))[0]
        moved = float(np.sqrt(whole[:, CASES] * whole[:, SQUARE]) @ weight)
        self._slack = _ROUNDING * moved
        self._whole = float(whole[:, CASES] @ curve.weighting.location_weight)
        place = int(np.argmax(points.profit))
        self._value = float(points.linear(VALUE)[place] @ weight)
        self.depth = float(points.depth[place])

    def look_between(self, bounds: IntArray) -> None:
        """Find the best end between some positions of the order, the first and the last among them.

        First the stretches between them, then the blocks of kept sums in those that are left.
        """
        starts, stops = self._promising(bounds)
        for start, stop in _joined(starts, stops):
            blocks = np.arange(start // STEP + 1, -(-stop // STEP)) * STEP
            left = self._promising(np.concatenate(([start], blocks, [stop])))
            for first, last in _joined(*left):
                for begin in range(first, last, _AT_ONCE):
                    self._look_at(begin, min(last, begin + _AT_ONCE))

    def _promising(self, bounds: IntArray) -> tuple[IntArray, IntArray]:
        """The stretches between positions whose ends may be better than the best known."""
        sums = self.curve.sums_before(bounds)
        value = sums[:, :, VALUE] @ self._weight
        within = np.diff(sums, axis=0)
        spread = np.sqrt(np.maximum(within[:, :, CASES] * within[:, :, SQUARE], 0.0))
        most = 0.5 * (spread + within[:, :, VALUE]) @ self._weight
        is_open: BoolArray = value[:-1] + np.maximum(most, 0.0) > self._value + self._slack
        return bounds[:-1][is_open], bounds[1:][is_open]

    def _look_at(self, start: int, stop: int) -> None:
        """Every end of a group of ties after ``start`` and up to ``stop``."""
        ordering = self.curve.ordering
        key = ordering.key[ordering.order[start : min(stop + 1, self.rows)]]
        is_end = np.append(key[1:] != key[:-1], True) if stop == self.rows else key[1:] != key[:-1]
        ends = start + 1 + np.flatnonzero(is_end)
        if not ends.shape[0]:
            return
        sums = self.curve.sums_before(ends)
        value = sums[:, :, VALUE] @ self._weight
        place = int(np.argmax(value))
        if value[place] > self._value + self._slack:
            self._value = float(value[place])
            cases = float(sums[place][:, CASES] @ self.curve.weighting.location_weight)
            self.depth = cases / self._whole


def _joined(starts: IntArray, stops: IntArray) -> list[tuple[int, int]]:
    """Stretches, with those that touch made one."""
    if not starts.shape[0]:
        return []
    is_new = np.append(True, starts[1:] != stops[:-1])
    is_last = np.append(is_new[1:], True)
    pairs = zip(starts[is_new], stops[is_last], strict=True)
    return [(int(start), int(stop)) for start, stop in pairs]
