"""Properties every metric must have; the soak run looks at 1,000 random inputs of each."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.evaluation.binding import BoundMetric
from core.evaluation.problem import MetricRequest
from payoff import Sample, Task
from payoff.deviance import deviance_metric
from payoff.numeric import weighted_quantile
from payoff.testing import metric_value
from payoff.testing.cases import taken
from plugins.distributions.gamma import Gamma
from plugins.distributions.poisson import Poisson
from plugins.distributions.tweedie import Tweedie
from plugins.metrics.hooks import payoff_register_metrics
from plugins.metrics.number_fits import fill_quantile
from tests.plugins.published import binary, numbers

METRICS = {spec.id: spec for spec in payoff_register_metrics()}
MANY = settings(deadline=None, max_examples=100)  # ten seeds of the soak run make 1,000

rows = st.tuples(st.integers(0, 1), st.integers(1, 19), st.integers(1, 3))
two_classes = st.lists(rows, min_size=2, max_size=25).filter(
    lambda cases: len({case[0] for case in cases}) == 2
)
values = st.tuples(st.integers(0, 9), st.integers(1, 9), st.integers(1, 3))
pairs_of_numbers = st.lists(values, min_size=2, max_size=25)


CASE_WEIGHTED = (
    "partial_auc",
    "h_measure",
    "mcc",
    "kappa",
    "calibration_error",
    "brier_reliability",
    "brier_resolution",
    "balanced_accuracy",
    "f_beta",
)


def value(metric, sample, **parameters):
    return metric_value(METRICS[metric], sample, parameters)


def columns(cases):
    return (np.array(column) for column in zip(*cases, strict=True))


@MANY
@given(two_classes, st.randoms(use_true_random=False))
def test_weight_two_is_a_row_twice_and_order_does_not_matter(cases, random):
    happened, tenths, weight = columns(cases)
    once = binary(happened, tenths / 20, weight.astype(float))
    rows = np.repeat(np.arange(len(happened)), weight)
    random.shuffle(rows)
    many = taken(once, rows, weight=np.ones(len(rows)))
    for metric in CASE_WEIGHTED:
        ours, theirs = value(metric, once), value(metric, many)
        np.testing.assert_allclose(ours, theirs, atol=1e-10, err_msg=metric)


@MANY
@given(two_classes)
def test_rankings_are_kept_by_rising_transforms(cases):
    happened, tenths, weight = columns(cases)
    straight = binary(happened, tenths / 20, weight)
    bent = binary(happened, (tenths / 20) ** 3, weight)
    for metric in ("auc", "ks", "gini", "h_measure", "average_precision", "lift_at", "partial_auc"):
        assert value(metric, bent) == pytest.approx(value(metric, straight), abs=1e-12), metric


@MANY
@given(two_classes)
def test_swapped_classes(cases):
    happened, tenths, weight = columns(cases)
    there = binary(happened, (2 * tenths + 1) / 40, weight)
    back = binary(1 - happened, 1 - (2 * tenths + 1) / 40, weight)
    for metric in ("mcc", "kappa", "balanced_accuracy", "youden"):
        ours, theirs = value(metric, there), value(metric, back)
        np.testing.assert_allclose(ours, theirs, atol=1e-12, err_msg=metric)
    mirrored = binary(1 - happened, (2 * tenths + 1) / 40, weight)
    assert value("auc", there) == pytest.approx(1 - value("auc", mirrored), abs=1e-12)


@MANY
@given(two_classes)
def test_brier_is_the_sum_of_murphys_parts(cases):
    happened, tenths, weight = columns(cases)
    sample = binary(happened, tenths / 20, weight)
    parts = [value(f"brier_{part}", sample) for part in ("reliability", "resolution")]
    whole = parts[0] - parts[1] + value("brier_uncertainty", sample)
    assert value("brier", sample) == pytest.approx(whole, abs=1e-12)


@MANY
@given(pairs_of_numbers, st.floats(0.05, 0.95))
def test_quantile_losses_of_both_sides_make_the_mae(cases, level):
    outcome, predicted, weight = columns(cases)
    sample = numbers(outcome, predicted, weight)
    both = value("pinball", sample, level=level) + value("pinball", sample, level=1 - level)
    assert both == pytest.approx(value("mae", sample), abs=1e-12)


def survival_sample(time, event, risk, weight=None):
    zeros = np.zeros(len(time))
    roles = {
        "time": time.astype(float),
        "event": event.astype(float),
        "entry": zeros,
        "strata": zeros,
    }
    return Sample(time, risk, weight=weight, task=Task.SURVIVAL, roles=roles)


@MANY
@given(pairs_of_numbers, st.randoms(use_true_random=False))
def test_concordance_without_censoring_is_the_count_of_pairs(cases, random):
    _, risk, weight = columns(cases)
    time = np.arange(1, len(risk) + 1)
    random.shuffle(time)
    sample = survival_sample(time, np.ones(len(time)), risk, weight)
    pairs = np.outer(weight, weight) * (time[:, None] < time)
    wanted = (pairs * (1 + np.sign(risk[:, None] - risk)) / 2).sum() / pairs.sum()
    assert value("concordance", sample) == pytest.approx(wanted, abs=1e-12)
    assert value("uno_concordance", sample) == pytest.approx(wanted, abs=1e-12)


@settings(deadline=None, max_examples=60)
@given(
    st.lists(
        st.tuples(st.integers(1, 8), st.integers(0, 1), st.integers(0, 5), st.integers(1, 3)),
        min_size=3,
        max_size=30,
    )
)
def test_times_weighted_for_censoring_by_their_definition(cases):
    time, event, risk, weight = columns(cases)
    sample = survival_sample(time, event, risk, weight.astype(float))

    def free_before(moment):
        probability = 1.0
        for step in sorted(set(time[time < moment])):
            lost = weight[(time == step) & (event == 0)].sum()
            there = weight[time >= step].sum() - weight[(time == step) & (event == 1)].sum()
            probability *= 1 - lost / there if there else 1.0
        return probability

    above = whole = 0.0
    for i in np.flatnonzero(event == 1):
        later = (time > time[i]) | ((time == time[i]) & (event == 0))
        free = free_before(time[i])
        if free > 1e-12:
            share = weight[i] * weight[later] / free**2
            above += (share * (1 + np.sign(risk[i] - risk[later])) / 2).sum()
            whole += share.sum()
    wanted = above / whole if whole else np.nan
    np.testing.assert_allclose(value("uno_concordance", sample), wanted, atol=1e-10)
    now, above, whole = 4.0, 0.0, 0.0
    for i in np.flatnonzero((event == 1) & (time <= now)):
        share = weight[i] / free_before(time[i]) * weight[time > now]
        above += (share * (1 + np.sign(risk[i] - risk[time > now])) / 2).sum()
        whole += share.sum()
    wanted = above / whole if whole else np.nan
    np.testing.assert_allclose(value("survival_auc", sample, time=now), wanted, atol=1e-10)


COMPILED = [spec for spec in METRICS.values() if spec.compute is not None]


@pytest.mark.every_nth(3)
@pytest.mark.parametrize("spec", COMPILED, ids=lambda spec: spec.id)
def test_compiled_and_plain_agree(spec):
    from payoff.testing.metric_checks import sample_of

    compiled = BoundMetric(MetricRequest(spec=spec))
    for task in spec.tasks:
        sample = sample_of(spec, task)
        plain = metric_value(spec, sample)
        assert compiled.compute(sample, compiled.parameters) == pytest.approx(plain, rel=1e-12)


@MANY
@given(
    st.lists(st.tuples(st.floats(-1e6, 1e6), st.integers(0, 3)), min_size=1, max_size=40),
    st.sampled_from([0.1, 0.25, 0.5, 0.9]),
)
def test_quantiles_by_cells_are_those_found_one_by_one(cases, level):
    found, weight = (np.array(column, dtype=float) for column in zip(*cases, strict=True))
    fill, plain = np.full(1, np.nan), weighted_quantile(found, weight, level)
    fill_quantile(found, weight, level, fill, np.zeros(1, dtype=np.uint8))
    np.testing.assert_array_equal(fill[0], plain)


@MANY
@given(st.lists(st.tuples(st.floats(1e-3, 1e3), st.floats(1e-3, 1e3)), min_size=1, max_size=20))
def test_deviances_are_never_below_zero_and_zero_where_predicted_exactly(cases):
    outcome, predicted = (np.array(column) for column in zip(*cases, strict=True))
    for distribution in (Poisson, Gamma, Tweedie):
        bound = BoundMetric(MetricRequest(spec=deviance_metric(distribution)))
        rows = bound.row_values(outcome, predicted[np.newaxis], ())[0][0]
        assert (rows >= -1e-9 * np.maximum(1.0, outcome + predicted)).all()
        exact = bound.row_values(outcome, outcome[np.newaxis], ())[0][0]
        np.testing.assert_allclose(exact, 0.0, atol=1e-9 * max(1.0, outcome.max()))
