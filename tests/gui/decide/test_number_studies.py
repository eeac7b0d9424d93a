"""Tabs What-if, Break-even and Winner map: what they ask, what they show, what they write."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from core.document.decisions.matrix_model import NumberSetting
from core.presentation.charts.reading import area_point, area_words
from core.questions.decide import WinnerMap
from gui.pages.decide.studies.break_even import BreakEvenStudy
from gui.pages.decide.studies.what_if import WhatIfStudy
from gui.pages.decide.studies.winner_map import WinnerMapStudy
from payoff.errors import PayoffError
from tests.gui.decide.number_studies import LETTER, MAIL, open_tab
from tests.helpers.answers.synthetic import MODELS
from tests.helpers.harness import DecideHarness

# ------------------------------------------------------------------ break-even


def test_break_even_asks_again_for_decisions_that_are_kept(
    harness: DecideHarness, qtbot: QtBot
) -> None:
    study = open_tab(harness, BreakEvenStudy)
    qtbot.waitUntil(lambda: study.view is not None)
    table = study.panel.tables[0]
    assert [row[0].text for row in table.figures.content.rows] == [
        "Mail, responds",
        "Do nothing, responds",
        "Mail, does not respond",
        "Do nothing, does not respond",
    ]
    assert "stops paying first" in study.panel.sentences[0].text()
    study.form.editor("is_kept").press(1)
    qtbot.waitUntil(lambda: "keeps its present decision" in study.panel.notes.text())
    assert table.figures.content.rows[0][2].text == "never"


def test_break_even_asks_again_when_the_matrix_changes_and_only_then(
    harness: DecideHarness, qtbot: QtBot
) -> None:
    study = open_tab(harness, BreakEvenStudy)
    qtbot.waitUntil(lambda: study.view is not None)
    before = len(harness.engine.arguments_of("decide.break_even"))
    harness.move(0.4)
    harness.session.project.execute(edit(30.0))
    harness.show()
    qtbot.waitUntil(lambda: len(harness.engine.arguments_of("decide.break_even")) == before + 1)


def edit(value: float) -> object:
    from core.document.decisions.commands import EditCell

    return EditCell(level="1", decision="Mail", value=value)


def test_a_refusal_takes_the_place_of_the_table(harness: DecideHarness, qtbot: QtBot) -> None:
    def refuse(_requested: object) -> object:
        raise PayoffError("Totals cannot be worked out.", remedy="Choose other rows.")

    study = open_tab(harness, BreakEvenStudy)
    harness.engine.answers["decide.break_even"] = refuse
    qtbot.waitUntil(lambda: "Choose other rows" in study.message.text())


# ------------------------------------------------------------------ winner map


def test_the_map_shows_winners_the_present_point_and_reads_a_point(
    harness: DecideHarness, qtbot: QtBot
) -> None:
    study = open_tab(harness, WinnerMapStudy)
    qtbot.waitUntil(lambda: study.view is not None)
    chart = study.panel.charts[0].view.spec
    assert chart is not None
    assert chart.regions is not None
    assert chart.regions.now == (24.0, -1.6)
    assert chart.x_axis.label == "Mail, responds, €"
    assert "doing nothing" in chart.regions.names
    assert "mailing all" in chart.regions.names
    assert "Now: gbm 2" in study.panel.sentences[0].text()
    assert area_point(chart, chart.x_axis.high, chart.y_axis.high) == (20, 20)
    words = area_words(chart, 20, 10)
    result = study.answer
    assert result is not None
    assert f"€\u00a0{result.x_values[20]:.2f}" in words
    assert "ahead of" in words
    assert "Exact for all 3,000 rows." in study.panel.notes.text()
    assert len(study.panel.tables[0].figures.content.rows) == len(chart.regions.names)


def test_the_map_is_read_by_pointer_and_keys(harness: DecideHarness, qtbot: QtBot) -> None:
    study = open_tab(harness, WinnerMapStudy)
    qtbot.waitUntil(lambda: study.view is not None)
    card, reading = study.panel.charts[0], study.panel.reading
    chart = card.view.spec
    assert chart is not None
    QTest.keyClick(card.view, Qt.Key.Key_Right)
    assert reading.text() == area_words(chart, 11, 10)
    QTest.keyClick(card.view, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    assert reading.text() == area_words(chart, 11, 0)
    assert card.view.accessibleDescription() == reading.text()
    layout = card.view.chart_layout
    assert layout is not None
    card.view.hovered.emit(layout.x_high, layout.y_high)
    assert reading.text() == area_words(chart, 20, 20)


def test_other_axes_and_ranges_are_asked_for(harness: DecideHarness, qtbot: QtBot) -> None:
    study = open_tab(harness, WinnerMapStudy)
    qtbot.waitUntil(lambda: study.answer is not None)
    across = study.form.editor("x")
    across.setCurrentIndex(2)  # what the other axis shows: they change places
    across.activated.emit(2)
    qtbot.waitUntil(lambda: study.answer is not None and study.answer.x.number == LETTER)
    assert study.answer is not None
    assert study.answer.y.number == MAIL
    study.form.editor("x_low").choose(-4.0)
    qtbot.waitUntil(lambda: study.answer is not None and study.answer.x.low == -4.0)
    requested = harness.engine.arguments_of("decide.winner_map")[-1]
    assert isinstance(requested, WinnerMap)
    assert requested.x is not None
    assert requested.x.number == LETTER


def test_a_refused_range_can_be_mended_where_it_was_typed(
    harness: DecideHarness, qtbot: QtBot
) -> None:
    study = open_tab(harness, WinnerMapStudy)
    qtbot.waitUntil(lambda: study.answer is not None)
    answer = harness.engine.answers["decide.winner_map"]

    def refuse(requested: WinnerMap) -> object:
        if requested.x is not None and requested.x.low > requested.x.high:
            raise PayoffError("The range is empty.", remedy="Type a smaller lowest value.")
        return answer(requested)

    harness.engine.answers["decide.winner_map"] = refuse
    field = study.form.editor("x_low")
    low = field.value()
    field.choose(1e6)
    qtbot.waitUntil(lambda: "smaller lowest" in study.problem.text())
    assert study.problem.isVisible()
    assert field.isVisible()
    assert field.value() == 1e6
    assert study._veil.is_drawn  # the figures are of the range before
    field.choose(low)
    qtbot.waitUntil(lambda: not study.problem.isVisible())
    qtbot.waitUntil(lambda: not study._veil.is_drawn)


def test_an_axis_that_is_gone_is_forgotten(harness: DecideHarness, qtbot: QtBot) -> None:
    from core.document.decisions.commands import RenameDecision

    study = open_tab(harness, WinnerMapStudy)
    qtbot.waitUntil(lambda: study.answer is not None)
    study.form.editor("x_low").choose(-1.0)
    harness.session.project.execute(RenameDecision(decision="Mail", name="Write"))
    request = study.request_for(harness.document)
    assert isinstance(request, WinnerMap)
    assert request.x is None


# ------------------------------------------------------------------ what-if


@pytest.fixture
def tab(harness: DecideHarness, qtbot: QtBot) -> WhatIfStudy:
    study = open_tab(harness, WhatIfStudy)
    qtbot.waitUntil(lambda: study.result is not None)
    return study


def ask_with(study: WhatIfStudy, qtbot: QtBot, name: str, value: float) -> None:
    before = study.result
    study.slider(name).set_value(value)
    qtbot.waitUntil(lambda: study.result is not before)


def test_a_slider_moves_every_total_and_writes_nothing(
    harness: DecideHarness, tab: WhatIfStudy, qtbot: QtBot
) -> None:
    before = harness.document
    ask_with(tab, qtbot, "Mail, responds", 18.0)
    assert harness.document == before
    assert tab.settings() == (NumberSetting(number=MAIL, value=18.0),)
    row = tab.panel.tables[0].figures.content.rows[0]
    assert row[0].text == MODELS[0]
    assert row[3].text.startswith("−")
    assert "above 9 %" in tab.panel.sentences[0].text()


def test_the_slider_itself_asks(tab: WhatIfStudy, qtbot: QtBot) -> None:
    slider = tab.slider("Mail, responds")
    before = tab.result
    slider.slider.setValue(50)  # a quarter of 0 to 48
    assert slider.value == pytest.approx(12.0)
    qtbot.waitUntil(lambda: tab.result is not before)
    slider.slider.setValue(100)
    assert not slider.is_tried  # near the present value it snaps to it
    slider.field.setText("99")
    slider.field.editingFinished.emit()
    assert slider.value == 99.0
    assert slider.slider.value() == 200


def test_a_share_of_an_amount_is_said_in_percent_and_may_be_a_loss(
    harness: DecideHarness, tab: WhatIfStudy, qtbot: QtBot
) -> None:
    """The cell was money when its slider was made."""
    result = tab.result
    assert result is not None
    share = replace(result.numbers[0], unit="share", now=-0.05, low=-0.1, high=0.0)
    tab.show_answer(harness.document, replace(result, numbers=(share, *result.numbers[1:])))
    slider = tab.slider(share.name)
    assert slider.field.text() == "−5.00\u00a0%"
    slider.field.setText("-60%")
    slider.field.editingFinished.emit()
    assert slider.value == pytest.approx(-0.6)


def test_a_number_of_another_name_is_called_so(harness: DecideHarness, tab: WhatIfStudy) -> None:
    result = tab.result
    assert result is not None
    renamed = replace(result.numbers[0], name="call, responds")
    tab.show_answer(harness.document, replace(result, numbers=(renamed, *result.numbers[1:])))
    slider = tab.slider("call, responds")
    assert slider.label.text() == slider.field.accessibleName() == "Call, responds"


def test_what_is_tried_stays_where_numbers_come_or_go(
    harness: DecideHarness, tab: WhatIfStudy
) -> None:
    result = tab.result
    assert result is not None
    tab.slider("Mail, responds").set_value(18.0)
    for numbers in (result.numbers[:-1], result.numbers):
        former = tab.slider("Mail, responds")
        tab.show_answer(harness.document, replace(result, numbers=numbers))
        assert tab.slider("Mail, responds") is not former
        assert tab.slider("Mail, responds").value == 18.0


def test_other_numbers_leave_one_that_is_being_typed(
    harness: DecideHarness, tab: WhatIfStudy, qtbot: QtBot
) -> None:
    result, field = tab.result, tab.slider("Mail, responds").field
    assert result is not None
    tab.window().activateWindow()
    field.setFocus()
    qtbot.waitUntil(field.hasFocus)
    field.selectAll()
    qtbot.keyClicks(field, "1")
    tab.show_answer(harness.document, replace(result, numbers=result.numbers[:-1]))
    qtbot.keyClicks(field, "8")
    assert field.text() == "18"
    qtbot.keyClick(field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: tab.slider("Mail, responds").field is not field)
    assert tab.slider("Mail, responds").value == 18.0


def test_using_the_numbers_is_one_undo_step(
    harness: DecideHarness, tab: WhatIfStudy, qtbot: QtBot
) -> None:
    ask_with(tab, qtbot, "Mail, responds", 18.0)
    ask_with(tab, qtbot, "Mail, does not respond", -3.0)
    before = harness.document
    tab.use_button.click()
    assert harness.document.matrix is not None
    assert harness.document.matrix.cells == ((18.0, 0.0), (-3.0, 0.0))
    harness.session.project.undo()
    assert harness.document == before


def test_scenarios_stand_side_by_side(
    harness: DecideHarness, tab: WhatIfStudy, qtbot: QtBot
) -> None:
    ask_with(tab, qtbot, "Mail, responds", 18.0)
    tab.keep_scenario("Bad year")
    qtbot.waitUntil(lambda: len(tab.scenarios.figures.content.rows) == 2)
    tab.reset_button.click()
    assert tab.settings() == ()
    tab.choose_scenario("Bad year")
    tab.try_button.click()
    assert tab.settings() == (NumberSetting(number=MAIL, value=18.0),)
    tab.remove_button.click()
    assert harness.document.scenarios == ()
    harness.session.project.undo()
    assert [entry.name for entry in harness.document.scenarios] == ["Bad year"]


def test_buttons_wait_for_something_to_do(tab: WhatIfStudy, qtbot: QtBot) -> None:
    for button in (tab.use_button, tab.keep_button, tab.reset_button, tab.try_button):
        assert not button.isEnabled()
    ask_with(tab, qtbot, "Mail, responds", 18.0)
    assert tab.use_button.isEnabled()
    tab.slider("Mail, responds").back.click()
    assert not tab.use_button.isEnabled()


def test_a_narrow_tab_leaves_columns_out(harness: DecideHarness, tab: WhatIfStudy) -> None:
    assert len(tab.panel.tables[0].figures.content.columns) == 8
    harness.page.resize(1100, 700)
    assert len(tab.panel.tables[0].figures.content.columns) == 5
