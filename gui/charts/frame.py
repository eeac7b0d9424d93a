"""What stands around and under the curves: grid, axes, words, names of baselines."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from core.presentation.charts.scales import axis_label
from gui.charts.fonts import chart_font
from gui.charts.layout import ChartLayout
from gui.charts.spec import BaselineSpec, Chart, SeriesSpec, Side
from gui.theme import Theme
from payoff.types import FloatArray

_OTHER_SIDE: dict[Side, Side] = {
    "above": "below",
    "below": "above",
    "left": "right",
    "right": "left",
}


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
    _paint_y_label(painter, axis_label(spec.y_axis, layout.is_compact), layout, theme)


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


def _paint_y_label(painter: QPainter, label: str, layout: ChartLayout, theme: Theme) -> None:
    """The name of the y axis, turned, at the left edge."""
    if not label:
        return
    metrics = QFontMetricsF(painter.font())
    shown = metrics.elidedText(label, Qt.TextElideMode.ElideRight, layout.height)
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
) -> None:
    """The names of the grey lines, beside the line; none that the box at ``avoid`` would cut."""
    if layout.is_sparse:
        return
    painter.setFont(chart_font())
    painter.setPen(QColor(theme.quiet))
    metrics = QFontMetricsF(painter.font())
    for entry in spec.baselines:
        place = _free_place(entry, spec, layout, metrics)
        if place is None:
            continue
        room = _margin_of(entry.name, place, metrics)
        if avoid is None or not room.intersects(avoid):
            painter.drawText(place, entry.name)


def _margin_of(name: str, place: QPointF, metrics: QFontMetricsF) -> QRectF:
    """The rectangle of a name that starts at a place."""
    width = metrics.horizontalAdvance(name)
    return QRectF(place.x(), place.y() - metrics.ascent(), width, metrics.height())


def _free_place(
    entry: BaselineSpec, spec: Chart, layout: ChartLayout, metrics: QFontMetricsF
) -> QPointF | None:
    """Where a name stands clear of the models' curves: on its side, else on the other one.

    A name that has no free place keeps its side, or is left out if it ``needs_margin``.
    """
    first = _name_place(entry, layout, metrics)
    if first is None or not _is_crossed(_margin_of(entry.name, first, metrics), spec, layout):
        return first
    second = _name_place(replace(entry, side=_OTHER_SIDE[entry.side]), layout, metrics)
    if second is not None and not _is_crossed(
        _margin_of(entry.name, second, metrics), spec, layout
    ):
        return second
    return None if entry.needs_margin else first


def _is_crossed(room: QRectF, spec: Chart, layout: ChartLayout) -> bool:
    """Does a curve or a grey line run through a rectangle?"""
    x = np.linspace(layout.from_x(room.left() - 2), layout.from_x(room.right() + 2), 9)
    top, bottom = layout.from_y(room.top()), layout.from_y(room.bottom())
    grey = [line for line in spec.baselines if len(line.x) > 1]
    lines: tuple[SeriesSpec | BaselineSpec, ...] = (*spec.visible_series(), *grey)
    for series in lines:
        y = np.interp(x, series.x, series.y)
        is_left, is_right = x < series.x[0], x > series.x[-1]
        if bool(np.any((y >= bottom) & (y <= top) & ~is_left & ~is_right)):
            return True
    return False


def _name_place(entry: BaselineSpec, layout: ChartLayout, metrics: QFontMetricsF) -> QPointF | None:
    """Where a baseline's name starts, or None where its line is out of sight."""
    if not entry.name or len(entry.x) == 0:
        return None
    x = layout.x_low + entry.label_at * (layout.x_high - layout.x_low)
    y = float(np.interp(x, entry.x, entry.y))
    if not layout.is_inside(x, y):
        return None
    width = metrics.horizontalAdvance(entry.name)
    left, base = layout.to_x(x), layout.to_y(y)
    if entry.side == "above":
        base -= 5
    elif entry.side == "below":
        has_margin = base + metrics.ascent() + 6 < layout.plot.bottom()
        if entry.needs_margin and not has_margin:
            return None
        base += metrics.ascent() + 4 if has_margin else -5
    else:
        base += metrics.ascent() + 2
        left += 9 if entry.side == "right" else -9 - width
    right_end = layout.plot.right() - width - 2
    left = min(left if entry.side in ("left", "right") else left - width / 2, right_end)
    base = min(max(base, layout.plot.top() + metrics.ascent()), layout.plot.bottom() - 4)
    return QPointF(round(left), round(base))


def paint_focus(painter: QPainter, layout: ChartLayout, theme: Theme) -> None:
    """The visible focus of the keyboard."""
    painter.setPen(QPen(QColor(theme.accent), 2))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(QRectF(1, 1, layout.width - 2, layout.height - 2), 4, 4)


def _crisp(value: float) -> float:
    """The middle of a pixel, where a line of one pixel is sharp."""
    return float(int(value)) + 0.5
