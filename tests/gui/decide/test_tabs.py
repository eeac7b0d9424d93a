"""The tabs of page Decide keep their place; a study can have the page for itself."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from gui.pages.decide.studies.capacity import CapacityStudy
from gui.pages.decide.studies.study import Study
from gui.pages.decide.studies.what_if import WhatIfStudy
from gui.pages.decide.table_card import IN_FRONT
from gui.pages.decide.widget import DecidePage
from gui.shell.geometry import save_share, saved_share
from tests.gui.decide.number_studies import open_tab
from tests.gui.decide.studies import opened
from tests.helpers.harness import DecideHarness

SIZES = [(1208, 622), (1294, 668), (1368, 802), (2488, 1342)]  # pages of the usual windows


@pytest.fixture
def page(harness: DecideHarness, qtbot: QtBot) -> DecidePage:
    """The page in an active window, as on a desktop."""
    harness.page.activateWindow()
    qtbot.waitUntil(harness.page.isActiveWindow)
    opened(harness, CapacityStudy)  # the engine answers
    open_tab(harness, WhatIfStudy)
    harness.page.tables.tabs.setCurrentIndex(0)
    return harness.page


def place(page: DecidePage) -> tuple[int, int, int]:
    """Where the tabs stand: their top, and the left of the first and last in front."""
    bar = page.tables.tabs.tabBar()
    top = bar.mapTo(page, QPoint(0, 0))
    return top.y(), top.x(), top.x() + bar.tabRect(IN_FRONT - 1).left()


def click(page: DecidePage, at: QPoint, *, double: bool = False) -> None:
    """Click at a point of the page, whatever is there by now."""
    target = page.childAt(at) or page
    send = QTest.mouseDClick if double else QTest.mouseClick
    send(
        target, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, target.mapFrom(page, at)
    )
    QApplication.processEvents()


def middle(page: DecidePage, tab: int) -> QPoint:
    """The middle of a tab on the page."""
    bar = page.tables.tabs.tabBar()
    return bar.mapTo(page, bar.tabRect(tab).center())


@pytest.mark.every_nth(3)
@pytest.mark.parametrize("size", SIZES)
def test_no_tab_moves_when_one_is_opened(
    page: DecidePage, qtbot: QtBot, size: tuple[int, int]
) -> None:
    page.resize(*size)
    QApplication.processEvents()
    tabs = page.tables.tabs
    points = [middle(page, tab) for tab in range(IN_FRONT)]
    before, more = place(page), page.tables.more_button.mapTo(page, QPoint(0, 0))
    for tab in [*range(IN_FRONT), *reversed(range(IN_FRONT))]:
        for _ in range(2):  # a second click at the same place hits the same tab
            click(page, points[tab])
            assert tabs.currentIndex() == tab
            assert place(page) == before
    for action in page.tables.more_menu.actions():
        action.trigger()
        QApplication.processEvents()
        assert place(page) == before
        assert page.tables.more_button.mapTo(page, QPoint(0, 0)) == more
    assert page.right.verticalScrollBar().maximum() == 0


def test_an_answer_that_comes_late_moves_nothing(harness: DecideHarness, page: DecidePage) -> None:
    at = middle(page, 4)
    before = place(page)
    click(page, at)
    study = page.tables.study
    assert study is not None
    study.say("Being worked out…")
    assert place(page) == before
    study.refuse("Why not.")
    assert place(page) == before


def test_a_study_that_needs_more_height_scrolls_in_its_own_room(
    page: DecidePage, qtbot: QtBot
) -> None:
    page.resize(1208, 622)
    QApplication.processEvents()
    click(page, middle(page, 4))
    study = page.tables.study
    assert study is not None
    areas = study.findChildren(QScrollArea)
    inner = next(area for area in areas if area.widget() is study._content)
    qtbot.waitUntil(lambda: inner.verticalScrollBar().maximum() > 0)
    inner.verticalScrollBar().setValue(inner.verticalScrollBar().maximum())
    assert page.right.verticalScrollBar().maximum() == 0


@pytest.mark.parametrize(("tab", "fills_page"), [(1, False), (3, True)])
def test_a_double_click_gives_a_study_the_page_and_escape_takes_it_back(
    page: DecidePage, tab: int, fills_page: bool
) -> None:
    """A few lines leave the room that they have no use for to the profit chart."""
    cell = page.earns.matrix
    cell.setFocus(Qt.FocusReason.OtherFocusReason)
    held = QApplication.focusWidget()
    before, at = place(page), middle(page, tab)
    click(page, at)
    click(page, at, double=True)
    assert page.tables.is_full_view
    assert not page.left.isVisible()
    assert not page.headline.isVisible()
    assert page.chart.isVisible() is not fills_page
    assert place(page)[0] < before[0]
    page.tables.tabs.setCurrentIndex(4 - tab)
    assert page.chart.isVisible() is fills_page
    page.tables.tabs.setCurrentIndex(tab)
    assert page.isAncestorOf(QApplication.focusWidget())
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Escape)
    QApplication.processEvents()
    assert not page.tables.is_full_view
    assert place(page) == before
    assert page.tables.tabs.currentIndex() == tab
    assert page.headline.isVisible()
    assert QApplication.focusWidget() is held


@pytest.mark.parametrize("tab", [1, 3, 4])
def test_the_keyboard_stays_in_the_study(page: DecidePage, qtbot: QtBot, tab: int) -> None:
    click(page, middle(page, tab))
    study = page.tables.study
    assert study is not None
    qtbot.waitUntil(lambda: bool(_controls(study)))
    inside = _controls(study)[0]
    inside.setFocus(Qt.FocusReason.OtherFocusReason)
    page.tables.full_button.click()
    assert QApplication.focusWidget() is inside
    QTest.keyClick(inside, Qt.Key.Key_Escape)
    assert not page.tables.is_full_view
    assert QApplication.focusWidget() is inside


def _controls(study: Study) -> list[QWidget]:
    shown = (w for w in study.findChildren(QWidget) if w.isVisible() and w.isEnabled())
    return [w for w in shown if w.focusPolicy() & Qt.FocusPolicy.TabFocus]


def test_without_figures_there_is_no_full_view(harness: DecideHarness, page: DecidePage) -> None:
    click(page, middle(page, 1))
    page.tables.full_button.click()
    harness.session.results.decisions = None
    harness.session.results.decisions_changed.emit(None)
    assert not page.tables.is_full_view
    assert page.upper.isVisible()


def test_the_border_is_dragged_and_remembered(page: DecidePage, qtbot: QtBot) -> None:
    grip = page.split.grips[1]
    at, top = grip.rect().center(), place(page)[0]
    QTest.mousePress(grip, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)
    QTest.mouseMove(grip, at - QPoint(0, 60))
    QTest.mouseRelease(
        grip, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at - QPoint(0, 60)
    )
    assert place(page)[0] < top
    moved = place(page)[0]
    grip.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(grip, Qt.Key.Key_Up)
    assert place(page)[0] == moved - 24
    again = DecidePage(page.session)
    qtbot.addWidget(again)
    assert again.split.share == pytest.approx(page.split.share)
    grip.mouseDoubleClickEvent(None)
    assert place(page)[0] == top


def test_a_share_that_is_none_is_passed_over() -> None:
    assert saved_share("other", 0.4) == 0.4
    save_share("other", 0.25)
    assert saved_share("other", 0.4) == 0.25
    save_share("other", 7.0)
    assert saved_share("other", 0.4) == 0.4
