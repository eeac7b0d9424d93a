"""Charts beyond the usual five: each against plain arithmetic, scikit-learn or a hand count."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from sklearn.calibration import calibration_curve as sklearn_calibration
from sklearn.metrics import ndcg_score

from core.document.compare.chart_kinds import CHART_KINDS, CHART_WORDS, CONVENTIONS, kinds_of
from core.evaluation import DEPTH_GRID, EvaluationProblem, JudgedScores, assess
from payoff import Sample, Task
from payoff.follow_up import Followed, auc_by_time, kaplan_meier, times_of_events
from plugins.curves.survival import time_auc
from tests.helpers.factories.evaluation import (
    CURVES,
    binary_model,
    binary_problem,
    made_cases,
    note,
)

GOLDEN = Path(__file__).parents[2] / "golden"
BINARY = tuple(entry.kind for entry in kinds_of("binary"))


def charts_of(problem, *kinds, convention="payoff"):
    result = assess(replace(problem, charts=kinds, convention=convention))
    return {chart.kind: chart for chart in result.charts}


def line(chart, model="m", name=""):
    return next(c for c in chart.curves if (c.model, c.name) == (model, name))


@pytest.fixture(scope="module")
def cases():
    outcome, probability = made_cases(3_000, 21)
    return outcome, probability


@pytest.fixture(scope="module")
def charts(cases):
    outcome, probability = cases
    problem = binary_problem(outcome, {"m": probability}, [], resamples=200)
    return charts_of(problem, *BINARY)


def best(cases, depth):
    """Outcomes of the best share of the cases; no scores tie."""
    outcome, probability = cases
    return outcome[np.argsort(-probability)][: round(depth * len(outcome))]


def test_every_kind_of_classes_but_money_is_drawn_and_explained(charts):
    drawn = [entry for entry in CHART_KINDS if "binary" in entry.tasks and not entry.needs_money]
    for entry in drawn:
        chart = charts[entry.kind]
        assert chart.definition, entry.kind
        assert any(curve.model == "m" for curve in chart.curves), entry.kind
        assert all(len(curve.x) <= 2_001 for curve in chart.curves), "not thinned for the screen"


@pytest.mark.parametrize("depth", [0.05, 0.2, 0.7, 1.0])
def test_response_and_precision_count_the_best(cases, charts, depth):
    share = best(cases, depth).mean()
    response = line(charts["response"])
    assert np.interp(depth, response.x, response.y) == pytest.approx(share, abs=1e-12)
    recall = best(cases, depth).sum() / cases[0].sum()
    precision = line(charts["precision_recall"])
    place = int(np.argmin(np.abs(precision.x - recall)))
    assert precision.y[place] == pytest.approx(share, abs=2e-3)
    assert (response.low <= response.y + 1e-12).all()
    assert (response.y <= response.high + 1e-12).all()


def test_ks_is_found_less_false_alarms(cases, charts):
    outcome, _ = cases
    curve = line(charts["ks"])
    found = best(cases, 0.3).sum() / outcome.sum()
    alarms = (1 - best(cases, 0.3)).sum() / (1 - outcome).sum()
    assert np.interp(0.3, curve.x, curve.y) == pytest.approx(found - alarms, abs=1e-12)
    inside = (curve.low <= curve.y + 1e-3) & (curve.y <= curve.high + 1e-3)
    assert inside.mean() > 0.97
    assert "furthest apart" in charts["ks"].notes[0]


def test_lorenz_is_the_gains_from_the_other_end(charts):
    gains, lorenz = line(charts["gains"]), line(charts["lorenz"])
    np.testing.assert_allclose(
        np.interp(1.0 - lorenz.x, gains.x, gains.y), 1.0 - lorenz.y, atol=1e-9
    )
    assert (np.diff(lorenz.x) > 0).all()


def test_cut_offs_are_counted(cases, charts):
    outcome, probability = cases
    for at in (40, 150, 300):
        lines = {c.name: c for c in charts["threshold"].curves}
        threshold = lines["sensitivity"].x[at]
        acted = probability >= threshold
        found, alarms = (acted & (outcome == 1)).sum(), (acted & (outcome == 0)).sum()
        sensitivity, precision = found / outcome.sum(), found / max(1, acted.sum())
        assert lines["sensitivity"].y[at] == pytest.approx(sensitivity)
        assert lines["specificity"].y[at] == pytest.approx(1 - alarms / (1 - outcome).sum())
        assert lines["precision"].y[at] == pytest.approx(precision)
        f1 = 2 * precision * sensitivity / (precision + sensitivity)
        assert lines["F1"].y[at] == pytest.approx(f1)
        benefit = line(charts["net_benefit"])
        odds = threshold / (1 - threshold)
        assert benefit.x[at] == threshold
        assert benefit.y[at] == pytest.approx((found - alarms * odds) / len(outcome))


def test_cost_at_equal_weights_is_what_ks_leaves(charts):
    curve, ks = line(charts["cost"]), line(charts["ks"])
    assert curve.y[100] == pytest.approx((1 - ks.y.max()) / 2, abs=1e-12)
    assert (curve.y <= np.minimum(curve.x, 1 - curve.x) + 1e-12).all()


def test_row_order_and_weights_change_nothing(cases):
    outcome, probability = cases
    probability = np.round(probability, 2)
    kinds = [kind for kind in BINARY if kind not in ("profit", "roi", "smooth_calibration")]
    plain = charts_of(binary_problem(outcome, {"m": probability}, []), *kinds)
    shuffle = np.random.default_rng(3).permutation(len(outcome))
    moved = charts_of(binary_problem(outcome[shuffle], {"m": probability[shuffle]}, []), *kinds)
    twice = np.where(np.arange(len(outcome)) % 3 == 0, 2.0, 1.0)
    repeat = np.repeat(np.arange(len(outcome)), twice.astype(int))
    weighted = charts_of(binary_problem(outcome, {"m": probability}, [], frequency=twice), *kinds)
    repeated = charts_of(binary_problem(outcome[repeat], {"m": probability[repeat]}, []), *kinds)
    for first, second in ((plain, moved), (weighted, repeated)):
        for kind in first:
            if kind == "calibration" and first is weighted:
                continue  # its number of groups counts rows
            for ours, theirs in zip(first[kind].curves, second[kind].curves, strict=True):
                np.testing.assert_allclose(ours.y, theirs.y, atol=1e-9, err_msg=kind)


def test_smooth_calibration_bears_a_rare_event():
    """Chances crowded at one end made whole Newton steps overshoot without end."""
    rng = np.random.default_rng(4)
    probability = np.clip(rng.beta(0.3, 9.0, 6_000), 1e-4, 0.95)
    outcome = (rng.random(6_000) < probability).astype(int)
    charts = charts_of(binary_problem(outcome, {"m": probability}, []), "smooth_calibration")
    curve = line(charts["smooth_calibration"])
    inner = curve.x < 0.3
    assert np.abs(curve.y - curve.x)[inner].max() < 0.08


# ---------------------------------------------------------------- conventions


def test_calibration_as_scikit_learn(cases):
    outcome, probability = cases
    problem = binary_problem(outcome, {"m": probability}, [])
    chart = charts_of(problem, convention="scikit-learn")["calibration"]
    share, mean = sklearn_calibration(outcome, probability, n_bins=5)
    np.testing.assert_allclose(line(chart).x, mean)
    np.testing.assert_allclose(line(chart).y, share)
    assert "equal width" in chart.variant


def test_calibration_as_r_cuts_at_quantiles_of_type_7(cases):
    outcome, probability = cases
    chart = charts_of(binary_problem(outcome, {"m": probability}, []), convention="r")[
        "calibration"
    ]
    edges = np.quantile(probability, np.arange(1, 10) / 10)
    group = np.searchsorted(edges, probability, side="left")
    np.testing.assert_allclose(line(chart).y, [outcome[group == k].mean() for k in range(10)])


def test_charts_as_sas_em_are_read_at_20_depths(cases):
    outcome, probability = cases
    problem = binary_problem(outcome, {"m": probability}, [], resamples=64)
    ours = charts_of(problem, "response", "ks")
    theirs = charts_of(problem, "response", "ks", convention="sas_em")
    for kind, number in (("gains", 21), ("lift", 20), ("response", 20), ("ks", 21)):
        curve = line(theirs[kind])
        assert len(curve.x) == number
        np.testing.assert_allclose(
            curve.y, np.interp(curve.x, line(ours[kind]).x, line(ours[kind]).y), atol=1e-12
        )
    assert line(theirs["ks"]).y.max() <= line(ours["ks"]).y.max()


def test_every_difference_of_definition_names_its_cause():
    keys = {key for key, _ in CONVENTIONS}
    for (convention, kind), (name, cause) in CHART_WORDS.items():
        assert convention in keys
        assert kind in BINARY
        assert name
        assert cause.startswith("As ")


# ---------------------------------------------------------------- numbers


def number_problem(outcome, prediction, *kinds, kind="regression", **settings):
    return EvaluationProblem(
        kind=kind,
        models=(JudgedScores(name="m", prediction=np.asarray(prediction, dtype=float)),),
        metrics=(),
        rows=note(len(outcome)),
        target=np.asarray(outcome, dtype=float),
        resamples=0,
        charts=kinds,
        curves=CURVES,
        **settings,
    )


@pytest.fixture(scope="module")
def amounts():
    rng = np.random.default_rng(8)
    prediction = rng.gamma(3.0, 20.0, 2_000)
    return prediction * rng.gamma(20.0, 0.05, 2_000), prediction


def test_predicted_against_observed_and_residuals(amounts):
    outcome, prediction = amounts
    result = assess(number_problem(outcome, prediction, "predicted_observed", "residuals"))
    charts = {chart.kind: chart for chart in result.charts}
    parts = np.array_split(np.argsort(prediction), 20)
    curve = line(charts["predicted_observed"])
    np.testing.assert_allclose(curve.x, [prediction[part].mean() for part in parts])
    np.testing.assert_allclose(curve.y, [outcome[part].mean() for part in parts])
    assert ((curve.low <= curve.x) & (curve.x <= curve.high)).mean() >= 0.8
    left = line(charts["residuals"])
    assert left.y[3] == pytest.approx(np.median((outcome - prediction)[parts[3]]))
    assert (left.low < left.y).all()


def test_shares_of_errors_and_of_outcomes_below(amounts):
    outcome, prediction = amounts
    result = assess(number_problem(outcome, prediction, "error_share", "quantile_calibration"))
    charts = {chart.kind: chart for chart in result.charts}
    errors = line(charts["error_share"])
    assert errors.y[100] == (np.abs(outcome - prediction) <= errors.x[100]).mean()
    below = line(charts["quantile_calibration"])
    parts = np.array_split(np.argsort(prediction), 20)
    assert below.y[-1] == pytest.approx((outcome <= prediction)[parts[0]].mean())
    assert (np.diff(below.x) > 0).all()


def test_amounts_are_read_at_the_depth_of_the_cursor(amounts):
    outcome, prediction = amounts
    weight = np.ones(len(outcome))
    weight[np.argsort(-prediction)[:200]] = 3.0
    result = assess(number_problem(outcome, prediction, "residuals", frequency=weight))
    (depths,) = result.depths
    at = int(np.searchsorted(depths.depth, 0.25))
    assert depths.class_share.shape == (0, len(DEPTH_GRID))
    # 600 of 2,400 are the weight of the 200 highest predictions
    assert depths.cases[at] == pytest.approx(200.0)
    assert depths.threshold[at] == np.sort(prediction)[-200]
    assert (np.diff(depths.threshold) <= 0).all()
    assert depths.cases[-1] == len(outcome)


def test_lorenz_of_amounts(amounts):
    outcome, prediction = amounts
    (chart,) = assess(number_problem(outcome, prediction, "lorenz")).charts
    order = np.argsort(prediction)
    half = outcome[order][:1_000].sum() / outcome.sum()
    assert np.interp(0.5, line(chart).x, line(chart).y) == pytest.approx(half)
    (refused,) = assess(number_problem(-outcome, prediction, "lorenz")).charts
    assert refused.curves == ()
    assert "An outcome is below 0" in refused.notes[0]


# ---------------------------------------------------------------- lists and survival


def test_places_of_lists_against_scikit_learn():
    rng = np.random.default_rng(9)
    lists = np.repeat(np.arange(40), 12)
    grade = rng.integers(0, 4, 480).astype(float)
    score = np.round(rng.normal(size=480) + 0.4 * grade, 1)  # some tie
    problem = number_problem(
        grade,
        score,
        "ndcg_at",
        "precision_at",
        "recall_at",
        kind="ranking",
        extras={"group": lists},
    )
    charts = {chart.kind: chart for chart in assess(problem).charts}
    for places in (1, 5, 12):
        theirs = ndcg_score(grade.reshape(40, 12), score.reshape(40, 12), k=places)
        assert line(charts["ndcg_at"]).y[places - 1] == pytest.approx(theirs, abs=1e-12)
    assert line(charts["recall_at"]).y[-1] == pytest.approx(1.0)
    hits = (grade > 0).reshape(40, 12).mean(axis=1).mean()
    assert line(charts["precision_at"]).y[-1] == pytest.approx(hits)


def test_kaplan_meier_of_a_published_example():
    """Gehan's leukaemia trial, 6-MP arm: R survfit and every textbook give these shares."""
    time = [6, 6, 6, 6, 7, 9, 10, 10, 11, 13, 16, 17, 19, 20, 22, 23, 25, 32, 32, 34, 35]
    seen = [1, 1, 1, 0, 1, 0, 1, 0, 0, 1, 1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0]
    number = len(time)
    cases = Followed(np.array(time, float), np.array(seen) > 0, np.zeros(number), np.ones(number))
    curve = kaplan_meier(cases)
    np.testing.assert_array_equal(curve.time, [6, 7, 10, 13, 16, 22, 23])
    np.testing.assert_allclose(
        curve.share,
        [0.857142857, 0.806722689, 0.752941176, 0.690196078, 0.627450980, 0.537815126, 0.448179272],
        atol=1e-9,
    )
    error = curve.share * np.sqrt(curve.greenwood)
    np.testing.assert_allclose(error[[0, 6]], [0.0763603548, 0.134590787], atol=1e-6)


