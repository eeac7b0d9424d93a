"""Evaluating more than memory holds: the answer of page Compare, from two reads and a sort."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import numpy as np

from core.document.results import EvaluationResult
from core.evaluation.binding import BoundMetric
from core.evaluation.columns import Column, Measured
from core.evaluation.ranked.rankings import averaged, cumulate, wants_level
from core.kernels import LANES, poisson_weights
from core.kernels.task_runners import run_tasks_bounded
from core.scale.evaluation.figures import StreamedFigures
from core.scale.evaluation.measured import (
    columns_to_draw,
    gap_variance,
)
from core.scale.evaluation.passes import (
    MOST_DRAWN,
    DrawnTerm,
    DrawOrder,
    FirstSummary,
    SecondSummary,
    SecondTask,
    new_second,
    second_read,
)
from core.scale.evaluation.run import SORTED, StreamedRun
from core.scale.ranked.bounds import sketched_ranking
from core.scale.ranked.ranking import PairCells
from payoff.counting import counted
from payoff.types import FloatArray
from payoff.vocabulary import ClassAverage, MetricForm

DRAW_NUMBERS = (1_000, 600, 400, 200)


class EarlyAnswers:
    """Answers of the rows that were read so far: the first as soon as may be, then of ever more.

    Each is of twice as many rows as the one before, so that all together cost little.
    """

    def __init__(self, run: StreamedRun) -> None:
        self._run = run
        self._next = 1  # rows that the next answer is made of, at least

    def tell(self, found: FirstSummary, fraction: float, stage: str) -> None:
        """Hand on how far the read is, and an answer where there are rows for a further one."""
        answer = None
        if found.cases >= self._next:
            answer = self._answer(found)
            self._next = 2 * found.cases if answer is not None else self._next
        self._run.progress(fraction, stage, answer)

    def _answer(self, found: FirstSummary) -> EvaluationResult | None:
        """None while a ranking lacks a side, and where every row has been read."""
        rows = self._run.problem.source.rows
        sketches = [
            sketched_ranking(counts.counts, keys)
            for counts, keys in zip(found.rankings, self._run.plan.keys, strict=True)
        ]
        if found.seen >= rows or None in sketches:
            return None
        note = (
            f"So far {found.seen:,} of {counted(rows, 'row')}, from all over the data; scores that "
            "are nearly equal are taken as equal. All rows, read and sorted, give every figure "
            "exactly."
        )
        so_far = replace(found, seen=rows)  # the note of the rows says: of all
        return StreamedFigures(self._run, so_far, sketches, (note,)).make_result()


class StreamedEvaluation(StreamedFigures):
    """An evaluation that was read in pieces; asked for pairs of models and curves as another is.

    Parameters
    ----------
    run : StreamedRun
        Its ``progress`` is told now and then a result of the rows that were read so far, and once
        one of all rows with analytic intervals only.

    Raises
    ------
    PayoffError
        For rows that cannot be read or judged.
    StoppedError
    """

    def __init__(self, run: StreamedRun) -> None:
        first = run.read_first(EarlyAnswers(run).tell)
        super().__init__(run, first, run.rank(first))
        self._read_second()
        self.result = self.make_result()

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
        self._run.progress(SORTED, "Resampling", self.make_result())
        cells = tuple(
            ranking.cells if ranking is not None else self._any_cells() for ranking in self.rankings
        )
        found = new_second(self.plan, order, len(pairs))
        tasks = [
            SecondTask(rows=task, plan=self.plan, order=order, cells=cells, pairs=pairs)
            for task in self._run.shuffled()
        ]
        summaries = run_tasks_bounded(
            self._run.runner, second_read, tasks, should_stop=self._run.should_stop
        )
        for done, summary in enumerate(summaries, start=1):
            found.merge(summary)
            share = done / len(tasks)
            words = f"Resampling, {counted(order.draws, 'draw')}, {share:.0%} of the rows"
            self._run.progress(SORTED + (1 - SORTED) * share, words, None)
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
            variance = gap_variance(found, place, self._first.sides(first))
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


__all__ = ["StreamedEvaluation"]
