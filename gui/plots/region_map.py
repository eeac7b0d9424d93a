"""A map of regions over two numbers: who wins where, the stronger the colour the clearer."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from core.document.wording import NBSP, format_number
from core.presentation.scales import nice_step
from gui.plots.fonts import chart_font
from gui.theme import Theme, current_theme, theme_notifier
from payoff.types import FloatArray, IntArray

_TOP, _BOTTOM, _RIGHT = 6.0, 38.0, 16.0
_FAINT, _STRONG = 0.28, 0.80  # share of the region's colour where it barely and clearly wins
_EDGE = 0.45  # how far the edge of a region goes towards the colour of text
_LABELLED = 0.02  # a region that fills less of the map gets no name in it
CONSTANT = -1


@dataclass(frozen=True, slots=True, kw_only=True)
class MapAxisSpec:
    """One axis: its words, range and the present value."""

    label: str
    low: float
    high: float
    now: float
    is_share: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RegionMapSpec:
    """``region`` and ``margin`` are (y, x), rising; ``names`` and ``series`` by region.

    ``series`` is that of a model, or ``CONSTANT`` for one of the grey rules.
    """

    x: MapAxisSpec
    y: MapAxisSpec
    region: IntArray
    margin: FloatArray
    names: tuple[str, ...]
    series: tuple[int, ...]


class RegionMap(QWidget):
    """Regions with their names, the present point, and a point that is read."""

    pointed = Signal(int, int)  # column and row of the point that is read

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._spec: RegionMapSpec | None = None
        self._image: QImage | None = None
        self._point: tuple[int, int] | None = None
        self.setAccessibleName(name)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        theme_notifier().theme_changed.connect(self._renew)

    def show_map(self, spec: RegionMapSpec) -> None:
        """Show another map; the point that is read goes."""
        self._spec, self._point = spec, None
        self._renew()

    @property
    def spec(self) -> RegionMapSpec | None:
        """What the map was last asked to draw; None where it is empty."""
        return self._spec

    def sizeHint(self) -> QSize:
        return QSize(460, 230)

    def minimumSizeHint(self) -> QSize:
        return QSize(260, 160)

    def _renew(self, _theme: object = None) -> None:
        self._image = None
        self.update()

    # ------------------------------------------------------------ places

    def plot(self) -> QRectF:
        """Where the map itself is drawn."""
        metrics = QFontMetricsF(chart_font())
        spec = self._spec
        texts = [words for _, words in _ticks(spec.y)] if spec else []
        widest = max((metrics.horizontalAdvance(text) for text in texts), default=30.0)
        left = 20.0 + widest + 10.0
        width = max(40.0, self.width() - left - _RIGHT)
        return QRectF(left, _TOP, width, max(40.0, self.height() - _TOP - _BOTTOM))

    def point_at(self, place: QPointF) -> tuple[int, int] | None:
        """Column and row of the setting nearest to a pixel, or None outside."""
        spec, plot = self._spec, self.plot()
        if spec is None or not plot.contains(place):
            return None
        rows, columns = spec.region.shape
        across = (place.x() - plot.left()) / plot.width()
        up = (plot.bottom() - place.y()) / plot.height()
        return round(across * (columns - 1)), round(up * (rows - 1))

    # ------------------------------------------------------------ painting

    def paintEvent(self, event: QPaintEvent) -> None:
        spec = self._spec
        if spec is None:
            return
        theme = current_theme()
        if self._image is None:
            self._image = picture(spec, theme)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(chart_font())
        plot = self.plot()
        painter.drawImage(plot, self._image)
        painter.setPen(QPen(QColor(theme.accent if self.hasFocus() else theme.control_border), 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(plot)
        _paint_names(painter, spec, plot, theme)
        _paint_x(painter, spec.x, plot, theme)
        _paint_y(painter, spec.y, plot, theme)
        _paint_now(painter, spec, plot, theme)
        self._paint_point(painter, spec, plot, theme)
        painter.end()

    def _paint_point(
        self, painter: QPainter, spec: RegionMapSpec, plot: QRectF, theme: Theme
    ) -> None:
        if self._point is None:
            return
        rows, columns = spec.region.shape
        x = plot.left() + plot.width() * self._point[0] / max(1, columns - 1)
        y = plot.bottom() - plot.height() * self._point[1] / max(1, rows - 1)
        painter.setPen(QPen(QColor(theme.text), 1.2))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawEllipse(QPointF(x, y), 4.5, 4.5)

    # ------------------------------------------------------------ reading

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._go_to(self.point_at(event.position()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {
            Qt.Key.Key_Left: (-1, 0),
            Qt.Key.Key_Right: (1, 0),
            Qt.Key.Key_Down: (0, -1),
            Qt.Key.Key_Up: (0, 1),
        }
        step = steps.get(Qt.Key(event.key()))
        if step is None or self._spec is None:
            super().keyPressEvent(event)
            return
        rows, columns = self._spec.region.shape
        column, row = self._point or (columns // 2, rows // 2)
        is_far = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        size = 10 if is_far else 1
        column = min(columns - 1, max(0, column + step[0] * size))
        row = min(rows - 1, max(0, row + step[1] * size))
        self._go_to((column, row))

    def _go_to(self, point: tuple[int, int] | None) -> None:
        if point is not None and point != self._point:
            self._point = point
            self.update()
            self.pointed.emit(*point)


# ---------------------------------------------------------------- pictures


def region_colour(series: int, place: int, theme: Theme) -> QColor:
    """The colour of a model, or one of the greys of constant rules."""
    if series != CONSTANT:
        return QColor(theme.series_colour(series))
    greys = (theme.quiet, theme.disabled, theme.control_border)
    return QColor(greys[place % len(greys)])


def picture(spec: RegionMapSpec, theme: Theme) -> QImage:
    """One pixel per setting: the winner's colour, stronger with the margin; edges are darker."""
    known = spec.margin[np.isfinite(spec.margin)]
    most = float(np.quantile(known, 0.9)) if known.size else 0.0
    strength = np.clip(spec.margin / most, 0.0, 1.0) if most > 0 else np.ones(spec.margin.shape)
    share = (_FAINT + (_STRONG - _FAINT) * np.sqrt(strength))[:, :, np.newaxis]
    colours = [region_colour(series, place, theme) for place, series in enumerate(spec.series)]
    table = np.array([[c.red(), c.green(), c.blue()] for c in colours], dtype=np.float64)
    card = QColor(theme.card)
    ground = np.array([card.red(), card.green(), card.blue()], dtype=np.float64)
    pixels = ground + share * (table[spec.region] - ground)
    ink = QColor(theme.text)
    edge = np.array([ink.red(), ink.green(), ink.blue()], dtype=np.float64)
    is_edge = _edges(spec.region)
    pixels[is_edge] += _EDGE * (edge - pixels[is_edge])
    whole = np.ascontiguousarray(pixels[::-1].round().astype(np.uint8))
    height, width = whole.shape[:2]
    image = QImage(whole.data, width, height, 3 * width, QImage.Format.Format_RGB888)
    return image.copy()


