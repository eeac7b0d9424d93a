"""The place of message strips over the page: one is shown, the others wait behind "1 more"."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QVBoxLayout, QWidget

from gui.theme import current_theme
from gui.widgets.notice import Notice

WIDEST = 960  # a line of words that is longer is hard to read


class MessageArea(QWidget):
    """Shows the message that came last at the foot of a page, and lies over it.

    The page keeps its place and size, so that nobody clicks on what has just moved away below the
    pointer. Messages that are open behind the one in front are counted on it; a click brings the
    next one to the front.

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
        """Stay at the foot of the page."""
        if watched is self._page and event.type() is QEvent.Type.Resize:
            self._place()
        return False

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.LayoutRequest:  # the words, or a button, have changed
            self._place()
        return super().event(event)

    def _place(self) -> None:
        if not self._open:
            return
        margin = current_theme().sizes.page_margin
        width = min(self._page.width() - 2 * margin, WIDEST)
        layout = self.layout()
        assert layout is not None
        height = layout.totalHeightForWidth(width)
        left = (self._page.width() - width) // 2
        self.setGeometry(left, max(self._page.height() - height - margin, 0), width, height)
        layout.activate()  # now, so that a click finds the buttons where they will be
        self.raise_()

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
