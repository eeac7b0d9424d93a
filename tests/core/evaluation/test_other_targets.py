"""Classes and numbers as outcomes, partial results, stopping."""

from __future__ import annotations

import math

import numpy as np
import pytest
from sklearn.metrics import log_loss, roc_auc_score

from core.evaluation import EvaluationProblem, JudgedScores, assess
from payoff.errors import StoppedError
from tests.helpers.factories.evaluation import (
    binary_problem,
    cell_of,
    made_cases,
    made_classes,
    note,
    request,
)


def multiclass_problem(**settings) -> EvaluationProblem:
    codes, posteriors = made_classes(1_500, 1)
    return EvaluationProblem(
        kind="multiclass",
        models=(JudgedScores(name="m", posteriors=posteriors),),
        metrics=tuple(request(m) for m in ("auc", "macro_auc", "log_loss", "brier", "accuracy")),
        rows=note(1_500),
        levels=("a", "b", "c"),
        outcome=codes,
        resamples=100,
        **settings,
    )


def test_multiclass_agrees_with_sklearn():
    codes, posteriors = made_classes(1_500, 1)
    result = assess(multiclass_problem())
    assert cell_of(result, "auc").value == pytest.approx(roc_auc_score(codes == 0, posteriors[0]))
    assert cell_of(result, "macro_auc").value == pytest.approx(
        roc_auc_score(codes, posteriors.T, multi_class="ovr")
    )
    assert cell_of(result, "log_loss").value == pytest.approx(log_loss(codes, posteriors.T))
    assert cell_of(result, "accuracy").value == pytest.approx(
        np.mean(posteriors.argmax(axis=0) == codes)
    )
    for cell in result.cells:
        assert cell.estimate.low < cell.estimate.value < cell.estimate.high, cell.metric


def test_another_event_level_ranks_by_it():
    codes, posteriors = made_classes(1_500, 1)
    result = assess(multiclass_problem(level="c"))
    assert result.level == "c"
    assert result.class_levels == ("c", "a", "b")
    assert cell_of(result, "auc").value == pytest.approx(roc_auc_score(codes == 2, posteriors[2]))
    assert cell_of(result, "log_loss").value == pytest.approx(log_loss(codes, posteriors.T))
    share = result.depths[0].class_share
    order = np.argsort(-posteriors[2], kind="stable")[:750]
    for row, code in enumerate((2, 0, 1)):
        assert share[row, 500] == pytest.approx(
            (codes[order] == code).sum() / (codes == code).sum()
        )


def test_regression_has_values_and_intervals():
    rng = np.random.default_rng(1)
    target = rng.normal(size=2_000)
    models = (
        JudgedScores(name="m", prediction=target + rng.normal(0, 0.5, 2_000)),
        JudgedScores(name="worse", prediction=target + rng.normal(0, 0.9, 2_000)),
    )
    problem = EvaluationProblem(
        kind="interval",
        models=models,
        metrics=(request("rmse"), request("mae")),
        rows=note(2_000),
        target=target,
        resamples=300,
    )
    result = assess(problem)
    misses = target - models[0].prediction
    rmse = cell_of(result, "rmse")
    assert rmse.value == pytest.approx(math.sqrt(np.mean(misses**2)), rel=1e-12)
    theory = np.std(misses**2) / (2 * rmse.value) / math.sqrt(2_000)
    assert (rmse.high - rmse.low) / (2 * 1.96) == pytest.approx(theory, rel=0.2)
    assert cell_of(result, "mae").value == pytest.approx(np.mean(np.abs(misses)), rel=1e-12)
    assert result.charts == ()
    assert all(difference.p_value < 0.01 for difference in result.comparisons)


def test_partial_result_comes_first_and_has_no_bands():
    seen = []
    outcome, probability = made_cases(1_000, 21)
    problem = binary_problem(
        outcome, {"m": probability}, ["auc", "average_precision"], resamples=64
    )
    assess(problem, progress=lambda *reported: seen.append(reported))
    fractions = [fraction for fraction, _, _ in seen]
    assert fractions == sorted(fractions)
    partials = [partial for _, _, partial in seen if partial is not None]
    assert len(partials) == 1
    partial = partials[0]
    assert partial.resamples == 0
    assert cell_of(partial, "auc").low < cell_of(partial, "auc").value
    assert math.isnan(cell_of(partial, "average_precision").low)
    assert partial.charts[0].curves[0].low is None
    assert np.isnan(partial.depths[0].class_share_low).all()


@pytest.mark.parametrize("after", [0, 2, 3])
def test_stop_ends_the_evaluation(after):
    requested = []

    def should_stop():
        requested.append(1)
        return len(requested) > after

    outcome, probability = made_cases(1_000, 22)
    problem = binary_problem(outcome, {"m": probability}, ["auc", "ks"], resamples=64)
    with pytest.raises(StoppedError):
        assess(problem, should_stop=should_stop)


def test_few_events_are_warned_of():
    outcome = np.zeros(400, dtype=int)
    outcome[:7] = 1
    probability = np.linspace(0.9, 0.1, 400)
    result = assess(binary_problem(outcome, {"m": probability}, ["auc"]))
    assert any("Only 7 cases" in warning for warning in result.warnings)


def test_same_metric_twice_with_different_parameters():
    outcome, probability = made_cases(1_000, 23)
    metrics = [request("lift_at", depth=0.1), request("lift_at", depth=0.5)]
    result = assess(binary_problem(outcome, {"m": probability}, metrics))
    assert [info.metric for info in result.metrics] == ["lift_at(depth=0.1)", "lift_at(depth=0.5)"]
    assert result.cells[0].estimate.value > result.cells[1].estimate.value > 1
