"""Page Models on an engine that answers when the test says so."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest
from pytestqt.qtbot import QtBot

from core.document.model import Document
from core.document.results import SeenRows
from core.document.training_results import DistributionsResult
from core.engine.messages import TrainArguments
from gui.pages.models.widget import ModelsPage
from gui.session.session import Session
from tests.answers.models import document_with_inputs, offered, summary_of
from tests.answers.synthetic import make_evaluation
from tests.gui.fakes import FakeEngine


@dataclass
class Harness:
    """The page, what it stands on, and the engine behind it."""

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


def make_bench(
    session: Session,
    engine: FakeEngine,
    qtbot: QtBot,
    document: Document,
    result: DistributionsResult | None = None,
) -> Harness:
    """A page on a document whose distributions have been listed."""
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
    harness = Harness(page, session, engine, qtbot)
    harness.answer("models.distributions", result or offered())
    return harness


@pytest.fixture
def harness(session: Session, engine: FakeEngine, qtbot: QtBot) -> Harness:
    """Three imported models, none trained here yet."""
    return make_bench(session, engine, qtbot, document_with_inputs(has_trained=False))


@pytest.fixture
def trained_bench(session: Session, engine: FakeEngine, qtbot: QtBot) -> Harness:
    """A trained model beside the imported ones."""
    return make_bench(session, engine, qtbot, document_with_inputs())
