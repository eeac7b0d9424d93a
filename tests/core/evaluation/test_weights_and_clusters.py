"""Frequency weights, clusters, exact limits and tests, several models, bands of whole curves."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import beta, binomtest

import payoff
from core.evaluation import EvaluationRequest, assess
from core.evaluation.charts.plugin_curves import simultaneous_limits
from core.inference.intervals import (
    clopper_pearson,
    holm_p_values,
    mcnemar_p_value,
)
from payoff import PayoffError
from tests.core.evaluation.weights_and_clusters import estimates
from tests.helpers.factories.evaluation import METRICS, binary_problem, made_cases, request

BIRTHS = json.loads(
    (Path(__file__).parents[2] / "golden" / "metrics" / "birthweight.json").read_text("utf-8")
)
METRICS_OF_ROWS = ["auc", "ks", "average_precision", "brier", "accuracy", "mcc", "recall"]


def test_frequency_weights_are_repeated_rows():
    outcome, probability = made_cases(300, 4)
    times = np.random.default_rng(5).integers(1, 4, 300)
    settings = {"resamples": 200, "row_numbers": np.arange(1, 301)}
    weighted = binary_problem(
        outcome,
        {"m": probability},
        METRICS_OF_ROWS,
        frequency=times.astype(float),
        weight_kind="frequency",
        **settings,
    )
    alone = binary_problem(
        np.repeat(outcome, times),
        {"m": np.repeat(probability, times)},
        METRICS_OF_ROWS,
        resamples=200,
    )
    sampled = replace(weighted, weight_kind="sampling")
    ours, rows, robust = estimates(weighted), estimates(alone), estimates(sampled)
    for metric in ("auc", "brier", "accuracy", "recall"):  # analytic: the same to the last digit
        for part in ("value", "low", "high"):
            assert getattr(ours[metric], part) == pytest.approx(getattr(rows[metric], part))
    for metric in METRICS_OF_ROWS:
        assert ours[metric].value == pytest.approx(robust[metric].value, abs=1e-12)
        assert ours[metric].high - ours[metric].low < robust[metric].high - robust[metric].low
    shuffle = np.random.default_rng(6).permutation(300)
    moved = replace(
        weighted,
        outcome=weighted.outcome[shuffle],
        models=tuple(replace(m, posteriors=m.posteriors[:, shuffle]) for m in weighted.models),
        frequency=weighted.frequency[shuffle],
        row_numbers=weighted.row_numbers[shuffle],
    )
    for metric, estimate in estimates(moved).items():
        assert estimate.low == pytest.approx(ours[metric].low, rel=1e-9)


def test_frequency_weights_must_be_whole():
    outcome, probability = made_cases(50, 4)
    problem = binary_problem(
        outcome, {"m": probability}, ["auc"], frequency=np.full(50, 1.5), weight_kind="frequency"
    )
    with pytest.raises(PayoffError, match=r"weight 1\.5 cannot be a number of rows"):
        assess(problem)
    with pytest.raises(PayoffError, match="no kind of weights 'odd'"):
        assess(replace(problem, weight_kind="odd"))


def test_a_cluster_is_one_draw():
    """Every case four times in one cluster: intervals are those of the cases alone."""
    outcome, probability = made_cases(400, 7)
    four = np.repeat(np.arange(400), 4)
    metrics = ["auc", "brier", "accuracy", "average_precision", "mcc"]
    alone = binary_problem(outcome, {"m": probability}, metrics, resamples=200)
    problem = binary_problem(outcome[four], {"m": probability[four]}, metrics, resamples=200)
    blind = estimates(problem)
    by_cluster = estimates(replace(problem, cluster=np.array([f"c{k:04d}" for k in four])))
    for metric, wanted in estimates(alone).items():
        found = by_cluster[metric]
        assert found.value == pytest.approx(wanted.value, abs=1e-12)
        width = wanted.high - wanted.low
        assert found.high - found.low == pytest.approx(width, rel=0.1), metric
        assert blind[metric].high - blind[metric].low < 0.65 * width, metric
    assert by_cluster["auc"].method == "DeLong, by cluster"
    drawn = by_cluster["average_precision"].method
    assert drawn == "Poisson bootstrap, 200 draws, by 400 clusters"
    few = assess(replace(problem, cluster=four % 7))
    assert any("Only 7 clusters" in warning for warning in few.warnings)


def test_exact_limits_of_shares():
    wanted, low, high = BIRTHS["binom_5_of_17"]
    assert clopper_pearson(5, 17) == pytest.approx((low, high), abs=1e-12)
    assert mcnemar_p_value(5, 12) == pytest.approx(wanted, abs=1e-12)
    assert clopper_pearson(0, 20) == (0.0, pytest.approx(beta.ppf(0.975, 1, 20)))
    assert clopper_pearson(20, 20)[1] == 1.0
    assert mcnemar_p_value(0, 0) == 1.0
    outcome, probability = made_cases(200, 8)
    found = estimates(
        binary_problem(outcome, {"m": probability}, [request("precision", threshold=0.2)])
    )
    says = probability >= 0.2
    peer = binomtest(int(outcome[says].sum()), int(says.sum())).proportion_ci()
    estimate = found["precision(threshold=0.2)"]
    assert (estimate.low, estimate.high) == pytest.approx((peer.low, peer.high))
    assert estimate.method == "exact binomial"


def test_delong_and_its_paired_test_are_those_of_proc():
    low, weight = np.array(BIRTHS["low"]), -np.array(BIRTHS["lwt"], float)
    weight = (weight - weight.min()) / np.ptp(weight)
    problem = binary_problem(low, {"glm": np.array(BIRTHS["chance"]), "lwt": weight}, ["auc"])
    evaluation = EvaluationRequest(problem)
    estimate = evaluation.result.cells[0].estimate
    assert estimate.value == pytest.approx(BIRTHS["auc"], abs=1e-12)
    limits = pytest.approx(BIRTHS["auc_interval"], abs=1e-10)
    assert [estimate.low, estimate.high] == limits
    pair = evaluation.compare("glm", "lwt", "auc")
    assert pair.p_value == pytest.approx(BIRTHS["delong_p"], abs=1e-10)


def test_mcnemar_judges_accuracies_of_the_same_cases():
    outcome, first, second = made_cases(300, 9, (0.2, 1.5))
    evaluation = EvaluationRequest(
        binary_problem(outcome, {"a": first, "b": second}, ["accuracy", "precision", "recall"])
    )
    right = [(probability >= 0.5) == (outcome == 1) for probability in (first, second)]
    only = int((right[0] & ~right[1]).sum()), int((right[1] & ~right[0]).sum())
    pair = evaluation.compare("a", "b", "accuracy")
    assert pair.p_value == pytest.approx(binomtest(min(only), sum(only)).pvalue, abs=1e-12)
    assert "McNemar, exact" in pair.estimate.method
    assert "McNemar" in evaluation.compare("a", "b", "recall").estimate.method
    assert "McNemar" not in evaluation.compare("a", "b", "precision").estimate.method


def test_many_comparisons_are_adjusted_as_r_does():
    found = holm_p_values(np.array(BIRTHS["holm"]["p"]))
    np.testing.assert_allclose(found, BIRTHS["holm"]["adjusted"], atol=1e-12)
    assert np.isnan(holm_p_values(np.array([np.nan, 0.5]))[0])
    outcome, *probabilities = made_cases(400, 10, (0.2, 0.8, 1.5))
    names = dict(zip("abc", probabilities, strict=True))
    evaluation = EvaluationRequest(binary_problem(outcome, names, ["auc"]))
    pairs = evaluation.compare_all("auc")
    assert [(pair.first, pair.second) for pair in pairs] == [("a", "b"), ("a", "c"), ("b", "c")]
    wanted = holm_p_values(np.array([pair.p_value for pair in pairs]))
    np.testing.assert_allclose([pair.p_adjusted for pair in pairs], wanted)
    shown = evaluation.result.comparisons
    assert all(pair.p_adjusted >= pair.p_value for pair in shown)


def test_a_whole_band_holds_the_whole_curve():
    outcome, probability = made_cases(2_000, 11)
    problem = binary_problem(outcome, {"m": probability}, ["auc"], resamples=200)
    evaluation = EvaluationRequest(problem)
    for name in ("roc", "gains", "lift"):
        curve = evaluation.curve(name, "m")
        inside = slice(50, -50)
        assert (curve.whole_low[inside] <= curve.y[inside]).all()
        wide = curve.whole_high[inside] - curve.whole_low[inside]
        assert (wide >= 0.99 * (curve.high - curve.low)[inside]).mean() > 0.97
    assert len(evaluation.curve("precision_recall", "m").whole_low) == 0


def test_simultaneous_limits_hold_95_of_100_drawn_curves():
    random = np.random.default_rng(1)
    walks = 0.5 + random.normal(0, 0.01, (2_000, 30)).cumsum(axis=1)
    low, high = simultaneous_limits(walks.astype(np.float32), walks.mean(axis=0))
    inside = ((walks >= low - 1e-6) & (walks <= high + 1e-6)).all(axis=1)
    assert inside.mean() == pytest.approx(0.95, abs=0.002)


def test_a_metric_of_its_own_gets_clusters_and_remarks():
    own = payoff.EvaluationMetric(
        id="mean_chance",
        label="Mean chance",
        help="Mean chance.",
        formula="mean",
        reference="",
        direction=payoff.Direction.NONE,
        inputs=(payoff.Input.PROBABILITY,),
        tasks=(payoff.Task.BINARY,),
        form=payoff.MetricForm.GENERAL,
        compute=lambda s, p: float(np.average(s.score, weights=s.weight)),
        remark=lambda s, p: f"{len(s)} cases",
    )
    outcome, probability = made_cases(200, 12)
    problem = binary_problem(
        outcome, {"m": probability}, [request(own)], resamples=200, cluster=np.arange(200) // 2
    )
    estimate = estimates(problem)["mean_chance"]
    assert estimate.note == "200 cases"
    assert "by 100 clusters" in estimate.method
    assert estimate.low < estimate.value < estimate.high


def test_statistics_of_fit_are_not_weighted_to_priors():
    outcome, probability = made_cases(2_000, 13)
    metrics = ["calibration_error", "mcc", "brier_reliability", "h_measure", "net_benefit"]
    plain = estimates(binary_problem(outcome, {"m": probability}, metrics))
    prior = np.array([0.02, 0.98])
    weighted = estimates(binary_problem(outcome, {"m": probability}, metrics, priors=prior))
    for metric in metrics[:3]:
        assert weighted[metric].value == pytest.approx(plain[metric].value, abs=1e-12)
    for metric in metrics[3:]:
        assert abs(weighted[metric].value - plain[metric].value) > 1e-4
    assert METRICS["mcc"].prior_weighted is False
