"""Chance against the case's own break-even: whoever is above the line is worth acting on."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from core.document.model import Document
from core.document.studies.decided_cases import CaseCloud
from core.questions.decide import CasesAsPoints
from gui.pages.decide.studies.study import Study
from gui.session.session import Session

SIDE = 250


class CaseCloudStudy(Study):
    """The other way to look at tab Cases: a chart, worked out when it is looked at."""

    asks = CasesAsPoints
    least_height = 220

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, parent)
        self.add_panel("right", SIDE)

    def title(self) -> str:
        return "Break-evens"

    def request_for(self, document: Document) -> CasesAsPoints | None:
        return CasesAsPoints(model=document.outcome_reference)

    def show_answer(self, document: Document, answer: CaseCloud) -> None:
        super().show_answer(document, answer)
        if answer.reason:  # there is nothing to draw
            self.message.setText(answer.reason)
            self._stack.setCurrentIndex(0)
