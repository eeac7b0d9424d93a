"""Compiled kernels give what the same kernels give in plain Python."""

from dataclasses import replace

import numpy as np
import pytest

from core.kernels.compiling import compile_kernel
from payoff.deviance import deviance_metric
from payoff.kernels import kernel, kernel_mark
from payoff.parameters import parameter_array
from payoff.testing.cases import scored_sample
from payoff.testing.distribution_checks import made_up, random_scores
from payoff.testing.host import DistributionHost, extra_arrays, prediction_of, row_contributions
from payoff.vocabulary import MetricForm, Task
from plugins.distributions.hooks import payoff_register_distributions
from plugins.metrics.hooks import payoff_register_metrics

DISTRIBUTIONS = payoff_register_distributions()
VARIANTS = [
    variant
    for spec in DISTRIBUTIONS
    for variant in (spec.gbm, spec.gbm_with_offset)
    if variant is not None
]
DEVIANCES = [metric for metric in map(deviance_metric, DISTRIBUTIONS) if metric is not None]
METRICS = [*payoff_register_metrics(), *DEVIANCES]
# The H-measure integrates Beta distributions with scipy, which numba cannot compile; metrics of
# uplift read the sums of both arms and are whole-array numpy.
RANKED = [
    metric
    for metric in METRICS
    if metric.form == MetricForm.RANKED
    and metric.id != "h_measure"
    and Task.UPLIFT not in metric.tasks
]
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


@pytest.mark.every_nth(3)
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


def compiled_twin(distribution):
    """The distribution with every kernel compiled; marks stay where the host reads them."""

    def compiled(function):
        run, mark = compile_kernel(function), kernel_mark(function)
        return kernel(shape=mark.shape, takes_cases=mark.takes_cases)(lambda *given: run(*given))  # noqa: PLW0108 - takes any number of arguments, as no kernel does

    names = ("loss", "negative_gradient", "initial_score", "response", "link", "leaf_values")
    found = {name: getattr(distribution, name) for name in names}
    return replace(distribution, **{k: compiled(f) for k, f in found.items() if f is not None})


@pytest.mark.every_nth(3)
@pytest.mark.parametrize("distribution", [*DISTRIBUTIONS, *VARIANTS], ids=lambda spec: spec.id)
def test_distribution_kernels_compile(distribution):
    random = np.random.default_rng(3)
    plain = made_up(distribution)
    compiled = DistributionHost(compiled_twin(distribution), plain.outcome, plain.columns)
    score, weight = random_scores(plain), random.uniform(0.5, 2.0, plain.size)
    rows, offsets = random.permutation(plain.size).astype(np.int64), np.array([0, 15, 25, 40])
    for name, arguments in (
        ("losses_and_factors", (score, weight)),
        ("gradients", (score, weight)),
        ("initial_score", (weight, score)),
        ("leaf_values", (score, weight, rows, offsets, 0)),
        ("responses", (score,)),
        ("links", (plain.responses(score),)),
    ):
        found, wanted = (getattr(host, name)(*arguments) for host in (compiled, plain))
        np.testing.assert_allclose(found, wanted, rtol=1e-11, atol=1e-12, err_msg=name)


def test_two_deviances_of_one_template_do_not_share_compiled_code():
    """They share a code object; the qualified name and the bound kernels tell them apart."""
    first, second = (deviance_metric(spec) for spec in DISTRIBUTIONS[:2])
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
