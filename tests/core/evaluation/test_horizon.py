"""Survival times at one horizon, against R's survfit (figures in tests/golden/survival)."""

import json
from pathlib import Path

import numpy as np
import pytest

from core.boosting.survival import baseline_hazard
from core.evaluation.charts_survival import Followed
from core.evaluation.horizon import at_horizon
from payoff.errors import PayoffError

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
    with pytest.raises(PayoffError, match="watched from time 0"):
        at_horizon(cases(entry=0.1), 5.0)
