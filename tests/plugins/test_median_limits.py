"""The median absolute error's own interval: order statistics, exact whatever the misses are."""

import numpy as np
import pytest
from scipy.stats import binom

from core.kernels import with_kernels
from payoff import Sample, Task
from plugins.metrics.number_fits import median_limits

LIMITS = with_kernels(median_limits)


def sample_of(miss, weight=None):
    return Sample(miss, np.zeros(len(miss)), weight=weight, task=Task.REGRESSION)


@pytest.mark.parametrize("size", [6, 20, 151, 600])
def test_without_weights_they_are_order_statistics(size):
    miss = np.sort(np.random.default_rng(size).gamma(2.0, 1.5, size))
    low, high, method = LIMITS(sample_of(miss), {})
    assert method == "order statistics"
    exact = int(binom.ppf(0.025, size, 0.5))  # the exact ones, counted from 1
    ranks = np.searchsorted(miss, [low, high], side="left") + 1
    assert abs(ranks[0] - exact) <= 1
    assert abs(ranks[1] - (size + 1 - exact)) <= 1
    inside = binom.cdf(ranks[1] - 1, size, 0.5) - binom.cdf(ranks[0] - 1, size, 0.5)
    assert 0.945 <= inside <= 0.98


def test_few_cases_have_none():
    assert LIMITS(sample_of(np.arange(5.0)), {}) is None


@pytest.mark.parametrize("is_weighted", [False, True])
def test_they_hold_the_median_as_often_as_they_say(is_weighted):
    random = np.random.default_rng(7)
    held, truth = 0, np.log(2.0)
    for _ in range(400):
        weight = random.gamma(1.0, 1.0, 150) + 0.05 if is_weighted else None
        low, high, _ = LIMITS(sample_of(random.exponential(1.0, 150), weight), {})
        held += low <= truth <= high
    assert 0.92 <= held / 400 <= 0.985


def test_equal_weights_count_as_none():
    miss = np.random.default_rng(1).normal(size=80)
    assert LIMITS(sample_of(miss, np.full(80, 3.0)), {}) == LIMITS(sample_of(miss), {})
