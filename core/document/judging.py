"""What a number as the outcome is judged as: a plain number, a time until an event, or a grade."""

from __future__ import annotations

from dataclasses import dataclass

from core.document.model import Document, Role, TrainedModel


@dataclass(frozen=True, slots=True)
class Guide:
    """The columns that a number is judged with: with events it is a time, in lists a grade."""

    event: str | None = None
    entry: str | None = None
    strata: str | None = None
    group: str | None = None

    @classmethod
    def of(cls, trained: TrainedModel) -> Guide:
        """The columns that a trained model learned with."""
        return cls(trained.event, trained.entry, trained.strata, trained.group)

    @property
    def task(self) -> str:
        """ "survival", "ranking", or "regression" without a column that says more."""
        return "survival" if self.event else "ranking" if self.group else "regression"


def guide_of(document: Document) -> Guide:
    """The columns of the first trained model that learned with some, else what roles say.

    All models of the project are judged by them. Of an outcome with classes there are none.
    """
    if document.target is None or document.target.levels:
        return Guide()
    trained = (Guide.of(e.trained) for e in document.models if e.trained is not None)
    found = next((guide for guide in trained if guide.event or guide.group), None)
    if found is not None:
        return found
    event = document.column_of(Role.EVENT)
    if event is None:
        return Guide(group=document.column_of(Role.GROUP))
    return Guide(event, document.column_of(Role.ENTRY))


def is_risk_score(document: Document, model: str) -> bool:
    """Whether a model's column of scores says how soon an event comes: higher = sooner."""
    return (
        guide_of(document).event is not None
        and document.trained_model(model) is None
        and document.prediction_column(model) is None
        and document.score_role(model) is not None
    )