def test_auc_by_time_without_censoring_counts_pairs():
    rng = np.random.default_rng(10)
    risk = np.round(rng.normal(size=200), 1)
    time = rng.exponential(np.exp(-risk))
    cases = Followed(time, np.ones(200, bool), np.zeros(200), np.ones(200))
    at = float(np.median(time))
    early, late = risk[time <= at], risk[time > at]
    wins = (early[:, None] > late).sum() + 0.5 * (early[:, None] == late).sum()
    found = auc_by_time(cases, risk, np.array([at]))
    assert found[0] == pytest.approx(wins / (len(early) * len(late)))


def test_survival_charts_are_drawn_for_every_model():
    rng = np.random.default_rng(11)
    risk = rng.normal(size=400)
    time = np.round(rng.exponential(np.exp(-risk)) + 0.01, 3)
    ends = rng.exponential(2.0, 400) + 0.01
    event = (time <= ends).astype(float)
    problem = number_problem(
        np.minimum(time, ends),
        risk,
        "survival_groups",
        "time_auc",
        "risk_calibration",
        kind="survival",
        extras={"event": event, "entry": np.zeros(400)},
    )
    charts = {chart.kind: chart for chart in assess(problem).charts}
    low, high = (
        line(charts["survival_groups"], name=f"{word} third") for word in ("lowest", "highest")
    )
    assert low.y[150] > high.y[150]
    assert (line(charts["time_auc"]).y > 0.6).all()
    assert line(charts["risk_calibration"]).y[0] > line(charts["risk_calibration"]).y[-1]


