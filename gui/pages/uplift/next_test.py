"""How many cases the next test needs, asked in the analyst's own figures."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtWidgets import QVBoxLayout, QWidget

from core.document.model import Document
from core.document.studies.uplift import NextTestResult
from core.presentation.labels import Labels
from core.presentation.making_views import show
from core.presentation.view import View
from core.questions.asked import Unit
from core.questions.uplift import NextTest
from gui.charts.view_widget import ViewWidget
from gui.session.request import Request
from gui.session.session import Session
from gui.widgets.dialog import AnswerDialog
from gui.widgets.fields.form import FormLook, QuestionForm

FIELD = 110  # pixels of a number


class NextTestDialog(AnswerDialog):
    """Effect, power and share in; cases of both arms out. ``outcome``: how an effect is given."""

    def __init__(
        self,
        session: Session,
        subject: Document,
        outcome: Unit,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.subject = subject
        self.result_shown: NextTestResult | None = None
        self.view: View | None = None
        self._request = Request(self, session.project, self._send)
        self.setWindowTitle("How large must the next test be?")
        self.resize(560, 400)
        column = QVBoxLayout(self)
        column.setSpacing(10)
        names = ("effect", "power", "treated_share", "confidence")
        self.form = QuestionForm(NextTest, names, FormLook.ABOVE, width=FIELD)
        self.form.show_for(replace(session.form_context(subject), outcome=outcome))
        self.form.asked_anew.connect(self._request.renew)
        self.panel = ViewWidget("above")
        self.panel.above.addWidget(self.form)
        column.addWidget(self.panel, 1)
        self._request.renew()

    def _send(self) -> None:
        question = self.form.question()
        self._request.ask(
            self.subject,
            question,
            on_result=lambda answer: self.show_result(question, answer),
            on_error=lambda refusal: self.panel.show_words(str(refusal)),
        )

    def show_result(self, question: NextTest, result: NextTestResult) -> None:
        """Show what a test needs."""
        self.result_shown = result
        self.form.assume("effect", result.effect)
        self.view = show(question, result, Labels.of(self.subject))
        self.panel.show_view(self.view)
