"""Widths of a table's columns by what they say."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QTableView

from gui.theme import tabular, text_font

MARGIN = 17  # beside the words: inner margins of head and cells, the line between, rounding
ROWS_READ = 200


def fit_columns(view: QTableView) -> None:
    """Each column as wide as its head and its first rows need; Qt's own way counts bold heads."""
    model, head = view.model(), view.horizontalHeader()
    heads, cells = QFontMetrics(text_font("note")), QFontMetrics(tabular(view.font()))
    for column in range(model.columnCount()):
        title = str(model.headerData(column, Qt.Orientation.Horizontal) or "")
        needed = max(heads.horizontalAdvance(line) for line in title.split("\n"))
        for row in range(min(model.rowCount(), ROWS_READ)):
            text = model.index(row, column).data()
            if isinstance(text, str):
                needed = max(needed, cells.horizontalAdvance(text))
        head.resizeSection(column, needed + MARGIN)
