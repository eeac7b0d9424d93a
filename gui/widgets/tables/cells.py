"""What a table of the window shows, as texts: for files and for the report."""

from __future__ import annotations

from PySide6.QtCore import QAbstractItemModel, QModelIndex, Qt
from PySide6.QtWidgets import QTableView

MOST_CELLS = 2_000_000  # of a table that the window holds itself


def cells_of(view: QTableView) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """Column names and shown cells of a table, without hidden columns and rows."""
    model = view.model()
    places = [at for at in range(model.columnCount()) if not view.isColumnHidden(at)]
    most = max(1, MOST_CELLS // max(1, len(places)))
    horizontal = Qt.Orientation.Horizontal
    names = tuple(str(model.headerData(at, horizontal) or "").split("\n")[0] for at in places)
    rows = tuple(
        tuple(_text(model, row, at) for at in places)
        for row in range(min(model.rowCount(), most))
        if not view.isRowHidden(row)
    )
    headings = _row_names(view)
    if headings is None:
        return names, rows
    return ("", *names), tuple((head, *cells) for head, cells in zip(headings, rows, strict=False))


def _text(model: QAbstractItemModel, row: int, column: int) -> str:
    value = model.index(row, column, QModelIndex()).data()
    return "" if value is None else str(value)


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
    is_count = heads == [str(row + 1) for row in range(len(heads))]
    return None if is_count else heads
