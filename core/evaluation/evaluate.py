"""``assess`` answers page Compare in one call; ``EvaluationRequest`` keeps what is asked later.

Which model is the best by each metric, and how much of its lead may be luck.

What each metric is without a model: every case gets the same prediction.

Of classes that is the share of each class among the cases, of a number its mean. A ranking then
ranks nothing, and a chance says what everybody knows: a model is worth what it adds to that.

Resampling of all metrics: fused draws for row means, smooth and ranked metrics, and bands.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from core.data.cancellation import never_stop
from core.document.plugin_results import MetricInfo
from core.document.results import (
    NO_MODEL,
    ChartData,
    Estimate,
    EvaluationResult,
    MetricCell,
    ModelDepths,
    PairedDifference,
    Selection,
)
from core.evaluation.binding import BoundMetric
from core.evaluation.cases import JudgedCases, percent
from core.evaluation.charts.plugin_curves import BandDraws, PluginCurves
from core.evaluation.charts.usual import ChartMaker, FullCurve, full_curve, number_depths
from core.evaluation.columns import Column, Measured, measure_rows
from core.evaluation.compare import (
    DifferenceError,
    all_differences,
    difference,
    difference_error,
    is_level,
    marked_cells,
    reference_differences,
)
from core.evaluation.general import draw_general
from core.evaluation.host import MetricsHost
from core.evaluation.naming import requested
from core.evaluation.problem import (
    CallingCall,
    EvaluationProblem,
    JudgedScores,
    ProgressCall,
    StepCall,
    StopCall,
    call_unmarked,
    ignore_partial,
)
from core.evaluation.ranked.rankings import LevelRanking, averaged, cumulate, wants_level
from core.evaluation.rows.sums import SumLayout, draw_sums
from core.inference.draws import (
    DrawBlock,
    DrawPlan,
    draw_blocks,
)
from core.inference.intervals import (
    FEW_UNITS,
    holm_p_values,
)
from payoff.counting import counted
from payoff.errors import PayoffError, no_such
from payoff.types import BoolArray, FloatArray, IntArray
from payoff.vocabulary import (
    PREDICTION_INPUTS,
    Direction,
    Input,
    MetricForm,
    ResampleUnit,
    WeightMeaning,
)

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


_NAN = float("nan")


def selections(cases: JudgedCases, columns: list[Column]) -> tuple[Selection, ...]:
    """The choice by every metric that has a direction and values of two models or more."""
    found = (_selection(cases, column) for column in columns)
    return tuple(entry for entry in found if entry is not None)


def _selection(cases: JudgedCases, column: Column) -> Selection | None:
    direction = column.metric.spec.direction
    usable = [cell for cell in column.cells if np.isfinite(cell.value)]
    if direction == Direction.NONE or len(usable) < 2:
        return None
    sign = -1.0 if direction == Direction.LOWER else 1.0
    ranked = sorted(usable, key=lambda cell: -sign * cell.value)
    winner, runner_up = ranked[0], ranked[1]
    against = [difference(cases, column, winner.model, cell.model) for cell in ranked[1:]]
    p_values = np.array([pair.p_value for pair in against], dtype=np.float64)
    is_unsure = bool(np.isnan(p_values).all())  # as of one event: resamples say nothing either
    wins, number, optimism = _wins(
        [None if is_unsure else cell.draws for cell in ranked],
        np.array([cell.value for cell in ranked]),
        np.array([cell.centre for cell in ranked]),
        sign,
    )
    return Selection(
        metric=column.metric.key,
        winner=winner.model,
        runner_up=runner_up.model,
        margin=against[0],
        wins=tuple((cell.model, float(count)) for cell, count in zip(ranked, wins, strict=True)),
        resamples=number,
        optimism=optimism,
        corrected=float(holm_p_values(p_values).max()),
    )


def _wins(
    draws: list[FloatArray | None], values: FloatArray, centres: FloatArray, sign: float
) -> tuple[FloatArray, int, float]:
    """How often each model is the best of a resample, of how many, and what choosing adds.

    The optimism is the mean, over resamples, of what the best of a resample shows there above
    what it shows on all rows. Models that are level in a resample share its win.
    """
    if any(entry is None for entry in draws):
        return np.zeros(len(draws)), 0, _NAN
    # Draws scatter around the value of their own arithmetic (bins), not around the exact one.
    drawn = np.vstack([entry for entry in draws if entry is not None])
    moved = sign * (drawn - np.where(np.isfinite(centres), centres, values)[:, None])
    moved += sign * values[:, None]
    moved = moved[:, np.isfinite(moved).all(axis=0)]
    number = moved.shape[1]
    if number == 0:
        return np.zeros(len(draws)), 0, _NAN
    is_best = is_level(moved, moved.max(axis=0))
    share = is_best / is_best.sum(axis=0)
    shown = (share * (moved - sign * values[:, None])).sum(axis=0)
    return np.round(share.sum(axis=1), 6), number, float(sign * shown.mean())


_SHARES = "Every case gets the share of each class in these rows as its chance."
_PRIORS = "Every case gets the share of each class in real life as its chance."
_MEAN = "Every case gets the mean of these rows as its prediction."
_CHANCE = "What predictions have that say nothing, by the metric's own definition."
_ALONE = {Input.OUTCOME, *PREDICTION_INPUTS}


def no_model_cells(host: MetricsHost) -> tuple[MetricCell, ...]:
    """Return the value without a model of every metric that has one.

    Parameters
    ----------
    host : MetricsHost
        Which has measured the models: a metric that failed for all of them is not asked again.

    Returns
    -------
    tuple of MetricCell
        Without intervals. None of metrics of money, which need more of a case than its prediction.
    """
    columns = [
        column
        for column in host.columns
        if set(column.metric.spec.inputs) <= _ALONE
        and column.metric.spec.unit == ResampleUnit.ROW
        and column.metric.spec.weights == WeightMeaning.CASE
        and not all(cell.note for cell in column.cells)
    ]
    if host.cases.has_classes:
        alone = MetricsHost(
            JudgedCases(_one_row_a_class(host)),
            calling=host.guard.calling,
            should_stop=host.guard.should_stop,
        )
        alone.measure([column.metric.request for column in columns], lambda _fraction, _text: None)
        measured = [(column.metric.key, column.cells[0]) for column in alone.columns]
        note = _SHARES if host.cases.priors is None else _PRIORS
    elif host.cases.problem.kind in ("regression", "interval"):
        forms = (MetricForm.ROW_MEAN, MetricForm.SMOOTH)
        rows = [column for column in columns if column.metric.spec.form in forms]
        measured = [(column.metric.key, cell) for column, cell in _of_mean(host, rows)]
        note = _MEAN
    else:
        measured, note = [], ""
    found = [_cell(key, cell.value, note) for key, cell in measured if math.isfinite(cell.value)]
    return (*found, *_by_definition(host))


def _by_definition(host: MetricsHost) -> list[MetricCell]:
    """Of figures of numbers and times that are no means of rows: what chance has, by their spec."""
    general = [c for c in host.columns if c.metric.spec.form == MetricForm.GENERAL]
    return [
        _cell(column.metric.key, float(column.metric.spec.random_value), _CHANCE)
        for column in general
        if not host.cases.has_classes
        and isinstance(column.metric.spec.random_value, int | float)
        and not all(cell.note for cell in column.cells)
    ]


def _cell(metric: str, value: float, note: str) -> MetricCell:
    estimate = Estimate(value=value, low=math.nan, high=math.nan, note=note)
    return MetricCell(metric=metric, model=NO_MODEL, estimate=estimate)


def _one_row_a_class(host: MetricsHost) -> EvaluationProblem:
    """The same cases for a prediction that is the same for all: a weighted row of each class.

    Figures of fit are judged at the shares of the rows, others at the priors, as of every model.
    """
    cases = host.cases
    shares = cases.class_frequency / cases.total_weight
    there = np.flatnonzero(shares > 0)
    probabilities = shares if cases.priors is None else cases.priors
    model = JudgedScores(
        name=NO_MODEL,
        posteriors=_repeated_columns(probabilities, len(there)),
        fit_posteriors=None if cases.priors is None else _repeated_columns(shares, len(there)),
    )
    return replace(
        cases.problem,
        models=(model,),
        levels=cases.levels,
        labels=(),
        outcome=there.astype(np.int32),
        frequency=cases.class_frequency[there],
        priors=cases.priors,
        level=None,
        reference=None,
        resamples=0,
        extras={},
        row_numbers=None,
        charts=(),
        curves=(),
        cluster=None,
        weight_kind="sampling",
    )


def _repeated_columns(values: FloatArray, count: int) -> FloatArray:
    """The same chances for each of some cases, (classes, cases)."""
    return np.ascontiguousarray(np.tile(values[:, np.newaxis], (1, count)))


def _of_mean(host: MetricsHost, columns: list[Column]) -> list[tuple[Column, Measured]]:
    """Figures of the mean of the outcome, predicted for every case."""
    cases = host.cases
    mean = np.average(cases.outcome, weights=cases.weight if len(cases.weight) else None)
    model = JudgedScores(name=NO_MODEL, prediction=np.full(len(cases), float(mean)))
    found = []
    for column in columns:
        cell = Measured(NO_MODEL)
        call = partial(measure_rows, cases, column.metric, model)
        rows = host.guard.call(column.metric, cell, call)
        found.append((column, cell if rows is None else rows[0]))
    cases.release(model)
    return found


MEASURE_SHARE = 0.25  # of the progress bar
SUM_WORDS = "the sum"
"""What stands for the event in a curve's texts where the outcome is a number."""


