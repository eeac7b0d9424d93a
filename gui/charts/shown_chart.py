"""A chart of a view.

A chart of a study: its cursor is its own, not the shared depth.

A chart of a view: everything that it draws and says stands in its record.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from core.presentation.charts.areas import STEP_ROW, tile_places
from core.presentation.charts.chart import Chart, PointsSpec
from core.presentation.charts.depths import value_at
from core.presentation.charts.reading import (
    area_place,
    area_point,
    area_shape,
    area_words,
    aside_words,
    place_words,
    quantity_words,
)
from gui.charts.areas import STEP_MARGIN
from gui.charts.card import ChartCard
from gui.charts.layout import HEADER
from gui.charts.spec import BarsSpec, CursorState, ReadingLine, Ring, SeriesSpec

_FOR_LINES = ("zoom", "reset")
_MARGIN = 8  # below the steps
_FAR = 10  # points of an area that a large step goes


class ShownChart(ChartCard):
    """Any kind of chart. ``read`` says in words what is pointed at, where colours fill an area."""

    read = Signal(str)

    def __init__(self, parent: QWidget | None = None, *, least_height: int = 90) -> None:
        self._least_height = least_height
        self._chart: Chart | None = None
        self._point: tuple[int, int] | None = None
        super().__init__(parent, is_compact=True)
        self._buttons["pin"].hide()
        self.cursor_requested.connect(self.set_cursor)
        self.view.hovered.connect(self._on_hovered)
        self.view.moved.connect(self._on_moved)

    def go_to(self, x: float | None) -> None:
        """Put the cursor at a place of the x axis."""
        spec = self.view.spec
        if spec is None or x is None:
            self.set_cursor(None)
            return
        axis = spec.x_axis
        self.set_cursor((x - axis.low) / (axis.high - axis.low))

    def _state_of_lines(self, depth: float) -> CursorState | None:
        spec = self.view.spec
        if spec is None:
            return None
        axis = spec.x_axis
        x = axis.low + depth * (axis.high - axis.low)
        if axis.words:  # names of places: none of them lies between two
            x = min(len(axis.words) - 1.0, max(0.0, float(round(x))))
        head, note = self.place_words(x)
        lines, rings = [self._bar_line(bars, x) for bars in spec.bars], []
        for entry in spec.series:
            value = value_at(entry.x, entry.y, x)
            lines.append(self._line(entry, self.value_words(entry.name, value)))
            if entry.name not in self.hidden and math.isfinite(value):
                rings.append(Ring(x=x, y=value, series=entry.series, name=entry.name))
        return CursorState(x=x, head=head, note=note, lines=tuple(lines), rings=tuple(rings))

    def _line(self, entry: SeriesSpec, words: str) -> ReadingLine:
        return ReadingLine(
            name=entry.name,
            value=words,
            series=entry.series,
            is_chosen=entry.is_chosen,
            is_hidden=entry.name in self.hidden,
            dash=entry.dash,
            is_quiet=entry.is_quiet,
        )

    def _bar_line(self, bars: BarsSpec, x: float) -> ReadingLine:
        """A group's bar nearest to a place."""
        value = float(bars.y[np.abs(bars.x - x).argmin()])
        return ReadingLine(
            name=bars.name,
            value=self.value_words(bars.name, value),
            series=bars.series,
            is_bar=True,
            is_hidden=bars.name in self.hidden,
        )

    def show_chart(self, chart: Chart | None) -> None:
        """Show another chart; the cursor goes to where it rests, or stays in one of its kind."""
        stays = chart is not None and chart.rests_at is None and self._is_like(chart)
        self._chart, self._point = chart, None
        for name in _FOR_LINES:
            self._buttons[name].setVisible(chart is not None and not _is_still(chart))
        self._fit_steps(() if chart is None else chart.steps)
        self.refresh()
        if not stays:  # else it grows, or is drawn otherwise, under the cursor
            self.go_to(None if chart is None else chart.rests_at)

    def _is_like(self, chart: Chart) -> bool:
        return self._chart is not None and self._chart.kind == chart.kind

    def _fit_steps(self, steps: tuple[object, ...]) -> None:
        """Steps need room each."""
        height = HEADER + _MARGIN + STEP_ROW * len(steps) if steps else 0
        self.setMinimumHeight(max(height, self._least_height))

    def make_spec(self) -> Chart | None:
        return self._chart

    @property
    def chart(self) -> Chart | None:
        """The chart that was given to be shown."""
        return self._chart

    def refresh(self) -> None:
        super().refresh()
        if self._chart is not None and (self._chart.steps or self._chart.tiles):
            steps = [f"{step.name} {step.words}" for step in self._chart.steps]
            tiles = [f"{tile.name} {tile.exact or tile.figure}" for tile in self._chart.tiles]
            self.view.setAccessibleDescription(", ".join((*steps, *tiles)))

    # ------------------------------------------------------------ lines

    def value_words(self, name: str, value: float) -> str:
        assert self._chart is not None
        axis = self._chart.y_axis
        return quantity_words(value, axis.quantity, axis.currency)

    def place_words(self, x: float) -> tuple[str, str]:
        assert self._chart is not None
        return place_words(self._chart, x), ""

    def depth_at(self, x: float, y: float) -> float | None:
        spec: Chart | None = self.view.spec
        if spec is None or self._chart is None or _is_still(self._chart):
            return None
        axis = spec.x_axis
        return (x - axis.low) / (axis.high - axis.low)

    def make_state(self, depth: float) -> CursorState | None:
        chart = self._chart
        if chart is None or _is_still(chart):
            return None
        state = self._state_of_lines(self._at_stop(chart, depth))
        if state is None or state.x is None:
            return None
        has_words = bool(chart.x_axis.words or chart.y_axis.words)
        # At a word bars have values; a line has none, and what it says there is said beside it.
        drawn = {line.name: line for line in state.lines if line.is_bar or not has_words}
        beside = self._beside(chart, state.x, drawn)
        described = {line.name for line in beside}
        lines = [line for line in drawn.values() if line.name not in described] + beside
        lines += [self._group_line(entry) for entry in chart.points]
        rings = {} if has_words else {(r.x, r.y, r.series): r for r in state.rings}
        return replace(state, lines=tuple(lines), rings=tuple(rings.values()))

    @staticmethod
    def _at_stop(chart: Chart, depth: float) -> float:
        """The depth itself, or that of the nearest place where the cursor may stand."""
        if chart.stops is None:
            return depth
        low, span = chart.x_axis.low, chart.x_axis.high - chart.x_axis.low
        return min(((float(x) - low) / span for x in chart.stops), key=lambda at: abs(at - depth))

    def _beside(self, chart: Chart, x: float, drawn: dict[str, ReadingLine]) -> list[ReadingLine]:
        """What is read at a place and is not drawn, or is what a line says that is."""
        named = ((aside, aside_words(aside, x)) for aside in chart.asides if aside.name)
        return [
            replace(drawn[aside.name], value=words)
            if aside.name in drawn
            else ReadingLine(
                name=aside.name,
                value=words,
                series=aside.series,
                is_hidden=aside.name in self.hidden,
            )
            for aside, words in named
            if words
        ]

    def _group_line(self, entry: PointsSpec) -> ReadingLine:
        """A group of points in the legend: a single point has a value, at the cursor none has."""
        is_single = len(entry.y) == 1
        return ReadingLine(
            name=entry.name,
            value=self.value_words(entry.name, float(entry.y[0])) if is_single else "",
            series=entry.series,
            is_bar=True,
            is_hidden=entry.name in self.hidden,
        )

    @property
    def place(self) -> float | None:
        """Where the cursor stands on the x axis; None without one."""
        if self._chart is None or self.cursor_depth is None:
            return None
        axis = self._chart.x_axis
        return axis.low + self.cursor_depth * (axis.high - axis.low)

    # ------------------------------------------------------------ areas

    @property
    def point(self) -> tuple[int, int] | None:
        """Column and row of the point that is read."""
        return self._point

    def tip(self, x: float, y: float) -> str:
        chart = self._chart
        if chart is not None and chart.tiles:
            return self._tile_tip(chart, x, y)
        if chart is None or not chart.fills_area:
            return super().tip(x, y)
        point = area_point(chart, x, y)
        return "" if point is None else area_words(chart, *point)

    def _tile_tip(self, chart: Chart, x: float, y: float) -> str:
        """What is to be said of the tile under the pointer."""
        layout = self.view.chart_layout
        if layout is None:
            return ""
        left, top = layout.to_x(x) - STEP_MARGIN, layout.to_y(y)
        places = tile_places(chart, layout.width - 2 * STEP_MARGIN, layout.height)
        for tile, box in zip(chart.tiles, places.tiles, strict=True):
            if box.left <= left <= box.right and box.top <= top <= box.bottom:
                return tile.exact
        return ""

    def _on_hovered(self, x: float, y: float) -> None:
        if self._chart is not None:
            self.go_to_point(area_point(self._chart, x, y))

    def _on_moved(self, across: int, up: int, is_large: bool) -> None:
        if self._chart is None:
            return
        rows, columns = area_shape(self._chart)
        column, row = self._point or (columns // 2, rows // 2)
        size = _FAR if is_large else 1
        self.go_to_point(
            (
                min(columns - 1, max(0, column + across * size)),
                min(rows - 1, max(0, row + up * size)),
            )
        )

    def go_to_point(self, point: tuple[int, int] | None) -> None:
        """Read a point of the area, and mark it."""
        chart = self._chart
        if chart is None or point is None or point == self._point:
            return
        self._point = point
        x, y = area_place(chart, *point)
        ring = Ring(x=x, y=y, series=0, name="")
        self.view.set_cursor(CursorState(x=None, head="", note="", lines=(), rings=(ring,)))
        words = area_words(chart, *point)
        self.view.setAccessibleDescription(words)
        self.read.emit(words)


def _is_still(chart: Chart) -> bool:
    """Whether no cursor moves along the x axis."""
    return chart.fills_area or bool(chart.steps) or bool(chart.tiles)
