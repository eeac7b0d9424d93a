"""Chips: an outlined word with a sign, 20 px high."""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.theme import current_theme, text_font, theme_notifier
from gui.theme.icons import paint_icon

ChipState = Literal["ok", "warning", "error", "off", "info", "plain"]

_SIGNS: dict[str, tuple[str, str]] = {
    "ok": ("check", "gain"),
    "warning": ("warning", "loss"),
    "error": ("cross", "error"),
    "off": ("pause", "quiet"),
    "info": ("info", "accent"),
    "plain": ("", "quiet"),
}


class Chip(QWidget):
    """A state in sign, word and colour; outlined, so it reads on any ground."""

    def __init__(
        self, text: str, state: ChipState = "plain", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._text = text
        self._state: ChipState = state
        self.setFont(text_font("note"))
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.set_state(text, state)
        theme_notifier().theme_changed.connect(self.update)

    def set_state(self, text: str, state: ChipState = "plain") -> None:
        """Show another word and state."""
        self._text = text
        self._state = state
        self.setAccessibleName(text)
        self.setFixedSize(self.sizeHint())
        self.update()

    def text(self) -> str:
        """The word shown."""
        return self._text

    def sizeHint(self) -> QSize:
        sign = 17 if _SIGNS[self._state][0] else 0
        width = self.fontMetrics().horizontalAdvance(self._text) + sign + 17
        return QSize(width, current_theme().sizes.chip)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = current_theme()
        sign, role = _SIGNS[self._state]
        colour = QColor(str(getattr(theme, role)))
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(colour, 1.0))
        area = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.drawRoundedRect(area, area.height() / 2, area.height() / 2)
        left = 8.0
        if sign:
            paint_icon(painter, sign, colour.name(), QRectF(left, self.height() / 2 - 6, 12, 12))
            left += 17
        painter.setFont(self.font())
        room = QRectF(left, 0, self.width() - left, self.height())
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, self._text)
        painter.end()
