"""What a project is called, the sign of its money, and the word for its rows."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtWidgets import QDialog, QGridLayout, QWidget

from core.document.commands import LONGEST_CURRENCY, DescribeProject
from core.document.wording import format_money
from gui.session.session import Session
from gui.widgets import EntryBox, TextField, TextLabel
from gui.widgets.dialog import dialog_buttons, dialog_column
from payoff.counting import counted

WIDTH = 420
CURRENCIES = ("€", "$", "£", "¥", "₹", "CHF", "kr", "zł", "R$")
LONGEST_WORD = 24
EXAMPLE = (1_250, 12_340.0)  # rows and money in the line that shows how it reads


class ProjectSettingsDialog(QDialog):
    """Four fields and how they read; Save is one step that undo takes back."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session = session
        document = session.project.document
        body = dialog_column(self, "Project name and currency", width=WIDTH)
        self.name = self._line(document.name, "Name")
        self.currency = self._make_currency(document.currency)
        self.one = self._line(document.case_word[0], "One row is a", LONGEST_WORD)
        self.many = self._line(document.case_word[1], "Many rows are", LONGEST_WORD)
        body.addLayout(self._make_fields())
        self.example = TextLabel("", "quiet", wraps=True)
        body.addWidget(self.example)
        note = "A new project begins with the currency that was chosen last."
        body.addWidget(TextLabel(note, "note", wraps=True))
        body.addStretch(1)
        buttons, self.save = dialog_buttons(self, "Save", self.take)
        body.addWidget(buttons)
        self._show()

    def _line(self, text: str, words: str, longest: int = 200) -> TextField:
        line = TextField(text)
        line.setAccessibleName(words)
        line.setMaxLength(longest)
        line.textChanged.connect(self._show)
        return line

    def _make_currency(self, chosen: str) -> EntryBox:
        """Common ones to choose from; any other may be typed, or none."""
        box = EntryBox()
        box.setAccessibleName("Currency")
        box.addItems(list(CURRENCIES))
        box.setCurrentText(chosen)
        box.field.setMaxLength(LONGEST_CURRENCY)
        box.editTextChanged.connect(self._show)
        return box

    def _make_fields(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(8)
        grid.setColumnStretch(1, 1)
        for row, field in enumerate((self.name, self.currency, self.one, self.many)):
            grid.addWidget(TextLabel(field.accessibleName(), "quiet"), row, 0)
            grid.addWidget(field, row, 1)
        return grid

    def _show(self) -> None:
        """Show how it reads, and whether nothing is missing."""
        name, one, many = (line.text().strip() for line in (self.name, self.one, self.many))
        rows, money = EXAMPLE
        self.example.setText(
            f"It reads: {format_money(money, self._sign())} from "
            f"{counted(rows, one, many)}, {format_money(money / rows, self._sign())} per {one}."
        )
        self.save.setEnabled(bool(name and one and many))

    def _sign(self) -> str:
        return self.currency.currentText().strip()

    def take(self) -> None:
        """Change the project, and remember the currency for the next new one."""
        words = (self.one.text(), self.many.text())
        change = DescribeProject(name=self.name.text(), currency=self._sign(), case_word=words)
        if not self.session.project.execute(change):
            return
        store = self.session.settings
        if store is not None:
            store.change(replace(store.settings, currency=self._sign()))
        self.accept()