@dataclass(frozen=True, slots=True)
class _Stage:
    """Maps the fraction of one stage into the whole."""

    progress: ProgressCall
    begin: float
    width: float

    def __call__(self, fraction: float, text: str) -> None:
        self.progress(self.begin + self.width * min(fraction, 1.0), text, None)


class MeasuredTable:
    """Metrics of models, measured, that any two models can be compared by.

    Attributes
    ----------
    cases : JudgedCases
    columns : list of Column
    """

    cases: JudgedCases

    @property
    def columns(self) -> list[Column]:
        """One for each metric."""
        raise NotImplementedError

    def key_of(self, metric: str) -> str:
        """The key of a metric of the table, which may be named by an alias or with parameters.

        Raises
        ------
        PayoffError
            For a metric that is not there, or an id that stands there several times.
        """
        return requested((column.metric.request for column in self.columns), metric).key

    def known_key(self, metric: str) -> str:
        """The same, empty for a metric that is not there."""
        try:
            return self.key_of(metric)
        except PayoffError:
            return ""

    def _column(self, metric: str) -> Column:
        key = self.key_of(metric)
        return next(column for column in self.columns if column.metric.key == key)

    def compare(self, first: str, second: str, metric: str) -> PairedDifference:
        """First model less second on a metric, paired on the same cases.

        Raises
        ------
        PayoffError
            For a model or metric that is not there.
        """
        return difference(self.cases, self._column(metric), first, second)

    def error_of(self, first: str, second: str, metric: str) -> DifferenceError:
        """The standard error of first model less second on a metric, paired as in ``compare``.

        Raises
        ------
        PayoffError
            For a model or metric that is not there.
        """
        return difference_error(self.cases, self._column(metric), first, second)

    def compare_all(self, metric: str) -> tuple[PairedDifference, ...]:
        """Every pair of models on a metric, ``p_adjusted`` for all pairs (Holm 1979)."""
        return all_differences(self.cases, self._column(metric))

    def probability_ahead(self, first: str, second: str, metric: str) -> float:
        """Share of resamples in which the first model is better, half of those in which both are
        level; NaN without resamples.
        """
        found = self.compare(first, second, metric)
        ahead = found.ahead + found.level / 2
        return ahead / found.resamples if found.resamples else float("nan")


