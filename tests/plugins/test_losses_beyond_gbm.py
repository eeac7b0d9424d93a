"""Losses beyond gbm against R's glm.nb, polr and survreg, as boosting with one leaf and with two.

Origin of the figures: tests/golden/distributions/mass_and_survreg.json says it.
"""

import json
from pathlib import Path

import numpy as np
import pytest

from core.boosting import BoostSettings, TrainingCases, fit, inputs_of_matrix
from payoff.errors import PayoffError
from payoff.targets import check_cases
from payoff.testing import DistributionHost
from plugins.distributions.aft import AFT
from plugins.distributions.expectile import Expectile
from plugins.distributions.multi_quantile import MULTI_QUANTILE, names_of_quantiles
from plugins.distributions.negative_binomial import NegativeBinomial
from plugins.distributions.ordinal import ORDINAL

PATH = Path(__file__).parent.parent / "golden" / "distributions" / "mass_and_survreg.json"
GOLDEN = json.loads(PATH.read_text("utf-8"))
COLUMNS = {name: np.array(values, dtype=float) for name, values in GOLDEN["columns"].items()}
FIGURES = GOLDEN["figures"]
GROUP = (COLUMNS["number"] > 0.0).astype(float)
ONES, ZEROS = np.ones(60), np.zeros((1, 60))
SHAPES = ("lognormal", "loglogistic", "weibull")
THETA = {"size": FIGURES["nb_theta"][0]}


def two_leaves(spec, outcome, parameters, **more):
    """Stumps on the group until nothing moves, (K, 60) link scores."""
    cases = TrainingCases(inputs=inputs_of_matrix(GROUP[:, np.newaxis]), outcome=outcome, **more)
    settings = BoostSettings(
        n_trees=300, interaction_depth=1, shrinkage=0.3, bag_fraction=1.0, min_cases_in_node=1
    )
    return fit(cases, spec, parameters, settings)


# ---------------------------------------------------------------- negative binomial


def test_negative_binomial_is_glm_nb():
    host = DistributionHost(NegativeBinomial, COLUMNS["count"], parameters=THETA)
    start = host.initial_score(ONES, ZEROS)
    assert start[0] == pytest.approx(FIGURES["nb_one"][0], abs=1e-10)
    score = np.full((1, 60), start[0])
    saturated = np.zeros(60)
    NegativeBinomial.saturated(host.outcome, host.parameters, saturated, 0, 60)
    deviance = (host.losses(score) - saturated).sum()
    assert deviance == pytest.approx(FIGURES["nb_deviance"][0], rel=1e-10)
    moved = host.initial_score(COLUMNS["weight"], COLUMNS["shift"][np.newaxis])
    assert moved[0] == pytest.approx(FIGURES["nb_offset"][0], abs=1e-9)


def test_negative_binomial_stumps_end_at_the_two_groups_of_glm():
    model = two_leaves(NegativeBinomial, COLUMNS["count"], THETA)
    link = model.link(inputs_of_matrix(np.array([[0.0], [1.0]])))
    np.testing.assert_allclose(link[0], FIGURES["nb_two"], atol=1e-9)


def test_a_large_size_is_poisson_and_no_count_never_goes_up():
    host = DistributionHost(NegativeBinomial, COLUMNS["count"], parameters={"size": 1e9})
    score = np.random.default_rng(1).normal(0, 1, (1, 60))
    gradient, _ = host.gradients(score)
    np.testing.assert_allclose(gradient[0], host.outcome - np.exp(score[0]), atol=1e-6)
    nothing = DistributionHost(NegativeBinomial, np.zeros(2))
    for start, wanted in ((-1.0, -18.0), (-25.0, 0.0)):
        value = nothing.leaf_values(
            np.full((1, 2), start), np.ones(2), np.arange(2), np.array([0, 2]), 0
        )
        assert value[0] == pytest.approx(wanted)


# ---------------------------------------------------------------- ordinal


def test_ordinal_is_polr():
    host = DistributionHost(ORDINAL, COLUMNS["class"])
    start = host.initial_score(COLUMNS["weight"], np.zeros((3, 60)))
    cuts = [start[1], start[1] + np.exp(start[2])]
    # R's optimiser stops about 1e-5 short; the deviance is flat there and agrees closely.
    np.testing.assert_allclose(cuts, FIGURES["polr_one"], atol=2e-5)
    score = np.repeat(start[:, np.newaxis], 60, axis=1)
    deviance = 2.0 * COLUMNS["weight"] @ host.losses(score)
    assert deviance == pytest.approx(FIGURES["polr_deviance"][0], rel=1e-9)


