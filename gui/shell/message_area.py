"""The place of message strips over the page: one is shown, the others wait behind "1 more"."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, QRect
from PySide6.QtWidgets import QAbstractButton, QPushButton, QVBoxLayout, QWidget

from gui.theme import current_theme
from gui.widgets.notice import Notice

WIDEST = 960  # a line of words that is longer is hard to read
UNCOVERED = "uncovered"  # property of a button that no message lies over
LEAST = 320  # narrower it would be a column of single words
_MOVES = (QEvent.Type.Move, QEvent.Type.Resize, QEvent.Type.Show, QEvent.Type.Hide)


class MessageArea(QWidget):
    """Shows the message that came last at the foot of a page, and lies over it.

    The page keeps its place and size, so that nobody clicks on what has just moved away below the
    pointer. A message is no wider than its words, and stands in the middle, at the right or at the
    left, where it covers no button. A button that the page is for ("primary", or marked UNCOVERED)
    stays free in any case: the message keeps beside it. Messages that are open behind the one in
    front are counted on it; a click brings the next one to the front.

    Parameters
    ----------
    notices : tuple[Notice, ...]
        The messages, which become children of this area.
    page : QWidget
        Holds what the message is shown over, in a layout.
    """

    def __init__(self, notices: tuple[Notice, ...], page: QWidget) -> None:
        super().__init__(page)
        self._page = page
        self._open: list[Notice] = []  # the one in front first
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        for notice in notices:
            layout.addWidget(notice)
            notice.opened.connect(lambda notice=notice: self._bring(notice))
            notice.closed.connect(lambda notice=notice: self._take_away(notice))
            notice.more_wanted.connect(self._turn)
        page.installEventFilter(self)
        self.hide()

    @property
    def front(self) -> Notice | None:
        """The message that is shown."""
        return self._open[0] if self._open else None

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stay at the foot of the page, beside its main buttons as they come and go."""
        if event.type() in _MOVES:
            self._place()
        return False

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.LayoutRequest:  # the words, or a button, have changed
            self._place()
        return super().event(event)

    def _place(self) -> None:
        layout = self.layout()
        if not self._open or layout is None:
            return
        margin = current_theme().sizes.page_margin
        room = self._page.rect().adjusted(margin, 0, -margin, 0)
        place = self._within(room)
        for button in self._main_buttons():
            if place.intersects(button):
                room = _beside(room, button, margin)
                place = self._within(room)
        self.setGeometry(place)
        layout.activate()  # now, so that a click finds the buttons where they will be
        self.raise_()

    def _within(self, room: QRect) -> QRect:
        """Where the message stands at the foot of a room, as high as its words need."""
        layout, width = self.layout(), min(room.width(), WIDEST)
        if self.front is not None:
            width = min(width, max(LEAST, self.front.natural_width()))
        height = layout.totalHeightForWidth(width) if layout is not None else 0
        spare = room.width() - width
        top = max(self._page.height() - height - current_theme().sizes.page_margin, 0)
        places = [QRect(room.left() + x, top, width, height) for x in (spare // 2, spare, 0)]
        buttons = [button for button in self._buttons() if button.bottom() >= top]
        free = (p for p in places if not any(p.intersects(button) for button in buttons))
        return next(free, places[0])

    def _buttons(self) -> list[QRect]:
        """Everything on the page that can be pressed now."""
        return [
            QRect(button.mapTo(self._page, QPoint(0, 0)), button.size())
            for button in self._page.findChildren(QAbstractButton)
            if button.isVisible() and not self.isAncestorOf(button)
        ]

    def _main_buttons(self) -> list[QRect]:
        """The buttons that the page in front is for; from now on their moves are seen."""
        found = []
        for button in self._page.findChildren(QPushButton):
            is_main = button.property("kind") == "primary" or button.property(UNCOVERED)
            if not is_main or self.isAncestorOf(button):
                continue
            button.installEventFilter(self)  # once, however often it is asked for
            if button.isVisible():
                found.append(QRect(button.mapTo(self._page, QPoint(0, 0)), button.size()))
        return found

    def _bring(self, notice: Notice) -> None:
        self._open = [notice, *(entry for entry in self._open if entry is not notice)]
        self._show()

    def _take_away(self, notice: Notice) -> None:
        self._open = [entry for entry in self._open if entry is not notice]
        self._show()

    def _turn(self) -> None:
        self._open = [*self._open[1:], *self._open[:1]]
        self._show()

    def _show(self) -> None:
        for notice in self._open:
            notice.count_more(len(self._open) - 1)
        for notice in self._open[1:]:
            notice.hide()
        if self.front is not None:
            self.front.show()
        self.setVisible(bool(self._open))
        self._place()


def _beside(room: QRect, button: QRect, margin: int) -> QRect:
    """The wider part of a room beside a button; all of it where that is too narrow for words."""
    left, right = QRect(room), QRect(room)
    left.setRight(button.left() - margin)
    right.setLeft(button.right() + margin)
    wider = max(left, right, key=QRect.width)
    return wider if wider.width() >= LEAST else room
