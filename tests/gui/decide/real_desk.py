"""Page Decide with the engine's own handlers behind it, in this process."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from pytestqt.qtbot import QtBot

from core.document.model import Document
from core.engine.local import LocalEngine
from core.engine.messages import JobOutcome, JobState
from core.questions.lanes import Lane
from gui.pages.decide.widget import DecidePage
from gui.session import JobQueue
from gui.session.session import Session

LEFT_OUT = (
    "compare.models",
    "decide.resamples",
    "explain.model",
)  # what other pages and bars ask, and is not shown


class LocalAnswers:
    """Has the face of EngineClient; jobs run at once, their outcomes arrive as events."""

    def __init__(self, engine: LocalEngine, send: Callable[[object], None]) -> None:
        self.engine = engine
        self.send = send
        self.jobs = 0
        self.left_out: tuple[str, ...] = LEFT_OUT
        self.failed: list[tuple[str, Exception]] = []

    def start(self) -> None:
        """It runs already."""

    def submit(self, kind: str, arguments: object, lane: Lane = Lane.LONG, title: str = "") -> int:
        self.jobs += 1
        if kind in self.left_out:
            self.send(JobOutcome(job=self.jobs, state=JobState.CANCELLED))
            return self.jobs
        try:
            result = self.engine.run(kind, arguments)
        except Exception as error:
            self.failed.append((kind, error))
            self.send(JobOutcome(job=self.jobs, state=JobState.FAILED, error=error))
        else:
            self.send(JobOutcome(job=self.jobs, state=JobState.DONE, result=result))
        return self.jobs

    def cancel(self, job: int) -> None:
        """Nothing runs by the time it could be cancelled."""

    def shutdown(self) -> None:
        """Others go on with the engine."""


class RealDesk:
    """A session with page Decide on a file."""

    def __init__(self, engine: LocalEngine, qtbot: QtBot) -> None:
        self.qtbot = qtbot
        self.answers: list[LocalAnswers] = []

        def make(send: Callable[[object], None]) -> LocalAnswers:
            self.answers.append(LocalAnswers(engine, send))
            return self.answers[0]

        self.queue = JobQueue(make)
        self.queue.start()
        self.session = Session(self.queue)
        self.messages: list[object] = []
        self.session.project.message_posted.connect(self.messages.append)
        self.page = DecidePage(self.session)
        qtbot.addWidget(self.page)
        self.page.resize(1368, 802)

    def open(self, path: str | Path) -> None:
        """Open a file and wait for what follows."""
        self.session.files.open_data(str(path))
        self.settle()

    def take(self, document: Document) -> None:
        """Open a project of a file, its data included, and wait for what follows."""
        assert document.data is not None
        self.session.project.take_document(document)
        self.session.files.load_summary(document.data)
        self.settle()

    def settle(self) -> None:
        """Wait until everything asked for has come in."""
        self.qtbot.waitUntil(lambda: self.session.results.is_settled)

    @property
    def said(self) -> str:
        """Everything that was posted, one line each."""
        return "\n".join(str(message) for message in self.messages)
