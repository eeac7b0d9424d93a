"""Compiled kernels give what the same kernels give in plain Python."""

import numpy as np
import pytest

from core.kernels.compiling import compile_kernel
from payoff.deviance import deviance_metric
from payoff.parameters import parameter_array
from payoff.testing.cases import scored_sample
from payoff.testing.host import extra_arrays, prediction_of, row_contributions
from payoff.vocabulary import MetricForm
from plugins.distributions.hooks import payoff_register_distributions
from plugins.metrics.hooks import payoff_register_metrics

DISTRIBUTIONS = payoff_register_distributions()
METRICS = [*payoff_register_metrics(), *map(deviance_metric, DISTRIBUTIONS)]
RANKED = [metric for metric in METRICS if metric.form == MetricForm.RANKED]
BY_ROWS = [metric for metric in METRICS if metric.rows is not None]


def array_of(spec):
    return parameter_array(spec.parameters, {item.name: item.default for item in spec.parameters})


@pytest.mark.parametrize("metric", RANKED, ids=lambda metric: metric.id)
def test_ranked_kernels(metric):
    random = np.random.default_rng(1)
    events = np.cumsum(random.uniform(0, 2, (4, 30)), axis=1)
    others = np.cumsum(random.uniform(0, 2, (4, 30)), axis=1)
    plain, compiled = np.zeros(4), np.zeros(4)
    metric.ranked(events, others, array_of(metric), plain, 0, 4)
    compile_kernel(metric.ranked)(events, others, array_of(metric), compiled, 0, 4)
    np.testing.assert_allclose(compiled, plain, rtol=1e-13)


@pytest.mark.parametrize("metric", BY_ROWS, ids=lambda metric: metric.id)
def test_row_kernels(metric):
    sample = scored_sample(metric.tasks[0], 50, np.random.default_rng(2))
    wanted = row_contributions(metric, sample, array_of(metric))
    found = np.zeros((metric.n_means, 50)), np.zeros((metric.n_means, 50))
    prediction = np.ascontiguousarray(prediction_of(metric, sample))
    compiled = compile_kernel(metric.rows)
    extras = extra_arrays(metric, sample)
    for start, stop in ((0, 20), (20, 50)):
        compiled(sample.outcome, prediction, array_of(metric), *extras, *found, start, stop)
    np.testing.assert_allclose(found, wanted, rtol=1e-13)


@pytest.mark.parametrize("distribution", DISTRIBUTIONS, ids=lambda spec: spec.id)
def test_distribution_kernels_compile(distribution):
    random = np.random.default_rng(3)
    outcome = random.integers(0, 2, 40).astype(float)
    score, weight, nothing = random.normal(0, 1, (1, 40)), np.ones(40), np.zeros(0)
    plain, compiled = np.zeros((2, 1, 40)), np.zeros((2, 1, 40))
    distribution.negative_gradient(outcome, score, nothing, *plain, 0, 40)
    compile_kernel(distribution.negative_gradient)(outcome, score, nothing, *compiled, 0, 40)
    np.testing.assert_allclose(compiled, plain, rtol=1e-13)
    starts = np.zeros(1), np.zeros(1)
    stop_flag = np.zeros(1, dtype=np.uint8)
    distribution.initial_score(outcome, weight, score, nothing, starts[0], stop_flag)
    run = compile_kernel(distribution.initial_score)
    run(outcome, weight, score, nothing, starts[1], stop_flag)
    assert starts[1] == pytest.approx(starts[0], rel=1e-12)
    if distribution.leaf_values is not None:
        leaves = np.zeros(2), np.zeros(2)
        rows, offsets = random.permutation(40).astype(np.int64), np.array([0, 15, 40])
        arguments = (outcome, score, weight, *plain, nothing, 0, rows, offsets)
        distribution.leaf_values(*arguments, leaves[0], 0, 2)
        compile_kernel(distribution.leaf_values)(*arguments, leaves[1], 0, 2)
        np.testing.assert_allclose(leaves[1], leaves[0], rtol=1e-12)


def test_two_deviances_of_one_template_do_not_share_compiled_code():
    """They share a code object; the qualified name and the bound kernels tell them apart."""
    first, second = (deviance_metric(spec) for spec in (DISTRIBUTIONS[0], DISTRIBUTIONS[3]))
    assert first.rows.__code__ is second.rows.__code__
    assert first.rows.__qualname__ != second.rows.__qualname__
    outcome, prediction = np.array([0.0, 4.0]), np.array([[3.0, 1.0]])
    answers = []
    for metric in (first, second):
        contribution, factor = np.zeros((1, 2)), np.zeros((1, 2))
        run = compile_kernel(metric.rows)
        run(outcome, prediction, np.zeros(0), contribution, factor, 0, 2)
        answers.append(contribution[0].tolist())
    assert answers == [[9.0, 9.0], [3.0, 3.0]]
