"""Which columns hold the quantiles that a model predicts, and of which level each is."""

from __future__ import annotations

from PySide6.QtCore import QLocale, Qt
from PySide6.QtWidgets import (
    QDialog,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from core.document.decisions.matrix_model import DecisionBasis
from core.document.decisions.model_commands import SetBasis
from core.document.wording import format_number
from gui.pages.decide.studies.basis_choice import guessed_quantiles, quantile_columns
from gui.session.session import Session
from gui.widgets import TextLabel, parse_entry
from gui.widgets.dialog import dialog_buttons
from gui.widgets.fields.entry_delegate import EntryDelegate
from gui.widgets.message_lines import MessageLines
from gui.widgets.notice import plain_sentences
from payoff.errors import PayoffError

WIDTH, LIST_HEIGHT = 440, 320


class QuantileColumnsDialog(QDialog):
    """A column a line, with its level in per cent; a line without a level is left out."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.setWindowTitle("Predicted quantiles")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setMinimumWidth(WIDTH)
        self.table = self._make_table()
        self.lines = MessageLines()
        body = QVBoxLayout(self)
        body.setContentsMargins(16, 16, 16, 16)
        body.setSpacing(12)
        hint = (
            "Give each column that holds a predicted quantile its level in per cent: 10 for the "
            "value that one case in ten stays below. Leave the others empty."
        )
        body.addWidget(TextLabel(hint, "quiet", wraps=True))
        body.addWidget(self.table)
        body.addWidget(self.lines)
        buttons, _ok = dialog_buttons(self, "OK")
        body.addWidget(buttons)

    def _make_table(self) -> QTableWidget:
        document, summary = self.session.project.document, self.session.project.summary
        columns = summary.columns if summary is not None else ()
        names = quantile_columns(columns, document)
        entry = document.model(document.reference_model or "")
        present = entry.basis.quantiles if entry is not None and entry.basis is not None else ()
        known = {name: level for level, name in present or guessed_quantiles(columns, document)}
        table = QTableWidget(len(names), 2)
        table.setAccessibleName("Columns and their levels")
        table.setHorizontalHeaderLabels(["Column", "Level, %"])
        table.setItemDelegate(EntryDelegate(table))
        table.setEditTriggers(QTableWidget.EditTrigger.AllEditTriggers)
        table.verticalHeader().hide()
        table.setMinimumHeight(LIST_HEIGHT)
        for row, name in enumerate(names):
            label = QTableWidgetItem(name)
            label.setFlags(Qt.ItemFlag.ItemIsEnabled)
            table.setItem(row, 0, label)
            level = format_number(100 * known[name], 1).removesuffix(".0") if name in known else ""
            table.setItem(row, 1, QTableWidgetItem(level))
        table.setColumnWidth(0, WIDTH - 160)
        table.horizontalHeader().setStretchLastSection(True)
        return table

    def quantiles(self) -> tuple[tuple[float, str], ...]:
        """Level and column of each line with a level, rising; refuses what is no number."""
        found = []
        for row in range(self.table.rowCount()):
            name, text = (self._text(row, column) for column in (0, 1))
            if not text:
                continue
            level = parse_entry(text, decimal=QLocale().decimalPoint(), unit="%")
            if level is None:
                raise PayoffError(
                    f"“{text}” is no level.",
                    where=f"column {name}",
                    remedy="Type a number between 0 and 100, or leave the line empty.",
                )
            found.append((level / 100.0, name))
        if not found:
            raise PayoffError("No column has a level.", remedy="Give two columns one at least.")
        return tuple(sorted(found))

    def _text(self, row: int, column: int) -> str:
        item = self.table.item(row, column)
        return item.text().strip() if item is not None else ""

    def accept(self) -> None:
        document = self.session.project.document
        model = document.reference_model or ""
        try:
            command = SetBasis(model=model, basis=DecisionBasis(quantiles=self.quantiles()))
            command.apply(document)
        except PayoffError as refusal:
            self.lines.clear()
            self.lines.add_error(plain_sentences(refusal))
            return
        self.session.project.execute(command)
        super().accept()
