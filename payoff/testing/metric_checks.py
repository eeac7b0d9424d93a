"""Checks of evaluation metrics."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from payoff.arm_sums import uplift_sums
from payoff.counting import counted
from payoff.errors import PayoffError
from payoff.parameters import parameter_array, resolve_parameters
from payoff.sample import Sample
from payoff.specs import EvaluationMetric, ReferenceValue
from payoff.testing.cases import (
    constant_predictions,
    perfect_prediction,
    predicted,
    scored_sample,
    taken,
)
from payoff.testing.checks import Check, require, require_close
from payoff.testing.host import extra_arrays, metric_answer, prediction_of, row_contributions
from payoff.types import FloatArray
from payoff.vocabulary import (
    PREDICTION_INPUTS,
    Aggregate,
    Direction,
    Input,
    MetricOutput,
    Task,
    WeightMeaning,
)

SEED = 20261
ROWS = 60
_NAIVE_TASKS = (Task.BINARY, Task.MULTICLASS, Task.REGRESSION, Task.UPLIFT)


def sample_of(
    metric: EvaluationMetric, task: Task, *, seed: int = SEED, decimals: int = 2
) -> Sample:
    """Made-up cases for a metric."""
    random = np.random.default_rng(seed)
    is_weighted = metric.weights != WeightMeaning.NONE
    return scored_sample(task, ROWS, random, decimals=decimals, is_weighted=is_weighted)


def for_each_task(run: Callable[[EvaluationMetric, Task], str]) -> Callable[..., str]:
    """Run a check for every task of the metric; the last finding speaks for all."""

    def check(metric: EvaluationMetric) -> str:
        """Run the check for each task of the metric."""
        require(metric.tasks, "the metric names no task")
        return [run(metric, task) for task in metric.tasks][-1]

    return check


def _has_predictions(metric: EvaluationMetric) -> bool:
    return any(item in PREDICTION_INPUTS for item in metric.inputs)


def _range(metric: EvaluationMetric, task: Task) -> str:
    low, high = metric.value_range
    for seed in range(5):
        answer = metric_answer(metric, sample_of(metric, task, seed=seed))
        values = answer[-1] if answer.ndim == 2 else answer
        if metric.output == MetricOutput.CURVE:
            values = values[np.isfinite(values)]
        slack = 1e-9 * max(1.0, float(np.abs(values).max(initial=0.0)))
        require(
            (values >= low - slack).all() and (values <= high + slack).all(),
            f"{values.min():.6g} to {values.max():.6g} outside {low:g} to {high:g}",
        )
    return f"{low:g} to {high:g}"


def _scalar(metric: EvaluationMetric, sample: Sample) -> float:
    return float(metric_answer(metric, sample)[0])


def _direction(metric: EvaluationMetric, task: Task) -> str:
    if metric.direction == Direction.NONE or metric.output == MetricOutput.CURVE:
        return "no direction"
    sample = sample_of(metric, task)
    sign = 1.0 if metric.direction == Direction.HIGHER else -1.0
    if _has_predictions(metric) and task in _NAIVE_TASKS:
        better = _scalar(metric, predicted(sample, perfect_prediction(sample)))
        worse = _scalar(metric, predicted(sample, constant_predictions(sample)[0]))
    elif Input.CONSEQUENCES in metric.inputs:
        more = sample.roles["consequences"].astype(np.float64) + 1.0
        roles = {**sample.roles, "consequences": more}
        richer = Sample(
            sample.outcome,
            prediction=sample.posteriors,
            weight=sample.weight,
            labels=sample.labels,
            task=sample.task,
            roles=roles,
        )
        better, worse = _scalar(metric, richer), _scalar(metric, sample)
    else:
        return "not checked for this task"
    require(sign * (better - worse) > 0, f"better cases give {better:.6g}, worse {worse:.6g}")
    return f"{worse:.4g}, better {better:.4g}"


def _reference(value: ReferenceValue, metric: EvaluationMetric, sample: Sample) -> float | None:
    if callable(value):
        return float(value(sample, resolve_parameters(metric.parameters)))
    return value


def _references(metric: EvaluationMetric, task: Task) -> str:
    if not _has_predictions(metric) or task not in _NAIVE_TASKS:
        return "not checked for this task"
    if metric.output == MetricOutput.CURVE:
        return "a curve"
    sample = sample_of(metric, task)
    perfect = _reference(metric.perfect_value, metric, sample)
    if perfect is not None:
        answer = _scalar(metric, predicted(sample, perfect_prediction(sample)))
        require_close(answer, perfect, "perfect model")
    random = _reference(metric.random_value, metric, sample)
    if random is not None:
        answers = [_scalar(metric, predicted(sample, p)) for p in constant_predictions(sample)]
        nearest = min(answers, key=lambda answer: abs(answer - random))
        require_close(nearest, random, "model that knows nothing")
    return f"random {random}, perfect {perfect}"


def _weight_twice(metric: EvaluationMetric, task: Task) -> str:
    if metric.weights != WeightMeaning.CASE:
        return f"weights = {metric.weights}"
    sample = sample_of(metric, task)
    # A curve has a point for every group of scores, also for one that lost its weight.
    lowest = 1 if metric.output == MetricOutput.CURVE else 0
    weight = np.random.default_rng(SEED + 1).integers(lowest, 4, len(sample))
    repeated = np.repeat(np.arange(len(sample)), weight)
    many = taken(sample, repeated, weight=np.ones(repeated.size))
    once = sample.reweighted(weight.astype(np.float64))
    return require_close(metric_answer(metric, once), metric_answer(metric, many), "weighted")


def _row_order(metric: EvaluationMetric, task: Task) -> str:
    sample = sample_of(metric, task, decimals=1)
    wanted = metric_answer(metric, sample)
    random = np.random.default_rng(SEED + 2)
    found = ""
    for _ in range(3):
        shuffled = taken(sample, random.permutation(len(sample)))
        found = require_close(metric_answer(metric, shuffled), wanted, "shuffled rows")
    return f"{found}, {counted(len(sample.group_ends), 'different score')}"


def _edge_sizes(metric: EvaluationMetric, task: Task) -> str:
    sample = sample_of(metric, task)
    low, high = metric.value_range
    first = np.flatnonzero(sample.outcome == sample.outcome[0])
    for rows in (np.array([0]), np.array([0, 1]), first):
        try:
            answer = metric_answer(metric, taken(sample, rows))
        except PayoffError:
            continue
        values = answer[-1] if answer.ndim == 2 else answer
        is_fine = np.isnan(values) | ((values >= low - 1e-9) & (values <= high + 1e-9))
        require(is_fine.all(), f"{values[~is_fine][:1]} for {counted(rows.size, 'row')}")
    return "one row, two rows, one class"


def _repeatable(metric: EvaluationMetric, task: Task) -> str:
    sample = sample_of(metric, task)
    first = metric_answer(metric, sample)
    return require_close(metric_answer(metric, sample), first, "second call", tolerance=0.0)


def row_chunks(metric: EvaluationMetric, sample: Sample) -> str:
    """A chunk fills its own positions, and the same as the whole."""
    assert metric.rows is not None
    parameters = parameter_array(metric.parameters, resolve_parameters(metric.parameters))
    whole = row_contributions(metric, sample, parameters)
    part = (np.full_like(whole[0], np.nan), np.full_like(whole[1], np.nan))
    extras = extra_arrays(metric, sample)
    prediction = prediction_of(metric, sample)
    metric.rows(sample.outcome, prediction, parameters, *extras, *part, 5, 9)
    for chunk, all_rows in zip(part, whole, strict=True):
        require(chunk.shape == (metric.n_means, len(sample)), "an output array changed its shape")
        require(np.isnan(np.delete(chunk, range(5, 9), axis=1)).all(), "rows outside are written")
        require_close(chunk[:, 5:9], all_rows[:, 5:9], "chunk", tolerance=0.0)
    return "exact"


def draws_apart(metric: EvaluationMetric, sample: Sample) -> str:
    """A draw does not depend on its neighbours, nor on groups without weight."""
    ranking = sample if sample.task != Task.MULTICLASS else sample.against_rest(0)
    parameters = parameter_array(metric.parameters, resolve_parameters(metric.parameters))
    # Rows of sums, two draws each: (rows, 2, groups).
    sums = np.stack(
        [_sums_of(metric, ranking), _sums_of(metric, ranking.reweighted(ranking.weight**2))],
        axis=1,
    )

    def value(rows: FloatArray, start: int, stop: int) -> FloatArray:
        """Fill the draws from start to stop and return all, the others missing."""
        out = np.full(rows.shape[1], np.nan)
        assert metric.ranked is not None
        given = (rows,) if sample.task == Task.UPLIFT else tuple(rows)
        metric.ranked(*given, parameters, out, start, stop)
        return out

    alone = [value(sums[:, draw : draw + 1].copy(), 0, 1)[0] for draw in range(2)]
    require_close(value(sums, 0, 2), alone, "two draws at once")
    require(np.isnan(value(sums, 1, 2)[0]), "draws outside start and stop are written")
    require_close(value(np.repeat(sums, 2, axis=2), 0, 2), alone, "groups without weight")
    front = np.concatenate([np.zeros_like(sums[:, :, :1]), sums], axis=2)
    return require_close(value(front, 0, 2), alone, "first group without weight")


def _sums_of(metric: EvaluationMetric, sample: Sample) -> FloatArray:
    """What a ranked metric reads of a sample, (rows, groups)."""
    if sample.task == Task.UPLIFT:
        return uplift_sums(sample, has_propensity=Input.PROPENSITY in metric.inputs)
    return np.stack([sample.cumulative("event"), sample.cumulative("others")])


def _total(metric: EvaluationMetric, task: Task) -> str:
    """Twice the weight: a mean stays, a total doubles."""
    if metric.weights != WeightMeaning.CASE or metric.output == MetricOutput.CURVE:
        return "not checked for this metric"
    sample = sample_of(metric, task)
    doubled = _scalar(metric, sample.reweighted(2.0 * sample.weight))
    factor = 2.0 if metric.aggregate == Aggregate.TOTAL else 1.0
    return require_close(doubled, factor * _scalar(metric, sample), "all weights doubled")


METRIC_CHECKS: tuple[Check[EvaluationMetric], ...] = (
    Check("Values lie in the stated range", for_each_task(_range)),
    Check("Direction is as stated", for_each_task(_direction)),
    Check("Random and perfect values are as stated", for_each_task(_references)),
    Check("Weight 2 equals a row twice", for_each_task(_weight_twice)),
    Check("Row order and ties do not matter", for_each_task(_row_order)),
    Check("One row, one class", for_each_task(_edge_sizes)),
    Check("Doubling all weights is as stated", for_each_task(_total)),
    Check("Same answer again, inputs untouched", for_each_task(_repeatable)),
)
