"""Read-outs at the cursor: the engine's exact values where they belong, else the curve's."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.document.results import CursorReading
from core.presentation.charts.depths import DepthReader, ExactPoint, between
from tests.helpers.answers.synthetic import make_decisions, make_evaluation


def reading_at(decisions, depth: float, share: float, cases: int, threshold: float):
    """A reading in which every model found the same share of every class."""
    models = tuple(entry.model for entry in decisions.models)
    count, classes = len(models), len(decisions.levels)
    return CursorReading(
        depth=depth,
        models=models,
        cases=np.full(count, cases),
        threshold=np.full(count, threshold),
        profit=np.zeros(count),
        low=np.zeros(count),
        high=np.zeros(count),
        class_cases=np.full((count, classes), share) * decisions.class_weight,
    )


def test_an_exact_value_is_taken_only_between_the_points_around_it():
    x, y = np.linspace(0, 1, 11), np.linspace(0, 10, 11)
    assert between(x, y, 0.55, 5.2) == 5.2
    assert between(x, y, 0.55, 9.0) == pytest.approx(5.5)
    assert between(x, y, 0.55, float("nan")) == pytest.approx(5.5)


def test_the_share_found_is_the_engines():
    decisions, result = make_decisions(), make_evaluation()
    depths = result.depths[0]
    row = result.class_levels.index(result.level)
    spot = len(depths.depth) // 3
    at = float(depths.depth[spot] + depths.depth[spot + 1]) / 2
    exact = float(depths.class_share[row][spot]) + 1e-5
    reading = reading_at(decisions, at, exact, round(float(depths.cases[spot])), 0.5)
    point = ExactPoint.of(reading, decisions, is_reversed=False)
    assert DepthReader(result, point).share(depths, at) == pytest.approx(exact)
    assert DepthReader(result, point).share(depths, at + 0.01) != pytest.approx(exact)
    assert DepthReader(result).share(depths, at) != pytest.approx(exact, abs=1e-12)


def test_a_reading_from_the_lowest_chances_is_turned_round():
    decisions = make_decisions()
    reading = reading_at(decisions, 0.3, 0.2, 6000, 0.1)
    point = ExactPoint.of(reading, decisions, is_reversed=True)
    assert point.depth == pytest.approx(0.7)
    assert point.share == pytest.approx(0.8)
    assert point.cases[0] == float(np.sum(decisions.class_counts)) - 6000


def test_other_classes_are_not_mistaken():
    decisions, result = make_decisions(), make_evaluation()
    renamed = replace(decisions, levels=tuple(f"other {name}" for name in decisions.levels))
    point = ExactPoint.of(reading_at(renamed, 0.5, 0.77, 9, 0.5), renamed, is_reversed=False)
    depths = result.depths[0]
    assert DepthReader(result, point).share(depths, 0.5) == DepthReader(result).share(depths, 0.5)


def perfect_ranking(cases: int, events: int):
    """An evaluation of a ranking in which all events come first, on the common grid of depths."""
    result = make_evaluation()
    depth = np.linspace(0.0, 1.0, 1001)
    rest = cases - events
    shares = np.zeros((len(result.class_levels), len(depth)))
    event = result.class_levels.index(result.level)
    shares[event] = np.minimum(depth * cases / events, 1.0)
    shares[1 - event] = np.maximum(depth * cases - events, 0.0) / rest
    weight = np.zeros(len(shares))
    weight[event], weight[1 - event] = events, rest
    depths = replace(result.depths[0], depth=depth, cases=depth * cases, class_share=shares)
    return replace(result, class_weight=weight, depths=(depths,)), depths


def test_above_the_cursor_are_whole_cases():
    """Of 1,143 cases a depth of 18.5 % is 211.455: nobody but the 211 events is above it."""
    result, depths = perfect_ranking(cases=1143, events=211)
    reader = DepthReader(result)
    assert reader.others(depths, 0.185) > 0.0004  # part of the next case
    assert reader.whole_shares(depths, 0.185) == (1.0, 0.0)
    assert reader.whole_shares(depths, 0.1)[0] == pytest.approx(114 / 211)
    assert reader.whole_shares(depths, 0.5)[1] == pytest.approx((571 - 211) / 932)
    assert reader.whole_shares(depths, 1.0) == (1.0, 1.0)
    weighted = replace(result, class_weight=np.array([0.3, 0.7]) * 1143)
    found = DepthReader(weighted).whole_shares(depths, 0.185)
    assert found == (reader.share(depths, 0.185), pytest.approx(reader.others(depths, 0.185)))
