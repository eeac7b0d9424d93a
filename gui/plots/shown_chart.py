"""A chart of a view: everything that it draws and says stands in its record."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from core.presentation.areas import STEP_ROW, tile_places
from core.presentation.chart import Chart
from core.presentation.reading import (
    area_place,
    area_point,
    area_shape,
    area_words,
    aside_words,
    place_words,
    quantity_words,
    word_place,
)
from gui.plots.areas import STEP_MARGIN
from gui.plots.layout import HEADER
from gui.plots.own_chart import OwnChart
from gui.plots.spec import CursorState, ReadingLine, Ring

_FOR_LINES = ("zoom", "reset")
_MARGIN = 8  # below the steps
_FAR = 10  # points of an area that a large step goes


class ShownChart(OwnChart):
    """Any kind of chart. ``read`` says in words what is pointed at, where colours fill an area."""

    read = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        self._chart: Chart | None = None
        self._point: tuple[int, int] | None = None
        super().__init__(parent)
        self._buttons["expand"].show()
        self.view.hovered.connect(self._on_hovered)
        self.view.moved.connect(self._on_moved)

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
        self.setMinimumHeight(HEADER + _MARGIN + STEP_ROW * len(steps) if steps else 90)

    def make_spec(self) -> Chart | None:
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
        is_still = self._chart is None or _is_still(self._chart)
        return None if is_still else super().depth_at(x, y)

    def make_state(self, depth: float) -> CursorState | None:
        chart = self._chart
        state = None if chart is None or _is_still(chart) else super().make_state(depth)
        if chart is None or state is None or state.x is None:
            return None
        lines = [] if chart.y_axis.words else list(state.lines)  # a line of words has no value
        x = state.x
        if chart.x_axis.words:  # at a word, and of the lines the one that is there
            x = float(word_place(chart.x_axis, x))
            lines = []
        lines += [
            ReadingLine(name=aside.name, value=aside_words(chart, aside, x), series=aside.series)
            for aside in chart.asides
            if aside.name and aside.name not in self.hidden
        ]
        is_read = not (chart.x_axis.words or chart.y_axis.words)
        return replace(state, x=x, lines=tuple(lines), rings=state.rings if is_read else ())

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
