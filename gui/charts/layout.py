"""Where things stand in a chart: margins, ticks and the map from data to pixels."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPolygonF

from core.presentation.charts.areas import Box, area_ticks
from core.presentation.charts.names import Frame
from core.presentation.charts.scales import Ticks, ceil_to, floor_to, make_ticks, nice_step
from gui.charts.fonts import text_width
from gui.charts.spec import Chart
from payoff.types import FloatArray

MINIMUM_WIDTH, MINIMUM_HEIGHT = 260, 160  # below these a chart shows only its lines
HEADER, LOW_HEADER = 36, 28  # title row of a card, of a low one
_SHORT = 180  # a view lower than this saves lines of text
FLAG_MARGIN = 170  # a lower view has no headroom for a flag above its curves
_LOW_HEADROOM = 10.0

Zoom = tuple[float, float, float, float]  # x low, x high, y low, y high


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartLayout:
    """One chart at one size. ``plot`` is where curves are drawn, in pixels."""

    width: float
    height: float
    plot: QRectF
    x_low: float
    x_high: float
    y_low: float
    y_high: float
    x_ticks: Ticks
    y_ticks: Ticks
    is_compact: bool
    is_sparse: bool
    is_short: bool

    def to_x(self, value: float) -> float:
        """Pixels from the left of a value on the x axis."""
        share = (value - self.x_low) / (self.x_high - self.x_low)
        return self.plot.left() + share * self.plot.width()

    def to_y(self, value: float) -> float:
        """Pixels from the top of a value on the y axis."""
        share = (value - self.y_low) / (self.y_high - self.y_low)
        return self.plot.bottom() - share * self.plot.height()

    def from_x(self, pixels: float) -> float:
        """The value on the x axis at a pixel."""
        share = (pixels - self.plot.left()) / self.plot.width()
        return self.x_low + share * (self.x_high - self.x_low)

    def from_y(self, pixels: float) -> float:
        """The value on the y axis at a pixel."""
        share = (self.plot.bottom() - pixels) / self.plot.height()
        return self.y_low + share * (self.y_high - self.y_low)

    def frame(self) -> Frame:
        """The plot and its ranges, for what places things without Qt."""
        return Frame(box_of(self.plot), self.x_low, self.x_high, self.y_low, self.y_high)

    def polygon(self, x: FloatArray, y: FloatArray) -> QPolygonF:
        """A line of data as points in pixels."""
        return QPolygonF(
            [
                QPointF(self.to_x(a), self.to_y(b))
                for a, b in zip(x.tolist(), y.tolist(), strict=True)
            ]
        )

    def is_inside(self, x: float, y: float) -> bool:
        """Is a value within the ranges shown?"""
        return self.x_low <= x <= self.x_high and self.y_low <= y <= self.y_high


def box_of(room: QRectF) -> Box:
    """A rectangle as places are worked out in it without Qt."""
    return Box(room.left(), room.top(), room.width(), room.height())


def make_layout(
    spec: Chart,
    width: float,
    height: float,
    *,
    is_compact: bool,
    is_sparse: bool = False,
    zoom: Zoom | None = None,
) -> ChartLayout:
    """Lay a chart out in ``width`` x ``height`` pixels; ``zoom`` replaces the full ranges.

    A sparse chart, below the minimum useful size, shows only its lines.
    """
    if spec.fills_area:
        return _area_layout(spec, width, height, is_compact=is_compact, is_sparse=is_sparse)
    is_short = height < _SHORT
    headroom = 4.0 if is_sparse else float(spec.headroom)
    if height < FLAG_MARGIN and not is_compact:
        headroom = min(headroom, _LOW_HEADROOM)
    plot_height = max(10.0, height - 8 if is_sparse else height - _bottom_margin(spec) - _TOP)
    step = _y_step(spec, spec.y_axis.high - spec.y_axis.low, plot_height - headroom)
    low = spec.y_axis.low if spec.y_axis.low >= 0 else floor_to(spec.y_axis.low, step)
    high = low + (spec.y_axis.high - low) * plot_height / max(10.0, plot_height - headroom)
    x_low, x_high = spec.x_axis.low, spec.x_axis.high
    if zoom is not None:
        x_low, x_high, low, high = zoom
        step = _y_step(spec, high - low, plot_height)
    last = high if zoom is not None else min(high, ceil_to(spec.y_axis.high, step))
    y_ticks = make_ticks(spec.y_axis, low, last, step, is_compact)  # none beside the flag
    if is_sparse:
        plot = QRectF(4, 4, max(10.0, width - 8), max(10.0, plot_height))
    else:
        left = _left_margin(y_ticks)
        plot = QRectF(left, _TOP, max(10.0, width - left - _RIGHT), max(10.0, plot_height))
    most_x = min(max(2, int(plot.width() // 48)), 5 if is_compact else 10)
    is_percent = spec.x_axis.quantity == "percent"
    x_step = nice_step(x_high - x_low, most_x, is_percent=is_percent)
    x_ticks = make_ticks(spec.x_axis, x_low, x_high, x_step, is_compact)
    x_ticks = _apart(x_ticks, plot, x_low, x_high)
    return ChartLayout(
        width=width,
        height=height,
        plot=plot,
        x_low=x_low,
        x_high=x_high,
        y_low=low,
        y_high=high,
        x_ticks=x_ticks,
        y_ticks=y_ticks,
        is_compact=is_compact,
        is_sparse=is_sparse,
        is_short=is_short,
    )


def _area_layout(
    spec: Chart, width: float, height: float, *, is_compact: bool, is_sparse: bool
) -> ChartLayout:
    """A chart whose colours fill the whole area of its axes; shades have a scale at the right."""
    x_axis, y_axis = spec.x_axis, spec.y_axis
    y_ticks = area_ticks(y_axis, 6)
    right = _SCALE if spec.shades is not None else _RIGHT
    left = 4.0 if is_sparse else _left_margin(y_ticks)
    plot_height = max(10.0, height - 8 if is_sparse else height - _bottom_margin(spec) - _TOP)
    plot = QRectF(left, _TOP, max(10.0, width - left - right), plot_height)
    x_ticks = area_ticks(x_axis, max(2, int(plot.width() // 60)))
    x_ticks = _apart(x_ticks, plot, x_axis.low, x_axis.high)
    return ChartLayout(
        width=width,
        height=height,
        plot=plot,
        x_low=x_axis.low,
        x_high=x_axis.high,
        y_low=y_axis.low,
        y_high=y_axis.high,
        x_ticks=x_ticks,
        y_ticks=y_ticks,
        is_compact=is_compact,
        is_sparse=is_sparse,
        is_short=height < _SHORT,
    )


def _apart(ticks: Ticks, plot: QRectF, low: float, high: float) -> Ticks:
    """Every tick, or every second, third ... so that no word covers the next."""
    span = (high - low) or 1.0
    middles = [(value - low) / span * plot.width() for value in ticks.values]
    halves = [text_width(text) / 2 for text in ticks.texts]
    ends = list(zip(middles, halves, strict=True))
    for every in range(1, len(ends) + 1):
        kept = ends[::every]
        if all(a + x + _BETWEEN <= b - y for (a, x), (b, y) in pairwise(kept)):
            return Ticks(values=ticks.values[::every], texts=ticks.texts[::every])
    return ticks


_TOP = 4.0
_BETWEEN = 6.0  # pixels between the words of two ticks
_SCALE = 96.0
_RIGHT = 20.0  # half of the last tick's text stands beyond the plot


def _left_margin(ticks: Ticks) -> float:
    widest = max((text_width(text) for text in ticks.texts), default=0.0)
    return max(60.0, 22.0 + widest + 10.0)


def _y_step(spec: Chart, span: float, plot_height: float) -> float:
    """The step of the y ticks: percentages in quarters, money a little finer."""
    is_money = spec.y_axis.quantity == "money"
    most = 3 if plot_height < 90 else 4 + is_money + (plot_height >= 250)
    return nice_step(span, most, is_percent=spec.y_axis.quantity == "percent")


def _bottom_margin(spec: Chart) -> float:
    has_words = bool(spec.x_axis.label or spec.x_axis.first_word)
    return 38.0 if has_words else 20.0
