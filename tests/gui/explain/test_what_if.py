"""A case's inputs are dragged: the newest is asked, the point follows, and all goes back."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from core.document.studies.models import CaseInput, FoundCase
from core.presentation.labels import Labels
from core.presentation.models.explain import case_what_if as case_what_if_view
from core.presentation.models.explain import decision_sentence, no_change_sentence
from core.questions.explain import CaseWhatIf
from gui.pages.explain.input_row import STEPS, InputRow
from gui.pages.explain.widget import ExplainPage
from tests.helpers.answers.models import (
    case_what_if,
    one_case,
)
from tests.helpers.fake_engine import FakeEngine

KIND = "explain.what_if"


def answer(page: ExplainPage, engine: FakeEngine, qtbot: QtBot, **changes: object) -> CaseWhatIf:
    requested = engine.last(KIND)
    question = requested.arguments.question
    assert isinstance(question, CaseWhatIf)
    with qtbot.waitSignal(page.session.jobs.job_ended, timeout=2000):
        engine.answer(requested.job, case_what_if(question, **changes))
    return question


def opened(page: ExplainPage, engine: FakeEngine, qtbot: QtBot) -> None:
    page.choose_view("what_if")
    answer(page, engine, qtbot)  # which inputs there are
    assert answer(page, engine, qtbot).along == "orders_12m"  # the strongest, with its curve


def test_nothing_is_begun_that_nobody_asked_for(
    page: ExplainPage, engine: FakeEngine, qtbot: QtBot
) -> None:
    assert engine.of_kind(KIND) == []
    requested = len(engine.of_kind("explain.model"))
    opened(page, engine, qtbot)
    assert len(engine.of_kind(KIND)) == 2
    assert len(engine.of_kind("explain.model")) == requested  # no influence, curve or map beside it
    assert engine.of_kind("explain.one_case") == []
    assert engine.of_kind("decide.totals") == []


def test_a_drag_asks_for_the_newest_only(
    page: ExplainPage, engine: FakeEngine, qtbot: QtBot
) -> None:
    opened(page, engine, qtbot)
    slider = page.what_if.rows["orders_12m"].slider
    assert slider is not None
    assert slider.mark == 3 * STEPS // 100
    before = len(engine.of_kind(KIND))
    for step in range(100, 600, 10):
        slider.setValue(step)
    assert len(engine.of_kind(KIND)) == before + 1  # one is under way, the newest waits
    answer(page, engine, qtbot)
    assert page.what_if.rows["orders_12m"].value == 59.0  # the hand keeps it
    assert answer(page, engine, qtbot).inputs == (("orders_12m", "59.0"),)
    view = page.what_if.view
    assert view is not None
    assert view.figure == "90.0\u00a0%"
    assert view.sentences[0].startswith("Its decision becomes “Mail” instead of “Skip”")
    assert "Changed: orders_12m from 3 to 59.0." in view.sentences
    assert len(engine.of_kind(KIND)) == before + 2
    page.what_if.reset_button.click()
    assert answer(page, engine, qtbot).inputs == ()
    assert not page.what_if.reset_button.isEnabled()
    assert page.what_if.view is not None
    assert page.what_if.view.sentences[1].startswith("Nothing is changed")


def test_the_point_is_dragged_along_its_curve(
    page: ExplainPage, engine: FakeEngine, qtbot: QtBot
) -> None:
    opened(page, engine, qtbot)
    chart = page.what_if.panel.charts[1]
    assert chart.place == pytest.approx(3.0)
    layout = chart.view.chart_layout
    assert layout is not None
    place = layout.plot.center().toPoint()
    QTest.mousePress(chart.view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    QTest.mouseRelease(chart.view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    wanted = round(layout.from_x(place.x()))
    assert page.what_if.rows["orders_12m"].value == wanted
    assert answer(page, engine, qtbot).inputs == (("orders_12m", repr(float(wanted))),)
    assert chart.place == pytest.approx(wanted, abs=0.5)


def test_a_level_and_a_missing_value_are_tried(
    page: ExplainPage, engine: FakeEngine, qtbot: QtBot
) -> None:
    opened(page, engine, qtbot)
    region, age = page.what_if.rows["region"], page.what_if.rows["age"]
    assert region.levels is not None
    region.levels.setCurrentIndex(1)
    region.levels.activated.emit(1)
    question = answer(page, engine, qtbot)
    assert (question.inputs, question.along) == ((("region", "south"),), "region")
    age.missing.click()
    assert math.isnan(age.value)
    assert dict(answer(page, engine, qtbot).inputs) == {"region": "south", "age": ""}
    age.back.click()
    assert dict(answer(page, engine, qtbot).inputs) == {"region": "south"}


def test_a_slow_search_waits_until_the_hand_rests(
    page: ExplainPage, engine: FakeEngine, qtbot: QtBot
) -> None:
    page.choose_view("what_if")
    answer(page, engine, qtbot, seconds=2.0)
    assert not answer(page, engine, qtbot, seconds=2.0).seeks_flips
    assert answer(page, engine, qtbot, seconds=2.0).seeks_flips
    page.what_if.rows["age"].set_value(50.0)
    assert not answer(page, engine, qtbot).seeks_flips
    assert answer(page, engine, qtbot, seconds=2.0).seeks_flips


def test_a_case_is_chosen_by_id_place_and_from_the_list(
    page: ExplainPage, engine: FakeEngine, qtbot: QtBot
) -> None:
    opened(page, engine, qtbot)
    page.what_if.rows["age"].set_value(50.0)
    page.chooser.id_chosen.emit("c77")
    found = FoundCase(row=77, rows=40_000, id="c77", rank=9, score=0.8, what="chance of responds")
    requested = engine.last("explain.find_case")
    with qtbot.waitSignal(page.session.jobs.job_ended, timeout=2000):
        engine.answer(requested.job, found)
    requested = engine.last("explain.find_case")
    assert requested.arguments.question.case_id == "c77"
    with qtbot.waitSignal(page.session.jobs.job_ended, timeout=2000):
        engine.answer(requested.job, found)
    assert (page.chooser.row.value(), page.chooser.rank.value()) == (78.0, 9.0)
    answer(page, engine, qtbot)
    question = answer(page, engine, qtbot)
    assert (question.row, question.inputs) == (77, ())  # nothing tried of the former case stays
    page.session.case_requested.emit(11)
    assert page.chooser.row.value() == 12.0
    places = []
    page.session.part_requested.connect(lambda page_id, part: places.append((page_id, part)))
    page.chooser.list_button.click()
    assert places == [("decide", "decide.cases")]


def test_the_case_s_own_value_is_read_beside_the_curve(
    page: ExplainPage, engine: FakeEngine, qtbot: QtBot
) -> None:
    opened(page, engine, qtbot)
    slider = page.what_if.rows["orders_12m"].slider
    assert slider is not None
    slider.setValue(500)
    answer(page, engine, qtbot)
    chart = page.what_if.panel.charts[1]
    own = chart.chart.points[0]
    assert (own.name, own.series) == ("at its own value", -1)
    (line,) = [line for line in chart.make_state(chart.cursor_depth).lines if line.name == own.name]
    assert line.value == chart.value_words(own.name, own.y[0])
    assert "%" in line.value


def test_what_no_input_would_change_is_said_as_of_one_case() -> None:
    question = CaseWhatIf(model="gbm 1", row=3, seeks_flips=True)
    tried = replace(case_what_if(question), flips=(), tried_rows=500)
    sentence = case_what_if_view(tried, Labels()).sentences[-1]
    found = replace(one_case(3), changes=(), tried_rows=500)
    assert sentence == no_change_sentence(found)
    assert sentence in decision_sentence(found)


def test_the_field_has_the_digits_of_the_steps(qtbot: QtBot) -> None:
    facts = CaseInput(
        column="delay",
        levels=(),
        low=0.0,
        high=4_000.0,
        is_whole=False,
        own="94.36666666666666",
        tried="94.36666666666666",
        own_value=94.36666666666666,
        tried_value=94.36666666666666,
        influence=0.5,
    )
    row = InputRow(facts, ())
    qtbot.addWidget(row)
    assert row.field is not None
    assert row.field.text() == "94.3667"
    row.go_to(1_234.5678)
    assert row.value == 1_235.0  # the slider's own digits
