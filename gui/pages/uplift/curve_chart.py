"""The chart of page Uplift on the shared cursor: what treating the best brings."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from PySide6.QtWidgets import QWidget

from core.document.wording import format_share
from core.presentation.chart import Chart
from core.presentation.uplift.words import UpliftWords, unit_words
from gui.charts.card import ChartCard
from gui.charts.spec import CursorState, ReadingLine, Ring
from payoff.counting import counted

HEADROOM = 56  # pixels for the flag of the cursor


class UpliftChart(ChartCard):
    """Draws the curve of a view; what is read at the cursor is counted in cases."""

    def __init__(self, parent: QWidget | None = None) -> None:
        self._chart: Chart | None = None
        self._words: UpliftWords | None = None
        self._cases = 100.0
        super().__init__(parent, is_compact=False)

    def show_chart(self, chart: Chart | None, words: UpliftWords, cases: float) -> None:
        """Show another curve, of so many cases; None where no model ranks them."""
        self._words, self._cases = words, cases
        self._chart = None if chart is None else replace(chart, headroom=HEADROOM)
        self.refresh()

    def cases_in_all(self) -> float:
        return self._cases

    def make_spec(self) -> Chart | None:
        return self._chart

    def make_state(self, depth: float) -> CursorState | None:
        chart, words = self._chart, self._words
        if chart is None or words is None:
            return None
        lines, rings = [], []
        for entry in chart.series:
            value = float(np.interp(depth, entry.x, entry.y))
            is_hidden = entry.name in self.hidden
            lines.append(
                ReadingLine(
                    name=entry.name,
                    value=unit_words(value),
                    series=entry.series,
                    is_chosen=entry.is_chosen,
                    is_hidden=is_hidden,
                )
            )
            if not is_hidden and math.isfinite(value):
                rings.append(Ring(x=depth, y=value, series=entry.series, name=entry.name))
        cases = counted(depth * self._cases, words.case, words.cases)
        return CursorState(
            x=depth,
            head=f"Best {format_share(depth)}: {cases}",
            note=f"extra {words.units}",
            lines=tuple(lines),
            rings=tuple(rings),
        )

    def depth_at(self, x: float, y: float) -> float | None:
        return x
