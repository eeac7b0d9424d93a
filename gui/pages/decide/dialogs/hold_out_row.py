"""The hold-out of the dialog that saves decisions: share, seed, what it costs and can show."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from core.document.studies.decision_files import HoldOutResult
from core.engine.messages import Ask
from core.presentation.labels import Labels
from core.presentation.making_views import show
from core.questions.decide import HoldOutPlan
from gui.pauses import PAUSES
from gui.session.request import Request
from gui.session.session import Session
from gui.widgets import TextLabel
from gui.widgets.fields.form import FormLayout, QuestionForm

FIELD = 84  # pixels of a number


class HoldOutRow(QWidget):
    """A box, a share and a seed; below them what the engine says of it.

    ``ask(plan)`` gives the question with model, cut and file as they are chosen now.
    """

    changed = Signal()

    def __init__(
        self,
        session: Session,
        ask: Callable[[HoldOutPlan], Ask[HoldOutPlan]],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._ask = ask
        self._request = Request(self, session.project, self._send, pause=PAUSES.hold_out)
        self.form = QuestionForm(HoldOutPlan, ("share", "seed"), FormLayout.LINE, width=FIELD)
        self.form.show_for(session.form_context())
        self.form.requested_again.connect(self._on_change)
        self.note = TextLabel("", "note", wraps=True)
        self.note.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(self.form)
        column.addWidget(self.note)

    @property
    def plan(self) -> HoldOutPlan | None:
        """Share and seed that are asked for, of no model yet; None: nothing is kept out."""
        if not self.form.values().get("share"):
            return None
        plan: HoldOutPlan = self.form.question(model="")
        return plan

    def refresh(self) -> None:
        """Model or cut changed: ask again."""
        if self.plan is not None:
            self._request.renew_later()

    def _on_change(self) -> None:
        is_on = self.plan is not None
        self.note.setVisible(is_on)
        if is_on:
            self.note.setText("Being worked out…")
            self._request.renew_later()
        self.changed.emit()

    def _send(self) -> None:
        plan = self.plan
        if plan is None:
            return
        requested = self._ask(plan)

        def on_result(result: HoldOutResult) -> None:
            now = self.plan
            if now is None or requested != self._ask(now):  # the next is under way
                return
            labels = Labels.of(requested.document, self._session.results.decisions)
            self.note.setText(" ".join(show(requested.question, result, labels).sentences))

        self._request.ask(
            requested.document,
            requested.question,
            on_result=on_result,
            on_error=lambda refusal: self.note.setText(str(refusal)),
        )
