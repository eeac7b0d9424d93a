"""Shared statistics against closed forms and scipy, and that each has one home."""

from __future__ import annotations

import ast
import math
from pathlib import PurePosixPath

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from core.inference.delong import ranked_area
from core.inference.intervals import (
    clopper_pearson,
    clopper_pearson_upper,
    holm_p_values,
    student_interval,
    student_p_value,
    welch,
)
from core.inference.normal import (
    normal_interval,
    normal_p_value,
    normal_quantile,
    normal_reach,
    standard_error,
    two_sided_p_value,
)
from payoff.groups import effective_cases
from payoff.intervals import NORMAL_95, wilson_interval
from tests.helpers.sources import files_that_say


def test_normal_quantiles_and_p_values():
    assert normal_reach() == normal_quantile(0.975) == NORMAL_95
    assert normal_reach(0.9) == pytest.approx(stats.norm.ppf(0.95), rel=1e-15)
    assert normal_p_value(NORMAL_95, 1.0) == pytest.approx(0.05)
    assert normal_p_value(-3.0, 9.0) == pytest.approx(0.31731050786)
    assert two_sided_p_value(-1.5) == pytest.approx(2 * stats.norm.sf(1.5), rel=1e-15)
    assert (normal_p_value(0.0, 0.0), normal_p_value(2.0, 0.0)) == (1.0, 0.0)
    assert math.isnan(normal_p_value(math.nan, 1.0))
    assert math.isnan(normal_p_value(1.0, math.nan))
    assert normal_interval(7.0, standard_error(0.0)) == (7.0, 7.0)
    assert all(map(math.isnan, normal_interval(7.0, standard_error(-1.0))))


def test_welch_is_that_of_scipy():
    random = np.random.default_rng(3)
    first, second = random.normal(1.0, 2.0, 12), random.normal(0.0, 0.5, 31)
    error, freedom = welch(first.var(ddof=1), 12, second.var(ddof=1), 31)
    gap = float(first.mean() - second.mean())
    found = stats.ttest_ind(first, second, equal_var=False)
    assert student_p_value(gap, error, freedom) == pytest.approx(found.pvalue, rel=1e-12)
    limits = found.confidence_interval()
    assert student_interval(gap, error, freedom) == pytest.approx((limits.low, limits.high))
    assert student_p_value(0.0, 0.0, 5.0) == 1.0


@given(st.integers(0, 40), st.integers(1, 40), st.sampled_from([0.8, 0.95, 0.999]))
@settings(max_examples=60, deadline=None)
def test_exact_limits_of_a_share_and_of_its_complement(events, more, confidence):
    cases = events + more
    found = stats.binomtest(events, cases).proportion_ci(confidence)
    assert clopper_pearson(events, cases, confidence) == pytest.approx((found.low, found.high))
    low, high = clopper_pearson(cases - events, cases, confidence)
    assert (1.0 - high, 1.0 - low) == pytest.approx((found.low, found.high))
    assert clopper_pearson_upper(events, cases, 0.05) <= 1.0


@given(st.lists(st.floats(0.0, 1.0), min_size=1, max_size=8), st.integers(1, 9))
@settings(max_examples=60, deadline=None)
def test_holm_with_equal_parts_of_any_size_is_holm(p_values, part):
    values = np.array(p_values)
    adjusted = holm_p_values(values)
    order = np.argsort(values, kind="stable")
    largest = 0.0
    for rank, place in enumerate(order):
        largest = max(largest, values[place] * (len(values) - rank))
        assert adjusted[place] == min(largest, 1.0)
    parts = np.full(len(values), float(part))
    np.testing.assert_allclose(holm_p_values(values, parts), adjusted, atol=1e-300)
    with_gap = holm_p_values(np.append(values, np.nan))
    np.testing.assert_array_equal(with_gap[:-1], adjusted)
    assert np.isnan(with_gap[-1])


def test_holm_with_unequal_parts_by_hand():
    found = holm_p_values(np.array([0.034, 0.5]), np.array([0.7, 0.3]))
    np.testing.assert_allclose(found, [0.034 / 0.7, 0.5])


def test_the_area_of_groups_is_that_of_pairs():
    random = np.random.default_rng(5)
    score, is_first = random.integers(0, 6, 80), random.random(80) < 0.4
    first, second = score[is_first], score[~is_first]
    wins = (first[:, None] > second) + 0.5 * (first[:, None] == second)
    groups = [np.bincount(part, minlength=6)[::-1].astype(float) for part in (first, second)]
    found = ranked_area(*groups)
    assert found.area == pytest.approx(wins.mean())
    variance = wins.mean(axis=1).var(ddof=1) / len(first)
    variance += wins.mean(axis=0).var(ddof=1) / len(second)
    assert found.error == pytest.approx(math.sqrt(variance))
    test = stats.mannwhitneyu(first, second, method="asymptotic", use_continuity=False)
    z = (found.area - 0.5) / found.null_error
    assert two_sided_p_value(z) == pytest.approx(test.pvalue)
    assert math.isnan(ranked_area(np.zeros(2), np.ones(2)).area)


def test_effective_cases():
    assert effective_cases(np.full(7, 2.5)) == pytest.approx(7.0)
    assert effective_cases(np.zeros(3)) == 0.0
    (low,), (high,) = wilson_interval(np.array([0.2]), np.array([50.0]))
    found = stats.binomtest(10, 50).proportion_ci(method="wilson")
    assert (low, high) == pytest.approx((found.low, found.high))


def test_each_statistic_has_one_home():
    """No second quantile of 95 %, and no second function of these names."""
    names = (
        *("wilson", "welch", "bca", "holm", "clopper", "effective_cases", "p_value_of"),
        *("mcnemar", "delong", "student_", "weighted_auc", "draw_blocks", "draw_limits"),
    )
    homes = {"core/inference", "payoff/intervals.py", "payoff/groups.py"}
    found = []
    quantile = ("1.959", "1.960", "1.96")
    packages = ("core", "payoff", "plugins", "gui")
    for place, inside in files_that_say((*names, *quantile), *packages):
        if place in homes or PurePosixPath(place).parent.as_posix() in homes:
            continue
        for node in inside:
            if isinstance(node, ast.Constant) and isinstance(node.value, float):
                if abs(node.value - NORMAL_95) < 1e-3:
                    found.append(f"{place}:{node.lineno}: {node.value}")
            elif isinstance(node, ast.FunctionDef) and any(n in node.name for n in names):
                found.append(f"{place}: {node.name}")
    assert found == [  # one-sided, by the same
        "core/experiments/bounds.py: wilson",
        "core/experiments/bounds.py: student_t",
        "core/scale/ranked/ranking.py: _delong_variance",  # from exact sums, case by case
        "plugins/metrics/ranking.py: weighted_auc",  # the metric's id
    ]


def test_quantiles_of_distributions_are_asked_of_inference_only():
    """Core reads no table of the normal distribution or of Student's t for itself."""
    functions = {"ndtri", "stdtr", "stdtrit", "nctdtr", "nctdtrinc", "betaincinv", "NormalDist"}
    found = []
    for place, inside in files_that_say(functions, "core"):
        if place.startswith("core/inference/"):
            continue
        named = {
            name.name if isinstance(node, ast.ImportFrom) else name
            for node in inside
            for name in (
                node.names
                if isinstance(node, ast.ImportFrom)
                else [node.attr]
                if isinstance(node, ast.Attribute)
                else []
            )
        }
        found += [f"{place}: {name}" for name in sorted(functions & named)]
    assert found == ["core/data/samples.py: NormalDist"]  # draws a made-up sample
