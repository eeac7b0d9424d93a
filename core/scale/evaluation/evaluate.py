"""Evaluating more than memory holds: the answer of page Compare, from two reads and a sort."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path

import numpy as np

from core.data.splits import note_of_rows, refuse_no_rows
from core.document.results import EvaluationResult, PairedDifference, RowsNote
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
    CallingCall,
    EvaluationProblem,
    JudgedScores,
    MetricRequest,
    StopCall,
    call_unmarked,
)
from core.evaluation.ranked.ranking import DEPTH_GRID
from core.evaluation.ranked.rankings import RocArea, averaged, cumulate, measure_area, wants_level
from core.kernels import LANES, poisson_weights
from core.kernels.sorting import scores_of_keys
from core.kernels.task_runners import Runner, Summary, Task, run_tasks_bounded
from core.scale.evaluation.means import ExactMeans
from core.scale.evaluation.measured import (
    StreamedCharts,
    check_metric_of_model,
    columns_to_draw,
    gap_variance,
    keep_mean_differences,
    mean_estimate,
)
from core.scale.evaluation.passes import (
    MOST_DRAWN,
    DrawnTerm,
    DrawOrder,
    FirstSummary,
    ReadPlan,
    SecondSummary,
    SecondTask,
    first_read,
    new_first,
    new_second,
    second_read,
)
from core.scale.evaluation.problem import StreamProblem, is_mean, metric_refusal
from core.scale.ranked.bounds import ranking_bounds
from core.scale.ranked.ranges import MOST_RANKED_ROWS, KeyMap, RangeSummary, key_map, sort_range
from core.scale.ranked.ranking import PairCells, StreamedRanking, put_together, range_tasks
from core.scale.reading import CaseReading, CaseRows, batch_table, cases_of_batch
from core.scale.sources import (
    PlannedTask,
    RowTask,
    read_batches,
    sample_tasks,
)
from payoff.counting import counted
from payoff.errors import PayoffError, no_such
from payoff.types import FloatArray, IntArray
from payoff.vocabulary import ClassAverage, MetricForm

ProgressCall = Callable[[float, str, EvaluationResult | None], None]

DRAW_NUMBERS = (1_000, 600, 400, 200)
_FIRST, _SORTED = 0.35, 0.6  # of the progress bar, where draws follow


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


class StreamedEvaluation(MeasuredTable):
    """An evaluation that was read in pieces; asked for pairs of models and curves as another is.

    Parameters
    ----------
    problem : StreamProblem
    runner : Runner
    progress : callable (fraction, stage, partial)
        Once, ``partial`` is a result with analytic intervals only.
    should_stop : callable () -> bool
    calling : callable (spec) -> context manager
        Entered around calls into ranked metrics.

    Raises
    ------
    PayoffError
        For rows that cannot be read or judged.
    StoppedError
    """

    def __init__(
        self,
        problem: StreamProblem,
        runner: Runner,
        *,
        progress: ProgressCall,
        should_stop: StopCall,
        calling: CallingCall = call_unmarked,
    ) -> None:
        self._begun = time.perf_counter()
        self.problem = problem
        self._runner = runner
        self._progress = progress
        self._should_stop = should_stop
        self.tasks = problem.source.tasks(
            problem.budget.batch_rows(runner.in_process, len(problem.reading.models))
        )
        self.plan = self._make_plan()
        self._first = self._read_first()
        self.cases = StreamedCases(
            self._evaluation_problem(), self._first.class_rows, self._first.cases
        )
        self._refuse_one_class()
        self.rankings = self._rank()
        self._host = MetricsHost(self.cases, calling=calling, should_stop=should_stop)
        self._host.columns = [self._new_column(request) for request in problem.metrics]
        self._said_later: dict[tuple[str, str], str] = {}
        self.means = self._measure_means()
        self._measure_ranked()
        self.draws = 0
        self._charts = self._make_charts()
        self._no_model = no_model_cells(self._host) if self.cases.has_classes else ()
        for column in self.columns:
            for cell in column.cells:
                cell.note = cell.note or self._said_later.get((column.metric.key, cell.model), "")
        self._read_second()
        self.result = self._make_result()

    @property
    def columns(self) -> list[Column]:
        """One for each metric."""
        return self._host.columns

    # ------------------------------------------------------------ plan

    def _make_plan(self) -> ReadPlan:
        problem = self.problem
        levels = tuple(problem.levels[place] for place in problem.reading.places)
        rankings = [
            (model, level) for model in problem.reading.models for level in self._levels_ranked()
        ]
        rows = tuple(
            entry for entry in problem.metrics if is_mean(entry) and not metric_refusal(entry)
        )
        return ReadPlan(
            reading=problem.reading,
            classes=max(len(levels), 1),
            levels=levels,
            metrics=rows,
            rankings=tuple(rankings),
            keys=self._key_maps(rankings),
            folder=str(problem.scratch),
        )

    def _levels_ranked(self) -> list[int]:
        """Classes that cases are ranked by: all where a metric averages over them."""
        if not self.problem.levels:
            return []
        ranked = [r for r in self.problem.metrics if r.spec.form == MetricForm.RANKED]
        over_all = any(entry.spec.over_classes != ClassAverage.EVENT for entry in ranked)
        many = len(self.problem.levels)
        return list(range(many)) if over_all and many > 2 else [0]

    def _key_maps(self, rankings: list[tuple[str, int]]) -> tuple[KeyMap, ...]:
        """Cuts of keys by scores from all over the source."""
        if not rankings:
            return ()
        found: list[list[FloatArray]] = [[] for _ in rankings]
        for task in sample_tasks(self.tasks):
            cases = _first_cases(task, self.problem.reading)
            for place, (model, level) in enumerate(rankings):
                if cases is not None and len(cases):
                    score = cases.predictions[model]
                    found[place].append(score[level if len(score) > 1 else 0])
        return tuple(key_map(np.concatenate(scores or [np.zeros(1)])) for scores in found)

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
            rows=self._note(),
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

    def _note(self) -> RowsNote:
        first = self._first
        return note_of_rows(
            self.problem.document,
            self.problem.document.rows_used,
            first.cases,
            first.seen,
            tuple(sorted(first.dropped.items())),
            tuple(sorted(first.lacking.items())),
        )

    # ------------------------------------------------------------ reads

    def _shuffled(self) -> list[RowTask]:
        """The tasks in a random order of the seed: what comes early is of all rows alike."""
        order = np.random.default_rng(self.problem.document.seed).permutation(len(self.tasks))
        return [self.tasks[place] for place in order]

    def _run(self, function: Callable[[Task], Summary], tasks: Iterable[Task]) -> Iterator[Summary]:
        """Summaries of tasks as they end."""
        return run_tasks_bounded(self._runner, function, tasks, should_stop=self._should_stop)

    def _read_first(self) -> FirstSummary:
        found = new_first(self.plan)
        tasks = (PlannedTask(rows=task, plan=self.plan) for task in self._shuffled())
        rows = max(self.problem.source.rows, 1)
        for summary in run_tasks_bounded(
            self._runner, first_read, tasks, should_stop=self._should_stop
        ):
            found.merge(summary)
            share = found.seen / rows
            self._progress(_FIRST * share, self._reading_words(found, share), None)
        if not found.cases:
            self._first = found
            refuse_no_rows(self.problem.document, self._note(), self.problem.source.name)
        return found

    def _reading_words(self, found: FirstSummary, share: float) -> str:
        """How far the read is, and what the rows so far surely say of the first ranking."""
        words = f"Reading, {share:.0%} of the rows"
        bounds = ranking_bounds(found.rankings[0].counts) if found.rankings else None
        return words if bounds is None else f"{words}: {self.plan.rankings[0][0]} {bounds.words()}"

    def _refuse_one_class(self) -> None:
        if not self.problem.levels:
            return
        if self._first.cases > MOST_RANKED_ROWS:
            raise PayoffError(
                f"{counted(self._first.cases, 'row')} cannot be ranked.",
                why=f"The limit is {MOST_RANKED_ROWS:,}.",
            )
        rows = self._first.class_rows
        if np.count_nonzero(rows) < 2 or rows[0] == 0:
            only = self.cases.levels[int(np.argmax(rows))]
            raise PayoffError(
                f"The outcome has one class only, '{only}': two are needed to compare models."
                if np.count_nonzero(rows) < 2
                else f"No row has the event '{self.cases.levels[0]}'.",
                where=self._note().text,
                remedy="Choose rows in which both happen.",
            )

    def _shares(self) -> FloatArray:
        """Parameters of ranked metrics that may be shares: ends of groups around them are kept."""
        found: set[float] = set()
        for request in self.problem.metrics:
            if request.spec.form == MetricForm.RANKED:
                values = BoundMetric(request).parameters.values()
                found |= {float(value) for value in values if 0.0 < float(value) < 1.0}
        return np.array(sorted(found), dtype=np.float64)

    def _rank(self) -> list[StreamedRanking | None]:
        """Sort every ranking range by range; None for a class that no case has."""
        first, shares = self._first, self._shares()
        held = max(self.problem.budget.sort_bytes(self._runner.in_process) // 20, 65_536)
        is_there = [min(self._sides(place)) > 0 for place in range(len(first.rankings))]
        tasks = [
            task
            for place, counts in enumerate(first.rankings)
            if is_there[place]
            for task in range_tasks(place, counts, self.plan.keys[place], shares, held)
        ]
        ranges: list[list[RangeSummary]] = [[] for _ in first.rankings]
        summaries = run_tasks_bounded(
            self._runner, sort_range, tasks, should_stop=self._should_stop
        )
        for done, summary in enumerate(summaries, start=1):
            ranges[summary.ranking].append(summary)
            share = done / len(tasks)
            self._progress(_FIRST + (_SORTED - _FIRST) * share, f"Sorting, {share:.0%}", None)
        for counts in first.rankings:
            for spilled in counts.files:
                Path(spilled.path).unlink(missing_ok=True)
        return [
            put_together(parts, self._sides(place), shares) if is_there[place] else None
            for place, parts in enumerate(ranges)
        ]

    def _sides(self, place: int) -> tuple[int, int]:
        events, others = self._first.rankings[place].counts.sum(axis=0)
        return int(events), int(others)

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

    # ------------------------------------------------------------ draws and pairs

    def _read_second(self) -> None:
        """Draw the cases, and compare areas of pairs of models; nothing where neither is asked."""
        ranked = enumerate(self.plan.rankings)
        first_of = {model: place for place, (model, level) in ranked if level == 0}
        places = sorted(place for place in first_of.values() if self.rankings[place] is not None)
        has_area = any(column.metric.spec.area_slope is not None for column in self.columns)
        pairs = tuple((a, b) for a in places for b in places if a < b and has_area)
        order = self._draw_order()
        if not (order.draws or pairs):
            return
        self._progress(_SORTED, "Resampling", self._make_result())
        cells = tuple(
            ranking.cells if ranking is not None else self._any_cells() for ranking in self.rankings
        )
        found = new_second(self.plan, order, len(pairs))
        tasks = [
            SecondTask(rows=task, plan=self.plan, order=order, cells=cells, pairs=pairs)
            for task in self._shuffled()
        ]
        summaries = run_tasks_bounded(
            self._runner, second_read, tasks, should_stop=self._should_stop
        )
        for done, summary in enumerate(summaries, start=1):
            found.merge(summary)
            share = done / len(tasks)
            words = f"Resampling, {counted(order.draws, 'draw')}, {share:.0%} of the rows"
            self._progress(_SORTED + (1 - _SORTED) * share, words, None)
        self._keep_areas(found, pairs)
        if order.draws:
            self.draws = order.draws
            self._spread(found, order)

    def _any_cells(self) -> PairCells:
        return next(ranking.cells for ranking in self.rankings if ranking is not None)

    def _draw_order(self) -> DrawOrder:
        """Which draws are made: as many as were asked for and fit the time."""
        terms = tuple(self._drawn_terms()) if self.problem.resamples else ()
        cuts = tuple(
            ranking.bin_cuts if ranking is not None else np.empty(0, np.uint64)
            for ranking in self.rankings
        )
        is_needed = bool(terms) or any(
            column.metric.spec.form == MetricForm.RANKED and cell.is_usable
            for column in self.columns
            for cell in column.cells
        )
        draws = self._number_of_draws(len(terms)) if self.problem.resamples and is_needed else 0
        return DrawOrder(draws=draws, seed=self.problem.document.seed, bin_cuts=cuts, terms=terms)

    def _drawn_terms(self) -> Iterator[DrawnTerm]:
        for metric, request in enumerate(self.plan.metrics):
            means = self.means.get(request.key)
            column = next(c for c in self.columns if c.metric.key == request.key)
            for model, cell in enumerate(column.cells):
                if means is None or not cell.is_usable:
                    continue
                for number in columns_to_draw(means, model):
                    unit = means.unit(number, MOST_DRAWN)
                    yield DrawnTerm(metric=metric, column=number, unit=unit)

    def _number_of_draws(self, terms: int) -> int:
        """The largest usual number that fits ``seconds``, by the rate of this machine just now."""
        requested = self.problem.resamples
        wanted = [requested, *(number for number in DRAW_NUMBERS if number < requested)]
        rows = 65_536
        units = np.arange(1, rows + 1, dtype=np.int64)
        poisson_weights(0, units[:LANES], first_draw=0, draws=LANES)
        begun = time.perf_counter()
        poisson_weights(0, units, first_draw=0, draws=LANES)
        each = (time.perf_counter() - begun) / (rows * LANES)
        each *= 1.0 + 0.5 * len(self.rankings) + 0.1 * terms
        for number in wanted:
            if self._first.cases * number * each <= self.problem.seconds:
                return number
        return wanted[-1]

    def _keep_areas(self, found: SecondSummary, pairs: tuple[tuple[int, int], ...]) -> None:
        """DeLong's variance of paired differences of areas."""
        for place, (first, second) in enumerate(pairs):
            variance = gap_variance(found, place, self._sides(first))
            models = self.plan.rankings[first][0], self.plan.rankings[second][0]
            for column in self.columns:
                slope = column.metric.spec.area_slope
                if slope is None or column.metric.spec.over_classes != ClassAverage.EVENT:
                    continue
                ours, theirs = (column.index(model) for model in models)
                column.difference_variance[ours, theirs] = variance * slope**2
                column.difference_variance[theirs, ours] = variance * slope**2
                column.difference_method = "DeLong"

    def _spread(self, found: SecondSummary, order: DrawOrder) -> None:
        """Turn draws into values of every metric."""
        for column in self.columns:
            for cell in column.cells:
                if cell.is_usable and column.metric.spec.form != MetricForm.GENERAL:
                    cell.draws = np.full(order.draws, np.nan)
        self._set_centres(found, order)
        for group in range(order.groups):
            self._host.guard.check_stop()
            self._spread_ranked(found.counts[group].astype(np.float64), order, group * LANES)
            self._spread_means(found.sums[group], order, group * LANES)
        if self._charts is not None:
            self._charts.use_draws()

    def _set_centres(self, found: SecondSummary, order: DrawOrder) -> None:
        counts = found.bins[:, :, :, np.newaxis].astype(np.float64)
        for column, cell, values in self._ranked_values(counts, order):
            del column
            cell.centre = float(values[0])

    def _spread_ranked(self, counts: FloatArray, order: DrawOrder, first: int) -> None:
        if self._charts is not None:
            for model, cuts in enumerate(order.bin_cuts):  # of two classes: one ranking a model
                drawn = cumulate(self.cases, counts[model, : len(cuts) + 1], 0)
                self._charts.add_draws(model, first, *drawn)
        for _, cell, values in self._ranked_values(counts, order):
            if cell.draws is not None:
                kept = cell.draws[first : first + len(values)]
                kept[:] = values[: len(kept)]

    def _ranked_values(
        self, counts: FloatArray, order: DrawOrder
    ) -> Iterator[tuple[Column, Measured, FloatArray]]:
        """Ranked metrics of draws, from their counts (rankings, bins, classes, L)."""
        cumulated = [
            cumulate(self.cases, counts[place, : len(cuts) + 1], self.plan.rankings[place][1])[:2]
            for place, cuts in enumerate(order.bin_cuts)
        ]
        for column in self.columns:
            metric = column.metric
            if metric.spec.form != MetricForm.RANKED:
                continue
            for cell in column.cells:
                if not cell.is_usable:
                    continue
                by_level = np.full((self.cases.class_count, counts.shape[-1]), np.nan)
                for place, _ in self._rankings_of(cell.model):
                    level = self.plan.rankings[place][1]
                    if wants_level(metric, level):
                        call = partial(metric.rank_values, *cumulated[place])
                        values = self._host.guard.call(metric, cell, call)
                        by_level[level] = np.nan if values is None else values
                yield column, cell, averaged(self.cases, metric.spec.over_classes, by_level)

    def _spread_means(self, sums: FloatArray, order: DrawOrder, first: int) -> None:
        known = {(t.metric, t.column): place for place, t in enumerate(order.terms, start=1)}
        units = np.array([1.0, *(term.unit for term in order.terms)])
        values = sums * units[:, np.newaxis]
        for number, request in enumerate(self.plan.metrics):
            means = self.means.get(request.key)
            column = next(c for c in self.columns if c.metric.key == request.key)
            for model, cell in enumerate(column.cells):
                if means is None or cell.draws is None:
                    continue
                above, below = [], []
                for mean in range(column.metric.means):
                    place = model * column.metric.means + mean
                    above.append(values[known[number, place]])
                    divisor = known.get((number, means.width + place))
                    below.append(values[0 if divisor is None else divisor])
                self._keep_mean_draws(column.metric, cell, np.array(above), np.array(below), first)

    def _keep_mean_draws(
        self,
        metric: BoundMetric,
        cell: Measured,
        above: FloatArray,
        below: FloatArray,
        first: int,
    ) -> None:
        means = np.divide(above, below, out=np.full(above.shape, np.nan), where=below > 0)
        drawn: FloatArray | None = means[0]
        if metric.spec.form == MetricForm.SMOOTH:
            drawn = self._host.guard.call(metric, cell, lambda: metric.combined(means))
        if cell.draws is not None and drawn is not None:
            kept = cell.draws[first : first + len(drawn)]
            kept[:] = drawn[: len(kept)]

    # ------------------------------------------------------------ answer

    def _make_result(self) -> EvaluationResult:
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
            seconds=time.perf_counter() - self._begun,
            warnings=self._warnings(),
            selections=selections(cases, columns),
            no_model=self._no_model,
        )

    def _differences(self) -> tuple[PairedDifference, ...]:
        return reference_differences(self.cases, self.columns, self.cases.problem.reference_name)

    def _warnings(self) -> tuple[str, ...]:
        source, problem = self.problem.source, self.problem
        found = [
            problem.budget.note(len(self.tasks)),
            *source.notes,
            *problem.notes,
        ]
        if 0 < self.draws < problem.resamples:
            found.append(
                f"{counted(self.draws, 'draw')} in place of {problem.resamples:,}: more would take "
                f"longer than {problem.seconds:g} s. Say seconds= for more."
            )
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


def _first_cases(task: RowTask, reading: CaseReading) -> CaseRows | None:
    """The cases of the first batch of a task."""
    for first, table in read_batches(task, reading.columns):
        return cases_of_batch(batch_table(table, task.part, first), task.part, first, reading)
    return None


__all__ = ["StreamedEvaluation"]
