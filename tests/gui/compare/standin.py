"""A workspace with made-up results and an engine that never answers."""

from __future__ import annotations

from collections.abc import Callable

from core.document.model import Document
from core.document.results import DecisionResult, EvaluationResult
from core.engine.messages import Lane
from gui.jobs import JobQueue
from gui.workspace import Workspace
from tests.gui.synthetic import make_decisions, make_document, make_evaluation, make_reading


class SilentEngine:
    """Takes jobs and keeps them; tests answer themselves."""

    def __init__(self, on_event: Callable[[object], None]) -> None:
        self.on_event = on_event
        self.submitted: list[tuple[str, object]] = []

    def start(self) -> None:
        """Nothing to start."""

    def submit(self, kind: str, arguments: object, lane: Lane = Lane.LONG, title: str = "") -> int:
        self.submitted.append((kind, arguments))
        return len(self.submitted)

    def cancel(self, job: int) -> None:
        """Nothing runs."""

    def shutdown(self) -> None:
        """Nothing to end."""


def make_workspace(
    document: Document | None = None,
    evaluation: EvaluationResult | None = None,
    decisions: DecisionResult | None = None,
) -> Workspace:
    """A workspace that has the mailing's document and results."""
    workspace = Workspace(JobQueue(SilentEngine))
    workspace.take_document(document or make_document())
    workspace.evaluation = evaluation or make_evaluation()
    workspace.decisions = decisions or make_decisions()
    workspace.reading = make_reading(workspace.cursor_depth)
    return workspace
