"""What metrics are without a model, against numpy and scikit-learn."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import log_loss as sklearn_log_loss

from core.document.results import NO_MODEL
from core.evaluation import EvaluationProblem, JudgedScores, assess
from tests.helpers.factories.evaluation import (
    binary_problem,
    made_cases,
    made_classes,
    note,
    request,
)

BINARY = ["auc", "ks", "log_loss", "brier", "accuracy", "average_precision"]


def without_model(problem) -> dict[str, float]:
    result = assess(problem)
    assert {cell.model for cell in result.no_model} <= {NO_MODEL}
    return {cell.metric: cell.estimate.value for cell in result.no_model}


@pytest.mark.parametrize("is_weighted", [False, True])
def test_every_case_gets_the_share_of_its_class(is_weighted):
    outcome, probability = made_cases(2_000, 3)
    weight = np.random.default_rng(4).uniform(0.5, 3.0, 2_000) if is_weighted else None
    found = without_model(binary_problem(outcome, {"m": probability}, BINARY, frequency=weight))
    share = float(np.average(outcome == 1, weights=weight))
    assert found["auc"] == pytest.approx(0.5)
    assert found["ks"] == pytest.approx(0.0, abs=1e-12)
    entropy = -share * np.log(share) - (1 - share) * np.log1p(-share)
    assert found["log_loss"] == pytest.approx(entropy)
    constant = np.full(2_000, share)
    assert found["log_loss"] == pytest.approx(
        sklearn_log_loss(outcome, constant, sample_weight=weight)
    )
    assert found["brier"] == pytest.approx(np.average((outcome - share) ** 2, weights=weight))
    assert found["accuracy"] == pytest.approx(max(share, 1 - share))
    assert found["average_precision"] == pytest.approx(share)


def test_it_is_what_a_model_of_the_same_chance_would_have():
    outcome, _ = made_cases(1_500, 5)
    share = float(np.mean(outcome == 1))
    problem = binary_problem(outcome, {"same": np.full(1_500, share)}, BINARY)
    result = assess(problem)
    judged = {cell.metric: cell.estimate.value for cell in result.cells}
    for cell in result.no_model:
        assert cell.estimate.value == pytest.approx(judged[cell.metric], abs=1e-12)
    assert {cell.metric for cell in result.no_model} == set(BINARY)


def test_with_priors_fit_is_judged_at_the_shares_of_the_rows():
    outcome, probability = made_cases(2_000, 6)
    share = float(np.mean(outcome == 1))
    priors = np.array([0.02, 0.98])
    found = without_model(binary_problem(outcome, {"m": probability}, BINARY, priors=priors))
    assert found["auc"] == pytest.approx(0.5)
    assert found["brier"] == pytest.approx(share * (1 - share))


@pytest.mark.parametrize("is_weighted", [False, True])
def test_a_number_is_predicted_by_its_mean(is_weighted):
    random = np.random.default_rng(8)
    target = random.gamma(2.0, 3.0, 900)
    weight = random.uniform(0.5, 2.0, 900) if is_weighted else None
    problem = EvaluationProblem(
        kind="regression",
        models=(JudgedScores(name="m", prediction=target + 1.0),),
        metrics=tuple(map(request, ("rmse", "mae", "r2", "pair_concordance"))),
        rows=note(900),
        target=target,
        frequency=weight,
        resamples=0,
    )
    found = without_model(problem)
    mean = float(np.average(target, weights=weight))
    assert found["rmse"] == pytest.approx(np.sqrt(np.average((target - mean) ** 2, weights=weight)))
    assert (found["r2"], found["pair_concordance"]) == (0.0, 0.5)
    assert found["mae"] == pytest.approx(np.average(np.abs(target - mean), weights=weight))


def test_of_three_classes_too():
    codes, posteriors = made_classes(1_200, 9)
    problem = EvaluationProblem(
        kind="multiclass",
        models=(JudgedScores(name="m", posteriors=posteriors),),
        metrics=(request("log_loss"), request("accuracy"), request("macro_auc")),
        rows=note(1_200),
        levels=("a", "b", "c"),
        outcome=codes,
        level="b",
        resamples=0,
    )
    found = without_model(problem)
    shares = np.bincount(codes) / 1_200
    assert found["log_loss"] == pytest.approx(-np.sum(shares * np.log(shares)))
    assert found["accuracy"] == pytest.approx(shares.max())
    assert found["macro_auc"] == pytest.approx(0.5)
