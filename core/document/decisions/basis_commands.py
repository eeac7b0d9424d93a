"""The command that says what a model's decisions are read from."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from core.document.commands import Command, position
from core.document.decisions.basis import DecisionBasis
from core.document.model import Document
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