class EvaluationRequest(MeasuredTable):
    """An evaluation that can be asked further: comparisons of any two models, full curves.

    Parameters
    ----------
    problem : EvaluationProblem
        Arrays over the rows used.
    progress : callable (fraction, stage, partial)
        Told how far it is; once, ``partial`` is a result with analytic intervals only: cells
        without one have NaN limits, curves no band (None), ``class_share_low`` and ``_high`` are
        NaN, ``resamples`` is 0. What it raises ends the evaluation.
    should_stop : callable () -> bool
        Asked between blocks of rows; True ends with StoppedError.
    calling : callable (spec) -> context manager
        Entered around each call into a metric's plugin.
    with_charts : bool
        False: metrics only, no charts, depths and bands; the last ranking is kept for ``curve``.

    Raises
    ------
    PayoffError
        As in ``check_problem``.
    StoppedError
        If a stop was asked for.
    """

    def __init__(
        self,
        problem: EvaluationProblem,
        *,
        progress: ProgressCall = ignore_partial,
        should_stop: StopCall = never_stop,
        calling: CallingCall = call_unmarked,
        with_charts: bool = True,
    ) -> None:
        self._begun = time.perf_counter()
        self.cases = JudgedCases(problem)
        self.cases.keeps_ranking = not with_charts
        problem = self.problem = self.cases.problem  # frequency weights have repeated its rows
        if problem.models and problem.reference_name not in {m.name for m in problem.models}:
            raise PayoffError(f"The reference model '{problem.reference_name}' is not there.")
        self._host = MetricsHost(self.cases, calling=calling, should_stop=should_stop)
        self._host.measure(problem.metrics, _Stage(progress, 0.0, MEASURE_SHARE))
        self._no_model = no_model_cells(self._host)
        self._charts = None
        self._curves = PluginCurves(self._host) if with_charts else None
        self._number_depths: tuple[ModelDepths, ...] = ()
        if self._curves is not None and self.cases.has_classes:
            self._charts = ChartMaker(self.cases, self._host.rankings, self._curves)
        elif with_charts:
            self._number_depths = number_depths(self.cases)
        self._resamples = 0
        if problem.resamples > 0:
            progress(MEASURE_SHARE, "Resampling", self._make_result())
            resampler = Resampler(self._host, problem.resamples)
            resampler.run(
                _Stage(progress, MEASURE_SHARE, 1.0 - MEASURE_SHARE), with_bands=with_charts
            )
            self._resamples = problem.resamples
            if self._curves is not None:
                self._curves.draw(problem.resamples, _Stage(progress, 1.0, 0.0))
            if self._charts is not None:
                self._charts.use_bands(resampler.bands)
        self.result = self._make_result()

    @property
    def columns(self) -> list[Column]:
        """One for each metric."""
        return self._host.columns

    def _make_result(self) -> EvaluationResult:
        columns = self._host.columns
        charts = self._charts
        return EvaluationResult(
            rows=self.problem.rows,
            level=self.cases.levels[0] if self.cases.has_classes else "",
            class_levels=self.cases.levels,
            class_weight=self.cases.class_weight if self.cases.has_classes else np.empty(0),
            metrics=metric_infos([column.metric for column in columns]),
            cells=tuple(cell for column in columns for cell in marked_cells(self.cases, column)),
            comparisons=reference_differences(self.cases, columns, self.problem.reference_name),
            depths=self._number_depths if charts is None else charts.depths(),
            charts=self._charts_of_numbers() if charts is None else charts.charts(),
            resamples=self._resamples,
            seconds=time.perf_counter() - self._begun,
            warnings=self._warnings(),
            selections=selections(self.cases, columns),
            no_model=self._no_model,
        )

    def _charts_of_numbers(self) -> tuple[ChartData, ...]:
        """Charts of a number in the order asked for."""
        curves = self._curves
        if curves is None:
            return ()
        wanted = [kind for kind in self.problem.charts if kind in curves]
        return tuple(curves.chart(kind, event=SUM_WORDS) for kind in wanted)

    def _cluster_warnings(self) -> list[str]:
        number = self.cases.cluster_count
        if not 0 < number < FEW_UNITS:
            return []
        return [f"Only {counted(number, 'cluster')}: intervals are rough, and may be too narrow."]

    def _warnings(self) -> tuple[str, ...]:
        found = self._cluster_warnings()
        if not self.cases.has_classes:
            return tuple(found)
        found.extend(class_warnings(self.cases))
        found.extend(self._score_warnings())
        found.extend(self._fit_warnings())
        return tuple(found)

    def _score_warnings(self) -> list[str]:
        """Scores that rank nothing, and scores that rank everything: likelier leaked than good."""
        found = []
        is_event = self.cases.codes == 0
        for model in self.problem.models:
            probability = self.cases.probabilities(model)[0]
            if _are_equal(probability[:_FIRST]) and _are_equal(probability):
                found.append(equal_scores_words(model.name))
            elif not _overlap(probability[:_FIRST], is_event[:_FIRST]) and (
                is_event.any() and not is_event.all() and not _overlap(probability, is_event)
            ):
                found.append(perfect_words(model.name))
        return found

    def _fit_warnings(self) -> list[str]:
        """Statistics of fit are not prior-weighted: say where the chances do not suit the rows."""
        if self.cases.priors is None:
            return []
        share = float(self.cases.class_frequency[0] / self.cases.total_weight)
        weight = self.cases.weight if len(self.cases.weight) else None
        found = []
        for model in self.problem.models:
            if not model.has_probabilities:
                continue
            mean = float(np.average(self.cases.fitted_probabilities(model)[0], weights=weight))
            if abs(mean - share) > 0.25 * share and abs(share - self.cases.priors[0]) > 0.01:
                found.append(
                    f"Log loss, Brier score and accuracy of {model.name} are not weighted to the "
                    f"priors: its mean chance is {percent(mean)}, and {percent(share)} of the rows "
                    f"are '{self.cases.levels[0]}'."
                )
        return found

    def curve(self, name: str, model: str) -> FullCurve:
        """A curve at every end of a group of equal scores.

        Parameters
        ----------
        name : str
            "roc", "gains", "lift", "precision_recall", "calibration" (groups) or
            "smooth_calibration" (a spline).
        model : str

        Raises
        ------
        PayoffError
            For a name or model that is not there, or a target without classes.
        """
        chosen = next((m for m in self.problem.models if m.name == model), None)
        if chosen is None:
            names = [m.name for m in self.problem.models]
            raise no_such("model", model, names, listed="Known models")
        charts = () if self._charts is None else self.result.charts
        chart = next((c for c in charts if c.kind == name), None)
        whole = None if self._charts is None else self._charts.whole_band(name, model)
        return full_curve(self.cases, name, chosen, chart, whole)


