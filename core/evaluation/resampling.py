"""Resampling of all metrics: fused draws for row means, smooth and ranked metrics, and bands."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from core.evaluation.binding import BoundMetric
from core.evaluation.charts.plugin_curves import BandDraws
from core.evaluation.columns import Column, Measured
from core.evaluation.general import draw_general
from core.evaluation.host import MetricsHost
from core.evaluation.rankings import LevelRanking, averaged, cumulate, wants_level
from core.evaluation.sums import SumLayout, draw_sums
from core.inference.draws import (
    DrawBlock,
    DrawPlan,
    draw_blocks,
)
from payoff.counting import counted
from payoff.types import FloatArray, IntArray
from payoff.vocabulary import MetricForm, ResampleUnit

StepCall = Callable[[float, str], None]
EventsOthers = tuple[FloatArray, FloatArray]


class Resampler:
    """Fills the resamples of a host's columns.

    Parameters
    ----------
    host : MetricsHost
        Measured already.
    draws : int
        Resamples of row, smooth and ranked metrics; general ones get 200 at most.
    """

    def __init__(self, host: MetricsHost, draws: int) -> None:
        self.host = host
        self.cases = host.cases
        self.draws = draws
        self.bands: list[BandDraws] = []

    def run(self, step: StepCall, *, with_bands: bool) -> None:
        """Make all draws, unit by unit; ``with_bands`` keeps draws of the curves too."""
        if with_bands and self.host.rankings:
            self.bands = [BandDraws(self.cases.class_count, self.draws) for _ in self.host.models]
        for column in self._columns(MetricForm.ROW_MEAN, MetricForm.SMOOTH, MetricForm.RANKED):
            for cell in column.cells:
                if cell.is_usable:
                    cell.draws = np.full(self.draws, np.nan)
        for unit in ResampleUnit:
            self._run_unit(unit, step)
        if self.cases.problem.ranked_sums is not None:
            columns = self._columns(MetricForm.RANKED)
            sums = self.cases.problem.ranked_sums
            draw_sums(self.host.guard, self.cases, columns, sums, self.draws, step)
        for column in self._columns(MetricForm.GENERAL):
            for model, cell in zip(self.host.models, column.cells, strict=True):
                if cell.is_usable:
                    metric, guard = column.metric, self.host.guard
                    draw_general(guard, self.cases, metric, model, cell, self.draws, step)

    def _columns(self, *forms: MetricForm) -> list[Column]:
        return [column for column in self.host.columns if column.metric.spec.form in forms]

    def _run_unit(self, unit: ResampleUnit, step: StepCall) -> None:
        layout = SumLayout(self.cases, self.host.guard)
        for terms, cell in self.host.terms:
            if terms.metric.spec.unit == unit and cell.is_usable:
                layout.add(terms, cell)
        ranked = [c for c in self._columns(MetricForm.RANKED) if c.metric.spec.unit == unit]
        if self.cases.problem.ranked_sums is not None:
            ranked = []  # read from sums by arm, see ``draw_sums``
        with_bands = unit == ResampleUnit.ROW and bool(self.bands)
        rankings = [level for model in self.host.rankings for level in model.levels]
        if not ranked and not with_bands:
            rankings = []
        units = self.cases.units_of(unit)
        if units is None or (not rankings and layout.size == layout.base):
            return
        self._set_centres(ranked, rankings)
        text = f"Resampling, {counted(self.draws, 'draw')}"
        for block in draw_blocks(
            self._plan(units, rankings, layout),
            should_stop=self.host.guard.should_stop,
            step=lambda part: step(part, text),
        ):
            layout.spread(block.first, block.sums)
            self._spread(ranked, rankings, block, with_bands=with_bands)

    def _plan(self, units: IntArray, rankings: list[LevelRanking], layout: SumLayout) -> DrawPlan:
        bins = np.empty((len(rankings), len(self.cases)), dtype=np.uint16)
        for place, ranking in enumerate(rankings):
            bins[place] = ranking.bins
        return DrawPlan(
            seed=self.cases.problem.seed,
            draws=self.draws,
            units=units,
            codes=self.cases.codes.astype(np.uint8),
            classes=self.cases.class_count,
            weight=self.cases.weight,
            bins=bins,
            bin_count=max((ranking.bin_count for ranking in rankings), default=1),
            sums=layout.size,
            contributions=layout.contributions,
        )

    def _set_centres(self, ranked: list[Column], rankings: list[LevelRanking]) -> None:
        """What the bins give for the data as they are: draws scatter around that."""
        cumulated = [
            cumulate(self.cases, r.counts[:, :, np.newaxis], r.level)[:2] for r in rankings
        ]
        for column in ranked:
            for cell, values in zip(
                column.cells, self._by_model(column, rankings, cumulated), strict=True
            ):
                cell.centre = float(values[0])

    def _spread(
        self,
        ranked: list[Column],
        rankings: list[LevelRanking],
        block: DrawBlock,
        *,
        with_bands: bool,
    ) -> None:
        """Turn a block of draws into values of ranked metrics and into curves."""
        cumulated: list[EventsOthers] = []
        for ranking, counts in zip(rankings, block.counts, strict=True):
            events, others, classes = cumulate(self.cases, counts, ranking.level)
            cumulated.append((events, others))
            if with_bands and ranking.level == 0:
                self.bands[ranking.model].add(block.first, events, others, classes)
        for column in ranked:
            for cell, values in zip(
                column.cells, self._by_model(column, rankings, cumulated), strict=True
            ):
                if cell.draws is not None:
                    kept = cell.draws[block.first : block.first + len(values)]
                    kept[:] = values[: len(kept)]

    def _by_model(
        self, column: Column, rankings: list[LevelRanking], cumulated: list[EventsOthers]
    ) -> list[FloatArray]:
        """A ranked metric of every model over draws, (L,) each."""
        lanes = len(cumulated[0][0])
        by_level = [np.full((self.cases.class_count, lanes), np.nan) for _ in column.cells]
        for ranking, (events, others) in zip(rankings, cumulated, strict=True):
            cell = column.cells[ranking.model]
            if cell.is_usable and wants_level(column.metric, ranking.level):
                found = self._rank(column.metric, cell, events, others)
                by_level[ranking.model][ranking.level] = found
        average = column.metric.spec.over_classes
        return [averaged(self.cases, average, values) for values in by_level]

    def _rank(
        self, metric: BoundMetric, cell: Measured, events: FloatArray, others: FloatArray
    ) -> FloatArray | float:
        found = self.host.guard.call(metric, cell, lambda: metric.rank_values(events, others))
        return np.nan if found is None else found
