"""The data as a virtual table: pages of rows are fetched when they come into view."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from core.document.results import RowsPage, TableSummary
from core.engine.messages import JobOutcome
from gui.newest import NewestOnly
from gui.workspace import Workspace

Index = QModelIndex | QPersistentModelIndex
PAGE = 200
KEPT_PAGES = 60
MOST_ROWS = 50_000_000  # a view's scroll bar counts pixels in 32 bits
NUMBER_KINDS = ("integer", "number")


class RowsModel(QAbstractTableModel):
    """Cells as text; at most ``KEPT_PAGES`` pages are kept, the least recently used go first.

    One page is under way at a time; while it is, only the page that was looked at last waits, so
    that a fast scroll fetches where it ends and not what it passed.
    """

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self._summary: TableSummary | None = None
        self._pages: OrderedDict[int, RowsPage] = OrderedDict()
        self._wanted: int | None = None
        self._newest = NewestOnly(self._send)

    def show(self, summary: TableSummary | None) -> None:
        """Show another table."""
        self.beginResetModel()
        self._summary = summary
        self._pages.clear()
        self._wanted = None
        self.endResetModel()

    @property
    def loaded_pages(self) -> int:
        """How many pages are in memory."""
        return len(self._pages)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        if parent.isValid() or self._summary is None:
            return 0
        return min(self._summary.data.rows, MOST_ROWS)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        if parent.isValid() or self._summary is None:
            return 0
        return len(self._summary.columns)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if role != Qt.ItemDataRole.DisplayRole or self._summary is None:
            return None
        if orientation == Qt.Orientation.Vertical:
            return f"{section + 1:,}"
        return self._summary.columns[section].name

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if self._summary is None:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._cell(index.row(), index.column())
        if role == Qt.ItemDataRole.TextAlignmentRole:
            is_number = self._summary.columns[index.column()].kind in NUMBER_KINDS
            side = Qt.AlignmentFlag.AlignRight if is_number else Qt.AlignmentFlag.AlignLeft
            return side | Qt.AlignmentFlag.AlignVCenter
        return None

    def _cell(self, row: int, column: int) -> str:
        number = row // PAGE
        page = self._pages.get(number)
        if page is None:
            self._wanted = number
            self._newest.request()
            return ""
        self._pages.move_to_end(number)
        place = row - page.start
        return page.rows[place][column] if place < len(page.rows) else ""

    def _send(self, done: Callable[[], None]) -> None:
        number = self._wanted
        if number is None or number in self._pages or self._summary is None:
            done()
            return
        summary = self._summary

        def on_result(result: object) -> None:
            if isinstance(result, RowsPage) and self._summary is summary:
                self._take(number, result)

        def on_end(_outcome: JobOutcome) -> None:
            done()

        self._workspace.request_rows(number * PAGE, PAGE, on_result, on_end)

    def _take(self, number: int, page: RowsPage) -> None:
        self._pages[number] = page
        while len(self._pages) > KEPT_PAGES:
            self._pages.popitem(last=False)
        last = min(page.start + PAGE, self.rowCount()) - 1
        self.dataChanged.emit(self.index(page.start, 0), self.index(last, self.columnCount() - 1))
