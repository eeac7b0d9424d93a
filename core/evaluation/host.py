"""The metrics host: every metric of every model, from its form; analytic first, then resamples."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial

import numpy as np

from core.evaluation.binding import BoundMetric
from core.evaluation.call_guard import CallGuard
from core.evaluation.cases import JudgedCases
from core.evaluation.columns import (
    Column,
    Measured,
    MeasuredRows,
    keep_differences,
    keep_row_differences,
    measure_rows,
)
from core.evaluation.general import interval_of, measure_general, remark_of
from core.evaluation.problem import (
    CallingCall,
    JudgedScores,
    MetricRequest,
    StepCall,
    StopCall,
    wanted_curves,
)
from core.evaluation.ranked.rankings import ModelRankings, averaged, measure_area, rank_model
from core.evaluation.rows.row_means import RowMean, RowTerms
from core.evaluation.rows.sums import measure_sums
from core.inference.delong import (
    CaseInfluence,
)
from core.kernels import CHUNK_ROWS, set_threads, threads
from payoff.kernels import is_kernel
from payoff.types import FloatArray
from payoff.vocabulary import MetricForm

_OWN_ROWS = 4 * CHUNK_ROWS  # beyond, resamples of a function of means hold as well


class MetricsHost:
    """Measures all metrics of all models of a problem.

    Parameters
    ----------
    cases : Cases
    calling : callable (spec) -> context manager
        Entered around every call into a plugin.
    should_stop : callable
        Asked between pieces of work.
    """

    def __init__(self, cases: JudgedCases, *, calling: CallingCall, should_stop: StopCall) -> None:
        self.cases = cases
        self.models = cases.problem.models
        self.columns: list[Column] = []
        self.rankings: list[ModelRankings] = []
        self.guard = CallGuard(calling, should_stop)
        self.terms: list[tuple[RowTerms, Measured]] = []
        self._ahead: dict[tuple[str, int], Future[MeasuredRows]] = {}

    def measure(self, requests: Sequence[MetricRequest], step: StepCall) -> None:
        """Compute every value, and every interval and difference that needs no resamples."""
        self.columns = [self._column(BoundMetric(request)) for request in requests]
        forms = {column.metric.spec.form for column in self.columns}
        forms |= {request.spec.form for request in wanted_curves(self.cases.problem)}
        self.cases.keeps_orders = MetricForm.GENERAL in forms
        aside = ThreadPoolExecutor(1, initializer=set_threads, initargs=(threads(),))
        try:
            self._measure_models(aside, step)
            others = self._columns(MetricForm.ROW_MEAN, MetricForm.SMOOTH, MetricForm.RANKED)
            for number, column in enumerate(others):
                self.guard.check_stop()
                step(0.5 + 0.5 * number / len(others), f"Computing {column.metric.spec.label}")
                if column.metric.spec.form == MetricForm.RANKED:
                    self._measure_ranked(column)
                else:
                    self._measure_rows(column)
        finally:
            aside.shutdown(cancel_futures=True)
            self._ahead.clear()

    def _measure_models(self, aside: ThreadPoolExecutor, step: StepCall) -> None:
        """Rank by every model, and compute what looks at a whole ranking or sample."""
        for position, model in enumerate(self.models):
            self.guard.check_stop()
            if self.cases.has_classes:
                step(0.5 * position / len(self.models), f"Ranking by {model.name}")
                self._rank(position, model)
            for column in self._columns(MetricForm.GENERAL):
                if not self._ahead:
                    self._begin_rows(aside)
                self._measure_general(column, position)
            self.cases.release(model)

    def _begin_rows(self, aside: ThreadPoolExecutor) -> None:
        """Let means over rows be added up beside general metrics, which run on one thread.

        Only where no call has to be marked as a plugin's, and where kernels alone are called.
        """
        if len(self.cases) <= CHUNK_ROWS or threads() == 1:
            return
        for column in self._columns(MetricForm.ROW_MEAN, MetricForm.SMOOTH):
            metric = column.metric
            if self.guard.is_marked(metric) or not is_kernel(metric.spec.rows):
                continue
            for place, (model, cell) in enumerate(zip(self.models, column.cells, strict=True)):
                if not cell.note:
                    call = partial(measure_rows, self.cases, metric, model)
                    self._ahead[metric.key, place] = aside.submit(call)

    def _columns(self, *forms: MetricForm) -> list[Column]:
        return [column for column in self.columns if column.metric.spec.form in forms]

    def _column(self, metric: BoundMetric) -> Column:
        cells = [Measured(model=model.name) for model in self.models]
        for model, cell in zip(self.models, cells, strict=True):
            self.guard.call(metric, cell, partial(metric.check, self.cases, model))
        return Column(metric, cells)

    def _ranked_metrics(self) -> list[BoundMetric]:
        return [
            column.metric
            for column in self._columns(MetricForm.RANKED)
            if not all(cell.note for cell in column.cells)
        ]

    def _rank(self, position: int, model: JudgedScores) -> None:
        cells = {column.metric.key: column.cells[position] for column in self.columns}

        def call(metric: BoundMetric, events: FloatArray, others: FloatArray) -> FloatArray:
            cell = cells[metric.key]
            found = self.guard.call(metric, cell, lambda: metric.rank_values(events, others))
            return np.full(len(events), np.nan) if found is None else found

        metrics = self._ranked_metrics()
        self.rankings.append(rank_model(self.cases, model, position, metrics, call))

    def _measure_rows(self, column: Column) -> None:
        means: dict[int, RowMean] = {}
        for place, (model, cell) in enumerate(zip(self.models, column.cells, strict=True)):
            if cell.note:
                continue
            begun = self._ahead.get((column.metric.key, place))
            call = partial(measure_rows, self.cases, column.metric, model)
            found = self.guard.call(column.metric, cell, call if begun is None else begun.result)
            if found is None:
                continue
            measured, mean, terms = found
            column.cells[place] = measured
            if mean is not None:
                means[place] = mean
            if terms is not None and measured.is_usable:
                self.terms.append((terms, measured))
                if column.metric.spec.interval is not None and len(self.cases) <= _OWN_ROWS:
                    self._take_own_interval(column.metric, model, measured)
        trial = Measured(model="")
        differences = partial(keep_row_differences, self.cases, column, means)
        self.guard.call(column.metric, trial, differences)

    def _measure_ranked(self, column: Column) -> None:
        influences: dict[int, CaseInfluence] = {}
        if self.cases.problem.ranked_sums is not None:
            measure_sums(self.guard, column, self.cases.problem.ranked_sums)
            return
        if not self.rankings:
            for cell in column.cells:
                cell.note = cell.note or "It needs a target with classes."
            return
        for place, (cell, ranking) in enumerate(zip(column.cells, self.rankings, strict=True)):
            if cell.note or column.metric.key not in ranking.values:
                continue
            by_level = ranking.values[column.metric.key][:, np.newaxis]
            average = column.metric.spec.over_classes
            cell.value = float(averaged(self.cases, average, by_level)[0])
            cell.is_usable = bool(np.isfinite(cell.value))
            if not cell.is_usable:
                cell.note = "It is undefined for these cases."
                continue
            influence = measure_area(self.cases, column.metric, cell, ranking.area)
            if influence is not None:
                influences[place] = influence
            elif column.metric.spec.interval is not None:
                self._take_own_interval(column.metric, self.models[place], cell)
        keep_differences(column, influences)

    def _measure_general(self, column: Column, position: int) -> None:
        self.guard.check_stop()
        model, cell = self.models[position], column.cells[position]
        if cell.note:
            return
        value = self.guard.call(
            column.metric, cell, partial(measure_general, self.cases, column.metric, model)
        )
        if value is None:
            return
        cell.value = cell.centre = value
        cell.is_usable = bool(np.isfinite(value))
        described = partial(remark_of, self.cases, column.metric, model)
        cell.note = self.guard.call(column.metric, Measured(model.name), described) or ""
        if not cell.is_usable:
            cell.note = cell.note or "It is undefined for these cases."
            return
        self._take_own_interval(column.metric, model, cell)

    def _take_own_interval(self, metric: BoundMetric, model: JudgedScores, cell: Measured) -> None:
        """The interval that a metric gives itself; where that fails, resamples give one."""
        trial = Measured(model.name)
        limits = partial(interval_of, self.cases, metric, model, cell.value)
        cell.analytic = self.guard.call(metric, trial, limits)
        cell.note = cell.note or trial.note
