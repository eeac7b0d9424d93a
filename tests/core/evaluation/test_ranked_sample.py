from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import average_precision_score, roc_auc_score, roc_curve

from core.evaluation import DEPTH_GRID, RankedSample
from core.evaluation.ranked.passes import CHUNK
from core.evaluation.ranked.ranking import prior_factor
from payoff.errors import PayoffError
from tests.helpers.factories.evaluation import made_cases

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "metrics.json").read_text())


def rank(score, outcome, **settings) -> RankedSample:
    codes = np.where(np.asarray(outcome) == 1, 0, 1).astype(np.int32)
    return RankedSample(np.asarray(score, dtype=np.float64), codes, **settings)


def golden_case(name: str) -> RankedSample:
    case = GOLDEN["cases"][name]
    return rank(case["score"], case["outcome"])


def test_areas_of_the_golden_cases():
    assert golden_case("A").summary().auc == pytest.approx(0.75, abs=1e-12)
    assert golden_case("B").summary().auc == pytest.approx(0.7916666666666667, abs=1e-12)


def test_roc_points_of_case_a():
    ranking, expected = golden_case("A"), GOLDEN["roc_A"]
    np.testing.assert_allclose(ranking.others / 2, expected["false_alarms"][1:])
    np.testing.assert_allclose(ranking.events / 2, expected["sensitivity"][1:])
    np.testing.assert_allclose(ranking.thresholds, expected["threshold"][1:])


def test_area_of_the_gains_curve_of_case_b():
    ranking = golden_case("B")
    depth = np.concatenate([[0.0], ranking.group_depth / 10])
    found = np.concatenate([[0.0], ranking.events / 6])
    area = float(np.sum(np.diff(depth) * (found[1:] + found[:-1]) / 2))
    assert area == pytest.approx(GOLDEN["gains_area_B"]["value"], abs=1e-12)


def test_ties_are_shared_in_proportion():
    # Two groups of equal score: 1 event in the best 4, 2 events in the other 6.
    outcome = [1, 0, 0, 0, 1, 1, 0, 0, 0, 0]
    summary = rank([0.9] * 4 + [0.1] * 6, outcome).summary(np.array([0.0, 0.2, 0.4, 0.7, 1.0]))
    np.testing.assert_allclose(summary.class_share[0], [0, 1 / 6, 1 / 3, 2 / 3, 1])
    np.testing.assert_allclose(summary.cases, [0, 2, 4, 7, 10])
    np.testing.assert_allclose(summary.threshold, [0.9, 0.9, 0.9, 0.1, 0.1])


@pytest.mark.parametrize("decimals", [1, 2, 12])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("rows", [200, 2 * CHUNK + 77])
def test_agrees_with_sklearn(rows, weighted, decimals):
    outcome, probability = made_cases(rows, 3)
    score = np.round(probability, decimals)
    weight = np.random.default_rng(4).uniform(0.2, 3.0, rows) if weighted else None
    ranking = rank(score, outcome, weight=weight)
    summary = ranking.summary()
    false_alarms, sensitivity, _ = roc_curve(
        outcome, score, sample_weight=weight, drop_intermediate=False
    )
    assert summary.auc == pytest.approx(
        roc_auc_score(outcome, score, sample_weight=weight), abs=1e-12
    )
    assert summary.average_precision == pytest.approx(
        average_precision_score(outcome, score, sample_weight=weight), abs=1e-12
    )
    assert summary.ks == pytest.approx(np.abs(sensitivity - false_alarms).max(), abs=1e-12)
    np.testing.assert_allclose(ranking.events / ranking.event_weight, sensitivity[1:], atol=1e-12)
    np.testing.assert_allclose(ranking.others / ranking.others_weight, false_alarms[1:], atol=1e-12)


@pytest.mark.parametrize("decimals", [1, 12])
def test_grid_lies_on_the_full_curve(decimals):
    outcome, probability = made_cases(2 * CHUNK + 77, 5)
    weight = np.random.default_rng(6).uniform(0.5, 2.0, len(outcome))
    ranking = rank(np.round(probability, decimals), outcome, weight=weight)
    summary = ranking.summary()
    depth = np.concatenate([[0.0], ranking.group_depth / ranking.group_depth[-1]])
    found = np.concatenate([[0.0], ranking.events / ranking.event_weight])
    rows = np.concatenate([[0], ranking.group_ends])
    np.testing.assert_allclose(
        summary.class_share[0], np.interp(DEPTH_GRID, depth, found), atol=1e-12
    )
    np.testing.assert_allclose(summary.cases, np.interp(DEPTH_GRID, depth, rows), atol=1e-6)


