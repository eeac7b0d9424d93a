"""Which charts page Compare shows, and in which order."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QHBoxLayout,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from core.document.compare.chart_kinds import USUAL_CHARTS, ChartKind
from gui.widgets import TextLabel
from gui.widgets.dialog import dialog_buttons
from gui.widgets.fields.list_box import ListBox

_KIND = Qt.ItemDataRole.UserRole


class ChartsDialog(QDialog):
    """Tick the charts, drag them into order."""

    charts_chosen = Signal(tuple)  # of kinds; empty = the usual ones

    def __init__(
        self,
        task: str,
        shown: tuple[str, ...],
        offered: tuple[ChartKind, ...],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Charts")
        self.resize(600, 520)
        self._task = task
        self._offered = {entry.kind: entry for entry in offered}
        self.list = ListBox()
        self.list.setAccessibleName("Charts of this page")
        self.list.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)
        self.list.itemChanged.connect(self._show_state)
        self._fill(shown)
        column = QVBoxLayout(self)
        column.addWidget(TextLabel("Tick what is shown; drag, or Up and Down, to order.", "quiet"))
        column.addWidget(self.list, 1)
        row = QHBoxLayout()
        self.up = self._button("Up", lambda: self._move(-1))
        self.down = self._button("Down", lambda: self._move(1))
        self.usual = self._button("The usual ones", self._take_usual)
        for button in (self.up, self.down):
            row.addWidget(button)
        row.addStretch(1)
        row.addWidget(self.usual)
        column.addLayout(row)
        buttons, self.show_button = dialog_buttons(self, "Show these charts")
        column.addWidget(buttons)
        self._show_state()

    def _button(self, words: str, action: object) -> QPushButton:
        button = QPushButton(words)
        button.setProperty("small", "true")
        button.setAutoDefault(False)
        button.clicked.connect(action)
        return button

    def _fill(self, shown: tuple[str, ...]) -> None:
        known = self._offered
        rest = [kind for kind in known if kind not in shown]
        self.list.clear()
        for kind in (*shown, *rest):
            if kind in known:  # the plugin of a curve may be off
                self.list.addItem(self._item(known[kind], is_on=kind in shown))
        self.list.setCurrentRow(0)

    def _item(self, entry: ChartKind, *, is_on: bool) -> QListWidgetItem:
        item = QListWidgetItem(f"{entry.title}  ({entry.subtitle})")
        item.setData(_KIND, entry.kind)
        item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
        item.setCheckState(Qt.CheckState.Checked if is_on else Qt.CheckState.Unchecked)
        return item

    def chosen(self) -> tuple[str, ...]:
        """The kinds ticked, in order."""
        items = (self.list.item(row) for row in range(self.list.count()))
        return tuple(i.data(_KIND) for i in items if i.checkState() == Qt.CheckState.Checked)

    def tick(self, kind: str, is_on: bool = True) -> None:
        """Tick a kind, or take its tick away."""
        for row in range(self.list.count()):
            item = self.list.item(row)
            if item.data(_KIND) == kind:
                item.setCheckState(Qt.CheckState.Checked if is_on else Qt.CheckState.Unchecked)

    def _show_state(self, _item: object = None) -> None:
        if hasattr(self, "show_button"):
            self.show_button.setEnabled(bool(self.chosen()))

    def _move(self, step: int) -> None:
        row = self.list.currentRow()
        if row < 0 or not 0 <= row + step < self.list.count():
            return
        item = self.list.takeItem(row)
        self.list.insertItem(row + step, item)
        self.list.setCurrentRow(row + step)

    def _take_usual(self) -> None:
        self._fill(USUAL_CHARTS[self._task])
        self._show_state()

    def accept(self) -> None:
        chosen = self.chosen()
        self.charts_chosen.emit(() if chosen == USUAL_CHARTS[self._task] else chosen)
        super().accept()