def _edges(region: IntArray) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    """Settings whose right or upper neighbour has another winner."""
    edges = np.zeros(region.shape, dtype=bool)
    edges[:, :-1] |= region[:, 1:] != region[:, :-1]
    edges[:-1] |= region[1:] != region[:-1]
    return edges


def _paint_names(painter: QPainter, spec: RegionMapSpec, plot: QRectF, theme: Theme) -> None:
    """The name of each large region at its middle: the second code beside the colour."""
    metrics = QFontMetricsF(chart_font(bold=True))
    painter.setFont(chart_font(bold=True))
    rows, columns = spec.region.shape
    for place, name in enumerate(spec.names):
        inside = np.argwhere(spec.region == place)
        if inside.shape[0] < _LABELLED * spec.region.size:
            continue
        middle = inside.mean(axis=0)
        nearest = inside[np.abs(inside - middle).sum(axis=1).argmin()]
        x = plot.left() + plot.width() * nearest[1] / max(1, columns - 1)
        y = plot.bottom() - plot.height() * nearest[0] / max(1, rows - 1)
        width = metrics.horizontalAdvance(name)
        left = min(max(plot.left() + 4, x - width / 2), plot.right() - width - 4)
        now = _now_place(spec, plot)
        if abs(now.x() - x) < width / 2 + 10 and abs(now.y() - y) < metrics.height() + 4:
            y = now.y() + 1.8 * metrics.height()  # the present point stays in sight
        base = min(max(plot.top() + metrics.ascent() + 3, y), plot.bottom() - 5)
        room = QRectF(left - 4, base - metrics.ascent() - 1, width + 8, metrics.height() + 2)
        paper = QColor(theme.card)
        paper.setAlphaF(0.82)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(paper)
        painter.drawRoundedRect(room, 3, 3)
        painter.setPen(QColor(theme.text))
        painter.drawText(QPointF(left, base), name)
    painter.setFont(chart_font())


