"""Intervals hold the true value as often as they say."""

import pytest

from tests.soak.interval_coverage import coverages

pytestmark = pytest.mark.soak


def test_intervals_of_95_percent_hold_the_truth_in_92_to_98_of_100_samples():
    outside = {}
    for metric, method, share in coverages(600):
        print(f"{metric}, {method}: {share:.1%}")
        if not 0.92 <= share <= 0.98:
            outside[metric] = share
    assert outside == {}
