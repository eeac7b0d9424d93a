from __future__ import annotations

import math

import numpy as np
import pytest

from core.evaluation import EvaluationRequest, assess
from payoff.errors import PayoffError
from tests.helpers.factories.evaluation import binary_problem, made_cases


def evaluation_of(noise=(0.2, 0.9), metrics=("auc", "ks", "log_loss"), rows=2_000, **settings):
    outcome, *probabilities = made_cases(rows, 1, noise)
    named = {f"m{place}": probability for place, probability in enumerate(probabilities)}
    settings.setdefault("resamples", 300)
    return EvaluationRequest(binary_problem(outcome, named, metrics, **settings))


@pytest.mark.parametrize("metric", ["auc", "ks", "log_loss"])
def test_a_clear_difference_is_found(metric):
    evaluation = evaluation_of()
    found = evaluation.compare("m0", "m1", metric)
    assert found.p_value < 0.01
    assert found.ahead > 290
    assert found.resamples == 300
    limits = sorted((found.estimate.low, found.estimate.high))
    assert limits[0] > 0 if metric != "log_loss" else limits[1] < 0
    assert "paired" in found.estimate.method


@pytest.mark.parametrize("metric", ["auc", "ks", "log_loss"])
def test_turning_the_pair_turns_the_sign(metric):
    evaluation = evaluation_of()
    there, back = evaluation.compare("m0", "m1", metric), evaluation.compare("m1", "m0", metric)
    assert back.estimate.value == -there.estimate.value
    assert back.p_value == pytest.approx(there.p_value)
    assert back.ahead + there.ahead <= 300
    assert back.estimate.low == pytest.approx(-there.estimate.high, abs=1e-3)


@pytest.mark.parametrize("metric", ["auc", "ks", "log_loss"])
def test_identical_models_are_not_told_apart(metric):
    outcome, probability = made_cases(500, 2)
    problem = binary_problem(
        outcome, {"a": probability, "b": probability.copy()}, [metric], resamples=64
    )
    evaluation = EvaluationRequest(problem)
    found = evaluation.compare("a", "b", metric)
    assert (found.estimate.value, found.p_value, found.ahead) == (0.0, 1.0, 0)
    assert (found.estimate.low, found.estimate.high) == (0.0, 0.0)
    assert all(cell.is_best for cell in evaluation.result.cells)


def test_paired_draws_are_narrower_than_unpaired_ones():
    evaluation = evaluation_of(noise=(0.3, 0.32), metrics=("ks",))
    found = evaluation.compare("m0", "m1", "ks").estimate
    single = [cell.estimate for cell in evaluation.result.cells]
    unpaired = math.hypot(*(estimate.high - estimate.low for estimate in single))
    assert found.high - found.low < 0.8 * unpaired


def test_paired_variance_of_a_mean_is_that_of_the_differences():
    outcome, first, second = made_cases(700, 3, (0.2, 0.5))
    problem = binary_problem(outcome, {"a": first, "b": second}, ["brier"])
    found = EvaluationRequest(problem).compare("a", "b", "brier").estimate
    differences = (outcome - first) ** 2 - (outcome - second) ** 2
    half = 1.959963985 * differences.std(ddof=1) / math.sqrt(700)
    assert found.value == pytest.approx(differences.mean(), abs=1e-12)
    assert found.high - found.value == pytest.approx(half, rel=1e-6)


def test_marks_best_and_tied():
    evaluation = evaluation_of(noise=(0.30, 0.31, 2.5), metrics=("auc", "log_loss"))
    for metric in ("auc", "log_loss"):
        cells = {c.model: c for c in evaluation.result.cells if c.metric == metric}
        best = [name for name, cell in cells.items() if cell.is_best]
        assert len(best) == 1
        assert best[0] in ("m0", "m1")
        tied = {name for name, cell in cells.items() if cell.is_tied}
        assert tied == {"m0", "m1"} - set(best)


def test_p_values_of_equal_models_are_uniform_enough():
    """Two equally noisy models: the paired DeLong test rejects in about 5 % of samples."""
    rejected = 0
    for seed in range(200):
        outcome, first, second = made_cases(300, seed, (0.5, 0.5))
        problem = binary_problem(outcome, {"a": first, "b": second}, ["auc"])
        rejected += assess(problem, with_charts=False).comparisons[0].p_value < 0.05
    assert 2 <= rejected <= 22


def test_every_model_is_compared_with_the_reference():
    result = evaluation_of(noise=(0.2, 0.4, 0.6), metrics=("auc", "ks"), reference="m1").result
    pairs = [(d.metric, d.first, d.second) for d in result.comparisons]
    assert pairs == [
        ("auc", "m1", "m0"),
        ("auc", "m1", "m2"),
        ("ks", "m1", "m0"),
        ("ks", "m1", "m2"),
    ]


def test_chance_ahead_counts_resamples():
    evaluation = evaluation_of()
    assert evaluation.probability_ahead("m0", "m1", "auc") > 0.95
    assert evaluation.probability_ahead("m1", "m0", "auc") < 0.05
    assert math.isnan(evaluation_of(resamples=0).probability_ahead("m0", "m1", "auc"))


def test_a_model_or_metric_that_is_not_there_is_refused():
    evaluation = evaluation_of(resamples=0)
    with pytest.raises(PayoffError, match="no model 'x'"):
        evaluation.compare("m0", "x", "auc")
    with pytest.raises(PayoffError, match="no metric 'x'"):
        evaluation.compare("m0", "m1", "x")


def test_same_cases_are_drawn_for_every_model():
    outcome, probability = made_cases(900, 4)
    problem = binary_problem(
        outcome, {"a": probability, "b": probability**2}, ["ks", "brier"], resamples=64
    )
    evaluation = EvaluationRequest(problem)
    first, second = (cell.draws for cell in evaluation._column("ks").cells)
    np.testing.assert_allclose(first, second, atol=1e-12)  # squaring keeps the ranking
