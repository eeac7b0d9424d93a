"""The list of plugins by family: state, name, what it adds, version, where from, why."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from core.document.plugin_results import PluginState
from gui.pages.plugins.words import FAMILIES, adds_words, family_of, state_words
from gui.widgets import Chip, ElidedLabel, TextLabel, clear_layout

WIDTHS = ((102, 0), (190, 5), (100, 2), (48, 0), (64, 0), (80, 4))
GAP = 12


def _grid(row: QWidget) -> QGridLayout:
    grid = QGridLayout(row)
    grid.setContentsMargins(12, 2, 12, 2)
    grid.setHorizontalSpacing(GAP)
    for place, (least, weight) in enumerate(WIDTHS):
        grid.setColumnMinimumWidth(place, least)
        grid.setColumnStretch(place, weight)
    return grid


class PluginRow(QFrame):
    """One plugin; a click or Enter chooses it."""

    pressed = Signal(str)

    def __init__(self, plugin: PluginState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.plugin = plugin.plugin
        self.setProperty("row", "true")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        words, chip = state_words(plugin)
        self.setAccessibleName(f"{plugin.name}, {words}")
        grid = _grid(self)
        self.chip = Chip(words, chip)
        grid.addWidget(self.chip, 0, 0, Qt.AlignmentFlag.AlignLeft)
        cells = (plugin.name, adds_words(plugin), plugin.version, plugin.source, plugin.why)
        for place, text in enumerate(cells, 1):
            role = "quiet" if place in (4, 5) else "body"
            label = ElidedLabel(text, role, mode=Qt.TextElideMode.ElideRight)
            if place == 3:
                label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            label.installEventFilter(self)
            grid.addWidget(label, 0, place)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.MouseButtonPress:
            self.pressed.emit(self.plugin)
        return super().eventFilter(watched, event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.pressed.emit(self.plugin)
        super().mousePressEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.pressed.emit(self.plugin)
            return
        super().keyPressEvent(event)

    def set_chosen(self, is_chosen: bool) -> None:
        """Show that it is the one beside the list."""
        self.setProperty("chosen", "true" if is_chosen else "false")
        self.style().unpolish(self)
        self.style().polish(self)


class PluginList(QWidget):
    """Rows under a head for each family."""

    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows: dict[str, PluginRow] = {}
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)

    def show_plugins(self, plugins: tuple[PluginState, ...], family: str, chosen: str) -> None:
        """Show the plugins of a family ("" = all)."""
        clear_layout(self._column)
        self.rows = {}
        self._add_head()
        for key, title in (*FAMILIES.items(), ("", "Not known")):
            mine = [plugin for plugin in plugins if family_of(plugin) == key]
            if not mine or (family and key != family):
                continue
            self._add_family(title, len(mine))
            for plugin in mine:
                self._add_row(plugin)
        self._column.addStretch(1)
        self.mark(chosen)

    def mark(self, chosen: str) -> None:
        """Show which plugin stands beside the list."""
        for key, row in self.rows.items():
            row.set_chosen(key == chosen)

    def _add_head(self) -> None:
        head = QWidget()
        grid = _grid(head)
        names = ("State", "Name", "Adds", "Version", "From", "Why")
        for place, name in enumerate(names):
            label = TextLabel(name, "note")
            if place == 3:
                label.setAlignment(Qt.AlignmentFlag.AlignRight)
            grid.addWidget(label, 0, place)
        self._column.addWidget(head)

    def _add_family(self, title: str, count: int) -> None:
        band = QFrame()
        band.setProperty("band", "true")
        row = QHBoxLayout(band)
        row.setContentsMargins(12, 4, 12, 4)
        row.setSpacing(6)
        row.addWidget(TextLabel(title, "strong"))
        row.addWidget(TextLabel(str(count), "quiet"))
        row.addStretch(1)
        self._column.addWidget(band)

    def _add_row(self, plugin: PluginState) -> None:
        row = PluginRow(plugin)
        row.pressed.connect(self.chosen)
        self.rows[plugin.plugin] = row
        self._column.addWidget(row)
