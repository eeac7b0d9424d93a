"""The population stability index: by hand, with noise reckoned with."""

import numpy as np
import pytest

from core.decisions.studies.shift import score_stability, stability
from payoff.groups import effective_cases


def test_the_index_by_hand():
    # (.3-.2) ln(.3/.2) + (.3-.5) ln(.3/.5) + (.4-.3) ln(.4/.3), shares of a large file
    then, now = np.array([0.2, 0.5, 0.3]), np.array([0.3, 0.3, 0.4])
    found = stability(then, now, 1e9, 1e9)
    assert found.index == pytest.approx(0.17148, abs=1e-5)
    assert found.verdict == "shifted"


@pytest.mark.parametrize(
    ("moved", "verdict"), [(0.0, "stable"), (0.4, "shifted"), (1.0, "another population")]
)
def test_scores_that_move_get_their_word(moved, verdict):
    draw = np.random.default_rng(1)
    then, now = draw.normal(size=20_000), draw.normal(loc=moved, size=20_000)
    found = score_stability(then, now, np.ones(20_000), np.ones(20_000))
    assert found.verdict == verdict


def test_thirty_cases_of_the_same_population_are_no_alarm():
    draw = np.random.default_rng(2)
    then = draw.normal(size=10_000)
    words = [
        score_stability(then, draw.normal(size=30), np.ones(10_000), np.ones(30)).verdict
        for _ in range(200)
    ]
    alarms = sum(word in ("shifted", "another population") for word in words)
    assert alarms <= 20  # 5 % are expected


def test_weights_undo_oversampling():
    draw = np.random.default_rng(3)
    event = draw.random(40_000) < 0.5
    score = draw.normal(size=40_000) + 2 * event
    rare = draw.random(40_000) < 0.05
    now = draw.normal(size=40_000) + 2 * rare
    weight = np.where(event, 0.05 / 0.5, 0.95 / 0.5)
    plain = score_stability(score, now, np.ones(40_000), np.ones(40_000))
    weighted = score_stability(score, now, weight, np.ones(40_000))
    assert plain.verdict == "another population"
    assert weighted.verdict == "stable"


def test_equal_scores_and_missing_ones_do_no_harm():
    then = np.array([1.0] * 50 + [np.nan] * 50)
    now = np.array([1.0] * 20 + [np.nan])
    assert score_stability(then, now, np.ones(100), np.ones(21)).verdict == "stable"


def test_effective_number_of_cases():
    assert effective_cases(np.ones(7)) == pytest.approx(7)
    assert effective_cases(np.array([1.0, 0.0])) == pytest.approx(1)
    assert effective_cases(np.array([2.0, 1.0])) == pytest.approx(9 / 5)
