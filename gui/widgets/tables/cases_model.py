"""The list of cases as a virtual table: pages are fetched as they come into view."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QModelIndex, QObject, Qt

from core.document.studies.decided_cases import CasesPage
from core.engine.messages import Ask
from core.presentation.decide.columns import CaseColumn, case_list_columns, case_text, mark_words
from core.presentation.labels import Labels
from core.questions.decide import CasesOneByOne, NextCases
from core.questions.lanes import Lane
from gui.session.request import Request
from gui.session.session import Session
from gui.widgets.tables.cells import MOST_CELLS, Rows, digits
from gui.widgets.tables.paged_model import MOST_ROWS, PAGE, Index, PagedModel

if TYPE_CHECKING:
    from core.presentation.view import Digits

FETCHED = 2_000  # cases at a time where all are wanted
MONEY = ("expected", "computed", "best")
"""Columns of amounts in the project's sense: of losses the lowest is best, and sorted as that."""


class CasesModel(PagedModel):
    """Cells as text."""

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(session, parent)
        self._columns: tuple[CaseColumn, ...] = ()
        self._cases = 0
        self._list: Ask[CasesOneByOne] | None = None  # what the list shown was asked by
        self._labels = Labels()
        self._sorted = ("", True)
        self._whole = Request(self, session.project)

    def show(self, requested: Ask[CasesOneByOne], first: CasesPage, labels: Labels) -> None:
        """Show another list, of which the first page is at hand; ``requested``: what it answers."""
        self.beginResetModel()
        self._columns, self._labels = case_list_columns(first, labels), labels
        self._forget_pages()
        self._pages[0] = first
        self._cases = first.cases
        self._list = requested
        self.endResetModel()

    def show_sort(self, sort: str, *, is_descending: bool) -> None:
        """Mark the column that the list is sorted by."""
        self._sorted = (sort, is_descending)
        if self._columns:
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(self._columns) - 1)

    @property
    def columns(self) -> tuple[CaseColumn, ...]:
        """The columns shown."""
        return self._columns

    def texts(self, place: int) -> set[str]:
        """What the first page shows in a column; nothing is fetched for it."""
        page = self._pages.get(0)
        if page is None:
            return set()
        key = self._columns[place].key
        return {case_text(page, row, key, self._labels) for row in range(len(page.ids))}

    def rowCount(self, parent: Index = QModelIndex()) -> int:
        return 0 if parent.isValid() else min(self._cases, MOST_ROWS)

    def columnCount(self, parent: Index = QModelIndex()) -> int:
        return 0 if parent.isValid() else len(self._columns)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation == Qt.Orientation.Vertical:
            return f"{section + 1:,}" if role == Qt.ItemDataRole.DisplayRole else None
        column = self._columns[section]
        if role == Qt.ItemDataRole.DisplayRole:
            if not column.sort or column.sort != self._sorted[0]:
                return column.head
            is_falling = self._sorted[1] is (column.key not in MONEY or not self._labels.is_loss)
            return f"{column.head} {'▾' if is_falling else '▴'}"
        if role == Qt.ItemDataRole.ToolTipRole:
            return column.help or None
        return self._side(column) if role == Qt.ItemDataRole.TextAlignmentRole else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        column = self._columns[index.column()]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self._side(column)
        if role == Qt.ItemDataRole.DisplayRole:
            return self._cell(index.row(), column)
        if role == Qt.ItemDataRole.ToolTipRole and column.key == "marks":
            return mark_words(self._cell(index.row(), column)) or None
        return None

    @staticmethod
    def _side(column: CaseColumn) -> Qt.AlignmentFlag:
        side = Qt.AlignmentFlag.AlignLeft if column.is_left else Qt.AlignmentFlag.AlignRight
        return side | Qt.AlignmentFlag.AlignVCenter

    def _cell(self, row: int, column: CaseColumn) -> str:
        page, place = self._looked_at(row)
        is_there = page is not None and 0 <= place < len(page.ids)
        return case_text(page, place, column.key, self._labels) if is_there else ""

    def row_of(self, place: int) -> int | None:
        """The row of the data, from 0, of a case of the list; None while it is not here."""
        page, at = self._held(place)
        return int(page.row[at]) - 1 if page is not None and 0 <= at < len(page.ids) else None

    def fetch_all(self, take: Callable[[tuple[str, ...], Rows], None]) -> None:
        """Ask for the whole list, of which only what was looked at is here."""
        requested, columns, labels = self._list, self._columns, self._labels
        rows: list[list[Digits]] = []

        def add(page: CasesPage) -> None:
            rows.extend(
                [digits(case_text(page, place, column.key, labels)) for column in columns]
                for place in range(len(page.ids))
            )
            if page.ids and len(rows) < min(page.cases, MOST_CELLS // len(columns)):
                ask_on()
            else:
                take(tuple(column.head for column in columns), rows)

        def ask_on() -> None:
            assert requested is not None
            place = {"start": len(rows), "count": FETCHED}
            question = NextCases(**{**vars(requested.question), **place})
            words = "Listing the cases"
            # Not the quick lane: there a page that comes into view would take its place.
            self._whole.ask(
                requested.document, question, on_result=add, lane=Lane.LONG, title=words
            )

        if requested is not None:
            ask_on()

    def _send(self) -> None:
        number, requested = self._wanted, self._list
        if number is None or number in self._pages or requested is None:
            return
        self._request.ask(
            requested.document,
            NextCases(**{**vars(requested.question), "start": number * PAGE}),
            on_result=lambda page: self._keep(number, page),
            is_wanted=lambda: requested is self._list,
        )
