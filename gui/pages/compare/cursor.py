"""The cursor in the header of page Compare: its depth as a field, what stands there in words."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt

from core.document.results import CursorReading, ModelDepths, ModelProfit
from core.presentation.charts.depths import (
    is_rising,
    ranking_of_model,
    score_words,
    threshold_words,
    value_at,
)
from gui.pages.page import PageHeader
from gui.session.session import Session
from gui.widgets import ElidedLabel, NumberField
from gui.widgets.labels import whole_parts
from payoff.counting import counted


class HeaderCursor(QObject):
    """Moves the session's cursor and says where it is."""

    def __init__(self, session: Session, header: PageHeader) -> None:
        super().__init__(header)
        self._session = session
        self._is_typing = False
        self.field = NumberField(
            0.0, decimals=1, minimum=0.0, maximum=1.0, unit="%", factor=100.0, step=1.0
        )
        self.field.setFixedWidth(76)
        self.words = ElidedLabel("", "quiet", mode=Qt.TextElideMode.ElideRight)
        self.words.setMinimumWidth(40)
        help_text = (
            "The share of the cases that is acted on, best first by the reference model, how many "
            "cases that is, and the score of the last of them."
        )
        self.field.setWhatsThis(help_text)
        self.words.setWhatsThis(help_text)
        self.field.setAccessibleName("Depth of the cursor in percent")
        header.add_left(self.field, "Cursor")
        header.left.addWidget(self.words, 1)
        self.field.value_changed.connect(self._type)
        self.field.value_committed.connect(self._commit_typing)

    def show_depth(self, depth: float, exact: CursorReading | None) -> None:
        """Show the depth, with what the engine has read there; no words of former results."""
        results = self._session.results
        has_any = results.evaluation is not None or results.decisions is not None
        self.field.set_value(depth)
        self.field.setEnabled(has_any)
        is_now = results.evaluation_is_fresh and results.decisions_are_fresh
        words = self._words_at(depth, exact) if has_any and is_now else ""
        self.words.set_full_text(words, *whole_parts(words))

    def _words_at(self, depth: float, exact: CursorReading | None) -> str:
        """Cases and threshold at the cursor: exact where the engine has read it, else the curve."""
        document, decisions = self._session.project.document, self._session.results.decisions
        chosen = self._session.results.chosen_profit()
        entry = chosen if chosen is not None else self._ranking()
        if entry is None:
            return ""
        cases = value_at(entry.depth, entry.cases, depth)
        threshold = value_at(entry.depth, entry.threshold, depth)
        if exact is not None and abs(exact.depth - depth) <= 1e-12 and entry.model in exact.models:
            row = exact.models.index(entry.model)
            cases, threshold = float(exact.cases[row]), float(exact.threshold[row])
        text = counted(cases, *document.row_word)
        is_probability = document.target is not None and len(document.target.levels) == 2
        if chosen is not None and decisions is not None:
            is_probability = decisions.threshold_kind != "advantage"
        words = ""
        if not entry.has_probabilities:
            words = score_words(threshold, is_upper=is_rising(entry.threshold))
        elif is_probability:
            words = threshold_words(threshold, is_upper=is_rising(entry.threshold))
        return f"{text}, {words}" if words else text

    def _ranking(self) -> ModelProfit | ModelDepths | None:
        """How the reference model orders the cases, where no profit says it."""
        evaluation = self._session.results.evaluation
        reference = self._session.project.document.reference_model or ""
        return ranking_of_model(evaluation, reference) if evaluation is not None else None

    def _type(self, depth: float) -> None:
        self._is_typing = True
        self._session.results.move_cursor(depth)

    def _commit_typing(self, _depth: float) -> None:
        """Leaving the field ends a move that was typed; passing through it moves nothing."""
        if self._is_typing:
            self._is_typing = False
            self._session.results.move_cursor(self._session.results.cursor_depth, finished=True)
