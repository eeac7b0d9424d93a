from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from sklearn.metrics import precision_recall_curve, roc_curve

from core.evaluation import DEPTH_GRID, EvaluationRequest, assess
from payoff.errors import PayoffError
from payoff.groups import group_count
from tests.helpers.factories.evaluation import binary_model, binary_problem, made_cases


@pytest.fixture(scope="module")
def evaluation() -> EvaluationRequest:
    outcome, first, second = made_cases(4_000, 1, (0.2, 0.9))
    problem = binary_problem(
        outcome, {"good": first, "poor": second}, ["auc"], resamples=400, labels=("buys", "leaves")
    )
    return EvaluationRequest(problem)


def chart_of(evaluation, kind):
    return next(chart for chart in evaluation.result.charts if chart.kind == kind)


def curve_of(chart, model="good", name=""):
    return next(c for c in chart.curves if (c.model, c.name) == (model, name))


def test_there_are_five_charts_each_explained(evaluation):
    kinds = [chart.kind for chart in evaluation.result.charts]
    assert kinds == ["roc", "gains", "lift", "calibration", "score_distribution"]
    for chart in evaluation.result.charts:
        assert "'buys'" in chart.definition
        assert chart.variant
    assert "400 Poisson bootstrap draws" in chart_of(evaluation, "gains").definition


def test_depths_start_at_nothing_and_end_at_all(evaluation):
    assert evaluation.result.depths
    for depths in evaluation.result.depths:
        np.testing.assert_array_equal(depths.depth, DEPTH_GRID)
        np.testing.assert_allclose(depths.class_share[:, 0], 0.0)
        np.testing.assert_allclose(depths.class_share[:, -1], 1.0)
        assert depths.cases[-1] == 4_000
        assert (np.diff(depths.threshold) <= 0).all()
        assert depths.class_share.shape == (2, 1_001)


@pytest.mark.parametrize("kind", ["roc", "gains", "lift"])
def test_bands_hold_the_curve(evaluation, kind):
    curve = curve_of(chart_of(evaluation, kind))
    inside = (curve.low <= curve.y + 1e-6) & (curve.y <= curve.high + 1e-6)
    assert inside.mean() > 0.99
    assert (curve.high - curve.low)[100:900].min() > 0


def test_gains_band_has_the_width_of_theory(evaluation):
    """At a depth the share found varies like a share of the events, less what depth takes away."""
    curve = curve_of(chart_of(evaluation, "gains"), "poor")
    place, share = 200, curve_of(chart_of(evaluation, "gains"), "poor").y[200]
    problem = evaluation.problem
    events = int((problem.outcome == 0).sum())
    rate = events / problem.size
    slope = (curve.y[place + 25] - curve.y[place - 25]) / 0.05  # d share / d depth
    depth = 0.2
    # Influence of one case: (inside - share) / rate for events, less slope * (inside - depth).
    own = share * (1 - share)
    spread = own / rate - 2 * slope * own + slope**2 * depth * (1 - depth)
    expected = np.sqrt(spread / problem.size)
    assert (curve.high[place] - curve.low[place]) / (2 * 1.96) == pytest.approx(expected, rel=0.25)


def test_baselines(evaluation):
    gains = chart_of(evaluation, "gains")
    np.testing.assert_array_equal(curve_of(gains, "", "random").y, [0.0, 1.0])
    best = curve_of(gains, "", "best possible")
    share = (evaluation.problem.outcome == 0).mean()
    np.testing.assert_allclose(best.x, [0.0, share, 1.0])
    lift = curve_of(chart_of(evaluation, "lift"), "", "best possible")
    assert lift.y[0] == pytest.approx(1 / share)
    assert lift.y[-1] == pytest.approx(1.0)
    assert {c.name for c in chart_of(evaluation, "calibration").curves if not c.model} == {"exact"}


def test_lift_is_gain_over_depth(evaluation):
    gains = curve_of(chart_of(evaluation, "gains"))
    lift = curve_of(chart_of(evaluation, "lift"))
    np.testing.assert_allclose(lift.y * lift.x, gains.y[1:], atol=1e-12)
    assert lift.y[-1] == pytest.approx(1.0)


def test_calibration_groups_have_equal_size_and_the_right_means():
    outcome, probability = made_cases(1_000, 5)
    result = assess(binary_problem(outcome, {"m": probability}, []))
    curve = next(c for c in result.charts[3].curves if c.model == "m")
    assert len(curve.x) == group_count(1_000) == 20
    parts = np.array_split(np.argsort(probability), 20)
    np.testing.assert_allclose(curve.x, [probability[part].mean() for part in parts])
    np.testing.assert_allclose(curve.y, [outcome[part].mean() for part in parts])
    assert (curve.low <= curve.y).all()
    assert (curve.y <= curve.high).all()


def test_calibration_keeps_equal_chances_together():
    probability = np.repeat([0.1, 0.2, 0.9], [500, 300, 200])
    outcome = np.tile([1, 0], 500)
    result = assess(binary_problem(outcome, {"m": probability}, []))
    curve = next(c for c in result.charts[3].curves if c.model == "m")
    np.testing.assert_allclose(curve.x, [0.1, 0.2, 0.9])
    np.testing.assert_allclose(curve.y, [0.5, 0.5, 0.5])


