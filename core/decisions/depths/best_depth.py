"""The best of all depths: every end of a group of ties is looked at, not the depths of a grid.

Between two ends the profit is a straight line, so the best lies at one of them. Stretches of the
order that cannot reach the best one known are passed over: a stretch adds at most the sum of its
gains above 0, and that sum is at most half of sqrt(cases x sum of squares) + sum of gains
(Cauchy and Schwarz), both of which are kept.

Which depths cannot be told apart from the best one: how much a peak of the chart says.

Two depths of one model differ in the cases between them; those alone make the difference of their
profits, so it is far surer than either profit. A depth is as good as the best where the 95 %
interval of that paired difference holds 0. The variance is exact with both depths held fixed; draws
of the cases would only come near it. The peak was chosen on the same cases, so the range is
rather too narrow than too wide.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np

from core.decisions.depths.depth import DepthPoints, Ordering, Weighting
from core.decisions.depths.sums import (
    CASES,
    CROSS,
    CROSS_0,
    SQUARE,
    SQUARE_0,
    STEP,
    VALUE,
    VALUE_0,
)
from core.decisions.ties import peak
from core.decisions.uncertainty.intervals import limits, total_variance
from payoff.types import BoolArray, FloatArray, IntArray

_AT_ONCE = 1 << 15
"""Ends looked at in one go: what they need of memory stays small."""
_ROUNDING = 1e-12
"""Relative to what the depth moves: less than that is no better depth."""


class SearchedCurve(Protocol):
    """What both curves of depths can do."""

    @property
    def ordering(self) -> Ordering: ...

    @property
    def weighting(self) -> Weighting: ...

    def points(self, depths: FloatArray) -> DepthPoints: ...

    def sums_before(self, positions: IntArray) -> FloatArray: ...


@runtime_checkable
class PeakedCurve(Protocol):
    """A curve whose best depths were found when it was read."""

    peaks: tuple[float, float, float]
    """By all cases, by those of fold 0, by those of fold 1."""

    @property
    def weighting(self) -> Weighting: ...

    def points(self, depths: FloatArray) -> DepthPoints: ...


def best_depth(curve: SearchedCurve | PeakedCurve, points: DepthPoints) -> tuple[float, float]:
    """The depth with the highest profit of all, and that profit; the lowest of equals.

    Parameters
    ----------
    curve : DepthCurve, ProbabilityCurve, or one that knows its peaks
    points : DepthPoints
        Of this curve, with rising depths: where the search begins.

    Returns
    -------
    tuple of float
        NaN each where the profit is not defined.
    """
    if np.isnan(points.profit).any():
        return math.nan, math.nan
    depth = _best_end(curve, points, _ALL)
    return depth, float(curve.points(np.array([depth])).profit[0])


@dataclass(frozen=True, slots=True, eq=False)
class PeakValue:
    """The best depth chosen on half of the cases, valued on the other half, both ways."""

    value: float
    variance: float
    depths: tuple[float, float]


def crossfitted_peak(curve: SearchedCurve | PeakedCurve, points: DepthPoints) -> PeakValue:
    """Value of the best depth without the flattery of choosing and valuing on the same cases.

    Each fold's best depth of all is that of the profit of its own cases; it is applied to the
    other's.

    Parameters
    ----------
    curve : DepthCurve, ProbabilityCurve, or one that knows its peaks
    points : DepthPoints
        Of this curve, with rising depths and a profit that is defined: where the search begins.
    """
    depths = [_best_end(curve, points, parts) for parts in (_FOLD_0, _FOLD_1)]
    at, weighting = curve.points(np.array(depths)), curve.weighting
    value_0, value = at.linear(VALUE_0), at.linear(VALUE)
    square_0 = at.linear(CROSS_0) + at.quadratic(SQUARE_0)
    square = at.linear(CROSS) + at.quadratic(SQUARE)
    sums = weighting.base_value + (value - value_0)[0] + value_0[1]
    variance = total_variance(
        weighting.class_weight,
        weighting.class_cases,
        sums,
        weighting.base_square + (square - square_0)[0] + square_0[1],
        weighting.is_within_class,
    )
    return PeakValue(float(sums @ weighting.class_weight), float(variance), (depths[0], depths[1]))


@dataclass(frozen=True, slots=True)
class _Parts:
    """Which cases choose: the sums of some are added, those of others taken off."""

    value: tuple[int, ...]
    square: tuple[int, ...]

    def values(self, sums: FloatArray) -> FloatArray:
        """What the cases that choose add to the total, by class (the last axis are sums)."""
        return _first_less_others(sums, self.value)

    def squares(self, sums: FloatArray) -> FloatArray:
        """The sum of its squares, by class."""
        return _first_less_others(sums, self.square)


def _first_less_others(sums: FloatArray, names: tuple[int, ...]) -> FloatArray:
    found = sums[..., names[0]]
    for name in names[1:]:
        found = found - sums[..., name]
    return np.asarray(found)


_ALL = _Parts((VALUE,), (SQUARE,))
_FOLD_0 = _Parts((VALUE_0,), (SQUARE_0,))
_FOLD_1 = _Parts((VALUE, VALUE_0), (SQUARE, SQUARE_0))


def _best_end(curve: SearchedCurve | PeakedCurve, points: DepthPoints, parts: _Parts) -> float:
    """The best depth by the cases that choose."""
    if isinstance(curve, PeakedCurve):
        return curve.peaks[(_ALL, _FOLD_0, _FOLD_1).index(parts)]
    search = _Search(curve, points, parts)
    search.search_between(_bounds(points, search.rows))
    return search.depth


def _bounds(points: DepthPoints, rows: int) -> IntArray:
    return np.unique(np.concatenate((points.groups[:, 0], points.groups[:, 1], [0, rows])))


class _Search:
    """The best end known so far, and how it is looked for."""

    def __init__(self, curve: SearchedCurve, points: DepthPoints, parts: _Parts = _ALL) -> None:
        self.curve = curve
        self._parts = parts
        self.rows = int(curve.ordering.order.shape[0])
        weight = curve.weighting.class_weight
        self._weight = weight
        whole = curve.sums_before(np.array([self.rows]))[0]
        moved = float(np.sqrt(whole[:, CASES] * whole[:, SQUARE]) @ weight)
        self._slack = _ROUNDING * moved
        self._whole = float(whole[:, CASES] @ curve.weighting.location_weight)
        share = points.fraction[:, np.newaxis]
        low, high = parts.values(points.low), parts.values(points.high)
        values = (low + share * (high - low)) @ weight
        place = int(np.argmax(values))
        self.depth = float(points.depth[place])
        # A lower end of the same value takes its place: no grid decides among equals.
        self._value = float(values[place]) - (2.0 * self._slack if self.depth > 0.0 else 0.0)

    def search_between(self, bounds: IntArray) -> None:
        """Find the best end between some positions of the order, the first and the last among them.

        First the stretches between them, then the blocks of kept sums in those that are left.
        """
        starts, stops = self._promising(bounds)
        for start, stop in _joined(starts, stops):
            blocks = np.arange(start // STEP + 1, -(-stop // STEP)) * STEP
            left = self._promising(np.concatenate(([start], blocks, [stop])))
            for first, last in _joined(*left):
                for begin in range(first, last, _AT_ONCE):
                    self._inspect(begin, min(last, begin + _AT_ONCE))

    def _promising(self, bounds: IntArray) -> tuple[IntArray, IntArray]:
        """The stretches between positions whose ends may be better than the best known."""
        sums = self.curve.sums_before(bounds)
        value = self._parts.values(sums) @ self._weight
        within = np.diff(sums, axis=0)
        spread = np.sqrt(np.maximum(within[:, :, CASES] * self._parts.squares(within), 0.0))
        most = 0.5 * (spread + self._parts.values(within)) @ self._weight
        is_open: BoolArray = value[:-1] + np.maximum(most, 0.0) > self._value + self._slack
        return bounds[:-1][is_open], bounds[1:][is_open]

    def _inspect(self, start: int, stop: int) -> None:
        """Every end of a group of ties after ``start`` and up to ``stop``."""
        ordering = self.curve.ordering
        key = ordering.key[ordering.order[start : min(stop + 1, self.rows)]]
        is_end = np.append(key[1:] != key[:-1], True) if stop == self.rows else key[1:] != key[:-1]
        ends = start + 1 + np.flatnonzero(is_end)
        if not ends.shape[0]:
            return
        sums = self.curve.sums_before(ends)
        value = self._parts.values(sums) @ self._weight
        place = int(np.argmax(value >= value.max() - self._slack))  # the lowest of equals
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


def differences_to(points: DepthPoints, place: int) -> tuple[FloatArray, FloatArray]:
    """95 % interval of the profit at each depth less that at one of them, (k,) each."""
    value = points.linear(VALUE)
    difference = value - value[place]
    square = _squares_between(points, place)
    weighting = points.weighting
    return limits(
        weighting.class_weight,
        weighting.ends,
        weighting.class_cases,
        difference.T,
        square.T,
        weighting.is_within_class,
    )


def _squares_between(points: DepthPoints, place: int) -> FloatArray:
    """Sum of F (share v)² over the cases between each depth and one of them, (k, levels).

    A case in a group of ties lies between by the share by which the two depths differ in it.
    """
    low, high = points.low[:, :, SQUARE], points.high[:, :, SQUARE]
    group = high - low
    share = points.fraction[:, np.newaxis]
    own, own_share = group[place], float(points.fraction[place])
    before = points.groups[:, 0] < points.groups[place, 0]
    after = points.groups[:, 0] > points.groups[place, 0]
    up = low[place] - high + (1.0 - share) ** 2 * group + own_share**2 * own
    down = low - high[place] + (1.0 - own_share) ** 2 * own + share**2 * group
    same = (share - own_share) ** 2 * group
    chosen = np.where(before[:, np.newaxis], up, np.where(after[:, np.newaxis], down, same))
    return np.asarray(np.maximum(chosen, 0.0))


def best_range(points: DepthPoints) -> tuple[float, float]:
    """Lowest and highest depth not distinguishable from the best of these; NaN without profits.

    Depths between them may be worse for sure: a run of cases that all fail right after the peak.
    """
    profit = points.profit
    if np.isnan(profit).all():
        return math.nan, math.nan
    place = peak(profit)
    low, high = differences_to(points, place)
    is_tied = (low <= 0.0) & (high >= 0.0)
    is_tied[place] = True
    tied = points.depth[is_tied]
    return float(tied.min()), float(tied.max())
