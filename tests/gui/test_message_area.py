"""Messages over the page: one in front, the others counted on it; nothing is lost behind."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from gui.shell.message_area import UNCOVERED, MessageArea
from gui.widgets import Notice

LONG = "Column 'age' of customers.csv has text in row 17 where a number is wanted. " * 3


@pytest.fixture
def page(qtbot):
    """A page of 700 pixels with three message strips over it."""
    window = QWidget()
    column = QVBoxLayout(window)
    column.setContentsMargins(0, 0, 0, 0)
    window.notices = tuple(Notice() for _ in range(3))
    window.rest = QWidget()
    column.addWidget(window.rest, 1)
    window.area = MessageArea(window.notices, window)
    window.resize(900, 700)
    qtbot.addWidget(window)
    window.show()
    return window


def shown(page) -> list[bool]:
    return [notice.isVisible() for notice in page.notices]


def test_no_room_is_taken_without_a_message(page):
    assert not page.area.isVisible()
    assert page.rest.height() == page.height()


def test_the_last_message_is_in_front_and_counts_the_others(page):
    first, second, _ = page.notices
    first.show_text("One.")
    assert shown(page) == [True, False, False]
    assert not first._more.isVisible()
    second.show_text("Two.")
    assert shown(page) == [False, True, False]
    assert second._more.text() == "1 more"
    first.show_text("One again.")
    assert shown(page) == [True, False, False]


def test_a_message_moves_nothing_of_the_page(page, qtbot):
    place = page.rest.geometry()
    page.notices[0].show_text(LONG)
    qtbot.waitUntil(lambda: page.area.height() > 20)
    page.notices[0].offer("A long offer of something else", lambda: None)
    page.resize(500, 600)
    page.resize(900, 700)
    qtbot.waitUntil(lambda: page.area.geometry().bottom() < page.height() > 0)
    assert page.rest.geometry() == place
    front = page.notices[0]
    centre = front.mapTo(page, front.rect().center())
    assert page.childAt(centre) is front or front.isAncestorOf(page.childAt(centre))
    front.dismiss()
    assert page.rest.geometry() == place


def test_a_message_is_as_high_as_its_words_at_every_width(page, qtbot):
    notice = page.notices[0]
    for width in (900, 420, 1600):
        page.resize(width, 700)
        notice.show_text(LONG)
        text = notice.text
        qtbot.waitUntil(lambda text=text: text.height() >= text.heightForWidth(text.width()))
        assert page.rect().contains(page.area.geometry())


def test_three_messages_take_no_more_room_than_one(page, qtbot):
    first, second, third = page.notices
    for notice in page.notices:
        notice.show_text(LONG)
    qtbot.waitUntil(lambda: 0 < page.area.height() <= third.height())
    assert not first.isVisible()
    assert not second.isVisible()
    assert third._more.text() == "2 more"


def test_a_click_turns_to_the_next_and_closing_returns_to_it(page, qtbot):
    first, second, third = page.notices
    for notice in page.notices:
        notice.show_text("Something.")
    qtbot.mouseClick(third._more, Qt.MouseButton.LeftButton)
    assert shown(page) == [False, True, False]
    qtbot.mouseClick(second._close, Qt.MouseButton.LeftButton)
    assert shown(page) == [True, False, False]
    assert first._more.text() == "1 more"
    qtbot.mouseClick(first._close, Qt.MouseButton.LeftButton)
    qtbot.mouseClick(third._close, Qt.MouseButton.LeftButton)
    assert shown(page) == [False, False, False]
    assert not page.area.isVisible()


def test_a_message_that_waits_can_be_taken_away_unseen(page):
    first, second, _ = page.notices
    first.show_text("A question.")
    second.show_text("An error.")
    first.dismiss()  # it was answered elsewhere
    assert shown(page) == [False, True, False]
    assert not second._more.isVisible()
    second.dismiss()
    assert not page.area.isVisible()


@pytest.mark.parametrize("mark", [("kind", "primary"), (UNCOVERED, True)], ids=str)
@pytest.mark.parametrize("left", [700, 20], ids=["right", "left"])
def test_a_message_never_covers_the_button_that_the_page_is_for(page, left, mark):
    button = QPushButton("Train", page.rest)
    button.setProperty(*mark)
    button.setGeometry(left, 640, 180, 40)
    button.show()
    page.notices[0].show_text(LONG)
    assert page.area.isVisible()
    assert not page.area.geometry().intersects(button.geometry())
    assert page.rect().contains(page.area.geometry())
    button.move(360, 640)  # in the middle: the words keep to one side
    assert not page.area.geometry().intersects(button.geometry())
    button.hide()
    assert page.area.geometry().center().x() == pytest.approx(page.rect().center().x(), abs=1)


@pytest.mark.parametrize(
    ("buttons", "side"),
    [((), "middle"), ((60, 400), "right"), ((400, 800), "left"), ((60, 400, 800), "middle")],
)
def test_a_short_message_stands_where_it_covers_no_button(page, qtbot, buttons, side):
    for left in buttons:
        button = QPushButton("Try it", page.rest)
        button.setGeometry(left, 660, 60, 30)
        button.show()
    page.notices[0].show_text("Work that was not saved was found.")
    room = page.area.geometry()
    assert room.width() < 400
    spare = page.width() - room.width()
    places = {"middle": spare // 2, "left": 0, "right": spare}
    assert room.left() == pytest.approx(places[side], abs=30)
