"""What the rows that were read say: values, charts and the answer of an evaluation in pieces."""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial

import numpy as np

from core.document.results import EvaluationResult, PairedDifference
from core.evaluation.binding import BoundMetric
from core.evaluation.cases import JudgedCases
from core.evaluation.charts.usual import RANKED_CURVES, FullCurve, curve_at_depths
from core.evaluation.columns import Column, Measured
from core.evaluation.compare import marked_cells, reference_differences
from core.evaluation.evaluate import (
    MeasuredTable,
    class_warnings,
    equal_scores_words,
    metric_infos,
    no_model_cells,
    perfect_words,
    selections,
)
from core.evaluation.host import MetricsHost
from core.evaluation.problem import (
    EvaluationProblem,
    JudgedScores,
    MetricRequest,
)
from core.evaluation.ranked.ranking import DEPTH_GRID
from core.evaluation.ranked.rankings import RocArea, averaged, measure_area, wants_level
from core.kernels.sorting import scores_of_keys
from core.scale.evaluation.means import ExactMeans
from core.scale.evaluation.measured import (
    StreamedCharts,
    check_metric_of_model,
    keep_mean_differences,
    mean_estimate,
)
from core.scale.evaluation.passes import (
    FirstSummary,
)
from core.scale.evaluation.problem import metric_refusal
from core.scale.evaluation.run import StreamedRun, rows_note
from core.scale.ranked.ranking import StreamedRanking
from payoff.counting import counted
from payoff.errors import PayoffError, no_such
from payoff.types import IntArray
from payoff.vocabulary import MetricForm


class StreamedCases(JudgedCases):
    """What is known of cases that are not held: how many there are, by class.

    What reads the cases themselves raises ``TypeError``.
    """

    def __init__(self, problem: EvaluationProblem, class_rows: IntArray, rows: int) -> None:
        self.problem = problem
        event = problem.event_code
        rest = [code for code in range(len(problem.levels)) if code != event]
        self.places = np.array([event, *rest] if problem.levels else [], dtype=np.int64)
        self.levels = tuple(problem.levels[place] for place in self.places)
        self.weight = np.empty(0)
        self.class_rows = class_rows
        self._rows = rows
        self._samples = {}
        self._counts = {}

    def __len__(self) -> int:
        return self._rows


