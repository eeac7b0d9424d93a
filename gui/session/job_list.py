"""All jobs of the session as a table, opened from the strip."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, QPoint, Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QVBoxLayout,
    QWidget,
)

from core.document.wording import format_seconds
from core.engine.messages import JobState
from gui.session.job_queue import JobEntry, JobQueue
from gui.theme import icon
from gui.widgets.labels import TextLabel
from gui.widgets.tables.copying import CopyingTable

Index = QModelIndex | QPersistentModelIndex
_SIGNS = {
    JobState.DONE: ("check", "gain"),
    JobState.RUNNING: ("clock", "accent"),
    JobState.PENDING: ("clock", "quiet"),
    JobState.CANCELLED: ("stop", "quiet"),
    JobState.FAILED: ("cross", "error"),
    JobState.LOST: ("warning", "error"),
}


class JobListModel(QAbstractTableModel):
    """Named jobs, newest first: title, state, time."""

    def __init__(self, jobs: JobQueue, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._rows: list[JobEntry] = []
        self._take()
        jobs.job_changed.connect(self._on_changed)

    def _take(self) -> None:
        self._rows = [entry for entry in reversed(self._jobs.entries.values()) if entry.title]

    def _on_changed(self, entry: JobEntry) -> None:
        if entry in self._rows:
            row = self._rows.index(entry)
            self.dataChanged.emit(self.index(row, 0), self.index(row, 2))
        elif entry.title:
            self.beginResetModel()
            self._take()
            self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:
        return 0 if parent.isValid() else 3

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation != Qt.Orientation.Horizontal or role != Qt.ItemDataRole.DisplayRole:
            return None
        return ("Job", "State", "Time")[section]

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        entry = self._rows[index.row()]
        if role == Qt.ItemDataRole.DecorationRole and index.column() == 0:
            return icon(*_SIGNS[entry.state])
        if role == Qt.ItemDataRole.ToolTipRole and entry.error is not None:
            return str(entry.error)
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        if index.column() == 0:
            return entry.title
        if index.column() == 1:
            return self._state_words(entry)
        return format_seconds(entry.seconds) if entry.seconds else ""

    def _state_words(self, entry: JobEntry) -> str:
        if entry.state is JobState.RUNNING and entry.fraction is not None:
            return entry.percent()
        if entry.is_dropped and entry.state is JobState.CANCELLED:
            return "no longer needed"
        if entry.is_stopped and entry.state is JobState.DONE:
            return "stopped, kept"
        return {
            JobState.PENDING: "waiting",
            JobState.RUNNING: "running",
            JobState.DONE: "done",
            JobState.CANCELLED: "stopped",
            JobState.FAILED: "failed",
            JobState.LOST: "lost",
        }[entry.state]


class JobsPopup(QFrame):
    """The list above the strip; a click elsewhere closes it."""

    def __init__(self, jobs: JobQueue, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setProperty("card", "true")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 12, 12, 12)
        column.addWidget(TextLabel("Jobs of this session", "section"))
        self.table = CopyingTable()
        self.table.setModel(JobListModel(jobs, self))
        self.table.setShowGrid(False)
        self.table.verticalHeader().hide()
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        header = self.table.horizontalHeader()
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        self.table.setAccessibleName("Jobs of this session")
        column.addWidget(self.table)
        self.resize(460, 280)

    def open_above(self, anchor: QWidget) -> None:
        """Show it with its lower right corner at a widget."""
        corner = anchor.mapToGlobal(QPoint(anchor.width(), -6))
        self.move(corner.x() - self.width(), corner.y() - self.height())
        self.show()
