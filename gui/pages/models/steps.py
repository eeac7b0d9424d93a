"""The four steps of a training in one row: target, inputs, distribution, settings."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QSizePolicy, QWidget

from gui.theme import current_theme, text_font, theme_notifier
from gui.theme.icons import paint_icon
from gui.widgets import Card

STEPS = ("target", "inputs", "distribution", "settings")

_SHORT = 64  # words up to this width are never shortened


class StepButton(QAbstractButton):
    """Caption above the choice made; a check where it is made, a ring where one is at work."""

    def __init__(self, caption: str, *, has_arrow: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._caption = caption
        self._has_arrow = has_arrow
        self._is_done = False
        self.setCheckable(True)
        self.setAutoExclusive(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme_notifier().theme_changed.connect(self.update)

    def show_choice(self, words: str, is_done: bool) -> None:
        """Show what was chosen."""
        self._is_done = is_done
        self.setText(words)
        self.setAccessibleName(f"{self._caption}: {words}")
        self.setToolTip(words)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(text_font("body", bold=True))
        notes = QFontMetrics(text_font("note"))
        width = max(metrics.horizontalAdvance(self.text()), notes.horizontalAdvance(self._caption))
        return QSize(width + (58 if self._has_arrow else 44), 44)

    def minimumSizeHint(self) -> QSize:
        notes = QFontMetrics(text_font("note"))
        words = QFontMetrics(text_font("body", bold=True)).horizontalAdvance(self.text())
        width = max(notes.horizontalAdvance(self._caption), min(words, _SHORT)) + (
            58 if self._has_arrow else 44
        )
        return QSize(width, 44)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = current_theme()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        background = QRectF(self.rect()).adjusted(0.5, 1, -14.5 if self._has_arrow else -0.5, -1)
        painter.setPen(Qt.PenStyle.NoPen)
        if self.isChecked() or self.underMouse():
            painter.setBrush(QColor(theme.selection if self.isChecked() else theme.hover))
            painter.drawRoundedRect(background, 4, 4)
        if self.hasFocus():
            painter.setPen(QPen(QColor(theme.accent), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(background.adjusted(1, 1, -1, -1), 4, 4)
        self._paint_sign(painter, background)
        room = background.adjusted(34, 4, -6, -4)
        painter.setFont(text_font("note"))
        painter.setPen(QColor(theme.text if self.isChecked() else theme.quiet))
        painter.drawText(room, Qt.AlignmentFlag.AlignTop, self._caption)
        painter.setFont(text_font("body", bold=True))
        painter.setPen(QColor(theme.text))
        words = painter.fontMetrics().elidedText(
            self.text(), Qt.TextElideMode.ElideRight, round(room.width())
        )
        painter.drawText(room, Qt.AlignmentFlag.AlignBottom, words)
        if self._has_arrow:
            area = QRectF(self.width() - 14, self.height() / 2 - 7, 14, 14)
            paint_icon(painter, "chevron-right", theme.quiet, area)
        painter.end()

    def _paint_sign(self, painter: QPainter, background: QRectF) -> None:
        theme = current_theme()
        area = QRectF(background.left() + 10, background.center().y() - 8, 16, 16)
        if self.isChecked():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(theme.accent), 2))
            painter.drawEllipse(area.adjusted(1.5, 1.5, -1.5, -1.5))
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(theme.accent))
            painter.drawEllipse(area.adjusted(5, 5, -5, -5))
        elif self._is_done:
            paint_icon(painter, "check", theme.gain, area)
        else:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(theme.control_border), 1.5))
            painter.drawEllipse(area.adjusted(2, 2, -2, -2))


class StepBar(Card):
    """Choose a step; each says what has been chosen so far."""

    step_chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(margin=4, parent=parent)
        captions = ("Target", "Inputs", "Distribution", "Settings")
        row = QHBoxLayout()
        row.setSpacing(2)
        self.buttons: dict[str, StepButton] = {}
        for place, (key, caption) in enumerate(zip(STEPS, captions, strict=True)):
            button = StepButton(caption, has_arrow=place < len(STEPS) - 1)
            button.clicked.connect(lambda _checked=False, key=key: self.step_chosen.emit(key))
            self.buttons[key] = button
            row.addWidget(button)
        self.body.addLayout(row)

    def show_step(self, key: str) -> None:
        """Mark the step at work."""
        self.buttons[key].setChecked(True)

    def show_choice(self, key: str, words: str, is_done: bool = True) -> None:
        """Show what a step has chosen."""
        self.buttons[key].show_choice(words, is_done)
