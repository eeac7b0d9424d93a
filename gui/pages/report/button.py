"""The button of a page that puts what it shows on the report."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QMenu, QPushButton

from gui.theme import icon

if TYPE_CHECKING:
    from gui.pages.report.keeper import ReportKeeper


class ReportButton(QPushButton):
    """A menu with a tick at everything of the page that is on the report."""

    def __init__(self, keeper: ReportKeeper, page: str) -> None:
        super().__init__(icon("report"), "")
        self._keeper = keeper
        self._page = page
        self.setAccessibleName("Add to report")
        self.setToolTip("Add to report: tables, totals and charts of this page")
        menu = QMenu(self)
        menu.aboutToShow.connect(lambda: self.fill(menu))
        self.setMenu(menu)

    def fill(self, menu: QMenu) -> None:
        """List what the page offers."""
        menu.clear()
        menu.addAction("Add everything on this page", self.put_all)
        menu.addAction("Go to the report", self._keeper.show_report)
        menu.addSeparator()
        for part in self._keeper.parts(self._page):
            action = menu.addAction(part.title)
            action.setCheckable(True)
            action.setChecked(self._keeper.is_on(part.key))
            action.triggered.connect(partial(self._keeper.put, part.key))

    def put_all(self) -> None:
        """Put everything on the report that the page has something to show for."""
        self._keeper.put_page(self._page)