def _now_place(spec: RegionMapSpec, plot: QRectF) -> QPointF:
    """Where the present values are, inside the map or not."""
    across = (spec.x.now - spec.x.low) / (spec.x.high - spec.x.low)
    up = (spec.y.now - spec.y.low) / (spec.y.high - spec.y.low)
    return QPointF(plot.left() + across * plot.width(), plot.bottom() - up * plot.height())


def _paint_now(painter: QPainter, spec: RegionMapSpec, plot: QRectF, theme: Theme) -> None:
    """The present values: two thin lines, and a filled point where they meet."""
    now = _now_place(spec, plot)
    is_across = plot.left() <= now.x() <= plot.right()
    is_up = plot.top() <= now.y() <= plot.bottom()
    painter.setPen(QPen(QColor(theme.text), 1, Qt.PenStyle.DotLine))
    if is_across:
        painter.drawLine(QPointF(now.x(), plot.top()), QPointF(now.x(), plot.bottom()))
    if is_up:
        painter.drawLine(QPointF(plot.left(), now.y()), QPointF(plot.right(), now.y()))
    if is_across and is_up:
        painter.setPen(QPen(QColor(theme.card), 1.5))
        painter.setBrush(QColor(theme.accent))
        painter.drawEllipse(now, 5, 5)


def _paint_x(painter: QPainter, axis: MapAxisSpec, plot: QRectF, theme: Theme) -> None:
    metrics = QFontMetricsF(painter.font())
    painter.setPen(QColor(theme.quiet))
    taken = -math.inf
    for share, words in _ticks(axis):
        width = metrics.horizontalAdvance(words)
        left = plot.left() + share * plot.width() - width / 2
        if left > taken:
            painter.drawText(QPointF(left, plot.bottom() + 4 + metrics.ascent()), words)
            taken = left + width + 8
    name = metrics.elidedText(axis.label, Qt.TextElideMode.ElideRight, plot.width())
    at = plot.center().x() - metrics.horizontalAdvance(name) / 2
    painter.drawText(QPointF(at, plot.bottom() + 6 + metrics.height() + metrics.ascent()), name)


def _paint_y(painter: QPainter, axis: MapAxisSpec, plot: QRectF, theme: Theme) -> None:
    metrics = QFontMetricsF(painter.font())
    painter.setPen(QColor(theme.quiet))
    for share, words in _ticks(axis):
        left = plot.left() - 8 - metrics.horizontalAdvance(words)
        y = plot.bottom() - share * plot.height() + metrics.ascent() / 2 - 1
        painter.drawText(QPointF(left, y), words)
    name = metrics.elidedText(axis.label, Qt.TextElideMode.ElideRight, plot.height())
    painter.save()
    painter.translate(metrics.ascent() + 2, plot.center().y())
    painter.rotate(-90)
    painter.drawText(QPointF(-metrics.horizontalAdvance(name) / 2, 0), name)
    painter.restore()


def _ticks(axis: MapAxisSpec) -> list[tuple[float, str]]:
    """Places (0 to 1) and words of round values."""
    span = axis.high - axis.low
    step = nice_step(span, 6, is_percent=axis.is_share)
    shown = step * 100 if axis.is_share else step
    decimals = max(0, -math.floor(math.log10(shown) + 1e-9))
    if round(shown * 10**decimals, 6) % 1:
        decimals += 1
    first, last = math.ceil(axis.low / step - 1e-9), math.floor(axis.high / step + 1e-9)
    found = []
    for number in range(first, last + 1):
        value = number * step
        text = format_number(100 * value if axis.is_share else value, decimals)
        found.append(((value - axis.low) / span, f"{text}{NBSP}%" if axis.is_share else text))
    return found
