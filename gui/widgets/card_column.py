"""A column of cards that scrolls, and the height that cards need at its width."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QScrollArea, QWidget

USUAL_PAGE = 1368  # pixels, of a window 1440 wide


class CardColumn(QWidget):
    """Cards below each other, as high as their wrapped words need at the present width.

    ``gives_way``: charts and lists may shrink to their least height before the column scrolls.
    """

    resized = Signal()

    def __init__(self, *, gives_way: bool = False) -> None:
        super().__init__()
        self._gives_way = gives_way
        self.setProperty("scrolled", "true")

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.resized.emit()

    def heightForWidth(self, width: int) -> int:
        """What the area that scrolls asks for; what gives way counts with its least height."""
        layout = self.layout()
        if not self._gives_way or layout is None:
            return super().heightForWidth(width)
        return layout.minimumHeightForWidth(width)

    def minimumSizeHint(self) -> QSize:
        layout = self.layout()
        if layout is None:
            return super().minimumSizeHint()
        if self._gives_way:
            has_lines = layout.hasHeightForWidth()  # else the layout answers -1
            least = layout.minimumHeightForWidth(self.width()) if has_lines else 0
            return QSize(0, least or layout.totalMinimumSize().height())
        return QSize(0, layout.totalHeightForWidth(self.width()))


def side_width(least: int, page: int) -> int:
    """The width of a column of names beside what it is about: wider on a wide page."""
    return least + min(max(page - USUAL_PAGE, 0) // 6, least // 2)


def scrolling(column: QWidget) -> QScrollArea:
    """An area in which a column scrolls up and down, without a ground of its own."""
    area = QScrollArea()
    area.setWidget(column)
    area.setWidgetResizable(True)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.viewport().setAutoFillBackground(False)
    return area


def needed_height(card: QWidget, width: int) -> int:
    """How high a card must be at a width, its wrapped words included."""
    layout = card.layout()
    if layout is None:
        return card.minimumSizeHint().height()
    layout.invalidate()
    if layout.hasHeightForWidth():
        return layout.totalHeightForWidth(width)
    return layout.totalMinimumSize().height()
