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
def harness(real_desk: RealDecideHarness, qtbot: QtBot, tmp_path: Path) -> RealDecideHarness:
    real_desk.open(write_csv(tmp_path / "scored.csv", scored_columns(rows=1_500)))
    data = real_desk.session.project.document.data
    assert data is not None
    real_desk.take(scored_document(data, reference_model="good", rows_used=RowUse.ALL))
    real_desk.page.show()
    qtbot.waitExposed(real_desk.page)
    return real_desk


def study_of(harness: RealDecideHarness) -> GoalSeekStudy:
    return next(s for s in harness.page.tables.studies if isinstance(s, GoalSeekStudy))


def total(harness: RealDecideHarness) -> float:
    decisions = harness.session.results.decisions
    assert decisions is not None
    return decisions.models[0].total.value


def opened(harness: RealDecideHarness, wanted: float) -> GoalSeekStudy:
    harness.page.show_part(GoalSeek.facts.key)
    study = study_of(harness)
    study.seek(wanted)
    harness.qtbot.waitUntil(lambda: study.answer is not None and study.answer.wanted == wanted)
    return study


def click(study: GoalSeekStudy, row: int) -> None:
    table = study.panel.tables[0]
    place = table.visualRect(table.model().index(row, 0)).center()
    QTest.mouseClick(table.viewport(), LEFT, NONE, place)


def test_the_figure_dragged_up_asks_for_more(harness: RealDecideHarness) -> None:
    number, study = harness.page.headline.number, study_of(harness)
    shown, middle = number.text(), number.rect().center()
    harness.session.project.execute(MoveCursor(depth=0.4))
    harness.settle()
    start = total(harness)
    QTest.mousePress(number, LEFT, NONE, middle)
    QTest.mouseMove(number, middle - QPoint(0, 2 * PIXELS))
    wanted = stepped(start, 2)
    assert wanted > start
    assert number.text() == number.words(wanted) != shown
    assert harness.session.project.document.cursor_depth is None  # the goal is one of the rule
    assert harness.page.tables.study is study
    harness.qtbot.waitUntil(lambda: study.answer is not None and study.answer.wanted == wanted)
    QTest.mouseMove(number, middle - QPoint(0, 3 * PIXELS))
    QTest.mouseRelease(number, LEFT, NONE, middle - QPoint(0, 3 * PIXELS))
    harness.qtbot.waitUntil(lambda: study.answer.wanted == stepped(start, 3))
    harness.settle()
    assert number.text() == shown
    assert study.answer.total == pytest.approx(start)


def test_without_a_total_there_is_nothing_to_drag(harness: RealDecideHarness) -> None:
    number = harness.page.headline.number
    number.show_figure("–", "", None)
    QTest.mousePress(number, LEFT, NONE, number.rect().center())
    QTest.mouseMove(number, number.rect().center() - QPoint(0, 30))
    assert not number.is_dragged
    assert harness.page.tables.study is None


def test_a_row_is_tried_as_a_ghost_and_undo_brings_it_back(harness: RealDecideHarness) -> None:
    before = harness.session.project.document
    wanted = round(total(harness) + 100.0, 2)
    study = opened(harness, wanted)
    row = study.answer.numbers[0]
    assert row.is_exact
    click(study, 0)
    harness.settle()
    assert total(harness) == pytest.approx(wanted, rel=1e-9)
    assert harness.page.ghost.former is not None
    harness.qtbot.waitUntil(lambda: "change" in harness.page.ghost_bar.words.text())
    harness.qtbot.waitUntil(lambda: study.is_current)
    assert "as it is" in study.view.sentences[0]
    click(study, 0)  # it is there already
    assert harness.session.project.document.matrix.cells[0][0] == row.value
    harness.session.project.undo()
    assert harness.session.project.document == before
    assert harness.page.ghost.former is None


def test_a_goal_that_was_only_suggested_stays_once_a_row_is_tried(
    harness: RealDecideHarness,
) -> None:
    harness.page.show_part(GoalSeek.facts.key)
    study = study_of(harness)
    harness.qtbot.waitUntil(lambda: study.answer is not None)
    wanted = study.form.values()["total"]
    before = total(harness)
    click(study, 0)
    harness.settle()
    assert total(harness) > before
    assert study.form.values()["total"] == wanted


def test_what_is_out_of_reach_cannot_be_tried(harness: RealDecideHarness) -> None:
    harness.take(costly(harness.session.project.document))
    study = opened(harness, 1e6)
    out = [n for n, row in enumerate(study.answer.numbers) if not row.is_within_reach]
    before = harness.session.project.document
    click(study, out[0])
    assert study.chosen() is None
    click(study, len(study.answer.numbers))  # the row of the better model
    assert harness.session.project.document == before


def test_a_total_is_typed_and_tried_by_the_button(harness: RealDecideHarness) -> None:
    study = opened(harness, round(total(harness) + 50.0, 2))
    field = study.form.editor("total")
    field.setFocus()
    field.selectAll()
    wanted = round(total(harness) - 60.0, 2)
    QTest.keyClicks(field, f"{wanted}")
    QTest.keyClick(field, Qt.Key.Key_Return)
    harness.qtbot.waitUntil(lambda: study.answer.wanted == wanted)
    study.panel.tables[0].selectRow(0)
    QTest.mouseClick(study.try_button, LEFT)
    harness.settle()
    assert total(harness) == pytest.approx(wanted, rel=1e-9)


def test_a_worded_matrix_keeps_its_words_where_a_parameter_is_tried(
    harness: RealDecideHarness,
) -> None:
    document = mailing(harness.session.project.document)
    harness.take(replace(document, name="worded"))
    study = opened(harness, round(total(harness) + 80.0, 2))
    click(study, 0)
    harness.settle()
    matrix = harness.session.project.document.matrix
    assert matrix is not None
    assert matrix.cells == ()
    assert dict(matrix.parameters)["response_value"] == study.answer.numbers[0].now
    assert dict(matrix.parameters)["letter_cost"] == 2.0
