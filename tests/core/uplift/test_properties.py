"""Properties that need no reference numbers (section 7 of the specification)."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.uplift.choice import envelope_of
from core.uplift.experiment import make_experiment
from core.uplift.other_tools import criteo_auuc
from core.uplift.ranked.areas import area_of, aunuc, influence
from core.uplift.ranked.curves import VARIANTS, area_nu, curve_of, generalised_curve, overall_nu
from core.uplift.ranked.ranking import UpliftRanking
from tests.helpers.factories.uplift import experiments, random_experiment

NEAR = {"rel": 1e-9, "abs": 1e-9}
many = settings(max_examples=60, deadline=None)


@many
@given(experiments(), st.integers(0, 1000))
def test_row_order_does_not_matter(case, seed):
    experiment, score = case
    order = np.random.default_rng(seed).permutation(len(score))
    first, second = (
        UpliftRanking(experiment, score),
        UpliftRanking(experiment.rows(order), score[order]),
    )
    for variant in VARIANTS:
        a, b = curve_of(first, variant), curve_of(second, variant)
        np.testing.assert_allclose(a.x, b.x, atol=1e-12)
        np.testing.assert_allclose(a.y, b.y, atol=1e-9)
        error = area_of(first, variant).standard_error
        np.testing.assert_allclose(error, area_of(second, variant).standard_error, atol=1e-7)


@many
@given(experiments())
def test_a_rising_change_of_the_score_does_not_matter(case):
    experiment, score = case
    first, second = UpliftRanking(experiment, score), UpliftRanking(experiment, 2 * score + 3)
    for variant in VARIANTS:
        np.testing.assert_array_equal(curve_of(first, variant).y, curve_of(second, variant).y)


@many
@given(experiments(), st.floats(-3, 3))
def test_a_constant_moves_with_nu(case, shift):
    experiment, score = case
    first = UpliftRanking(experiment, score)
    second = UpliftRanking(experiment.with_outcome(experiment.outcome + shift), score)
    a, b = generalised_curve(first, 0.3), generalised_curve(second, 0.3 + shift)
    np.testing.assert_allclose(a.y, b.y, atol=1e-9)


@many
@given(experiments())
def test_swapped_arms_negate(case):
    experiment, score = case
    first, second = UpliftRanking(experiment, score), UpliftRanking(experiment.swapped(), score)
    np.testing.assert_allclose(generalised_curve(first).y, -generalised_curve(second).y, atol=1e-9)
    assert aunuc(first) == pytest.approx(-aunuc(second), **NEAR)


@many
@given(experiments())
def test_v2_is_v1_of_both_reversed(case):
    experiment, score = case
    reversed_ = experiment.swapped().with_outcome(1.0 - experiment.outcome)
    v2 = generalised_curve(UpliftRanking(experiment, score), 1.0)
    v1 = generalised_curve(UpliftRanking(reversed_, score), 0.0)
    np.testing.assert_allclose(v1.y, v2.y, atol=1e-9)


@many
@given(experiments())
def test_areas_of_a_ranking_and_its_reverse(case):
    experiment, score = case
    first, second = UpliftRanking(experiment, score), UpliftRanking(experiment, -score)
    curve = generalised_curve(first)
    assert aunuc(first) + aunuc(second) == pytest.approx(curve.y[-1] * curve.x[-1], **NEAR)


@many
@given(experiments())
def test_envelope_lies_above(case):
    experiment, score = case
    curve = generalised_curve(UpliftRanking(experiment, score))
    envelope = envelope_of(curve)
    assert np.all(envelope.at(curve.x) >= curve.y - 1e-9)
    slopes = np.diff(envelope.y) / np.diff(envelope.x)
    assert np.all(np.diff(slopes) <= 1e-9 * np.maximum(1, np.abs(slopes[1:])))


@many
@given(experiments())
def test_the_authors_area_is_half_of_n_times_aunuc(case):
    experiment, score = case
    ranking = UpliftRanking(experiment.with_propensity(None), score)
    assert criteo_auuc(ranking) == pytest.approx(experiment.total / 2 * aunuc(ranking), **NEAR)


@many
@given(experiments())
def test_weight_two_is_the_row_twice(case):
    experiment, score = case
    times = experiment.frequency.astype(int)
    rows = np.repeat(np.arange(len(score)), times)
    plain = make_experiment(
        experiment.outcome[rows],
        experiment.treated[rows],
        propensity=experiment.propensity[rows] if experiment.has_propensity else None,
    )
    first, second = UpliftRanking(experiment, score), UpliftRanking(plain, score[rows])
    for variant in VARIANTS:
        if variant.startswith("ips"):
            continue  # windows count rows
        a, b = area_of(first, variant), area_of(second, variant)
        assert a.area == pytest.approx(b.area, **NEAR)
        assert a.standard_error == pytest.approx(b.standard_error, rel=1e-6, abs=1e-7)


@many
@given(experiments())
def test_constant_score_is_the_chord(case):
    experiment, score = case
    ranking = UpliftRanking(experiment, np.zeros_like(score))
    area, curve = area_of(ranking, "generalised"), generalised_curve(ranking)
    assert area.minus_random == pytest.approx(0.0, abs=1e-9)
    assert area.area == pytest.approx(curve.y[-1] * curve.x[-1] / 2, **NEAR)
    if not experiment.has_propensity:
        assert area.area == pytest.approx(area.end / 2, **NEAR)


def jackknife(ranking, variant, nu):
    """The change of the area with a case's weight, by a small step."""
    experiment, step = ranking.experiment, 1e-5
    out = np.empty(len(ranking))
    for row in range(len(ranking)):
        ends = []
        for sign in (-1, 1):
            weight = np.ones(len(ranking))
            weight[row] += sign * step
            trial = make_experiment(experiment.outcome, experiment.treated, weight=weight)
            ends.append(area_of(UpliftRanking(trial, ranking.score), variant, nu=nu).area)
        out[row] = (ends[1] - ends[0]) / (2 * step)
    return out - out.mean()


@pytest.mark.parametrize("variant", [name for name in VARIANTS if not name.startswith("ips")])
def test_standard_errors_are_the_infinitesimal_jackknife(variant):
    experiment, score = random_experiment(60, 5)
    ranking = UpliftRanking(experiment, score.round(1))
    nu = 0.2 if variant == "generalised" else 0.0
    change = jackknife(ranking, variant, nu)
    np.testing.assert_allclose(influence(ranking, variant, nu=nu) / 60, change, atol=1e-6)
    error = area_of(ranking, variant, nu=nu).standard_error
    assert error == pytest.approx(np.sqrt(np.sum(change**2)), rel=1e-5)


def test_nu_star_is_near_the_best_for_the_end_and_the_area():
    experiment, score = random_experiment(4_000, 3, 0.7)
    treated = experiment.treated > 0
    p1, p0 = experiment.outcome[treated].mean(), experiment.outcome[~treated].mean()
    share = experiment.share
    known = experiment.with_propensity(np.full(4_000, share))
    ranking = UpliftRanking(known, score)
    star = overall_nu(ranking)
    assert star == pytest.approx((1 - share) * p1 + share * p0, rel=1e-9)
    assert star + experiment.outcome.mean() == pytest.approx(p0 + p1, rel=1e-9)
    assert overall_nu(UpliftRanking(experiment, score)) == pytest.approx(star, rel=1e-12)
    grid = np.linspace(0, 1, 21)
    errors = [area_of(ranking, "generalised", nu=nu).standard_error for nu in grid]
    best = area_of(ranking, "generalised", nu=area_nu(ranking)).standard_error
    assert best <= min(errors) * 1.02
