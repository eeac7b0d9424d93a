"""Pictures of the studies of iterations, drawn by Qt."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QGuiApplication,
    QImage,
    QPainter,
    QPen,
    QPolygonF,
)

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#6B6B6B")
DASHES = (
    Qt.PenStyle.SolidLine,
    Qt.PenStyle.DashLine,
    Qt.PenStyle.DotLine,
    Qt.PenStyle.DashDotLine,
    Qt.PenStyle.DashDotDotLine,
)
INK, GRID = "#1B1F24", "#D9DDE2"


@dataclass(frozen=True)
class Line:
    """A curve over iterations 1 .. T, with what it varies on each side."""

    label: str
    values: np.ndarray
    spread: np.ndarray


class _Panel:
    """A frame with axes; draws in the units of the data."""

    def __init__(
        self, painter: QPainter, area: QRectF, x: tuple[float, float], y: tuple[float, float]
    ) -> None:
        self.painter, self.area, self.x, self.y = painter, area, x, y

    def at(self, x: float, y: float) -> QPointF:
        area = self.area
        across = (x - self.x[0]) / (self.x[1] - self.x[0])
        up = (y - self.y[0]) / (self.y[1] - self.y[0])
        return QPointF(area.left() + across * area.width(), area.bottom() - up * area.height())

    def frame(self, x_ticks: list[float], y_ticks: list[float], places: int) -> None:
        painter = self.painter
        for value in y_ticks:
            painter.setPen(QPen(QColor(GRID), 1))
            painter.drawLine(self.at(self.x[0], value), self.at(self.x[1], value))
            spot = self.at(self.x[0], value)
            self.text(QRectF(spot.x() - 62, spot.y() - 10, 56, 20), f"{value:.{places}f}", "right")
        for value in x_ticks:
            spot = self.at(value, self.y[0])
            self.text(QRectF(spot.x() - 40, spot.y() + 4, 80, 20), f"{value:,.0f}", "middle")
        painter.setPen(QPen(QColor(INK), 1))
        painter.drawLine(self.area.bottomLeft(), self.area.bottomRight())

    def text(self, where: QRectF, words: str, side: str, *, bold: bool = False) -> None:
        align = {
            "right": Qt.AlignmentFlag.AlignRight,
            "middle": Qt.AlignmentFlag.AlignHCenter,
            "left": Qt.AlignmentFlag.AlignLeft,
        }[side]
        font = QFont("sans-serif", 10)
        font.setBold(bold)
        self.painter.setFont(font)
        self.painter.setPen(QColor(INK))
        self.painter.drawText(where, align | Qt.AlignmentFlag.AlignVCenter, words)


def _image(width: int, height: int) -> tuple[QImage, QPainter]:
    if QGuiApplication.instance() is None:
        _image.app = QGuiApplication([])
    image = QImage(2 * width, 2 * height, QImage.Format.Format_RGB32)
    image.fill(QColor("white"))
    painter = QPainter(image)
    painter.scale(2.0, 2.0)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    return image, painter


def _ticks(low: float, high: float, many: int = 5) -> list[float]:
    step = 10.0 ** np.floor(np.log10((high - low) / many))
    step *= next(k for k in (1, 2, 5, 10) if k * step * many >= high - low)
    return [float(v) for v in np.arange(np.ceil(low / step), np.floor(high / step) + 1) * step]


def draw_lines(
    panels: list[tuple[str, list[Line]]], x_words: str, y_words: str, path: Path
) -> None:
    """Panels of curves side by side, one key below."""
    image, painter = _image(1200, 420)
    for place, (title, lines) in enumerate(panels):
        area = QRectF(90 + 375 * place, 40, 280, 270)
        least = min(float((line.values - line.spread).min()) for line in lines)
        first = max(float(line.values[0]) for line in lines)
        low, high = least - 0.03 * (first - least), first + 0.02 * (first - least)
        long = len(lines[0].values)
        panel = _Panel(painter, area, (0.0, float(long)), (low, high))
        panel.frame(_ticks(0, long, 4), _ticks(low, high), 1 if high - low > 2 else 2)
        panel.text(QRectF(area.left(), 10, 280, 24), title, "left", bold=True)
        panel.text(QRectF(area.left(), 334, 280, 20), x_words, "middle")
        painter.save()
        painter.translate(area.left() - 74, area.center().y())
        painter.rotate(-90)
        panel.text(QRectF(-140, -10, 280, 20), y_words if place == 0 else "", "middle")
        painter.restore()
        painter.setClipRect(area)
        for number, line in enumerate(lines):
            painter.setPen(QPen(QColor(COLOURS[number]), 1.6, DASHES[number]))
            points = np.unique(np.linspace(0, long - 1, 400).astype(int))
            _draw_band(panel, line, points, QColor(COLOURS[number]))
            painter.drawPolyline(QPolygonF([panel.at(p + 1, line.values[p]) for p in points]))
        painter.setClipping(False)
    for number, line in enumerate(panels[0][1]):
        left = 90 + 200 * number
        painter.setPen(QPen(QColor(COLOURS[number]), 1.6, DASHES[number]))
        painter.drawLine(QPointF(left, 388), QPointF(left + 32, 388))
        panel.text(QRectF(left + 40, 378, 150, 20), line.label, "left")
    painter.end()
    image.save(str(path))


def _draw_band(panel: _Panel, line: Line, points: np.ndarray, colour: QColor) -> None:
    """Fill between a curve less its spread and the curve with it."""
    upper = [panel.at(p + 1, line.values[p] + line.spread[p]) for p in points]
    lower = [panel.at(p + 1, line.values[p] - line.spread[p]) for p in points[::-1]]
    colour.setAlpha(36)
    pen = panel.painter.pen()
    panel.painter.setPen(Qt.PenStyle.NoPen)
    panel.painter.setBrush(colour)
    panel.painter.drawPolygon(QPolygonF([*upper, *lower]))
    panel.painter.setBrush(Qt.BrushStyle.NoBrush)
    panel.painter.setPen(pen)


def draw_boxes(boxes: dict[str, np.ndarray], words: str, path: Path) -> None:
    """A box (quarters, median) with its points for each rule."""
    image, painter = _image(760, 400)
    area = QRectF(90, 20, 640, 320)
    low = min(0.6, float(min(values.min() for values in boxes.values())) - 0.02)
    panel = _Panel(painter, area, (0.0, float(len(boxes))), (low, 1.02))
    panel.frame([], _ticks(low, 1.02), 2)
    for place, (name, values) in enumerate(boxes.items()):
        middle = place + 0.5
        quarter, median, upper = np.quantile(values, (0.25, 0.5, 0.75))
        box = QRectF(panel.at(middle - 0.22, upper), panel.at(middle + 0.22, quarter))
        painter.setPen(QPen(QColor(COLOURS[0]), 1.4))
        painter.setBrush(QColor("#DCEBF5"))
        painter.drawRect(box)
        painter.setPen(QPen(QColor(COLOURS[0]), 3))
        painter.drawLine(panel.at(middle - 0.22, median), panel.at(middle + 0.22, median))
        painter.setPen(QPen(QColor(INK), 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for number, value in enumerate(sorted(values)):
            aside = 0.08 * ((number % 3) - 1)
            painter.drawEllipse(panel.at(middle + aside, value), 3, 3)
        panel.text(QRectF(panel.at(middle, low).x() - 80, 346, 160, 20), name, "middle")
    painter.save()
    painter.translate(22, area.center().y())
    painter.rotate(-90)
    panel.text(QRectF(-160, -10, 320, 20), words, "middle")
    painter.restore()
    painter.end()
    image.save(str(path))
