"""Numerical helpers against numpy, at the edges, and compiled."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from payoff import numeric


@pytest.mark.parametrize("value", [-800.0, -37.0, -1.0, 0.0, 1.0, 37.0, 800.0])
def test_sigmoid_and_log1p_exp_do_not_overflow(value):
    assert numeric.sigmoid(value) == pytest.approx(0.5 * (1 + math.tanh(value / 2)), abs=1e-15)
    assert numeric.log1p_exp(value) == pytest.approx(np.logaddexp(0.0, value), rel=1e-15, abs=0)


def test_logit_is_the_inverse_of_sigmoid():
    for value in (-20.0, -0.3, 0.0, 4.0):
        assert numeric.logit(numeric.sigmoid(value)) == pytest.approx(value, rel=1e-12)


def test_ends_of_logit_log_and_exp():
    assert numeric.logit(0.0) == -math.inf
    assert numeric.logit(1.0) == math.inf
    assert math.isnan(numeric.logit(-0.1))
    assert math.isnan(numeric.logit(1.1))
    assert numeric.log_or_minus_infinity(0.0) == -math.inf
    assert math.isnan(numeric.log_or_minus_infinity(-1.0))
    assert numeric.exp_or_infinity(710.0) == math.inf
    assert numeric.exp_or_infinity(709.0) == math.exp(709.0)
    assert numeric.log1p_exp(-math.inf) == 0.0
    assert numeric.log1p_exp(math.inf) == math.inf


def test_weighted_median_takes_the_middle_when_half_is_hit_exactly():
    ones = np.ones(4)
    assert numeric.weighted_median(np.array([4.0, 1.0, 3.0, 2.0]), ones) == 2.5
    assert numeric.weighted_median(np.array([3.0, 1.0, 2.0]), np.ones(3)) == 2.0
    skipped = numeric.weighted_median(np.array([1.0, 2.0, 9.0]), np.array([1.0, 0.0, 1.0]))
    assert skipped == 5.0
    assert math.isnan(numeric.weighted_median(np.array([1.0]), np.zeros(1)))
    assert math.isnan(numeric.weighted_median(np.empty(0), np.empty(0)))


@settings(deadline=None, max_examples=80)
@given(
    st.lists(st.tuples(st.integers(-5, 5), st.integers(0, 3)), min_size=1, max_size=20),
    st.sampled_from([0.1, 0.25, 0.5, 0.9]),
)
def test_weighted_quantile_equals_that_of_repeated_rows(cases, level):
    values = np.array([value for value, _ in cases], dtype=float)
    weight = np.array([count for _, count in cases])
    repeated = np.repeat(values, weight)
    answer = numeric.weighted_quantile(values, weight.astype(float), level)
    wanted = numeric.weighted_quantile(repeated, np.ones(repeated.size), level)
    np.testing.assert_equal(answer, wanted)
    if repeated.size:
        mass = repeated.size * level
        assert (repeated < answer).sum() <= mass <= (repeated <= answer).sum()


def test_weighted_mean_and_newton_step():
    assert numeric.weighted_mean(np.array([1.0, 4.0]), np.array([1.0, 2.0])) == 3.0
    assert math.isnan(numeric.weighted_mean(np.array([1.0]), np.zeros(1)))
    assert numeric.damped_newton_step(6.0, 2.0, 10.0) == 3.0
    assert numeric.damped_newton_step(-60.0, 2.0, 10.0) == -10.0
    assert numeric.damped_newton_step(6.0, 0.0, 10.0) == 0.0


def test_newton_leaf_values():
    gradient, curvature = np.array([[1.0, 2.0, 5.0]]), np.array([[0.5, 0.5, 0.0]])
    out = np.zeros(3)
    rows, offsets = np.array([2, 0, 1]), np.array([0, 1, 3, 3])
    empty = np.zeros(3)
    numeric.newton_leaf_values(
        empty,
        gradient,
        np.array([1.0, 3.0, 1.0]),
        gradient,
        curvature,
        empty,
        0,
        rows,
        offsets,
        out,
        0,
        3,
    )
    assert out.tolist() == [0.0, 3.5, 0.0]


@settings(deadline=None, max_examples=200)
@given(
    st.lists(st.tuples(st.integers(-9, 9), st.integers(0, 3)), max_size=40),
    st.integers(0, 130),
)
def test_value_at_weight_is_what_sorting_finds(cases, doubled):
    target = doubled / 2
    kept = sorted((value, count) for value, count in cases if count)
    running, wanted = np.cumsum([count for _, count in kept]), math.nan
    for place, (value, _) in enumerate(kept):
        wanted = float(value)
        if running[place] >= target:
            if running[place] == target and place + 1 < len(kept):
                wanted = 0.5 * (value + kept[place + 1][0])
            break
    values, weight = np.array(cases, dtype=float).reshape(-1, 2).T.copy()
    np.testing.assert_equal(numeric.value_at_weight(values, weight, target), wanted)
    np.testing.assert_equal(values, [value for value, _ in cases])


def test_fill_exp_is_exp_to_two_units_in_the_last_place():
    values = np.concatenate([np.linspace(-708.0, 709.0, 40_001), [0.0, -0.0, 1e-300]])
    out = np.empty_like(values)
    numeric.fill_exp(values, out)
    assert np.abs(out / np.exp(values) - 1.0).max() <= 2 * np.finfo(float).eps


def test_fill_log_is_log_to_two_units_in_the_last_place():
    random = np.random.default_rng(2)
    values = np.concatenate(
        [random.gamma(1.0, 1.0, 4_000), np.exp(random.uniform(-700.0, 700.0, 4_000)), [1.0]]
    )
    out = values.copy()
    numeric.fill_log(out, out)  # in place
    wanted = np.log(values)
    assert (np.abs(out - wanted) <= 2.0 * np.spacing(np.abs(wanted))).all()


def test_fill_log_at_its_ends():
    out = np.empty(6)
    numeric.fill_log(np.array([0.0, -1.0, math.inf, math.nan, 5e-324, 1.797e308]), out)
    assert out[0] == -math.inf
    assert np.isnan(out[[1, 3]]).all()
    assert out[2] == math.inf
    assert out[4] == pytest.approx(math.log(5e-324))
    assert out[5] == pytest.approx(math.log(1.797e308))


@pytest.mark.filterwarnings("ignore:invalid value")  # a NaN has no whole number
def test_fill_exp_at_its_ends():
    out = np.empty(4)
    numeric.fill_exp(np.array([800.0, -800.0, math.inf, math.nan]), out)
    assert out[0] == out[2] == math.inf
    assert 0.0 <= out[1] < 1e-300
    assert math.isnan(out[3])
