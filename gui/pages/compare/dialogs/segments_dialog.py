"""Figures by group of cases: every metric, the totals and a curve by the values of a column."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtWidgets import QWidget

from core.document.studies.compare import SegmentsResult
from core.questions.compare import Segments
from core.questions.suggestions import columns_that_group
from gui.pages.compare.dialogs.study_dialog import StudyDialog
from gui.session.session import Session

DRAWS = 500


class SegmentsDialog(StudyDialog):
    """Choose a column: the table has a row per group, the chart a line."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(
            session,
            "By group of cases",
            (
                "Every figure in each group of a column. A group's interval is its own; the more "
                "groups, the more of them look unlike the whole by chance."
            ),
            parent,
        )
        self.resize(980, 640)
        self.form = self.add_form(Segments, ("column", "metric", "chart"))
        self._shown: tuple[Segments, SegmentsResult] | None = None
        self.refresh()

    def refresh(self) -> None:
        """Ask for the groups of the column chosen; its answer has every figure."""
        if not columns_that_group(self.session.form_context()):
            self.begin()
            self.say("The data have no column that could make groups.")
            return
        question: Segments = self.form.question(resamples=DRAWS)
        if self._shown is not None and not self.is_stale:
            asked, answer = self._shown
            if replace(asked, metric=question.metric) == question:
                self._take(question, replace(answer, metric=question.metric))
                return
        self.begin()
        self._shown = None
        self.put(question, lambda answer: self._take(question, answer))

    def _take(self, question: Segments, answer: SegmentsResult) -> None:
        self._shown = question, answer
        self.show_answer(question, answer)