def test_scores_without_chances_are_named_where_chances_are_needed(cases):
    outcome, probability = cases
    model = replace(binary_model("points", probability), has_probabilities=False)
    problem = replace(binary_problem(outcome, {"m": probability}, []), models=(model,))
    charts = charts_of(problem, "threshold", "net_benefit", "smooth_calibration", "response")
    for kind in ("threshold", "net_benefit", "smooth_calibration"):
        assert "points: a score without chances" in charts[kind].notes[0]
    assert line(charts["response"], "points").y[-1] == pytest.approx(outcome.mean())
    assert len(DEPTH_GRID) == 1_001


@pytest.fixture(scope="module")
def crossing():
    return json.loads((GOLDEN / "survival" / "crossing.json").read_text("utf-8"))


def probabilities_of(crossing, times):
    """Chances of Weibull curves of two shapes, which cross, as roles at some times."""
    scale, shape = np.array(crossing["scale"]), np.array(crossing["shape"])
    return {f"survival {float(t)!r}": np.exp(-((t / scale) ** shape)) for t in times}


def test_auc_by_time_ranks_by_own_chances_where_curves_cross(crossing):
    """scikit-survival with an estimate for each time; the risk of the last time ranks otherwise."""
    times = np.array(crossing["times"])
    roles = {name: np.array(crossing[name]) for name in ("time", "event")}
    own = probabilities_of(crossing, times)
    last = 1.0 - own[f"survival {float(times[-1])!r}"]

    def area(**more):
        sample = Sample(
            roles["time"], prediction=last[np.newaxis], task=Task.SURVIVAL, roles={**roles, **more}
        )
        return time_auc(sample, {}, times).y

    np.testing.assert_allclose(area(**own), crossing["auc"], atol=1e-9)
    np.testing.assert_allclose(area(), crossing["auc_by_last"], atol=1e-9)
    between = {role: own[role] for role in (f"survival {float(times[k])!r}" for k in (0, 2, 5))}
    np.testing.assert_allclose(area(**between)[[0, 2, 5]], np.array(crossing["auc"])[[0, 2, 5]])
    assert np.abs(area(**between) - area(**own)).max() < 0.1  # not far off in between


def test_the_chart_reads_the_chances_that_models_bring(crossing):
    time, event = np.array(crossing["time"]), np.array(crossing["event"], dtype=float)
    problem = number_problem(
        time,
        -np.array(crossing["scale"]),
        "time_auc",
        kind="survival",
        extras={"event": event, "entry": np.zeros(len(time))},
    )
    at = times_of_events(Followed(time, event > 0, 0.0 * time, np.ones(len(time))), 60)
    own = JudgedScores(
        name="own", prediction=problem.models[0].prediction, extras=probabilities_of(crossing, at)
    )
    (chart,) = assess(replace(problem, models=(*problem.models, own))).charts
    np.testing.assert_allclose(line(chart, "own").x, at)
    gap = line(chart, "own").y - line(chart).y
    assert gap[0] > 0.1  # early, the shape says more than the scale
