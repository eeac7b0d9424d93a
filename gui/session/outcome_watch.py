"""Rows without an outcome: whether the document waits for a word on them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from core.document.commands import Command
from core.document.data.model import MissingOutcomes
from core.document.model import Document, Role
from core.document.uplift.commands import own_outcome
from gui.session.request import Request

if TYPE_CHECKING:
    from core.document.studies.data import OutcomeGaps
    from core.questions.data import RowsWithoutOutcome
    from core.questions.uplift import ExperimentGaps
    from gui.session.project import Project


class GapWatch(QObject):
    """Looks for rows without a value in an outcome, and says whether they must be asked about.

    Attributes
    ----------
    gaps : OutcomeGaps or None
        What there is to be asked about; None where nothing is.
    is_waiting : bool
        Whether no number may be asked for: rows are asked about, or still being counted.
    """

    changed = Signal()

    def __init__(self, project: Project, parent: QObject) -> None:
        super().__init__(parent)
        self._project = project
        self._request = Request(self, project)
        self._looked_at: object = None
        self.gaps: OutcomeGaps | None = None
        self.is_waiting = False

    def outcome_of(self, document: Document) -> str:
        """The column whose gaps are looked for; empty where there is none."""
        raise NotImplementedError

    def answer(self) -> Command:
        """What says that these rows may be left out."""
        raise NotImplementedError

    def _described(self, document: Document) -> MissingOutcomes:
        """What has been said of these rows."""
        raise NotImplementedError

    def _subject(self, document: Document) -> tuple[object, ...]:
        """What the count depends on."""
        raise NotImplementedError

    def _question(self) -> RowsWithoutOutcome | ExperimentGaps:
        """What the engine is asked for the count."""
        raise NotImplementedError

    def look(self, document: Document) -> None:
        """Ask the engine for the rows, unless it was asked for the same document."""
        if not self._is_open(document):
            self._looked_at = None
            self._request.cancel()
            self._take(None, is_waiting=False)
            return
        subject = self._subject(document)
        if subject == self._looked_at:
            return
        self._looked_at = subject
        self._take(None, is_waiting=True)

        def on_result(result: OutcomeGaps) -> None:
            self._take(result if result.rows else None, is_waiting=bool(result.rows))

        def on_end(_outcome: object) -> None:
            # A refusal has been said by now; what is asked for next says its own.
            if subject == self._looked_at and self.gaps is None:
                self._take(None, is_waiting=False)

        self._request.ask(
            document,
            self._question(),
            on_result=on_result,
            on_end=on_end,
            is_wanted=lambda: subject == self._looked_at,
            title="",
        )

    def _take(self, gaps: OutcomeGaps | None, *, is_waiting: bool) -> None:
        if (gaps, is_waiting) != (self.gaps, self.is_waiting):
            self.gaps, self.is_waiting = gaps, is_waiting
            self.changed.emit()

    def _is_open(self, document: Document) -> bool:
        summary, outcome = self._project.summary, self.outcome_of(document)
        if not outcome or self._described(document) is not MissingOutcomes.ASK or summary is None:
            return False
        if summary.data != document.data:
            return False
        return any(column.name == outcome and column.missing for column in summary.columns)


class OutcomeWatch(GapWatch):
    """Looks whenever another outcome of the project, file or use of rows comes."""

    def __init__(self, project: Project) -> None:
        super().__init__(project, project)
        project.document_changed.connect(self._check_now)
        project.summary_changed.connect(self._check_now)

    def _check_now(self, *_ignored: object) -> None:
        self.look(self._project.document)

    def outcome_of(self, document: Document) -> str:
        return document.target.column if document.target is not None else ""

    def answer(self) -> Command:
        from core.document.data.commands import SetMissingOutcomes

        return SetMissingOutcomes(missing_outcomes=MissingOutcomes.LEAVE_OUT)

    def _described(self, document: Document) -> MissingOutcomes:
        return document.missing_outcomes

    def _subject(self, document: Document) -> tuple[object, ...]:
        target = document.target
        levels = (target.column, target.levels) if target is not None else None
        return document.data, levels, document.split, document.column_of(Role.ROW_USE)

    def _question(self) -> RowsWithoutOutcome:
        from core.questions.data import RowsWithoutOutcome

        return RowsWithoutOutcome()


class ExperimentWatch(GapWatch):
    """Looks for rows without a value in an outcome that page Uplift has of its own.

    The page says when, and which arms it shows.
    """

    def outcome_of(self, document: Document) -> str:
        return own_outcome(document)

    def answer(self) -> Command:
        from core.document.uplift.commands import SetMissingUpliftOutcomes

        return SetMissingUpliftOutcomes(missing_outcomes=MissingOutcomes.LEAVE_OUT)

    def _described(self, document: Document) -> MissingOutcomes:
        return document.uplift.missing_outcomes

    def _subject(self, document: Document) -> tuple[object, ...]:
        spec = document.uplift
        arms = document.column_of(Role.TREATMENT), spec.treatment, spec.treated, spec.control
        outcome = spec.outcome, spec.event
        return document.data, arms, outcome, document.split, document.column_of(Role.ROW_USE)

    def _question(self) -> ExperimentGaps:
        from core.questions.uplift import ExperimentGaps

        return ExperimentGaps()
