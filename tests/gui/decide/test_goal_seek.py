"""The large figure is dragged or a total typed; a row is tried, and Ctrl+Z brings it back."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from core.document.commands import MoveCursor
from core.document.data.model import RowUse
from core.questions.decide import GoalSeek
from gui.pages.decide.matrix.cell_drag import PIXELS, stepped
from gui.pages.decide.studies.goal_seek import GoalSeekStudy
from tests.helpers.factories.goal_seek import costly, mailing
from tests.helpers.factories.scored import scored_columns, scored_document, write_csv
from tests.helpers.harness import RealDecideHarness

NONE, LEFT = Qt.KeyboardModifier.NoModifier, Qt.MouseButton.LeftButton


@pytest.fixture
def desk(real_desk: RealDecideHarness, qtbot: QtBot, tmp_path: Path) -> RealDecideHarness:
    real_desk.open(write_csv(tmp_path / "scored.csv", scored_columns(rows=1_500)))
    data = real_desk.session.project.document.data
    assert data is not None
    real_desk.take(scored_document(data, reference_model="good", rows_used=RowUse.ALL))
    real_desk.page.show()
    qtbot.waitExposed(real_desk.page)
    return real_desk


def study_of(desk: RealDecideHarness) -> GoalSeekStudy:
    return next(s for s in desk.page.tables.studies if isinstance(s, GoalSeekStudy))


def total(desk: RealDecideHarness) -> float:
    decisions = desk.session.results.decisions
    assert decisions is not None
    return decisions.models[0].total.value


def opened(desk: RealDecideHarness, wanted: float) -> GoalSeekStudy:
    desk.page.show_part(GoalSeek.facts.key)
    study = study_of(desk)
    study.seek(wanted)
    desk.qtbot.waitUntil(lambda: study.answer is not None and study.answer.wanted == wanted)
    return study


def click(study: GoalSeekStudy, row: int) -> None:
    table = study.panel.tables[0]
    place = table.visualRect(table.model().index(row, 0)).center()
    QTest.mouseClick(table.viewport(), LEFT, NONE, place)


def test_the_figure_dragged_up_asks_for_more(desk: RealDecideHarness) -> None:
    number, study = desk.page.headline.number, study_of(desk)
    shown, middle = number.text(), number.rect().center()
    desk.session.project.execute(MoveCursor(depth=0.4))
    desk.settle()
    start = total(desk)
    QTest.mousePress(number, LEFT, NONE, middle)
    QTest.mouseMove(number, middle - QPoint(0, 2 * PIXELS))
    wanted = stepped(start, 2)
    assert wanted > start
    assert number.text() == number.words(wanted) != shown
    assert desk.session.project.document.cursor_depth is None  # the goal is one of the rule
    assert desk.page.tables.study is study
    desk.qtbot.waitUntil(lambda: study.answer is not None and study.answer.wanted == wanted)
    QTest.mouseMove(number, middle - QPoint(0, 3 * PIXELS))
    QTest.mouseRelease(number, LEFT, NONE, middle - QPoint(0, 3 * PIXELS))
    desk.qtbot.waitUntil(lambda: study.answer.wanted == stepped(start, 3))
    desk.settle()
    assert number.text() == shown
    assert study.answer.total == pytest.approx(start)


def test_without_a_total_there_is_nothing_to_drag(desk: RealDecideHarness) -> None:
    number = desk.page.headline.number
    number.show_figure("–", "", None)
    QTest.mousePress(number, LEFT, NONE, number.rect().center())
    QTest.mouseMove(number, number.rect().center() - QPoint(0, 30))
    assert not number.is_dragged
    assert desk.page.tables.study is None


def test_a_row_is_tried_as_a_ghost_and_undo_brings_it_back(desk: RealDecideHarness) -> None:
    before = desk.session.project.document
    wanted = round(total(desk) + 100.0, 2)
    study = opened(desk, wanted)
    row = study.answer.numbers[0]
    assert row.is_exact
    click(study, 0)
    desk.settle()
    assert total(desk) == pytest.approx(wanted, rel=1e-9)
    assert desk.page.ghost.former is not None
    desk.qtbot.waitUntil(lambda: "change" in desk.page.ghost_bar.words.text())
    desk.qtbot.waitUntil(lambda: study.is_current)
    assert "as it is" in study.view.sentences[0]
    click(study, 0)  # it is there already
    assert desk.session.project.document.matrix.cells[0][0] == row.value
    desk.session.project.undo()
    assert desk.session.project.document == before
    assert desk.page.ghost.former is None


def test_what_is_out_of_reach_cannot_be_tried(desk: RealDecideHarness) -> None:
    desk.take(costly(desk.session.project.document))
    study = opened(desk, 1e6)
    out = [n for n, row in enumerate(study.answer.numbers) if not row.is_within_reach]
    before = desk.session.project.document
    click(study, out[0])
    assert study.chosen() is None
    click(study, len(study.answer.numbers))  # the row of the better model
    assert desk.session.project.document == before


def test_a_total_is_typed_and_tried_by_the_button(desk: RealDecideHarness) -> None:
    study = opened(desk, round(total(desk) + 50.0, 2))
    field = study.form.editor("total")
    field.setFocus()
    field.selectAll()
    wanted = round(total(desk) - 60.0, 2)
    QTest.keyClicks(field, f"{wanted}")
    QTest.keyClick(field, Qt.Key.Key_Return)
    desk.qtbot.waitUntil(lambda: study.answer.wanted == wanted)
    study.panel.tables[0].selectRow(0)
    QTest.mouseClick(study.try_button, LEFT)
    desk.settle()
    assert total(desk) == pytest.approx(wanted, rel=1e-9)


def test_a_worded_matrix_keeps_its_words_where_a_parameter_is_tried(
    desk: RealDecideHarness,
) -> None:
    document = mailing(desk.session.project.document)
    desk.take(replace(document, name="worded"))
    study = opened(desk, round(total(desk) + 80.0, 2))
    click(study, 0)
    desk.settle()
    matrix = desk.session.project.document.matrix
    assert matrix is not None
    assert matrix.cells == ()
    assert dict(matrix.parameters)["response_value"] == study.answer.numbers[0].now
    assert dict(matrix.parameters)["letter_cost"] == 2.0
