"""The chart of page Uplift on the shared cursor: what treating the best brings."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QMenu, QPushButton, QWidget

from core.document.studies.uplift import UpliftResult
from core.document.wording import format_share
from core.presentation.charts.chart import Chart
from core.presentation.uplift.curve import (
    LIMITS,
    OTHER_ROWS,
    WHOLE,
    UpliftWords,
    row_use_name,
    unit_words,
)
from gui.charts.card import ChartCard
from gui.charts.spec import CursorState, ReadingLine, Ring
from payoff.counting import counted

HEADROOM = 56  # pixels for the flag of the cursor


class UpliftChart(ChartCard):
    """Draws the curve of a view; what is read at the cursor is counted in cases.

    Its header says which further lines are wanted; a view is drawn with those.
    """

    lines_changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        self._chart: Chart | None = None
        self._words: UpliftWords | None = None
        self._cases = 100.0
        super().__init__(parent, is_compact=False)
        self.whole = QCheckBox("whole curve")
        self.whole.setToolTip("Bands that hold the whole curve, not each depth on its own")
        self.whole.toggled.connect(lambda _is_on: self.lines_changed.emit())
        self.add_header_button(self.whole)
        self.add_header_button(self._make_lines())

    # ------------------------------------------------------------ lines

    def _make_lines(self) -> QPushButton:
        """The menu of further lines over the curve."""
        button = QPushButton("Lines")
        menu = self.lines = QMenu(button)
        self.limits = menu.addAction("Perfect and maximal curve")
        self.other_rows = menu.addAction("The same on training rows")
        for action in (self.limits, self.other_rows):
            action.setCheckable(True)
            action.toggled.connect(lambda _is_on: self.lines_changed.emit())
        menu.setToolTipsVisible(True)
        button.setMenu(menu)
        return button

    def offer_lines(self, result: UpliftResult) -> None:
        """Offer the lines that are defined for this result, and say why others are not."""
        self.limits.setEnabled(bool(result.references))
        self.limits.setToolTip(
            "" if result.references else "Defined for outcomes of 0 and 1 and one chance for all"
        )
        other = next((model.other for model in result.models if model.other is not None), None)
        self.other_rows.setEnabled(other is not None)
        use = other.use if other is not None else "train"
        self.other_rows.setText(f"The same on {row_use_name(use)}")
        self.other_rows.setToolTip(
            ""
            if other is not None
            else "Show rows of one use on page Data, and have rows of the other"
        )

    def options(self) -> tuple[str, ...]:
        """How the curve is to be drawn."""
        chosen = {
            WHOLE: self.whole.isChecked(),
            LIMITS: self.limits.isChecked() and self.limits.isEnabled(),
            OTHER_ROWS: self.other_rows.isChecked() and self.other_rows.isEnabled(),
        }
        return tuple(name for name, is_on in chosen.items() if is_on)

    # ------------------------------------------------------------ the curve

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
