from __future__ import annotations

import math

import numpy as np
import pytest

from core.evaluation import RankedSample
from core.evaluation.cases import JudgedCases
from core.evaluation.ranked.rankings import area_influence
from core.inference.delong import (
    CaseInfluence,
)
from core.inference.intervals import (
    normal_estimate,
)
from core.inference.normal import normal_p_value
from core.inference.resampled import (
    draw_limits,
    draw_p_value,
)
from payoff.groups import effective_cases
from payoff.intervals import wilson_interval
from tests.helpers.factories.evaluation import binary_problem, made_cases


def delong_by_hand(outcome, score):
    """Structural components by brute force; divisors m - 1 and n - 1."""
    events, others = score[outcome == 1], score[outcome == 0]
    wins = (events[:, None] > others) + 0.5 * (events[:, None] == others)
    return wins.mean(), wins.mean(axis=1).var(ddof=1) / len(events) + (
        wins.mean(axis=0).var(ddof=1) / len(others)
    )


def area_of(outcome, probability, **settings):
    cases = JudgedCases(binary_problem(outcome, {"m": probability}, [], **settings))
    ranking = cases.ranked(cases.problem.models[0])
    return area_influence(cases, ranking.placements())


@pytest.mark.parametrize("decimals", [1, 12])
def test_delong_agrees_with_brute_force(decimals):
    outcome, probability = made_cases(400, 1)
    probability = np.round(probability, decimals)
    influence = area_of(outcome, probability)
    area, variance = delong_by_hand(outcome, probability)
    assert influence.value == pytest.approx(area, abs=1e-12)
    assert influence.variance() == pytest.approx(variance, rel=1e-10)


def test_paired_delong_agrees_with_brute_force():
    outcome, first, second = made_cases(300, 2, (0.2, 0.8))
    ours, theirs = area_of(outcome, first), area_of(outcome, second)
    is_event = outcome == 1

    def components(score):
        events, others = score[is_event], score[~is_event]
        wins = (events[:, None] > others) + 0.5 * (events[:, None] == others)
        return wins.mean(axis=1), wins.mean(axis=0)

    (a10, a01), (b10, b01) = components(first), components(second)
    expected = (a10 - b10).var(ddof=1) / len(a10) + (a01 - b01).var(ddof=1) / len(a01)
    assert ours.variance(ours.parts - theirs.parts) == pytest.approx(expected, rel=1e-10)


def test_influence_sums_to_nothing_in_each_class():
    outcome, probability = made_cases(500, 3)
    weight = np.random.default_rng(3).uniform(0.5, 2.0, 500)
    influence = area_of(outcome, probability, frequency=weight)
    for stratum in (0, 1):
        assert influence.parts[influence.strata == stratum].sum() == pytest.approx(0, abs=1e-14)


def test_weights_that_are_all_equal_change_no_variance():
    outcome, probability = made_cases(500, 4)
    plain = area_of(outcome, probability)
    weighted = area_of(outcome, probability, frequency=np.full(500, 7.0))
    assert weighted.variance() == pytest.approx(plain.variance(), rel=1e-12)


def test_variance_of_one_case_is_undefined():
    assert math.isnan(CaseInfluence(1.0, np.array([0.0])).variance())
    strata = np.array([0, 1, 1])
    assert math.isnan(CaseInfluence(1.0, np.zeros(3), strata).variance())


def test_wilson_reproduces_known_limits():
    # 8 of 10, and 0 of 20: Wilson score limits by the closed form.
    low, high = wilson_interval(np.array([0.8, 0.0]), np.array([10.0, 20.0]))
    np.testing.assert_allclose(low, [0.4901625, 0.0], atol=1e-6)
    np.testing.assert_allclose(high, [0.9433178, 0.1611252], atol=1e-6)


def test_effective_cases():
    assert effective_cases(np.ones(7)) == pytest.approx(7)
    assert effective_cases(np.array([3.0, 1.0])) == pytest.approx(1.6)


def test_normal_estimate_is_cut_at_the_range():
    estimate = normal_estimate(0.99, 0.01, method="m", bounds=(0.0, 1.0))
    assert (estimate.low, estimate.high) == (pytest.approx(0.99 - 0.195996398), 1.0)


def test_a_skewed_mean_has_its_limits_on_the_longer_side():
    """Squares of skewed misses: 88.7 % of symmetric intervals hold their mean at this size."""
    random = np.random.default_rng(8)
    misses = (random.gamma(2.0, 1.5, (3_000, 150)) - 3.0) ** 2
    true = 4.5
    held, symmetric = 0, 0
    for terms in misses:
        parts = (terms - terms.mean()) / len(terms)
        variance = terms.var(ddof=1) / len(terms)
        skewness = float(np.sum(parts**3) / np.sum(parts**2) ** 1.5)
        estimate = normal_estimate(terms.mean(), variance, method="m", skewness=skewness)
        held += estimate.low <= true <= estimate.high
        plain = normal_estimate(terms.mean(), variance, method="m")
        symmetric += plain.low <= true <= plain.high
        assert estimate.high - estimate.value > estimate.value - estimate.low
    assert symmetric / 3_000 < 0.90
    assert 0.92 < held / 3_000 < 0.95


