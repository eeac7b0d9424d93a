"""The data as a virtual table: pages of rows are fetched when they come into view."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from PySide6.QtCore import QModelIndex, QObject, Qt, Signal

from core.document.data.results import RowsPage, TableSummary
from core.document.studies.data import TableOrder
from core.questions.data import TableRows
from gui.session.session import Session
from gui.widgets.tables.paged_model import MOST_ROWS, PAGE, Index, PagedModel

NUMBER_KINDS = ("integer", "number")


class RowsModel(PagedModel):
    """Cells as text, in the order of the table or another."""

    total_changed = Signal(int)  # rows in the order that is shown

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(session, parent)
        self._session = session
        self._summary: TableSummary | None = None
        self._order = TableOrder()
        self._total = -1  # rows in the order; -1 = not known yet, or all

    def show(self, summary: TableSummary | None) -> None:
        """Show another table in the same order, or in its own where the order cannot be."""
        names = {column.name for column in summary.columns} if summary is not None else set()
        if self._order.sort not in names:
            self._order = replace(self._order, sort="")
        self._summary = summary
        self._start_again()

    @property
    def order(self) -> TableOrder:
        """Which rows are shown, and in which order."""
        return self._order

    def set_order(self, order: TableOrder) -> None:
        """Sort, search, or show the rows of the row filter only."""
        if order != self._order:
            self._order = order
            self._start_again()

    def read_again(self) -> None:
        """Fetch the rows anew: the row filter has changed."""
        if self._order.only_used:
            self._start_again()

    def _start_again(self) -> None:
        self.beginResetModel()
        self._forget_pages()
        self._total = -1
        self.endResetModel()
        if not self._order.is_plain and self._summary is not None:
            self._want(0)  # how many rows there are is known with the first page

    def rowCount(self, parent: Index = QModelIndex()) -> int:
        if parent.isValid() or self._summary is None:
            return 0
        if self._order.is_plain:
            return min(self._summary.data.rows, MOST_ROWS)
        return min(max(0, self._total), MOST_ROWS)

    def columnCount(self, parent: Index = QModelIndex()) -> int:
        if parent.isValid() or self._summary is None:
            return 0
        return len(self._summary.columns)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if role != Qt.ItemDataRole.DisplayRole or self._summary is None:
            return None
        if orientation == Qt.Orientation.Vertical:
            return self._row_number(section)
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

    def _row_number(self, row: int) -> str:
        """The number that a row has in the table, whatever the order."""
        if self._order.is_plain:
            return f"{row + 1:,}"
        page, place = self._held(row)
        return f"{page.numbers[place]:,}" if page and 0 <= place < len(page.numbers) else ""

    def _cell(self, row: int, column: int) -> str:
        page, place = self._looked_at(row)
        is_there = page is not None and place < len(page.rows)
        return page.rows[place][column] if is_there else ""

    def _send(self) -> None:
        number = self._wanted
        if number is None or number in self._pages or self._summary is None:
            return
        summary, order = self._summary, self._order

        self._request.ask(
            self._session.project.document,
            TableRows(start=number * PAGE, count=PAGE, order=order),
            on_result=lambda page: self._take(number, page),
            is_wanted=lambda: self._summary is summary and self._order is order,
        )

    def _take(self, number: int, page: RowsPage) -> None:
        if not self._order.is_plain and page.total != self._total:
            self.beginResetModel()
            self._pages.clear()
            self._total = page.total
            self._pages[number] = page
            self.endResetModel()
            self.total_changed.emit(page.total)
            return
        self._keep(number, page)

    def _show_rows(self, first: int, last: int) -> None:
        super()._show_rows(first, last)
        if not self._order.is_plain:
            self.headerDataChanged.emit(Qt.Orientation.Vertical, first, last)
