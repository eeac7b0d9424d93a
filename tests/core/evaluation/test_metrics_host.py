"""Values and intervals of built-in metrics, and cases that have none."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.metrics import accuracy_score, average_precision_score, log_loss, roc_auc_score

import payoff
from core.assembly.models.training_plan import refuse_one_class
from core.evaluation import (
    EvaluationRequest,
    assess,
)
from core.kernels import limited_threads
from payoff.errors import PayoffError
from tests.helpers.factories.evaluation import (
    METRICS,
    binary_model,
    binary_problem,
    cell_of,
    made_cases,
    request,
)

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "metrics.json").read_text())


@pytest.mark.parametrize("entry", GOLDEN["values"], ids=lambda e: f"{e['case']} {e['metric']}")
def test_golden_values(entry):
    case = GOLDEN["cases"][entry["case"]]
    wanted = request(entry["metric"], **entry.get("parameters", {}))
    problem = binary_problem(case["outcome"], {"m": np.array(case["score"])}, [wanted])
    assert cell_of(assess(problem), wanted.key).value == pytest.approx(entry["value"], abs=1e-9)


@pytest.mark.parametrize(
    ("name", "metric"), [("brier_docs", "brier"), ("log_loss_docs", "log_loss")]
)
def test_documented_values(name, metric):
    case = GOLDEN[name]
    problem = binary_problem(case["outcome"], {"m": np.array(case["score"])}, [metric])
    assert cell_of(assess(problem), metric).value == pytest.approx(case["value"], abs=1e-12)


@pytest.mark.parametrize("weighted", [False, True])
def test_agrees_with_sklearn(weighted):
    outcome, probability = made_cases(3_000, 1)
    probability = np.round(probability, 3)
    weight = np.random.default_rng(2).uniform(0.3, 3.0, 3_000) if weighted else None
    metrics = ["auc", "average_precision", "log_loss", "brier", "accuracy"]
    result = assess(binary_problem(outcome, {"m": probability}, metrics, frequency=weight))
    expected = {
        "auc": roc_auc_score(outcome, probability, sample_weight=weight),
        "average_precision": average_precision_score(outcome, probability, sample_weight=weight),
        "log_loss": log_loss(outcome, probability, sample_weight=weight),
        "brier": np.average((outcome - probability) ** 2, weights=weight),
        "accuracy": accuracy_score(outcome, probability >= 0.5, sample_weight=weight),
    }
    for metric, value in expected.items():
        assert cell_of(result, metric).value == pytest.approx(value, abs=1e-12), metric


def test_every_built_in_binary_metric_has_value_and_interval():
    outcome, probability = made_cases(2_000, 3)
    realised = np.where(probability > 0.1, np.where(outcome == 1, 24.0, -1.6), 0.0)
    wanted = [spec for spec in METRICS.values() if payoff.Task.BINARY in spec.tasks]
    problem = replace(
        binary_problem(
            outcome, {"m": probability}, [request(spec) for spec in wanted], resamples=200
        ),
        models=(binary_model("m", probability, consequences=realised),),
    )
    cells = assess(problem).cells
    assert {cell.metric for cell in cells} == {spec.id for spec in wanted}
    for cell in cells:
        assert cell.estimate.note == "" or cell.metric.startswith("hosmer"), cell
        assert cell.estimate.low < cell.estimate.value < cell.estimate.high, cell
        assert cell.estimate.method, cell


def test_weight_two_is_the_row_twice_in_values():
    outcome, probability = made_cases(400, 4)
    probability = np.round(probability, 2)
    times = np.random.default_rng(5).integers(1, 4, 400)
    metrics = [
        "auc",
        "ks",
        "average_precision",
        "log_loss",
        "brier",
        "accuracy",
        request("lift_at", depth=0.1),
    ]
    weighted = assess(
        binary_problem(outcome, {"m": probability}, metrics, frequency=times.astype(float))
    )
    repeated = assess(
        binary_problem(np.repeat(outcome, times), {"m": np.repeat(probability, times)}, metrics)
    )
    for ours, theirs in zip(weighted.cells, repeated.cells, strict=True):
        assert ours.estimate.value == pytest.approx(theirs.estimate.value, abs=1e-12), ours.metric


def test_bootstrap_and_delong_agree():
    outcome, probability = made_cases(1_500, 6)
    evaluation = EvaluationRequest(
        binary_problem(outcome, {"m": probability}, ["auc"], resamples=2_000)
    )
    analytic = cell_of(evaluation.result, "auc")
    spread = evaluation._column("auc").cells[0].draws.std(ddof=1)
    assert spread == pytest.approx((analytic.high - analytic.low) / (2 * 1.96), rel=0.15)
    assert analytic.method == "DeLong"


def test_bootstrap_and_exact_variance_agree():
    outcome, probability = made_cases(1_500, 7)
    weight = np.random.default_rng(8).uniform(0.2, 3.0, 1_500)
    problem = binary_problem(
        outcome, {"m": probability}, ["brier"], resamples=1_000, frequency=weight
    )
    evaluation = EvaluationRequest(problem)
    estimate = cell_of(evaluation.result, "brier")
    spread = evaluation._column("brier").cells[0].draws.std(ddof=1)
    assert spread == pytest.approx((estimate.high - estimate.low) / (2 * 1.96), rel=0.15)


def test_merged_groups_give_the_same_spread_as_exact_ones(monkeypatch):
    outcome, probability = made_cases(4_000, 9)
    problem = binary_problem(
        outcome, {"m": probability}, ["ks", "average_precision"], resamples=300
    )
    merged = assess(problem)
    monkeypatch.setattr("core.evaluation.ranked.rankings.MOST_BINS", 10_000)
    exact = assess(problem)
    for ours, theirs in zip(merged.cells, exact.cells, strict=True):
        width = theirs.estimate.high - theirs.estimate.low
        assert ours.estimate.value == theirs.estimate.value
        assert ours.estimate.low == pytest.approx(theirs.estimate.low, abs=0.05 * width)
        assert ours.estimate.high == pytest.approx(theirs.estimate.high, abs=0.05 * width)


def test_bootstrap_interval_covers():
    """About 95 % of the intervals for average precision hold what a very large sample gives."""
    truth = cell_of(
        assess(binary_problem(*_named(made_cases(200_000, 99)), ["average_precision"])),
        "average_precision",
    ).value
    covered = 0
    for seed in range(100):
        problem = binary_problem(
            *_named(made_cases(400, seed)), ["average_precision"], resamples=200, seed=seed
        )
        estimate = cell_of(assess(problem, with_charts=False), "average_precision")
        covered += estimate.low <= truth <= estimate.high
    assert 86 <= covered <= 100


def _named(cases):
    return cases[0], {"m": cases[1]}


def test_threads_and_order_of_rows_change_nothing():
    outcome, probability = made_cases(3_000, 10)
    probability = np.round(probability, 2)
    problem = binary_problem(
        outcome, {"m": probability}, ["ks", "log_loss", "average_precision"], resamples=64
    )
    several = assess(problem)
    with limited_threads(1):
        alone = assess(problem)
    shuffle = np.random.default_rng(1).permutation(3_000)
    moved = assess(
        replace(
            problem,
            outcome=problem.outcome[shuffle],
            models=(binary_model("m", probability[shuffle]),),
            row_numbers=shuffle.astype(np.int64),
        )
    )
    for first, second, third in zip(several.cells, alone.cells, moved.cells, strict=True):
        assert first.estimate == second.estimate
        for name in ("value", "low", "high"):
            ours, theirs = getattr(first.estimate, name), getattr(third.estimate, name)
            assert ours == pytest.approx(theirs, rel=1e-11), (first.metric, name)


def test_accuracy_without_weights_has_exact_binomial_limits():
    outcome, probability = made_cases(500, 11)
    estimate = cell_of(
        assess(binary_problem(outcome, {"m": probability}, ["accuracy"])), "accuracy"
    )
    assert estimate.method == "exact binomial"
    assert 0 < estimate.low < estimate.value < estimate.high < 1


def test_priors_hold_class_shares_fixed():
    outcome, probability = made_cases(2_000, 12)
    realised = np.where(probability > 0.1, np.where(outcome == 1, 24.0, -1.6), 0.0)
    problem = replace(
        binary_problem(
            outcome,
            {"m": probability},
            ["auc", "total_profit", "log_loss", "average_precision"],
            priors=np.array([0.05, 0.95]),
            resamples=500,
        ),
        models=(binary_model("m", probability, consequences=realised),),
    )
    evaluation = EvaluationRequest(problem)
    result = evaluation.result
    weight = np.where(outcome == 1, 0.05 / outcome.mean(), 0.95 / (1 - outcome.mean()))
    profit = cell_of(result, "total_profit")
    assert profit.value == pytest.approx(float(weight @ realised), rel=1e-12)
    assert profit.holds_fixed == "if 5.0\N{NO-BREAK SPACE}% are 'yes'"
    by_class = [realised[outcome == 1], realised[outcome == 0]]
    shares = np.array([0.05, 0.95]) * len(outcome)
    variance = sum(s**2 * c.var(ddof=1) / len(c) for s, c in zip(shares, by_class, strict=True))
    assert (profit.high - profit.low) / (2 * 1.959964) == pytest.approx(math.sqrt(variance))
    spread = evaluation._column("total_profit").cells[0].draws.std(ddof=1)
    assert spread == pytest.approx(math.sqrt(variance), rel=0.15)
    assert cell_of(result, "log_loss").holds_fixed == ""
    assert cell_of(result, "average_precision").value == pytest.approx(
        average_precision_score(outcome, probability, sample_weight=weight), abs=1e-12
    )
    assert result.class_weight == pytest.approx([100.0, 1900.0])


def test_one_class_is_refused():
    with pytest.raises(PayoffError, match="one class only, 'no'"):
        assess(binary_problem([0, 0, 0], {"m": np.array([0.1, 0.2, 0.3])}, ["auc"]))


@pytest.mark.parametrize(
    ("levels", "remedy"), [(("yes", "no"), "both"), (("a", "b", "c"), "two or more of them")]
)
def test_the_remedy_for_one_class_counts_the_classes_there_are(levels, remedy):
    probabilities = np.full((len(levels), 3), 1.0 / len(levels))
    problem = replace(binary_problem([0, 0, 0], {"m": np.full(3, 0.5)}, ["auc"]), levels=levels)
    models = tuple(replace(model, posteriors=probabilities) for model in problem.models)
    with pytest.raises(PayoffError) as refused:
        assess(replace(problem, models=models))
    assert f"Choose rows in which {remedy} happen." in refused.value.remedy


@pytest.mark.parametrize(
    ("classes", "remedy"),
    [(("yes", "no"), "hold both."), (("a", "b", "c"), "hold several of them.")],
)
def test_the_remedy_for_one_class_to_train_on_counts_them_too(classes, remedy):
    table = SimpleNamespace(path="made.csv")
    with pytest.raises(PayoffError) as refused:
        refuse_one_class(table, "answer", np.zeros(3), classes)
    assert refused.value.remedy.endswith(remedy)


def test_perfect_ranking_has_no_width_and_says_so():
    outcome = np.array([1] * 20 + [0] * 20)
    problem = binary_problem(outcome, {"m": np.where(outcome == 1, 0.9, 0.1)}, ["auc"])
    estimate = cell_of(assess(problem), "auc")
    assert (estimate.value, estimate.low, estimate.high) == (1.0, 1.0, 1.0)
    assert "too narrow" in estimate.note


def test_infinite_log_loss_names_the_row():
    problem = binary_problem(
        [1, 0, 1, 0],
        {"m": np.array([0.9, 0.1, 0.0, 1.0])},
        ["log_loss", "brier"],
        row_numbers=np.array([11, 22, 33, 44]),
        resamples=64,
    )
    result = assess(problem)
    estimate = cell_of(result, "log_loss")
    assert estimate.value == math.inf
    assert "row 33 and 1 more" in estimate.note
    assert math.isnan(estimate.low)
    assert math.isfinite(cell_of(result, "brier").low)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"frequency": np.array([1.0, 0.0, 1.0])}, "not a number above 0"),
        ({"outcome": np.array([0, -1, 1], dtype=np.int32)}, "not known"),
        ({"level": "maybe"}, "not a level"),
        ({"reference": "other"}, "not there"),
        ({"models": ()}, "no model"),
        ({"models": (binary_model("m", np.array([0.1, np.nan, 0.2])),)}, "missing or not between"),
        ({"models": (binary_model("m", np.array([0.1, 0.2])),)}, "shape"),
        ({"priors": np.array([-1.0, 2.0])}, "0 or more"),
    ],
)
def test_impossible_problems_are_refused(change, message):
    problem = binary_problem([1, 0, 0], {"m": np.array([0.3, 0.2, 0.1])}, ["auc"])
    with pytest.raises(PayoffError, match=message):
        assess(replace(problem, **change))
