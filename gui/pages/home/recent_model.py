"""The recent projects as a table."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QColor

from core.document.wording import format_money, format_money_interval
from core.settings import RecentProject
from gui.shell.moments import moment_words
from gui.theme import current_theme, icon, text_font
from gui.widgets.labels import DOWN, UP
from gui.widgets.tables.cells import NUMBERS
from payoff.counting import counted

Index = QModelIndex | QPersistentModelIndex
PIN, NAME, WHERE, OPENED, MODEL, PROFIT, INTERVAL, DATA = range(8)


class RecentModel(QAbstractTableModel):
    """One row per project: name, where, when, best model, profit at its cursor, interval, data."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._entries: tuple[RecentProject, ...] = ()
        self._trouble: dict[str, str] = {}

    def show(self, entries: tuple[RecentProject, ...]) -> None:
        """Show other projects."""
        self.beginResetModel()
        self._entries = entries
        self.endResetModel()

    def show_trouble(self, trouble: dict[str, str]) -> None:
        """Say of some projects (by path) that they or their data are not where they were."""
        self._trouble = trouble
        if self._entries:
            last = len(self._entries) - 1
            self.dataChanged.emit(self.index(0, DATA), self.index(last, DATA))

    def trouble(self, row: int) -> str:
        """What is not where it was for the project of a row, or an empty text."""
        return self._trouble.get(self._entries[row].path, "")

    def entry(self, row: int) -> RecentProject:
        """The project of a row."""
        return self._entries[row]

    def rowCount(self, parent: Index = QModelIndex()) -> int:
        return 0 if parent.isValid() else len(self._entries)

    def columnCount(self, parent: Index = QModelIndex()) -> int:
        return 0 if parent.isValid() else 8

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return (
                "",
                "Project",
                "Where",
                "Last opened",
                "Model",
                "Profit at its cursor",
                "95 %",
                "Data",
            )[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self._alignment(section)
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        entry, column = self._entries[index.row()], index.column()
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return self._text(entry, column)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self._alignment(column)
        if role == Qt.ItemDataRole.FontRole:
            is_note = column == INTERVAL
            return text_font("note" if is_note else "body", bold=column in (NAME, PROFIT))
        if role == Qt.ItemDataRole.ForegroundRole:
            return QColor(self._colour(entry, column))
        if role == Qt.ItemDataRole.DecorationRole:
            return self._sign(entry, column)
        if role == NUMBERS and column == PROFIT and entry.headline.profit is not None:
            return (-entry.headline.profit if entry.headline.is_loss else entry.headline.profit,)
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._trouble.get(entry.path) or entry.path
        return None

    def _text(self, entry: RecentProject, column: int) -> str:
        head = entry.headline
        if column == NAME:
            return entry.name
        if column == WHERE:
            return str(Path(entry.path).parent)
        if column == OPENED:
            return _opened(entry.opened_at)
        if column == MODEL:
            return head.best_model
        if column == PROFIT:
            return self._profit_words(entry)
        if column == INTERVAL and head.low is not None and head.high is not None:
            ends = (-head.high, -head.low) if head.is_loss else (head.low, head.high)
            return format_money_interval(*ends)
        if column == DATA:
            trouble = self._trouble.get(entry.path)
            rows = counted(head.rows, entry.case_word, entry.case_words) if head.rows else ""
            return trouble or rows
        return ""

    def _profit_words(self, entry: RecentProject) -> str:
        profit = entry.headline.profit
        if profit is None:
            return ""
        amount = format_money(profit, entry.currency, sign=True)
        if entry.headline.is_loss:  # an amount of its own kind, no gain and no loss of money
            return f"loss {format_money(-profit, entry.currency)}"
        if not is_certain(entry):
            return f"≈ {amount}"
        return f"{UP if profit > 0 else DOWN} {amount}"

    def _colour(self, entry: RecentProject, column: int) -> str:
        theme = current_theme()
        if column in (WHERE, OPENED, INTERVAL):
            return theme.quiet
        if column == DATA:
            return theme.text if entry.path in self._trouble else theme.quiet
        profit = entry.headline.profit
        if column == PROFIT and profit is not None:
            if not is_certain(entry) or entry.headline.is_loss:
                return theme.quiet
            return theme.gain if profit > 0 else theme.loss
        return theme.text

    def _sign(self, entry: RecentProject, column: int) -> Any:
        if column == PIN and entry.is_pinned:
            return icon("pin", "accent")
        if column == DATA and entry.path in self._trouble:
            return icon("warning", "loss")
        return None

    @staticmethod
    def _alignment(column: int) -> Qt.AlignmentFlag:
        side = Qt.AlignmentFlag.AlignRight if column == PROFIT else Qt.AlignmentFlag.AlignLeft
        return side | Qt.AlignmentFlag.AlignVCenter


def is_certain(entry: RecentProject) -> bool:
    """Whether the interval of the profit leaves out 0."""
    low, high = entry.headline.low, entry.headline.high
    if low is None or high is None:
        return False
    return low > 0 or high < 0


def _opened(text: str) -> str:
    try:
        return moment_words(datetime.fromisoformat(text), datetime.now(UTC))
    except ValueError:
        return ""
