"""Commands on what a model's decisions are read from.

The command that says what a model's decisions are read from.

The command that turns a model's scores into chances, or takes them as they stand again.

The command that says with how many of its trees a trained model predicts.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from core.document.commands import Command, position
from core.document.decisions.matrix_model import DecisionBasis
from core.document.model import (
    CalibrationSpec,
    Document,
    ModelSpec,
    OldPriorKind,
    OldPriors,
    TreeRule,
)
from payoff.counting import counted
from payoff.errors import PayoffError


@dataclass(frozen=True, slots=True, kw_only=True)
class SetBasis(Command):
    """Average a model's decisions over quantiles or leaves; None = each case's own score."""

    label: ClassVar[str] = "Change what decisions are read from"
    model: str
    basis: DecisionBasis | None

    def apply(self, document: Document) -> Document:
        position(tuple(entry.name for entry in document.models), self.model, "model")
        if self.basis is not None:
            _check(self.basis, document, self.model)
        models = tuple(
            replace(entry, basis=self.basis) if entry.name == self.model else entry
            for entry in document.models
        )
        return replace(document, models=models, cursor_depth=None)


def _check(basis: DecisionBasis, document: Document, model: str) -> None:
    if basis.has_quantiles == basis.has_leaves:
        raise PayoffError(
            "Decisions are averaged over quantiles or over leaves.",
            why="Both are named." if basis.has_leaves else "Neither is named.",
            remedy="Name one of them.",
        )
    levels = document.target.levels if document.target is not None else ()
    if basis.has_quantiles and levels:
        raise PayoffError(
            "Predicted quantiles are of a number, and the outcome has classes.",
            where=f"model {model}",
            remedy="Choose leaves, or an outcome that is a number.",
        )
    if basis.quantiles:
        _check_quantiles(basis.quantiles, document)
    trained = document.trained_model(model)
    if basis.has_own_leaves and (trained is None or trained.trees_used != 1):
        raise PayoffError(
            f"'{model}' has no leaves of its own to average over.",
            why="Leaves are those of one tree, trained here.",
            remedy="Train a model of one tree, or choose a column that names the leaf.",
        )
    target = document.target
    if basis.leaf is not None and target is not None and basis.leaf == target.column:
        raise PayoffError(
            f"'{basis.leaf}' is the outcome: as a leaf it would give every decision away.",
            remedy="Choose the column that names the leaf of the tree.",
        )


def _check_quantiles(quantiles: tuple[tuple[float, str], ...], document: Document) -> None:
    if len(quantiles) < 2:
        raise PayoffError(
            "One quantile is no distribution.",
            where=f"column {quantiles[0][1]}",
            remedy="Name two columns at least, such as those of 10 and 90 %.",
        )
    seen: dict[float, str] = {}
    for level, column in quantiles:
        if not 0.0 < level < 1.0:
            raise PayoffError(
                f"There is no quantile of {100 * level:g} %.",
                where=f"column {column}",
                remedy="Levels lie between 0 and 100 %.",
            )
        if level in seen:
            raise PayoffError(
                f"The quantile of {100 * level:g} % is named twice.",
                where=f"columns {seen[level]} and {column}",
                remedy="Name one column for each level.",
            )
        if document.target is not None and column == document.target.column:
            raise PayoffError(
                f"'{column}' is the outcome, no prediction of it.",
                remedy="Name columns that a model predicted.",
            )
        seen[level] = column


@dataclass(frozen=True, slots=True, kw_only=True)
class SetCalibration(Command):
    """Take fitted chances for a model; None = its scores as they stand in the file.

    Fitted chances have the class shares of the rows they were fitted to, so that is what the model
    counts as trained at from then on: priors correct them once. What was said before comes back
    when they are taken away.
    """

    label: ClassVar[str] = "Turn scores into chances"
    model: str
    calibration: CalibrationSpec | None

    def apply(self, document: Document) -> Document:
        position(tuple(entry.name for entry in document.models), self.model, "model")
        probabilities = self.calibration
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
        if probabilities is not None and (entry is None or entry.calibration is None):
            raise PayoffError(
                f"These chances do not belong to '{self.model}' as it is now.",
                why="They were fitted to other columns, another direction or another outcome.",
                remedy="Fit them again.",
            )
        return changed

    def _changed(self, entry: ModelSpec) -> ModelSpec:
        before = entry.calibration.before if entry.calibration is not None else entry.old_priors
        if self.calibration is None:
            return replace(entry, calibration=None, old_priors=before)
        return replace(
            entry,
            calibration=replace(self.calibration, before=before),
            old_priors=OldPriors(
                kind=OldPriorKind.TRAINED_AT, shares=self.calibration.class_shares
            ),
        )


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
            self._changed(entry, document) if entry.name == self.model else entry
            for entry in document.models
        )
        if models == document.models:
            return document
        return replace(document, models=models, cursor_depth=None)

    def _changed(self, entry: ModelSpec, document: Document) -> ModelSpec:
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
            changed = trained.with_trees(self.trees, self.rule, document)
        moved = replace(entry, trained=changed)
        return moved if changed.trees_used == trained.trees_used else moved.without_fits
