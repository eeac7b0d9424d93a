"""Uplift as a loss: unbiased for any baseline, Horvitz-Thompson in a leaf, V_nu's best baseline."""

import numpy as np
import pytest

from core.boosting import BoostSettings, TrainingCases, fit, inputs_of_matrix
from core.uplift.experiment import treated_share
from payoff.errors import PayoffError
from payoff.targets import check_cases
from payoff.testing import DistributionHost
from plugins.distributions.uplift import UPLIFT, UPLIFT_BASELINE

pytestmark = pytest.mark.timeout(400)  # the first trees of a machine compile

FORMS = ("weighted", "transformed")


@pytest.fixture(scope="module")
def trial():
    random = np.random.default_rng(5)
    x = random.normal(size=(6000, 3))
    probability = 1 / (1 + np.exp(-0.8 * x[:, 0]))
    treated = (random.random(6000) < probability).astype(float)
    effect = 1.0 + (x[:, 1] > 0)
    outcome = 3.0 * x[:, 2] + treated * effect + random.normal(size=6000)
    return x, outcome, {"treatment": treated, "propensity": probability}, effect


def start(outcome, columns, form):
    host = DistributionHost(UPLIFT, outcome, columns, {"form": form})
    return host, host.initial_score(np.ones(len(outcome)), np.zeros((2, len(outcome))))


def test_with_equal_arms_the_start_is_the_difference_of_means_and_the_best_baseline(trial):
    _, outcome, columns, _ = trial
    treated = columns["treatment"] == 1
    even = {"treatment": columns["treatment"], "propensity": np.full(6000, treated.mean())}
    _, found = start(outcome, even, "weighted")
    assert found[0] == pytest.approx(outcome[treated].mean() - outcome[~treated].mean(), rel=1e-12)
    half = {**even, "propensity": np.full(6000, 0.5)}
    both = [start(outcome, half, form)[1] for form in FORMS]
    np.testing.assert_allclose(both[0], both[1], rtol=1e-12)


@pytest.mark.parametrize("form", FORMS)
def test_the_baseline_is_that_of_v_nu_where_there_is_no_effect(trial, form):
    _, outcome, columns, _ = trial
    host, _ = start(outcome, columns, form)
    scores = np.zeros((2, 6000))
    gradient, curvature = host.gradients(scores)
    best = gradient[1].sum() / curvature[1].sum()  # F = 0: one Newton step of nu is exact
    q = np.where(columns["treatment"] == 1, columns["propensity"], 1 - columns["propensity"])
    weight = 1 / q if form == "weighted" else 1 / q**2
    assert best == pytest.approx((weight * outcome).sum() / weight.sum(), rel=1e-10)


@pytest.mark.every_nth(2)
@pytest.mark.parametrize("form", FORMS)
def test_a_leaf_has_the_weighted_effect_whatever_the_baseline(trial, form):
    x, _, columns, effect = trial
    random = np.random.default_rng(9)
    treated, probability = columns["treatment"], columns["propensity"]
    means = []
    for _ in range(200):  # new noise of arms: the mean over draws is the effect
        drawn = (random.random(6000) < probability).astype(float)
        values = 3.0 * x[:, 2] + drawn * effect
        host, _ = start(values, {"treatment": drawn, "propensity": probability}, form)
        scores = np.vstack([np.zeros(6000), np.full(6000, 0.7)])
        gradient, curvature = host.gradients(scores)
        means.append(gradient[0].sum() / curvature[0].sum())
    error = np.std(means) / np.sqrt(200)
    assert abs(np.mean(means) - effect.mean()) < 4 * error + 0.01
    assert treated.sum() > 0


@pytest.mark.parametrize("spec", [UPLIFT, UPLIFT_BASELINE], ids=lambda spec: spec.id)
def test_trees_find_who_gains(trial, spec):
    x, outcome, columns, effect = trial
    cases = TrainingCases(inputs=inputs_of_matrix(x), outcome=outcome, extras=columns)
    settings = BoostSettings(n_trees=60, interaction_depth=2, min_cases_in_node=100, seed=2)
    model = fit(cases, spec, {}, settings)
    link = model.link(cases.inputs)
    assert np.corrcoef(link[0], effect)[0, 1] > 0.6
    assert bool(np.ptp(link[1]) > 1.0) is (spec is UPLIFT_BASELINE)


def test_what_has_no_effect_to_learn_is_refused():
    outcome, weight = np.arange(4.0), np.ones(4)
    good = {"treatment": np.array([0.0, 1.0, 0.0, 1.0]), "propensity": np.full(4, 0.5)}
    for change, words in (
        ({"treatment": np.array([0.0, 2.0, 0.0, 1.0])}, "neither 0 nor 1"),
        ({"propensity": np.array([0.5, 0.5, 1.0, 0.5])}, "not between 0 and 1"),
        ({"treatment": np.ones(4)}, "one arm"),
    ):
        with pytest.raises(PayoffError, match=words):
            check_cases(UPLIFT, outcome, weight, {}, {**good, **change})
    with pytest.raises(PayoffError, match="one arm"):
        treated_share(np.ones(4), 4)
