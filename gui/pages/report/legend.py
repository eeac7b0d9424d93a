"""The legend of a chart on paper: every line, group of bars and group of points by name."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QFontMetricsF, QPainter

from core.presentation.chart import BarsSpec, Chart, PointsSpec, SeriesSpec
from gui.charts.curves import bar_colour, line_pen, points_pen
from gui.charts.fonts import chart_font
from gui.theme import LIGHT

LEGEND = 20.0  # the height of a row


Sample = SeriesSpec | BarsSpec | PointsSpec


Row = list[tuple[float, Sample]]


def legend_rows(spec: Chart, width: float) -> list[Row]:
    """Return what stands in each row of a legend, with its place; in as many rows as needed."""
    samples: list[Sample] = [
        *(entry for entry in spec.series if entry.name not in spec.hidden),
        *spec.visible_bars(),
        *spec.visible_points(),
    ]
    named: dict[str, Sample] = {}
    for sample in samples:
        if sample.name:
            named.setdefault(sample.name, sample)
    if not named:
        return []
    metrics = QFontMetricsF(chart_font())
    rows: list[Row] = [[]]
    left = 0.0
    for name, sample in named.items():
        needs = 28 + metrics.horizontalAdvance(name) + 18
        if rows[-1] and left + needs > width:
            rows.append([])
            left = 0.0
        rows[-1].append((left, sample))
        left += needs
    return rows


def paint_legend(painter: QPainter, rows: list[Row]) -> None:
    """Paint a legend at the painter's origin."""
    painter.setFont(chart_font())
    for number, row in enumerate(rows):
        painter.save()
        painter.translate(0, number * LEGEND)
        for left, sample in row:
            _paint_sample(painter, sample, left)
            painter.setPen(QColor(LIGHT.text))
            painter.drawText(QPointF(left + 28, 13), sample.name)
        painter.restore()


def _paint_sample(painter: QPainter, sample: Sample, left: float) -> None:
    if isinstance(sample, BarsSpec):
        painter.fillRect(QRectF(left + 4, 5, 14, 9), bar_colour(sample, LIGHT))
    elif isinstance(sample, PointsSpec):
        painter.setPen(points_pen(sample, LIGHT))
        painter.drawPoint(QPointF(left + 11, 9))
    else:
        painter.setPen(line_pen(sample, LIGHT))
        painter.drawLine(QPointF(left, 9), QPointF(left + 22, 9))
