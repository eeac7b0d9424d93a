"""A session with made-up results and an engine that only answers when it is told to."""

from __future__ import annotations

from core.document.model import Document
from core.document.results import DecisionResult, EvaluationResult
from gui.session import JobQueue
from gui.session.session import Session
from tests.answers.synthetic import make_decisions, make_document, make_evaluation, make_reading
from tests.gui.fakes import FakeEngine


def make_session(
    document: Document | None = None,
    evaluation: EvaluationResult | None = None,
    decisions: DecisionResult | None = None,
    jobs: JobQueue | None = None,
) -> Session:
    """A session that has the mailing's document and results."""
    session = Session(jobs or JobQueue(FakeEngine().listen))
    session.project.take_document(document or make_document())
    session.results.evaluation = evaluation or make_evaluation()
    session.results.decisions = decisions or make_decisions()
    session.results.evaluated = session.results.decided = session.project.document
    session.results.reading = make_reading(session.results.cursor_depth)
    return session
