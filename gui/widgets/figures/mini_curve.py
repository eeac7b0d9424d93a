"""A small picture of a profit curve with its cursor; nothing to read off, only the shape."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.theme import current_theme, theme_notifier
from gui.widgets.figures.series import dash_pen


class MiniCurve(QWidget):
    """Curves over depth 0 to 1 on one scale that holds zero, and a cursor on the first."""

    def __init__(self, parent: QWidget | None = None, *, framed: bool = True) -> None:
        super().__init__(parent)
        self._curves: tuple[Sequence[float], ...] = ()
        self._depth: float | None = None
        self._framed = framed
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        theme_notifier().theme_changed.connect(self.update)

    def show_curves(
        self, curves: Sequence[Sequence[float]], depth: float | None = None, words: str = ""
    ) -> None:
        """Show curves given at equal steps of depth; ``words`` say it to a screen reader."""
        self._curves = tuple(curve for curve in curves if len(curve) > 1)
        self._depth = depth
        self.setAccessibleName(words)
        self.update()

    @property
    def curves(self) -> tuple[Sequence[float], ...]:
        """What is drawn."""
        return self._curves

    def sizeHint(self) -> QSize:
        return QSize(206, 124)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = current_theme()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        if self._framed:
            painter.setPen(QPen(QColor(theme.border), 1))
            painter.drawRoundedRect(area, 4, 4)
        if self._curves:
            self._paint_curves(painter, area.adjusted(10, 12, -10, -10))
        painter.end()

    def _paint_curves(self, painter: QPainter, area: QRectF) -> None:
        theme = current_theme()
        values = [value for curve in self._curves for value in curve]
        low, high = min(0.0, *values), max(0.0, *values)
        span = (high - low) or 1.0

        def place(depth: float, value: float) -> QPointF:
            return QPointF(
                area.left() + depth * area.width(),
                area.bottom() - (value - low) / span * area.height(),
            )

        painter.setPen(QPen(QColor(theme.quiet), 1))
        painter.drawLine(place(0, 0), place(1, 0))
        for series, curve in reversed(list(enumerate(self._curves))):
            steps = len(curve) - 1
            points = [place(step / steps, value) for step, value in enumerate(curve)]
            painter.setPen(dash_pen(series))
            painter.drawPolyline(QPolygonF(points))
        if self._depth is not None:
            self._paint_cursor(painter, area, place)

    def _paint_cursor(
        self, painter: QPainter, area: QRectF, place: Callable[[float, float], QPointF]
    ) -> None:
        theme = current_theme()
        first, depth = self._curves[0], self._depth or 0.0
        spot = depth * (len(first) - 1)
        lower = int(spot)
        upper = min(lower + 1, len(first) - 1)
        value = first[lower] + (spot - lower) * (first[upper] - first[lower])
        mark: QPointF = place(depth, value)
        painter.setPen(QPen(QColor(theme.accent), theme.sizes.cursor_line))
        painter.drawLine(QPointF(mark.x(), area.top() - 6), QPointF(mark.x(), area.bottom() + 4))
        painter.setPen(QPen(QColor(theme.series_colour(0)), 2))
        painter.setBrush(QColor(theme.card))
        painter.drawEllipse(mark, 4, 4)
        painter.setBrush(Qt.BrushStyle.NoBrush)
