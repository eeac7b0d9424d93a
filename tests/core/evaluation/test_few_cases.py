"""Intervals over few cases of a class: what they hold, and that they agree with p-values."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from core.evaluation import EvaluationRequest
from core.evaluation.power import pair_power
from core.inference.intervals import (
    FEW_UNITS,
    logit_limits,
    mcnemar_p_value,
    normal_estimate,
    paired_share_limits,
)
from core.inference.resampled import (
    draw_difference,
    spread_difference,
)
from payoff.intervals import wilson_interval
from tests.helpers.factories.evaluation import binary_problem, made_cases, request

EVENTS, OTHERS, SAMPLES = 7, 143, 2_500


def drawn_areas(events, others):
    """Area and components of DeLong's variance of samples (S, m) and (S, n)."""
    wins = events[:, :, np.newaxis] > others[:, np.newaxis, :]
    return wins.mean(axis=(1, 2)), wins.mean(axis=2), wins.mean(axis=1)


def variance_of(by_event, by_other):
    return by_event.var(axis=1, ddof=1) / EVENTS + by_other.var(axis=1, ddof=1) / OTHERS


@pytest.fixture(scope="module")
def samples():
    """Two equally good scores of the same cases, again and again."""
    random = np.random.default_rng(20)
    hidden = random.normal(size=(SAMPLES, EVENTS + OTHERS))
    hidden[:, :EVENTS] += 1.2
    scores = [hidden + random.normal(0.0, 0.7, hidden.shape) for _ in range(2)]
    true = stats.norm.cdf(1.2 / math.sqrt(2.0 * (1.0 + 0.49)))
    return true, [drawn_areas(score[:, :EVENTS], score[:, EVENTS:]) for score in scores]


def test_seven_events_hold_the_area_on_the_logit_scale_and_not_on_the_plain_one(samples):
    true, ((areas, by_event, by_other), _) = samples
    plain = held = 0
    for area, variance in zip(areas, variance_of(by_event, by_other), strict=True):
        straight = normal_estimate(area, variance, method="m", bounds=(0.0, 1.0))
        plain += straight.low <= true <= straight.high
        low, high = logit_limits(area, variance, (0.0, 1.0), EVENTS)
        assert 0.0 < low < area < high < 1.0
        held += low <= true <= high
    assert plain / SAMPLES < 0.92
    assert 0.93 < held / SAMPLES < 0.98


def test_seven_events_hold_a_difference_by_students_t_and_not_by_a_normal_one(samples):
    _, ((first, *ours), (second, *theirs)) = samples
    variances = variance_of(ours[0] - theirs[0], ours[1] - theirs[1])
    held = normal = 0
    for gap, variance in zip(first - second, variances, strict=True):
        low, high, p_value = spread_difference(gap, variance, EVENTS)
        assert (p_value < 0.05) == (not low <= 0.0 <= high)
        held += low <= 0.0 <= high
        normal += abs(gap) <= 1.96 * math.sqrt(variance)
    assert normal / SAMPLES < 0.94
    assert 0.95 < held / SAMPLES < 0.985


@settings(deadline=None, max_examples=300)
@given(
    units=st.integers(2, 60),
    number=st.sampled_from([20, 200, 400, 1_000]),
    middle=st.floats(-4, 4),
    digits=st.integers(0, 3),
    is_maximum=st.booleans(),
    seed=st.integers(0, 10_000),
)
def test_zero_is_outside_exactly_where_the_p_value_is_below_5_percent(
    units, number, middle, digits, is_maximum, seed
):
    draws = np.round(np.random.default_rng(seed).normal(middle, 1.0, number), digits)
    value = round(middle, digits)
    low, high, p_value = draw_difference(value, draws, value, units=units, is_maximum=is_maximum)
    assert (p_value < 0.05) == (not low <= 0.0 <= high)
    assert low <= value <= high or units >= FEW_UNITS


