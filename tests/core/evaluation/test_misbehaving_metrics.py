"""Metrics of plugins: those that fail cost their own cell, those with needs get them."""

from __future__ import annotations

import math
from contextlib import contextmanager
from dataclasses import replace

import numpy as np
import pytest

import payoff
from core.evaluation import EvaluationRequest, assess
from tests.helpers.factories.evaluation import (
    CURVES,
    METRICS,
    binary_problem,
    cell_of,
    made_cases,
    request,
)


def made_metric(**settings) -> payoff.EvaluationMetric:
    base = {
        "id": "made",
        "label": "Made",
        "help": "A metric of the tests.",
        "formula": "",
        "reference": "",
        "direction": payoff.Direction.HIGHER,
        "inputs": (payoff.Input.OUTCOME, payoff.Input.PROBABILITY),
        "tasks": (payoff.Task.BINARY,),
        "form": payoff.MetricForm.GENERAL,
    }
    return payoff.EvaluationMetric(**{**base, **settings})


def raising(*arguments):
    raise RuntimeError("broken on purpose")


def leaving(*arguments):
    raise GeneratorExit("no Exception")


def test_a_failing_plugin_costs_its_own_cell_only():
    outcome, probability = made_cases(300, 13)
    bad = [
        made_metric(id="general", compute=raising),
        made_metric(id="rows", form=payoff.MetricForm.ROW_MEAN, rows=raising),
        made_metric(id="ranked", form=payoff.MetricForm.RANKED, ranked=raising),
        made_metric(id="checked", compute=lambda s, p: 1.0, check=raising),
        made_metric(id="leaving", compute=leaving),
        made_metric(id="text", compute=lambda sample, parameters: "text"),
        made_metric(id="complex", compute=lambda sample, parameters: 1 + 2j),
        made_metric(id="objects", compute=lambda s, p: np.array([1.0, "a"], dtype=object)),
        made_metric(id="unfilled", form=payoff.MetricForm.ROW_MEAN, rows=lambda *arguments: None),
    ]
    problem = binary_problem(
        outcome, {"m": probability}, ["auc", *[request(spec) for spec in bad]], resamples=32
    )
    result = assess(problem)
    assert cell_of(result, "auc").value > 0.5
    for spec in bad:
        estimate = cell_of(result, spec.id)
        assert math.isnan(estimate.value), spec.id
        assert estimate.note, spec.id
    assert "broken on purpose" in cell_of(result, "general").note


@pytest.mark.parametrize("form", ["general", "row_mean"])
def test_a_value_beyond_what_the_plugin_announces_is_remarked_on(form):
    def rows(outcome, prediction, parameters, contribution, factor, start, stop):
        contribution[0, start:stop] = -5.0
        factor[0, start:stop] = 1.0

    functions = {"rows": rows} if form == "row_mean" else {"compute": lambda sample, values: -5.0}
    spec = made_metric(form=form, value_range=(0.0, 1.0), **functions)
    outcome, probability = made_cases(300, 15)
    problem = binary_problem(outcome, {"m": probability}, [request(spec), "auc"], resamples=32)
    result = assess(problem)
    assert cell_of(result, "made").value == -5.0
    assert "outside 0 to 1" in cell_of(result, "made").note
    assert cell_of(result, "auc").note == ""


def test_a_plugin_that_fails_in_resamples_keeps_its_value():
    calls = []

    def combine(means, parameters):
        calls.append(1)
        if len(calls) > 1:
            raise RuntimeError("second time")
        return means[0]

    spec = made_metric(form=payoff.MetricForm.SMOOTH, rows=METRICS["brier"].rows, combine=combine)
    outcome, probability = made_cases(300, 14)
    estimate = cell_of(
        assess(binary_problem(outcome, {"m": probability}, [request(spec)], resamples=32)), "made"
    )
    assert estimate.value == pytest.approx(np.mean((outcome - probability) ** 2))
    assert math.isnan(estimate.low)
    assert "second time" in estimate.note


def test_calls_into_plugins_are_marked():
    entered = []

    @contextmanager
    def calling(spec):
        entered.append(spec.id)
        yield

    outcome, probability = made_cases(200, 15)
    spec = made_metric(compute=lambda sample, parameters: float(sample.total_weight))
    assess(binary_problem(outcome, {"m": probability}, [request(spec), "auc"]), calling=calling)
    assert set(entered) - {curve.spec.id for curve in CURVES} == {"made", "auc"}


def test_general_metric_gets_two_hundred_resamples():
    def mean_chance(sample, parameters):
        return float(np.average(sample.posteriors[0], weights=sample.weight))

    outcome, probability = made_cases(800, 16)
    spec = made_metric(compute=mean_chance)
    problem = binary_problem(outcome, {"m": probability}, [request(spec)], resamples=1_000)
    estimate = cell_of(assess(problem), "made")
    assert estimate.value == pytest.approx(probability.mean())
    assert estimate.method == "Poisson bootstrap, 200 draws"
    width = (estimate.high - estimate.low) / (2 * 1.96)
    assert width == pytest.approx(probability.std() / math.sqrt(800), rel=0.25)


def test_metric_without_weights_refuses_weighted_cases():
    spec = made_metric(weights=payoff.WeightMeaning.NONE, compute=lambda s, p: float(len(s)))
    outcome, probability = made_cases(300, 17)
    problem = binary_problem(outcome, {"m": probability}, [request(spec)], resamples=64)
    plain = cell_of(assess(problem), "made")
    assert plain.value == 300
    assert plain.low < 300 < plain.high  # resampled by index: the size of a draw varies
    weighted = replace(problem, frequency=np.linspace(1, 2, 300))
    assert "cannot take weights" in cell_of(assess(weighted), "made").note


def test_groups_are_drawn_whole():
    def number_of_groups(sample, parameters):
        return float(len(np.unique(sample.roles["group"])))

    spec = made_metric(
        weights=payoff.WeightMeaning.NONE, unit=payoff.ResampleUnit.GROUP, compute=number_of_groups
    )
    outcome, probability = made_cases(300, 18)
    problem = binary_problem(
        outcome,
        {"m": probability},
        [request(spec)],
        resamples=64,
        extras={"group": np.repeat(np.arange(100), 3)},
    )
    estimate = cell_of(assess(problem), "made")
    assert estimate.value == 100
    assert 70 < estimate.low < 95  # Poisson(100) groups, copies counted apart
    assert 105 < estimate.high < 130


def test_clusters_widen_the_interval():
    outcome, probability = made_cases(500, 19)
    copies = 4
    spec = replace(METRICS["brier"], unit=payoff.ResampleUnit.CLUSTER)
    problem = binary_problem(
        np.repeat(outcome, copies),
        {"m": np.repeat(probability, copies)},
        [request(spec)],
        extras={"cluster": np.repeat(np.arange(500), copies)},
        resamples=500,
    )
    evaluation = EvaluationRequest(problem)
    clustered = cell_of(evaluation.result, "brier")
    alone = cell_of(assess(binary_problem(outcome, {"m": probability}, ["brier"])), "brier")
    assert clustered.high - clustered.low == pytest.approx(alone.high - alone.low, rel=1e-9)
    spread = evaluation._column("brier").cells[0].draws.std(ddof=1)
    assert spread == pytest.approx((alone.high - alone.low) / (2 * 1.96), rel=0.15)


def test_money_needs_a_matrix():
    outcome, probability = made_cases(100, 20)
    estimate = cell_of(
        assess(binary_problem(outcome, {"m": probability}, ["total_profit"])), "total_profit"
    )
    assert "needs a decision matrix" in estimate.note
