"""The large figure of page Decide: dragged up or down it asks what would bring another total."""

from __future__ import annotations

import math
from collections.abc import Callable

from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QWidget

from gui.pages.decide.matrix.cell_drag import PIXELS, stepped
from gui.widgets import TextLabel

HINT = "Drag up or down: what would bring another total?"


class GoalLabel(TextLabel):
    """A figure; while it is dragged it shows the total that is wanted.

    ``start`` is the total that a drag begins with, None where there is nothing to drag; ``words``
    writes a total.
    """

    sought = Signal(float)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("", "number", parent=parent)
        self.start: float | None = None
        self.words: Callable[[float], str] = str
        self._figure = ""
        self._pressed: QPointF | None = None
        self._from, self._steps = 0.0, 0

    @property
    def is_dragged(self) -> bool:
        """Whether another total than the present one is shown."""
        return self._pressed is not None and self._steps != 0

    def show_figure(self, text: str, exact: str, start: float | None) -> None:
        """Show the figure, once no other total is sought; ``exact``: every digit of it."""
        self._figure = text
        self.start = start if start is not None and math.isfinite(start) else None
        is_held = self.start is not None
        self.setToolTip("\n".join(part for part in (exact, HINT if is_held else "") if part))
        shape = Qt.CursorShape.SizeVerCursor if is_held else Qt.CursorShape.ArrowCursor
        self.setCursor(shape)
        if not self.is_dragged:
            self.setText(text)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.start is not None:
            self._pressed, self._from, self._steps = event.globalPosition(), self.start, 0
            event.accept()
        else:
            super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._pressed is None:
            return
        steps = math.trunc((self._pressed.y() - event.globalPosition().y()) / PIXELS)
        if steps != self._steps:
            self._steps = steps
            total = stepped(self._from, steps)
            self.setText(self.words(total) if steps else self._figure)
            self.sought.emit(total)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._pressed is None:
            super().mouseReleaseEvent(event)
            return
        self._pressed = None
        self.setText(self._figure)
