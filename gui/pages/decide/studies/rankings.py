"""The view of predicted classes and score rankings, with Enterprise Miner's profits on request."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from core.document.model import Document
from core.questions.decide import Rankings
from gui.pages.decide.studies.study import Study
from gui.session.session import Session
from gui.widgets.fields.form import FormLayout, QuestionForm


class RankingsStudy(Study):
    """Rankings at the left; at the right predicted classes, or Enterprise Miner's chart."""

    asks = Rankings

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, parent)
        names = ("by", "as_em")
        self.form = QuestionForm(Rankings, names, FormLayout.LINE, is_small=True, has_labels=False)
        self.form.requested_again.connect(self.refresh)
        self.body.addWidget(self.form)
        self.add_panel("left", share=2, spreads=True)

    def title(self) -> str:
        return "Decision table"

    def request_for(self, document: Document) -> Rankings | None:
        if self.session.results.decisions is None or not document.outcome_models:
            self.say("The totals are being worked out.")
            return None
        self.form.show_for(self.session.form_context(document))
        model = document.outcome_reference
        question: Rankings = self.form.question(model=model)
        return question
