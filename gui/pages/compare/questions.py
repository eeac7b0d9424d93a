"""What intervals depend on and roles leave open: what a weight says, which rows go together.

A question is asked where the answer changes intervals, once: the answer is a role, kept in the
project, and the question is gone.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from core.document.commands import Command, SetRole
from core.document.data.commands import SetWeightKind
from core.document.data.results import TableSummary
from core.document.model import Document, Role, RoleAssignment, WeightKind
from gui.widgets import ElidedLabel, IconLabel
from gui.widgets.help_button import HelpButton, HelpText
from payoff.counting import counted

MOST_SHARE = 0.98  # of different values among the rows: above it hardly any row has a partner


_ID_WORDS = frozenset({"id", "nr", "no", "number", "key", "code"})
_WORDS = re.compile(r"[a-z]+")


@dataclass(frozen=True, slots=True)
class Question:
    """A sentence, what it is about, and an answer per button."""

    text: str
    help: HelpText
    answers: tuple[tuple[str, Command], ...]


def open_question(document: Document, summary: TableSummary | None) -> Question | None:
    """The first question that the roles leave open, or None."""
    return _weight_question(document) or _cluster_question(document, summary)


def _weight_question(document: Document) -> Question | None:
    column = document.column_of(Role.WEIGHT)
    entry = document.role_of(column) if column is not None else None
    if column is None or entry is None or entry.weight_kind is not None:
        return None
    return Question(
        f"Does a weight of 3 in “{column}” stand for 3 equal cases that were seen?",
        HelpText(
            title="What a weight says",
            text=(
                "Values are the same either way; intervals are not. A frequency repeats its row: "
                "three equal cases were seen, and the interval is as narrow as three cases make "
                "it. A sampling weight lets one case that was seen stand for three of the "
                "population: nothing more was seen, and the interval stays as wide as one makes it."
            ),
        ),
        (
            (
                "Yes, 3 cases (frequency)",
                SetWeightKind(column=column, kind=WeightKind.FREQUENCY),
            ),
            (
                "No, 1 case for 3 (sampling)",
                SetWeightKind(column=column, kind=WeightKind.SAMPLING),
            ),
        ),
    )


def _cluster_question(document: Document, summary: TableSummary | None) -> Question | None:
    """Asked of a guessed id whose values repeat, while no column says what belongs together."""
    if summary is None or document.column_of(Role.CLUSTER) is not None:
        return None
    facts = {column.name: column for column in summary.columns}
    for entry in document.roles:
        known = facts.get(entry.column)
        if known is None or not entry.is_guess or not _names_rows(entry):
            continue
        rows = known.rows - known.missing
        if not 1 < known.distinct < MOST_SHARE * rows:
            continue
        words = "“%s” has %s in %s. Do rows of one value belong together?"
        text = words % (
            entry.column,
            counted(known.distinct, "different value"),
            counted(rows, "row"),
        )
        is_cluster = replace(entry, role=Role.CLUSTER, is_guess=False)
        return Question(
            text,
            HelpText(
                title="Rows that belong together",
                text=(
                    "Rows of one household, patient or shop resemble each other: together they say "
                    "less than as many strangers. With the column named, intervals and paired "
                    "comparisons draw whole groups of rows, and are wider; values stay."
                ),
            ),
            (
                ("Yes, together", SetRole(assignment=is_cluster)),
                ("No", SetRole(assignment=replace(entry, is_guess=False))),
            ),
        )
    return None


def _names_rows(entry: RoleAssignment) -> bool:
    """Whether a column is an id, or is named as one and was taken for an input as it repeats."""
    if entry.role is Role.ID:
        return True
    words = _WORDS.findall(entry.column.lower())
    named = bool(words) and (words[-1] in _ID_WORDS or words[0] == "id")
    return named and entry.role in (Role.INPUT, Role.IGNORED)


class QuestionRow(QWidget):
    """The question that is open, with its answers as buttons; hidden where none is."""

    answered = Signal(object)  # Command

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 2, 0, 0)
        row.setSpacing(8)
        self.text = ElidedLabel("", "plainNote")
        self.help = HelpButton(HelpText(title="", text=""))
        self.buttons = (QPushButton(), QPushButton())
        row.addWidget(IconLabel("help", "accent", 16))
        row.addWidget(self.text)
        row.addWidget(self.help)
        for place, button in enumerate(self.buttons):
            button.setProperty("small", "true")
            button.clicked.connect(self._answer(place))
            row.addWidget(button)
        row.addStretch(1)
        self._question: Question | None = None
        self.hide()

    def _answer(self, place: int) -> Callable[[], None]:
        def answer() -> None:
            if self._question is not None:
                self.answered.emit(self._question.answers[place][1])

        return answer

    @property
    def question(self) -> Question | None:
        """The question that stands there; None where nothing is asked."""
        return self._question

    def ask(self, question: Question | None) -> None:
        """Ask another question; None hides the row."""
        self._question = question
        self.setVisible(question is not None)
        if question is None:
            return
        self.text.set_full_text(question.text)
        self.help.set_content(question.help)
        for button, (words, _) in zip(self.buttons, question.answers, strict=True):
            button.setText(words)
