"""What trained models use: asked of the engine once for each, and kept by the model's content."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from core.document.model import TrainedModel
from gui.session.request import Request

if TYPE_CHECKING:
    from core.document.training_results import ExplainResult
    from gui.session.project import Project

Key = tuple[str, int]
"""What a model's use of its inputs depends on: its file, and how many of its trees count."""


class Influence(QObject):
    """Shares of the inputs of a project's trained models."""

    changed = Signal(str)  # what a model uses has been worked out, or was refused

    def __init__(self, project: Project) -> None:
        super().__init__(project)
        self._project = project
        self._known: dict[Key, tuple[tuple[str, float], ...]] = {}
        self._refusals: dict[Key, str] = {}
        self._requested: set[Key] = set()
        project.data_changed.connect(self._leave_data)

    def _leave_data(self) -> None:
        """What failed with other data may be asked again."""
        self._requested = set(self._known)
        self._refusals.clear()

    def shares(self, name: str, *, asks: bool) -> tuple[tuple[str, float], ...] | None:
        """Shares of a trained model's inputs, summing to 1; asked of the engine the first time.

        None until it has answered; ``changed`` tells when. ``asks``: whether somebody looks, so
        that the engine is asked at all.
        """
        trained = self._project.document.trained_model(name)
        if trained is None:
            return None
        key = _key_of(trained)
        if asks and key not in self._known and key not in self._requested:
            self._requested.add(key)
            self._refusals.pop(key, None)
            self._ask(name, key)
        return self._known.get(key)

    def _ask(self, name: str, key: Key) -> None:
        from core.questions import explain

        def on_error(refusal: Exception) -> None:
            self._project.post(refusal)
            self._refusals[key] = str(refusal)
            self.changed.emit(name)

        Request(self, self._project).ask(
            self._project.document,
            explain.Explain(model=name),
            on_result=lambda result: self._take(key, result),
            on_error=on_error,
            is_wanted=lambda: True,  # it is kept by the content of the model
        )

    def refusal(self, name: str) -> str:
        """Why it is not known what a trained model uses; empty while it may still come."""
        trained = self._project.document.trained_model(name)
        return self._refusals.get(_key_of(trained), "") if trained else ""

    def take(self, trained: TrainedModel, result: ExplainResult) -> None:
        """Keep what an explanation says about a model's inputs."""
        self._take(_key_of(trained), result)

    def _take(self, key: Key, result: ExplainResult) -> None:
        shares = tuple((entry.column, entry.influence / 100) for entry in result.influence)
        self._known[key] = shares
        self.changed.emit(result.model)


def _key_of(trained: TrainedModel) -> Key:
    return trained.model_hash, trained.trees_used
