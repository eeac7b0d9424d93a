"""Intervals of paired differences: they hold the truth, and never contradict their own p-value."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.evaluation import EvaluationRequest, MetricRequest
from core.inference.intervals import (
    student_quantile,
)
from core.inference.resampled import (
    FEW_DRAWS,
    draw_difference,
    draw_limits,
)
from plugins.metrics.hooks import payoff_register_metrics
from tests.helpers.factories.evaluation import binary_problem, made_cases
from tests.soak.difference_coverage import counted

BINARY = [spec for spec in payoff_register_metrics() if "binary" in spec.tasks]
JUDGED = tuple(
    MetricRequest(spec=spec)
    for spec in BINARY
    if "consequences" not in spec.inputs and "hosmer" not in spec.id
)


def pairs_of(outcome, first, second, metrics=JUDGED, **changes):
    problem = binary_problem(outcome, {"a": first, "b": second}, metrics, resamples=400, **changes)
    found = EvaluationRequest(problem, with_charts=False)
    return found, [found.compare("a", "b", request.key) for request in metrics]


def is_outside(estimate):
    return not estimate.low <= 0.0 <= estimate.high


@settings(deadline=None, max_examples=200)
@given(
    number=st.integers(20, 1200),
    middle=st.floats(-3, 3),
    digits=st.integers(0, 3),
    is_maximum=st.booleans(),
    seed=st.integers(0, 10_000),
)
def test_zero_is_outside_exactly_where_the_p_value_is_below_5_percent(
    number, middle, digits, is_maximum, seed
):
    draws = np.round(np.random.default_rng(seed).normal(middle, 1.0, number), digits)
    value = round(middle, digits)
    low, high, p_value = draw_difference(value, draws, value, is_maximum=is_maximum)
    assert (p_value < 0.05) == (not low <= 0.0 <= high)
    assert low <= high


def test_a_difference_of_0_that_draws_move_has_limits_of_its_own():
    draws = np.random.default_rng(2).normal(size=999)
    low, high, p_value = draw_difference(0.0, draws, 0.0, units=500.0)
    assert low < -1.0 < 1.0 < high
    assert p_value > 0.9


@pytest.mark.parametrize("number", [400, 439, 799, 999, 1000, 1039])
def test_limits_and_p_values_turn_at_the_same_draw(number):
    for below in range(number // 50):
        draws = np.concatenate([np.full(below, -1.0), 1.0 + np.arange(number - below)])
        value = float(draws.mean())
        low, high, p_value = draw_difference(value, draws, value)
        assert (p_value < 0.05) == (not low <= 0.0 <= high), below


@pytest.mark.every_nth(2)
@pytest.mark.parametrize("decimals", [1, 12])
def test_no_metric_contradicts_its_p_value(decimals):
    decided = 0
    for seed in range(10):
        outcome, good, bad = made_cases(120, seed, (0.5, 1.0 + seed % 3))
        for pair in pairs_of(outcome, np.round(good, decimals), np.round(bad, decimals))[1]:
            assert np.isnan(pair.p_value) == np.isnan(pair.estimate.low), pair.metric
            if np.isfinite(pair.p_value):
                assert (pair.p_value < 0.05) == is_outside(pair.estimate), (seed, pair)
                decided += pair.p_value < 0.05
    assert decided > 25


@pytest.mark.soak
def test_differences_of_maxima_and_steps_hold_the_truth():
    chosen = {"only": ("ks", "lift_at"), "true_rows": 100_000}
    found = counted(150, 0.3, has_ties=False, samples=80, **chosen)
    for metric, counts in found.items():
        assert counts.contradictions == 0, metric
        assert counts.percent("difference") > 91.5, metric
        assert counts.percent("value") > 91.5, metric
        assert counts.percent("found") < 7.5, metric


def test_one_event_gives_no_interval():
    outcome, good, bad = made_cases(40, 3, (0.5, 1.0))
    outcome[:] = 0
    outcome[7] = 1
    names = (
        "auc",
        "ks",
        "h_measure",
        "average_precision",
        "lift_at",
        "captured_at",
        "mcc",
        "kappa",
    )
    metrics = tuple(entry for entry in JUDGED if entry.spec.id in names)
    found, pairs = pairs_of(outcome, good, bad, metrics)
    assert len(found.result.cells) == 2 * len(names)
    for cell in found.result.cells:
        assert np.isnan(cell.estimate.low), cell.metric
        assert "one case only" in cell.estimate.note, cell.metric
    for pair in pairs:
        assert np.isnan(pair.estimate.low), pair.metric
        assert np.isnan(pair.p_value), pair.metric


def test_one_cluster_with_events_gives_no_interval():
    outcome, good, bad = made_cases(60, 5, (0.5, 1.0))
    cluster = np.where(outcome == 1, 0, np.arange(60) % 20 + 1)
    metrics = tuple(entry for entry in JUDGED if entry.spec.id in ("ks", "average_precision"))
    found, _ = pairs_of(outcome, good, bad, metrics, cluster=cluster)
    assert all(np.isnan(cell.estimate.low) for cell in found.result.cells)


def test_values_that_differ_by_rounding_are_equal():
    draws = np.random.default_rng(1).normal(1e-17, 1e-17, 200)
    assert draw_difference(2e-17, draws, 0.0) == (0.0, 2e-17, 1.0)
    outcome, good, bad = made_cases(120, 2, (0.5, 2.0))
    metrics = tuple(entry for entry in JUDGED if entry.spec.id == "brier_resolution")
    (pair,) = pairs_of(outcome, good, bad, metrics)[1]  # of different scores all are p (1 - p)
    assert pair.p_value == 1.0


def test_shares_agree_with_mcnemar():
    accuracy = tuple(entry for entry in JUDGED if entry.spec.id == "accuracy")
    outcome = np.zeros(30, dtype=int)
    outcome[:10] = 1
    first = np.where(outcome == 1, 0.8, 0.2)
    for wrong in range(9):
        second = first.copy()
        second[:wrong] = 0.1
        (pair,) = pairs_of(outcome, first, second, accuracy)[1]
        assert (pair.p_value < 0.05) == is_outside(pair.estimate)
    (same,) = pairs_of(outcome, first, 0.9 * first, accuracy)[1]
    assert same.estimate.low == pytest.approx(-1.96 / 32, abs=1e-4)
    assert same.estimate.high == pytest.approx(1.96 / 32, abs=1e-4)


def test_few_units_widen_limits():
    draws = np.random.default_rng(4).normal(0.5, 0.1, 1000)
    wide = draw_limits(0.5, draws, 0.5, units=7)
    narrow = draw_limits(0.5, draws, 0.5)
    assert wide[0] < narrow[0] < narrow[1] < wide[1]
    assert student_quantile(7) == pytest.approx(2.4469, abs=1e-4)
    assert student_quantile(1e9) == pytest.approx(1.96, abs=1e-4)
    assert all(np.isnan(draw_limits(0.5, draws, 0.5, units=1)))
    few = draw_limits(0.5, draws[: FEW_DRAWS - 1], 0.5, units=7)
    assert few[0] < narrow[0]
