"""Whether two sets of rows, or two files, are alike: the population stability index."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtWidgets import QFileDialog, QWidget

from core.document.compare.words import use_words
from core.document.data.model import RowUse
from core.document.data.row_defaults import uses_there
from core.document.model import Document
from core.document.studies.compare import ShiftResult, ShiftSide
from core.presentation.view import View
from core.questions.compare import Shift
from core.questions.fields import FieldKind, FormField
from core.questions.suggestions import choices_from
from gui.pages.compare.dialogs.study_dialog import StudyDialog
from gui.pages.data.dialogs.second_file import HowItIsRead, reader_of_new_cases
from gui.session.session import Session

ANOTHER_FILE = "another file"
THEN, NOW = "then", "now"


class ShiftDialog(StudyDialog):
    """Choose two sets of rows: scores and inputs in both, the largest shift first."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(
            session,
            "Shift of scores and inputs",
            (
                "Whether cases are like those the models were evaluated on, by the population "
                "stability index: below 0.1 stable, above 0.25 another population."
            ),
            parent,
        )
        self.resize(900, 640)
        self._sides: dict[str, RowUse | str] = dict(usual_sides(session.project.document))
        self._requested: tuple[Shift, ShiftResult] | None = None
        self._entry: View | None = None  # with the column that is chosen
        self.panel.row_chosen.connect(self._choose_column)
        self.form = self.add_settings(self._choose)
        self.how = {name: self._add_how(name) for name in (THEN, NOW)}
        self.refresh()

    def _add_how(self, name: str) -> HowItIsRead:
        """The way to how the file of a side is read."""
        how = HowItIsRead(self.session, lambda path: self.take_file(name, path))
        how.setAutoDefault(False)
        self.choices.addWidget(how)
        return how

    def _choose(self, name: str, value: object) -> None:
        if value == ANOTHER_FILE:
            path, _ = QFileDialog.getOpenFileName(
                self, "Compare with the rows of a file", self.session.folder_to_read
            )
            if path:
                self.take_file(name, path)
            else:
                self._show_sides()
            return
        self._sides[name] = value if isinstance(value, RowUse) else str(value)
        self.how[name].hide()
        self.refresh()

    def take_file(self, name: str, path: str) -> None:
        """Compare with the rows of another file."""
        self._sides[name] = path
        self.how[name].show_for(path)
        self.refresh()

    def _show_sides(self) -> None:
        self.form.show_fields(side_fields(self.session.project.document, self._sides))

    def _side(self, name: str) -> ShiftSide:
        chosen = self._sides[name]
        if isinstance(chosen, RowUse):
            return ShiftSide(use=chosen)
        return ShiftSide(path=chosen, reader=reader_of_new_cases(self.session, chosen))

    def refresh(self) -> None:
        """Compare the two sets of rows."""
        self.begin()
        self._show_sides()
        self._requested = self._entry = None
        question = Shift(then=self._side(THEN), now=self._side(NOW))
        self.put(question, lambda answer: self._take(question, answer))

    def _take(self, question: Shift, answer: ShiftResult) -> None:
        self._requested, self._entry = (question, answer), None
        self.show_answer(question, answer)

    def _choose_column(self, row: int) -> None:
        """What is on the report, or goes there, has the chart that is looked at."""
        if self._requested is None:
            return
        question, answer = self._requested
        name = answer.columns[row].name if row else ""
        requested = replace(question, column=name)
        self._entry = self.view_of(requested, replace(answer, drawn=name)) if row else None
        if self.panel.view is not None and self.session.report.is_on(self.panel.view.key):
            self.session.report.collect()

    def view(self) -> View | None:
        return None if self.is_stale else self._entry or self.panel.view


def usual_sides(document: Document) -> tuple[tuple[str, RowUse], tuple[str, RowUse]]:
    """Return what is compared at first: the first use of rows, and the second, or all rows."""
    uses = uses_there(document.split)
    return (THEN, uses[0] if uses else RowUse.TO_DECIDE), (
        NOW,
        uses[1] if len(uses) > 1 else RowUse.ALL,
    )


def side_fields(document: Document, chosen: dict[str, RowUse | str]) -> tuple[FormField, ...]:
    """Return the choices of both sets of rows: a use of the project's rows, or a file."""
    uses = (*uses_there(document.split), RowUse.TO_DECIDE, RowUse.ALL)
    words: dict[object, str] = {use: use_words(use) for use in uses}

    def options(value: RowUse | str) -> dict[object, str]:
        is_file = not isinstance(value, RowUse)
        named = {value: value.replace("\\", "/").rsplit("/", 1)[-1]} if is_file else {}
        return words | named | {ANOTHER_FILE: "Another file…"}

    return tuple(
        FormField(
            name=name,
            label=label,
            kind=FieldKind.CHOICE,
            value=chosen[name],
            options=choices_from(options(chosen[name])),
        )
        for name, label in ((THEN, "Then"), (NOW, "Now"))
    )
