"""A small host in plain Python: what a metric or distribution gives, without compiling.

The engine computes the same on large data with compiled kernels; this is the reference.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from payoff.arm_sums import uplift_sums
from payoff.blocks import BlockCases, block_cases, over_cases
from payoff.curves import CurveLine, CurveRanking, lines_of
from payoff.errors import PayoffError
from payoff.kernels import KernelShape, kernel_mark
from payoff.numeric import newton_leaf_values
from payoff.parameters import Parameters, parameter_array, resolve_parameters
from payoff.sample import Sample
from payoff.specs import EvaluationMetric, Kernel, LossDistribution
from payoff.types import AnyArray, FloatArray, IntArray
from payoff.vocabulary import (
    COLUMN_ROLE,
    PREDICTION_INPUTS,
    Aggregate,
    ClassAverage,
    Extra,
    Input,
    MetricForm,
    MetricOutput,
    Task,
)

_NOT_ARRAYS = {Extra.WEIGHT, Extra.OFFSET}


def curve_lines(
    metric: EvaluationMetric, sample: Sample, parameters: Parameters
) -> tuple[CurveLine, ...]:
    """The lines of a curve on one sample, in plain Python.

    Raises
    ------
    PayoffError
        If the answer has another form.
    """
    if metric.trace is not None and sample.labels:
        basis = sample.against_rest(0) if len(sample.labels) > 2 else sample
        return lines_of(metric.trace(CurveRanking.of(basis), parameters), metric.id)
    if metric.compute is None:
        raise PayoffError(f"The curve '{metric.id}' has no function for this outcome.")
    grid = metric.axes.grid if metric.axes is not None else None
    more = () if grid is None else (grid([sample], parameters),)
    return lines_of(metric.compute(sample, parameters, *more), metric.id)


def metric_value(
    metric: EvaluationMetric, sample: Sample, parameters: Mapping[str, object] | None = None
) -> float:
    """Return a scalar metric of a sample.

    Raises
    ------
    PayoffError
        If the metric refuses the sample, or is a curve.
    """
    if metric.output == MetricOutput.CURVE:
        raise PayoffError(f"'{metric.id}' is a curve.")
    return float(metric_answer(metric, sample, parameters)[0])


def metric_answer(
    metric: EvaluationMetric, sample: Sample, parameters: Mapping[str, object] | None = None
) -> FloatArray:
    """Return (1,) for a scalar, (2, points) for a curve, its lines one after the other."""
    values = resolve_parameters(metric.parameters, parameters)
    if metric.check is not None:
        metric.check(sample, values)
    if metric.output == MetricOutput.CURVE:
        lines = curve_lines(metric, sample, values)
        return np.hstack([np.vstack([line.x, line.y]) for line in lines])
    if metric.form == MetricForm.GENERAL:
        assert metric.compute is not None
        return np.atleast_1d(np.asarray(metric.compute(sample, values), dtype=np.float64))
    array = parameter_array(metric.parameters, values)
    if metric.form == MetricForm.RANKED:
        return np.array([_ranked_value(metric, sample, array)])
    means = row_means(metric, sample, array)
    if metric.form == MetricForm.SMOOTH:
        assert metric.combine is not None
        return np.asarray(metric.combine(means[:, np.newaxis], values), dtype=np.float64)
    scale = sample.total_weight if metric.aggregate == Aggregate.TOTAL else 1.0
    return means * scale


def row_means(metric: EvaluationMetric, sample: Sample, parameters: FloatArray) -> FloatArray:
    """Return the weighted row means of a row_mean or smooth metric, (n_means,)."""
    contribution, factor = row_contributions(metric, sample, parameters)
    means = np.full(metric.n_means, np.nan)
    for m in range(metric.n_means):
        weight = sample.weight * factor[m]
        counted = weight != 0.0
        if weight.sum() != 0.0:
            means[m] = (weight * contribution[m])[counted].sum() / weight.sum()
    return means


def row_contributions(
    metric: EvaluationMetric, sample: Sample, parameters: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return contribution and factor of each case, both (n_means, n)."""
    assert metric.rows is not None
    contribution = np.full((metric.n_means, len(sample)), np.nan)
    factor = np.full((metric.n_means, len(sample)), np.nan)
    metric.rows(
        sample.outcome,
        prediction_of(metric, sample),
        parameters,
        *extra_arrays(metric, sample),
        contribution,
        factor,
        0,
        len(sample),
    )
    return contribution, factor


def prediction_of(metric: EvaluationMetric, sample: Sample) -> FloatArray:
    """Return the argument ``prediction`` of a metric's kernel."""
    if Input.SCORE in metric.inputs:
        return sample.score[np.newaxis, :]
    return sample.posteriors


