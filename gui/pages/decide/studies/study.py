"""What every study has: it asks only while it is in view, and only when something changed."""

from __future__ import annotations

from typing import Any, Literal

from PySide6.QtCore import Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QStackedLayout, QVBoxLayout, QWidget

from core.document.model import Document
from core.engine.messages import Ask, JobOutcome
from core.presentation.labels import Labels
from core.presentation.making_views import show
from core.presentation.view import Action, View
from core.questions.question import Question
from gui.charts.view_widget import ViewWidget
from gui.pages.decide.words import needs_probabilities
from gui.pages.report.parts import ReportPart
from gui.pauses import PAUSES
from gui.session.request import NotFinishedError, Request
from gui.session.session import Session
from gui.widgets import TextLabel
from gui.widgets.card_column import CardColumn, scrolling
from gui.widgets.veil import Veil

LEAST_HEIGHT = 290


class Study(QWidget):
    """A tab of page Decide. Fill ``body``; answer ``request_for`` and ``show_answer``.

    While an answer is being worked out again the last one stays on screen, greyed; other data take
    it away. A refusal takes its place with its reason and remedy.

    Attributes
    ----------
    asks : type of Question
        What ``request_for`` returns one of.
    panel : ViewWidget
        Of studies that ``add_panel``.
    least_height : int
        Pixels below which what is shown scrolls.
    fills_page : bool
        Whether it has use for a whole page: a chart or a list that grows with its room.
    """

    asks: type[Question[Any]]
    panel: ViewWidget
    least_height = LEAST_HEIGHT
    fills_page = True

    @property
    def pause(self) -> int:
        """Milliseconds without a change before it asks again."""
        return PAUSES.study

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self._requested: Ask[Question[Any]] | None = None
        self._shown: Ask[Question[Any]] | None = None  # what the answer shown was asked of
        self.answer: Any = None  # the one that is shown
        self.view: View | None = None  # of the answer, where the question names its view
        self._request = Request(self, session.project, self._ask, pause=self.pause)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 6, 0, 0)
        self._stack = QStackedLayout()
        self.message = TextLabel("", "quiet")
        self.message.setWordWrap(True)
        self.message.setAlignment(Qt.AlignmentFlag.AlignCenter)
        content = self._content = CardColumn(gives_way=True)
        content.setMinimumHeight(self.least_height)
        self.body = QVBoxLayout(content)
        self.body.setContentsMargins(0, 0, 0, 0)
        self.body.setSpacing(8)
        self.problem = TextLabel("", "error", wraps=True)
        self.problem.hide()
        column.addWidget(self.problem)
        column.addLayout(self._stack, 1)
        self._stack.addWidget(self.message)
        self._stack.addWidget(scrolling(content))
        self._veil = Veil(content)
        self.say("Being worked out…")
        session.project.data_changed.connect(self._leave_data)
        session.project.document_changed.connect(self._show_freshness)

    # ------------------------------------------------------------ for subclasses

    def title(self) -> str:
        """The words on the tab."""
        raise NotImplementedError

    def request_for(self, document: Document) -> Question[Any] | None:
        """What to ask the engine of a document; None (after ``say``) where there is nothing."""
        raise NotImplementedError

    def show_answer(self, document: Document, answer: Any) -> None:
        """Show an answer to the wish of a document: ``panel`` shows what the question names."""
        assert self._shown is not None
        self.answer = answer
        labels = Labels.of(document, self.session.results.decisions)
        self.view = show(self._shown.question, answer, labels)
        self.panel.show_view(self.view)

    def add_panel(
        self,
        side: Literal["left", "right"],
        width: int = 0,
        *,
        share: int = 1,
        spreads: bool = False,
    ) -> None:
        """Show answers by their views; as ``ViewWidget``."""
        self.panel = ViewWidget(side, width, share=share, spreads=spreads)
        self.panel.refused.connect(self.session.project.post)
        self.panel.acted.connect(self._on_action)
        self.body.addWidget(self.panel, 1)

    def _on_action(self, action: Action) -> None:
        if action.name == "move_cursor":
            self.session.results.move_cursor(action.value, finished=True)

    def report_parts(self) -> tuple[ReportPart, ...]:
        """What can be put on the report: the view, while its answer is of the present document."""
        view = self.view
        if view is None or not self.is_current:
            return ()
        title, charts = self.asks.facts.title, tuple(self.panel.charts)
        return (ReportPart(key=view.key, title=title, answered=lambda: view, charts=charts),)

    def forget(self) -> None:
        """Take back what the user set for other data, where a study has something to set."""

    def say(self, text: str) -> None:
        """Show a sentence in place of the figures."""
        self.message.setText(text)
        self._stack.setCurrentIndex(0)
        self._shown = self.view = self.answer = None
        self.problem.hide()

    def refuse(self, text: str) -> None:
        """Say why there is no answer; what was set here stays in reach, so that it can be mended.

        The figures stay, greyed, where only what was set here is refused; else they go.
        """
        if self._stack.currentIndex() == 0 or not self.is_current:
            self.say(text)
            return
        self.problem.setText(text)
        self.problem.show()
        self._veil.words = "Of what was asked before"
        self._show_freshness()

    @property
    def is_current(self) -> bool:
        """Whether what is shown was worked out from the present document."""
        shown = self._shown
        return shown is not None and shown == Ask.of(self.session.project.document, shown.question)

    # ------------------------------------------------------------ asking

    def refresh(self) -> None:
        """Ask again if what the answer depends on has changed. Out of view: once it is shown."""
        if not self.isVisible():
            return
        requested = self._question()
        if requested is None:
            self._requested = None
        elif requested != self._requested:
            self._requested = requested
            self.problem.hide()
            self._veil.words = "Being worked out…"
            self._request.renew_later()
        self._show_freshness()

    def _question(self) -> Ask[Question[Any]] | None:
        """The wish of the present document, with what it reads; None (after ``say``) for none."""
        document = self._document()
        request = self.request_for(document) if document is not None else None
        return None if document is None or request is None else Ask.of(document, request)

    def _leave_data(self) -> None:
        """The figures are of other data, and so is what was chosen beside them."""
        self._requested = None
        self.forget()
        self.say("Being worked out…")

    def _show_freshness(self, _sent: object = None) -> None:
        """Grey figures of another document, or of another question, than there is."""
        shown = self._shown
        is_stale = shown is not None and not (self.is_current and self._requested in (None, shown))
        at_once = shown is not None and self._is_of_others(shown)
        self._veil.draw(is_stale, at_once=at_once)

    def _is_of_others(self, shown: Ask[Question[Any]]) -> bool:
        """Whether an answer is of other data, another outcome or other models than there are."""
        now = Ask.of(self.session.project.document, shown.question).document
        then = shown.document
        return (then.data, then.target, then.models) != (now.data, now.target, now.models)

    def _document(self) -> Document | None:
        """The document with the models that say chances; None (after ``say``) where the chosen
        one only ranks, or where the project lacks what the question needs.
        """
        document = self.session.project.document
        refusal = self.asks.why_not(document)
        reason = needs_probabilities(document) or ("" if refusal is None else str(refusal))
        if reason:
            self.say(reason)
            return None
        return document.without_rankers()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    def _ask(self) -> None:
        requested = self._question()
        if requested is None:
            return
        self._requested = requested
        document = self.session.project.document.without_rankers()
        is_refused = False

        def is_wanted() -> bool:
            return (
                requested
                == self._requested
                == Ask.of(self.session.project.document, requested.question)
            )

        def on_result(answer: Any) -> None:
            self._stack.setCurrentIndex(1)
            self.problem.hide()
            self._shown = requested
            self.show_answer(document, answer)
            self._show_freshness()

        def on_error(refusal: Exception) -> None:
            nonlocal is_refused
            is_refused = True
            if not isinstance(refusal, NotFinishedError):
                self.refuse(str(refusal))
            elif requested != self._shown:
                self.say(str(refusal))

        def on_end(_outcome: JobOutcome) -> None:
            if self._requested == requested != self._shown and not is_refused:
                self._requested = None  # its answer was not taken: asked again when it is looked at

        self._request.ask(
            document,
            requested.question,
            on_result=on_result,
            on_error=on_error,
            on_end=on_end,
            is_wanted=is_wanted,
        )