def test_a_group_longer_than_a_chunk():
    rows = 3 * CHUNK
    outcome = np.arange(rows) % 5 == 0
    score = np.where(np.arange(rows) < 10, 1.0, 0.5)
    summary = rank(score, outcome).summary()
    assert summary.auc == pytest.approx(roc_auc_score(outcome, score), abs=1e-12)
    assert summary.class_share[0, 500] == pytest.approx(0.5, abs=1e-4)


def test_placements_average_to_the_area():
    outcome, probability = made_cases(3_000, 8)
    ranking = rank(np.round(probability, 2), outcome)
    placements = ranking.placements()
    area = ranking.summary().auc
    assert placements[outcome == 1].mean() == pytest.approx(area, abs=1e-12)
    assert placements[outcome == 0].mean() == pytest.approx(area, abs=1e-12)


def test_prior_weights_keep_the_number_of_cases():
    frequency = np.array([2753.0, 8359.0])
    factor = prior_factor(frequency, np.array([0.05, 0.95]))
    np.testing.assert_allclose(factor, [0.2018162005, 1.2628783347], atol=1e-9)
    assert frequency @ factor == pytest.approx(frequency.sum())


def test_a_prior_for_an_absent_class_is_refused():
    with pytest.raises(PayoffError, match="no row"):
        prior_factor(np.array([0.0, 5.0]), np.array([0.5, 0.5]))


def test_priors_move_the_depth_not_the_area():
    outcome, probability = made_cases(4_000, 9)
    plain = rank(probability, outcome).summary()
    weighted = rank(probability, outcome, factor=np.array([0.2, 1.3])).summary()
    assert weighted.auc == pytest.approx(plain.auc, abs=1e-12)
    assert weighted.cases[100] > plain.cases[100] + 10
    assert weighted.average_precision < plain.average_precision


def test_one_class_is_refused():
    with pytest.raises(PayoffError, match="needs both"):
        rank([0.1, 0.2], [0, 0])


scored = st.lists(
    st.tuples(st.integers(0, 12), st.booleans(), st.integers(1, 3)), min_size=2, max_size=60
).filter(lambda rows: len({is_event for _, is_event, _ in rows}) == 2)


def summary_of(rows, weight=None):
    score = np.array([value for value, _, _ in rows], dtype=float)
    outcome = np.array([is_event for _, is_event, _ in rows], dtype=int)
    return rank(score, outcome, weight=weight).summary(np.linspace(0, 1, 21))


def same(first, second):
    assert first.auc == pytest.approx(second.auc, abs=1e-12)
    assert first.ks == pytest.approx(second.ks, abs=1e-12)
    assert first.average_precision == pytest.approx(second.average_precision, abs=1e-12)
    np.testing.assert_allclose(first.class_share, second.class_share, atol=1e-9)


@settings(max_examples=60, deadline=None)
@given(rows=scored)
def test_weight_two_is_the_row_twice(rows):
    repeated = [row for row in rows for _ in range(row[2])]
    weight = np.array([times for _, _, times in rows], dtype=float)
    same(summary_of(rows, weight), summary_of(repeated))


@settings(max_examples=60, deadline=None)
@given(rows=scored, data=st.data())
def test_row_order_changes_nothing(rows, data):
    same(summary_of(rows), summary_of(data.draw(st.permutations(rows))))


@settings(max_examples=60, deadline=None)
@given(rows=scored)
def test_monotone_transforms_change_nothing(rows):
    bent = [(np.exp(value / 3.0) - 5.0, is_event, 1) for value, is_event, _ in rows]
    same(summary_of(rows), summary_of(bent))


@settings(max_examples=60, deadline=None)
@given(rows=scored)
def test_swapping_classes_mirrors_the_area(rows):
    swapped = [(value, not is_event, 1) for value, is_event, _ in rows]
    assert summary_of(swapped).auc == pytest.approx(1.0 - summary_of(rows).auc, abs=1e-12)
