"""The table of runs, straight from the columns."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from core.document.experiments.results import RunTable
from core.document.experiments.spec import learner_label
from core.presentation.experiments import SAMPLER_WORDS, error_words

Index = QModelIndex | QPersistentModelIndex
_TEXTS = 2  # columns of words at the left


class RunsModel(QAbstractTableModel):
    """One row per fitted evaluation model."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runs: RunTable | None = None
        self._names = (
            "Method",
            "Learner",
            "System",
            "Split",
            "Training rows",
            "Test rows",
            "Error",
            "Variance",
            "Bound",
            "No information",
            "Effect error",
            "Effect bound",
            "Clipped",
        )

    def show(self, runs: RunTable | None) -> None:
        """Show other runs."""
        self.beginResetModel()
        self._runs = runs
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:
        return 0 if parent.isValid() or self._runs is None else self._runs.count

    def columnCount(self, parent: Index = QModelIndex()) -> int:
        return 0 if parent.isValid() else len(self._names)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if role == Qt.ItemDataRole.TextAlignmentRole and orientation == Qt.Orientation.Horizontal:
            return self._alignment(section)
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        is_across = orientation == Qt.Orientation.Horizontal
        return self._names[section] if is_across else f"{section + 1:,}"

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self._alignment(index.column())
        if role != Qt.ItemDataRole.DisplayRole or self._runs is None:
            return None
        return self._cell(self._runs, index.row(), index.column())

    def _alignment(self, column: int) -> Qt.AlignmentFlag:
        side = Qt.AlignmentFlag.AlignLeft if column < _TEXTS else Qt.AlignmentFlag.AlignRight
        return side | Qt.AlignmentFlag.AlignVCenter

    def _cell(self, runs: RunTable, row: int, column: int) -> str:
        if column == 0:
            return SAMPLER_WORDS.get(runs.samplers[int(runs.sampler[row])], "")
        if column == 1:
            return learner_label(runs.learners[int(runs.learner[row])])
        if column in (2, 3):
            values = runs.system if column == 2 else runs.split
            return f"{int(values[row]) + 1:,}"
        if column in (4, 5, 12):
            counts = {4: runs.n_train, 5: runs.n_test, 12: runs.clipped}[column]
            return f"{int(counts[row]):,}"
        losses = (
            runs.error,
            runs.variance,
            runs.bound,
            runs.chance,
            runs.effect_error,
            runs.effect_bound,
        )
        return error_words(float(losses[column - 6][row]))
