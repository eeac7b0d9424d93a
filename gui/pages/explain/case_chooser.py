"""Which case page Explain is about: by its row, its id, or its place by what is predicted."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from core.document.studies.models import FoundCase
from gui.widgets import NumberField, TextLabel
from gui.widgets.fields.text_field import TextField


class RowField(NumberField):
    """The number of a row, from 1."""

    def setValue(self, row: int) -> None:
        """Choose a row, as typing its number does."""
        self.choose(float(row))


class CaseChooser(QWidget):
    """Three ways to the same case. ``row_chosen`` counts from 0, ``rank_chosen`` from 1."""

    row_chosen = Signal(int)
    id_chosen = Signal(str)
    rank_chosen = Signal(int)
    list_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.row = RowField(1.0, whole=True, minimum=1, maximum=1)
        self.row.setToolTip("Row of the data; the arrow keys step")
        self.row.value_changed.connect(lambda value: self.row_chosen.emit(round(value) - 1))
        self.id = TextField("")
        self.id.setToolTip("The case's id, as it stands in the data")
        self.id.editingFinished.connect(self._on_id)
        self.rank = RowField(1.0, whole=True, minimum=1, maximum=1)
        self.rank.setToolTip("Place among all rows; 1 has the highest prediction")
        self.rank.value_changed.connect(lambda value: self.rank_chosen.emit(round(value)))
        self.of = TextLabel("", "note")
        self.list_button = QPushButton("In the list")
        self.list_button.setProperty("small", True)
        self.list_button.setToolTip("The list of cases on page Decide")
        self.list_button.clicked.connect(self.list_wanted)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        self._id_label = TextLabel("Id", "quiet")
        for label, field, name, width in (
            (TextLabel("Row", "quiet"), self.row, "Row of the data", 90),
            (self._id_label, self.id, "Id of the case", 120),
            (TextLabel("Place", "quiet"), self.rank, "Place of the case", 90),
        ):
            field.setAccessibleName(name)
            field.setFixedWidth(width)
            row.addWidget(label)
            row.addWidget(field)
        row.addWidget(self.of)
        row.addStretch(1)
        row.addWidget(self.list_button)
        self._known = ""

    def set_rows(self, rows: int) -> None:
        """Rows that can be chosen."""
        for field in (self.row, self.rank):
            field.set_range(1, max(1, rows))

    def set_offered(self, *, has_ids: bool, has_list: bool) -> None:
        """Whether a column names the cases, and whether page Decide lists them."""
        for widget in (self._id_label, self.id):
            widget.setVisible(has_ids)
        self.list_button.setVisible(has_list)

    def show_found(self, found: FoundCase) -> None:
        """Show a case in all three ways."""
        self._known = found.id
        self.id.setText(found.id)
        self.row.set_value(found.row + 1.0)
        self.rank.set_value(float(found.rank))
        self.of.setText(f"of {found.rows:,}, highest {found.what} first")

    def _on_id(self) -> None:
        text = self.id.text().strip()
        if text and text != self._known:
            self.id_chosen.emit(text)
