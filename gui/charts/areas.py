"""Charts that fill an area, and steps below each other, in the colours of a theme."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QPainter, QPen

from core.presentation.charts.areas import (
    ROOMY_STEP_ROW,
    TILE_LINES,
    Box,
    Pixels,
    StepPlace,
    area_pixels,
    now_place,
    region_names,
    shade_ends,
    shade_pixels,
    step_places,
    tile_places,
)
from core.presentation.charts.chart import Chart
from core.presentation.charts.names import PLATE
from core.presentation.charts.reading import quantity_words
from gui.charts.fonts import chart_font, text_width
from gui.charts.layout import ChartLayout, box_of
from gui.theme import Theme
from payoff.types import FloatArray

SCALE_WIDTH = 12.0
STEP_MARGIN = 8.0  # beside steps


def _margin(box: Box) -> QRectF:
    return QRectF(box.left, box.top, box.width, box.height)


def as_image(pixels: Pixels) -> QImage:
    """Pixels as a picture that stands on its own."""
    height, width = pixels.shape[:2]
    image = QImage(pixels.data, width, height, 3 * width, QImage.Format.Format_RGB888)
    return image.copy()


def paint_area(painter: QPainter, chart: Chart, layout: ChartLayout, theme: Theme) -> None:
    """The colours with their border, and what stands on them: names, marks, the scale."""
    plot = layout.plot
    painter.drawImage(plot, as_image(area_pixels(chart, theme)))
    painter.setPen(QPen(QColor(theme.control_border), 1))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(plot)
    if chart.regions is not None:
        _paint_names(painter, chart, plot, theme)
        _paint_now(painter, chart, plot, theme)
        return
    assert chart.shades is not None
    if chart.shades.line is not None:
        places = zip(chart.shades.line.tolist(), chart.shades.y.tolist(), strict=True)
        painter.setPen(QPen(QColor(theme.series_colour(chart.shades.series + 1)), 2.5))
        painter.drawPolyline([QPointF(layout.to_x(x), layout.to_y(y)) for x, y in places])
    _paint_rugs(painter, chart, layout, theme)
    _paint_scale(painter, chart, plot, theme)


def _paint_names(painter: QPainter, chart: Chart, plot: QRectF, theme: Theme) -> None:
    font = chart_font(bold=True)
    metrics = QFontMetricsF(font)
    painter.setFont(font)
    paper = QColor(theme.card)
    paper.setAlphaF(PLATE)
    for name in region_names(
        chart, box_of(plot), lambda text: text_width(text, True), metrics.height(), metrics.ascent()
    ):
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(paper)
        painter.drawRoundedRect(_margin(name.room), 3, 3)
        painter.setPen(QColor(theme.text))
        painter.drawText(QPointF(name.left, name.base), name.text)
    painter.setFont(chart_font())


def _paint_now(painter: QPainter, chart: Chart, plot: QRectF, theme: Theme) -> None:
    """The present values: two thin lines, and a filled point where they meet."""
    x, y = now_place(chart, box_of(plot))
    is_across = plot.left() <= x <= plot.right()
    is_up = plot.top() <= y <= plot.bottom()
    painter.setPen(QPen(QColor(theme.text), 1, Qt.PenStyle.DotLine))
    if is_across:
        painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()))
    if is_up:
        painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y))
    if is_across and is_up:
        painter.setPen(QPen(QColor(theme.card), 1.5))
        painter.setBrush(QColor(theme.accent))
        painter.drawEllipse(QPointF(x, y), 5, 5)


def _paint_rugs(painter: QPainter, chart: Chart, layout: ChartLayout, theme: Theme) -> None:
    """Where the cases lie along both edges."""
    shades, plot = chart.shades, layout.plot
    assert shades is not None
    painter.setPen(QPen(QColor(theme.text), 1))
    for value in _inside(shades.rug_x, layout.x_low, layout.x_high):
        x = round(layout.to_x(value))
        painter.drawLine(QPointF(x, plot.bottom() - 4), QPointF(x, plot.bottom()))
    for value in _inside(shades.rug_y, layout.y_low, layout.y_high):
        y = round(layout.to_y(value))
        painter.drawLine(QPointF(plot.left(), y), QPointF(plot.left() + 4, y))


def _inside(values: FloatArray | None, low: float, high: float) -> list[float]:
    return [] if values is None else [v for v in values.tolist() if low <= v <= high]


def _paint_scale(painter: QPainter, chart: Chart, plot: QRectF, theme: Theme) -> None:
    shades = chart.shades
    assert shades is not None
    low, high = shade_ends(shades)
    area = QRectF(plot.right() + 16, plot.top(), SCALE_WIDTH, plot.height())
    ramp = np.linspace(low, high, 64)[:, None]
    painter.drawImage(area, as_image(shade_pixels(ramp, shades, theme)))
    painter.setFont(chart_font())
    metrics = QFontMetricsF(painter.font())
    painter.setPen(QColor(theme.quiet))
    for value, share in ((high, 0.0), ((low + high) / 2, 0.5), (low, 1.0)):
        y = area.top() + share * (area.height() - metrics.ascent()) + metrics.ascent() - 1
        words = quantity_words(value, shades.quantity, "")
        painter.drawText(QPointF(area.right() + 6, y), words)


# ---------------------------------------------------------------- steps


def paint_steps(painter: QPainter, chart: Chart, width: float, height: float, theme: Theme) -> None:
    """Steps below each other, each in the colour of what it means."""
    painter.setFont(chart_font(False, 12))
    painter.translate(STEP_MARGIN, 0)
    room = width - 2 * STEP_MARGIN, min(height, float(ROOMY_STEP_ROW * len(chart.steps)))
    for place in step_places(chart.steps, *room, lambda text: text_width(text, False, 12)):
        _paint_step(painter, place, theme)


def _paint_step(painter: QPainter, place: StepPlace, theme: Theme) -> None:
    row, bar = _margin(place.row), _margin(place.bar)
    if place.step.is_total:
        painter.fillRect(row, QColor(theme.hover))
    painter.setPen(QColor(theme.text))
    metrics = QFontMetricsF(painter.font())
    name = metrics.elidedText(place.step.name, Qt.TextElideMode.ElideMiddle, place.name_width - 12)
    middle = Qt.AlignmentFlag.AlignVCenter
    painter.drawText(row.adjusted(4, 0, 0, 0), middle | Qt.AlignmentFlag.AlignLeft, name)
    words = place.step.words
    painter.drawText(row.adjusted(0, 0, -4, 0), middle | Qt.AlignmentFlag.AlignRight, words)
    painter.fillRect(bar, QColor(getattr(theme, place.role)))
    if place.thread is not None:  # a thread down to where the next step begins
        painter.setPen(QPen(QColor(theme.quiet), 1, Qt.PenStyle.DotLine))
        end = row.bottom() + (row.height() - bar.height()) / 2
        x = round(place.thread)
        painter.drawLine(QLineF(x, round(bar.bottom()), x, round(end)))


# ---------------------------------------------------------------- tiles


def paint_tiles(painter: QPainter, chart: Chart, width: float, height: float, theme: Theme) -> None:
    """Tiles side by side below their heads."""
    painter.translate(STEP_MARGIN, 0)
    places = tile_places(chart, width - 2 * STEP_MARGIN, height)
    small, strong = chart_font(), chart_font(True, 13)
    painter.setFont(small)
    painter.setPen(QColor(theme.quiet))
    metrics = QFontMetricsF(small)
    for head, box in zip(chart.tile_heads, places.heads, strict=True):
        words = metrics.elidedText(head, Qt.TextElideMode.ElideMiddle, box.width)
        painter.drawText(_margin(box), Qt.AlignmentFlag.AlignCenter, words)
    for tile, box in zip(chart.tiles, places.tiles, strict=True):
        painter.setPen(QPen(QColor(theme.border), 1))
        painter.setBrush(QColor(theme.card))
        painter.drawRoundedRect(_margin(box), 6, 6)
        room = box.width - 20
        for text, at, font in zip(
            (tile.name, tile.figure, tile.note), TILE_LINES, (small, strong, small), strict=True
        ):
            painter.setFont(font)
            painter.setPen(QColor(theme.text if font is strong else theme.quiet))
            shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, room)
            painter.drawText(QPointF(box.left + 10, box.top + at), shown)
