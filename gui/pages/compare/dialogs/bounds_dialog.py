"""How large a model's expected loss may be on new cases: limits with what they take for granted."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from core.questions.compare import ErrorBounds
from gui.pages.compare.dialogs.study_dialog import StudyDialog
from gui.session.session import Session


class BoundsDialog(StudyDialog):
    """Limits of every model's expected loss on the rows that are compared."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(
            session,
            "How sure is the loss?",
            (
                "The mean loss of these rows is one draw; the expected loss of new cases lies "
                "below the limit in the stated share of such draws. A limit that is valid holds "
                "whatever the losses follow, an approximate one nearly so for many cases."
            ),
            parent,
        )
        self.resize(1020, 600)
        names = ("loss", "side", "confidence", "methods", "cluster", "loss_range", "margin")
        self.form = self.add_form(ErrorBounds, names)
        self.refresh()

    def refresh(self) -> None:
        """Ask for the bounds."""
        self.begin()
        self.put(self.form.question())
