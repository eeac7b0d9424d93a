"""Which metrics the table shows, in which order, with which parameters."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from core.document.model import MetricChoice
from core.document.plugin_results import MetricInfo, settled_choice
from core.questions.fields import column_field, parameter_field
from gui.widgets import TextField, TextLabel
from gui.widgets.dialog import dialog_buttons
from gui.widgets.fields.form import Form
from gui.widgets.fields.list_box import ListBox

_CHOICE = Qt.ItemDataRole.UserRole


class MetricsDialog(QDialog):
    """Choose metrics on the left; order and parameters of the chosen ones on the right."""

    metrics_chosen = Signal(tuple)  # of MetricChoice

    def __init__(
        self,
        offered: tuple[MetricInfo, ...],
        chosen: tuple[MetricChoice, ...],
        columns: tuple[str, ...],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Metrics")
        self.resize(780, 460)
        self._offered = {info.metric: info for info in offered}
        self._columns = columns
        self._build()
        for info in offered:
            item = QListWidgetItem(info.title)
            item.setData(_CHOICE, info.metric)
            item.setToolTip(info.help)
            self.offered.addItem(item)
        for choice in chosen:
            self._append(settled_choice(choice, offered))
        if self.chosen.count():
            self.chosen.setCurrentRow(0)
        else:
            self._show_parameters()

    def _build(self) -> None:
        self.search = TextField()
        self.search.setPlaceholderText("Find a metric")
        self.search.setAccessibleName("Find a metric")
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(self._filter)
        self.offered = ListBox()
        self.offered.setAccessibleName("Metrics there are")
        self.offered.itemActivated.connect(self.add_current)
        self.chosen = ListBox()
        self.chosen.setAccessibleName("Metrics in the table")
        self.chosen.setDragDropMode(QListWidget.DragDropMode.InternalMove)
        self.chosen.currentRowChanged.connect(self._show_parameters)
        self.add = self._button("Add", self.add_current)
        self.remove = self._button("Remove", self.remove_current)
        self.up = self._button("Up", lambda: self._move(-1))
        self.down = self._button("Down", lambda: self._move(1))
        left = QVBoxLayout()
        left.addWidget(self.search)
        left.addWidget(self.offered, 1)
        left.addWidget(self.add, 0, Qt.AlignmentFlag.AlignRight)
        right = QVBoxLayout()
        right.addWidget(TextLabel("In the table, from left to right", "quiet"))
        right.addWidget(self.chosen, 1)
        order = QHBoxLayout()
        for button in (self.up, self.down, self.remove):
            order.addWidget(button)
        order.addStretch(1)
        right.addLayout(order)
        self.about = TextLabel("", "note", wraps=True)
        right.addWidget(self.about)
        self.parameters = Form()
        self.parameters.changed.connect(self.set_parameter)
        right.addWidget(self.parameters)
        columns = QHBoxLayout()
        columns.setSpacing(16)
        columns.addLayout(left, 1)
        columns.addLayout(right, 1)
        outer = QVBoxLayout(self)
        outer.addLayout(columns, 1)
        buttons, self.show_button = dialog_buttons(self, "Show these metrics")
        outer.addWidget(buttons)

    @staticmethod
    def _button(words: str, action: object) -> QPushButton:
        button = QPushButton(words)
        button.setProperty("small", "true")
        button.setAutoDefault(False)
        button.clicked.connect(action)
        return button

    # ------------------------------------------------------------ lists

    def choices(self) -> tuple[MetricChoice, ...]:
        """The metrics in the table, in order."""
        items = (self.chosen.item(row) for row in range(self.chosen.count()))
        return tuple(item.data(_CHOICE) for item in items)

    def accept(self) -> None:
        self.metrics_chosen.emit(self.choices())
        super().accept()

    def _filter(self, text: str) -> None:
        wanted = text.strip().lower()
        for row in range(self.offered.count()):
            item = self.offered.item(row)
            info = self._offered[item.data(_CHOICE)]
            item.setHidden(wanted not in f"{info.title} {info.metric} {info.help}".lower())

    def add_current(self) -> None:
        """Put the metric marked on the left into the table, with its default parameters."""
        item = self.offered.currentItem()
        if item is None or item.isHidden():
            return
        info = self._offered[item.data(_CHOICE)]
        start: tuple[tuple[str, float | str], ...] = (
            *((entry.name, entry.name) for entry in info.columns),
            *((entry.name, entry.default) for entry in info.parameters),
        )
        self._append(MetricChoice(metric=info.metric, parameters=start))
        self.chosen.setCurrentRow(self.chosen.count() - 1)

    def _append(self, choice: MetricChoice) -> None:
        item = QListWidgetItem(self._title(choice))
        item.setData(_CHOICE, choice)
        self.chosen.addItem(item)
        self.show_button.setEnabled(True)

    def _title(self, choice: MetricChoice) -> str:
        info = self._offered.get(choice.metric)
        if info is None:
            return f"{choice.metric} (not installed)"
        given = dict(choice.parameters)
        columns = (f"{entry.words} {given.get(entry.name, entry.name)}" for entry in info.columns)
        numbers = (
            f"{entry.words} {entry.text(entry.position(given.get(entry.name, entry.default)))}"
            for entry in info.parameters
        )
        values = ", ".join((*columns, *numbers))
        # The title names parameters at their usual values: not beside those that were given.
        return f"{info.label} ({values})" if values else info.title

    def remove_current(self) -> None:
        """Take the metric marked on the right out of the table."""
        row = self.chosen.currentRow()
        if row >= 0:
            self.chosen.takeItem(row)
        self.show_button.setEnabled(self.chosen.count() > 0)

    def _move(self, step: int) -> None:
        row = self.chosen.currentRow()
        if row < 0 or not 0 <= row + step < self.chosen.count():
            return
        item = self.chosen.takeItem(row)
        self.chosen.insertItem(row + step, item)
        self.chosen.setCurrentRow(row + step)

    # ------------------------------------------------------------ parameters

    def _show_parameters(self, _row: int = -1) -> None:
        item = self.chosen.currentItem()
        choice = item.data(_CHOICE) if item is not None else None
        info = self._offered.get(choice.metric) if choice is not None else None
        self.about.setText(info.help if info is not None else "")
        values = dict(choice.parameters) if choice is not None else {}
        entries = info.parameters if info is not None else ()
        read = info.columns if info is not None else ()
        self.parameters.show_fields(
            [
                *(column_field(e, values.get(e.name), self._columns) for e in read),
                *(parameter_field(e, e.position(values.get(e.name, e.default))) for e in entries),
            ]
        )

    def set_parameter(self, name: str, value: float | str) -> None:
        """Change a parameter, or a column, of the metric marked on the right."""
        item = self.chosen.currentItem()
        choice = item.data(_CHOICE) if item is not None else None
        if choice is None:
            return
        values = dict(choice.parameters)
        values[name] = value if isinstance(value, str) else float(value)
        changed = MetricChoice(metric=choice.metric, parameters=tuple(values.items()))
        item.setData(_CHOICE, changed)
        item.setText(self._title(changed))
        self._show_parameters()
