"""Mouse and keyboard on charts."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt

from tests.helpers.answers.synthetic import make_decisions


def at_depth(chart, depth: float) -> QPoint:
    layout = chart.view.chart_layout
    return QPoint(round(layout.to_x(depth)), round(layout.plot.center().y()))


def test_a_drag_asks_for_the_depth_under_the_mouse(qtbot, gains):
    requested: list[float] = []
    gains.cursor_requested.connect(requested.append)
    viewport = gains.view.viewport()
    qtbot.mousePress(viewport, Qt.MouseButton.LeftButton, pos=at_depth(gains, 0.3))
    qtbot.mouseMove(viewport, at_depth(gains, 0.45))
    with qtbot.waitSignal(gains.cursor_released):
        qtbot.mouseRelease(viewport, Qt.MouseButton.LeftButton, pos=at_depth(gains, 0.45))
    assert requested[0] == pytest.approx(0.3, abs=0.003)
    assert requested[-1] == pytest.approx(0.45, abs=0.003)


def test_a_drag_beyond_the_end_stays_at_the_end(qtbot, gains):
    requested: list[float] = []
    gains.cursor_requested.connect(requested.append)
    viewport = gains.view.viewport()
    qtbot.mousePress(viewport, Qt.MouseButton.LeftButton, pos=at_depth(gains, 0.5))
    qtbot.mouseMove(viewport, QPoint(viewport.width() - 1, 60))
    qtbot.mouseRelease(viewport, Qt.MouseButton.LeftButton, pos=QPoint(viewport.width() - 1, 60))
    assert requested[-1] == 1.0


def test_arrow_keys_step_one_case_and_one_percent(qtbot, gains):
    requested: list[float] = []
    gains.cursor_requested.connect(requested.append)
    qtbot.keyClick(gains.view, Qt.Key.Key_Right)
    qtbot.keyClick(gains.view, Qt.Key.Key_Left)
    qtbot.keyClick(gains.view, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClick(gains.view, Qt.Key.Key_Home)
    with qtbot.waitSignal(gains.cursor_released):
        qtbot.keyClick(gains.view, Qt.Key.Key_End)
    one = 1 / 20_000
    assert requested == pytest.approx([0.213 + one, 0.213 - one, 0.223, 0.0, 1.0])


def test_a_typed_number_moves_the_cursor(qtbot, gains):
    gains.view.setFocus()
    qtbot.keyClicks(gains.view, "3")
    entry = gains._entry
    assert entry.isVisible()
    qtbot.keyClicks(entry, "5.5")
    with qtbot.waitSignal(gains.cursor_requested) as requested:
        qtbot.keyClick(entry, Qt.Key.Key_Return)
    assert requested.args == [pytest.approx(0.355)]
    assert not entry.isVisible()


def test_escape_leaves_the_typed_number(qtbot, gains):
    qtbot.keyClicks(gains.view, "9")
    with qtbot.assertNotEmitted(gains.cursor_requested):
        qtbot.keyClick(gains._entry, Qt.Key.Key_Escape)
    assert not gains._entry.isVisible()


def test_a_double_click_asks_for_the_best(qtbot, profit):
    with qtbot.waitSignal(profit.best_requested):
        qtbot.mouseDClick(
            profit.view.viewport(), Qt.MouseButton.LeftButton, pos=at_depth(profit, 0.6)
        )
    assert profit.best_depth() == make_decisions().models[0].best_depth


def test_a_click_in_the_legend_switches_a_line_off_and_on(qtbot, gains):
    hit = gains.view.geometry_of_cursor.hits[1]
    place = hit.rect.center().toPoint()
    with qtbot.assertNotEmitted(gains.cursor_requested):
        qtbot.mouseClick(gains.view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert gains.hidden == {"logit"}
    assert {ring.name for ring in gains.view.state.rings} == {"gbm 2", "agency"}
    assert gains.view.state.lines[1].is_hidden
    qtbot.mouseClick(gains.view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert gains.hidden == set()


def test_a_rectangle_zooms_and_reset_shows_all(qtbot, profit):
    view = profit.view
    profit._buttons["zoom"].setChecked(True)
    layout = view.chart_layout
    corner = QPoint(round(layout.to_x(0.2)), round(layout.plot.top()) + 60)
    other = QPoint(round(layout.to_x(0.4)), round(layout.plot.top()) + 200)
    qtbot.mousePress(view.viewport(), Qt.MouseButton.LeftButton, pos=corner)
    qtbot.mouseMove(view.viewport(), other)
    qtbot.mouseRelease(view.viewport(), Qt.MouseButton.LeftButton, pos=other)
    assert view.zoom is not None
    assert view.chart_layout.x_low == pytest.approx(0.2, abs=0.005)
    assert view.chart_layout.x_high == pytest.approx(0.4, abs=0.005)
    qtbot.mouseClick(profit._buttons["reset"], Qt.MouseButton.LeftButton)
    assert view.zoom is None
    assert view.chart_layout.x_high == 1.0
    assert not view.is_zooming


def test_pinning_keeps_a_second_cursor(qtbot, profit):
    with qtbot.waitSignal(profit.pin_requested) as requested:
        qtbot.mouseClick(profit._buttons["pin"], Qt.MouseButton.LeftButton)
    assert requested.args == [0.213]
    profit.set_pin(0.213)
    profit.set_cursor(0.6)
    state = profit.view.state
    assert state.pin == 0.213
    assert {ring.x for ring in state.pin_rings} == {0.213}
    profit.set_pin(None)
    assert profit.view.state.pin is None


def test_a_wanted_height_is_a_level_line_that_stays_in_the_plot(gains):
    layout = gains.view.chart_layout
    plot = layout.plot
    left, right = int(plot.left()) + 1, int(plot.right())

    def rows_painted(height: float) -> list[int]:
        pictures = []
        for wanted in (None, height):
            gains.view.set_lift(wanted)
            pictures.append(gains.view.viewport().grab().toImage())
        before, after = pictures
        return [
            y
            for y in range(after.height())
            if any(before.pixel(x, y) != after.pixel(x, y) for x in range(left, right))
        ]

    for y in (plot.center().y(), plot.top() - 30, plot.bottom() + 30):
        within = min(max(y, plot.top()), plot.bottom())
        rows = rows_painted(layout.from_y(y))
        assert rows
        assert within - 2 <= rows[0] <= rows[-1] <= within + 2
