"""Small bars in a line of figures: an interval on a common scale, a shift from the middle."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.theme import current_theme, theme_notifier

if TYPE_CHECKING:
    from core.document.results import Estimate


SHIFT_THICK = 3.0
MOST_SHIFT = 1.0  # a shift of 100 % reaches the end of its bar


def paint_shift(painter: QPainter, area: QRectF, shift: float) -> None:
    """Draw a thin bar at the foot of a rectangle: from its middle to the left below 0."""
    theme = current_theme()
    foot = area.bottom() - SHIFT_THICK - 1.5
    middle = area.center().x()
    reach = area.width() / 2.0 * min(abs(shift), MOST_SHIFT) / MOST_SHIFT
    painter.save()
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(theme.track))
    painter.drawRoundedRect(QRectF(area.left(), foot, area.width(), SHIFT_THICK), 1.5, 1.5)
    painter.setBrush(QColor(theme.accent))
    start = middle - (reach if shift < 0 else 0.0)
    painter.drawRect(QRectF(start, foot, max(reach, 1.5), SHIFT_THICK))
    painter.setBrush(QColor(theme.text))
    painter.drawRect(QRectF(middle - 0.5, foot - 1.5, 1.0, SHIFT_THICK + 3.0))
    painter.restore()


def paint_estimate(
    painter: QPainter,
    area: QRectF,
    estimate: Estimate,
    scale: tuple[float, float],
    colour: str,
) -> None:
    """Draw track, interval and value into a rectangle; for widgets and table delegates alike."""
    theme = current_theme()
    low, high = scale
    span = (high - low) or 1.0
    middle = round(area.center().y())

    def place(value: float) -> float:
        share = min(1.0, max(0.0, (value - low) / span))
        return area.left() + share * area.width()

    painter.fillRect(QRectF(area.left(), middle, area.width(), 1), QColor(theme.track))
    if not math.isfinite(estimate.value):
        return
    if math.isfinite(estimate.low) and math.isfinite(estimate.high):
        left, right = place(estimate.low), place(estimate.high)
        tint = QColor(colour)
        tint.setAlphaF(0.5)
        painter.fillRect(QRectF(left, middle - 2, max(2.0, right - left), 5), tint)
    mark = round(place(estimate.value))
    painter.fillRect(QRectF(mark - 1, middle - 5, 3, 11), QColor(colour))


class EstimateBar(QWidget):
    """A value and its interval on a common scale; tooltip and accessible name say them in words."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._estimate: Estimate | None = None
        self._scale = (0.0, 1.0)
        self._series = 0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(14)
        theme_notifier().theme_changed.connect(self.update)

    def set_estimate(
        self, estimate: Estimate, scale: tuple[float, float], series: int = 0, words: str = ""
    ) -> None:
        """Show an estimate in a model's colour; ``words`` say it for tooltip and screen reader."""
        self._estimate = estimate
        self._scale = scale
        self._series = series
        self.setToolTip(words)
        self.setAccessibleName(words)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(96, 14)

    def minimumSizeHint(self) -> QSize:
        return QSize(40, 14)

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._estimate is None:
            return
        painter = QPainter(self)
        colour = current_theme().series_colour(self._series)
        paint_estimate(painter, QRectF(self.rect()), self._estimate, self._scale, colour)
        painter.end()
