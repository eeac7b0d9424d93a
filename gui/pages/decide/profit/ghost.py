"""The former totals: what the rule brought before its numbers were changed, kept as a ghost."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QSize, Signal
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QWidget

from core.document.model import Document
from core.document.views import DECISION
from core.presentation.decide.numbers import ghost_words
from core.presentation.labels import Labels
from gui.pauses import PAUSES
from gui.session.request import Request
from gui.session.session import Session
from gui.theme import icon
from gui.widgets import TextLabel

if TYPE_CHECKING:
    from core.document.results import DecisionResult
    from core.document.studies.moving_numbers import RuleChangeResult


class Ghost(QObject):
    """Remembers totals and document from before an editing of the rule's numbers began.

    Changes of one undo step, and those that follow before their totals are there, are one editing.
    It goes with other data, models or rows, with undo, and when the former numbers are back.
    """

    changed = Signal()  # there is a ghost, there is none, or more is known of it

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.former: DecisionResult | None = None
        self._document: Document | None = None  # what the former totals are of
        self._step: Document | None = None  # before the undo step that is being made
        self._change: RuleChangeResult | None = None
        self._request = Request(self, session.project, self._send, pause=PAUSES.ghost)
        session.project.data_changed.connect(self.leave)
        session.project.change_reported.connect(self._follow)
        session.results.decisions_changed.connect(self._on_totals)

    @property
    def words(self) -> str:
        """What has changed since, in a few words; empty without a ghost or its totals."""
        results = self._session.results
        if self.former is None or results.decisions is None:
            return ""
        document = self._session.project.document
        labels = Labels.of(document, results.decisions)
        return ghost_words(
            self.former,
            results.decisions,
            self._change,
            labels,
            is_elsewhere=document.cursor_depth is not None,
        )

    def leave(self) -> None:
        """Take the ghost away."""
        self._request.cancel()
        self._step = None
        if self._document is not None:
            self._document = self.former = self._change = None
            self.changed.emit()

    def _follow(self, before: Document) -> None:
        """Begin with an editing, go on with it, or end where it says nothing any more."""
        project = self._session.project
        now = DECISION.of(project.document)
        if now == DECISION.of(before):
            return
        is_undone = project.history.redo_label is not None
        if is_undone or not _is_edit(DECISION.of(before), now):
            self.leave()
            return
        step = project.history.before
        if step is not self._step or self._document is None:
            self._step = step
            self._begin(before)
        if self._document is not None and DECISION.of(self._document) == now:
            self.leave()

    def _begin(self, before: Document) -> None:
        """Keep the totals on screen, if they are of the state before; else the editing goes on."""
        results = self._session.results
        decided = results.decided
        if decided is None or DECISION.of(decided) != DECISION.of(before):
            return
        self._document, self.former, self._change = before, results.decisions, None
        self.changed.emit()

    def _on_totals(self, totals: DecisionResult | None) -> None:
        if self._document is None:
            return
        if totals is None or totals.models == ():
            self.leave()
            return
        self._change = None
        self.changed.emit()
        self._request.renew_later()

    def _send(self) -> None:
        from core.questions.decide import RuleChange

        former, document = self._document, self._session.project.document
        if former is None or former.matrix is None or not self._session.results.decisions_are_fresh:
            return

        def on_result(answer: RuleChangeResult) -> None:
            self._change = answer
            self.changed.emit()

        self._request.ask(
            document.without_rankers(),
            RuleChange(matrix=former.matrix, priors=former.priors),
            on_result=on_result,
            on_error=lambda _refusal: self.leave(),  # they cannot be compared
            is_wanted=lambda: former is self._document,
        )


def _is_edit(before: Document, now: Document) -> bool:
    """Whether nothing but numbers of the rule differ: cells, costs, parameters, shares."""
    if before.matrix is None or now.matrix is None or now.matrix.kind is not before.matrix.kind:
        return False
    names = (before.matrix.levels, before.matrix.decisions, before.matrix.acting)
    if names != (now.matrix.levels, now.matrix.decisions, now.matrix.acting):
        return False
    return replace(before, matrix=now.matrix, priors=now.priors) == now


class GhostBar(QWidget):
    """The words of a ghost, and the button that takes it away."""

    def __init__(self, ghost: Ghost, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._ghost = ghost
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        self.words = TextLabel("")
        self.words.setToolTip("Beside the dotted line: the rule before its numbers were changed")
        self.close_button = QToolButton()
        self.close_button.setIcon(icon("close", "quiet"))
        self.close_button.setIconSize(QSize(12, 12))
        self.close_button.setFixedSize(20, 20)
        self.close_button.setToolTip("Take the former line away (Esc)")
        self.close_button.setAccessibleName("Take the former line away")
        self.close_button.clicked.connect(ghost.leave)
        row.addWidget(self.words)
        row.addWidget(self.close_button)
        self.hide()

    def refresh(self) -> None:
        """Say what there is to say."""
        self.words.setText(self._ghost.words)
        self.setVisible(self._ghost.former is not None)
