"""The command that says with how many of its trees a trained model predicts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from core.document.commands import Command, position
from core.document.model import Document, ModelSpec, TreeRule
from payoff.counting import counted
from payoff.errors import PayoffError


@dataclass(frozen=True, slots=True, kw_only=True)
class SetTrees(Command):
    """Let a trained model predict with its first trees only, chosen by hand or by a rule.

    Without ``trees`` a rule works their number out; by hand it is what the training chose. Chances
    that were fitted to the scores of another number of trees go, and so do averages over the leaves
    of its one tree.
    """

    label: ClassVar[str] = "Change number of trees"
    model: str
    trees: int | None = None
    rule: TreeRule = TreeRule.HAND

    @property
    def merge_key(self) -> str | None:
        return f"trees {self.model}"

    def apply(self, document: Document) -> Document:
        position(tuple(entry.name for entry in document.models), self.model, "model")
        models = tuple(
            self._changed(entry) if entry.name == self.model else entry for entry in document.models
        )
        if models == document.models:
            return document
        return replace(document, models=models, cursor_depth=None)

    def _changed(self, entry: ModelSpec) -> ModelSpec:
        trained = entry.trained
        if trained is None:
            raise PayoffError(
                f"The model '{self.model}' has no trees here.",
                why="It came with the data as a column of scores.",
                remedy="Choose a model that was trained in Payoff.",
            )
        if self.trees is None:
            if self.rule is not TreeRule.HAND:
                raise PayoffError("The number of trees has not been worked out.")
            changed = trained.as_it_ended
        elif not 1 <= self.trees <= trained.trees:
            raise PayoffError(
                f"The model '{self.model}' has no {counted(self.trees, 'tree')} to predict with.",
                why=f"It has {counted(trained.trees, 'tree')}.",
                remedy=f"Give a number from 1 to {trained.trees:,}.",
            )
        else:
            changed = trained.with_trees(self.trees, self.rule)
        moved = replace(entry, trained=changed)
        return moved if changed.trees_used == trained.trees_used else moved.without_fits
