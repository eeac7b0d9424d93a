"""The header of page Decide: which model and rows it is worked out on, what can be done with it."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QComboBox, QPushButton

from core.document.commands import SetReferenceModel, SetRowsUsed
from core.document.data.model import RowUse
from core.document.model import Document
from core.document.results import DecisionResult
from core.document.wording import format_count
from gui.pages.decide.validity import invalid_of
from gui.pages.decide.words import needs_probabilities
from gui.pages.page import PageHeader
from gui.pages.report.button import ReportButton
from gui.session.session import Session
from gui.theme import icon
from gui.widgets import series_icon
from gui.widgets.fields.choice_box import ChoiceBox
from payoff.counting import counted

_NAMES = {
    RowUse.TRAIN: "Training",
    RowUse.VALIDATION: "Validation",
    RowUse.TEST: "Test",
    RowUse.ALL: "All rows",
}


class HeaderChoices(QObject):
    """Two selectors: the model that decides, and the kinds of rows that have an outcome."""

    def __init__(self, session: Session, header: PageHeader) -> None:
        super().__init__(header)
        self._session = session
        self.model, self.rows = ChoiceBox(), ChoiceBox()
        self.model.setMinimumWidth(130)
        for box in (self.model, self.rows):
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        header.add_left(self.model, "Model")
        header.add_left(self.rows, "Data")
        self.model.activated.connect(self._on_model)
        self.rows.activated.connect(self._on_rows)

    def show_document(self, document: Document, result: DecisionResult | None) -> None:
        """List models and rows; how many rows there are comes with the result."""
        for box in (self.model, self.rows):
            box.blockSignals(True)
            box.clear()
        for model in document.outcome_models:
            self.model.addItem(series_icon(model.series), model.name, model.name)
        self.model.setCurrentIndex(max(0, self.model.findData(document.outcome_reference)))
        for use in row_uses(document):
            text = _NAMES.get(use, use.value)
            if use is document.rows_used and result is not None:
                text = f"{text}, {counted(result.rows.rows, *document.row_word)}"
            self.rows.addItem(text, use)
        self.rows.setCurrentIndex(self.rows.findData(document.rows_used))
        self.rows.setToolTip(_words(result))
        for box in (self.model, self.rows):
            box.blockSignals(False)

    def _on_model(self, index: int) -> None:
        name = str(self.model.itemData(index))
        if name != self._session.project.document.reference_model:
            self._session.project.execute(SetReferenceModel(model=name))

    def _on_rows(self, index: int) -> None:
        use = RowUse(self.rows.itemData(index))
        if use is not self._session.project.document.rows_used:
            self._session.project.execute(SetRowsUsed(rows_used=use))


class HeaderButtons:
    """The buttons at the right, and why they cannot be pressed."""

    def __init__(self, header: PageHeader, report: ReportButton) -> None:
        self.pin = QPushButton(icon("pin"), "Pin cursor")
        self.pin.setCheckable(True)
        self.pin.setToolTip("Keep a second cursor here to compare with")
        self.apply = QPushButton(icon("import"), "Apply to another file…")
        self.save = QPushButton("Save decisions")
        self.save.setProperty("kind", "primary")
        for button in (self.pin, self.apply, report, self.save):
            header.add_right(button)

    def show_pin(self, depth: float | None) -> None:
        """Show whether a second cursor is kept."""
        self.pin.setChecked(depth is not None)
        self.pin.setText("Pin cursor" if depth is None else "Take pin away")

    def show_result(self, document: Document, result: DecisionResult | None) -> None:
        """Let decisions be saved and applied; nothing leaves the program that rests on faults."""
        reason = "" if result is not None else "Nothing has been decided yet."
        wrong = invalid_of(result, document.reference_model)
        if wrong is not None:
            reason = wrong.reason
        self.pin.setEnabled(result is not None)
        self.save.setEnabled(not reason)
        self.save.setToolTip(reason or "Write who gets which decision to a file")
        reason = reason or needs_probabilities(document)
        self.apply.setEnabled(not reason)
        self.apply.setToolTip(reason or "Decide the cases of another file by this rule")


def _words(result: DecisionResult | None) -> str:
    if result is None:
        return ""
    dropped = [f"{format_count(count)} {reason}" for reason, count in result.rows.dropped]
    return "; ".join([result.rows.text, *dropped])


def row_uses(document: Document) -> tuple[RowUse, ...]:
    """Kinds of rows with an outcome that a document has, the one in use among them."""
    split = document.split
    if split.column is not None:
        found = {use for _value, use in split.meaning}
    else:
        kinds = (RowUse.TRAIN, RowUse.VALIDATION, RowUse.TEST)
        found = {use for use, share in zip(kinds, split.shares, strict=True) if share > 0}
    found |= {document.rows_used, RowUse.ALL}
    order = (RowUse.TRAIN, RowUse.VALIDATION, RowUse.TEST, RowUse.ALL)
    return tuple(use for use in order if use in found)
