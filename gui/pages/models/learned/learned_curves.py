"""How finished models learned: asked of the engine once for each, whatever trees are used."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from core.document.studies.tree_numbers import LearnedResult, TreeChoice
from core.engine.messages import Ask
from core.questions.explain import TreeNumbers
from gui.session.request import Request
from gui.session.session import Session


class LearnedCurves(QObject):
    """Answers by what they depend on, so that a drag only looks them up."""

    changed = Signal(str)  # name of the model

    def __init__(self, session: Session, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._request = Request(self, session.project)
        self._answers: dict[Ask[TreeNumbers], LearnedResult] = {}
        self._refusals: dict[Ask[TreeNumbers], str] = {}
        self._asked: Ask[TreeNumbers] | None = None

    def answer(self, model: str) -> LearnedResult | None:
        """What is known of a model; None while it is not."""
        return self._answers.get(self._key(model))

    def choices(self, model: str) -> tuple[TreeChoice, ...]:
        """What every rule chooses, once it is known."""
        found = self.answer(model)
        return found.choices if found is not None else ()

    def refusal(self, model: str) -> str:
        """Why nothing is known of a model; empty while it may still come."""
        return self._refusals.get(self._key(model), "")

    def ask(self, model: str, *, is_looked_at: bool) -> None:
        """Ask for a model that is looked at, unless that is known or under way."""
        key = self._key(model)
        is_known = key in self._answers or key in self._refusals
        if not is_looked_at or is_known or (key == self._asked and self._request.is_under_way):
            return
        self._asked = key

        def on_result(result: LearnedResult) -> None:
            self._answers[key] = result
            self._session.trainings.take_curves(model, result.curves)
            self.changed.emit(model)

        def on_error(refusal: Exception) -> None:
            self._refusals[key] = str(refusal)
            self.changed.emit(model)

        self._request.ask(
            self._session.project.document,
            TreeNumbers(model=model),
            on_result=on_result,
            on_error=on_error,
            is_wanted=lambda: key == self._key(model),
        )

    def _key(self, model: str) -> Ask[TreeNumbers]:
        return Ask.of(self._session.project.document, TreeNumbers(model=model))