def test_the_mirror_image_of_a_mean_has_mirrored_limits_and_no_skewness_none_moved():
    right = normal_estimate(2.0, 0.25, method="m", skewness=0.4)
    left = normal_estimate(-2.0, 0.25, method="m", skewness=-0.4)
    assert (left.low, left.high) == (pytest.approx(-right.high), pytest.approx(-right.low))
    near = normal_estimate(2.0, 0.25, method="m", skewness=2e-6)
    plain = normal_estimate(2.0, 0.25, method="m")
    assert near.low == pytest.approx(plain.low, abs=1e-5)
    assert near.high == pytest.approx(plain.high, abs=1e-5)
    largest = normal_estimate(2.0, 0.25, method="m", skewness=1.0)  # one case is all there is
    assert largest.low < 2.0 < largest.high < 6.0


def test_symmetric_draws_give_their_percentiles():
    draws = np.arange(-500, 501) / 100.0 + 3.0
    low, high = draw_limits(3.0, draws, 3.0)
    assert low == pytest.approx(-1.75, abs=0.011)
    assert high == pytest.approx(7.75, abs=0.011)


def test_limits_move_with_the_difference_of_centre_and_value():
    draws = np.random.default_rng(1).normal(2.0, 1.0, 1000)
    low, high = draw_limits(2.0, draws, 2.0)
    moved = draw_limits(2.5, draws, 2.0)
    assert moved == (pytest.approx(low + 0.5), pytest.approx(high + 0.5))


def test_bias_of_draws_is_corrected_not_doubled():
    draws = np.random.default_rng(2).normal(1.0, 1.0, 4000)  # centred one sd above the value 0.5
    low, high = draw_limits(0.5, draws, 0.5, is_maximum=True)
    assert low < 1.0 - 1.96 - 0.5
    assert high < 1.0 + 1.96 - 0.5


def test_too_few_draws_give_no_interval():
    assert all(math.isnan(limit) for limit in draw_limits(1.0, np.ones(5), 1.0))
    assert math.isnan(draw_p_value(np.ones(5)))


def test_draws_without_spread():
    assert draw_limits(1.0, np.ones(50), 1.0) == (1.0, 1.0)


def test_p_values():
    assert normal_p_value(1.959963985, 1.0) == pytest.approx(0.05, abs=1e-9)
    assert normal_p_value(0.0, 0.0) == 1.0
    assert normal_p_value(0.1, 0.0) == 0.0
    assert draw_p_value(np.ones(1000)) == pytest.approx(2 / 1001)
    assert draw_p_value(np.concatenate([np.ones(500), -np.ones(500)])) == 1.0


def test_delong_interval_covers():
    """About 95 % of DeLong intervals hold the area that 400 samples average to."""
    areas, limits = [], []
    for seed in range(400):
        outcome, probability = made_cases(200, seed)
        influence = area_of(outcome, probability)
        half = 1.96 * math.sqrt(influence.variance())
        areas.append(influence.value)
        limits.append((influence.value - half, influence.value + half))
    truth = np.mean(areas)
    covered = np.mean([low <= truth <= high for low, high in limits])
    assert 0.91 <= covered <= 0.98


def test_placements_need_no_order():
    outcome, probability = made_cases(100, 6)
    codes = np.where(outcome == 1, 0, 1).astype(np.int32)
    shuffle = np.random.default_rng(0).permutation(100)
    straight = RankedSample(probability, codes).placements()
    shuffled = RankedSample(probability[shuffle], codes[shuffle]).placements()
    np.testing.assert_allclose(shuffled, straight[shuffle])


def test_few_draws_give_the_value_less_their_bias_and_two_spreads():
    draws = np.random.default_rng(5).normal(1.02, 0.2, 200)
    low, high = draw_limits(1.0, draws, 1.0)
    bias, error = draws.mean() - 1.0, draws.std(ddof=1)
    half = 1.959964 * math.hypot(error, bias)
    assert (low, high) == pytest.approx((1.0 - bias - half, 1.0 - bias + half), rel=1e-5)


def test_a_maximum_drawn_upwards_loses_twice_what_draws_show():
    draws = np.random.default_rng(6).normal(0.5 + 0.1, 0.1, 1_000)
    low, high = draw_limits(0.5, draws, 0.5, is_maximum=True)
    bias, error = draws.mean() - 0.5, draws.std(ddof=1)
    half = 1.959964 * math.hypot(error, bias)
    assert low == pytest.approx(0.5 - 2 * bias - half, rel=1e-5)
    assert high == pytest.approx(max(0.5 - 2 * bias + half, 0.5), rel=1e-5)