def test_fewer_units_make_a_wider_interval_and_a_larger_p_value():
    found = [spread_difference(0.2, 0.01, units) for units in (3, 7, 15, FEW_UNITS - 1, FEW_UNITS)]
    widths = [high - low for low, high, _ in found]
    assert widths == sorted(widths, reverse=True)
    assert [p for *_, p in found] == sorted((p for *_, p in found), reverse=True)
    assert found[-1][2] == pytest.approx(2 * stats.norm.sf(2.0))
    assert found[1][2] == pytest.approx(2 * stats.t.sf(2.0, 6))
    assert spread_difference(0.0, 0.0, 7) == (0.0, 0.0, 1.0)
    assert all(math.isnan(part) for part in spread_difference(0.1, math.nan, 7))


def test_shares_of_few_cases_agree_with_mcnemar_and_are_no_point():
    for shared in range(1, FEW_UNITS):
        for first in range(shared + 1):
            for second in range(shared + 1 - first):
                low, high = paired_share_limits(first, second, shared)
                assert low < high
                assert low <= (first - second) / shared <= high
                if mcnemar_p_value(first, second) < 0.05:
                    assert not low <= 0.0 <= high, (first, second, shared)


def few(number, seed=4, **changes):
    """Two models of 150 cases of which some have the event."""
    outcome, good, bad = made_cases(150, seed, (0.5, 1.0))
    outcome[:] = 0
    outcome[np.argsort(-good)[: 3 * number : 3]] = 1
    metrics = [
        "auc",
        "gini",
        "ks",
        "average_precision",
        "brier",
        "mcc",
        request("youden", threshold=0.3),
    ]
    problem = binary_problem(outcome, {"a": good, "b": bad}, metrics, resamples=400, **changes)
    return EvaluationRequest(problem, with_charts=False)


def cell(found, metric):
    return next(c.estimate for c in found.result.cells if c.metric == metric and c.model == "a")


def test_area_and_its_slope_have_one_interval():
    area, gini = (cell(few(7), metric) for metric in ("auc", "gini"))
    assert area.method.startswith("DeLong, logit scale, Student's t (0.")
    assert area.high < 1.0
    assert (gini.low, gini.high) == pytest.approx((2 * area.low - 1, 2 * area.high - 1))
    assert cell(few(FEW_UNITS), "auc").method == "DeLong"


@pytest.mark.parametrize("metric", ["auc", "ks", "average_precision", "brier", "mcc"])
def test_differences_on_few_events_are_students_t(metric):
    found = few(7)
    pair = found.compare("a", "b", metric)
    half = (pair.estimate.high - pair.estimate.low) / 2
    assert pair.estimate.low + half == pytest.approx(pair.estimate.value)
    error = half / stats.t.ppf(0.975, 6)
    assert pair.p_value == pytest.approx(2 * stats.t.sf(abs(pair.estimate.value) / error, 6))
    assert pair.estimate.method.endswith("paired, Student's t")
    assert "7 cases" in pair.estimate.note
    many = few(FEW_UNITS).compare("a", "b", metric)
    assert "Student" not in many.estimate.method
    assert many.estimate.note == ""


@pytest.mark.parametrize("seed", range(6))
def test_shares_of_many_cases_do_not_rest_on_the_few_events(seed):
    """Specificity has nothing to do with the number of events."""
    random = np.random.default_rng(seed)
    outcome = (np.arange(150) < 3).astype(int)
    good = np.where(random.random(150) < 0.03 + 0.03 * seed, 0.9, 0.1)
    bad = np.where(random.random(150) < 0.15, 0.9, 0.1)
    problem = binary_problem(outcome, {"a": good, "b": bad}, ["accuracy", "specificity"])
    found = EvaluationRequest(problem, with_charts=False)
    for metric in ("accuracy", "specificity"):
        pair = found.compare("a", "b", metric)
        assert pair.estimate.high - pair.estimate.low < 0.25
        assert (pair.p_value < 0.05) == (not pair.estimate.low <= 0.0 <= pair.estimate.high)
        assert pair.estimate.note == ""


