"""Whose definitions the charts follow, and what differs from Payoff's, with the cause."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from core.document.compare.chart_kinds import CONVENTIONS, PAYOFF
from core.document.compare.commands import SetConvention
from core.questions.compare import Definitions
from core.questions.fields import FieldKind, FormField
from core.questions.suggestions import choices_from
from gui.pages.compare.dialogs.study_dialog import StudyDialog
from gui.session.session import Session


class DefinitionsDialog(StudyDialog):
    """Choose a tool: the charts follow it, the table names every difference."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(
            session,
            "Definitions",
            (
                "Tools give different figures the same name, and the same figure different names. "
                "Choose whose definitions the charts follow; the table keeps Payoff's."
            ),
            parent,
        )
        self.resize(980, 520)
        self.form = self.add_settings(self._follow)
        self.refresh()

    def _follow(self, _name: str, convention: object) -> None:
        self.session.project.execute(SetConvention(convention=str(convention)))
        self.refresh()

    def refresh(self) -> None:
        """Ask for the figures by the tool's definitions."""
        self.begin()
        convention = self.session.project.document.convention
        self.form.show_fields((convention_field(convention),))
        if convention == PAYOFF:
            self.say("The charts follow Payoff's definitions: “what is this?” gives them.")
        else:
            self.put(Definitions(convention=convention, level=self.session.results.level))


def convention_field(convention: str) -> FormField:
    """Return the choice of the tool that the charts follow."""
    return FormField(
        name="convention",
        label="Charts",
        kind=FieldKind.CHOICE,
        value=convention,
        options=choices_from(dict(CONVENTIONS)),
    )
