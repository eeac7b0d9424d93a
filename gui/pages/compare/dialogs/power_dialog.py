"""How small a difference between two models these cases could show, and how many it would take."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from core.questions.compare import DetectableDifference
from gui.pages.compare.dialogs.study_dialog import StudyDialog
from gui.session.session import Session


class PowerDialog(StudyDialog):
    """A row for every figure of every pair; the sentence above is of the row that is chosen."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(
            session,
            "Smallest detectable difference",
            (
                "A test on few cases overlooks small differences, so that “no difference was "
                "found” may only mean “too few cases”. Here is how large a true difference must "
                "be for these cases to show it, and how many cases a smaller one would need."
            ),
            parent,
        )
        self.resize(1060, 560)
        names = ("metric", "model", "level", "power", "difference")
        self.form = self.add_form(DetectableDifference, names)
        self.refresh()

    def refresh(self) -> None:
        """Ask for the figures and models chosen."""
        self.begin()
        self.put(self.form.question())
