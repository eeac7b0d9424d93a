"""The map of two inputs: the prediction as shades over both at once."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from core.document.training_results import DependenceMap
from core.presentation.numbers import number_words, predicted_words
from core.presentation.scales import nice_step
from gui.plots.fonts import chart_font
from gui.theme import Theme, current_theme, theme_notifier
from payoff.types import FloatArray

_TOP, _BOTTOM, _SCALE = 6.0, 36.0, 96.0


class PairMap(QWidget):
    """A cell per pair of values; hovering reads one, the scale stands at the right."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._map: DependenceMap | None = None
        self._output = 0
        self._is_chance = False
        self._series = 0
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        theme_notifier().theme_changed.connect(self.update)

    def show_map(
        self,
        pair: DependenceMap | None,
        *,
        series: int = 0,
        output: int = 0,
        is_chance: bool = False,
    ) -> None:
        """Show a map, or nothing."""
        self._map, self._output, self._is_chance = pair, output, is_chance
        self._series = series
        if pair is not None:
            low, high = _ends(pair.values[output])
            self.setAccessibleName(" × ".join(pair.columns))
            self.setAccessibleDescription(f"{self._words(low)} … {self._words(high)}")
        self.update()

    @property
    def pair(self) -> DependenceMap | None:
        """The two inputs and the grid over them; None where it is empty."""
        return self._map

    def sizeHint(self) -> QSize:
        return QSize(420, 220)

    def minimumSizeHint(self) -> QSize:
        return QSize(240, 140)

    def _words(self, value: float) -> str:
        return predicted_words(value, is_chance=self._is_chance)

    # ------------------------------------------------------------ painting

    def paintEvent(self, event: QPaintEvent) -> None:
        pair = self._map
        if pair is None:
            return
        theme = current_theme()
        painter = QPainter(self)
        painter.setFont(chart_font())
        plot = self._plot(pair)
        values = pair.values[self._output]
        low, high = _ends(values)
        painter.drawImage(plot, shades(values, low, high, theme, self._series))
        painter.setPen(QPen(QColor(theme.control_border), 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(plot.toRect())
        self._paint_x(painter, plot, pair, theme)
        self._paint_y(painter, plot, pair, theme)
        self._paint_rugs(painter, plot, pair, theme)
        self._paint_scale(painter, plot, low, high, theme)
        painter.end()

    def _plot(self, pair: DependenceMap) -> QRectF:
        metrics = QFontMetricsF(chart_font())
        widest = max(metrics.horizontalAdvance(words) for _, words in _ticks(pair.y, pair.y_levels))
        left = 22.0 + min(widest, 90.0) + 8.0
        width = max(40.0, self.width() - left - _SCALE)
        return QRectF(left, _TOP, width, max(40.0, self.height() - _TOP - _BOTTOM))

    def _paint_x(self, painter: QPainter, plot: QRectF, pair: DependenceMap, theme: Theme) -> None:
        metrics = QFontMetricsF(painter.font())
        painter.setPen(QColor(theme.quiet))
        taken = -math.inf
        for share, words in _ticks(pair.x, pair.x_levels):
            width = metrics.horizontalAdvance(words)
            left = plot.left() + share * plot.width() - width / 2
            if left > taken:
                painter.drawText(QPointF(left, plot.bottom() + 4 + metrics.ascent()), words)
                taken = left + width + 6
        name = pair.columns[0]
        at = plot.center().x() - metrics.horizontalAdvance(name) / 2
        painter.drawText(QPointF(at, plot.bottom() + 6 + metrics.height() + metrics.ascent()), name)

    def _paint_y(self, painter: QPainter, plot: QRectF, pair: DependenceMap, theme: Theme) -> None:
        metrics = QFontMetricsF(painter.font())
        painter.setPen(QColor(theme.quiet))
        for share, words in _ticks(pair.y, pair.y_levels):
            shown = metrics.elidedText(words, Qt.TextElideMode.ElideRight, 90)
            left = plot.left() - 8 - metrics.horizontalAdvance(shown)
            y = plot.bottom() - share * plot.height() + metrics.ascent() / 2 - 1
            painter.drawText(QPointF(left, y), shown)
        name = metrics.elidedText(pair.columns[1], Qt.TextElideMode.ElideRight, plot.height())
        painter.save()
        painter.translate(metrics.ascent() + 2, plot.center().y())
        painter.rotate(-90)
        painter.drawText(QPointF(-metrics.horizontalAdvance(name) / 2, 0), name)
        painter.restore()

    def _paint_rugs(
        self, painter: QPainter, plot: QRectF, pair: DependenceMap, theme: Theme
    ) -> None:
        """Where the cases lie along both edges."""
        painter.setPen(QPen(QColor(theme.text), 1))
        if not pair.x_levels:
            for share in _shares(pair.rug_x, pair.x):
                x = round(plot.left() + share * plot.width())
                painter.drawLine(QPointF(x, plot.bottom() - 4), QPointF(x, plot.bottom()))
        if not pair.y_levels:
            for share in _shares(pair.rug_y, pair.y):
                y = round(plot.bottom() - share * plot.height())
                painter.drawLine(QPointF(plot.left(), y), QPointF(plot.left() + 4, y))

    def _paint_scale(
        self, painter: QPainter, plot: QRectF, low: float, high: float, theme: Theme
    ) -> None:
        area = QRectF(plot.right() + 16, plot.top(), 12, plot.height())
        ramp = np.linspace(low, high, 64)[:, None]
        painter.drawImage(area, shades(ramp, low, high, theme, self._series))
        metrics = QFontMetricsF(painter.font())
        painter.setPen(QColor(theme.quiet))
        for value, share in ((high, 0.0), ((low + high) / 2, 0.5), (low, 1.0)):
            y = area.top() + share * (area.height() - metrics.ascent()) + metrics.ascent() - 1
            painter.drawText(QPointF(area.right() + 6, y), self._words(value))

    # ------------------------------------------------------------ reading

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        QToolTip.showText(event.globalPosition().toPoint(), self.text_at(event.position()), self)

    def text_at(self, place: QPointF) -> str:
        """Both values and the prediction under a point, or an empty text."""
        pair = self._map
        if pair is None:
            return ""
        plot = self._plot(pair)
        if not plot.contains(place):
            return ""
        across = (place.x() - plot.left()) / plot.width()
        up = (plot.bottom() - place.y()) / plot.height()
        column = min(len(pair.x) - 1, int(across * len(pair.x)))
        row = min(len(pair.y) - 1, int(up * len(pair.y)))
        first = pair.x_levels[column] if pair.x_levels else number_words(float(pair.x[column]))
        second = pair.y_levels[row] if pair.y_levels else number_words(float(pair.y[row]))
        value = self._words(float(pair.values[self._output, row, column]))
        return f"{pair.columns[0]} {first}, {pair.columns[1]} {second}: {value}"


def shades(values: FloatArray, low: float, high: float, theme: Theme, series: int) -> QImage:
    """Values (rows from below, columns) as a picture from the card's colour to the model's."""
    span = (high - low) or 1.0
    share = np.clip((np.nan_to_num(values, nan=low) - low) / span, 0.0, 1.0)[::-1, :, None]
    ends = [QColor(theme.track), QColor(theme.series_colour(series))]
    first, last = (np.array([c.red(), c.green(), c.blue()], dtype=np.float64) for c in ends)
    pixels = np.ascontiguousarray((first + share * (last - first)).round().astype(np.uint8))
    height, width = pixels.shape[:2]
    image = QImage(pixels.data, width, height, 3 * width, QImage.Format.Format_RGB888)
    return image.copy()


def _ends(values: FloatArray) -> tuple[float, float]:
    known = values[np.isfinite(values)]
    return (float(known.min()), float(known.max())) if known.size else (0.0, 1.0)


def _shares(values: FloatArray, grid: FloatArray) -> list[float]:
    """Places of values along the cells of a grid of numbers, 0 to 1."""
    if len(grid) < 2 or grid[-1] <= grid[0]:
        return []
    cell = (grid[-1] - grid[0]) / (len(grid) - 1)
    share = (values - grid[0] + cell / 2) / (cell * len(grid))
    return [float(s) for s in share[np.isfinite(share)] if 0 <= s <= 1]


def _ticks(grid: FloatArray, levels: tuple[str, ...]) -> list[tuple[float, str]]:
    """Places (0 to 1) and words along an axis."""
    if levels:
        return [((place + 0.5) / len(levels), words) for place, words in enumerate(levels)]
    low, high = float(grid[0]), float(grid[-1])
    step = nice_step(high - low, 5)
    first = math.ceil(low / step - 1e-9)
    values = [number * step for number in range(first, math.floor(high / step + 1e-9) + 1)]
    shares = _shares(np.array(values), grid)
    return [(share, number_words(v)) for share, v in zip(shares, values, strict=False)] or [
        (0.5, number_words(low))
    ]
