"""The line above the page that asks once what is done with rows without an outcome."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from core.document.markup import joined
from gui.session.outcome_watch import GapWatch
from gui.widgets.labels import strong
from gui.widgets.notice import Notice
from payoff.counting import counted_of

if TYPE_CHECKING:
    from gui.session.session import Session


class OutcomeQuestion(QObject):
    """Shows how many such rows there are and which, with the button that allows to go on."""

    def __init__(self, session: Session, watch: GapWatch, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._watch = watch
        self.notice = Notice()
        watch.changed.connect(self._show)

    def _show(self) -> None:
        gaps, outcome = self._watch.gaps, self._watch.outcome_of(self._session.project.document)
        if gaps is None or not outcome:
            self.notice.dismiss()
            return
        lacking = counted_of(gaps.rows, gaps.total, "row", verbs="has/have")
        head = f"{lacking} no outcome in “{outcome}”"
        rest = "(%s). No number is computed from the other rows until you allow it."
        self.notice.show_text(joined((strong(head), rest % gaps.words), " "), "info")
        self.notice.offer("Leave them out", self.leave_out)

    def leave_out(self) -> None:
        """Leave out the rows without an outcome, as an undo step."""
        self._session.project.execute(self._watch.answer())
