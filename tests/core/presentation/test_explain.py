"""What page Explain says and draws of a model; no window."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.presentation.charts.reading import place_words
from core.presentation.labels import Labels, ModelStyle
from core.presentation.making_views import by_question, question_of_entry, show
from core.presentation.models.explain import explained_model
from core.presentation.report.page import entry_html
from core.questions.explain import Explain
from tests.helpers.answers.models import explained

LABELS = Labels(models=(ModelStyle(name="gbm 1", series=2),), levels=(("1", "responds"),))


def plain(text: str) -> str:
    return text.replace("\u00a0", " ")


def test_the_influence_of_every_input_and_what_shuffling_costs():
    view = explained_model(explained(), LABELS)
    assert (view.key, view.title, view.subtitle) == (
        *("gbm 1", "What gbm 1 uses", "2,000 training rows"),
    )
    (table,) = view.tables
    assert table.columns == ("Input", "Influence")
    assert table.texts()[0][0] == "orders_12m"
    assert not view.charts
    shuffled = explained_model(explained(shuffles=True), LABELS)
    (table,) = shuffled.tables
    assert {row[0]: row[2] for row in table.texts()}["age"] == "0.041 ± 0.003"
    assert any("Rise of the loss" in note for note in shuffled.notes)


def test_a_curve_has_band_strokes_and_words():
    view = explained_model(explained(columns=("orders_12m",)), LABELS)
    assert view.key == "gbm 1 orders_12m"
    (chart,) = view.charts
    assert chart.title == view.title == "How does orders_12m change the prediction?"
    assert chart.rug is not None
    assert chart.series[0].low is not None
    assert chart.series[0].series == 2
    assert (chart.y_axis.label, chart.y_axis.quantity) == ("chance of responds", "percent")
    assert "where it is missing (2.1 % of cases): 3.1 %" in plain(chart.subtitle)
    assert place_words(chart, 6.0) == "orders_12m 6"
    assert "middle 80 %" in view.notes[0]
    number = explained_model(explained(columns=("orders_12m",)), replace(LABELS, levels=()))
    assert number.charts[0].y_axis.quantity == "number"


def test_levels_have_bars_from_nothing():
    (chart,) = explained_model(explained(columns=("region",)), LABELS).charts
    assert chart.x_axis.words == ("North", "East", "South", "West")
    assert (chart.series, chart.rug) == ((), None)
    assert chart.bars[0].y[1] == pytest.approx(0.061)
    assert chart.y_axis.low == 0.0
    assert place_words(chart, 3.0) == "region West"
    assert "band" not in chart.definition


def test_a_name_with_braces_is_said_as_it_is():
    answer = explained(columns=("orders_12m",))
    curve = replace(answer.curves[0], column="a{b}")
    (chart,) = explained_model(replace(answer, curves=(curve,)), LABELS).charts
    assert place_words(chart, 6.0) == "a{b} 6"


def test_two_inputs_at_once_and_another_class():
    answer = explained(pairs=(("orders_12m", "last_order"),))
    view = explained_model(answer, LABELS)
    assert view.key == "gbm 1: orders_12m and last_order"
    assert "H = 0.18" in view.charts[0].subtitle
    pair = answer.maps[0]
    twice = replace(
        pair,
        values=np.concatenate([pair.values, 1.0 - pair.values]),
        interaction=np.array([0.18, 0.5]),
    )
    other = replace(answer, maps=(twice,), outputs=("a", "b"), usual_output=1)
    assert "H = 0.50" in explained_model(other, LABELS).charts[0].subtitle


@pytest.mark.parametrize(
    ("former", "now"),
    [
        ("explain/influence gbm 1", "explain/model gbm 1"),
        ("explain/gbm 1 age", "explain/model gbm 1 age"),
        ("explain/pair gbm 1: age and region", "explain/model gbm 1: age and region"),
        ("explain/model gbm 1", "explain/model gbm 1"),
        ("explain/one_case gbm 1, row 3", "explain/one_case gbm 1, row 3"),
        ("models/ranges gbm 1", "models/quantiles gbm 1"),
        ("models/coverage gbm 1", "models/quantiles gbm 1"),
        ("models/learning gbm 1", "models/learning gbm 1"),
    ],
)
def test_entries_of_older_projects_are_named_by_their_question(former, now):
    assert by_question(former) == now


def test_an_entry_says_what_was_asked_and_is_written_with_its_charts():
    question = Explain(model="gbm 1", columns=("orders_12m", "region"))
    view = show(question, explained(columns=question.columns), LABELS)
    assert view.key == "explain/model gbm 1 orders_12m, region"
    assert question_of_entry(view.key, view) == question
    assert entry_html(view).text.count("<svg") == 2
