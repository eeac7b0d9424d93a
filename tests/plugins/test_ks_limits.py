"""KS's own interval: what chance adds to a maximum is worked out on a smooth curve."""

from __future__ import annotations

from dataclasses import replace
from statistics import NormalDist

import numpy as np
import pytest

import payoff
from core.evaluation import assess
from plugins.metrics.ks_limits import MOST_CASES, ks_limits
from tests.helpers.factories.evaluation import binary_problem, made_cases


def sample_of(outcome, score, weight=None) -> payoff.Sample:
    return payoff.Sample(np.where(outcome == 1, 0, 1), score, weight=weight, labels=("yes", "no"))


def binormal(random, rows: int, apart: float, share: float, step: float = 0.0):
    """Outcomes and normal scores, the events' ``apart`` higher; the true KS."""
    outcome = (random.random(rows) < share).astype(int)
    score = random.normal(size=rows) + apart * outcome
    return outcome, np.round(score / step) * step if step else score


def largest_gap(outcome, score) -> float:
    cuts = np.unique(score)
    shares = [np.searchsorted(np.sort(score[outcome == k]), cuts, "right") for k in (0, 1)]
    return float(np.abs(shares[0] / (outcome == 0).sum() - shares[1] / (outcome == 1).sum()).max())


@pytest.mark.every_nth(4)
@pytest.mark.parametrize(
    ("rows", "apart", "share"), [(150, 1.0, 0.3), (600, 1.0, 0.05), (150, 0.3, 0.3), (600, 2, 0.3)]
)
def test_the_interval_holds_the_true_distance(rows, apart, share):
    random = np.random.default_rng(rows + round(100 * apart))
    true = 2.0 * NormalDist().cdf(apart / 2.0) - 1.0
    held = [0, 0]
    samples = 400
    for _ in range(samples):
        limits = ks_limits(sample_of(*binormal(random, rows, apart, share)), {})
        assert limits is not None
        held[0] += limits[0] > true
        held[1] += limits[1] < true
    outside = np.array(held) / samples
    assert outside.sum() <= 0.08  # the draws' bias alone: 9 to 10 %, nearly all above
    assert outside.sum() >= 0.01
    assert outside.max() <= 0.06


def test_values_tied_by_rounding_are_groups_and_the_order_of_rows_is_nothing():
    random = np.random.default_rng(3)
    outcome, score = binormal(random, 500, 1.0, 0.4, step=0.5)
    mixed = random.permutation(500)
    limits = ks_limits(sample_of(outcome, score), {})
    assert limits == ks_limits(sample_of(outcome[mixed], score[mixed]), {})
    assert limits[0] < largest_gap(outcome, score) < limits[1]
    fine = ks_limits(sample_of(*binormal(np.random.default_rng(3), 500, 1.0, 0.4)), {})
    value = largest_gap(*binormal(np.random.default_rng(3), 500, 1.0, 0.4))
    # fewer cut-offs, less to choose from: the middle lies nearer to the value
    assert largest_gap(outcome, score) - sum(limits[:2]) / 2 < value - sum(fine[:2]) / 2


def test_weights_of_a_whole_class_change_nothing_and_uneven_ones_widen():
    outcome, score = binormal(np.random.default_rng(4), 800, 1.0, 0.3)
    plain = ks_limits(sample_of(outcome, score), {})
    by_class = ks_limits(sample_of(outcome, score, np.where(outcome == 1, 0.2, 3.0)), {})
    assert by_class[:2] == pytest.approx(plain[:2], abs=1e-9)
    uneven = np.random.default_rng(5).gamma(0.5, 2.0, 800)
    wide = ks_limits(sample_of(outcome, score, uneven), {})
    assert wide[1] - wide[0] > 1.3 * (plain[1] - plain[0])


def test_large_files_are_put_into_bins_with_the_same_answer():
    outcome, score = binormal(np.random.default_rng(6), 1_990, 1.0, 0.3)
    fine = ks_limits(sample_of(outcome, score), {})
    outcome, score = np.tile(outcome, 2), np.concatenate([score, score + 1e-9])
    twice = ks_limits(sample_of(outcome, score), {})  # 3,980 groups, half as many bins
    assert twice[1] - twice[0] == pytest.approx((fine[1] - fine[0]) / np.sqrt(2), rel=0.05)


def test_without_a_number_there_are_no_limits():
    outcome, score = binormal(np.random.default_rng(7), 60, 1.0, 0.3)
    assert ks_limits(sample_of(outcome, outcome + 0.0), {}) is None  # perfectly ranked
    assert ks_limits(sample_of(np.arange(60) == 5, score), {}) is None  # one event
    three = payoff.Sample(np.arange(60) % 3, prediction=np.ones((3, 60)), labels=("a", "b", "c"))
    assert ks_limits(three, {}) is None
    many = np.arange(MOST_CASES + 1)
    assert ks_limits(sample_of(many % 2, many), {}) is None


def test_the_table_shows_it_also_with_priors_and_without_resamples():
    outcome, probability = made_cases(500, 8)
    problem = binary_problem(outcome, {"m": probability}, ["ks"], resamples=0)
    plain = assess(problem).cells[0].estimate
    assert plain.method == "normal, less the bias of a maximum, 200 draws"
    assert plain.low < plain.value < plain.high
    prior = assess(replace(problem, priors=np.array([0.05, 0.95]))).cells[0].estimate
    assert (prior.low, prior.high) == (
        pytest.approx(plain.low, abs=1e-9),
        pytest.approx(plain.high, abs=1e-9),
    )
    assert "5.0" in prior.holds_fixed
    cluster = np.array([f"c{k // 2}" for k in range(500)])
    drawn = assess(replace(problem, cluster=cluster, resamples=200)).cells[0].estimate
    assert drawn.method.startswith("Poisson bootstrap")
