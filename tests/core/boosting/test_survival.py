"""Baseline hazard: R gbm's and R survival's figures, survival curves, and what is refused."""

import json
from pathlib import Path

import numpy as np
import pytest

from core.boosting.survival import baseline_hazard
from payoff import PayoffError

GOLDEN = json.loads(
    (Path(__file__).parents[2] / "golden" / "survival" / "basehaz.json").read_text("utf-8")
)


def column(name):
    return np.array([np.nan if value is None else value for value in GOLDEN[name]], dtype=float)


TIME, EVENT, SCORE = column("time"), column("event"), column("score")


def test_as_basehaz_gbm():
    found = baseline_hazard(TIME, EVENT, SCORE)
    np.testing.assert_allclose(
        found.at(column("gbm_times"), "linear"), column("gbm_cumulative"), rtol=1e-12
    )
    np.testing.assert_allclose(found.at(TIME, "linear"), column("gbm_at_own_times"), rtol=1e-12)


@pytest.mark.parametrize("truncated", ["", "_truncated"])
@pytest.mark.parametrize("weighted", ["", "_weighted"])
@pytest.mark.parametrize("ties", ["breslow", "efron"])
def test_as_survfit(ties, weighted, truncated):
    found = baseline_hazard(
        TIME,
        EVENT,
        SCORE,
        ties=ties,
        weight=column("weight") if weighted else None,
        entry=column("entry") if truncated else None,
    )
    name = ties + weighted + truncated
    np.testing.assert_array_equal(found.times, column(f"{name}_times"))
    np.testing.assert_allclose(found.cumulative, column(f"{name}_cumulative"), rtol=1e-10)


@pytest.mark.parametrize("stratum", ["a", "b"])
def test_each_stratum_has_its_own(stratum):
    inside = np.array(GOLDEN["strata"]) == stratum
    found = baseline_hazard(TIME[inside], EVENT[inside], SCORE[inside])
    np.testing.assert_array_equal(found.times, column(f"strata_{stratum}_times"))
    np.testing.assert_allclose(found.cumulative, column(f"strata_{stratum}_cumulative"), rtol=1e-10)


def test_steps_by_hand():
    found = baseline_hazard(
        np.array([1.0, 2.0, 2.0, 4.0]), np.array([1.0, 1.0, 0.0, 0.0]), np.zeros(4)
    )
    np.testing.assert_allclose(found.jumps, [1 / 4, 1 / 3])
    np.testing.assert_allclose(
        found.at(np.array([0.5, 1.0, 1.9, 2.0, 4.0, 4.1])),
        [0.0, 1 / 4, 1 / 4, 7 / 12, 7 / 12, np.nan],
    )
    probability = found.survival(np.array([0.0, np.log(2.0)]), np.array([0.0, 3.0]))
    np.testing.assert_allclose(probability, [[1.0, np.exp(-7 / 12)], [1.0, np.exp(-14 / 12)]])


def test_late_entry_by_hand():
    # At 2 the cases that entered at 0 and 1 are at risk (risks 1 and 2), at 3 those of 1 and 2.5.
    found = baseline_hazard(
        np.array([2.0, 3.0, 5.0]),
        np.array([1.0, 1.0, 0.0]),
        np.log([1.0, 2.0, 4.0]),
        entry=np.array([0.0, 1.0, 2.5]),
    )
    np.testing.assert_allclose(found.jumps, [1 / 3, 1 / 6], rtol=1e-12)
    probability = found.survival(np.array([np.log(2.0)]), np.array([2.5, 4.0]))
    np.testing.assert_allclose(probability, [[np.exp(-2 / 3), np.exp(-1.0)]], rtol=1e-12)


def test_a_shift_of_scores_scales_the_hazard_and_far_scores_stay_finite():
    plain, far = (baseline_hazard(TIME, EVENT, SCORE + shift) for shift in (0.0, 600.0))
    np.testing.assert_allclose(far.jumps, plain.jumps * np.exp(-600.0), rtol=1e-9)
    np.testing.assert_allclose(
        far.survival(SCORE[:3] + 600.0, TIME), plain.survival(SCORE[:3], TIME), rtol=1e-9
    )


def test_cases_without_weight_are_not_there():
    weight = np.where(np.arange(len(TIME)) % 4 == 0, 0.0, 1.0)
    inside = weight > 0
    found = baseline_hazard(TIME, EVENT, SCORE, weight=weight)
    wanted = baseline_hazard(TIME[inside], EVENT[inside], SCORE[inside])
    np.testing.assert_array_equal(found.times, wanted.times)
    np.testing.assert_allclose(found.jumps, wanted.jumps, rtol=1e-12)


def test_refusals():
    with pytest.raises(PayoffError, match="without an event"):
        baseline_hazard(TIME, np.zeros_like(TIME), SCORE)
    with pytest.raises(PayoffError, match="ties"):
        baseline_hazard(TIME, EVENT, SCORE, ties="exact")
    with pytest.raises(PayoffError, match="interpolation"):
        baseline_hazard(TIME, EVENT, SCORE).at(TIME, "smooth")
