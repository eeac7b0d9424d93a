"""What a table of the window shows: as texts to copy, with every digit for files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QAbstractItemModel, QModelIndex, Qt
from PySide6.QtWidgets import QTableView

if TYPE_CHECKING:
    from core.presentation.view import Digits

MOST_CELLS = 2_000_000  # of a table that the window holds itself
NUMBERS = Qt.ItemDataRole.UserRole + 20
"""The numbers behind a cell: one, the ends of an interval, or a value and its ends."""

Texts = tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]


def cells_of(view: QTableView) -> Texts:
    """Column names and shown cells of a table, without hidden columns and rows."""
    names, rows = _cells(view)
    return names, tuple(tuple(text for text, _numbers in row) for row in rows)


def numbers_of(view: QTableView) -> Texts:
    """Return them with every digit of the numbers behind them."""
    from core.presentation.view import every_number  # with numpy: not before the first paint

    return every_number(*_cells(view))


def has_numbers(view: QTableView) -> bool:
    """Whether numbers are known behind what a table shows: its first row is looked at."""
    model = view.model()
    return model.rowCount() > 0 and any(_cell(model, 0, at)[1] for at in range(model.columnCount()))


def _cells(view: QTableView) -> tuple[tuple[str, ...], list[list[Digits]]]:
    model = view.model()
    places = [at for at in range(model.columnCount()) if not view.isColumnHidden(at)]
    most = max(1, MOST_CELLS // max(1, len(places)))
    horizontal = Qt.Orientation.Horizontal
    names = tuple(str(model.headerData(at, horizontal) or "").split("\n")[0] for at in places)
    rows = [
        [_cell(model, row, at) for at in places]
        for row in range(min(model.rowCount(), most))
        if not view.isRowHidden(row)
    ]
    headings = _row_names(view)
    if headings is None:
        return names, rows
    return ("", *names), [[(head, ()), *row] for head, row in zip(headings, rows, strict=False)]


def _cell(model: QAbstractItemModel, row: int, column: int) -> Digits:
    index = model.index(row, column, QModelIndex())
    value = index.data()
    return "" if value is None else str(value), tuple(index.data(NUMBERS) or ())


def _row_names(view: QTableView) -> list[str] | None:
    """What stands in front of the rows, unless it is hidden or only numbers them."""
    if view.verticalHeader().isHidden():
        return None
    model = view.model()
    heads = [
        str(model.headerData(row, Qt.Orientation.Vertical) or "")
        for row in range(model.rowCount())
        if not view.isRowHidden(row)
    ]
    is_count = [head.replace(",", "") for head in heads] == [
        str(row + 1) for row in range(len(heads))
    ]
    return None if is_count else heads
