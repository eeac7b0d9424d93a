"""An upper and a lower part of a page, and the grip between them that shares out the height."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QSplitter, QSplitterHandle, QWidget

from gui.shell.geometry import save_share, saved_share
from gui.theme import current_theme

USUAL = 0.34  # of the height, for the lower part
STEP = 24  # pixels of an arrow key
GRIP, LINE = QRectF(0, 0, 36, 3), 1.5
_DOWN = {Qt.Key.Key_Up: -STEP, Qt.Key.Key_Down: STEP}


class Split(QSplitter):
    """Two parts, one above the other. The lower one has a share of the height, which is remembered.

    Only the grip and the height of the page move the border: what a part shows has the room that
    there is, and scrolls where it needs more.
    """

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Vertical, parent)
        self._name = name
        self._share = saved_share(name, USUAL)
        self.least = 0  # pixels of the lower part, whatever its share
        self.grips: list[Grip] = []  # Qt's own, by the parts below them
        self.setChildrenCollapsible(False)
        self.splitterMoved.connect(self._take)

    @property
    def share(self) -> float:
        """The share of the height that the lower part has, where there is room for it."""
        return self._share

    def share_out(self) -> None:
        """Give the lower part its share, as far as both have the least that they need."""
        room = self.height() - self.handleWidth()
        lower = max(round(self._share * room), self.least)
        self.setSizes([room - lower, lower])

    def move_by(self, pixels: int) -> None:
        """Move the border up or down."""
        self.moveSplitter(self.grips[1].y() + pixels, 1)
        self.keep()

    def go_back(self) -> None:
        """Put the border where it was before anybody moved it."""
        self._share = USUAL
        self.share_out()
        self.keep()

    def keep(self) -> None:
        """Remember where the border is."""
        save_share(self._name, self._share)

    def createHandle(self) -> QSplitterHandle:
        grip = Grip(self)
        self.grips.append(grip)
        return grip

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.share_out()

    def _take(self) -> None:
        """A person has moved the border."""
        upper, lower = self.sizes()
        if upper and lower and not self.least:
            self._share = lower / (upper + lower)


class Grip(QSplitterHandle):
    """The bar between two parts; the arrow keys move it as the mouse does."""

    def __init__(self, split: Split) -> None:
        super().__init__(Qt.Orientation.Vertical, split)
        self._split = split
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setAccessibleName("Border between chart and tabs")
        self.setToolTip("Drag, or press ↑ or ↓, to share out the height; double click: as usual")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        pixels = _DOWN.get(Qt.Key(event.key()))
        if pixels is None:
            super().keyPressEvent(event)
        else:
            self._split.move_by(pixels)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        self._split.keep()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        del event
        self._split.go_back()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        theme = current_theme()
        is_lit = self.hasFocus() or self.underMouse()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(str(theme.accent if is_lit else theme.control_border)))
        place = QRectF(GRIP)
        place.moveCenter(QRectF(self.rect()).center())
        painter.drawRoundedRect(place, LINE, LINE)
        painter.end()
