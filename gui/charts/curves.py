"""Curves, bands, bars and points: as pyqtgraph items on screen, as plain painting on paper.

On paper the lines are painted here, because pyqtgraph's pens are cosmetic: they stay two device
pixels wide, which is a hair at 300 or 1,200 dots per inch.
"""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPainterPath, QPen, QPolygonF, QTransform
from PySide6.QtWidgets import QStyleOptionGraphicsItem, QWidget

from gui.charts.layout import ChartLayout
from gui.charts.spec import BarsSpec, BaselineSpec, Chart, PointsSpec, ReadingLine, SeriesSpec
from gui.theme import Theme, series_dash
from payoff.types import FloatArray

CURVE_WIDTH = 2.0
BASELINE_DASH = (4.0, 3.0)
BAR_OPACITY = 0.75
POINT_OPACITY = 0.6


def series_pen(series: int, theme: Theme, width: float = CURVE_WIDTH) -> QPen:
    """A model's pen: its colour and its dash."""
    pen = QPen(QColor(theme.series_colour(series)), width)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    dash = series_dash(series)
    if dash:
        pen.setDashPattern(list(dash))
    return pen


def line_pen(entry: SeriesSpec | ReadingLine, theme: Theme) -> QPen:
    """The pen of one line: its model's, with a dash of its own or in quiet grey where it says so.

    Several lines of one model (training, validation) share its colour and differ in dash.
    """
    pen = series_pen(entry.series or 0, theme)
    if entry.is_quiet:
        pen.setColor(QColor(theme.baseline))
    if entry.dash is not None:
        if entry.dash:
            pen.setDashPattern(list(entry.dash))
        else:
            pen.setStyle(Qt.PenStyle.SolidLine)
    return pen


def baseline_pen(is_dashed: bool, theme: Theme) -> QPen:
    """The thin grey pen of baselines."""
    pen = QPen(QColor(theme.baseline), 1.0)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    if is_dashed:
        pen.setDashPattern(list(BASELINE_DASH))
    return pen


def band_colour(entry: SeriesSpec, theme: Theme) -> QColor:
    """A band's fill: 15 % of the series colour for the chosen model, 7 % for the others."""
    colour = QColor(theme.series_colour(entry.series))
    colour.setAlphaF(theme.band_chosen if entry.is_chosen else theme.band_other)
    return colour


def bar_colour(entry: BarsSpec, theme: Theme) -> QColor:
    """The fill of one group's bars."""
    if entry.series < 0:
        return QColor(theme.control_border)
    colour = QColor(theme.series_colour(entry.series))
    colour.setAlphaF(BAR_OPACITY)
    return colour


def points_pen(entry: PointsSpec, theme: Theme) -> QPen:
    """The round pen that sets one group's points."""
    plain = theme.baseline if entry.series < 0 else theme.series_colour(entry.series)
    colour = QColor(plain)
    colour.setAlphaF(POINT_OPACITY)
    pen = QPen(colour, entry.size)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    return pen


# ---------------------------------------------------------------- on screen


class BandItem(pg.GraphicsObject):  # type: ignore[misc]  # pyqtgraph is untyped
    """The area between two lines over the same x."""

    def __init__(self, entry: SeriesSpec, colour: QColor) -> None:
        super().__init__()
        assert entry.low is not None
        assert entry.high is not None
        known = np.isfinite(entry.low) & np.isfinite(entry.high)
        x, low, high = entry.x[known], entry.low[known], entry.high[known]
        across, along = np.concatenate([x, x[::-1]]), np.concatenate([low, high[::-1]])
        self._polygon: QPolygonF = pg.functions.arrayToQPolygonF(across, along)
        self._bounds: QRectF = self._polygon.boundingRect()
        self._colour = colour

    def boundingRect(self) -> QRectF:
        return self._bounds

    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._colour)
        painter.drawPolygon(self._polygon)


class PointsItem(pg.GraphicsObject):  # type: ignore[misc]  # pyqtgraph is untyped
    """A group of points, drawn in one call."""

    def __init__(self, entry: PointsSpec, pen: QPen) -> None:
        super().__init__()
        known = np.isfinite(entry.x) & np.isfinite(entry.y)
        self._points: QPolygonF = pg.functions.arrayToQPolygonF(entry.x[known], entry.y[known])
        self._bounds: QRectF = self._points.boundingRect()
        self._pen = QPen(pen)

    def boundingRect(self) -> QRectF:
        return self._bounds

    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        # Mapped here: under the chart's uneven scale round points would become dashes.
        points = painter.worldTransform().map(self._points)
        painter.save()
        painter.setWorldTransform(QTransform())
        painter.setPen(self._pen)
        painter.drawPoints(points)
        painter.restore()