def test_ordinal_stumps_end_at_the_two_groups_of_polr():
    model = two_leaves(ORDINAL, COLUMNS["class"], {}, n_classes=3)
    probabilities = model.response(inputs_of_matrix(np.array([[0.0], [1.0]])))
    np.testing.assert_allclose(probabilities[:, 0], FIGURES["polr_two_low"], atol=2e-5)
    np.testing.assert_allclose(probabilities[:, 1], FIGURES["polr_two_high"], atol=2e-5)
    np.testing.assert_allclose(probabilities.sum(axis=0), 1.0, atol=1e-14)
    cases = TrainingCases(
        inputs=inputs_of_matrix(GROUP[:, np.newaxis]), outcome=COLUMNS["class"], n_classes=3
    )
    assert 120 * model.deviance(cases) == pytest.approx(FIGURES["polr_two_deviance"][0], abs=1e-7)


def test_cut_points_are_the_same_for_all_cases_and_offsets_move_the_place_only():
    matrix = np.random.default_rng(4).normal(size=(400, 3))
    grades = np.digitize(matrix[:, 0] + 0.5 * np.random.default_rng(5).logistic(size=400), [-1, 0])
    offset = 0.3 * matrix[:, 1]
    cases = TrainingCases(
        inputs=inputs_of_matrix(matrix), outcome=grades.astype(float), offset=offset, n_classes=3
    )
    settings = BoostSettings(n_trees=30, interaction_depth=3, seed=7)
    model = fit(cases, ORDINAL, {}, settings)
    link = model.link(cases.inputs, offset=offset)
    assert np.ptp(link[0]) > 1.0
    assert np.ptp(link[1]) == np.ptp(link[2]) == 0.0
    np.testing.assert_allclose(link, model.trainer.score, atol=1e-12)
    half = fit(cases, ORDINAL, {}, BoostSettings(n_trees=12, interaction_depth=3, seed=7))
    again = half.continued(18)
    np.testing.assert_array_equal(again.link(cases.inputs), model.link(cases.inputs))


# ---------------------------------------------------------------- times


@pytest.mark.parametrize("shape", SHAPES)
def test_times_are_survreg(shape):
    free = {"shape": shape, "scale": FIGURES[f"{shape}_scale"][0]}
    fixed = {"shape": shape, "scale": 0.7}
    nothing = np.zeros(60)
    fits = (
        ("free", free, "event", nothing, ONES, nothing),
        ("right", fixed, "event", nothing, COLUMNS["weight"], nothing),
        ("offset", fixed, "event", nothing, ONES, COLUMNS["shift"]),
        ("interval", fixed, "mixed_event", COLUMNS["upper"], ONES, nothing),
    )
    for name, parameters, event, upper, weight, offset in fits:
        columns = {"event": COLUMNS[event], "upper": upper}
        host = DistributionHost(AFT, COLUMNS["time"], columns, parameters)
        start = host.initial_score(weight, offset[np.newaxis])
        place, level = FIGURES[f"{shape}_{name}"]
        assert start[0] == pytest.approx(place, abs=1e-6)
        score = (offset + start[0])[np.newaxis]
        assert -0.5 * weight @ host.losses(score) == pytest.approx(level, rel=1e-9)


@pytest.mark.parametrize("shape", SHAPES)
def test_stumps_of_times_end_at_the_two_groups_of_survreg(shape):
    columns = {"event": COLUMNS["event"]}
    model = two_leaves(AFT, COLUMNS["time"], {"shape": shape, "scale": 0.7}, extras=columns)
    link = model.link(inputs_of_matrix(np.array([[0.0], [1.0]])))
    np.testing.assert_allclose(link[0], FIGURES[f"{shape}_two"][:2], atol=1e-6)


