"""The tab Gap: expected against realised, what was left on the table, what better ranking earns."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from core.document.model import Document
from core.questions.decide import Gap
from gui.pages.decide.studies.study import Study
from gui.session.session import Session


class GapStudy(Study):
    """A chart with two lines, a verdict in words, and a table of what was left behind."""

    asks = Gap

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, parent)
        self.add_panel("right")

    def title(self) -> str:
        return "Gap"

    def request_for(self, document: Document) -> Gap | None:
        if self.session.results.decisions is None or not document.outcome_models:
            self.say("The totals are being worked out.")
            return None
        model = document.outcome_reference
        return Gap(model=model)
