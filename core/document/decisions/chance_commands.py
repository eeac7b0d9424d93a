"""The command that turns a model's scores into chances, or takes them as they stand again."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from core.document.commands import Command, position
from core.document.model import ChancesSpec, Document, ModelSpec, OldPriorKind, OldPriors
from payoff.errors import PayoffError


@dataclass(frozen=True, slots=True, kw_only=True)
class SetChances(Command):
    """Take fitted chances for a model; None = its scores as they stand in the file.

    Fitted chances have the class shares of the rows they were fitted to, so that is what the model
    counts as trained at from then on: priors correct them once. What was said before comes back
    when they are taken away.
    """

    label: ClassVar[str] = "Turn scores into chances"
    model: str
    chances: ChancesSpec | None

    def apply(self, document: Document) -> Document:
        position(tuple(entry.name for entry in document.models), self.model, "model")
        probabilities = self.chances
        if probabilities is not None and not probabilities.maps:
            raise PayoffError(
                "These chances have not been fitted.", remedy="Fit them to rows first."
            )
        changed = replace(
            document,
            models=tuple(
                self._changed(entry) if entry.name == self.model else entry
                for entry in document.models
            ),
            cursor_depth=None,
        ).with_roles(document.roles)
        entry = changed.model(self.model)
        if probabilities is not None and (entry is None or entry.chances is None):
            raise PayoffError(
                f"These chances do not belong to '{self.model}' as it is now.",
                why="They were fitted to other columns, another direction or another outcome.",
                remedy="Fit them again.",
            )
        return changed

    def _changed(self, entry: ModelSpec) -> ModelSpec:
        before = entry.chances.before if entry.chances is not None else entry.old_priors
        if self.chances is None:
            return replace(entry, chances=None, old_priors=before)
        return replace(
            entry,
            chances=replace(self.chances, before=before),
            old_priors=OldPriors(kind=OldPriorKind.TRAINED_AT, shares=self.chances.class_shares),
        )
