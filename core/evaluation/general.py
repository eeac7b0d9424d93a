"""General metrics: a plugin's own ``compute`` on the sample, and up to 200 resamples of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from core.document.results import Estimate
from core.evaluation.binding import BoundMetric, MetricRefusal
from core.evaluation.call_guard import CallGuard
from core.evaluation.cases import JudgedCases
from core.evaluation.columns import Measured
from core.evaluation.problem import JudgedScores
from core.evaluation.rows.sums import draw_factor
from core.kernels import LANES, poisson_weights
from payoff.counting import counted
from payoff.sample import Sample
from payoff.types import AnyArray, FloatArray, IntArray
from payoff.vocabulary import MetricForm, MetricOutput, ResampleUnit, WeightMeaning

GENERAL_DRAWS = 200


def measure_general(cases: JudgedCases, metric: BoundMetric, model: JudgedScores) -> float:
    """The metric on the cases as they are.

    Raises
    ------
    MetricRefusal
        For a curve, or where the plugin gives no number.
    """
    if metric.spec.output == MetricOutput.CURVE:
        raise MetricRefusal("It is a curve, not a number of the table.")
    return _number(metric, metric.sample(cases, model))


def remark_of(cases: JudgedCases, metric: BoundMetric, model: JudgedScores) -> str:
    """What the metric says beside its number, or an empty text."""
    return metric.remark(metric.sample(cases, model))


def interval_of(
    cases: JudgedCases, metric: BoundMetric, model: JudgedScores, value: float
) -> Estimate | None:
    """The interval that the metric gives itself; None where cases are not drawn row by row.

    Raises
    ------
    MetricRefusal
        Where the value does not lie in it.
    """
    is_ranked = metric.spec.form == MetricForm.RANKED
    if cases.clusters is not None or (cases.factor is not None and not is_ranked):
        return None
    found = metric.limits(metric.sample(cases, model))
    if found is None or metric.spec.unit != ResampleUnit.ROW:
        return None
    low, high, method = found
    if not low <= value <= high:
        raise MetricRefusal(f"The plugin's interval, {low:g} to {high:g}, misses the value.")
    holds = cases.holds_fixed() if metric.is_prior_weighted else ""
    return Estimate(value=value, low=float(low), high=float(high), method=method, holds_fixed=holds)


def _number(metric: BoundMetric, sample: Sample) -> float:
    answer = metric.compute(sample, metric.parameters)
    if not isinstance(answer, (int, float, np.floating, np.integer)):
        raise MetricRefusal(f"The plugin gave {type(answer).__name__}, not a number.")
    return float(answer)


def draw_general(
    guard: CallGuard,
    cases: JudgedCases,
    metric: BoundMetric,
    model: JudgedScores,
    cell: Measured,
    draws: int,
    step: Callable[[float, str], None],
) -> None:
    """Fill ``cell.draws`` with at most 200 resamples; draws that fail count as undefined."""
    number = min(draws, GENERAL_DRAWS)
    units = cases.units_of(metric.spec.unit)
    if units is None:
        cell.note = f"It needs a column with the role '{metric.spec.unit}'."
        return
    values = np.full(number, np.nan)
    text = f"Resampling {metric.spec.label}, {counted(number, 'draw')}"
    for draw, resampled in enumerate(resamples(guard, cases, metric, model, units, number)):
        found = None
        if resampled is not None:
            trial = Measured(model=model.name)
            found = guard.call(metric, trial, partial(_number, metric, resampled))
        values[draw] = np.nan if found is None else found
        if (draw + 1) % LANES == 0 or draw + 1 == number:
            step((draw + 1) / number, text)
    cell.draws = values


def resamples(
    guard: CallGuard,
    cases: JudgedCases,
    metric: BoundMetric,
    model: JudgedScores,
    units: IntArray,
    number: int,
) -> Iterator[Sample | None]:
    """The sample of each draw; None where a class with a prior above 0 was not drawn."""
    sample = metric.sample(cases, model)
    for first in range(0, number, LANES):
        drawn = poisson_weights(
            cases.problem.seed, units, first_draw=first, draws=min(LANES, number - first)
        )
        for times in np.ascontiguousarray(drawn.T):
            guard.check_stop()
            yield _resample(cases, metric, sample, times, units)


def _resample(
    cases: JudgedCases, metric: BoundMetric, sample: Sample, drawn: AnyArray, units: IntArray
) -> Sample | None:
    """The sample of one draw, or None where a class with a prior above 0 was not drawn."""
    if metric.spec.weights == WeightMeaning.NONE:
        return _repeat(cases, metric, sample, np.asarray(drawn, dtype=np.int64), units)
    weight = (cases.weight if len(cases.weight) else 1.0) * drawn.astype(np.float64)
    if cases.priors is not None and metric.is_prior_weighted:
        counts = np.bincount(cases.codes, weights=weight, minlength=cases.class_count)
        frequency = counts.astype(np.float64)
        factor = draw_factor(cases, frequency[:, np.newaxis])[:, 0]
        if np.isnan(factor).any():
            return None
        weight = weight * factor[cases.codes]
    return sample.reweighted(weight)


def _repeat(
    cases: JudgedCases, metric: BoundMetric, sample: Sample, times: IntArray, units: IntArray
) -> Sample:
    """Drawn units as rows of their own; a group drawn twice becomes two groups."""
    rows = np.repeat(np.arange(len(cases)), times)
    roles: dict[str, AnyArray] = {name: column[rows] for name, column in sample.roles.items()}
    unit = metric.spec.unit
    if unit != ResampleUnit.ROW:
        starts = np.cumsum(times) - times
        copy = np.arange(len(rows)) - starts[rows]
        roles[str(unit)] = units[rows] * (int(times.max(initial=0)) + 1) + copy
    prediction: FloatArray = sample.posteriors[:, rows]
    return Sample(
        sample.outcome[rows],
        sample.score[rows],
        prediction=prediction,
        labels=sample.labels,
        class_order=sample.class_order,
        task=sample.task,
        roles=roles,
    )
