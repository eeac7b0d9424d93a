"""Steps taken one after another, best first: sums at any place, ties shared in proportion.

A step changes one case from one decision to another; it uses something up and brings something.
Sums are exact at the ends of groups of equal keys, and in proportion inside a group, as everywhere
on the axis of depth.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.decisions.uncertainty.prior_range import limits
from core.kernels import argsort_descending, fitting_threads
from payoff.types import CodeArray, FloatArray, IntArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Steps:
    """s steps, in any order.

    Attributes
    ----------
    key : array (s,)
        The higher, the sooner.
    use : array (s,)
        What a step uses up, weighted; not negative.
    level, frequency : array (s,)
        Of the case.
    before, change : array (s,)
        What the case brings before the step, and by how much the step changes that; unweighted.
    tallies : array (m, s)
        Weighted quantities that are added up along.
    """

    key: FloatArray
    use: FloatArray
    level: CodeArray
    frequency: FloatArray
    before: FloatArray
    change: FloatArray
    tallies: FloatArray

    def sorted(self) -> Steps:
        """The same steps, highest key first."""
        with fitting_threads(self.key.shape[0]):
            order = argsort_descending(np.ascontiguousarray(self.key))
        return Steps(
            key=self.key[order],
            use=self.use[order],
            level=self.level[order],
            frequency=self.frequency[order],
            before=self.before[order],
            change=self.change[order],
            tallies=self.tallies[:, order],
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class StepBase:
    """What holds before the first step: sums by class (levels,), tallies (m,), use."""

    class_weight: FloatArray
    class_cases: FloatArray
    is_within_class: bool
    ends: FloatArray | None
    value: FloatArray
    square: FloatArray
    tallies: FloatArray
    used: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class StepPoints:
    """Quantities where some amounts are used up, q of them."""

    used: FloatArray  # (q,), at most what was asked for
    key: FloatArray  # (q,), of the step that comes next; 0 where every step is taken
    tallies: FloatArray  # (m, q)
    value: FloatArray  # (levels, q)
    square: FloatArray  # (levels, q)
    base: StepBase

    @property
    def total(self) -> FloatArray:
        """Weighted total of all cases, (q,)."""
        return np.asarray(self.base.class_weight @ self.value)

    @property
    def limits(self) -> tuple[FloatArray, FloatArray]:
        """Ends of the 95 % interval of ``total``, (q,) each."""
        base = self.base
        return limits(
            base.class_weight,
            base.ends,
            base.class_cases,
            self.value,
            self.square,
            base.is_within_class,
        )


class StepCurve:
    """Steps in order, with the sums that make every place exact."""

    def __init__(self, steps: Steps, base: StepBase) -> None:
        self.steps = steps.sorted()
        self.base = base
        key = self.steps.key
        count = key.shape[0]
        changes = np.flatnonzero(key[1:] != key[:-1]) + 1
        self._ends = np.append(changes, count) if count else np.zeros(0, dtype=np.int64)
        running = np.cumsum(self.steps.use)
        self._used = running[self._ends - 1] if count else np.zeros(0)

    @property
    def most(self) -> float:
        """What all steps together use up."""
        return self.base.used + (float(self._used[-1]) if self._used.shape[0] else 0.0)

    def points(self, amounts: FloatArray) -> StepPoints:
        """Quantities where ``amounts`` (q,) are used up, or all steps are taken before."""
        first, end, share = self._places(amounts)
        low, high = self._sums(first), self._sums(end)
        value = low.value + share * (high.value - low.value)
        cross = low.cross + share * (high.cross - low.cross)
        square = low.square + share**2 * (high.square - low.square)
        tallies = low.tallies + share * (high.tallies - low.tallies)
        return StepPoints(
            used=np.minimum(np.maximum(amounts, self.base.used), self.most),
            key=self._next_key(amounts),
            tallies=self.base.tallies[:, np.newaxis] + tallies,
            value=self.base.value[:, np.newaxis] + value,
            square=self.base.square[:, np.newaxis] + cross + square,
            base=self.base,
        )

    def _next_key(self, amounts: FloatArray) -> FloatArray:
        """Key of the step that a little more than an amount would pay for."""
        left = np.maximum(amounts - self.base.used, 0.0)
        rounding = 1e-12 * (self.most - self.base.used)  # sums of weights end a hair off
        group = np.searchsorted(self._used, left + rounding, side="right")
        heads = np.append(self.steps.key[self._ends - 1], 0.0) if self._ends.shape[0] else _NOTHING
        return np.asarray(heads[np.minimum(group, heads.shape[0] - 1)])

    def _places(self, amounts: FloatArray) -> tuple[IntArray, IntArray, FloatArray]:
        """First step and end of the group in which an amount runs out, and the share within."""
        groups = self._ends.shape[0]
        if not groups:
            nothing = np.zeros(amounts.shape[0], dtype=np.int64)
            return nothing, nothing, np.zeros(amounts.shape[0])
        left = np.maximum(amounts - self.base.used, 0.0)
        group = np.minimum(np.searchsorted(self._used, left), groups - 1)
        first = np.where(group > 0, self._ends[np.maximum(group - 1, 0)], 0)
        before = np.where(group > 0, self._used[np.maximum(group - 1, 0)], 0.0)
        width = self._used[group] - before
        share = np.divide(left - before, width, out=np.ones_like(width), where=width > 0)
        return first, self._ends[group], np.clip(share, 0.0, 1.0)

    def _sums(self, positions: IntArray) -> _Sums:
        """Sums over the steps before some positions."""
        steps, levels = self.steps, self.base.class_weight.shape[0]
        marks = np.unique(positions)
        segment = np.zeros(steps.key.shape[0] + 1, dtype=np.int64)
        segment[marks] = 1
        np.cumsum(segment, out=segment)
        segment = segment[:-1]
        place = np.searchsorted(marks, positions)
        buckets = marks.shape[0] + 1

        def by_class(values: FloatArray) -> FloatArray:
            where = segment * levels + steps.level
            sums = np.bincount(where, weights=steps.frequency * values, minlength=buckets * levels)
            return np.asarray(np.cumsum(sums.reshape(buckets, levels), axis=0)[place].T)

        tallies = [
            np.cumsum(np.bincount(segment, weights=row, minlength=buckets))[place]
            for row in steps.tallies
        ]
        return _Sums(
            value=by_class(steps.change),
            cross=by_class(2.0 * steps.before * steps.change),
            square=by_class(steps.change**2),
            tallies=np.array(tallies, dtype=np.float64).reshape(len(tallies), positions.shape[0]),
        )


_NOTHING = np.zeros(1)


@dataclass(frozen=True, slots=True, eq=False)
class _Sums:
    value: FloatArray  # (levels, q)
    cross: FloatArray
    square: FloatArray
    tallies: FloatArray  # (m, q)
