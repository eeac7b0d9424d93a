"""Charts of an evaluation are worked out when they are asked for, and move no figure."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import payoff
from core.evaluation.charts.plugin_curves import PluginCurves
from core.evaluation.ranked.ranking import RankedSample


@pytest.fixture
def scored() -> pd.DataFrame:
    random = np.random.default_rng(2)
    score = random.random(600)
    return pd.DataFrame({"y": (random.random(600) < score).astype(int), "p": score})


def judged(table, **settings):
    wanted = ["auc", "ks", "brier"]
    return payoff.evaluate(table, outcome="y", scores="p", metrics=wanted, **settings)


@pytest.mark.parametrize("resamples", [0, 64])
def test_no_chart_is_made_before_one_is_asked_for(scored, monkeypatch, resamples):
    made = []
    first = PluginCurves.__init__
    monkeypatch.setattr(
        PluginCurves, "__init__", lambda self, host: (made.append(host), first(self, host))[1]
    )
    found = judged(scored, resamples=resamples, intervals=resamples > 0)
    assert found.value("auc", "p") > 0.5
    assert not found.figures.charts
    assert not made
    assert found.result.charts
    assert found.result is found.result
    assert len(made) == 1


@pytest.mark.parametrize("resamples", [0, 64])
def test_figures_are_the_same_with_charts_to_the_last_bit(scored, resamples):
    found = judged(scored, resamples=resamples, intervals=resamples > 0)
    for one, other in zip(found.figures.cells, found.result.cells, strict=True):
        assert (one.metric, one.model) == (other.metric, other.model)
        np.testing.assert_array_equal(
            [one.estimate.value, one.estimate.low, one.estimate.high],
            [other.estimate.value, other.estimate.low, other.estimate.high],
        )
    assert found.figures.warnings == found.result.warnings


@pytest.mark.parametrize("name", ["roc", "gains", "lift", "precision_recall"])
def test_a_curve_is_the_same_points_with_a_band_and_without(scored, name):
    banded = judged(scored, resamples=64).curve(name, "p")
    plain = judged(scored, intervals=False).curve(name, "p")
    columns = ["x", "y", "threshold"]
    pd.testing.assert_frame_equal(plain[columns], banded[columns])
    assert plain["low"].isna().all()
    assert banded["low"].notna().any() == (name != "precision_recall")


def test_calibration_by_groups_needs_no_resamples(scored):
    table = judged(scored, intervals=False).curve("calibration", "p")
    assert table[["low", "high"]].notna().all().all()


def test_curves_take_over_the_sort_of_the_figures(scored, monkeypatch):
    sorts = []
    first = RankedSample.__init__
    monkeypatch.setattr(
        RankedSample,
        "__init__",
        lambda self, *given, **named: (sorts.append(1), first(self, *given, **named))[1],
    )
    found = judged(scored, intervals=False)
    made = len(sorts)
    names = ("roc", "gains", "lift", "precision_recall")
    curves = {name: found.curve(name, "p") for name in names}
    assert len(sorts) == made > 0
    for name, curve in curves.items():
        kept = curve.copy()
        curve.iloc[:, :] = -1.0  # a script may write into its table
        pd.testing.assert_frame_equal(found.curve(name, "p"), kept)
