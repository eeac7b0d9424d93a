"""Survival times at one horizon, against R's survfit (figures in tests/golden/survival)."""

import json
from pathlib import Path

import numpy as np
import pytest

from core.boosting.survival import baseline_hazard
from core.evaluation.judged_predictions import at_horizon
from payoff.errors import PayoffError
from payoff.follow_up import Followed, auc_by_time

PATH = Path(__file__).parents[2] / "golden" / "survival" / "horizon.json"
GOLDEN = json.loads(PATH.read_text("utf-8"))
TIME, EVENT = np.array(GOLDEN["time"], float), np.array(GOLDEN["event"], float)


def cases(entry=0.0):
    return Followed(TIME, EVENT == 1, np.full(16, entry), np.ones(16))


@pytest.mark.parametrize(("place", "at"), list(enumerate(GOLDEN["at"])))
def test_the_weighted_share_of_events_is_kaplan_meiers(place, at):
    outcome, weight = at_horizon(cases(), at)
    known = np.isfinite(outcome)
    assert (weight[~known] == 0).all()
    assert ((TIME[~known] <= at) & (EVENT[~known] == 0)).all()
    share = (weight * outcome)[known].sum() / 16
    assert share == pytest.approx(1 - GOLDEN["survival"][place], abs=1e-12)
    assert weight.sum() == pytest.approx(16, abs=1e-10)


def test_those_followed_beyond_weigh_one_over_the_chance_of_being_uncensored():
    _, weight = at_horizon(cases(), 7.5)
    np.testing.assert_allclose(weight[TIME > 7.5], 1 / GOLDEN["uncensored_at_7.5"], rtol=1e-12)


def test_curves_are_those_of_a_cox_model_in_r():
    score = GOLDEN["coefficient"] * np.array(GOLDEN["x"], float)
    hazard = baseline_hazard(TIME, EVENT, score)
    both = hazard.survival(np.array([0.0, GOLDEN["coefficient"]]), np.array(GOLDEN["at"]))
    np.testing.assert_allclose(both, [GOLDEN["cox_x0"], GOLDEN["cox_x1"]], atol=1e-12)


def test_a_horizon_at_which_nothing_is_decided_is_refused():
    for horizon, words in ((0.5, "No case had the event"), (15.0, "longest time is 15")):
        with pytest.raises(PayoffError, match=words):
            at_horizon(cases(), horizon)


# ---------------------------------------------------------------- late entry

LATE = json.loads((PATH.parent / "parametric.json").read_text("utf-8"))["late"]


def late_cases():
    time, event, entry = (np.array(LATE[name], float) for name in ("time", "event", "entry"))
    return Followed(time, event == 1, entry, np.ones(len(time)))


def test_with_late_entry_the_weighted_share_of_events_is_kaplan_meiers():
    for at, left in zip(range(1, 9), LATE["left"], strict=False):
        outcome, weight = at_horizon(late_cases(), float(at))
        known = np.isfinite(outcome)
        assert (weight * outcome)[known].sum() / 10 == pytest.approx(1 - left, abs=1e-12)
        assert weight.sum() == pytest.approx(10, abs=1e-12)


def test_weights_of_late_entry_by_hand():
    # At 1 four of ten are under observation: the event there stands for 10/4 cases. At 2 again
    # four, and 3/4 lasted till then: 3/4 * 10/4. At 2.5 those at risk share the 9/16 that is left:
    # the cases that end at 3, 4, 5 and 6; those that entered at 3, 4 and 6.5 say nothing.
    outcome, weight = at_horizon(late_cases(), 2.5)
    np.testing.assert_allclose(weight[:2], [2.5, 1.875], rtol=1e-12)
    assert np.isnan(outcome[[2, 7, 8, 9]]).all()
    np.testing.assert_allclose(weight[3:7], 10 * 0.5625 / 4, rtol=1e-12)


def test_auc_counts_those_under_observation():
    followed = late_cases()
    risk = np.array([9.0, 1.0, 0.0, 5.0, 6.0, 4.0, 3.0, 8.0, 9.0, 9.0])
    # Events at 1 (weight 2.5) and 2 (weight 1.875) against risks 5, 6, 4, 3: all below, all above.
    found = auc_by_time(followed, risk, np.array([2.5]))
    assert found[0] == pytest.approx(2.5 / 4.375, rel=1e-12)


def test_where_all_had_the_event_early_nothing_can_be_judged():
    followed = Followed(
        np.array([1.0, 4.0, 5.0]),
        np.array([True, True, False]),
        np.array([0.0, 2.0, 2.0]),
        np.ones(3),
    )
    with pytest.raises(PayoffError, match="cannot be judged"):
        at_horizon(followed, 4.5)
