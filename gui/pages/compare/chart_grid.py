"""The charts of page Compare, three across and as many rows as are wanted; one can be large."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QScrollArea, QWidget

from core.document.compare.chart_kinds import USUAL_CHARTS
from gui.charts import ChartCard, EvaluationChart, ProfitChart
from gui.charts.layout import MINIMUM_HEIGHT
from gui.theme import current_theme

ROWS_SEEN = 2
LEAST_ROW = 190


class ChartGrid(QScrollArea):
    """The charts of page Compare, all on one cursor; more than two rows scroll."""

    chart_made = Signal(object)  # ChartCard: connect what it may ask

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.viewport().setAutoFillBackground(False)
        self._large: ChartCard | None = None
        self._cards: dict[str, ChartCard] = {}
        self._shown: tuple[str, ...] = ()
        self._awaited: frozenset[str] = frozenset()
        self.profit = ProfitChart(is_compact=True)
        self._content = QWidget()
        self._content.setAutoFillBackground(False)
        self._grid = QGridLayout(self._content)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(current_theme().sizes.gap)
        self.setWidget(self._content)
        self._adopt("profit", self.profit)
        self.show_kinds(USUAL_CHARTS["binary"])

    # ------------------------------------------------------------ which charts

    def show_kinds(self, kinds: tuple[str, ...]) -> None:
        """Show these kinds in this order; charts that were made before are kept."""
        if kinds == self._shown:
            return
        if self._large is not None:
            self.toggle_large(self._large)
        for kind in kinds:
            if kind not in self._cards:
                self._adopt(kind, EvaluationChart(kind))
        for card in self._cards.values():
            self._grid.removeWidget(card)
            card.hide()
        self._shown = kinds
        across = self._across()
        for index, card in enumerate(self.charts()):
            self._grid.addWidget(card, index // across, index % across)
            card.show()
        self._share_width()
        self._scroll_to_awaited()

    def bring_into_view(self, kinds: Iterable[str]) -> None:
        """Scroll to the first of these charts, now or as soon as one is shown."""
        self._awaited = frozenset(kinds)
        self._scroll_to_awaited()

    def _scroll_to_awaited(self) -> None:
        kind = next((kind for kind in self._shown if kind in self._awaited), None)
        if kind is not None and self._large is None and self.isVisible():
            self._awaited = frozenset()
            card = self._cards[kind]  # its place is known once the layout has been made
            QTimer.singleShot(0, card, lambda: self.ensureWidgetVisible(card, 0, 0))

    def _adopt(self, kind: str, card: ChartCard) -> None:
        card.setParent(self._content)
        card.hide()
        self._cards[kind] = card
        card.enlarge_requested.connect(partial(self.toggle_large, card))
        card.view.installEventFilter(self)
        self.chart_made.emit(card)

    def kind_of(self, card: ChartCard) -> str:
        """The kind that a card shows."""
        return next(kind for kind, entry in self._cards.items() if entry is card)

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds shown, in reading order."""
        return self._shown

    @property
    def evaluation_charts(self) -> tuple[EvaluationChart, ...]:
        """The charts shown that are made of an evaluation."""
        return tuple(card for card in self.charts() if isinstance(card, EvaluationChart))

    def every_chart(self) -> Iterator[ChartCard]:
        """All cards there are, shown or not."""
        yield from self._cards.values()

    def charts(self) -> Iterator[ChartCard]:
        """The charts shown, in reading order."""
        for kind in self._shown:
            yield self._cards[kind]

    # ------------------------------------------------------------ room

    def _across(self) -> int:
        number = len(self._shown)
        return number if number < 3 else 2 if number == 4 else 3

    def _rows(self) -> int:
        across = max(1, self._across())
        return max(1, -(-len(self._shown) // across))

    def _share_width(self) -> None:
        """Equal places, or all of the room for the large chart."""
        across = max(1, self._across())
        place = -1 if self._large is None else list(self.charts()).index(self._large)
        for column in range(max(3, across)):
            is_used = column < across and (place < 0 or place % across == column)
            self._grid.setColumnStretch(column, int(is_used))
        for row in range(max(self._rows(), self._grid.rowCount())):
            is_used = row < self._rows() and (place < 0 or place // across == row)
            self._grid.setRowStretch(row, int(is_used))
        self._fit_height()

    def _fit_height(self) -> None:
        """Two rows fill the view, unless it is very low; further ones are as high and scroll."""
        rows = self._rows()
        height = 0
        gap = self._grid.spacing()
        if self._large is None and rows > ROWS_SEEN:
            row = max(LEAST_ROW, (self.viewport().height() - gap) // ROWS_SEEN)
            height = rows * row + (rows - 1) * gap
        elif self._large is None:  # lower ones would show their lines only
            height = rows * MINIMUM_HEIGHT + (rows - 1) * gap
        self._content.setMinimumHeight(height)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._scroll_to_awaited()

    def resizeEvent(self, event: QResizeEvent) -> None:
        bar = self.verticalScrollBar()
        is_at_end = 0 < bar.maximum() == bar.value()
        super().resizeEvent(event)
        self._fit_height()
        if is_at_end:  # a message came or went above: who looks at the last row goes on to
            QTimer.singleShot(0, bar, lambda: bar.setValue(bar.maximum()))

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
        self._share_width()
        chart.set_large(large is chart)
        chart.view.setFocus(Qt.FocusReason.OtherFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self._large is not None:
            self.toggle_large(self._large)
            return
        super().keyPressEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A chart that takes the keyboard comes into view."""
        if event.type() == QEvent.Type.FocusIn:
            for card in self.charts():
                if card.view is watched and self._rows() > ROWS_SEEN:
                    self.ensureWidgetVisible(card, 0, 0)
        return super().eventFilter(watched, event)

    # ------------------------------------------------------------ cursor

    def set_cursor(self, depth: float | None) -> None:
        """Move the cursor of every chart."""
        for chart in self.charts():
            chart.set_cursor(depth)

    def set_pin(self, depth: float | None) -> None:
        """Pin the cursor in every chart."""
        for chart in self.charts():
            chart.set_pin(depth)
