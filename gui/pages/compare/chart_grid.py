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
        self._grid = grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(current_theme().sizes.gap)
        for index, chart in enumerate(self.charts()):
            grid.addWidget(chart, index // ACROSS, index % ACROSS)
            chart.enlarge_requested.connect(partial(self.toggle_large, chart))
        self._share_room()

    def _share_room(self) -> None:
        """Six equal places, or all of the room for the large chart."""
        place = -1 if self._large is None else list(self.charts()).index(self._large)
        for column in range(ACROSS):
            self._grid.setColumnStretch(column, int(place < 0 or place % ACROSS == column))
        for row in range(2):
            self._grid.setRowStretch(row, int(place < 0 or place // ACROSS == row))

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
        self._share_room()
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
