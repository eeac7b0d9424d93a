"""The metric table: models down, metrics across, and profit at the cursor as the last column."""

from __future__ import annotations

import math

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from core.document.results import NO_MODEL
from core.presentation.compare.metrics import MetricColumn, MetricEntry
from core.presentation.labels import Labels
from gui.widgets.tables.cells import NUMBERS

CELL_ROLE = Qt.ItemDataRole.UserRole + 1  # MetricEntry
COLUMN_ROLE = Qt.ItemDataRole.UserRole + 2  # MetricColumn of a header section
MODEL_ROLE = Qt.ItemDataRole.UserRole + 3  # series of the row's model
MARK_ROLE = Qt.ItemDataRole.UserRole + 4  # why the row's figures flatter its model

_Index = QModelIndex | QPersistentModelIndex
_NO_MODEL_NAMED: dict[int, str] = {
    Qt.ItemDataRole.DisplayRole: NO_MODEL,
    Qt.ItemDataRole.AccessibleTextRole: NO_MODEL,
    Qt.ItemDataRole.ToolTipRole: (
        "What each figure is where every case gets the same prediction, and what the best one "
        "decision for all brings: a model adds the distance from it."
    ),
}


class MetricTableModel(QAbstractTableModel):
    """Models in rows, and below them no model; the last column may be the profit at the cursor."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._check_now: Labels | None = None
        self._columns: tuple[MetricColumn, ...] = ()
        self._profit: MetricColumn | None = None
        self._order: list[int] = []
        self._sorted: tuple[str, bool] | None = None  # title of a column, best (or first) first

    # ------------------------------------------------------------ order of the rows

    @property
    def sorted_by(self) -> tuple[int, bool] | None:
        """The section that sorts the rows and whether its best stands first; None = as given."""
        if self._sorted is None:
            return None
        titles = ["", *(column.info.title for column in self.columns())]
        title, is_best_first = self._sorted
        return (titles.index(title), is_best_first) if title in titles else None

    def sort_by(self, section: int) -> None:
        """Sort by a column, best first; again: worst first; a third time: as the models stand."""
        title = "" if section == 0 else self.columns()[section - 1].info.title
        before = self._sorted
        self.layoutAboutToBeChanged.emit()
        if before is None or before[0] != title:
            self._sorted = (title, True)
        else:
            self._sorted = (title, False) if before[1] else None
        self._sort()
        self.layoutChanged.emit()

    def _sort(self) -> None:
        models = self._check_now.models if self._check_now is not None else ()
        self._order = list(range(len(models)))
        found = self.sorted_by
        if found is None:
            return
        section, is_best_first = found
        if section == 0:
            self._order.sort(key=lambda row: models[row].name.lower(), reverse=not is_best_first)
            return
        column = self.columns()[section - 1]
        sign = 1.0 if column.info.direction == "lower" else -1.0

        def key(row: int) -> tuple[bool, float]:
            value = column.cells[row].estimate.value
            is_known = math.isfinite(value)
            return not is_known, (sign if is_best_first else -sign) * value if is_known else 0.0

        self._order.sort(key=key)

    # ------------------------------------------------------------ content

    def set_columns(
        self, look: Labels | None, columns: tuple[MetricColumn, ...], profit: MetricColumn | None
    ) -> None:
        """Show other columns."""
        self.beginResetModel()
        self._check_now, self._columns, self._profit = look, columns, profit
        self._sort()
        self.endResetModel()

    def set_profit(self, profit: MetricColumn | None) -> None:
        """Renew the last column only: the cursor has moved."""
        if (profit is None) != (self._profit is None):
            self.set_columns(self._check_now, self._columns, profit)
            return
        self._profit = profit
        last = self.columnCount() - 1
        if profit is not None and self.rowCount():
            for row in range(len(self._order)):  # cell by cell: a range repaints the whole table
                cell = self.index(row, last)
                self.dataChanged.emit(cell, cell, [Qt.ItemDataRole.DisplayRole])

    def columns(self) -> tuple[MetricColumn, ...]:
        """All columns behind the model's name."""
        return (*self._columns, *((self._profit,) if self._profit is not None else ()))

    def place_of(self, row: int) -> int:
        """Where the cells of a row stand in its columns."""
        return self._order[row]

    def is_no_model(self, row: int) -> bool:
        """Whether a row holds the figures without a model."""
        return row >= len(self._order)

    def model_at(self, row: int) -> str:
        """The name of a row's model; empty in the row without one."""
        if self._check_now is None or self.is_no_model(row):
            return ""
        return self._check_now.models[self._order[row]].name

    def rowCount(self, parent: _Index | None = None) -> int:
        if self._check_now is None or (parent is not None and parent.isValid()):
            return 0
        return len(self._check_now.models) + any(column.no_model for column in self.columns())

    def columnCount(self, parent: _Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else 1 + len(self.columns())

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid() or self._check_now is None:
            return None
        if index.column() == 0:
            return self._model_data(index.row(), role)
        entry = self._entry(index.row(), self.columns()[index.column() - 1])
        return None if entry is None else self._figure_data(entry, role)

    @staticmethod
    def _figure_data(entry: MetricEntry, role: int) -> object:
        """What a cell of a metric says."""
        if role == CELL_ROLE:
            return entry
        if role == NUMBERS:
            return entry.estimate.value, entry.estimate.low, entry.estimate.high
        if role == Qt.ItemDataRole.DisplayRole:
            return entry.text
        if role == Qt.ItemDataRole.ToolTipRole:
            return entry.words
        if role == Qt.ItemDataRole.AccessibleTextRole:
            mark = ", best" if entry.is_best else ", not distinguishable" if entry.is_tied else ""
            return entry.words.replace("\n", ", ") + mark
        return None

    def _entry(self, row: int, column: MetricColumn) -> MetricEntry | None:
        """A cell; None where a figure has no value without a model."""
        return column.no_model if self.is_no_model(row) else column.cells[self._order[row]]

    def _model_data(self, at: int, role: int) -> object:
        """What the first column says of a model."""
        assert self._check_now is not None
        if self.is_no_model(at):
            return _NO_MODEL_NAMED.get(role)
        row = self._order[at]
        model, mark = self._check_now.models[row], self._mark(row)
        if role == MODEL_ROLE:
            return model.series
        if role == MARK_ROLE:
            return mark
        if role == Qt.ItemDataRole.DisplayRole:
            return model.name
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            return f"{model.name}\n{mark}" if mark else model.name
        return None

    def _mark(self, row: int) -> str:
        return self._columns[0].cells[row].mark if self._columns else ""

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if section == 0:
            return "Model" if role == Qt.ItemDataRole.DisplayRole else None
        columns = self.columns()
        if section > len(columns):
            return None
        column = columns[section - 1]
        if role == Qt.ItemDataRole.DisplayRole:
            return column.info.title
        if role == Qt.ItemDataRole.ToolTipRole:
            return column.info.help
        return column if role == COLUMN_ROLE else None
