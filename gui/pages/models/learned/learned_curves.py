"""How models learn and learned: finished ones asked of the engine once, whatever trees are used."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QObject, Signal

from core.document.studies.models import LearnedResult, TreeChoice
from core.document.training_results import TrainingCurves
from core.engine.messages import Ask
from core.presentation.labels import Labels, TreesStyle
from core.presentation.making_views import show
from core.presentation.models.learning import (
    Learning,
    Rival,
    finished_learning,
    judging_curve,
    kept_learning,
    out_of_bag,
)
from core.presentation.view import View
from core.questions.explain import TreeNumbers
from gui.pages.models.words import growing_words
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
        self._requested: Ask[TreeNumbers] | None = None

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
        if not is_looked_at or is_known or (key == self._requested and self._request.is_under_way):
            return
        self._requested = key

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

    # ------------------------------------------------------------ what is drawn of it

    def learning(self, model: str, series: int) -> tuple[Learning | None, View | None]:
        """What a chart shows of a model, and the report's entry of a finished one."""
        trainings = self._session.trainings
        curves = trainings.curves_of(model)
        if trainings.find(model) is not None:
            return (self._growing(model, series, curves) if curves else None), None
        answer, document = self.answer(model), self._session.project.document
        trained = document.trained_model(model)
        if trained is None:
            return None, None
        look = TreesStyle.of(trained)
        if answer is not None:
            labels = Labels.of(document, self._session.results.decisions)
            learning = kept_learning(answer, series, look, self._rival(model, answer.curves))
            return learning, show(TreeNumbers(model=model), answer, labels)
        if curves is None:
            return None, None
        return finished_learning(curves, series, look, self._rival(model, curves)), None

    def _growing(self, model: str, series: int, curves: TrainingCurves) -> Learning:
        """What a chart shows of a training under way."""
        return Learning(
            model=model,
            series=series,
            loss=curves.deviance_words,
            wanted=curves.wanted,
            trees=curves.trees,
            training=curves.train,
            validation=curves.valid,
            out_of_bag=out_of_bag(curves),
            folds=curves.crossed,
            best=curves.best_trees,
            is_running=True,
            watched=judging_curve(curves),
            rival=self._rival(model, curves),
            no_model=curves.no_model,
            subtitle=growing_words(curves),
        )

    def _rival(self, model: str, curves: TrainingCurves) -> Rival | None:
        """The best other model of the same loss whose curves were looked at in this session."""
        best: Rival | None = None
        for spec in self._session.project.document.models:
            if spec.name == model or spec.trained is None:
                continue
            other = self._session.trainings.curves_of(spec.name)
            if other is None or other.deviance_words != curves.deviance_words:
                continue
            judged = other.valid if np.isfinite(other.valid).any() else other.crossed
            if not np.isfinite(judged).any():
                continue
            level = float(np.nanmin(judged))
            if best is None or level < best.deviance:
                best = Rival(name=spec.name, series=spec.series, deviance=level)
        return best