_FIRST = 10_000
"""Cases of which some that speak against a warning spare a look at all the others."""


def _are_equal(score: FloatArray) -> bool:
    return float(np.ptp(score)) == 0.0


def _overlap(score: FloatArray, is_event: BoolArray) -> bool:
    """Whether an event is not above another case; no, where one of the two is not there."""
    events, others = score[is_event], score[~is_event]
    return bool(len(events) and len(others) and not events.min() > others.max())


def equal_scores_words(model: str) -> str:
    """What is said of scores that are all the same."""
    return f"All scores of {model} are equal: it ranks nothing (AUC 0.5)."


def perfect_words(model: str) -> str:
    """What is said of scores that tell every case apart."""
    return f"{model} is perfect (AUC 1.0000): check whether its scores know the outcome (leakage)."


def class_warnings(cases: JudgedCases) -> list[str]:
    """Classes of no row or of few."""
    found = []
    for level, rows in zip(cases.levels, cases.class_rows, strict=True):
        if rows == 0:
            found.append(f"No row used has the outcome '{level}'.")
        elif rows < FEW_UNITS:
            word = cases.problem.case_word[0 if rows == 1 else 1]
            found.append(
                f"Only {rows:,} {word} with the outcome '{level}': intervals are rough, and "
                "bootstrap bands may be too narrow."
            )
    return found


def metric_infos(metrics: list[BoundMetric]) -> tuple[MetricInfo, ...]:
    """The heads of the columns; variants of one metric with one title say their parameters."""
    infos = [metric.info() for metric in metrics]
    titles = [info.title for info in infos]
    return tuple(
        replace(info, title=f"{info.title}, {metric.parameter_words}")
        if titles.count(info.title) > 1 and metric.parameter_words
        else info
        for metric, info in zip(metrics, infos, strict=True)
    )


def assess(
    problem: EvaluationProblem,
    *,
    progress: ProgressCall = ignore_partial,
    should_stop: StopCall = never_stop,
    calling: CallingCall = call_unmarked,
    with_charts: bool = True,
) -> EvaluationResult:
    """Evaluate every model on every metric and draw the charts; see ``EvaluationRequest``."""
    return EvaluationRequest(
        problem,
        progress=progress,
        should_stop=should_stop,
        calling=calling,
        with_charts=with_charts,
    ).result
