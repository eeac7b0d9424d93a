"""The mark in the profit chart is dragged: live words, the tab once it is let go of, Esc."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from core.document.data.model import RowUse
from core.questions.decide import GoalSeek
from gui.pages.decide.matrix.cell_drag import stepped
from gui.pages.decide.studies.goal_seek import GoalSeekStudy
from tests.helpers.factories.scored import scored_columns, scored_document, write_csv
from tests.helpers.harness import RealDecideHarness

NONE, LEFT = Qt.KeyboardModifier.NoModifier, Qt.MouseButton.LeftButton


@pytest.fixture
def harness(real_desk: RealDecideHarness, qtbot: QtBot, tmp_path: Path) -> RealDecideHarness:
    real_desk.open(write_csv(tmp_path / "scored.csv", scored_columns(rows=1_500)))
    data = real_desk.session.project.document.data
    assert data is not None
    real_desk.take(scored_document(data, reference_model="good", rows_used=RowUse.ALL))
    real_desk.page.resize(1300, 860)
    real_desk.page.show()
    qtbot.waitExposed(real_desk.page)
    real_desk.settle()
    return real_desk


def mark_of(harness: RealDecideHarness) -> QPoint:
    view = harness.page.chart.view
    assert view.state is not None
    assert view.chart_layout is not None
    ring = next(ring for ring in view.state.rings if ring.name == "good")
    return QPoint(round(view.chart_layout.to_x(ring.x)), round(view.chart_layout.to_y(ring.y)))


def study_of(harness: RealDecideHarness) -> GoalSeekStudy:
    return next(s for s in harness.page.tables.studies if isinstance(s, GoalSeekStudy))


def total(harness: RealDecideHarness) -> float:
    decisions = harness.session.results.decisions
    assert decisions is not None
    return decisions.models[0].total.value


def test_the_mark_is_dragged_and_reads_what_would_bring_it(harness: RealDecideHarness) -> None:
    view, mark, lift = harness.page.chart.view, mark_of(harness), harness.page.lift
    tab, cursor = harness.page.tables.study, harness.session.results.cursor_depth
    sought = []
    lift.sought.connect(sought.append)
    QTest.mousePress(view.viewport(), LEFT, NONE, mark)
    for step in range(1, 13):
        QTest.mouseMove(view.viewport(), mark - QPoint(0, step))
    assert view.lift == pytest.approx(view.chart_layout.from_y(mark.y() - 12))
    harness.settle()
    assert lift.words.isVisible()
    assert "instead of" in lift.words.text()
    assert "Shortest way" in lift.words.text()
    assert harness.page.tables.study is tab  # the tab waits until it is let go of
    assert sought == []
    assert harness.session.results.cursor_depth == cursor  # the cursor did not move along
    QTest.mouseRelease(view.viewport(), LEFT, NONE, mark - QPoint(0, 12))
    (wanted,) = sought
    assert wanted > total(harness)
    study = study_of(harness)
    harness.qtbot.waitUntil(lambda: study.answer is not None and study.answer.wanted == wanted)
    assert harness.page.tables.study is study
    assert not lift.words.isVisible()
    assert view.lift is None


def test_escape_gives_up(harness: RealDecideHarness) -> None:
    view, mark, tab = harness.page.chart.view, mark_of(harness), harness.page.tables.study
    QTest.mousePress(view.viewport(), LEFT, NONE, mark)
    QTest.mouseMove(view.viewport(), mark - QPoint(0, 9))
    assert view.lift is not None
    QTest.keyClick(view, Qt.Key.Key_Escape)
    assert view.lift is None
    QTest.mouseMove(view.viewport(), mark - QPoint(0, 14))
    QTest.mouseRelease(view.viewport(), LEFT, NONE, mark - QPoint(0, 14))
    harness.settle()
    assert harness.page.tables.study is tab
    assert not harness.page.lift.words.isVisible()


@pytest.mark.parametrize("held", ["ControlModifier", "AltModifier"])
def test_keys_do_the_same(harness: RealDecideHarness, held: str) -> None:
    view, modifier = harness.page.chart.view, Qt.KeyboardModifier[held]
    start = total(harness)
    for _ in range(2):
        QTest.keyClick(view, Qt.Key.Key_Up, modifier)
    harness.settle()
    assert "instead of" in harness.page.lift.words.text()
    QTest.keyClick(view, Qt.Key.Key_Return)
    study = study_of(harness)
    harness.qtbot.waitUntil(lambda: study.answer is not None and study.answer.wanted > start)
    assert study.answer.wanted == pytest.approx(stepped(start, 2), rel=0.006)


def test_elsewhere_a_press_moves_the_cursor_as_ever(harness: RealDecideHarness) -> None:
    view, mark = harness.page.chart.view, mark_of(harness)
    away = mark - QPoint(60, 0)
    QTest.mousePress(view.viewport(), LEFT, NONE, away)
    QTest.mouseRelease(view.viewport(), LEFT, NONE, away)
    assert view.lift is None
    assert harness.session.results.cursor_depth is not None
    assert GoalSeek.why_not(harness.session.project.document) is None
