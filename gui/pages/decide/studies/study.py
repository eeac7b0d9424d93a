"""What every study has: it asks only while it is in view, and only when something changed."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QStackedLayout, QVBoxLayout, QWidget
from shiboken6 import isValid

from core.document.decisions.knots import is_interval
from core.document.model import Document
from core.document.studies.subject import subject_of
from core.engine.messages import Lane
from gui.newest import NewestOnly
from gui.pages.decide.words import needs_chances
from gui.parts import TextLabel
from gui.workspace import Workspace

PAUSE = 120  # ms without a change before a study asks again
LEAST_HEIGHT = 290


class Study(QWidget):
    """A tab of page Decide. Fill ``body``; answer ``wish`` and ``show_answer``.

    While an answer is being worked out again the last one stays on screen; a refusal takes its
    place with its reason and remedy.

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
        self._newest = NewestOnly(self._ask)
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(PAUSE)
        self._pause.timeout.connect(self._newest.request)
        self._stack = QStackedLayout(self)
        self._stack.setContentsMargins(0, 6, 0, 0)
        self.message = TextLabel("", "quiet")
        self.message.setWordWrap(True)
        self.message.setAlignment(Qt.AlignmentFlag.AlignCenter)
        content = QWidget()
        self.body = QVBoxLayout(content)
        self.body.setContentsMargins(0, 0, 0, 0)
        self.body.setSpacing(8)
        self._stack.addWidget(self.message)
        self._stack.addWidget(content)
        self.say(self.tr("Being worked out…"))

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

    def say(self, text: str) -> None:
        """Show a sentence in place of the figures."""
        self.message.setText(text)
        self._stack.setCurrentIndex(0)

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
            self._pause.start()

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
            if not isValid(self):  # the page was closed while the engine worked
                return
            self._stack.setCurrentIndex(1)
            self._answered = source
            self.show_answer(document, answer)

        def on_error(refusal: Exception) -> None:
            if isValid(self):
                self.say(str(refusal))

        self.workspace.jobs.submit(
            self.kind,
            wish,
            lane=self.lane,
            title=self.job_title,
            on_result=on_result,
            on_error=on_error,
            on_end=lambda _outcome: done() if isValid(self) else None,
        )
