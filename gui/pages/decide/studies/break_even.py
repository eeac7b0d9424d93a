"""Tab Break-even: for every number, the value at which rule, best model or worth change."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QWidget

from core.document.model import Document
from core.questions.decide import BreakEven
from gui.pages.decide.studies.study import Study
from gui.session.session import Session
from gui.widgets import HelpButton, HelpText
from gui.widgets.fields.form import FormLayout, QuestionForm


class BreakEvenStudy(Study):
    """A row per number; the nearest change of each kind, both sides in the tool tip."""

    asks = BreakEven
    fills_page = False

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, parent)
        self.form = QuestionForm(BreakEven, ("is_kept",), FormLayout.LINE, has_labels=False)
        self.form.requested_again.connect(self.refresh)
        self.form.show_for(session.form_context())
        self.add_panel("left")
        line = QHBoxLayout()
        line.setContentsMargins(0, 6, 0, 4)
        line.setSpacing(12)
        line.addWidget(self.form)
        line.addWidget(self._help())
        line.addStretch(1)
        self.panel.above.addLayout(line)

    def _help(self) -> HelpButton:
        return HelpButton(
            HelpText(
                title="Break-even",
                text=(
                    "One number moves, all others stay. Decisions are made again at each value, or "
                    "kept as they are now. Shown is the value nearest to the present one at which "
                    "a decision starts or stops being chosen by the rule, another model is best, "
                    "or the best model is no better than the same decision for all cases or, where "
                    "profits are told, earns nothing. Exact for the cases at hand: each case's own "
                    "switch is found."
                ),
                formula="T(v) = Σᵢ Fᵢ w Q(Tᵢ, D(i; v); v)",
                reference="Own derivation; totals as on tab Totals",
            )
        )

    def title(self) -> str:
        return "Break-even"

    def request_for(self, document: Document) -> BreakEven | None:
        question: BreakEven = self.form.question()
        return question