class StreamedFigures(MeasuredTable):
    """Values, analytic intervals and charts of rows that were read: of all, or of those so far.

    Parameters
    ----------
    run : StreamedRun
    first : FirstSummary
        Of the rows.
    rankings : list of StreamedRanking or None
        One for each of the run's; None for a class that no case has.
    notes : tuple of str
        What is said of the answer first.
    """

    def __init__(
        self,
        run: StreamedRun,
        first: FirstSummary,
        rankings: list[StreamedRanking | None],
        notes: tuple[str, ...] = (),
    ) -> None:
        self.problem, self.plan = run.problem, run.plan
        self.rankings = rankings
        self._run, self._first, self._notes = run, first, notes
        self.cases = StreamedCases(self._evaluation_problem(), first.class_rows, first.cases)
        self._host = MetricsHost(self.cases, calling=run.calling, should_stop=run.should_stop)
        self._host.columns = [self._new_column(request) for request in self.problem.metrics]
        self._said_later: dict[tuple[str, str], str] = {}
        self.means = self._measure_means()
        self._measure_ranked()
        self.draws = 0
        self._charts = self._make_charts()
        self._no_model = no_model_cells(self._host) if self.cases.has_classes else ()
        for column in self.columns:
            for cell in column.cells:
                cell.note = cell.note or self._said_later.get((column.metric.key, cell.model), "")

    @property
    def columns(self) -> list[Column]:
        """One for each metric."""
        return self._host.columns

    def _evaluation_problem(self) -> EvaluationProblem:
        """The facts of the problem, without a case."""
        problem = self.problem
        document = problem.document
        return EvaluationProblem(
            kind=problem.kind,
            models=tuple(
                JudgedScores(name=name, has_probabilities=not document.is_rank_only(name))
                for name in problem.reading.models
            ),
            metrics=problem.metrics,
            rows=rows_note(document, self._first),
            levels=problem.levels,
            labels=problem.labels,
            class_order=problem.class_order,
            level=problem.level,
            reference=document.reference_model,
            seed=document.seed,
            resamples=problem.resamples,
            case_word=document.case_word,
            charts=document.charts,
            convention=document.convention,
            curves=tuple(entry for entry in problem.curves if entry.spec.trace is not None),
        )

    # ------------------------------------------------------------ values

    def _new_column(self, request: MetricRequest) -> Column:
        """A metric with what is said where it cannot be computed."""
        metric = BoundMetric(request)
        cells = []
        for model in self.cases.problem.models:
            cell = Measured(model.name, note=metric_refusal(request))
            if not cell.note:
                self._host.guard.call(
                    metric, cell, partial(check_metric_of_model, metric, self.cases, model)
                )
            cells.append(cell)
        return Column(metric, cells)

    def _measure_means(self) -> dict[str, ExactMeans]:
        """Values, variances and paired differences of means over rows."""
        found: dict[str, ExactMeans] = {}
        models = len(self.problem.reading.models)
        for place, request in enumerate(self.plan.metrics):
            column = next(c for c in self.columns if c.metric.key == request.key)
            if place in self._first.refusals:
                for cell in column.cells:
                    cell.note = cell.note or self._first.refusals[place][1]
                continue
            means = ExactMeans(column.metric, self._first.means[place], models)
            found[request.key] = means
            for model, cell in enumerate(column.cells):
                if not cell.note:
                    self._measure_mean(column.metric, means, model, cell)
            if column.metric.spec.form == MetricForm.ROW_MEAN:
                keep_mean_differences(column, means)
        return found

    def _measure_mean(
        self, metric: BoundMetric, means: ExactMeans, model: int, cell: Measured
    ) -> None:
        bad = means.sums.bad[model]
        if bad is not None:
            number = int(means.sums.marks[model, 1])
            more = f" and {number - 1:,} more" if number > 1 else ""
            what = "infinite" if np.isinf(bad.value) else "undefined"
            cell.note = f"It is {what}: {bad.place}{more}."
            cell.value = bad.value if np.isinf(bad.value) else float("nan")
            return
        values = means.means(model)
        if metric.spec.form == MetricForm.SMOOTH:
            combined = self._host.guard.call(
                metric, cell, lambda: metric.combined(values[:, np.newaxis])
            )
            cell.value = float("nan") if combined is None else float(combined[0])
        else:
            cell.value = float(values[0])
        cell.is_usable = bool(np.isfinite(cell.value))
        if not cell.is_usable:
            cell.note = cell.note or "It is undefined for these cases."
            return
        cell.centre = cell.value
        if metric.spec.form == MetricForm.ROW_MEAN:
            cell.analytic = mean_estimate(metric, means, model, cell.value)

    def _measure_ranked(self) -> None:
        for column in self.columns:
            if column.metric.spec.form != MetricForm.RANKED:
                continue
            for cell in column.cells:
                if not cell.note:
                    self._measure_ranking(column.metric, cell)

    def _measure_ranking(self, metric: BoundMetric, cell: Measured) -> None:
        by_level = np.full((self.cases.class_count, 1), np.nan)
        cell.is_usable = True
        for place, ranking in self._rankings_of(cell.model):
            level = self.plan.rankings[place][1]
            if wants_level(metric, level):
                value = self._value(metric, cell, ranking)
                by_level[level] = np.nan if value is None else value
        cell.value = float(averaged(self.cases, metric.spec.over_classes, by_level)[0])
        cell.is_usable = bool(np.isfinite(cell.value))
        if not cell.is_usable:
            cell.note = cell.note or "It is undefined for these cases."
            return
        ranking = next(found for _, found in self._rankings_of(cell.model))
        area = RocArea(ranking.area, ranking.variance, None)
        measure_area(self.cases, metric, cell, area)
        if metric.spec.area_slope is None and not ranking.is_complete:
            self._note_cells(metric, cell, ranking)

    def _note_cells(self, metric: BoundMetric, cell: Measured, ranking: StreamedRanking) -> None:
        """Say of a figure that it was read at some of the cut-offs, where that moves it.

        Where half as many give the same digits it depends on the kept ones alone that are exact:
        the widest gap, named depths, the hull.
        """
        events, others = ranking.half
        call = partial(metric.rank_values, events[np.newaxis], others[np.newaxis])
        trial = Measured(cell.model)
        half = self._host.guard.call(metric, trial, call)
        if half is None or float(half[0]) == cell.value:
            return
        self._said_later[metric.key, cell.model] = (
            f"Read at {len(ranking.events):,} of {ranking.groups:,} cut-offs; half as many move it "
            f"by {abs(float(half[0]) - cell.value):.1g}."
        )

    def _rankings_of(self, model: str) -> Iterator[tuple[int, StreamedRanking]]:
        for place, ranking in enumerate(self.rankings):
            if self.plan.rankings[place][0] == model and ranking is not None:
                yield place, ranking

    def _value(self, metric: BoundMetric, cell: Measured, ranking: StreamedRanking) -> float | None:
        """A ranked metric of one ranking; areas are whole numbers divided once."""
        slope = metric.spec.area_slope
        if slope is not None:
            return slope * ranking.area - (slope - 1.0)
        sides = ranking.events[np.newaxis], ranking.others[np.newaxis]
        found = self._host.guard.call(metric, cell, lambda: metric.rank_values(*sides))
        return None if found is None else float(found[0])

    def _make_charts(self) -> StreamedCharts | None:
        """Charts of two classes; None where none are wanted."""
        if not self.problem.curves or len(self.problem.levels) != 2:
            return None
        models = self.problem.reading.models
        by_event = [next((r for _, r in self._rankings_of(model)), None) for model in models]
        rankings = [ranking for ranking in by_event if ranking is not None]
        if len(rankings) < len(models):
            return None
        return StreamedCharts(self._host, rankings, self.problem.resamples)

    # ------------------------------------------------------------ answer

    def make_result(self) -> EvaluationResult:
        """The answer as far as it is known."""
        cases, columns = self.cases, self.columns
        return EvaluationResult(
            rows=cases.problem.rows,
            level=cases.levels[0] if cases.has_classes else "",
            class_levels=cases.levels,
            class_weight=cases.class_weight if cases.has_classes else np.empty(0),
            metrics=metric_infos([column.metric for column in columns]),
            cells=tuple(cell for column in columns for cell in marked_cells(cases, column)),
            comparisons=self._differences(),
            depths=() if self._charts is None else self._charts.depths(),
            charts=() if self._charts is None else self._charts.charts(),
            resamples=self.draws,
            seconds=time.perf_counter() - self._run.begun,
            warnings=self._warnings(),
            selections=selections(cases, columns),
            no_model=self._no_model,
        )

    def _differences(self) -> tuple[PairedDifference, ...]:
        return reference_differences(self.cases, self.columns, self.cases.problem.reference_name)

    def _warnings(self) -> tuple[str, ...]:
        source, problem = self.problem.source, self.problem
        found = [
            *self._notes,
            problem.budget.note(len(self._run.tasks)),
            *source.notes,
            *problem.notes,
        ]
        if 0 < self.draws < problem.resamples:
            words = (
                f"{counted(self.draws, 'draw')} in place of {problem.resamples:,}: more would take "
                f"longer than {problem.seconds:g} s."
            )
            found.append(f"{words} {problem.more_draws}".rstrip())
        if self.cases.has_classes:
            found += class_warnings(self.cases)
            for place, ranking in enumerate(self.rankings):
                model, level = self.plan.rankings[place]
                if ranking is not None and level == 0 and ranking.groups == 1:
                    found.append(equal_scores_words(model))
                elif ranking is not None and level == 0 and ranking.area == 1.0:
                    found.append(perfect_words(model))
        return tuple(found)

    def curve(self, name: str, model: str) -> FullCurve:
        """A curve at 1,001 depths, tied cases in proportion.

        Parameters
        ----------
        name : str
            One of ``RANKED_CURVES``.
        model : str

        Raises
        ------
        PayoffError
            For a name or model that is not there, or an outcome that is a number.
        """
        if name not in RANKED_CURVES:
            raise no_such("curve", name, RANKED_CURVES, listed="Curves of data read in pieces are")
        if not self.cases.has_classes:
            raise PayoffError(f"The curve '{name}' needs a target with classes.")
        ranking = next((found for _, found in self._rankings_of(model)), None)
        if ranking is None:
            raise no_such("model", model, self.problem.reading.models, listed="Known models")
        share = ranking.whole[0] / sum(ranking.whole)
        threshold = scores_of_keys(ranking.depth_keys)
        return curve_at_depths(name, DEPTH_GRID, ranking.side_shares(), share, threshold)


__all__ = ["StreamedFigures"]
