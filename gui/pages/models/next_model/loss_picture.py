"""A small picture of a loss: what a case costs by the score it gets."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from core.document.training_results import LossLine
from core.document.wording import MINUS
from gui.charts.fonts import chart_font
from gui.theme import current_theme, series_dash, theme_notifier

_LEFT, _RIGHT, _TOP, _BOTTOM = 26.0, 10.0, 8.0, 34.0


class LossPicture(QWidget):
    """Up to a few lines over the score, each with its words near its higher end."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lines: tuple[LossLine, ...] = ()
        self._axis = ""
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        theme_notifier().theme_changed.connect(self.update)

    def show_lines(self, lines: tuple[LossLine, ...], axis: str) -> None:
        """Show the lines of a distribution; none leaves the picture empty."""
        self._lines, self._axis = lines, axis
        words = ", ".join(line.words for line in lines)
        self.setAccessibleName(f"{'Loss by score'}: {words}")
        self.update()

    @property
    def has_lines(self) -> bool:
        """Whether there is anything to show."""
        return bool(self._lines)

    def sizeHint(self) -> QSize:
        return QSize(224, 150)

    def minimumSizeHint(self) -> QSize:
        return QSize(200, 110)

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._lines:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(chart_font())
        plot = QRectF(
            _LEFT, _TOP, self.width() - _LEFT - _RIGHT, min(self.height(), 190) - _TOP - _BOTTOM
        )
        x = np.concatenate([line.x for line in self._lines])
        y = np.concatenate([line.y for line in self._lines])
        known = np.isfinite(y)
        low, high = float(min(0.0, y[known].min())), float(y[known].max()) or 1.0
        spans = (float(x.min()), float(x.max()), low, high)
        self._paint_axes(painter, plot, spans)
        for place, line in enumerate(self._lines):
            self._paint_line(painter, plot, spans, line, place)
        painter.end()

    def _paint_axes(
        self, painter: QPainter, plot: QRectF, spans: tuple[float, float, float, float]
    ) -> None:
        theme = current_theme()
        metrics = QFontMetricsF(painter.font())
        x_low, x_high, low, high = spans
        painter.setPen(QPen(QColor(theme.control_border), 1))
        foot = int(plot.bottom()) + 0.5
        painter.drawLine(QPointF(plot.left(), foot), QPointF(plot.right(), foot))
        painter.setPen(QColor(theme.quiet))
        for value in (x_low, (x_low + x_high) / 2, x_high):
            words = _short(value)
            at = plot.left() + (value - x_low) / (x_high - x_low) * plot.width()
            left = at - metrics.horizontalAdvance(words) / 2
            painter.drawText(QPointF(left, foot + 4 + metrics.ascent()), words)
        for value in (low, high):
            words = _short(value)
            at = plot.bottom() - (value - low) / (high - low) * plot.height()
            left = max(0.0, plot.left() - 6 - metrics.horizontalAdvance(words))
            painter.drawText(QPointF(left, at + metrics.ascent() / 2 - 1), words)
        left = plot.center().x() - metrics.horizontalAdvance(self._axis) / 2
        painter.drawText(QPointF(left, foot + 6 + metrics.height() + metrics.ascent()), self._axis)

    def _paint_line(
        self,
        painter: QPainter,
        plot: QRectF,
        spans: tuple[float, float, float, float],
        line: LossLine,
        place: int,
    ) -> None:
        theme = current_theme()
        x_low, x_high, low, high = spans
        pen = QPen(QColor(theme.series_colour(place)), 2.0)
        dash = series_dash(place)
        if dash:
            pen.setDashPattern(list(dash))
        painter.setPen(pen)
        known = np.isfinite(line.y)
        across = plot.left() + (line.x[known] - x_low) / (x_high - x_low) * plot.width()
        up = plot.bottom() - (line.y[known] - low) / (high - low) * plot.height()
        points = [QPointF(a, b) for a, b in zip(across.tolist(), up.tolist(), strict=True)]
        painter.drawPolyline(QPolygonF(points))
        if len(self._lines) > 1:
            self._paint_words(painter, plot, line, place, pen)

    def _paint_words(
        self, painter: QPainter, plot: QRectF, line: LossLine, place: int, pen: QPen
    ) -> None:
        """Words at the side where the line is high; several of one side below each other, with a
        stroke of their line.
        """
        sides = [_is_falling(other) for other in self._lines]
        is_falling = sides[place]
        row = sides[:place].count(is_falling)
        is_shared = sides.count(is_falling) > 1
        metrics = QFontMetricsF(painter.font())
        # Alone on its side a line's words may run as far as the other side's begin.
        other = max(metrics.horizontalAdvance(o.words) for o in self._lines if o is not line)
        room = max(plot.width() / 2 - 14, plot.width() - other - 36)
        words = metrics.elidedText(line.words, Qt.TextElideMode.ElideRight, room)
        width = metrics.horizontalAdvance(words)
        left = plot.left() + 14 if is_falling else plot.right() - 14 - width
        if is_shared:
            left = plot.left() + 34 if is_falling else plot.center().x() - width / 2
        foot = plot.top() + metrics.ascent() * 1.4 + row * metrics.height()
        painter.setPen(QColor(current_theme().text))
        painter.drawText(QPointF(left, foot), words)
        if is_shared:
            painter.setPen(pen)
            middle = foot - metrics.ascent() / 2 + 1
            painter.drawLine(QPointF(left - 20, middle), QPointF(left - 5, middle))


def _is_falling(line: LossLine) -> bool:
    return bool(line.y[0] > line.y[-1])


def _short(value: float) -> str:
    """A number at an axis' end: −4, 0, 0.5."""
    size = abs(value)
    decimals = 0 if size == 0 or size >= 3 or float(value).is_integer() else 1
    if 0 < size < 0.1:
        decimals = 1 - math.floor(math.log10(size))
    text = f"{size:.{decimals}f}"
    return f"{MINUS}{text}" if value < 0 and float(text) else text
