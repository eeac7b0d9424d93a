"""Six charts in two rows of three; one of them can take the whole room."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QGridLayout, QWidget

from gui.plots import (
    CalibrationChart,
    ChartCard,
    EvaluationChart,
    GainsChart,
    LiftChart,
    ProfitChart,
    RocChart,
    ScoreDistributionChart,
)
from gui.theme import current_theme

ACROSS = 3


class ChartGrid(QWidget):
    """The charts of page Compare, all on one cursor."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.evaluation_charts: tuple[EvaluationChart, ...] = (
            RocChart(),
            GainsChart(),
            LiftChart(),
            CalibrationChart(),
            ScoreDistributionChart(),
        )
        self.profit = ProfitChart(is_compact=True)
        self._large: ChartCard | None = None
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(current_theme().sizes.gap)
        for index, chart in enumerate(self.charts()):
            grid.addWidget(chart, index // ACROSS, index % ACROSS)
            chart.enlarge_requested.connect(partial(self.toggle_large, chart))
        for column in range(ACROSS):
            grid.setColumnStretch(column, 1)
        for row in range(2):
            grid.setRowStretch(row, 1)

    def charts(self) -> Iterator[ChartCard]:
        """All six, in reading order."""
        yield from self.evaluation_charts
        yield self.profit

    @property
    def large(self) -> ChartCard | None:
        """The chart that takes the whole room, or None."""
        return self._large

    def toggle_large(self, chart: ChartCard) -> None:
        """Give a chart the whole room, or show all again."""
        large = None if self._large is chart else chart
        self._large = large
        for entry in self.charts():
            entry.setVisible(large is None or entry is large)
        chart.set_large(large is chart)
        chart.view.setFocus(Qt.FocusReason.OtherFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self._large is not None:
            self.toggle_large(self._large)
            return
        super().keyPressEvent(event)

    def set_cursor(self, depth: float | None) -> None:
        """Move the cursor of every chart."""
        for chart in self.charts():
            chart.set_cursor(depth)

    def set_pin(self, depth: float | None) -> None:
        """Pin the cursor in every chart."""
        for chart in self.charts():
            chart.set_pin(depth)
