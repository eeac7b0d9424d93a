"""The place of message strips above the page: one is shown, the others wait behind "1 more"."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from gui.parts.notice import Notice


class MessageArea(QWidget):
    """Shows the message that came last, so that messages never take the room of the page.

    Those that are open behind it are counted on it; a click brings the next one to the front.
    Takes no room while there is no message.
    """

    changed = Signal()  # another message is in front, or none

    def __init__(self, notices: tuple[Notice, ...], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._open: list[Notice] = []  # the one in front first
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 12, 16, 0)
        for notice in notices:
            layout.addWidget(notice)
            notice.opened.connect(lambda notice=notice: self._bring(notice))
            notice.closed.connect(lambda notice=notice: self._take_away(notice))
            notice.more_wanted.connect(self._turn)
        self.hide()

    @property
    def front(self) -> Notice | None:
        """The message that is shown."""
        return self._open[0] if self._open else None

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
        for place, notice in enumerate(self._open):
            notice.count_more(len(self._open) - 1)
            notice.setVisible(place == 0)
        self.setVisible(bool(self._open))
        self.changed.emit()
