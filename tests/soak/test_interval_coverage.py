"""Intervals hold the true value as often as they say."""

import pytest

from tests.soak.difference_coverage import counted
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


@pytest.mark.parametrize("has_ties", [False, True])
def test_seven_events_hold_nearly_what_they_say(has_ties):
    """Differences of functions of shares hold 90 to 92 %; see docs/evaluation.md."""
    outside = {}
    for metric, counts in counted(150, 0.05, has_ties=has_ties, samples=200).items():
        found = {name: counts.percent(name) for name in ("value", "difference", "found")}
        print(f"{metric}: {found}")
        if min(found["value"], found["difference"]) < 88 or found["found"] > 6:
            outside[metric] = found
        if counts.contradictions:
            outside[metric] = found
    assert outside == {}


@pytest.mark.parametrize("has_ties", [False, True])
@pytest.mark.parametrize(("rows", "share"), [(150, 0.3), (1_000, 0.3), (1_000, 0.05)])
def test_values_and_differences_hold_the_truth_and_tests_err_as_they_say(rows, share, has_ties):
    """Of calibration error only the value: two models' biases differ, and so does their error."""
    outside = {}
    for metric, counts in counted(rows, share, has_ties=has_ties, samples=400).items():
        found = {name: counts.percent(name) for name in ("value", "difference", "found")}
        print(f"{metric}: {found}")
        is_biased = metric == "calibration_error"
        noise = 2.2  # two standard errors of a share of 95 % in 400 samples
        if not 92 - noise <= found["value"] <= 98 + noise or counts.contradictions:
            outside[metric] = found
        if not is_biased and not 92 - noise <= found["difference"] <= 98 + noise:
            outside[metric] = found
        if found["found"] > 8 + noise:
            outside[metric] = found
    assert outside == {}
