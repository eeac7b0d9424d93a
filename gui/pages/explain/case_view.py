"""The view One case of page Explain: plain words, steps, and what would change the decision."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from core.presentation.view import View
from gui.charts.view_widget import ViewWidget
from gui.widgets import Card, NumberField, TextLabel

LEFT = 400


class RowField(NumberField):
    """The number of a row, from 1."""

    def setValue(self, row: int) -> None:
        """Choose a row, as typing its number does."""
        self.choose(float(row))


class CaseView(QWidget):
    """A row to choose, its words and its waterfall; ``row_chosen`` counts from 0."""

    row_chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        card = Card("In words")
        card.setAccessibleName("What the model says of this case")
        card.add_header_widget(TextLabel("Row", "quiet"))
        self.row = RowField(1.0, whole=True, minimum=1, maximum=1)
        self.row.setAccessibleName("Row of the data")
        self.row.setMinimumWidth(90)
        self.row.setToolTip("Row of the data; the arrow keys step")
        self.row.value_changed.connect(lambda value: self.row_chosen.emit(round(value) - 1))
        card.add_header_widget(self.row)
        self.panel = ViewWidget("left", LEFT, card=card)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.panel)
        self.show_case(None)

    @property
    def view(self) -> View | None:
        """What is shown of a case; None while none is known."""
        return self.panel.view

    def set_rows(self, rows: int) -> None:
        """Rows that can be chosen."""
        self.row.set_range(1, max(1, rows))

    def show_case(self, view: View | None, refusal: str = "") -> None:
        """Show what is known of a case; None while it is worked out, or was refused."""
        if view is None:
            self.panel.show_words(refusal or "Being worked out.")
        else:
            self.panel.show_view(view)
