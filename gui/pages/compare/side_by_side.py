"""Train against validation side by side: the same models on two sets of rows."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from PySide6.QtWidgets import QWidget

from core.document.compare.row_words import use_words
from core.document.data.model import RowUse
from core.document.data.row_defaults import uses_there
from core.document.model import Document
from core.document.results import EvaluationResult
from core.presentation.compare import two_sets_of_rows
from core.questions.compare import CompareModels
from core.questions.fields import FieldKind, FormField
from core.questions.suggestions import choices_from
from gui.pages.compare.dialogs.study_dialog import StudyDialog
from gui.session.session import Session

DRAWS = 200
FIRST, SECOND = "first", "second"


class SideBySideDialog(StudyDialog):
    """Every figure on two sets of rows with the gap between them.

    The rows differ, so nothing is paired here; a gap beyond both intervals is a sign of a model
    that knows its training rows by heart.
    """

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(
            session,
            "Two sets of rows side by side",
            (
                "The same models on two sets of rows. The gap is no paired difference, and "
                "figures on rows a model has seen are marked."
            ),
            parent,
        )
        uses = (*uses_there(session.project.document.split), RowUse.ALL)
        self._uses = {FIRST: uses[0], SECOND: uses[1] if len(uses) > 2 else uses[-1]}
        self._results: dict[RowUse, EvaluationResult] = {}
        self.form = self.add_settings(self._choose)
        self.refresh()

    def _choose(self, name: str, use: RowUse) -> None:
        self._uses[name] = use
        self.refresh()

    def refresh(self) -> None:
        """Ask for both sets of rows."""
        self.begin()
        self._results = {}
        self.form.show_fields(two_uses(self.session.project.document, self._uses))
        for use in dict.fromkeys(self._uses.values()):
            of = partial(replace, rows_used=use, charts=(), report=())
            question = CompareModels(level=self.session.results.level, resamples=DRAWS)
            title = f"Judging {use_words(use).lower()} rows"
            self.put(question, partial(self._take, use), of=of, title=title)

    def _take(self, use: RowUse, result: EvaluationResult) -> None:
        self._results[use] = result
        first, second = (self._results.get(self._uses[name]) for name in (FIRST, SECOND))
        if first is not None and second is not None:
            document = self.session.project.document
            names = (use_words(self._uses[name], document) for name in (FIRST, SECOND))
            self.show_view(two_sets_of_rows(first, second, (next(names), next(names))))


def two_uses(document: Document, chosen: dict[str, RowUse]) -> tuple[FormField, ...]:
    """Return the choices of both sets of rows."""
    uses = (*uses_there(document.split), RowUse.ALL)
    options = choices_from({use: use_words(use, document) for use in uses})
    return tuple(
        FormField(
            name=name, label=label, kind=FieldKind.CHOICE, value=chosen[name], options=options
        )
        for name, label in ((FIRST, "Rows"), (SECOND, "beside"))
    )
