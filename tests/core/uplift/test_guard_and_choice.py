"""The guard on experiments and on data that are none; whom to treat; effects without a model."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from core.kernels import run_chunks
from core.uplift.choice import Limits, Prices, choose_depth, offer_of, price_axis
from core.uplift.effects import (
    adjusted_effect,
    effects_by_segment,
    next_test_size,
    plain_effect,
)
from core.uplift.experiment import Experiment, make_experiment, narrow_intervals
from core.uplift.foretelling import Predictability, case_sample, foretold, tails
from core.uplift.page_figures import criteria_of, falling_fit
from core.uplift.ranked.curves import UpliftCurve, generalised_curve
from core.uplift.ranked.kernels import fill_folds
from core.uplift.ranked.ranking import UpliftRanking
from core.uplift.ranked.resampling import draw_curves, pointwise_error
from core.uplift.ranked.row_order import compare_areas
from core.uplift.segments import pehe, rate_of, slices_of, uplift_at
from core.uplift.validity import check_validity, tally_of, treatment_auc
from payoff.errors import PayoffError
from tests.helpers.factories.uplift import golden, golden_ranking, random_experiment


def checks_of(validity):
    return {check.key: check for check in validity.checks}


def test_a_confounded_score_is_seen():
    ranking = golden_ranking("s05_non_rct")
    assert treatment_auc(ranking).auc == pytest.approx(0.659, abs=1e-3)
    found = check_validity(ranking.experiment, {"u": ranking})
    assert found.state == "error"
    assert "propensity" in found.advice
    assert checks_of(found)["score"].p_value < 1e-40


def test_with_the_chances_given_it_is_only_a_warning():
    data, _ = golden("s05_non_rct")
    ranking = golden_ranking("s05_non_rct")
    known = ranking.experiment.with_propensity(data.e.to_numpy())
    found = check_validity(known, {"u": ranking})
    assert found.state == "warning"
    assert checks_of(found)["overlap"].number < len(data)


def test_a_column_shows_what_the_score_hides():
    data, _ = golden("t01_toy_observational")
    ranking = golden_ranking("t01_toy_observational")
    found = check_validity(
        ranking.experiment, {"u": ranking}, columns={"group": data.group.to_numpy().astype(str)}
    )
    assert checks_of(found)["imbalance"].p_value == pytest.approx(0.034, abs=1e-3)
    assert found.state == "error"


@pytest.mark.parametrize("seed", range(8))
def test_experiments_stay_quiet(seed):
    experiment, score = random_experiment(3_000, seed, 0.5)
    draw = np.random.default_rng(seed + 100)
    columns = {"x": score, "level": draw.integers(0, 4, 3_000)}
    found = check_validity(experiment, {"x": UpliftRanking(experiment, score)}, columns=columns)
    assert found.state != "error"


def test_the_planned_share_is_tested():
    experiment, score = random_experiment(4_000, 3, 0.4)
    rankings = {"x": UpliftRanking(experiment, score)}
    assert checks_of(check_validity(experiment, rankings, planned_share=0.4))["share"].state == "ok"
    found = check_validity(experiment, rankings, planned_share=0.5)
    assert found.state == "error"
    assert "planned" in found.headline


def test_weight_on_a_few_cases_withholds_intervals():
    experiment, score = random_experiment(200, 1)
    e = np.full(200, 0.5)
    e[np.argmax(experiment.treated == 1)] = 1e-6
    found = check_validity(experiment.with_propensity(e), {"x": UpliftRanking(experiment, score)})
    assert checks_of(found)["overlap"].state == "error"
    assert "No interval" in found.advice


def test_the_paired_error_is_that_of_resamples():
    experiment, score = random_experiment(4_000, 8)
    noise = np.random.default_rng(2).random(4_000)
    rankings = [UpliftRanking(experiment, s) for s in (score, score + 0.5 * noise)]
    found = compare_areas(*rankings)
    drawn = draw_curves(rankings, nu=[0.0, 0.0], draws=640)
    spread = float((drawn.area[0] - drawn.area[1]).std())
    assert found.standard_error == pytest.approx(spread, rel=0.12)
    apart = [float(drawn.area[place].std()) for place in (0, 1)]
    assert found.standard_error < 0.6 * math.hypot(*apart)
    same = compare_areas(rankings[0], rankings[0])
    assert (same.estimate.value, same.p_value) == (0.0, 1.0)


def test_resamples_agree_with_formulas_for_numbers_weights_and_chances():
    experiment, score = random_experiment(3_000, 4)
    draw = np.random.default_rng(9)
    made = make_experiment(
        experiment.outcome * draw.gamma(2.0, 3.0, 3_000),
        experiment.treated,
        propensity=np.full(3_000, 0.4),
    )
    for known in (made, made.with_propensity(None)):
        ranking = UpliftRanking(known, score)
        from core.uplift.ranked.areas import area_of

        drawn = draw_curves([ranking], nu=[0.5], draws=640)
        error = area_of(ranking, "generalised", nu=0.5).standard_error
        assert float(drawn.area.std()) == pytest.approx(error, rel=0.12)
        cuts = drawn.cuts[0][[300, 700]]
        heights = drawn.heights[0][:, [300, 700]].std(axis=0)
        np.testing.assert_allclose(heights, pointwise_error(ranking, 0.5)[cuts], rtol=0.15)


def test_draws_do_not_depend_on_threads():
    from core.kernels import limited_threads

    experiment, score = random_experiment(70_000, 4)
    ranking = UpliftRanking(experiment, score)
    many = draw_curves([ranking], nu=[0.0], draws=64).area
    with limited_threads(1):
        one = draw_curves([ranking], nu=[0.0], draws=64).area
    np.testing.assert_array_equal(many, one)


def concave(corner: float, height: float) -> UpliftCurve:
    """A concave polygon of area 0.6 over 0 to 1."""
    end = 2 * (0.6 - height * corner / 2) / (1 - corner) - height
    x = np.array([0.0, corner, 1.0])
    return UpliftCurve(x, np.array([0.0, height, end]), x)


def test_three_curves_of_one_area_are_for_three_prices():
    steep, middle, late = concave(0.2, 0.62), concave(0.5, 0.8), concave(0.8, 0.9)
    for curve in (steep, middle, late):
        assert curve.area == pytest.approx(0.6)
    peaks = [float(curve.y.max()) for curve in (steep, middle, late)]
    assert int(np.argmax(peaks)) == 2  # low cost, no floor: the highest peak
    returns = [float((c.y / np.maximum(c.x, 1e-9))[np.argmax(c.y)]) for c in (middle, late)]
    assert returns[0] > returns[1]  # best return at the peak
    starts = [float(c.y[1] / c.x[1]) for c in (steep, middle, late)]
    assert int(np.argmax(starts)) == 0  # very high floor: the steepest start


def test_the_best_depth_is_the_best_of_all_depths():
    experiment, score = random_experiment(2_000, 5)
    ranking, prices = UpliftRanking(experiment, score), Prices(value=10, contact=0.6)
    found = choose_depth(ranking, prices)
    curve = generalised_curve(ranking)
    gains = 2_000 * 10 * curve.y - 0.6 * curve.count
    assert found.gain == pytest.approx(gains.max())
    assert found.gain_low < found.gain < found.gain_high
    assert found.cross_fitted < found.gain
    limited = choose_depth(ranking, prices, limits=Limits.of({"targeted": (None, 100)}))
    assert limited.targeted <= 100
    assert limited.gain <= found.gain
    costly = choose_depth(ranking, Prices(value=1, contact=5))
    assert costly.is_nobody
    assert costly.gain == 0
    with pytest.raises(PayoffError, match="No depth"):
        choose_depth(ranking, prices, limits=Limits.of({"gain": (1e9, None)}))
    with pytest.raises(PayoffError, match="quantity"):
        choose_depth(ranking, prices, quantity="joy")


def test_redemptions_are_paid_for_those_who_come_anyway():
    experiment, score = random_experiment(1_000, 5)
    ranking = UpliftRanking(experiment, score)
    offer = offer_of(ranking, Prices(value=10, redemption=2))
    treated = experiment.treated > 0
    rate = experiment.outcome[treated].mean()
    assert offer.spent[-1] == pytest.approx(2 * 1_000 * rate)


def test_price_axis_and_its_switches():
    experiment, score = random_experiment(30_000, 6, 0.5)
    noise = np.random.default_rng(1).random(30_000)
    rankings = [UpliftRanking(experiment, s) for s in (score, noise)]
    axis = price_axis(rankings, Prices(value=10), np.linspace(0, 1.2, 13))
    for place, price in enumerate(axis.prices):
        for row, ranking in enumerate(rankings):
            best = choose_depth(
                ranking, Prices(value=10, contact=float(price)), with_cross_fit=False
            )
            assert axis.gain[row, place] == pytest.approx(best.gain, abs=1e-6)
    assert axis.winner[6] == 0
    assert axis.is_clear[6]


def test_criteria():
    experiment, score = random_experiment(8_000, 7)
    ranking = UpliftRanking(experiment, score)
    found = criteria_of(ranking, training=ranking)
    assert found.agreement == pytest.approx(1.0)
    assert found.steps == 9
    assert found.qini_low < found.qini < found.qini_high
    fitted = falling_fit(np.array([1.0, 3.0, 2.0, 0.0]), np.ones(4))
    np.testing.assert_allclose(fitted, [2.0, 2.0, 2.0, 0.0])


def test_effects_without_a_model():
    draw = np.random.default_rng(3)
    x = draw.normal(size=4_000)
    treated = draw.random(4_000) < 0.5
    outcome = 2.0 * x + 0.5 * treated + draw.normal(size=4_000)
    plain = plain_effect(outcome, treated, ~treated)
    adjusted = adjusted_effect(outcome, treated, ~treated, x[:, None])
    for found in (plain, adjusted):
        assert found.low < 0.5 < found.high
    assert adjusted.standard_error < 0.5 * plain.standard_error
    segments = np.where(x > 0, "high", "low")
    by = effects_by_segment(outcome, treated, ~treated, segments, column="x")
    assert by.levels == ("high", "low")
    assert 0 <= by.p_value <= 1
    with pytest.raises(PayoffError, match="too many"):
        effects_by_segment(outcome, treated, ~treated, np.arange(4_000), column="id")


def test_size_of_the_next_test():
    # two means, 5 % two-sided, power 80 %: 2 x 15.70 x 2 x variance / effect^2
    assert next_test_size(0.01, (0.1, 0.1)) == 31_396
    with pytest.raises(PayoffError, match="endless"):
        next_test_size(0.0, (0.1, 0.1))


def test_slices_of_one_outcome_have_no_error_and_not_an_undefined_one():
    """The variance of equal outcomes is rounded to a little above or below 0."""
    treated = np.tile([0, 1], 60)
    score = np.random.default_rng(1).permutation(120).astype(float)
    made = make_experiment(np.full(120, 0.1), treated)
    found = slices_of(UpliftRanking(made, score), 5)
    assert found.standard_error == pytest.approx(np.zeros(5), abs=1e-8)
    assert found.weighted_error == pytest.approx(0.0, abs=1e-8)


def test_known_effects_and_rate():
    assert pehe(np.array([1.0, 2.0]), np.array([1.0, 4.0])) == (2.0, math.sqrt(2.0))
    experiment, score = random_experiment(20_000, 2, 0.5)
    assert rate_of(UpliftRanking(experiment, score)) > rate_of(UpliftRanking(experiment, -score))
    assert math.isnan(uplift_at(golden_ranking("a01_authors_50_50"), 0.1))


@pytest.mark.parametrize("nu", [0.0, 0.3])
def test_what_a_depth_gains_is_read_off_the_curve_that_is_drawn(nu):
    experiment, score = random_experiment(3_000, 8)
    ranking, prices = UpliftRanking(experiment, score), Prices(value=10, contact=0.6)
    found = choose_depth(ranking, prices, nu=nu)
    curve = generalised_curve(ranking, nu)
    assert found.incremental == pytest.approx(3_000 * curve.y[curve.count == found.targeted][0])
    axis = price_axis([ranking], prices, np.array([0.6]), [nu])
    assert axis.gain[0, 0] == pytest.approx(found.gain)


@pytest.mark.parametrize("nu", [0.0, 0.3])
def test_the_error_of_the_cross_fitted_gain_is_that_of_two_halves(nu):
    """Each half's gain at the other's depth, by the plain formula of two means."""
    experiment, score = random_experiment(4_000, 9)
    ranking, prices = UpliftRanking(experiment, score), Prices(value=10, contact=0.6, redemption=1)
    found = choose_depth(ranking, prices, nu=nu)
    folds = np.empty(4_000, dtype=np.uint8)
    run_chunks(fill_folds, (20261, folds), 4_000)
    treated, outcome = experiment.treated > 0, experiment.outcome
    order = np.argsort(-score, kind="stable")
    places = np.empty(4_000, dtype=np.int64)
    places[order] = np.arange(4_000)
    total = variance = 0.0
    for own, other in ((0, 1), (1, 0)):
        gains = [_half(folds == own, k, places, treated, outcome, nu)[0] for k in range(4_001)]
        best = int(np.argmax(gains))
        gain, error = _half(folds == other, best, places, treated, outcome, nu)
        total, variance = total + gain, variance + error**2
    assert found.cross_fitted == pytest.approx(total)
    reach = 1.959963984540054 * math.sqrt(variance)
    assert found.cross_fitted_low == pytest.approx(total - reach, rel=1e-3)
    assert found.cross_fitted_high == pytest.approx(total + reach, rel=1e-3)


def _half(part, best, places, treated, outcome, nu):
    """Net gain of treating the best places of a part of the cases, and its standard error."""
    inside = places < best
    n = int(part.sum())
    up = np.where(inside, 10 * (outcome - nu) - outcome, 0.0)[part & treated]
    down = np.where(inside, 10 * (outcome - nu), 0.0)[part & ~treated]
    gain = n * (up.mean() - down.mean()) - 0.6 * int((inside & part).sum())
    return gain, n * math.sqrt(up.var() / len(up) + down.var() / len(down))


def test_the_tally_counts_only_checks_that_were_made():
    experiment, score = random_experiment(2_000, 11)
    plain = check_validity(experiment, {"u": UpliftRanking(experiment, score)})
    assert "The one check made passes." in plain.advice
    assert (
        "Not checked: the share against a plan, the treatment against the columns" in plain.advice
    )
    planned = check_validity(
        experiment,
        {"u": UpliftRanking(experiment, score)},
        columns={"x": np.random.default_rng(1).random(2_000)},
        foretold=Predictability(auc=0.51, low=0.48, high=0.54, p_value=0.3),
        planned_share=experiment.share,
    )
    assert "4 of 4 checks pass." in planned.advice
    assert "Not checked" not in planned.advice
    nothing = check_validity(experiment, {})
    assert nothing.advice == "Nothing was checked."
    failed = replace(planned.checks[0], state="warning")
    assert failed.is_test
    assert tally_of([failed]).startswith("The one check made does not pass.")
    assert nothing.state == "warning"


def test_one_of_two_tests_along_the_score_below_5_percent_is_not_unusual(monkeypatch):
    """A tick beside "runs test p = 0.037", and no word."""
    experiment, score = random_experiment(2_000, 11)
    monkeypatch.setattr("core.uplift.validity.runs_test", lambda ranking: 0.037)
    plain = check_validity(experiment, {"u": UpliftRanking(experiment, score)})
    found = checks_of(plain)["score"]
    assert found.state == "ok"
    assert "runs test p = 0.037" in found.detail
    assert "not unusual among 2 tests" in found.detail


# ------------------------------------------------------------ all checks together


def test_one_check_in_twenty_is_no_warning_but_stays_to_be_seen():
    experiment, score = random_experiment(2_000, 2, 0.5)
    draw = np.random.default_rng(0)
    for _ in range(200):
        column = draw.normal(size=2_000)
        found = checks_of(
            check_validity(
                experiment,
                {"x": UpliftRanking(experiment, score)},
                columns={"column": column},
                planned_share=experiment.share,
            )
        )["imbalance"]
        if 0.03 < found.p_value < 0.05:
            break
    assert found.state == "ok"
    assert found.adjusted > 0.05
    assert "by itself, not unusual among 3 checks" in found.detail


@pytest.mark.parametrize(("p_value", "state"), [(0.04, "ok"), (0.00036, "warning")])
def test_a_p_value_beside_an_interval_says_which_test_it_is_of(p_value, state):
    """The interval is of the AUC on unseen cases; the p-value of both learners, dealt anew."""
    experiment, score = random_experiment(400, 3)
    found = checks_of(
        check_validity(
            experiment,
            {"x": UpliftRanking(experiment, score)},
            columns={"x": score},
            foretold=Predictability(auc=0.614, low=0.498, high=0.730, p_value=p_value),
            planned_share=experiment.share,
        )
    )["predictable"]
    assert found.state == state
    assert found.value == "AUC 0.614 (0.498 to 0.730)"
    assert f"p = {p_value:g} of a permutation test of its own, not of this AUC" in found.detail


@pytest.mark.parametrize(
    ("share", "repeats"),
    [
        (0.5, 40),
        pytest.param(0.5, 120, marks=pytest.mark.soak),
        pytest.param(0.1, 120, marks=pytest.mark.soak),
    ],
)
def test_the_check_of_the_columns_keeps_its_level(share, repeats):
    """Cross-fitted chances would count the luck that two parts share twice (15 of 100 warned)."""
    draw, rows = np.random.default_rng(28), 240
    false = 0
    for repeat in range(repeats):
        x = np.column_stack([draw.normal(size=(rows, 3)), draw.exponential(size=rows) ** 3])
        treated = np.arange(rows) < max(20, share * rows)
        found = foretold(x, draw.permutation(treated), seed=repeat)
        false += found.p_value < 0.05
    assert 0.005 <= false / repeats <= 0.11


@pytest.mark.every_nth(2)
@pytest.mark.parametrize(
    "odds",
    [
        lambda x: 0.7 * x[:, 0],
        lambda x: 0.35 * x.sum(axis=1),
        lambda x: 0.8 * (x[:, 0] ** 2 - 1),
        lambda x: 1.5 * x[:, 0] * x[:, 1],
    ],
    ids=["one column", "a little of each", "curved", "two columns together"],
)
def test_what_decided_the_treatment_is_found_in_few_cases(odds):
    seen = 0
    for repeat in range(10):
        draw = np.random.default_rng(repeat)
        x = draw.normal(size=(375, 4))
        treated = draw.random(375) < 1 / (1 + np.exp(-odds(x)))
        found = foretold(x, treated, seed=repeat)
        seen += found.p_value < 0.01
    assert seen >= 8


def test_the_check_of_the_columns_is_the_same_each_time_and_asks_for_enough_cases():
    draw = np.random.default_rng(3)
    x, treated = draw.normal(size=(500, 3)), draw.random(500) < 0.3
    assert foretold(x, treated, seed=7) == foretold(x, treated, seed=7)
    assert foretold(x, treated, seed=7) == foretold(1e250 * x, treated, seed=7)
    assert foretold(x[:45], treated[:45]) is None  # too few of them treated
    assert foretold(np.ones((500, 2)), treated) is None
    wide = foretold(draw.normal(size=(500, 700)), treated)
    assert wide is not None
    assert wide.p_value > 0.001


def test_cases_of_the_check_are_counted_and_sampled_rows_are_not():
    draw = np.random.default_rng(4)
    treated, weight = draw.random(3_000) < 0.5, draw.integers(1, 4, 3_000).astype(float)
    outcome = np.zeros(3_000)
    counted = case_sample(make_experiment(outcome, treated, weight=weight), 1)
    assert np.array_equal(counted.places, np.repeat(np.arange(3_000), weight.astype(int)))
    many = case_sample(make_experiment(outcome, treated, weight=10 * weight), 1)
    assert len(many.places) == 10_000
    assert np.corrcoef(np.bincount(many.places, minlength=3_000), weight)[0, 1] > 0.5
    sampled = case_sample(make_experiment(outcome, treated, weight=weight, is_sampled=True), 1)
    assert np.array_equal(sampled.places, np.arange(3_000))
    assert sampled.weight.mean() == pytest.approx(1)
    assert make_experiment(outcome, treated, weight=weight + 0.5).is_sampled


def test_tails_follow_the_dealings():
    draw = np.random.default_rng(5)
    for values in (draw.gamma(3.0, size=4_001), draw.normal(size=4_001)):
        found = tails(values)[1:]
        for level in (0.01, 0.05, 0.5):
            assert np.mean(found < level) == pytest.approx(level, abs=4 * (level / 4_000) ** 0.5)
    np.testing.assert_array_equal(tails(np.ones(10)), 1.0)


def test_sampling_weights_are_no_cases_to_the_checks():
    """A row that stands for forty is one case that was seen; taken as forty, fair ones warned."""
    add_warning = [0, 0]
    for repeat in range(40):
        draw = np.random.default_rng(repeat)
        treated, score = draw.random(600) < 0.5, draw.normal(size=600)
        weight = np.where(draw.random(600) < 0.2, 40.0, 4.0)
        columns = {"x": draw.normal(size=600), "z": draw.normal(size=600)}
        for place, is_sampled in enumerate((False, True)):
            made = make_experiment(
                np.zeros(600), treated, weight=weight, is_sampled=is_sampled
            ).at_effective_size()
            rankings = {"s": UpliftRanking(made, score)}
            found = check_validity(made, rankings, columns=columns, planned_share=0.5)
            add_warning[place] += found.state != "ok"
    assert add_warning[0] > 25
    assert add_warning[1] <= 5


def test_what_intervals_make_of_sampling_weights_is_said():
    draw = np.random.default_rng(1)
    treated, weight = draw.random(400) < 0.5, draw.choice([1.0, 9.0], 400)

    def said(cases: Experiment) -> tuple[str, ...]:
        return narrow_intervals(cases.widening, cases.total, len(cases), "w")

    counted = make_experiment(np.zeros(400), treated, weight=weight)
    assert said(counted) == ()
    sampled = make_experiment(np.zeros(400), treated, weight=weight, is_sampled=True)
    (words,) = said(sampled)
    assert f"too narrow, by about {sampled.widening:.2f}" in words
    effective = weight.sum() ** 2 / (weight**2).sum()
    assert sampled.at_effective_size().total == pytest.approx(effective)
    small = make_experiment(np.zeros(400), treated, weight=weight / 1_000)
    assert "too wide" in said(small)[0]
