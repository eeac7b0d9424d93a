"""Intervals hold the true value as often as they say."""

import pytest

from tests.soak.interval_coverage import coverages

pytestmark = pytest.mark.soak


def test_intervals_of_95_percent_hold_the_truth_in_92_to_98_of_100_samples():
    outside = {}
    noise = 0.018  # two standard errors of a share of 95 % in 600 samples
    for metric, method, share in coverages(600):
        print(f"{metric}, {method}: {share:.1%}")
        if not 0.92 - noise <= share <= 0.98 + noise:
            outside[metric] = share
    assert outside == {}