def extra_arrays(metric: EvaluationMetric, sample: Sample) -> list[AnyArray]:
    """Return the further columns a metric reads, in declared order."""
    names = [
        str(item)
        for item in metric.inputs
        if item not in PREDICTION_INPUTS and item != Input.OUTCOME
    ]
    missing = [name for name in names if name not in sample.roles]
    if missing:
        raise PayoffError(f"'{metric.id}' needs the column '{missing[0]}'.")
    arrays = [sample.roles[name] for name in names]
    for column in metric.columns:  # made-up samples have one column of amounts for all
        role = f"{COLUMN_ROLE}{column.name}"
        arrays.append(sample.roles[role if role in sample.roles else f"{COLUMN_ROLE}amount"])
    return arrays


def _ranked_value(metric: EvaluationMetric, sample: Sample, parameters: FloatArray) -> float:
    if sample.task != Task.MULTICLASS:
        return _one_ranking(metric, sample, parameters)
    if metric.over_classes == ClassAverage.EVENT:
        return _one_ranking(metric, sample.against_rest(0), parameters)
    values = np.array(
        [
            _one_ranking(metric, sample.against_rest(level), parameters)
            for level in range(len(sample.labels))
        ]
    )
    if metric.over_classes == ClassAverage.MACRO:
        return float(values.mean())
    return float(np.average(values, weights=sample.class_weight))


def _one_ranking(metric: EvaluationMetric, sample: Sample, parameters: FloatArray) -> float:
    assert metric.ranked is not None
    if sample.task == Task.UPLIFT:
        sums = uplift_sums(sample, has_propensity=Input.PROPENSITY in metric.inputs)
        out = np.full(1, np.nan)
        metric.ranked(sums[:, np.newaxis], parameters, out, 0, 1)
        return float(out[0])
    events = sample.cumulative("event")[np.newaxis, :]
    others = sample.cumulative("others")[np.newaxis, :]
    out = np.full(1, np.nan)
    metric.ranked(events, others, parameters, out, 0, 1)
    return float(out[0])


