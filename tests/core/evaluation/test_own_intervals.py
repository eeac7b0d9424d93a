"""A general metric's own interval takes the place of resamples, where rows are what is drawn."""

from dataclasses import replace

import numpy as np
import pytest

import payoff
from tests.core.evaluation.weights_and_clusters import estimates
from tests.helpers.factories.evaluation import binary_problem, made_cases, request


def mean_chance(interval):
    return payoff.EvaluationMetric(
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
        interval=interval,
    )


def estimate_with(interval, **changes):
    outcome, probability = made_cases(200, 12)
    problem = binary_problem(
        outcome, {"m": probability}, [request(mean_chance(interval))], resamples=40
    )
    return estimates(replace(problem, **changes))["mean_chance"]


def test_it_is_shown_under_its_own_name():
    found = estimate_with(lambda s, p: (float(s.score.min()), float(s.score.max()), "range"))
    assert found.method == "range"
    assert found.low < found.value < found.high


@pytest.mark.parametrize(
    "changes", [{"cluster": np.arange(200) // 2}, {"priors": np.array([0.1, 0.9])}]
)
def test_clusters_and_priors_need_resamples(changes):
    found = estimate_with(lambda s, p: (0.0, 1.0, "range"), **changes)
    assert "bootstrap" in found.method


@pytest.mark.parametrize(
    ("interval", "said"),
    [
        (lambda s, p: None, ""),
        (lambda s, p: (0.9, 1.0, "wrong"), "misses the value"),
        (lambda s, p: 1 / 0, "ZeroDivisionError"),
    ],
)
def test_without_a_fit_one_resamples_give_it(interval, said):
    found = estimate_with(interval)
    assert "bootstrap" in found.method
    assert said in found.note
