"""Whose definitions the charts follow, and what differs from Payoff's, with the cause."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from core.document.compare.chart_kinds import CHART_WORDS, CONVENTIONS, PAYOFF, chart_kind
from core.document.compare.commands import SetConvention
from core.document.studies.definitions import (
    DefinitionRow,
    DefinitionsResult,
)
from core.document.wording import format_number
from core.questions.compare import Definitions
from gui.pages.compare.study_dialog import StudyDialog
from gui.workspace import Workspace


class DefinitionsDialog(StudyDialog):
    """Choose a tool: the charts follow it, the table names every difference."""

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(
            workspace,
            "Definitions",
            (
                "Tools give different figures the same name, and the same figure different names. "
                "Choose whose definitions the charts follow; the table keeps Payoff's."
            ),
            parent,
        )
        self.resize(980, 520)
        entries = [(words, key) for key, words in CONVENTIONS]
        self.convention = self.add_choice("Charts", entries)
        present = [key for key, _ in CONVENTIONS].index(workspace.document.convention)
        self.convention.setCurrentIndex(present)
        self.choices.addStretch(1)
        self.table.setWordWrap(True)
        self.convention.activated.connect(self._follow)
        self.refresh()

    def _follow(self) -> None:
        self.workspace.execute(SetConvention(convention=str(self.convention.currentData())))
        self.refresh()

    def refresh(self) -> None:
        """Ask for the figures by the tool's definitions."""
        self.begin()
        convention = str(self.convention.currentData())
        if convention == PAYOFF:
            self.show_rows((), ())
            self.say("The charts follow Payoff's definitions: “what is this?” gives them.")
            return
        self.say("Being worked out…")
        question = Definitions(convention=convention, level=self.workspace.level)
        self.put(question, self._take)

    def _take(self, result: DefinitionsResult) -> None:
        words = dict(CONVENTIONS)[result.convention].removeprefix("as ")
        rows = [_row(entry) for entry in result.rows]
        columns = (
            "Figure",
            "Model",
            "Payoff",
            words,
            "Why they differ",
        )
        self.show_rows(columns, rows, right=(2, 3), wide=4)
        self.table.resizeRowsToContents()
        charts = [
            f"{known.subtitle}: {name}. {cause}"
            for (key, kind), (name, cause) in CHART_WORDS.items()
            if key == result.convention and (known := chart_kind(kind)) is not None
        ]
        self.say(f"The charts now follow the definitions of {words}.", charts)


def _row(entry: DefinitionRow) -> tuple[str, str, str, str, str]:
    ours = f"{format_number(entry.ours, entry.decimals)}  ({entry.ours_words})"
    theirs = f"{format_number(entry.theirs, entry.decimals)}  ({entry.theirs_words})"
    return entry.figure, entry.model, ours, theirs, entry.cause