def screen_items(spec: Chart, theme: Theme, ratio: float = 1.0) -> list[pg.GraphicsObject]:
    """All of a chart's items, those below first.

    ``ratio``: device pixels per pixel of the screen. Cosmetic pens count in device pixels: at 200 %
    a line would be half as wide as on other screens, and its dashes half as long.
    """
    items: list[pg.GraphicsObject] = [_bar_item(entry, theme) for entry in spec.visible_bars()]
    items += [
        BandItem(entry, band_colour(entry, theme))
        for entry in spec.visible_series()
        if entry.low is not None and entry.high is not None and len(entry.x) > 1
    ]
    items += [PointsItem(e, points_pen(e, theme)) for e in spec.visible_points() if len(e.x)]
    items += [_line(e.x, e.y, baseline_pen(e.is_dashed, theme), ratio) for e in spec.baselines]
    items += [_line(e.x, e.y, line_pen(e, theme), ratio) for e in spec.visible_series()]
    return items


def _line(x: FloatArray, y: FloatArray, pen: QPen, ratio: float) -> pg.PlotDataItem:
    cosmetic = QPen(pen)
    cosmetic.setWidthF(pen.widthF() * ratio)
    cosmetic.setCosmetic(True)
    return pg.PlotDataItem(x, y, pen=cosmetic, antialias=True, connect="finite")


def add_to_box(box: pg.ViewBox, item: pg.GraphicsObject) -> None:
    """Show an item. Lines are cut to what is seen: clipping and peak downsampling go together.

    Both are set once the line has its box: before, pyqtgraph asks the widget for the box's range.
    """
    box.addItem(item, ignoreBounds=True)
    if isinstance(item, pg.PlotDataItem):
        item.setClipToView(True)
        item.setDownsampling(auto=True, method="peak")


def _bar_item(entry: BarsSpec, theme: Theme) -> pg.BarGraphItem:
    return pg.BarGraphItem(
        x=entry.x + entry.offset,
        height=entry.y,
        width=entry.width,
        pen=QPen(Qt.PenStyle.NoPen),
        brush=QBrush(bar_colour(entry, theme)),
    )


# ---------------------------------------------------------------- on paper


def paint_curves(painter: QPainter, spec: Chart, layout: ChartLayout, theme: Theme) -> None:
    """Paint bars, bands, points, baselines and lines in pixels, clipped to the plot."""
    painter.save()
    painter.setClipRect(layout.plot.adjusted(-2, -2, 2, 2))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for bars in spec.visible_bars():
        _paint_bars(painter, bars, layout, theme)
    for entry in spec.visible_series():
        _paint_band(painter, entry, layout, theme)
    for points in spec.visible_points():
        known = np.isfinite(points.x) & np.isfinite(points.y)
        painter.setPen(points_pen(points, theme))
        painter.drawPoints(layout.polygon(points.x[known], points.y[known]))
    for baseline in spec.baselines:
        _paint_baseline(painter, baseline, layout, theme)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for entry in spec.visible_series():
        painter.setPen(line_pen(entry, theme))
        known = np.isfinite(entry.y) & np.isfinite(entry.x)
        painter.drawPolyline(layout.polygon(entry.x[known], entry.y[known]))
    painter.restore()


def _paint_bars(painter: QPainter, bars: BarsSpec, layout: ChartLayout, theme: Theme) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(bar_colour(bars, theme))
    foot = layout.to_y(0.0)
    for x, y in zip(bars.x.tolist(), bars.y.tolist(), strict=True):
        left = layout.to_x(x + bars.offset - bars.width / 2)
        right = layout.to_x(x + bars.offset + bars.width / 2)
        top = layout.to_y(y)
        painter.drawRect(QRectF(left, top, right - left, foot - top))


def _paint_band(painter: QPainter, entry: SeriesSpec, layout: ChartLayout, theme: Theme) -> None:
    if entry.low is None or entry.high is None or len(entry.x) < 2:
        return
    known = np.isfinite(entry.low) & np.isfinite(entry.high)
    path = QPainterPath()
    there = layout.polygon(entry.x[known], entry.low[known])
    back = layout.polygon(entry.x[known][::-1], entry.high[known][::-1])
    path.addPolygon(QPolygonF([*there.toList(), *back.toList()]))
    painter.fillPath(path, band_colour(entry, theme))


def _paint_baseline(
    painter: QPainter, entry: BaselineSpec, layout: ChartLayout, theme: Theme
) -> None:
    painter.setPen(baseline_pen(entry.is_dashed, theme))
    painter.drawPolyline(layout.polygon(entry.x, entry.y))
