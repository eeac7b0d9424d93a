"""Train against validation side by side: the same models on two sets of rows."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from core.questions.compare import RowSets
from gui.pages.compare.dialogs.study_dialog import StudyDialog
from gui.session.session import Session


class RowsDialog(StudyDialog):
    """Every figure on two sets of rows with the gap between them."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(
            session,
            RowSets.facts.title,
            (
                "The same models on two sets of rows. The gap is no paired difference, and "
                "figures on rows a model has seen are marked."
            ),
            parent,
        )
        self.form = self.add_form(RowSets, ("first", "second"))
        self.refresh()

    def refresh(self) -> None:
        """Ask for both sets of rows."""
        self.begin()
        self.put(self.form.question(level=self.session.results.level))
