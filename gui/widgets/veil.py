"""A grey veil over figures that are being worked out again: what lies below is not of now."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from gui.pauses import PAUSES, single_shot
from gui.theme import current_theme, text_font

_PAD, _HEIGHT = 14, 26
_LIGHT = 100  # of 255, at once
_DENSITY = 170  # of 255: what lies below can be made out and is plainly not of now


class Veil(QWidget):
    """Lies over a widget while what it shows is not of the present document, and says so.

    Parameters
    ----------
    target : QWidget
        Keeps its place and takes clicks as before.
    """

    def __init__(self, target: QWidget) -> None:
        super().__init__(target)
        self._target = target
        self.words = "Being worked out…"
        self.setAccessibleName(self.words)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._pause = single_shot(self, PAUSES.veil, self._lay_in_full)
        self._is_full = False
        target.installEventFilter(self)
        self.hide()

    @property
    def is_drawn(self) -> bool:
        """Whether the figures below are greyed."""
        return not self.isHidden()

    def draw(self, is_stale: bool, *, at_once: bool = False) -> None:
        """Lay the veil, or take it away.

        ``at_once``: in full from the start, where the figures are of other data or models. After an
        edit it is light at first, for its answer is there in a moment as a rule.
        """
        if not is_stale:
            self._pause.stop()
            self.hide()
            return
        if not self.is_drawn:
            self._is_full = False
            self._pause.start()
            self.setGeometry(self._target.rect())
            self.raise_()
            self.show()
        if at_once:
            self._lay_in_full()

    def _lay_in_full(self) -> None:
        self._pause.stop()
        self._is_full = True
        self.update()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and watched is self._target:
            self.setGeometry(self._target.rect())
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        theme = current_theme()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        grey = QColor(str(theme.window))
        grey.setAlpha(_DENSITY if self._is_full else _LIGHT)
        painter.fillRect(self.rect(), grey)
        if not self._is_full:
            painter.end()
            return
        painter.setFont(text_font("body"))
        width = painter.fontMetrics().horizontalAdvance(self.words) + 2 * _PAD
        place = QRectF((self.width() - width) / 2, (self.height() - _HEIGHT) / 2, width, _HEIGHT)
        painter.setPen(QColor(str(theme.border)))
        painter.setBrush(QColor(str(theme.card)))
        painter.drawRoundedRect(place, _HEIGHT / 2, _HEIGHT / 2)
        painter.setPen(QColor(str(theme.text)))
        painter.drawText(place, Qt.AlignmentFlag.AlignCenter, self.words)
        painter.end()