class DistributionHost:
    """The functions of a distribution on given cases, with arrays made for them.

    Parameters
    ----------
    distribution : LossDistribution
    outcome : float64 array (n,)
    extras : mapping of role to array
        The further columns it reads; optional ones may be absent.
    parameters : mapping of names to values
        What is left out has its default.

    Attributes
    ----------
    columns : dict of role to float64 array (n,)
    blocks : (int64 array, int64 array)
        What ``arrange`` answers; empty without it.
    """

    def __init__(
        self,
        distribution: LossDistribution,
        outcome: FloatArray,
        extras: Mapping[str, AnyArray] | None = None,
        parameters: Mapping[str, object] | None = None,
    ) -> None:
        self.distribution = distribution
        self.outcome = np.ascontiguousarray(outcome, dtype=np.float64)
        self.values = resolve_parameters(distribution.parameters, parameters)
        self.parameters = parameter_array(distribution.parameters, self.values)
        self.columns = _columns(distribution, self.outcome, extras or {})
        self.extras = list(self.columns.values())
        self.blocks = np.zeros(0, dtype=np.int64), np.zeros(1, dtype=np.int64)
        if distribution.arrange is not None:
            rows, offsets = distribution.arrange(self.outcome, self.values, self.columns)
            self.blocks = rows.astype(np.int64), offsets.astype(np.int64)

    @property
    def size(self) -> int:
        """Number of cases."""
        return int(self.outcome.shape[0])

    @property
    def has_blocks(self) -> bool:
        """Whether cases depend on each other."""
        return self.distribution.arrange is not None

    def chosen(self, rows: AnyArray) -> DistributionHost:
        """The host of the given row numbers, repeated or shuffled."""
        columns = {name: column[rows] for name, column in self.columns.items()}
        return DistributionHost(self.distribution, self.outcome[rows], columns, self.values)

    def losses(self, score: FloatArray, weight: FloatArray | None = None) -> FloatArray:
        """Loss of each case at (K, n) scores, times its factor where there is one."""
        out, factor = self.losses_and_factors(score, weight)
        return np.where(factor == 0.0, 0.0, out * factor)

    def losses_and_factors(
        self, score: FloatArray, weight: FloatArray | None = None
    ) -> tuple[FloatArray, FloatArray]:
        """Loss and factor of each case, both (n,); weights default to 1."""
        out, factor = np.full(self.size, np.nan), np.ones(self.size)
        if not self.has_blocks:
            self.distribution.loss(
                self.outcome, score, self.parameters, *self.extras, out, 0, self.size
            )
            return out, factor
        return self.block_losses(score, weight, self.blocks[1].shape[0] - 1)

    def block_losses(
        self, score: FloatArray, weight: FloatArray | None, n_blocks: int
    ) -> tuple[FloatArray, FloatArray]:
        """Loss and factor of the cases of the first blocks, NaN elsewhere; both (n,)."""
        out, factor = np.full(self.size, np.nan), np.full(self.size, np.nan)
        loss = over_cases(self.distribution.loss, "loss", self.columns)
        loss(self._cases(score, weight), out, factor, 0, n_blocks)
        return out, factor

    def _cases(
        self,
        score: FloatArray,
        weight: FloatArray | None,
        *steps: tuple[FloatArray, FloatArray],
    ) -> BlockCases:
        """The cases as kernels over blocks take them; ``steps`` are gradient and curvature."""
        weight = np.ones(self.size) if weight is None else weight
        return block_cases(
            self.outcome, score, weight, self.parameters, self.columns, self.blocks, *steps
        )

    def deviance(self, score: FloatArray, weight: FloatArray | None = None) -> float:
        """The deviance shown: weighted mean of the losses; NaN where nothing counts."""
        weight = np.ones(self.size) if weight is None else weight
        out, factor = self.losses_and_factors(score, weight)
        share = weight * factor
        counts = share != 0.0
        total = share.sum()
        return float((share * out)[counts].sum() / total) if total > 0.0 else float("nan")

    def gradients(
        self, score: FloatArray, weight: FloatArray | None = None
    ) -> tuple[FloatArray, FloatArray]:
        """Negative gradient and curvature, both (K, n); weights default to 1."""
        gradient, curvature = np.full_like(score, np.nan), np.full_like(score, np.nan)
        if not self.has_blocks:
            self.distribution.negative_gradient(
                self.outcome,
                score,
                self.parameters,
                *self.extras,
                gradient,
                curvature,
                0,
                self.size,
            )
            return gradient, curvature
        cases = self._cases(score, weight)
        gradient_sum = over_cases(
            self.distribution.negative_gradient, "negative_gradient", self.columns
        )
        gradient_sum(cases, gradient, curvature, 0, self.blocks[1].shape[0] - 1)
        return gradient, curvature

    def initial_score(self, weight: FloatArray, offset: FloatArray) -> FloatArray:
        """Best constant score, (K,)."""
        out = np.full(offset.shape[0], np.nan)
        stop_flag = np.zeros(1, dtype=np.uint8)
        start = self.distribution.initial_score
        if self.has_blocks:
            cases = block_cases(self.outcome, offset, weight, self.parameters, self.columns)
            over_cases(start, "initial_score", self.columns)(cases, out, stop_flag)
            return out
        start(self.outcome, weight, offset, self.parameters, *self.extras, out, stop_flag)
        return out

    def leaf_values(
        self,
        score: FloatArray,
        weight: FloatArray,
        rows: IntArray,
        offsets: IntArray,
        output: int,
        min_cases: int = 1,
    ) -> FloatArray:
        """Values of leaves, (leaves,)."""
        gradient, curvature = self.gradients(score, weight)
        own = self.distribution.leaf_values
        kernel: Kernel = own or newton_leaf_values
        mark = kernel_mark(kernel)
        leaves = offsets.shape[0] - 1
        out = np.full(leaves, np.nan)
        given: tuple[object, ...]
        if self.has_blocks and own is not None:
            kernel = over_cases(own, "leaf_values", self.columns)
            given = (self._cases(score, weight, (gradient, curvature)),)
        else:
            extras = () if own is None else self.extras
            given = (self.outcome, score, weight, gradient, curvature, self.parameters, *extras)
        last: tuple[object, ...] = (out, 0, leaves)
        if mark is not None and mark.shape is KernelShape.WHOLE:
            blocks = () if self.has_blocks else self.blocks
            last = (*blocks, min_cases, out, np.zeros(1, dtype=np.uint8))
        kernel(*given, output, rows, offsets, *last)
        return out

    def responses(self, score: FloatArray) -> FloatArray:
        """Predictions at (K, m) scores."""
        out = np.full_like(score, np.nan)
        self.distribution.response(score, self.parameters, out, 0, score.shape[1])
        return out

    def links(self, prediction: FloatArray) -> FloatArray:
        """Scores at (K, m) predictions."""
        out = np.full_like(prediction, np.nan)
        self.distribution.link(prediction, self.parameters, out, 0, prediction.shape[1])
        return out


def _columns(
    distribution: LossDistribution, outcome: FloatArray, given: Mapping[str, AnyArray]
) -> dict[str, FloatArray]:
    """The further columns as kernels get them: float64, zeros for optional ones that are absent."""
    columns = {}
    for role in distribution.extras:
        if role in _NOT_ARRAYS:
            continue
        name = str(role)
        if name in given:
            columns[name] = np.ascontiguousarray(given[name], dtype=np.float64)
        elif role in distribution.optional_extras:
            columns[name] = np.zeros(outcome.shape[0])
        else:
            raise PayoffError(f"'{distribution.id}' needs the column '{name}'.")
    return columns
