"""The tab Basis: decisions by each case's own score, beside those by averages."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from core.document.commands import Command
from core.document.model import Document
from core.document.studies.decided_cases import BasisResult
from core.questions.decide import Basis
from gui.pages.decide.studies.basis_choice import BasisChoice
from gui.pages.decide.studies.study import Study
from gui.session.session import Session


class BasisStudy(Study):
    """A choice of what to average over, and a table of what each way brings."""

    asks = Basis
    fills_page = False
    _is_built = False

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, parent)
        self.choice = BasisChoice()
        self.add_panel("left")
        self.panel.above.addWidget(self.choice)
        self.panel.above.addSpacing(4)
        self.choice.chosen.connect(self._execute)
        self.choice.columns_wanted.connect(self.open_columns)
        self._is_built = True

    def title(self) -> str:
        return "Basis"

    def say(self, text: str) -> None:
        """A sentence in place of the figures; the choice stays, to be mended."""
        super().say(text)
        if self._is_built and self.choice.model:
            self._stack.setCurrentIndex(1)
            self.panel.show_words(text)

    def request_for(self, document: Document) -> Basis | None:
        self._show_choice(document)
        if self.session.results.decisions is None or not document.outcome_models:
            self.say("The totals are being worked out.")
            return None
        model = document.outcome_reference
        return Basis(model=model)

    def open_columns(self) -> QWidget:
        """Open the dialog that says which columns hold quantiles."""
        from gui.pages.data.dialogs.quantile_columns import QuantileColumnsDialog

        dialog = QuantileColumnsDialog(self.session, self)
        dialog.finished.connect(lambda _result: self.refresh())
        dialog.open()
        return dialog

    def _execute(self, command: Command) -> None:
        self.session.project.execute(command)
        self._show_choice(self.session.project.document)  # what was refused goes back in the choice

    def _show_choice(self, document: Document) -> None:
        summary = self.session.project.summary
        self.choice.show_document(document, summary.columns if summary is not None else ())

    def show_answer(self, document: Document, answer: BasisResult) -> None:
        if answer.has_own_quantiles:
            self.choice.add_quantiles_of(answer.model)
        super().show_answer(document, answer)
