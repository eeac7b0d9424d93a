"""What the studies of page Compare share: a form above, the view of the answer below."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialogButtonBox,
    QHBoxLayout,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from core.document.model import Document
from core.document.views import Narrow
from core.presentation.labels import Labels
from core.presentation.making_views import show
from core.presentation.view import View
from core.questions.lanes import Lane
from core.questions.question import Answer, Question
from gui.charts.view_widget import ViewWidget
from gui.session.request import Request
from gui.session.session import Session
from gui.widgets import TextLabel
from gui.widgets.dialog import AnswerDialog
from gui.widgets.fields.form import Form, FormLayout, QuestionForm
from gui.widgets.tables.copying import copy_table
from gui.widgets.veil import Veil

Written = TypeVar("Written")
FIELD = 76  # pixels of a number


def _as_it_is(document: Document) -> Document:
    return document


class StudyDialog(AnswerDialog):
    """A study in a window of its own, beside the page; the newest question wins."""

    def __init__(
        self, session: Session, title: str, lead: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(title)
        self.resize(860, 560)
        self.session = session
        self._requests: list[Request] = []  # since ``begin``
        self._forms: list[QuestionForm] = []
        self._rests_on: list[
            tuple[Callable[[], Document], Document]
        ] = []  # how it is read, and was
        outer = QVBoxLayout(self)
        outer.setContentsMargins(16, 12, 16, 12)
        outer.setSpacing(8)
        outer.addWidget(TextLabel(lead, "quiet", wraps=True))
        self.choices = QHBoxLayout()
        self.choices.setSpacing(8)
        outer.addLayout(self.choices)
        self.panel = ViewWidget("above")
        self.panel.refused.connect(session.project.post)
        outer.addWidget(self.panel, 1)
        self._build_buttons()
        outer.addWidget(self.buttons)
        self.veil = Veil(self.panel)
        self.veil.words = "Of the project before the change"
        session.project.document_changed.connect(self._show_freshness)
        session.report.changed.connect(self._show_report)

    # ------------------------------------------------------------ building

    def _build_buttons(self) -> None:
        """Enter ends a number that is typed above, and must not press Close."""
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self.buttons.button(QDialogButtonBox.StandardButton.Close).setAutoDefault(False)
        self.buttons.rejected.connect(self.close)
        self.copying = self.add_button("Copy table", self.copy)
        self.reporting = self.add_button("Add to report", self._toggle_report)
        self.again = self.add_button("Ask again", self.refresh)
        self.again.setToolTip("The project has changed since this was asked")
        for button in (self.copying, self.reporting, self.again):
            button.hide()

    def add_button(self, words: str, act: Callable[[], object]) -> QPushButton:
        """A button beside Close."""
        button = QPushButton(words)
        button.setAutoDefault(False)
        button.clicked.connect(lambda _checked: act())
        self.buttons.addButton(button, QDialogButtonBox.ButtonRole.ActionRole)
        return button

    def add_form(self, record: type[Question[Any]], names: Sequence[str]) -> QuestionForm:
        """The form of a question above its answer; what is said in it is asked at once."""
        form = QuestionForm(record, names, FormLayout.LINE, width=FIELD)
        form.show_for(self.session.form_context())
        form.requested_again.connect(self.refresh)
        self.choices.addWidget(form, 1)
        self._forms.append(form)
        return form

    def add_settings(self, take: Callable[[str, Any], None]) -> Form:
        """A form of what is no question's field; ``take`` is called with what was said."""
        form = Form(FormLayout.LINE)
        form.changed.connect(take)
        self.choices.addWidget(form, 1)
        return form

    # ------------------------------------------------------------ showing

    def say(self, text: str) -> None:
        """Show a sentence while there is no answer, or why there is none."""
        self.panel.show_words(text)
        self._show_report()

    def show_answer(self, question: Question[Answer], answer: Answer) -> None:
        """Show an answer as the view of its question has it."""
        self.show_view(self.view_of(question, answer))

    def view_of(self, question: Question[Answer], answer: Answer) -> View:
        """Return the view of an answer in the project's words."""
        session = self.session
        labels = Labels.of(
            session.project.document, session.results.decisions, level=session.results.level
        )
        return show(question, answer, labels)

    def show_view(self, view: View) -> None:
        """Show what is said of an answer."""
        self.panel.show_view(view)
        self._show_report()

    def view(self) -> View | None:
        """What is shown, while it is of the present project."""
        return None if self.is_stale else self.panel.view

    def _show_report(self) -> None:
        """Offer the answer for the report, or to take it off."""
        view = self.view()
        self.copying.setVisible(bool(self.panel.tables))
        self.reporting.setVisible(view is not None)
        if view is not None:
            is_on = self.session.report.is_on(view.key)
            self.reporting.setText("Take off the report" if is_on else "Add to report")

    def _toggle_report(self) -> None:
        view = self.view()
        if view is not None:
            self.session.report.put(view.key, not self.session.report.is_on(view.key))
            self._show_report()

    # ------------------------------------------------------------ asking

    def refresh(self) -> None:
        """Ask for what is chosen, of the project as it is now."""
        raise NotImplementedError

    def begin(self) -> None:
        """A new question: answers to earlier ones are no longer taken; their jobs are stopped."""
        for form in self._forms:
            form.show_for(self.session.form_context())
        self.stop_requesting()
        self._rests_on.clear()
        self._show_freshness()

    def stop_requesting(self) -> None:
        """No answer that is still to come is taken; what is on screen stays."""
        for request in self._requests:
            request.cancel()
        self._requests.clear()

    def rest_on(self, question: Question[Answer], of: Narrow = _as_it_is) -> None:
        """Note that an answer to this question is shown: it is greyed once its project has changed.

        ``of``: makes the document that it is asked of from the project's.
        """
        reads = question.facts.reads

        def read() -> Document:
            return reads.of(of(self.session.project.document))

        self._rests_on.append((read, read()))

    @property
    def is_stale(self) -> bool:
        """Whether the project has changed in what the answer reads of it."""
        return any(read() != then for read, then in self._rests_on)

    def _show_freshness(self, _document: object = None) -> None:
        """Grey what was asked of the project before a change, and offer to ask again."""
        is_stale = self.is_stale
        self.veil.draw(is_stale, at_once=True)
        self.again.setVisible(is_stale)
        self._show_report()

    def _request(self) -> Request:
        """Return a way to ask beside what was asked since ``begin``."""
        made = Request(self, self.session.project)
        self._requests.append(made)
        return made

    def _refuse(self, refusal: Exception) -> None:
        self.say(str(refusal))

    def write(
        self,
        kind: str,
        arguments: object,
        written: type[Written],
        title: str,
        take: Callable[[Written], None],
    ) -> None:
        """Have the engine write a file; ``take`` is called unless a question has been asked."""
        self._request().run(
            kind, arguments, written, title=title, on_result=take, on_error=self._refuse
        )

    def put(
        self,
        question: Question[Answer],
        take: Callable[[Answer], None] | None = None,
        *,
        of: Narrow = _as_it_is,
        title: str = "",
    ) -> None:
        """Ask a question; its answer is shown if no newer one has been asked.

        ``take``: is called with the answer in place of that. ``of``: makes the document that it is
        asked of from the project's; left out: the project's own. ``title``: of the job, where it is
        not the question's own.
        """

        def show_it(answer: Answer) -> None:
            self.show_answer(question, answer)

        self.say("Being worked out…")
        self.rest_on(question, of)
        self._request().ask(
            of(self.session.project.document),
            question,
            lane=Lane.LONG,  # a person asked: what the window evaluates by itself can wait
            title=title,
            on_result=take or show_it,
            on_error=self._refuse,
        )

    def copy(self) -> None:
        """Put the table on the clipboard, ready for a spreadsheet."""
        for table in self.panel.tables[:1]:
            copy_table(table, whole=True)
