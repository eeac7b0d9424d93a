"""A workspace with made-up results and an engine that only answers when it is told to."""

from __future__ import annotations

from core.document.model import Document
from core.document.results import DecisionResult, EvaluationResult
from gui.session import JobQueue
from gui.session.session import Session
from tests.gui.fakes import FakeEngine
from tests.gui.synthetic import make_decisions, make_document, make_evaluation, make_reading


def make_workspace(
    document: Document | None = None,
    evaluation: EvaluationResult | None = None,
    decisions: DecisionResult | None = None,
    jobs: JobQueue | None = None,
) -> Session:
    """A workspace that has the mailing's document and results."""
    workspace = Session(jobs or JobQueue(FakeEngine().listen))
    workspace.project.take_document(document or make_document())
    workspace.results.evaluation = evaluation or make_evaluation()
    workspace.results.decisions = decisions or make_decisions()
    workspace.results.reading = make_reading(workspace.results.cursor_depth)
    return workspace
