"""``assess`` answers page Compare in one call; ``EvaluationRequest`` keeps what is asked later."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

import numpy as np

from core.data.cancellation import never_stop
from core.document.plugin_results import MetricInfo
from core.document.results import ChartData, EvaluationResult, ModelDepths, PairedDifference
from core.evaluation.binding import BoundMetric
from core.evaluation.cases import JudgedCases, percent
from core.evaluation.charts.curves import FullCurve, full_curve
from core.evaluation.charts.number_depths import number_depths
from core.evaluation.charts.plugin_curves import PluginCurves
from core.evaluation.charts.usual import ChartMaker
from core.evaluation.columns import Column
from core.evaluation.compare import (
    DifferenceError,
    all_differences,
    difference,
    difference_error,
    marked_cells,
    reference_differences,
)
from core.evaluation.host import MetricsHost
from core.evaluation.naming import requested
from core.evaluation.no_model import no_model_cells
from core.evaluation.problem import (
    CallingCall,
    EvaluationProblem,
    ProgressCall,
    StopCall,
    call_unmarked,
    ignore_partial,
)
from core.evaluation.resampling import Resampler
from core.evaluation.selection import selections
from core.inference.intervals import (
    FEW_UNITS,
)
from payoff.counting import counted
from payoff.errors import PayoffError, no_such

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


class EvaluationRequest:
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

    def _make_result(self) -> EvaluationResult:
        columns = self._host.columns
        charts = self._charts
        return EvaluationResult(
            rows=self.problem.rows,
            level=self.cases.levels[0] if self.cases.has_classes else "",
            class_levels=self.cases.levels,
            class_weight=self.cases.class_weight if self.cases.has_classes else np.empty(0),
            metrics=_infos([column.metric for column in columns]),
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
        for level, rows in zip(self.cases.levels, self.cases.class_rows, strict=True):
            if rows == 0:
                found.append(f"No row used has the outcome '{level}'.")
            elif rows < FEW_UNITS:
                word = self.problem.case_word[0 if rows == 1 else 1]
                found.append(
                    f"Only {rows:,} {word} with the outcome '{level}': intervals are rough, and "
                    "bootstrap bands may be too narrow."
                )
        found.extend(self._score_warnings())
        found.extend(self._fit_warnings())
        return tuple(found)

    def _score_warnings(self) -> list[str]:
        """Scores that rank nothing, and scores that rank everything: likelier leaked than good."""
        found = []
        is_event = self.cases.codes == 0
        for model in self.problem.models:
            probability = self.cases.chances(model)[0]
            if float(np.ptp(probability)) == 0.0:
                found.append(f"All scores of {model.name} are equal: it ranks nothing (AUC 0.5).")
                continue
            if not is_event.any() or is_event.all():
                continue
            if probability[is_event].min() > probability[~is_event].max():
                found.append(
                    f"{model.name} is perfect (AUC 1.0000): check whether its scores know the "
                    "outcome (leakage)."
                )
        return found

    def _fit_warnings(self) -> list[str]:
        """Statistics of fit are not prior-weighted: say where the chances do not suit the rows."""
        if self.cases.priors is None:
            return []
        share = float(self.cases.class_frequency[0] / self.cases.total_weight)
        weight = self.cases.weight if len(self.cases.weight) else None
        found = []
        for model in self.problem.models:
            if not model.has_chances:
                continue
            mean = float(np.average(self.cases.fit_chances(model)[0], weights=weight))
            if abs(mean - share) > 0.25 * share and abs(share - self.cases.priors[0]) > 0.01:
                found.append(
                    f"Log loss, Brier score and accuracy of {model.name} are not weighted to the "
                    f"priors: its mean chance is {percent(mean)}, and {percent(share)} of the rows "
                    f"are '{self.cases.levels[0]}'."
                )
        return found

    def key_of(self, metric: str) -> str:
        """The key of a metric of the table, which may be named by an alias or with parameters.

        Raises
        ------
        PayoffError
            For a metric that is not there, or an id that stands there several times.
        """
        return requested((column.metric.request for column in self._host.columns), metric).key

    def known_key(self, metric: str) -> str:
        """The same, empty for a metric that is not there."""
        try:
            return self.key_of(metric)
        except PayoffError:
            return ""

    def _column(self, metric: str) -> Column:
        key = self.key_of(metric)
        return next(column for column in self._host.columns if column.metric.key == key)

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

    def chance_ahead(self, first: str, second: str, metric: str) -> float:
        """Share of resamples in which the first model is better, half of those in which both are
        level; NaN without resamples.
        """
        found = self.compare(first, second, metric)
        ahead = found.ahead + found.level / 2
        return ahead / found.resamples if found.resamples else float("nan")

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


def _infos(metrics: list[BoundMetric]) -> tuple[MetricInfo, ...]:
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
