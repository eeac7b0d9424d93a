"""The tab Capacity: the best decisions where only so much can be done, and what more would earn."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from core.document.model import Document
from core.document.studies.decided_cases import CapacityResult
from core.presentation.decide.views import action_word
from core.presentation.labels import Labels
from core.questions.decide import Capacity
from core.questions.suggestions import acting_decisions
from gui.pages.decide.studies.study import Study
from gui.session.session import Session
from gui.widgets.fields.form import QuestionForm

LEFT = 330


class CapacityStudy(Study):
    """Two limits, the best profit within them, the shadow price, and profit against capacity."""

    asks = Capacity

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, parent)
        self.form = QuestionForm(Capacity, ("most_actions", "most_money", "price"))
        self.add_panel("left", LEFT)
        self.panel.above.addWidget(self.form)
        self.panel.above.addSpacing(6)
        self.form.requested_again.connect(self.refresh)

    def title(self) -> str:
        return "Capacity"

    # ------------------------------------------------------------ asking

    def forget(self) -> None:
        self.form.draft.forget()

    def request_for(self, document: Document) -> Capacity | None:
        decisions = self.session.results.decisions
        if decisions is None or document.matrix is None:
            self.say("The totals are being worked out.")
            return None
        words, acting = Labels.of(document, decisions), acting_decisions(document, decisions)
        self.form.show_for(self.session.form_context(document, action_word(acting, words)))
        question: Capacity = self.form.question()
        return question

    # ------------------------------------------------------------ showing

    def show_answer(self, document: Document, answer: CapacityResult) -> None:
        is_one_action = len(answer.acting) == 1
        self.form.assume("price", answer.price if is_one_action else None, answer.price_reason)
        super().show_answer(document, answer)
