"""A number is dragged, and the line from before stays: what changed, and when the ghost goes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from core.document.commands import MoveCursor, SetRowsUsed
from core.document.data.model import RowUse
from core.document.decisions.commands import SetPriors
from core.document.wording import estimate_decimals, format_money
from gui.pages.decide.matrix.cell_drag import GRIP, stepped
from gui.pages.decide.profit.ghost import Ghost
from tests.helpers.factories.scored import scored_columns, scored_document, write_csv
from tests.helpers.harness import RealDecideHarness

COLUMNS = scored_columns(rows=1_500)
CHANCE = np.array(COLUMNS["p_good"])
EVENT = np.array(COLUMNS["outcome"]) == "yes"


@pytest.fixture
def harness(real_desk: RealDecideHarness, qtbot: QtBot, tmp_path: Path) -> RealDecideHarness:
    real_desk.open(write_csv(tmp_path / "scored.csv", COLUMNS))
    data = real_desk.session.project.document.data
    assert data is not None
    real_desk.take(scored_document(data, reference_model="good", rows_used=RowUse.ALL))
    real_desk.page.show()
    qtbot.waitExposed(real_desk.page)
    real_desk.page.activateWindow()
    qtbot.waitUntil(real_desk.page.isActiveWindow)
    return real_desk


def ghost_of(harness: RealDecideHarness) -> Ghost:
    return harness.page.ghost


def gain(harness: RealDecideHarness) -> float:
    matrix = harness.session.project.document.matrix
    assert matrix is not None
    return float(matrix.cells[0][0])


def drag(harness: RealDecideHarness, *heights: int, release: bool = True) -> None:
    """Press on the grip of the first cell, and move the pointer up through some heights."""
    view = harness.page.earns.matrix
    area = view.visualRect(view.matrix_model.index(0, 1))
    place = QPoint(area.left() + 9 + GRIP // 2, area.center().y())
    room, left = view.viewport(), Qt.MouseButton.LeftButton
    QTest.mousePress(room, left, Qt.KeyboardModifier.NoModifier, place)
    for height in heights:
        QTest.mouseMove(room, place - QPoint(0, height))
    if release:
        QTest.mouseRelease(room, left, Qt.KeyboardModifier.NoModifier, place - QPoint(0, height))


def worked_out(harness: RealDecideHarness) -> None:
    """Wait for the totals, and for the words of the ghost."""
    harness.settle()
    harness.qtbot.waitUntil(lambda: "change" in harness.page.ghost_bar.words.text())


def total(cells: tuple[float, float]) -> tuple[np.ndarray, float]:
    acts = CHANCE * cells[0] + (1 - CHANCE) * cells[1] > 0
    return acts, float(np.where(acts, np.where(EVENT, *cells), 0.0).sum())


def test_a_dragged_cell_leaves_the_former_line_with_the_difference(
    harness: RealDecideHarness,
) -> None:
    before = harness.session.results.decisions
    drag(harness, 3, 9, 30)
    worked_out(harness)
    now = gain(harness)
    assert now == stepped(8.0, 10) == pytest.approx(8.5)
    assert ghost_of(harness).former is before  # of before the drag, not of its last step
    (was, first), (acts, last) = total((8.0, -2.0)), total((now, -2.0))
    moved = np.count_nonzero(was != acts)
    gained = last - first
    figure = format_money(gained, "€", decimals=estimate_decimals(gained), sign=True)
    assert harness.page.ghost_bar.words.text() == f"{figure}, {moved} cases change"
    chart = harness.page.chart.view.spec
    assert chart is not None
    line = next(entry for entry in chart.series if entry.name == "before")
    assert before is not None
    model = before.models[0]
    assert np.array_equal(line.y[np.isin(line.x, model.depth)], model.profit)
    for depth, profit in (
        (model.rule_depth, model.total.value),
        (model.best_depth, model.best_profit),
    ):  # what stood there before, not what the curve has between two of its points
        assert np.interp(depth, line.x, line.y) == pytest.approx(profit, rel=1e-12)
    assert line.is_quiet
    assert "before" in [entry.name for entry in harness.page.chart.view.state.lines]


def test_a_drag_is_one_step_and_undo_takes_the_ghost_with_it(harness: RealDecideHarness) -> None:
    drag(harness, 3, 9, 30)
    worked_out(harness)
    harness.session.project.undo()
    assert gain(harness) == 8.0
    assert ghost_of(harness).former is None
    assert harness.page.ghost_bar.isHidden()
    harness.settle()
    assert all(entry.name != "before" for entry in harness.page.chart.view.spec.series)


def test_the_next_editing_has_a_ghost_of_its_own(harness: RealDecideHarness) -> None:
    drag(harness, 30)
    worked_out(harness)
    between = harness.session.results.decisions
    drag(harness, 12)
    worked_out(harness)
    assert ghost_of(harness).former is between


def test_dragged_back_there_is_nothing_to_compare_with(harness: RealDecideHarness) -> None:
    drag(harness, 30, release=False)
    assert ghost_of(harness).former is not None
    view = harness.page.earns.matrix
    area = view.visualRect(view.matrix_model.index(0, 1))
    place = QPoint(area.left() + 9 + GRIP // 2, area.center().y())
    QTest.mouseMove(view.viewport(), place)
    assert gain(harness) == 8.0
    assert ghost_of(harness).former is None
    QTest.mouseRelease(
        view.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place
    )


def test_escape_and_the_cross_take_it_away(harness: RealDecideHarness) -> None:
    drag(harness, 30)
    worked_out(harness)
    QTest.keyClick(harness.page.earns.matrix, Qt.Key.Key_Escape)
    assert ghost_of(harness).former is None
    assert gain(harness) == 8.5  # the edit stays
    drag(harness, 12)
    worked_out(harness)
    QTest.mouseClick(harness.page.ghost_bar.close_button, Qt.MouseButton.LeftButton)
    assert harness.page.ghost_bar.isHidden()


def test_the_keyboard_steps_a_cell(harness: RealDecideHarness) -> None:
    view = harness.page.earns.matrix
    view.select_cell(0, 1)
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_Up, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(view, Qt.Key.Key_Up, Qt.KeyboardModifier.ControlModifier)
    assert gain(harness) == stepped(8.0, 2)
    worked_out(harness)
    QTest.keyClick(view, Qt.Key.Key_Z, Qt.KeyboardModifier.NoModifier)  # opens the cell
    assert ghost_of(harness).former is not None


def test_it_stays_while_the_cursor_moves_and_goes_with_other_rows(
    harness: RealDecideHarness,
) -> None:
    drag(harness, 30)
    worked_out(harness)
    harness.session.project.execute(MoveCursor(depth=0.4))
    assert ghost_of(harness).former is not None
    harness.session.project.execute(SetRowsUsed(rows_used=RowUse.TEST))
    assert ghost_of(harness).former is None
    harness.settle()


def test_other_shares_are_an_edit_too_and_another_page_ends_it(harness: RealDecideHarness) -> None:
    harness.session.project.execute(SetPriors(priors=(("yes", 0.1), ("no", 0.9))))
    worked_out(harness)
    assert ghost_of(harness).former is not None
    harness.page.hide()
    assert ghost_of(harness).former is None