def test_calibration_verdicts():
    rng = np.random.default_rng(7)
    probability = rng.uniform(0.02, 0.6, 8_000)
    outcome = (rng.random(8_000) < probability).astype(int)
    models = {
        "honest": probability,
        "shy": probability * 0.5,
        "bold": np.minimum(probability * 1.6, 1.0),
    }
    chart = assess(binary_problem(outcome, models, [])).charts[3]
    honest, shy, bold = chart.notes
    assert next(curve for curve in chart.curves if curve.model == "honest").alarms == ()
    assert "honest: the chances come true" in honest
    assert shy.startswith("shy: chances are too low")
    assert bold.startswith("bold: chances are too high")


def test_a_calibration_verdict_says_where_chances_are_too_high_as_well():
    """Once it said "elsewhere", of all other chances."""
    rng = np.random.default_rng(7)
    probability = rng.uniform(0.02, 0.6, 8_000)
    outcome = (rng.random(8_000) < probability).astype(int)
    shown = binary_problem(outcome, {"flat": 0.31 + 0.3 * (probability - 0.31)}, [])
    chart = assess(shown).charts[3]
    (flat,) = chart.notes
    low, _, high = flat.partition("; ")
    assert low.startswith("flat: chances are too low around 3")
    assert high.startswith("too high around 2")
    few = next(curve for curve in chart.curves if curve.model == "flat").alarms
    assert [words.partition(", ")[0] for words in few] == ["too low", "too high"]
    assert f"{low}; {high}" == f"flat: chances are {'; '.join(few)}.".replace(", ", " around ")


def test_score_distribution_sums_to_one_per_class(evaluation):
    chart = chart_of(evaluation, "score_distribution")
    assert {(c.model, c.name) for c in chart.curves} == {
        ("good", "yes"),
        ("good", "no"),
        ("poor", "yes"),
        ("poor", "no"),
    }
    for curve in chart.curves:
        assert curve.y.sum() == pytest.approx(1.0)
        np.testing.assert_allclose(np.diff(curve.x), curve.x[1] - curve.x[0])


def test_priors_weigh_charts_by_case():
    outcome, probability = made_cases(3_000, 7)
    priors = np.array([0.02, 0.98])
    problem = binary_problem(outcome, {"m": probability}, [], priors=priors, resamples=64)
    result = assess(problem)
    weight = np.where(outcome == 1, 0.02 / outcome.mean(), 0.98 / (1 - outcome.mean()))
    order = np.argsort(-probability)
    depth = np.concatenate([[0], np.cumsum(weight[order])]) / weight.sum()
    found = np.concatenate([[0], np.cumsum(outcome[order])]) / outcome.sum()
    np.testing.assert_allclose(
        result.charts[1].curves[0].y, np.interp(DEPTH_GRID, depth, found), atol=1e-12
    )
    assert "if 2.0\N{NO-BREAK SPACE}% are 'yes'" in result.charts[1].definition


def test_row_order_leaves_every_chart_unchanged():
    outcome, probability = made_cases(1_000, 8)
    probability = np.round(probability, 2)
    problem = binary_problem(outcome, {"m": probability}, [])
    shuffle = np.random.default_rng(9).permutation(1_000)
    moved = replace(
        problem, outcome=problem.outcome[shuffle], models=(binary_model("m", probability[shuffle]),)
    )
    for first, second in zip(assess(problem).charts, assess(moved).charts, strict=True):
        for ours, theirs in zip(first.curves, second.curves, strict=True):
            np.testing.assert_allclose(ours.x, theirs.x, atol=1e-12)
            np.testing.assert_allclose(ours.y, theirs.y, atol=1e-12)


# ---------------------------------------------------------------- full curves


def test_full_roc_has_every_point():
    outcome, probability = made_cases(800, 10)
    probability = np.round(probability, 2)
    evaluation = EvaluationRequest(binary_problem(outcome, {"m": probability}, [], resamples=64))
    curve = evaluation.curve("roc", "m")
    alarms, found, thresholds = roc_curve(outcome, probability, drop_intermediate=False)
    np.testing.assert_allclose(curve.x, alarms, atol=1e-12)
    np.testing.assert_allclose(curve.y, found, atol=1e-12)
    np.testing.assert_allclose(curve.threshold, thresholds)
    assert np.isfinite(curve.low).all()
    assert (curve.low <= curve.high).all()


def test_full_precision_recall_agrees_with_sklearn():
    outcome, probability = made_cases(800, 11)
    probability = np.round(probability, 2)
    curve = EvaluationRequest(binary_problem(outcome, {"m": probability}, [])).curve(
        "precision_recall", "m"
    )
    precision, recall, _ = precision_recall_curve(outcome, probability)
    np.testing.assert_allclose(curve.y[::-1], precision[:-1], atol=1e-12)
    np.testing.assert_allclose(curve.x[::-1], recall[:-1], atol=1e-12)
    assert np.isnan(curve.low).all()


def test_full_gains_and_lift_end_at_all(evaluation):
    gains, lift = evaluation.curve("gains", "good"), evaluation.curve("lift", "good")
    assert (gains.x[0], gains.y[0], gains.x[-1], gains.y[-1]) == (0.0, 0.0, 1.0, 1.0)
    assert lift.y[-1] == pytest.approx(1.0)
    assert len(gains.x) == 4_001
    np.testing.assert_array_equal(
        evaluation.curve("calibration", "good").x,
        curve_of(chart_of(evaluation, "calibration")).x,
    )


def test_unknown_curves_and_models_are_refused(evaluation):
    with pytest.raises(PayoffError, match="no curve 'x'"):
        evaluation.curve("x", "good")
    with pytest.raises(PayoffError, match="no model 'x'"):
        evaluation.curve("roc", "x")
