"""What virtual tables share: pages of rows that are fetched as they come into view."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex

from gui.session.request import Request
from gui.session.session import Session

Index = QModelIndex | QPersistentModelIndex
PAGE = 200
KEPT_PAGES = 60
MOST_ROWS = 50_000_000  # a view's scroll bar counts pixels in 32 bits


class PagedModel(QAbstractTableModel):
    """Keeps at most ``KEPT_PAGES`` pages: the least recently used go first.

    One page is under way at a time; while it is, only the page that was looked at last waits, so
    that a fast scroll fetches where it ends and not what it passed. A page knows its first row,
    ``start``.
    """

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pages: OrderedDict[int, Any] = OrderedDict()
        self._wanted: int | None = None
        self._request = Request(self, session.project, self._send)

    @property
    def loaded_pages(self) -> int:
        """How many pages are in memory."""
        return len(self._pages)

    def _send(self) -> None:
        """Ask for the page that is wanted, unless it is here."""
        raise NotImplementedError

    def _forget_pages(self) -> None:
        self._pages.clear()
        self._wanted = None

    def _want(self, number: int) -> None:
        self._wanted = number
        self._request.renew()

    def _held(self, row: int) -> tuple[Any, int]:
        """The page of a row and its place there; (None, -1) where it is not here."""
        page = self._pages.get(row // PAGE)
        return (None, -1) if page is None else (page, row - page.start)

    def _looked_at(self, row: int) -> tuple[Any, int]:
        """The same of a row that comes into view: a page that is not here is fetched."""
        page, place = self._held(row)
        if page is None:
            self._want(row // PAGE)
        else:
            self._pages.move_to_end(row // PAGE)
        return page, place

    def _keep(self, number: int, page: Any) -> None:
        """Keep and show a page that has come."""
        self._pages[number] = page
        while len(self._pages) > KEPT_PAGES:
            self._pages.popitem(last=False)
        last = min(page.start + PAGE, self.rowCount()) - 1
        if last >= page.start:
            self._show_rows(page.start, last)

    def _show_rows(self, first: int, last: int) -> None:
        """Have rows drawn that have come."""
        self.dataChanged.emit(self.index(first, 0), self.index(last, self.columnCount() - 1))
