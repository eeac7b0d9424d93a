"""Every column with its role and the reason of the guess, as a list that is never all widgets."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    QSize,
    Qt,
)
from PySide6.QtGui import QColor, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from core.document.model import Document, Role, RoleAssignment, TargetSpec
from gui.pages.data.words import chip_words, reason_words, role_words
from gui.theme import current_theme, text_font

Index = QModelIndex | QPersistentModelIndex
ENTRY, CHIP = Qt.ItemDataRole.UserRole, Qt.ItemDataRole.UserRole + 1
ROW_HEIGHT = 40
ROLE_SHARE = 0.6  # of a line, at the most, for the role: a model may have a long name
LEAST_LINES = 3  # in sight; in a lower window the cards beside the table scroll


class RolesModel(QAbstractListModel):
    """The role assignments of a document, in file order."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._entries: tuple[RoleAssignment, ...] = ()
        self._target: TargetSpec | None = None

    def show(self, document: Document) -> None:
        """Show the roles of a document."""
        self._target = document.target
        same = [e.column for e in document.roles] == [e.column for e in self._entries]
        if same:
            self._entries = document.roles
            if self._entries:
                self.dataChanged.emit(self.index(0, 0), self.index(len(self._entries) - 1, 0))
            return
        self.beginResetModel()
        self._entries = document.roles
        self.endResetModel()

    def row_of(self, column: str) -> int:
        """The row of a column, or -1."""
        return next((row for row, e in enumerate(self._entries) if e.column == column), -1)

    def rowCount(self, parent: Index = QModelIndex()) -> int:
        return 0 if parent.isValid() else len(self._entries)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        entry = self._entries[index.row()]
        if role == ENTRY:
            return entry
        if role == CHIP:
            return chip_words(entry, self._target)
        if role == Qt.ItemDataRole.DisplayRole:
            return entry.column
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{entry.column}: {role_words(entry.role)}. {reason_words(entry)}"
        if role == Qt.ItemDataRole.ToolTipRole:
            return reason_words(entry)
        return None


class RolesView(QListView):
    """The list; the chosen column stays in sight when the list becomes lower or higher."""

    def sizeHint(self) -> QSize:
        return self.minimumSizeHint()  # it takes what room there is

    def minimumSizeHint(self) -> QSize:
        return QSize(120, LEAST_LINES * ROW_HEIGHT)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.scrollTo(self.currentIndex())


class RoleLine(QStyledItemDelegate):
    """Name and role in one line, the reason in a quiet second one."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(200, ROW_HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        theme = current_theme()
        entry: RoleAssignment = index.data(ENTRY)
        area: QRect = option.rect
        state = option.state
        is_chosen = bool(state & QStyle.StateFlag.State_Selected)
        painter.save()
        if is_chosen:
            painter.fillRect(area, QColor(theme.selection))
        if state & QStyle.StateFlag.State_HasFocus:
            painter.fillRect(QRect(area.left(), area.top(), 3, area.height()), QColor(theme.accent))
        painter.setPen(QPen(QColor(theme.border), 1))
        painter.drawLine(area.bottomLeft(), area.bottomRight())
        inner = area.adjusted(12, 3, -12, -4)
        is_quiet = entry.role in (Role.INPUT, Role.IGNORED)
        painter.setFont(text_font("body"))
        role = role_words(entry.role)
        if entry.role in (Role.POSTERIOR, Role.SCORE, Role.PREDICTION):
            role = index.data(CHIP)
        metrics = painter.fontMetrics()
        role = metrics.elidedText(
            role, Qt.TextElideMode.ElideMiddle, int(ROLE_SHARE * inner.width())
        )
        width = metrics.horizontalAdvance(role)
        painter.setPen(
            QColor(theme.text if is_chosen else theme.quiet if is_quiet else theme.accent)
        )
        painter.drawText(inner, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop, role)
        painter.setFont(text_font("body", bold=not is_quiet))
        painter.setPen(QColor(theme.text))
        room = inner.width() - width - 12
        name = painter.fontMetrics().elidedText(
            entry.column, Qt.TextElideMode.ElideMiddle, max(40, room)
        )
        painter.drawText(inner, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop, name)
        painter.setFont(text_font("note"))
        painter.setPen(QColor(theme.text if is_chosen else theme.quiet))
        reason = painter.fontMetrics().elidedText(
            reason_words(entry), Qt.TextElideMode.ElideRight, inner.width()
        )
        painter.drawText(inner, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom, reason)
        painter.restore()
