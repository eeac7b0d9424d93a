"""Depth: cases in the order of the advantage of acting, and what acting on the best n % brings.

Every quantity at a depth is exact: kept sums plus the scan of one block. Where a depth ends inside
a group of ties, the group's cases share it proportionally, so nothing depends on their order.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from core.decisions.depths.sums import (
    CASES,
    CROSS,
    EXPECTED,
    SQUARE,
    STEP,
    SUMS,
    VALUE,
    OrderedCases,
    find_depths,
    sum_blocks,
    sums_at,
)
from core.decisions.passes.case_blocks import ByteArray
from core.decisions.passes.rating_kernels import ShortArray
from core.decisions.problem import Consequences
from core.decisions.uncertainty.intervals import limits
from core.kernels import argsort_descending, fitting_threads
from payoff.types import FloatArray, IntArray, OrderArray

GRID = np.linspace(0.0, 1.0, 1001)
"""Depths that a screen shows."""


@dataclass(frozen=True, slots=True, eq=False)
class Ordering:
    """Cases best first. ``key`` is by row number; ``sign`` -1 where a small key is better."""

    order: OrderArray  # rows that are counted, best first
    key: FloatArray
    sign: float


def order_by(key: FloatArray, counted: int, sign: float = 1.0) -> Ordering:
    """Rows by descending ``key`` (ascending for sign -1); rows without a key (NaN) left out."""
    order = argsort_descending(key)[:counted]
    if sign < 0:
        order = np.ascontiguousarray(order[::-1])
    return Ordering(order, key, sign)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RatedCases:
    """Cases of one model under one matrix, as the kernels read them."""

    code: ShortArray
    parts: ByteArray  # (codes, 4): what a code says
    worth: FloatArray  # (codes, 5): what it brings
    consequences: Consequences
    acting: int
    is_firm: bool  # within the depth every case gets its own decision, beyond it nothing
    value_expected: FloatArray  # by row: advantage of acting, or (firm) expected consequence
    frequency: FloatArray  # empty = 1 each


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Weighting:
    """How classes are weighted, and what all cases bring when the depth is 0 (by class)."""

    class_weight: FloatArray
    class_cases: FloatArray
    is_within_class: bool
    base_value: FloatArray
    base_square: FloatArray
    base_expected: FloatArray
    ends: FloatArray | None = None  # (2, levels): weights at the ends of a prior's range

    @property
    def location_weight(self) -> FloatArray:
        """Weights that place a case on the axis: where totals are undefined, plain cases."""
        if np.isnan(self.class_weight).any() or not np.any(self.class_weight * self.class_cases):
            return np.ones_like(self.class_weight)
        return self.class_weight


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DepthPoints:
    """Quantities at some depths. ``low`` and ``high`` hold sums before and after the tied group."""

    depth: FloatArray
    groups: IntArray  # (k, 2): first position and end of the group in which the depth ends
    fraction: FloatArray  # (k,): share of that group within
    low: FloatArray  # (k, levels, SUMS)
    high: FloatArray
    cut: FloatArray  # (k,): key of that group
    weighting: Weighting

    def linear(self, what: int) -> FloatArray:
        """A sum that grows in proportion inside a group, (k, levels)."""
        share = self.fraction[:, np.newaxis]
        return np.asarray(
            self.low[:, :, what] + share * (self.high[:, :, what] - self.low[:, :, what])
        )

    def quadratic(self, what: int) -> FloatArray:
        """A sum of squares: inside a group it grows with the square of the share, (k, levels)."""
        share = self.fraction[:, np.newaxis] ** 2
        return np.asarray(
            self.low[:, :, what] + share * (self.high[:, :, what] - self.low[:, :, what])
        )

    @property
    def rows(self) -> FloatArray:
        """Rows within, (k,); a part of a tied group counts in proportion."""
        first, end = self.groups[:, 0], self.groups[:, 1]
        return np.asarray(first + self.fraction * (end - first))

    @property
    def class_cases(self) -> FloatArray:
        """Prior-weighted cases within by class, (levels, k)."""
        weighted = self.linear(CASES) * self.weighting.class_weight
        return np.ascontiguousarray(weighted.T)

    @property
    def profit(self) -> FloatArray:
        """Total of all cases at each depth, (k,)."""
        sums = self.weighting.base_value + self.linear(VALUE)
        return np.asarray(sums @ self.weighting.class_weight)

    @property
    def expected(self) -> FloatArray:
        """The same from the posteriors, (k,)."""
        sums = self.weighting.base_expected + self.linear(EXPECTED)
        return np.asarray(sums @ self.weighting.class_weight)

    @property
    def limits(self) -> tuple[FloatArray, FloatArray]:
        """Ends of the pointwise 95 % interval of ``profit``, (k,) each."""
        weighting = self.weighting
        value = weighting.base_value + self.linear(VALUE)
        square = weighting.base_square + self.linear(CROSS) + self.quadratic(SQUARE)
        return limits(
            weighting.class_weight,
            weighting.ends,
            weighting.class_cases,
            value.T,
            square.T,
            weighting.is_within_class,
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DepthCurve:
    """One model's cases in order, with the sums that make every depth exact."""

    ordering: Ordering
    cases: RatedCases
    weighting: Weighting
    before: FloatArray  # (blocks + 1, levels, SUMS)
    weight_before: FloatArray = field(repr=False)  # (blocks + 1,)
    is_by_probability: ClassVar[bool] = False

    def points(self, depths: FloatArray) -> DepthPoints:
        """Quantities at some depths (0 to 1), a few microseconds each."""
        with fitting_threads(depths.shape[0] * STEP):
            return self._points(depths)

    def _points(self, depths: FloatArray) -> DepthPoints:
        cases, order = self.cases, self.ordering.order
        groups = np.empty((depths.shape[0], 2), dtype=np.int64)
        fraction = np.empty(depths.shape[0])
        find_depths(
            np.ascontiguousarray(depths, dtype=np.float64),
            self.weight_before,
            order,
            self.ordering.key,
            cases.code,
            cases.parts,
            self.weighting.location_weight,
            cases.frequency,
            groups,
            fraction,
        )
        low, high = self._sums(groups)
        return DepthPoints(
            depth=depths,
            groups=groups,
            fraction=fraction,
            low=low,
            high=high,
            cut=self.ordering.key[order[groups[:, 0]]],
            weighting=self.weighting,
        )

    def _sums(self, groups: IntArray) -> tuple[FloatArray, FloatArray]:
        low, high = np.empty((2, groups.shape[0], *self.before.shape[1:]))
        sums_at(_ordered(self.ordering, self.cases), groups, self.before, low, high)
        return low, high

    def sums_before(self, positions: IntArray) -> FloatArray:
        """Sums of the first so many cases of the order, (k, levels, SUMS)."""
        with fitting_threads(positions.shape[0] * STEP):
            return self._sums(np.column_stack([positions, positions]))[0]

    @property
    def end(self) -> FloatArray:
        """Sums over all counted cases, added in the order of the chart, (levels, SUMS)."""
        return np.asarray(self.before[-1])


def _ordered(ordering: Ordering, cases: RatedCases) -> OrderedCases:
    """What the kernels read of cases along their order."""
    given = cases.consequences
    return OrderedCases(
        order=ordering.order,
        code=cases.code,
        parts=cases.parts,
        worth=cases.worth,
        cost_row=given.cost_row,
        rate=given.rate,
        costs=given.costs,
        acting=cases.acting,
        value_expected=cases.value_expected,
        frequency=cases.frequency,
    )


def depth_curve(ordering: Ordering, cases: RatedCases, weighting: Weighting) -> DepthCurve:
    """Add up cases along their order and keep the sums before every block."""
    rows, levels = ordering.order.shape[0], weighting.class_weight.shape[0]
    blocks = -(-rows // STEP)
    before = np.zeros((blocks + 1, levels, SUMS))
    sum_blocks(_ordered(ordering, cases), before[1:])
    np.cumsum(before, axis=0, out=before)
    return DepthCurve(
        ordering=ordering,
        cases=cases,
        weighting=weighting,
        before=before,
        weight_before=before[:, :, CASES] @ weighting.location_weight,
    )
