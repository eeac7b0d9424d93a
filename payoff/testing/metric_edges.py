"""Further checks of evaluation metrics: form, weights, ends of ranges, chunks, words."""

from __future__ import annotations

import numpy as np

from payoff.counting import counted
from payoff.errors import PayoffError
from payoff.parameters import resolve_parameters
from payoff.sample import Sample
from payoff.specs import EvaluationMetric, metric_title
from payoff.testing.cases import predicted, taken
from payoff.testing.checks import Check, require, require_close
from payoff.testing.curve_checks import curve_draws, curve_form, curve_words
from payoff.testing.host import metric_answer
from payoff.testing.metric_checks import draws_apart, for_each_task, row_chunks, sample_of
from payoff.testing.settings import end_settings
from payoff.types import FloatArray
from payoff.vocabulary import (
    PREDICTION_INPUTS,
    MetricForm,
    MetricOutput,
    ResampleUnit,
    Task,
    WeightMeaning,
)


def _form(metric: EvaluationMetric, task: Task) -> str:
    sample = sample_of(metric, task)
    if metric.output == MetricOutput.CURVE:
        return curve_form(metric, sample)
    answer = metric_answer(metric, sample)
    require(answer.shape == (1,), f"shape {answer.shape} instead of one number")
    return "one number"


def _defined(metric: EvaluationMetric, task: Task) -> str:
    for seed in range(3):
        answer = metric_answer(metric, sample_of(metric, task, seed=seed))
        if metric.output == MetricOutput.CURVE:
            require(np.isfinite(answer).all(axis=0).any(), "no point is defined on ordinary cases")
            continue
        require(np.isfinite(answer).all(), f"{answer[~np.isfinite(answer)][:1]} on ordinary cases")
    return "finite"


def _weight_zero(metric: EvaluationMetric, task: Task) -> str:
    """Cases of weight 0 might as well not be there."""
    if metric.weights != WeightMeaning.CASE or metric.output == MetricOutput.CURVE:
        return f"weights = {metric.weights}, {metric.output}"
    if metric.unit != ResampleUnit.ROW:
        return f"counts by {metric.unit}"
    sample = sample_of(metric, task)
    keep = np.arange(len(sample)) % 4 != 3
    weightless = sample.reweighted(np.where(keep, sample.weight, 0.0))
    without = taken(sample, np.flatnonzero(keep))
    return require_close(metric_answer(metric, weightless), metric_answer(metric, without), "value")


def _in_range(metric: EvaluationMetric, answer: FloatArray, words: str) -> None:
    """Whatever is defined lies in the stated range."""
    low, high = metric.value_range
    values = answer[-1] if answer.ndim == 2 else answer
    slack = 1e-9 * max(1.0, float(np.nanmax(np.abs(values), initial=0.0)))
    wrong = values[(values < low - slack) | (values > high + slack)]
    require(wrong.size == 0, f"{wrong[:1]} {words}, outside {low:g} to {high:g}")


def _ends(metric: EvaluationMetric, task: Task) -> str:
    """At the ends of the parameters' ranges: a value in range, undefined, or refused in words."""
    sample, settings = sample_of(metric, task), end_settings(metric.parameters)
    for values in settings:
        try:
            answer = metric_answer(metric, sample, values)
        except PayoffError:
            continue
        _in_range(metric, answer, f"at {values}")
    return counted(len(settings), "setting")


def _equal_predictions(metric: EvaluationMetric, task: Task) -> str:
    """A model that says the same of everyone is an ordinary thing."""
    if not any(item in PREDICTION_INPUTS for item in metric.inputs):
        return "takes no predictions"
    sample = sample_of(metric, task)
    same = np.repeat(sample.posteriors[:, :1], len(sample), axis=1)
    try:
        answer = metric_answer(metric, predicted(sample, same))
    except PayoffError:
        return "refused in words"
    _in_range(metric, answer, "where all predictions are equal")
    return ", ".join(f"{value:.4g}" for value in np.ravel(answer)[:1])


def _chunks(metric: EvaluationMetric, task: Task) -> str:
    sample = sample_of(metric, task)
    if metric.form in (MetricForm.ROW_MEAN, MetricForm.SMOOTH):
        return row_chunks(metric, sample)
    if metric.output == MetricOutput.CURVE and metric.trace is not None and sample.labels:
        return curve_draws(metric, sample)
    if metric.form == MetricForm.RANKED and metric.output == MetricOutput.SCALAR:
        return draws_apart(metric, sample)
    return "one call for all"


def _untouched(metric: EvaluationMetric, task: Task) -> str:
    sample = sample_of(metric, task)
    before = _arrays(sample)
    metric_answer(metric, sample)
    for name, array in _arrays(sample).items():
        require(np.array_equal(array, before[name], equal_nan=True), f"'{name}' was changed")
    return counted(len(before), "array")


def _arrays(sample: Sample) -> dict[str, FloatArray]:
    """Copies of everything a metric is handed."""
    named = {
        "outcome": sample.outcome,
        "score": sample.score,
        "predictions": sample.posteriors,
        "weight": sample.weight,
        **sample.roles,
    }
    return {name: np.asarray(array, dtype=np.float64).copy() for name, array in named.items()}


def _words(metric: EvaluationMetric) -> str:
    for item in metric.parameters:
        require(item.words.strip(), f"the parameter '{item.name}' has no words")
    if metric.output == MetricOutput.CURVE:
        curve_words(metric)
    for values in ({}, *end_settings(metric.parameters)):
        title = metric_title(metric, resolve_parameters(metric.parameters, values))
        require(title.strip() and "{" not in title, f"the title reads '{title}'")
    return metric_title(metric, resolve_parameters(metric.parameters))


METRIC_EDGES: tuple[Check[EvaluationMetric], ...] = (
    Check("Answer has the stated form", for_each_task(_form)),
    Check("Ordinary cases give a number", for_each_task(_defined)),
    Check("Cases of weight 0 do not count", for_each_task(_weight_zero)),
    Check("Ends of the parameters' ranges work", for_each_task(_ends)),
    Check("Equal predictions are no trouble", for_each_task(_equal_predictions)),
    Check("Chunks and draws stand apart", for_each_task(_chunks)),
    Check("The sample is left as it was", for_each_task(_untouched)),
    Check("Words are there", _words),
)
