"""A page of the window on a project, with a fake or the real engine behind it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from pytestqt.qtbot import QtBot

from core.document.model import Document
from core.document.plugin_results import PluginsResult
from core.document.results import DecisionResult, EvaluationResult, SeenRows
from core.document.training_results import DistributionsResult
from core.engine.local import LocalEngine
from core.engine.messages import Ask, TrainArguments
from core.questions.uplift import Uplift
from gui.pages.decide.widget import DecidePage
from gui.pages.models.widget import ModelsPage
from gui.pages.uplift.widget import UpliftPage
from gui.session import JobQueue
from gui.session.session import Session
from tests.helpers.answers.models import offered, summary_of
from tests.helpers.answers.synthetic import (
    make_decisions,
    make_document,
    make_evaluation,
    make_reading,
)
from tests.helpers.factories.matrices import CREDIT, MAILING, THREE_WAY
from tests.helpers.fake_engine import FakeEngine
from tests.helpers.real_engine import RealEngine


def make_session(
    document: Document | None = None,
    evaluation: EvaluationResult | None = None,
    decisions: DecisionResult | None = None,
    jobs: JobQueue | None = None,
) -> Session:
    """A session that has the mailing's document and results; its engine waits for the test."""
    session = Session(jobs or JobQueue(FakeEngine().listen))
    session.project.take_document(document or make_document())
    session.results.evaluation = evaluation or make_evaluation()
    session.results.decisions = decisions or make_decisions()
    session.results.evaluated = session.results.decided = session.project.document
    session.results.reading = make_reading(session.results.cursor_depth)
    return session


class DecideHarness:
    """A session with a mailing on it, page Decide, and an engine that answers at once."""

    def __init__(self, document: Document | None = None) -> None:
        self.engine = FakeEngine()
        self.queue = JobQueue(self.engine.listen)
        self.queue.start()
        self.session = Session(self.queue)
        self.session.project.take_document(document or make_document())
        self.session.plugins.known = PluginsResult(
            plugins=(), metrics=(), templates=(MAILING, CREDIT, THREE_WAY)
        )
        self.page = DecidePage(self.session)

    @property
    def document(self) -> Document:
        return self.session.project.document

    def show(self, result: DecisionResult | None = None, *, exact: bool = True) -> None:
        """Let a result arrive, and the exact values at the cursor."""
        space = self.session
        space.results.decisions = result or make_decisions()
        space.results.decisions_changed.emit(space.results.decisions)
        if exact:
            space.results.reading = make_reading(space.results.cursor_depth)
            space.results.reading_changed.emit(space.results.reading)

    def move(self, depth: float) -> None:
        """Drag the cursor, and let the exact values arrive."""
        self.session.results.move_cursor(depth)
        self.session.results.reading_changed.emit(make_reading(depth))


class RealDecideHarness:
    """A session with page Decide on a file, and the engine's own handlers behind it."""

    def __init__(self, engine: LocalEngine, qtbot: QtBot) -> None:
        self.qtbot = qtbot
        self.answers: list[RealEngine] = []

        def make(send: Callable[[object], None]) -> RealEngine:
            self.answers.append(RealEngine(engine, send))
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


@dataclass
class ModelsHarness:
    """Page Models, its session, and the engine that the test answers for."""

    page: ModelsPage
    session: Session
    engine: FakeEngine
    qtbot: QtBot

    def answer(self, kind: str, result: object) -> None:
        """Answer the newest request of a kind and wait until it has arrived."""
        job = self.engine.last(kind).job
        with self.qtbot.waitSignal(self.session.jobs.job_ended, timeout=2000):
            self.engine.answer(job, result)

    def progress(self, curves: object, fraction: float = 0.43) -> None:
        """Send curves of the training that was asked for last."""
        job = self.engine.last("train").job
        with self.qtbot.waitSignal(self.session.trainings.curves_changed, timeout=2000):
            self.engine.progress(job, fraction, "Growing trees", curves)

    def trained_with(self) -> TrainArguments:
        """What the last training was asked to do."""
        arguments = self.engine.last("train").arguments
        assert isinstance(arguments, TrainArguments)
        return arguments


def open_models(
    session: Session,
    engine: FakeEngine,
    qtbot: QtBot,
    document: Document,
    result: DistributionsResult | None = None,
) -> ModelsHarness:
    """Page Models on a document whose distributions have been listed."""
    session.project.take_document(document)
    session.project.summary = summary_of(document)
    trained = (entry.name for entry in document.models if entry.trained is not None)
    seen = tuple(SeenRows(model=name, how="stopped", rows=20_000) for name in trained)
    session.results.evaluation = replace(make_evaluation(), seen=seen)
    page = ModelsPage(session)
    qtbot.addWidget(page)
    page.resize(1368, 802)
    page.show()
    qtbot.waitExposed(page)
    harness = ModelsHarness(page, session, engine, qtbot)
    harness.answer("models.distributions", result or offered())
    return harness


class UpliftHarness:
    """Page Uplift, the fake engine that it asks, and the real one that knows the answers."""

    def __init__(self, session, engine, qtbot, real, document, summary) -> None:
        self.session, self.engine, self.qtbot, self.real = session, engine, qtbot, real
        session.project.take_document(document)
        session.project.summary = summary
        losses = (("binary", "bernoulli"), ("regression", "gaussian"))
        session.plugins.known = PluginsResult(
            plugins=(), metrics=(), templates=(), usual_losses=losses
        )
        self.page = UpliftPage(session)
        qtbot.addWidget(self.page)
        self.page.resize(1360, 830)
        self.page.show()
        qtbot.waitExposed(self.page)
        self.page.on_shown()

    def answer(self) -> None:
        seen = len(self.engine.of_kind("uplift.page"))
        self.qtbot.waitUntil(lambda: len(self.engine.of_kind("uplift.page")) >= max(1, seen))
        requested = self.engine.last("uplift.page")
        assert isinstance(requested.arguments.question, Uplift)
        arguments = Ask.of(requested.arguments.document, Uplift(draws=32))
        self._give(requested.job, "uplift.page", arguments)

    def next_answer(self, seen: int) -> None:
        self.qtbot.waitUntil(lambda: len(self.engine.of_kind("uplift.page")) > seen)
        self.answer()

    def ask_tab(self, tab, kind):
        """Look at a tab and answer what it asks from the real engine."""
        self.page.variants.show_tab(tab)
        self.qtbot.waitUntil(lambda: bool(self.engine.of_kind(kind)))
        requested = self.engine.last(kind)
        arguments = requested.arguments
        if kind == "uplift.metrics":
            arguments = replace(arguments, question=replace(arguments.question, draws=32))
        self._give(requested.job, kind, arguments)
        return self.page.variants.tables[tab].model()

    def _give(self, job: int, kind: str, arguments: object) -> None:
        with self.qtbot.waitSignal(self.session.jobs.job_ended, timeout=30_000):
            self.engine.answer(job, self.real.run(kind, arguments))
