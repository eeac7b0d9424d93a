"""The line below the matrix that says which column holds an amount of each case."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from core.document.data.results import TableSummary
from core.document.decisions.commands import SetAmount, is_interval
from core.document.model import Document
from gui.pages.decide.matrix.cost_card import cost_columns
from gui.widgets import TextLabel
from gui.widgets.fields.choice_box import ChoiceBox
from payoff.errors import PayoffError


class AmountLine(QWidget):
    """Chooses the column that cells may be shares of. Says commands, holds no truth."""

    command_requested = Signal(object)
    editing_finished = Signal()
    refused = Signal(object)  # a PayoffError

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = Document()
        self._columns: tuple[str, ...] | None = None
        self.words = TextLabel("", "note")
        self.column = ChoiceBox()
        self.column.setProperty("small", True)
        self.column.setFixedWidth(180)
        self.column.setToolTip(
            "A loan, a transaction, a basket: cells may then be shares of it. "
            "Type =0.08*amount or =amount - 4 into a cell."
        )
        self.words.setBuddy(self.column)
        self.column.activated.connect(self._on_chosen)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self.words)
        row.addStretch(1)
        row.addWidget(self.column)

    def show_document(self, document: Document, summary: TableSummary | None) -> None:
        """Show the choice of a document; hidden where the outcome is a number."""
        self._document = document
        matrix = document.matrix
        self.setVisible(matrix is not None and not is_interval(document))
        text = f"Amount per {document.case_word[0]}"
        self.words.setText(text)
        self.column.setAccessibleName(text)
        chosen = matrix.amount if matrix is not None else None
        columns = self.choices(document, summary)
        if chosen is not None and chosen not in columns:
            columns = (chosen, *columns)
        if columns != self._columns:
            self._columns = columns
            self.column.clear()
            self.column.addItem("none", None)
            for column in columns:
                self.column.addItem(column, column)
        self.column.setCurrentIndex(max(0, self.column.findData(chosen)))

    @staticmethod
    def choices(document: Document, summary: TableSummary | None) -> tuple[str, ...]:
        """Columns of numbers that may be an amount."""
        return cost_columns(document, summary)

    def _on_chosen(self, index: int) -> None:
        matrix = self._document.matrix
        column = self.column.itemData(index)
        if matrix is None or column == matrix.amount:
            return
        command = SetAmount(column=column)
        try:
            command.apply(self._document)
        except PayoffError as refusal:
            self.column.setCurrentIndex(max(0, self.column.findData(matrix.amount)))
            self.refused.emit(refusal)
            return
        self.command_requested.emit(command)
        self.editing_finished.emit()
