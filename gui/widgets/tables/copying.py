"""Tables as data: copied and exported with every digit, an interval in cells of its own."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QMimeData, QModelIndex, QPoint, QRect, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QHeaderView,
    QTableView,
    QWidget,
)

from core.document.files.spreadsheet import pasted_html, pasted_text
from gui.widgets.tables.cells import Rows, Texts, rows_of, with_every_digit, words_only
from payoff.errors import PayoffError

_BLOCKS = (
    QAbstractItemView.SelectionMode.ContiguousSelection,
    QAbstractItemView.SelectionMode.ExtendedSelection,
)


class CopyingTable(QTableView):
    """A table that the keys for copying copy as data: the chosen cells, or all of them.

    It shows whole rows: one that is cut by its lower edge is left blank until it is scrolled to,
    its number too, and neither clicks nor the pointer reach it there.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setVerticalHeader(_RowNumbers(self))

    def indexAt(self, pos: QPoint) -> QModelIndex:
        is_shown = self.whole_rows().contains(pos)
        return super().indexAt(pos) if is_shown else QModelIndex()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(QPaintEvent(event.region().intersected(self.whole_rows())))

    def whole_rows(self) -> QRect:
        """The part of the viewport above a row that does not fit into it; all where all fit."""
        shown = self.viewport().rect()
        top = self.rowViewportPosition(self.rowAt(shown.bottom()))
        is_cut = top > 0 and top + self.rowHeight(self.rowAt(shown.bottom())) > shown.height()
        return shown.adjusted(0, 0, 0, top - shown.height()) if is_cut else shown

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            copy_table(self)
            return
        super().keyPressEvent(event)


class _RowNumbers(QHeaderView):
    """What stands before the rows of a table, as far as they are shown."""

    def __init__(self, table: CopyingTable) -> None:
        super().__init__(Qt.Orientation.Vertical, table)
        self._table = table
        self.setSectionsClickable(True)  # as a table's own
        self.setHighlightSections(True)

    def paintEvent(self, event: QPaintEvent) -> None:
        shown = QRect(0, 0, self.width(), self._table.whole_rows().bottom() + 1)
        super().paintEvent(QPaintEvent(event.region().intersected(shown)))


def copy_table(view: QTableView, *, whole: bool = False, as_shown: bool = False) -> None:
    """Put the chosen cells of a table, or all, with their heads on the clipboard.

    ``as_shown``: rounded, with units, in place of every digit. One cell goes without its head; a
    chosen row is no block where only one can be chosen.
    """
    fetch_all = getattr(view.model(), "fetch_all", None)  # of a list that is not all here
    has_block = not whole and view.selectionMode() in _BLOCKS
    chosen = {(at.row(), at.column()) for at in view.selectedIndexes()} if has_block else set()

    def take(names: tuple[str, ...], rows: Rows) -> None:
        keep_cells((words_only if as_shown else with_every_digit)(names, rows), len(chosen) != 1)

    if fetch_all is None:
        take(*rows_of(view, chosen))
        return
    wanted = {row for row, _column in chosen}
    fetch_all(
        lambda names, rows: take(
            names, [row for at, row in enumerate(rows) if not wanted or at in wanted]
        )
    )


def keep_cells(cells: Texts, has_heads: bool = True) -> None:
    """Put rows on the clipboard, with their heads or without."""
    names, rows = cells
    lines = [names, *rows] if has_heads else list(rows)
    mime = QMimeData()
    mime.setText(pasted_text(lines))
    mime.setHtml(pasted_html(lines))
    QApplication.clipboard().setMimeData(mime)


class ExportEvent(QEvent):
    """Asks the main window to write a table to a file, in any format that it writes.

    Attributes
    ----------
    cells : Texts
        Heads and rows, with every digit.
    title : str
        What the table is called: a name for its file.
    path : str
        Of the file; empty: a person is asked.
    """

    KIND = QEvent.Type(QEvent.registerEventType())

    def __init__(self, cells: Texts, title: str, path: str) -> None:
        super().__init__(self.KIND)
        self.cells, self.title, self.path = cells, title, path
        self.setAccepted(False)


def export_cells(place: QWidget, cells: Texts, *, title: str, path: str = "") -> None:
    """Have the window that a widget belongs to write cells to a file, or ask where to.

    Raises
    ------
    PayoffError
        If the widget is in no window of the program.
    """
    top = place.window()
    while (above := top.parentWidget()) is not None:
        top = above.window()
    event = ExportEvent(cells, title, path)
    QApplication.sendEvent(top, event)
    if not event.isAccepted():
        raise PayoffError(
            "The table cannot be written from here.",
            where=path or title,
            remedy="Copy the numbers, or write CSV.",
        )