def test_a_value_over_few_events_says_how_often_such_intervals_hold():
    found = few(7)
    for metric in ("auc", "gini", "average_precision", "mcc"):
        assert "7 cases" in cell(found, metric).note, metric
    assert all("cases" not in c.estimate.note for c in few(FEW_UNITS).result.cells)


def test_clusters_are_the_units():
    cluster = np.arange(150) % 12
    found = few(20, cluster=cluster)
    pair = found.compare("a", "b", "auc")
    freedom = len(np.unique(cluster[found.cases.codes == 0])) - 1
    assert 5 < freedom < 12
    half = pair.estimate.high - pair.estimate.value
    error = half / stats.t.ppf(0.975, freedom)
    wanted = 2 * stats.t.sf(abs(pair.estimate.value) / error, freedom)
    assert pair.p_value == pytest.approx(wanted)
    assert f"Only {freedom + 1} clusters" in pair.estimate.note


def test_rows_standing_twice_and_their_frequency_have_one_interval():
    plain = few(7)
    twice = few(7, frequency=np.full(150, 2.0), weight_kind="frequency")
    for metric in ("auc", "brier"):
        ours, theirs = (found.compare("a", "b", metric).estimate for found in (plain, twice))
        assert theirs.high - theirs.low < 0.68 * (ours.high - ours.low)  # 14 events
        assert "14 cases" in theirs.note


def test_youden_adds_up_wilsons_limits():
    outcome, probability = made_cases(150, 6)
    metrics = [request("youden", threshold=0.4), request("balanced_accuracy", threshold=0.4)]
    found = EvaluationRequest(binary_problem(outcome, {"m": probability}, metrics, resamples=0))
    youden, balanced = (entry.estimate for entry in found.result.cells)
    is_event, says = outcome == 1, probability >= 0.4
    shares = np.array([says[is_event].mean(), (~says)[~is_event].mean()])
    low, high = wilson_interval(shares, np.array([is_event.sum(), (~is_event).sum()], float))
    assert youden.low == pytest.approx(youden.value - math.hypot(*(shares - low)))
    assert youden.high == pytest.approx(youden.value + math.hypot(*(high - shares)))
    assert (balanced.low, balanced.high) == pytest.approx(
        ((youden.low + 1) / 2, (youden.high + 1) / 2)
    )
    assert youden.method == "Wilson, classes together"


@pytest.mark.parametrize("metric", ["auc", "ks", "log_loss", "brier"])
def test_one_event_makes_nothing_sure(metric):
    """No interval, so no p-value, no count of resamples, no win and no power either."""
    random = np.random.default_rng(4)
    outcome = np.zeros(200, dtype=int)
    outcome[7] = 1
    probabilities = {"a": random.uniform(0.02, 0.4, 200), "b": random.uniform(0.02, 0.4, 200)}
    probabilities["a"][7] = 0.9
    found = EvaluationRequest(binary_problem(outcome, probabilities, [metric], resamples=64))
    pair = found.compare("a", "b", metric)
    assert math.isnan(pair.estimate.low)
    assert math.isnan(pair.p_value)
    assert (pair.ahead, pair.level, pair.resamples) == (0, 0, 0)
    (chosen,) = found.result.selections
    assert chosen.resamples == 0
    assert math.isnan(chosen.optimism)
    _best, other = sorted(found.result.cells, key=lambda cell: not cell.is_best)
    assert other.is_tied
    power = pair_power(
        ("a", "b"), metric, pair.estimate, found.error_of("a", "b", metric),
        level=0.05, target_power=0.8, requested=None, cases=200,
    )  # fmt: skip
    assert math.isnan(power.smallest)
    assert math.isnan(power.cases_needed)
