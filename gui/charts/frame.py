"""What stands around and under the curves: grid, axes, words, names of baselines."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from core.presentation.charts.names import PLATE, Lettering, baseline_names
from core.presentation.charts.scales import axis_label
from gui.charts.fonts import chart_font
from gui.charts.layout import ChartLayout, box_of
from gui.charts.spec import Chart
from gui.theme import Theme
from payoff.types import FloatArray


def paint_grid(painter: QPainter, layout: ChartLayout, theme: Theme) -> None:
    """The light grid, on y only."""
    if layout.is_sparse:
        return
    painter.setPen(QPen(QColor(theme.grid), 1))
    for value in layout.y_ticks.values:
        y = _crisp(layout.to_y(value))
        painter.drawLine(QLineF(layout.plot.left(), y, layout.plot.right(), y))


def paint_axes(painter: QPainter, spec: Chart, layout: ChartLayout, theme: Theme) -> None:
    """The foot line with its ticks, the texts of both axes and the words at the ends."""
    if layout.is_sparse:
        return
    plot = layout.plot
    painter.setFont(chart_font())
    metrics = QFontMetricsF(painter.font())
    foot = _crisp(plot.bottom())
    painter.setPen(QPen(QColor(theme.control_border), 1))
    painter.drawLine(QLineF(plot.left(), foot, plot.right(), foot))
    for value in layout.x_ticks.values:
        x = _crisp(layout.to_x(value))
        painter.drawLine(QLineF(x, foot, x, foot + 4))
    if spec.rug is not None:
        _paint_rug(painter, spec.rug, layout, theme)
    painter.setPen(QColor(theme.quiet))
    baseline = foot + 4.5 + metrics.ascent()
    for value, text in zip(layout.x_ticks.values, layout.x_ticks.texts, strict=True):
        width = metrics.horizontalAdvance(text)
        left = min(layout.to_x(value) - width / 2, layout.width - width - 1)
        painter.drawText(QPointF(round(left), round(baseline)), text)
    for value, text in zip(layout.y_ticks.values, layout.y_ticks.texts, strict=True):
        y = layout.to_y(value) + metrics.ascent() / 2 - 1.5
        left = plot.left() - 8 - metrics.horizontalAdvance(text)
        painter.drawText(QPointF(round(left), round(y)), text)
    _paint_x_words(painter, spec, layout, theme, baseline + metrics.height() + 2)
    label = axis_label(spec.y_axis, layout.is_compact)
    clause = "" if spec.y_axis.quantity == "money" else label.partition(", ")[0]  # not its unit
    _paint_y_label(painter, label, clause, layout, theme)


def _paint_rug(painter: QPainter, rug: FloatArray, layout: ChartLayout, theme: Theme) -> None:
    """A stroke on the foot line for each value: where they are rare, the curve is a guess."""
    painter.setPen(QPen(QColor(theme.control_border), 1))
    foot = _crisp(layout.plot.bottom())
    for value in rug[np.isfinite(rug)].tolist():
        if layout.x_low <= value <= layout.x_high:
            x = _crisp(layout.to_x(value))
            painter.drawLine(QLineF(x, foot - 7, x, foot))


def _paint_x_words(
    painter: QPainter, spec: Chart, layout: ChartLayout, theme: Theme, baseline: float
) -> None:
    """Below the ticks: the axis' name in the middle, a word at each end."""
    axis, plot = spec.x_axis, layout.plot
    metrics = QFontMetricsF(painter.font())
    y = round(baseline)
    painter.setPen(QColor(theme.text))
    if axis.first_word:
        painter.drawText(QPointF(round(plot.left()), y), axis.first_word)
    if axis.last_word:
        left = plot.right() - metrics.horizontalAdvance(axis.last_word)
        painter.drawText(QPointF(round(left), y), axis.last_word)
    ends = (metrics.horizontalAdvance(word) for word in (axis.first_word, axis.last_word))
    taken = 2 * max(ends) + 24  # the name stands in the middle: both sides lose the same
    label = metrics.elidedText(
        axis_label(axis, layout.is_compact), Qt.TextElideMode.ElideRight, plot.width() - taken
    )
    painter.setPen(QColor(theme.quiet))
    painter.drawText(
        QPointF(round(plot.center().x() - metrics.horizontalAdvance(label) / 2), y), label
    )


def y_label_that_fits(label: str, clause: str, metrics: QFontMetricsF, height: float) -> str:
    """Return the name of an axis, its first clause where all of it is too long, cut if it must."""
    is_long = metrics.horizontalAdvance(label) > height
    return (
        metrics.elidedText(clause or label, Qt.TextElideMode.ElideRight, height)
        if is_long
        else label
    )


def _paint_y_label(
    painter: QPainter, label: str, clause: str, layout: ChartLayout, theme: Theme
) -> None:
    """The name of the y axis, turned, at the left edge."""
    if not label:
        return
    metrics = QFontMetricsF(painter.font())
    shown = y_label_that_fits(label, clause, metrics, layout.height)
    middle = layout.plot.center().y() + metrics.horizontalAdvance(shown) / 2
    middle = max(middle, metrics.horizontalAdvance(shown) + 1)
    painter.save()
    painter.translate(round(metrics.ascent()) + 2, round(middle))
    painter.rotate(-90)
    painter.setPen(QColor(theme.quiet))
    painter.drawText(QPointF(0, 0), shown)
    painter.restore()


def paint_baseline_names(
    painter: QPainter,
    spec: Chart,
    layout: ChartLayout,
    theme: Theme,
    avoid: QRectF | None = None,
) -> list[QRectF]:
    """The names of the grey lines, beside the line and clear of the box at ``avoid``.

    Returns the rooms of the names, in pixels: a line of the cursor is broken there.
    """
    if layout.is_sparse:
        return []
    rooms: list[QRectF] = []
    painter.setFont(chart_font())
    metrics = QFontMetricsF(painter.font())
    letters = Lettering(metrics.horizontalAdvance, metrics.ascent(), metrics.height())
    plate = QColor(theme.card)
    plate.setAlphaF(PLATE)
    taken = () if avoid is None else (box_of(avoid),)
    for name in baseline_names(spec, layout.frame(), letters, taken):
        rooms.append(QRectF(name.room.left, name.room.top, name.room.width, name.room.height))
        if name.is_over:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(plate)
            painter.drawRoundedRect(rooms[-1], 3, 3)
        painter.setPen(QColor(theme.quiet))
        painter.drawText(QPointF(name.left, name.base), name.text)
    return rooms


def paint_focus(painter: QPainter, layout: ChartLayout, theme: Theme) -> None:
    """The visible focus of the keyboard."""
    painter.setPen(QPen(QColor(theme.accent), 2))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(QRectF(1, 1, layout.width - 2, layout.height - 2), 4, 4)


def _crisp(value: float) -> float:
    """The middle of a pixel, where a line of one pixel is sharp."""
    return float(int(value)) + 0.5
