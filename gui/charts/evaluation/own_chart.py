"""A chart of a study: its cursor is its own, not the shared depth."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtWidgets import QWidget

from core.presentation.depths import value_at
from gui.charts.card import ChartCard
from gui.charts.spec import BarsSpec, Chart, CursorState, ReadingLine, Ring, SeriesSpec


class StandaloneChart(ChartCard):
    """Lines over a number; the pointer reads them out. Subclasses make the spec and the words."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, is_compact=True)
        self._buttons["pin"].hide()
        self.cursor_requested.connect(self.set_cursor)

    def value_words(self, name: str, value: float) -> str:
        """A value of a line in words."""
        raise NotImplementedError

    def place_words(self, x: float) -> tuple[str, str]:
        """Head and note of the read-out at a place of the x axis."""
        raise NotImplementedError

    def go_to(self, x: float | None) -> None:
        """Put the cursor at a place of the x axis."""
        spec = self.view.spec
        if spec is None or x is None:
            self.set_cursor(None)
            return
        axis = spec.x_axis
        self.set_cursor((x - axis.low) / (axis.high - axis.low))

    def make_state(self, depth: float) -> CursorState | None:
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

    def depth_at(self, x: float, y: float) -> float | None:
        spec: Chart | None = self.view.spec
        if spec is None:
            return None
        axis = spec.x_axis
        return (x - axis.low) / (axis.high - axis.low)
