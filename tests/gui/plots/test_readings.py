"""Read-outs at the cursor: the engine's exact values where they belong, else the curve's."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.document.results import CursorReading
from gui.plots.readings import DepthReader, ExactPoint, between
from tests.gui.synthetic import make_decisions, make_evaluation


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
