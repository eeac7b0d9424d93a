"""The order of the classes of the outcome, where they have one: low, middle, high."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QWidget,
)

from core.document.data.commands import SetClassOrder
from core.document.model import TargetSpec
from gui.session.session import Session
from gui.widgets import TextLabel
from gui.widgets.dialog import dialog_buttons, dialog_column
from gui.widgets.fields.list_box import ListBox
from payoff.class_order import are_numbers, own_order

WIDTH = 420
BELOW = " < "
_LEVEL = int(Qt.ItemDataRole.UserRole)


def order_words(target: TargetSpec) -> str:
    """What is known of the order, in the user's words: "low < middle < high"."""
    if not target.order and not are_numbers(target.levels):
        return "none is known"
    return BELOW.join(map(target.label, target.order or own_order(target.levels)))


class ClassOrderDialog(QDialog):
    """The classes from lowest to highest; dragged, or moved with the buttons."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session = session
        target = session.project.document.target
        assert target is not None
        body = dialog_column(self, "Order of the classes", width=WIDTH)
        lead = (
            "From the lowest to the highest. Metrics that count how far a class was missed, such "
            "as weighted kappa, and models of classes in an order go by it. Which class is the "
            "event does not matter for it."
        )
        body.addWidget(TextLabel(lead, "quiet", wraps=True))
        self.list = ListBox()
        self.list.setAccessibleName("Classes from the lowest to the highest")
        self.list.setDragDropMode(QListWidget.DragDropMode.InternalMove)
        for level in target.order or own_order(target.levels):
            item = QListWidgetItem(target.label(level))
            item.setData(_LEVEL, level)
            self.list.addItem(item)
        self.list.setCurrentRow(0)
        self.list.currentRowChanged.connect(self._show_buttons)
        self.list.model().rowsMoved.connect(self._show_buttons)
        body.addWidget(self.list)
        body.addLayout(self._make_moves())
        buttons, self.use = dialog_buttons(self, "Use this order", self.take)
        self.none = QPushButton("They have no order")
        self.none.setEnabled(bool(target.order))
        self.none.setAutoDefault(False)
        self.none.clicked.connect(self.forget)
        buttons.addButton(self.none, buttons.ButtonRole.ResetRole)
        body.addWidget(buttons)
        self._show_buttons()

    def _make_moves(self) -> QHBoxLayout:
        self.up, self.down = QPushButton("Lower"), QPushButton("Higher")
        row = QHBoxLayout()
        row.setSpacing(8)
        for button, step in ((self.up, -1), (self.down, 1)):
            button.setAutoDefault(False)
            button.clicked.connect(lambda _on, step=step: self.move_current(step))
            row.addWidget(button)
        row.addStretch(1)
        return row

    def _show_buttons(self, *_ignored: object) -> None:
        row = self.list.currentRow()
        self.up.setEnabled(row > 0)
        self.down.setEnabled(0 <= row < self.list.count() - 1)

    def move_current(self, step: int) -> None:
        """Move the chosen class one place up or down."""
        row = self.list.currentRow()
        if 0 <= row + step < self.list.count():
            item = self.list.takeItem(row)
            self.list.insertItem(row + step, item)
            self.list.setCurrentRow(row + step)

    def order(self) -> tuple[str, ...]:
        """The classes as they stand in the list."""
        return tuple(self.list.item(row).data(_LEVEL) for row in range(self.list.count()))

    def take(self) -> None:
        """Write the order into the project, as one step of undo."""
        if self.session.project.execute(SetClassOrder(order=self.order())):
            self.session.project.finish_editing()
            self.accept()

    def forget(self) -> None:
        """Take back what was said: the classes are taken by numbers, or by their texts."""
        if self.session.project.execute(SetClassOrder(order=())):
            self.session.project.finish_editing()
            self.accept()
