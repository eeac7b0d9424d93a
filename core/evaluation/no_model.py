"""What each metric is without a model: every case gets the same prediction.

Of classes that is the share of each class among the cases, of a number its mean. A ranking then
ranks nothing, and a chance says what everybody knows: a model is worth what it adds to that.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial

import numpy as np

from core.document.results import NO_MODEL, Estimate, MetricCell
from core.evaluation.cases import JudgedCases
from core.evaluation.columns import Column, Measured, measure_rows
from core.evaluation.host import MetricsHost
from core.evaluation.problem import EvaluationProblem, JudgedScores
from payoff.types import FloatArray
from payoff.vocabulary import PREDICTION_INPUTS, Input, MetricForm, ResampleUnit, WeightMeaning

_SHARES = "Every case gets the share of each class in these rows as its chance."
_PRIORS = "Every case gets the share of each class in real life as its chance."
_MEAN = "Every case gets the mean of these rows as its prediction."
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
        Without intervals. None of metrics of lists, of times and of money, which need more of a
        case than its prediction.
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
        return ()
    return tuple(
        _cell(key, cell.value, note) for key, cell in measured if math.isfinite(cell.value)
    )


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
