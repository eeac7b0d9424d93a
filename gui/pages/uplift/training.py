"""Training from page Uplift: a model per arm, one with the treatment as input, or the response."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QObject

from core.document.model import TrainedModel
from core.document.uplift.commands import AddUpliftModel, propensity_column
from core.document.uplift.model import UpliftKind, UpliftModel, looks_after_treatment
from gui.pages.models.next_model.draft import first_draft
from gui.session.project import STEP_REFUSED
from gui.session.session import Session
from payoff.errors import PayoffError

TREES, SPLITS, RESPONSE = 400, 3, "response"
EFFECT_SHRINKAGE, EFFECT_CASES = 0.02, 100  # effects are small beside the noise of outcomes


def starting_settings(session: Session, treatment: str) -> TrainedModel:
    """Settings of a part: inputs known before the treatment only, shallow trees.

    Raises
    ------
    PayoffError
        If there is no outcome or no input, or what plugins offer is not known yet.
    """
    document, plugins = session.project.document, session.plugins.known
    draft = first_draft(document, session.project.summary, plugins)
    outcome = document.uplift.outcome
    if not draft.target or (outcome and outcome != draft.target):
        raise PayoffError(
            "Models are trained for the outcome of the project.",
            where=outcome,
            remedy="Name it as the outcome on page Data, then train.",
        )
    if not draft.distribution:
        raise PayoffError(
            "There is no loss to train with yet.",
            why="Plugins are being loaded, or none that is on has one for this outcome.",
            remedy="Try again in a moment; page Plugins shows their state.",
        )
    features = tuple(
        name for name in draft.features if name != treatment and not looks_after_treatment(name)
    )
    if not features:
        raise PayoffError(
            "There is no input to learn from.",
            why="Columns measured after the treatment do not count.",
            remedy="Give columns the role Input on page Data.",
        )
    return replace(draft, features=features, n_trees=TREES, interaction_depth=SPLITS, patience=40)


class UpliftTraining(QObject):
    """Starts the trainings of a ranking and adds it once all its parts are there."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self._waiting: list[UpliftModel] = []
        session.project.document_changed.connect(self._on_document)
        session.trainings.changed.connect(self._drop_lost)

    @property
    def waiting(self) -> tuple[UpliftModel, ...]:
        """Rankings whose parts are in training."""
        return tuple(self._waiting)

    def start(self, kind: UpliftKind | None, treatment: str, arms: tuple[str, str]) -> None:
        """Train a ranking; None = the response baseline. A refusal is posted."""
        session = self._session
        try:
            base = starting_settings(session, treatment)
        except PayoffError as refusal:
            session.project.post(refusal, about=STEP_REFUSED)
            return
        series = self._next_series()
        if kind is None:
            session.trainings.start(replace(base, name=self._free(RESPONSE)), series)
            return
        if kind is UpliftKind.TWO_MODELS:
            name = self._free("two models")
            parts = tuple(f"{name}, {arm}" for arm in arms)
            settings = [
                replace(base, name=part, only=(treatment, arm))
                for part, arm in zip(parts, arms, strict=True)
            ]
        else:
            name = self._free("treatment as input")
            parts = (f"{name}, trees",)
            settings = [replace(base, name=parts[0], features=(*base.features, treatment))]
        for entry in settings:
            session.trainings.start(entry, series)
        self._waiting.append(UpliftModel(name=name, kind=kind, parts=parts, series=series))

    def start_effect(self, distribution: str, treatment: str, arms: tuple[str, str]) -> None:
        """Train a model of the effect itself; it ranks as soon as it is there."""
        session = self._session
        try:
            base = starting_settings(session, treatment)
        except PayoffError as refusal:
            session.project.post(refusal, about=STEP_REFUSED)
            return
        propensity = propensity_column(session.project.document)
        settings = replace(
            base,
            name=self._free("uplift gbm"),
            distribution=distribution,
            effect_of=(treatment, *arms),
            propensity=propensity,
            features=tuple(name for name in base.features if name != propensity),
            shrinkage=EFFECT_SHRINKAGE,
            min_cases_in_node=EFFECT_CASES,
        )
        session.trainings.start(settings, self._next_series())

    def _free(self, wanted: str) -> str:
        taken = {*self._session.trainings.names(), *(m.name for m in self._waiting)}
        taken |= {model.name for model in self._session.project.document.uplift.models}
        if wanted not in taken:
            return wanted
        number = 2
        while f"{wanted} {number}" in taken:
            number += 1
        return f"{wanted} {number}"

    def _next_series(self) -> int:
        document = self._session.project.document
        taken = {entry.series for entry in document.models}
        taken |= {entry.series for entry in (*document.uplift.models, *self._waiting)}
        return next(number for number in range(10_000) if number not in taken)

    def _on_document(self, _document: object = None) -> None:
        document = self._session.project.document
        for model in tuple(self._waiting):
            if all(document.trained_model(part) is not None for part in model.parts):
                self._waiting.remove(model)
                self._session.project.execute(AddUpliftModel(model=model))

    def _drop_lost(self) -> None:
        """A part that neither trains nor is there will never come."""
        known = set(self._session.trainings.names())
        self._waiting = [m for m in self._waiting if all(part in known for part in m.parts)]
