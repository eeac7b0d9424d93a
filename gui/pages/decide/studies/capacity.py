"""The tab Capacity: the best decisions where only so much can be done, and what more would earn."""

from __future__ import annotations

import math

from PySide6.QtWidgets import QWidget

from core.document.model import Document
from core.document.results import DecisionResult
from core.document.studies.capacity import CapacityResult
from core.presentation.decide import action_word
from core.presentation.labels import Labels
from core.questions.decide import Capacity
from gui.pages.decide import figures
from gui.pages.decide.studies.limits import LimitFields
from gui.pages.decide.studies.study import Study
from gui.workspace import Workspace

LEFT = 330


class CapacityStudy(Study):
    """Two limits, the best profit within them, the shadow price, and profit against capacity."""

    asks = Capacity

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(workspace, parent)
        self.fields = LimitFields()
        self.add_panel("left", LEFT)
        self.panel.above.addWidget(self.fields)
        self.panel.above.addSpacing(6)
        self.fields.changed.connect(self.refresh)

    def title(self) -> str:
        return "Capacity"

    # ------------------------------------------------------------ asking

    def forget(self) -> None:
        self.fields.forget()

    def wish(self, document: Document) -> Capacity | None:
        decisions = self.workspace.decisions
        if decisions is None or document.matrix is None:
            self.say("The totals are being worked out.")
            return None
        self._propose(document, decisions)
        return Capacity(
            most_actions=self.fields.most_actions,
            most_money=self.fields.most_money,
            price=self.fields.own_price,
        )

    def _propose(self, document: Document, decisions: DecisionResult) -> None:
        """At first half of what the rule does."""
        words = Labels.of(document, decisions)
        nothing = document.matrix.do_nothing if document.matrix is not None else None
        acting = tuple(
            name
            for name in decisions.decisions
            if (name != nothing if nothing is not None else name == decisions.acting)
        )
        self.fields.set_words(words, action_word(acting, words))
        chosen = figures.profit_of(decisions, document.reference_model)
        if chosen is None:
            return
        columns = [decisions.decisions.index(name) for name in acting]
        half = 0.5 * float(chosen.counts[:, columns].sum())
        column = decisions.decisions.index(decisions.acting)
        price = max(0.0, -float(decisions.cells[:, column].min())) or 1.0
        self.fields.propose(_two_digits(half), _two_digits(half * price))

    # ------------------------------------------------------------ showing

    def show_answer(self, document: Document, answer: CapacityResult) -> None:
        is_one_action = len(answer.acting) == 1
        self.fields.show_price(answer.price if is_one_action else None, answer.price_reason)
        super().show_answer(document, answer)


def _two_digits(value: float) -> float:
    """A number with two digits that matter: a proposal."""
    if not math.isfinite(value) or value <= 0:
        return 0.0
    power = 10.0 ** max(0, math.floor(math.log10(value)) - 1)
    return max(1.0, round(value / power) * power)
