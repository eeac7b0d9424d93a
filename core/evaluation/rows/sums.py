"""Row sums that resamples add up: where each metric's numerators and divisors stand in them.

Ranked metrics of experiments: read from sums along the ranking that a higher room adds up.

Metrics of the task "uplift" get sums by arm in place of events and others. The room of uplift
knows how to add them, so it is handed in as ``RankedSums``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

import numpy as np

from core.evaluation.binding import BoundMetric
from core.evaluation.call_guard import CallGuard
from core.evaluation.cases import JudgedCases
from core.evaluation.columns import Column, Measured
from core.evaluation.problem import RankedSums
from core.evaluation.rows.row_means import RowTerms
from payoff.counting import counted
from payoff.types import FloatArray
from payoff.vocabulary import Aggregate, Input, MetricForm

Terms: TypeAlias = tuple[FloatArray, FloatArray]


@dataclass(frozen=True, slots=True, eq=False)
class _Entry:
    """Places of one metric of one model: numerators from ``first`` on, divisors after them."""

    terms: RowTerms
    measured: Measured
    first: int
    means: int
    is_split: bool  # one row per class, since prior weights differ by draw


class SumLayout:
    """All row sums of a set of metrics.

    The first rows are the case weights: one per class under priors, else one for all.

    Parameters
    ----------
    cases : Cases
    guard : CallGuard
        Stands around calls into plugins.
    """

    def __init__(self, cases: JudgedCases, guard: CallGuard) -> None:
        self.cases = cases
        self._guard = guard
        self.base = cases.class_count if cases.factor is not None else 1
        self.size = self.base
        self._entries: list[_Entry] = []

    def add(self, terms: RowTerms, measured: Measured) -> None:
        """Make room for a metric of a model whose resamples go to ``measured``."""
        spec = terms.metric.spec
        means = spec.n_means if spec.form == MetricForm.SMOOTH else 1
        is_split = self.base > 1 and terms.metric.is_prior_weighted
        self._entries.append(_Entry(terms, measured, self.size, means, is_split))
        sides = 1 if terms.has_unit_factor else 2
        self.size += means * sides * (self.base if is_split else 1)

    def contributions(self, start: int, stop: int) -> FloatArray:
        """What rows ``start`` to ``stop`` add to each sum, (size, rows)."""
        out = np.empty((self.size, stop - start))
        members = self._members(start, stop)
        out[: self.base] = members
        for entry in self._entries:
            numerator, divisor = self._block(entry, start, stop)
            sides = [numerator] if entry.terms.has_unit_factor else [numerator, divisor]
            place = entry.first
            for values in sides:
                for mean in values:
                    rows = mean * members if entry.is_split else mean[np.newaxis]
                    out[place : place + len(rows)] = rows
                    place += len(rows)
        return out

    def _block(self, entry: _Entry, start: int, stop: int) -> Terms:
        """The terms of some rows; zeros once the plugin failed, whose cell says so."""
        call = partial(entry.terms.block, self.cases, start, stop)
        found = self._guard.call(entry.terms.metric, entry.measured, call)
        if found is None:
            empty = np.zeros((entry.means, stop - start))
            return empty, empty
        numerator, divisor, _ = found
        return numerator, divisor

    def _members(self, start: int, stop: int) -> FloatArray:
        if self.base == 1:
            return np.ones((1, stop - start))
        codes = self.cases.codes[start:stop]
        is_member: FloatArray = (codes == np.arange(self.base)[:, np.newaxis]).astype(np.float64)
        return is_member

    def spread(self, first: int, sums: FloatArray) -> None:
        """Turn the sums (size, L) of draws ``first`` onward into values of every metric."""
        frequency = sums[: self.base]
        for entry in self._entries:
            call = partial(self._values, entry, sums, frequency)
            values = self._guard.call(entry.terms.metric, entry.measured, call)
            draws = entry.measured.draws
            if values is None or draws is None:
                continue
            kept = draws[first : first + len(values)]
            kept[:] = values[: len(kept)]

    def _values(self, entry: _Entry, sums: FloatArray, frequency: FloatArray) -> FloatArray:
        width = self.base if entry.is_split else 1
        block = sums[entry.first : entry.first + entry.means * width]
        above = block.reshape(entry.means, width, -1)
        if entry.terms.has_unit_factor:
            whole = frequency if entry.is_split else frequency.sum(axis=0, keepdims=True)
            below = np.broadcast_to(whole, above.shape)
        else:
            begin = entry.first + entry.means * width
            below = sums[begin : begin + entry.means * width].reshape(above.shape)
        if entry.is_split:
            factor = draw_factor(self.cases, frequency)
            above, below = above * factor, below * factor
        top, bottom = above.sum(axis=1), below.sum(axis=1)
        means = np.divide(top, bottom, out=np.full(top.shape, np.nan), where=bottom > 0)
        spec = entry.terms.metric.spec
        if spec.form == MetricForm.SMOOTH:
            return entry.terms.metric.combined(means)
        scale = self.cases.total_weight if spec.aggregate == Aggregate.TOTAL else 1.0
        return np.asarray(means[0] * scale)


def draw_factor(cases: JudgedCases, frequency: FloatArray) -> FloatArray:
    """Prior weight of each class in each draw, (K, L): class shares stay at the priors.

    Parameters
    ----------
    frequency : (K, L) float64
        Case weight of each class in each draw. A draw without a class that has a prior above 0
        gets NaN.
    """
    assert cases.priors is not None
    whole = frequency.sum(axis=0)
    safe = np.where(frequency > 0, frequency, np.nan)
    factor = cases.priors[:, np.newaxis] * whole / safe
    return np.where(cases.priors[:, np.newaxis] > 0, factor, 0.0)


def reads_probabilities(metric: BoundMetric) -> bool:
    """Whether a metric wants the sums that the chance of treatment enters."""
    return Input.PROPENSITY in metric.spec.inputs


def measure_sums(guard: CallGuard, column: Column, sums: RankedSums) -> None:
    """Fill the values of a ranked metric of an experiment."""
    metric = column.metric
    for place, cell in enumerate(column.cells):
        if cell.note:
            continue
        whole = sums.whole(place, has_propensity=reads_probabilities(metric))
        binned = sums.binned(place, has_propensity=reads_probabilities(metric))
        found = guard.call(metric, cell, partial(metric.rank_values, whole))
        centre = guard.call(metric, cell, partial(metric.rank_values, binned))
        if found is None or centre is None:
            continue
        cell.value, cell.centre = float(found[0]), float(centre[0])
        cell.is_usable = bool(np.isfinite(cell.value))
        if not cell.is_usable:
            cell.note = "It is undefined for these cases."


def draw_sums(
    guard: CallGuard,
    cases: JudgedCases,
    columns: Sequence[Column],
    sums: RankedSums,
    draws: int,
    step: Callable[[float, str], None],
) -> None:
    """Fill the resamples of the ranked metrics of an experiment, paired over models."""
    if not any(cell.is_usable for column in columns for cell in column.cells):
        return
    has_propensity = any(reads_probabilities(column.metric) for column in columns)
    text = f"Resampling, {counted(draws, 'draw')}"
    blocks = sums.draws(
        draws,
        cases.problem.seed,
        has_propensity=has_propensity,
        should_stop=guard.should_stop,
        step=lambda part: step(part, text),
    )
    for first, by_model in blocks:
        for column in columns:
            rows = 10 if reads_probabilities(column.metric) else 4
            _spread(guard, column, first, [drawn[:rows] for drawn in by_model])


def _spread(guard: CallGuard, column: Column, first: int, by_model: list[FloatArray]) -> None:
    for cell, drawn in zip(column.cells, by_model, strict=True):
        if not cell.is_usable or cell.draws is None:
            continue
        found = guard.call(column.metric, cell, partial(column.metric.rank_values, drawn))
        kept = cell.draws[first : first + drawn.shape[1]]
        kept[:] = np.nan if found is None else found[: len(kept)]
