"""What every study has: it asks only while it is in view, and only when something changed."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QStackedLayout, QVBoxLayout, QWidget

from core.document.decisions.knots import is_interval
from core.document.model import Document
from core.document.studies.subject import subject_of
from core.engine.messages import JobOutcome, JobState, Lane
from gui.jobs.terms import Terms
from gui.newest import NewestOnly
from gui.pages.decide.words import needs_chances
from gui.parts import TextLabel
from gui.parts.veil import Veil
from gui.results import reason_of
from gui.workspace import Workspace

PAUSE = 120  # ms without a change before a study asks again
LEAST_HEIGHT = 290


class Study(QWidget):
    """A tab of page Decide. Fill ``body``; answer ``wish`` and ``show_answer``.

    While an answer is being worked out again the last one stays on screen, greyed; other data take
    it away. A refusal takes its place with its reason and remedy.

    Attributes
    ----------
    kind : str
        Job kind of the engine that answers ``wish``.
    job_title : str
        The line in the jobs strip; empty = too quick to be listed.
    lane : Lane
    serves_numbers : bool
        Whether it can answer for a number as the outcome; elsewhere such a project is told why not.
    """

    kind = ""
    job_title = ""
    lane = Lane.LONG
    serves_numbers = False

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.workspace = workspace
        self.setMinimumHeight(LEAST_HEIGHT)
        self._asked: object = None
        self._answered: Document | None = None  # what the answer shown was asked of
        self._answer_of: object = None  # the wish that it answers
        self._newest = NewestOnly(self._ask)
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(PAUSE)
        self._pause.timeout.connect(self._newest.request)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 6, 0, 0)
        self._stack = QStackedLayout()
        self.message = TextLabel("", "quiet")
        self.message.setWordWrap(True)
        self.message.setAlignment(Qt.AlignmentFlag.AlignCenter)
        content = QWidget()
        self.body = QVBoxLayout(content)
        self.body.setContentsMargins(0, 0, 0, 0)
        self.body.setSpacing(8)
        self.problem = TextLabel("", "error", wraps=True)
        self.problem.hide()
        column.addWidget(self.problem)
        column.addLayout(self._stack, 1)
        self._stack.addWidget(self.message)
        self._stack.addWidget(content)
        self._veil = Veil(content)
        self.say(self.tr("Being worked out…"))
        workspace.data_changed.connect(self._leave_data)
        workspace.document_changed.connect(self._show_freshness)

    # ------------------------------------------------------------ for subclasses

    def title(self) -> str:
        """The words on the tab."""
        raise NotImplementedError

    def wish(self, document: Document) -> object | None:
        """What to ask the engine of a document; None (after ``say``) where there is nothing."""
        raise NotImplementedError

    def show_answer(self, document: Document, answer: object) -> None:
        """Show an answer to the wish of a document."""
        raise NotImplementedError

    def forget(self) -> None:
        """Take back what the user set for other data, where a study has something to set."""

    def say(self, text: str) -> None:
        """Show a sentence in place of the figures."""
        self.message.setText(text)
        self._stack.setCurrentIndex(0)
        self.problem.hide()
        self._answered = self._answer_of = None

    def refuse(self, text: str) -> None:
        """Say why there is no answer; what was set here stays in reach, so that it can be mended.

        The figures stay, greyed, where only what was set here is refused; else they go.
        """
        if self._stack.currentIndex() == 0 or not self.is_current:
            self.say(text)
            return
        self.problem.setText(text)
        self.problem.show()
        self._veil.words = self.tr("Of what was asked before")
        self._show_freshness()

    @property
    def is_current(self) -> bool:
        """Whether what is shown was worked out from the present document."""
        return self._answered == subject_of(self.workspace.document)

    # ------------------------------------------------------------ asking

    def refresh(self) -> None:
        """Ask again if what the answer depends on has changed. Out of view: once it is shown."""
        if not self.isVisible():
            return
        document = self._document()
        wish = self.wish(document) if document is not None else None
        if wish is None:
            self._asked = None
        elif wish != self._asked:
            self._asked = wish
            self.problem.hide()
            self._veil.words = self.tr("Being worked out…")
            self._pause.start()
        self._show_freshness()

    def _leave_data(self) -> None:
        """The figures are of other data, and so is what was chosen beside them."""
        self._asked = None
        self.forget()
        self.say(self.tr("Being worked out…"))

    def _show_freshness(self, _sent: object = None) -> None:
        """Grey figures of another document, or of another question, than there is."""
        is_shown = self._answered is not None
        is_stale = is_shown and not (self.is_current and self._asked in (None, self._answer_of))
        at_once = self.workspace.is_of_other_models(self._answered)
        self._veil.draw(is_stale, at_once=at_once)

    def _document(self) -> Document | None:
        """The document with the models that say chances; None (after ``say``) where the chosen
        one only ranks, or where the outcome is a number and this study is about classes.
        """
        document = self.workspace.document
        reason = needs_chances(document)
        if is_interval(document) and not self.serves_numbers:
            reason = self.tr("For classes only: here the outcome is a number.")
        if reason:
            self.say(reason)
            return None
        return document.without_rankers()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    def _ask(self, done: Callable[[], None]) -> None:
        document = self._document()
        wish = self.wish(document) if document is not None else None
        if document is None or wish is None:
            done()
            return
        self._asked = wish
        source = subject_of(self.workspace.document)

        def on_result(answer: object) -> None:
            self._stack.setCurrentIndex(1)
            self.problem.hide()
            self._answered, self._answer_of = source, wish
            self.show_answer(document, answer)
            self._show_freshness()

        def on_end(outcome: JobOutcome) -> None:
            is_stopped = outcome.state is JobState.CANCELLED and not self._newest.is_wanted
            if is_stopped and self._asked == wish != self._answer_of:
                self.say(reason_of(outcome))
            done()

        self.workspace.jobs.submit(
            self.kind,
            wish,
            lane=self.lane,
            title=self.job_title,
            on_result=on_result,
            on_error=lambda refusal: self.refuse(str(refusal)),
            on_end=on_end,
            terms=Terms(self, lambda: wish == self._asked),
        )
