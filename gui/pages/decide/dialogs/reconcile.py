"""Decisions that the file brings along, beside those of the rule: where they differ, and why."""

from __future__ import annotations

from PySide6.QtWidgets import QDialogButtonBox, QWidget

from core.document.studies.reconciling import Reconciliation
from core.presentation.labels import Labels
from core.presentation.making_views import show
from core.presentation.view import View
from core.questions.decide import Reconcile
from gui.charts.view_widget import ViewWidget
from gui.session.request import Request
from gui.session.session import Session
from gui.widgets.dialog import FittedDialog, dialog_column
from gui.widgets.fields.form import FormLayout, QuestionForm
from gui.widgets.notice import plain_sentences


class ReconcileDialog(FittedDialog):
    """Compares at once, and again for another model."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.view: View | None = None
        self.answer: Reconciliation | None = None
        self._request = Request(self, session.project)
        body = dialog_column(self, "Decisions in the file", width=640)
        self.form = QuestionForm(Reconcile, ("model",), FormLayout.LINE)
        self.form.show_for(session.form_context())
        self.form.requested_again.connect(self.compare)
        self.panel = ViewWidget("left", 0, is_whole=True)
        body.addWidget(self.form)
        body.addWidget(self.panel, 1)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        body.addWidget(buttons)
        self.compare()

    def question(self) -> Reconcile:
        """What the engine is asked to compare."""
        question: Reconcile = self.form.question()
        return question

    def compare(self) -> None:
        """Ask the engine; only the newest answer counts."""
        self.view = self.answer = None
        self.panel.show_words("Comparing every row …")
        question = self.question()

        def on_result(answer: Reconciliation) -> None:
            labels = Labels.of(self.session.project.document, self.session.results.decisions)
            self.answer = answer
            self.view = show(question, answer, labels)
            self.panel.show_view(self.view)
            self.fit()

        self._request.ask(
            self.session.project.document,
            question,
            title="Comparing decisions",
            on_result=on_result,
            on_error=self._take_error,
        )

    def _take_error(self, error: Exception) -> None:
        self.view = self.answer = None
        self.panel.show_words(plain_sentences(error))
        self.fit()
