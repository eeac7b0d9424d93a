"""A small read-only table of texts, for previews and lists that are complete in memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QFont

Index = QModelIndex | QPersistentModelIndex


class TextTableModel(QAbstractTableModel):
    """Columns with names, a quiet second line under each name, and rows of text."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._columns: tuple[str, ...] = ()
        self._notes: tuple[str, ...] = ()
        self._rows: tuple[Sequence[str], ...] = ()
        self._right: frozenset[int] = frozenset()
        self._struck_out: frozenset[int] = frozenset()

    def show(
        self,
        columns: Sequence[str],
        rows: Sequence[Sequence[str]],
        *,
        notes: Sequence[str] = (),
        right_aligned: Sequence[int] = (),
        struck_out: Sequence[int] = (),
    ) -> None:
        """Show another table; rows that are struck out do not count."""
        self.beginResetModel()
        self._columns = tuple(columns)
        self._notes = tuple(notes)
        self._rows = tuple(rows)
        self._right = frozenset(right_aligned)
        self._struck_out = frozenset(struck_out)
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:
        return 0 if parent.isValid() else len(self._columns)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation == Qt.Orientation.Vertical:
            return str(section + 1) if role == Qt.ItemDataRole.DisplayRole else None
        if role == Qt.ItemDataRole.DisplayRole:
            note = self._notes[section] if section < len(self._notes) else ""
            return f"{self._columns[section]}\n{note}" if note else self._columns[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self._alignment(section)
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == Qt.ItemDataRole.DisplayRole:
            row = self._rows[index.row()]
            return row[index.column()] if index.column() < len(row) else ""
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self._alignment(index.column())
        if role == Qt.ItemDataRole.FontRole and index.row() in self._struck_out:
            font = QFont()
            font.setStrikeOut(True)
            return font
        return None

    def _alignment(self, column: int) -> Qt.AlignmentFlag:
        side = Qt.AlignmentFlag.AlignRight if column in self._right else Qt.AlignmentFlag.AlignLeft
        return side | Qt.AlignmentFlag.AlignVCenter
