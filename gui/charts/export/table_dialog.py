"""The numbers behind a chart as a table: to read, to copy, and for screen readers."""

from __future__ import annotations

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtWidgets import (
    QDialogButtonBox,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from core.presentation.charts.reading import is_number, shown_number
from gui.widgets import TextLabel
from gui.widgets.dialog import AnswerDialog
from gui.widgets.tables.cells import NUMBERS, digits
from gui.widgets.tables.column_widths import fit_columns
from gui.widgets.tables.copying import CopyingTable, copy_table, export_cells

_Index = QModelIndex | QPersistentModelIndex
_AROUND, _WIDEST = 40, 960  # beside the columns; pixels of the dialog


class NumbersTableModel(QAbstractTableModel):
    """Rows of text under a header; numbers stand right."""

    def __init__(
        self, header: tuple[str, ...], rows: list[tuple[str, ...]], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._header = header
        self._rows = rows

    def rowCount(self, parent: _Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._rows)

    def columnCount(self, parent: _Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._header)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        text = self._rows[index.row()][index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return shown_number(text) or "–" if index.column() > 0 else text
        if role == Qt.ItemDataRole.ToolTipRole:
            return text
        if role == NUMBERS:
            is_plain = index.column() > 0 and is_number(text)
            return digits(text)[1] or ((float(text or "nan"),) if is_plain else None)
        if role == Qt.ItemDataRole.TextAlignmentRole and index.column() > 0 and is_number(text):
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        return self._header[section] if orientation == Qt.Orientation.Horizontal else section + 1


class TableDialog(AnswerDialog):
    """A chart's numbers: what is chosen, or everything, is copied; all of it is exported."""

    def __init__(
        self,
        title: str,
        header: tuple[str, ...],
        rows: list[tuple[str, ...]],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(title)
        self.resize(640, 480)
        column = QVBoxLayout(self)
        column.addWidget(TextLabel(title, "section"))
        self.table = CopyingTable()
        self.table.setModel(NumbersTableModel(header, rows, self))
        self.table.setAccessibleName(title)
        self.table.setShowGrid(False)
        self.table.verticalHeader().setDefaultSectionSize(26)
        self.table.verticalHeader().hide()
        self.table.horizontalHeader().setStretchLastSection(True)
        fit_columns(self.table)
        needed = self.table.horizontalHeader().length() + _AROUND
        self.resize(min(max(self.width(), needed), _WIDEST), self.height())
        column.addWidget(self.table, 1)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        copy = QPushButton("Copy")
        buttons.addButton(copy, QDialogButtonBox.ButtonRole.ActionRole)
        copy.clicked.connect(lambda: copy_table(self.table))
        export = QPushButton("Export…")
        buttons.addButton(export, QDialogButtonBox.ButtonRole.ActionRole)
        export.clicked.connect(lambda: export_cells(self, (header, tuple(rows)), title=title))
        buttons.rejected.connect(self.close)
        column.addWidget(buttons)
