"""What page Models says and draws of predicted quantiles and of a training; no window."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.document.model import TreeRule
from core.document.studies.models import LearnedResult, TreeChoice
from core.document.training_results import TrainingCurves
from core.document.wording import NBSP
from core.presentation.charts.reading import aside_words, place_words
from core.presentation.labels import Labels, ModelStyle, TreesStyle
from core.presentation.models.learning import (
    Learning,
    Rival,
    falling_words,
    kept_learning,
    learned,
    learning_chart,
    worth_words,
)
from core.presentation.models.quantiles import shown_ranges
from core.presentation.report.page import entry_html
from tests.helpers.answers.ranges import ranges_of

LABELS = Labels(models=(ModelStyle(name="gbm 1", series=3),))


def test_a_fan_of_ranges_with_outcomes_as_points():
    view = shown_ranges(ranges_of(), LABELS)
    fan, _ = view.charts
    assert [entry.name for entry in fan.series] == [
        f"5{NBSP}% to 95{NBSP}%",
        f"16.25{NBSP}% to 83.75{NBSP}%",
        f"27.5{NBSP}% to 72.5{NBSP}%",
        f"38.75{NBSP}% to 61.25{NBSP}%",
        "median",
    ]
    widest = fan.series[0]
    assert (widest.high > widest.low).all()
    assert {entry.series for entry in fan.series} == {3}
    assert f"{400 - len(fan.points[0].x)} lie beyond" in fan.subtitle  # no outcome is lost unsaid
    assert f"90.0{NBSP}% promised, 88.0{NBSP}% held" in view.sentences[0]
    assert view.tables[0].texts()[0][:3] == (
        *(f"5{NBSP}% to 95{NBSP}%", f"90.0{NBSP}%", f"88.0{NBSP}%"),
    )
    assert view.subtitle == "validation rows, 20,000 of 90,000"


def said_at(chart, x):
    """The names of what is read at a place."""
    return [aside.name for aside in chart.asides if aside.name and aside_words(aside, x)]


def test_the_ranges_of_some_cases_are_read():
    answer = ranges_of()
    fan, _ = shown_ranges(answer, LABELS).charts
    assert list(fan.stops) == list(answer.share)
    read = {aside.name: aside_words(aside, answer.share[90]) for aside in fan.asides}
    assert list(read) == ["median", *(entry.name for entry in fan.series[:-1])]
    assert read["median"] == f"{answer.fan[4, 90]:.4g}"
    wide = read[f"5{NBSP}% to 95{NBSP}%"]
    assert wide == f"{answer.fan[0, 90]:.4g} – {answer.fan[8, 90]:.4g}"
    assert place_words(fan, answer.share[90]).endswith(f"{NBSP}% of the cases")


def test_coverage_stands_beside_what_was_promised():
    answer = ranges_of()
    _, coverage = shown_ranges(answer, LABELS).charts
    (line,) = coverage.series
    assert list(line.y) == list(answer.below)
    assert coverage.baselines[0].name == "as promised"
    assert "is to hold 90" in coverage.notes[0]
    assert "held 88" in coverage.notes[0]
    last = coverage.stops[-1]
    assert place_words(coverage, last) == f"quantile 95{NBSP}%"
    assert said_at(coverage, last) == ["gbm 1", f"5{NBSP}% to 95{NBSP}%", "wanted"]
    assert said_at(coverage, coverage.stops[4]) == ["gbm 1"]  # the median ends no range
    trained_on = shown_ranges(replace(answer, is_fresh=False), LABELS)
    assert "flatter" in trained_on.charts[1].subtitle


@pytest.mark.parametrize(("lowest", "begins"), [(-0.2, 0.0), (-20.0, -20.0)])
def test_an_axis_that_begins_a_little_below_nothing_begins_at_nothing(lowest, begins):
    answer = ranges_of()
    fan = answer.fan.copy()
    fan[0, 0] = lowest
    chart, _ = shown_ranges(replace(answer, fan=fan), LABELS).charts
    assert chart.y_axis.low == begins


def test_a_model_of_one_quantile_has_no_range():
    view = shown_ranges(replace(ranges_of(), ranges=()), LABELS)
    assert view.sentences == ()
    assert view.tables[0].rows == ()
    assert entry_html(view).text.count("<svg") == 2


# ---------------------------------------------------------------- a training

TREES = np.arange(1.0, 101.0)
FALLING = np.linspace(1.0, 0.2, 100)


def training(**changes) -> Learning:
    known = {
        "model": "gbm 1",
        "series": 2,
        "loss": "deviance",
        "wanted": 200,
        "trees": TREES,
        "training": FALLING,
        "validation": 0.5 + np.abs(TREES - 40.0) / 100.0,
        "out_of_bag": np.full(100, np.nan),
        "folds": np.full(100, np.nan),
        "best": 40,
        "subtitle": "100 trees",
    }
    return Learning(**(known | changes))


def answer(**changes) -> LearnedResult:
    """What the engine says of a model of 100 trees, judged on test rows at every tenth."""
    nothing = np.full(100, np.nan)
    points = np.arange(10.0, 101.0, 10.0)
    known = {
        "model": "gbm 1",
        "curves": TrainingCurves(
            model="gbm 1", trees=TREES, train=FALLING, valid=0.5 + np.abs(TREES - 40.0) / 100.0,
            oob=nothing, watched=nothing, crossed=nothing, deviance_words="deviance", done=100,
            wanted=100,
        ),
        "choices": (
            TreeChoice(rule=TreeRule.VALIDATION, trees=40),
            TreeChoice(rule=TreeRule.FOLDS, trees=0, why_not="The model was not cross-validated."),
        ),
        "points": points,
        "loss": 0.6 + np.abs(points - 60.0) / 100.0,
        "profit": 1000.0 - np.abs(points - 60.0),
        "rows_text": "300 test rows",
    }  # fmt: skip
    return LearnedResult(**(known | changes))


def looks(used=40, mark="best") -> Labels:
    return Labels(
        models=(ModelStyle(name="gbm 1", series=2),),
        trees=(TreesStyle(model="gbm 1", used=used, mark=mark),),
    )


def test_how_a_model_learned_with_its_best_tree():
    chart = learning_chart(training())
    assert [(line.name, line.is_chosen) for line in chart.series] == [
        *(("validation", True), ("training", False)),
    ]
    (mark,) = chart.baselines
    assert (mark.name, mark.x[0]) == ("best: tree 40", 40.0)
    assert (chart.x_axis.high, chart.y_axis.low) == (200.0, pytest.approx(0.2 - 0.06 * 0.9))


def test_a_finished_model_with_what_it_brings_by_trees():
    view = learned(answer(), looks())
    assert (view.key, view.title) == ("gbm 1", "How gbm 1 learned")
    assert view.subtitle == "100 trees, the first 40 are used"
    assert view.sentences == (f"€{NBSP}980 on 300 test rows with 40 trees.",)
    assert view.tables[0].rows == (
        ("Validation rows", "40", f"€{NBSP}980"),
        ("Folds", "The model was not cross-validated.", ""),
    )
    curves, profit = view.charts
    assert [line.name for line in curves.series] == ["validation", "test", "training"]
    assert profit.series[0].y.max() == 1000.0
    assert entry_html(view).text.count("<svg") == 2


@pytest.mark.parametrize(
    ("mark", "head", "said"),
    [
        ("by hand", "by hand: tree 60", "the first 60 are used, chosen by hand"),
        ("out of bag", "out of bag: tree 60", "the first 60 are used, chosen out of bag"),
        ("lowest on test rows", "lowest on test rows: tree 60", "chosen on the test rows"),
        ("", "", "100 trees, all used"),
    ],
)
def test_only_rows_that_did_not_train_choose_the_best(mark, head, said):
    view = learned(answer(), looks(60 if mark else 100, mark))
    assert [line.name for line in view.charts[0].baselines] == ([head] if head else [])
    assert said in view.subtitle
    assert "best" not in view.subtitle


def test_what_another_number_would_bring():
    learning = kept_learning(answer(), 2, TreesStyle(model="gbm 1", used=40, mark="best"))
    assert learning.tried(57) == 60
    words = worth_words(learning, looks(), 60)
    assert words.replace(NBSP, " ") == (
        "€ 1,000 on 300 test rows with 60 trees, € 20 more than with the 40 in use."
    )
    assert worth_words(learning, looks(), 57) == ""


def test_a_loss_that_still_falls_is_said():
    assert not falling_words(kept_learning(answer(), 2, looks().trees[0]))
    curves = replace(answer().curves, valid=FALLING)
    learning = kept_learning(answer(curves=curves), 2, looks().trees[0])
    assert falling_words(learning) == "The validation loss still falls at the last tree."


def test_a_training_that_runs_and_its_rival():
    rival = Rival(name="logit", series=1, deviance=0.42)
    chart = learning_chart(training(is_running=True, rival=rival))
    assert chart.title == "Is gbm 1 still learning?"
    assert chart.series[0].name == "logit"
    assert [mark.name for mark in chart.baselines] == [
        *("best so far: tree 40", "logit at its best: 0.4200"),
    ]


@pytest.mark.parametrize("changes", [{"best": 0}, {"best": 120}, {"watched": "folds"}])
def test_no_tree_is_called_the_best_where_none_is_known(changes):
    assert learning_chart(training(**changes)).baselines == ()


def test_no_loss_below_zero_has_room_below_it():
    high = learning_chart(training()).y_axis
    assert high.low is not None
    assert high.low > 0.0
    low = learning_chart(training(training=tuple(0.001 * k for k in range(5)))).y_axis
    assert low.low == 0.0
