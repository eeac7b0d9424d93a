"""A table whose columns share its width by weight, so that nothing scrolls sideways."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHeaderView, QWidget

from gui.widgets.tables.copying import CopyingTable


class WeightedTable(CopyingTable):
    """Columns as ``(least pixels, weight)``; weight 0 keeps the least width."""

    def __init__(self, columns: Sequence[tuple[int, float]], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._columns = tuple(columns)
        self.setShowGrid(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.horizontalHeader().setMinimumSectionSize(16)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.share_out()

    def share_out(self) -> None:
        """Give every column its share of the width."""
        room = self.viewport().width() - sum(least for least, _ in self._columns)
        total = sum(weight for _, weight in self._columns) or 1.0
        for place, (least, weight) in enumerate(self._columns):
            self.setColumnWidth(place, least + max(0, int(room * weight / total)))