@pytest.mark.parametrize("shape", SHAPES)
def test_gradients_of_every_kind_of_time_match_finite_differences(shape):
    random = np.random.default_rng(8)
    time = random.gamma(2.0, 1.5, 90) + 0.01
    kind = np.arange(90) % 3
    upper = np.where(kind == 2, time * random.uniform(1.1, 4.0, 90), 0.0)
    columns = {"event": (kind != 1).astype(float), "upper": upper}
    host = DistributionHost(AFT, time, columns, {"shape": shape, "scale": 0.8})
    score = random.normal(0.0, 1.5, (1, 90))
    gradient, curvature = host.gradients(score)
    slope = (host.losses(score + 1e-5) - host.losses(score - 1e-5)) / 2e-5
    np.testing.assert_allclose(gradient[0], -0.5 * slope, rtol=1e-5, atol=1e-6)
    up, down = host.gradients(score + 1e-5)[0], host.gradients(score - 1e-5)[0]
    np.testing.assert_allclose(curvature, (down - up) / 2e-5, rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("shape", SHAPES)
def test_times_far_from_their_score_stay_finite(shape):
    columns = {"event": np.array([1.0, 0.0, 1.0]), "upper": np.array([0.0, 0.0, 1.01])}
    host = DistributionHost(AFT, np.ones(3), columns, {"shape": shape, "scale": 0.1})
    for far in (-50.0, -8.0, 8.0, 50.0):
        score = np.full((1, 3), far)
        gradient, curvature = host.gradients(score)
        assert np.isfinite(host.losses(score)).all()
        assert np.isfinite(gradient).all()
        assert (curvature >= 0.0).all()


def test_times_that_cannot_be_fitted_are_refused():
    time, ones = np.array([1.0, 2.0]), np.ones(2)
    good = {"event": np.array([1.0, 0.0]), "upper": np.zeros(2)}
    check_cases(AFT, time, ones, {"shape": 0.0, "scale": 1.0}, good)
    for bad, words in (
        ({"event": np.array([1.0, 2.0])}, "row 2"),
        ({"upper": np.array([0.5, 0.0])}, "row 1"),
        ({"event": np.zeros(2)}, "censored"),
    ):
        with pytest.raises(PayoffError, match=words):
            check_cases(AFT, time, ones, {"shape": 0.0, "scale": 1.0}, good | bad)


# ---------------------------------------------------------------- expectiles and quantiles


def test_expectile_of_a_half_is_the_mean_and_others_balance_their_prices():
    number, weight = COLUMNS["number"], COLUMNS["weight"]
    host = DistributionHost(Expectile, number)
    start = host.initial_score(weight, ZEROS)[0]
    assert start == pytest.approx(np.average(number, weights=weight), rel=1e-13)
    host = DistributionHost(Expectile, number, parameters={"alpha": 0.9})
    value = host.leaf_values(ZEROS, weight, np.arange(60), np.array([0, 60]), 0)[0]
    above, below = np.maximum(number - value, 0.0), np.maximum(value - number, 0.0)
    assert 0.9 * weight @ above == pytest.approx(0.1 * weight @ below, rel=1e-12)


def made_up_amounts(rows, seed):
    random = np.random.default_rng(seed)
    matrix = random.uniform(-1, 1, (rows, 4))
    spread = np.exp(matrix[:, 1])
    return matrix, 2.0 * matrix[:, 0] + spread * random.normal(size=rows), spread


def test_several_quantiles_cover_as_they_say_and_never_cross():
    matrix, outcome, _ = made_up_amounts(4000, 2)
    test_matrix, test_outcome, test_spread = made_up_amounts(4000, 3)
    settings = BoostSettings(n_trees=150, interaction_depth=3, shrinkage=0.1, seed=1)
    cases = TrainingCases(inputs=inputs_of_matrix(matrix), outcome=outcome)
    model = fit(cases, MULTI_QUANTILE, {"quantiles": 5, "lowest": 0.1}, settings)
    assert model.output_names == ("q0.1", "q0.3", "q0.5", "q0.7", "q0.9")
    found = model.response(inputs_of_matrix(test_matrix))
    assert (np.diff(found, axis=0) >= 0.0).all()
    below = (test_outcome <= found).mean(axis=1)
    np.testing.assert_allclose(below, [0.1, 0.3, 0.5, 0.7, 0.9], atol=0.03)
    width = found[4] - found[0]
    assert np.corrcoef(width, test_spread)[0, 1] > 0.9


def test_quantiles_in_order_never_cost_more_than_crossed_ones():
    random = np.random.default_rng(9)
    host = DistributionHost(MULTI_QUANTILE, random.normal(size=200))
    score = random.normal(size=(9, 200))
    assert (host.losses(host.responses(score)) <= host.losses(score) + 1e-12).all()


def test_each_quantile_is_that_of_the_loss_of_one_level():
    host = DistributionHost(
        MULTI_QUANTILE, COLUMNS["number"], parameters={"quantiles": 3, "lowest": 0.1}
    )
    start = host.initial_score(ONES, np.zeros((3, 60)))
    np.testing.assert_allclose(
        start, np.quantile(COLUMNS["number"], (0.1, 0.5, 0.9), method="averaged_inverted_cdf")
    )
    assert names_of_quantiles({"quantiles": 1, "lowest": 0.2}) == ("q0.5",)
