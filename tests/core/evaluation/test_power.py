"""Power of a paired comparison: R's figures, its own inverse, and how often tests find it."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.evaluation import EvaluationRequest
from core.inference.intervals import (
    MANY_UNITS,
)
from core.inference.power import errors_apart, power_at, times_as_many
from tests.helpers.factories.evaluation import binary_problem, made_cases
from tests.soak.power_coverage import found_with_cases_needed

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "power.json").read_text("utf-8"))


@pytest.mark.parametrize("row", GOLDEN["rows"], ids=lambda row: f"{row['cases']}, {row['power']}")
def test_the_figures_of_r(row):
    cases, level, power = row["cases"], row["level"], row["power"]
    error = row["sd"] / math.sqrt(cases)
    apart = errors_apart(cases, level, power)
    assert apart * error == pytest.approx(row["smallest"], rel=1e-6)
    needed = cases * times_as_many(apart / 2, cases, level, power)
    assert needed == pytest.approx(row["cases_for_half"], rel=1e-6)
    assert power_at(apart / 2, cases, level) == pytest.approx(row["power_for_half"], rel=1e-6)


@settings(deadline=None, max_examples=200)
@given(
    units=st.one_of(st.integers(2, 500), st.integers(500, 10**7)),
    level=st.floats(0.001, 0.5),
    power=st.floats(0.5, 0.999),
    apart=st.floats(1e-3, 30.0),
)
def test_smallest_difference_power_and_cases_needed_are_one_thing(units, level, power, apart):
    smallest = errors_apart(units, level, power)
    assert smallest > 0
    assert power_at(smallest, units, level) == pytest.approx(power, abs=1e-4)
    times = times_as_many(apart, units, level, power)
    assert errors_apart(max(2.0, units * times), level, power) <= apart * math.sqrt(times) * 1.001
    if apart < smallest * 0.999:
        assert times > 1
    if apart > smallest * 1.001:
        assert times < 1


def test_many_units_are_normal_and_few_nearly_so():
    normal = errors_apart(MANY_UNITS, 0.05, 0.8)
    assert normal == pytest.approx(1.959963985 + 0.841621234, abs=1e-8)
    assert errors_apart(MANY_UNITS - 1, 0.05, 0.8) == pytest.approx(normal, rel=1e-4)
    assert errors_apart(30, 0.05, 0.8) > 1.03 * normal


def test_the_error_is_that_of_the_interval_or_of_its_draws():
    outcome, first, second = made_cases(800, 4, (0.3, 0.9))
    problem = binary_problem(outcome, {"a": first, "b": second}, ["auc", "brier", "ks"])
    analytic = EvaluationRequest(problem, with_charts=False)
    for metric in ("auc", "brier"):
        found, pair = analytic.error_of("a", "b", metric), analytic.compare("a", "b", metric)
        half = (pair.estimate.high - pair.estimate.low) / 2
        assert found.error == pytest.approx(half / 1.959963985, rel=1e-9)
        assert found.method == pair.estimate.method
        assert analytic.error_of("b", "a", metric) == found
    assert analytic.error_of("a", "b", "auc").units == outcome.sum()
    assert analytic.error_of("a", "b", "brier").units == len(outcome)
    assert math.isnan(analytic.error_of("a", "b", "ks").error)
    drawn = binary_problem(outcome, {"a": first, "b": second}, ["ks"], resamples=600)
    found = EvaluationRequest(drawn, with_charts=False).error_of("a", "b", "ks")
    assert 0.005 < found.error < 0.1
    assert "600 draws" in found.method


def test_cases_that_belong_together_count_once():
    outcome, first, second = (np.repeat(values, 3) for values in made_cases(300, 5, (0.3, 0.9)))
    probabilities = {"a": first, "b": second}
    cluster = np.repeat(np.arange(300), 3)
    alone = EvaluationRequest(
        binary_problem(outcome[::3], {n: v[::3] for n, v in probabilities.items()}, ["brier"]),
        with_charts=False,
    ).error_of("a", "b", "brier")
    together = EvaluationRequest(
        binary_problem(outcome, probabilities, ["brier"], cluster=cluster), with_charts=False
    ).error_of("a", "b", "brier")
    assert together.units == alone.units == 300
    assert together.error == pytest.approx(alone.error, rel=1e-9)


@pytest.mark.every_nth(2)
@pytest.mark.parametrize("metric", ["average_profit", "auc"])
def test_as_many_cases_as_are_needed_find_the_difference_in_80_of_100(metric):
    seen = found_with_cases_needed(metric, 0.3, 1500, true_rows=400_000)
    assert seen.found == pytest.approx(0.8, abs=0.03), seen
