"""Rows without an outcome: whether the document waits for a word on them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from core.document.data.missing_outcomes import MissingOutcomes
from core.document.model import Document, Role

if TYPE_CHECKING:
    from core.document.studies.looking import OutcomeGaps
    from gui.results import DocumentResults


class OutcomeWatch(QObject):
    """Looks for such rows whenever another outcome, file or use of rows comes.

    Attributes
    ----------
    gaps : OutcomeGaps or None
        What there is to be asked about; None where nothing is.
    is_waiting : bool
        Whether no number may be asked for: rows are asked about, or still being counted.
    """

    changed = Signal()

    def __init__(self, workspace: DocumentResults) -> None:
        super().__init__(workspace)
        self._workspace = workspace
        self._looked_at: object = None
        self.gaps: OutcomeGaps | None = None
        self.is_waiting = False
        workspace.document_changed.connect(self._look)
        workspace.summary_changed.connect(self._look)

    def _look(self, *_ignored: object) -> None:
        """Ask the engine for the rows, unless it was asked for the same document."""
        document = self._workspace.document
        if not self._is_open(document):
            self._looked_at = None
            self._take(None, is_waiting=False)
            return
        subject = _subject(document)
        if subject == self._looked_at:
            return
        self._looked_at = subject
        self._take(None, is_waiting=True)

        def on_result(result: object) -> None:
            from core.document.studies.looking import OutcomeGaps

            if isinstance(result, OutcomeGaps) and subject == self._looked_at:
                self._take(result if result.rows else None, is_waiting=bool(result.rows))

        def on_end(_outcome: object) -> None:
            # A refusal has been said by now; what is asked for next says its own.
            if subject == self._looked_at and self.gaps is None:
                self._take(None, is_waiting=False)

        self._workspace.request_outcome_gaps(on_result, on_end)

    def _take(self, gaps: OutcomeGaps | None, *, is_waiting: bool) -> None:
        if (gaps, is_waiting) != (self.gaps, self.is_waiting):
            self.gaps, self.is_waiting = gaps, is_waiting
            self.changed.emit()

    def _is_open(self, document: Document) -> bool:
        summary = self._workspace.summary
        if document.missing_outcomes is not MissingOutcomes.ASK or summary is None:
            return False
        if document.target is None or summary.data != document.data:
            return False
        outcome = document.target.column
        return any(column.name == outcome and column.missing for column in summary.columns)


def _subject(document: Document) -> tuple[object, ...]:
    """What the count depends on."""
    target = document.target
    levels = (target.column, target.levels) if target is not None else None
    return document.data, levels, document.split, document.column_of(Role.ROW_USE)
