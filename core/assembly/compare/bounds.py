"""Bounds of the expected loss of a document's models on rows they have not seen."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from core import data
from core.assembly.cases import Cases, judged_cases
from core.assembly.compare.evaluating import judged_chances
from core.assembly.context import AssemblyContext, table_of
from core.assembly.models.trained import stopping_rows, training_rows
from core.data import LoadedTable
from core.document.experiments.results import (
    BoundsResult,
    ErrorBound,
    ModelBounds,
)
from core.document.model import Document, ModelSpec, Role
from core.experiments.bounds import METHODS, compute_error_bound, default_methods
from core.experiments.losses import LossSource
from core.experiments.sample_size import PLANNED, cases_needed
from core.questions.compare import ErrorBounds
from core.questions.needs import require_target
from payoff.errors import PayoffError
from payoff.types import FloatArray

LOSSES = ("squared", "zero_one")


def bound_models(
    document: Document, question: ErrorBounds, context: AssemblyContext
) -> BoundsResult:
    """Limits of the expected loss of every model on the rows used.

    A model that trained or stopped on these rows has no bound, and the result says so.
    """
    target = require_target(document)
    if question.loss not in LOSSES or (question.loss == "zero_one" and not target.levels):
        raise PayoffError(
            f"There is no loss '{question.loss}' for this outcome.",
            remedy="squared; zero_one for classes.",
        )
    if document.column_of(Role.WEIGHT) is not None:
        raise PayoffError(
            "No bound can be given for weighted cases.",
            why="A bound counts cases, and each must count once.",
            remedy="Take the weight's role away.",
        )
    cases = judged_cases(document, context)
    table = table_of(document, context)
    models: list[ModelBounds] = []
    for entry in document.models:
        context.progress(len(models) / len(document.models), f"Bounding {entry.name}")
        if document.is_rank_only(entry.name):
            models.append(_without_chances(entry.name, len(cases.rows)))
            continue
        losses, span = _losses(document, entry.name, question, cases, context)
        models.append(_bounds_of(document, entry, question, cases, table, losses, span))
    return BoundsResult(
        loss=question.loss,
        rows_text=cases.note.text,
        models=tuple(models),
        warnings=cases.warnings,
    )


def _without_chances(model: str, rows: int) -> ModelBounds:
    words = f"'{model}' is a score without chances. Turn the score into chances first."
    return ModelBounds(model=model, mean=math.nan, n=rows, bounds=(), refusal=words)


def _bounds_of(
    document: Document,
    entry: ModelSpec,
    question: ErrorBounds,
    cases: Cases,
    table: LoadedTable,
    losses: FloatArray,
    span: tuple[float, float] | None,
) -> ModelBounds:
    """Every asked-for bound of one model; the first refusal stands for all that fail."""
    source = LossSource(
        trained_on=_has_seen(entry, document, table, cases),
        ids=_column(table, document.column_of(Role.ID), cases),
        clusters=_column(table, question.cluster or None, cases),
        chosen_among=question.chosen_among or len(document.models),
    )
    usual = default_methods(losses) if span is not None else ("student_t", "bootstrap")
    found: list[ErrorBound] = []
    refusal = ""
    for method in question.methods or usual:
        if method not in METHODS:
            raise PayoffError(f"There is no bound '{method}'.", remedy=", ".join(METHODS))
        try:
            bound = compute_error_bound(
                losses,
                method=method,
                confidence=question.confidence,
                side=question.side,
                loss_range=span,
                source=source,
                seed=document.seed,
            )
            needed = _needed(bound, question.margin, source.chosen_among)
            found.append(replace(bound, needed=needed))
        except PayoffError as reason:
            refusal = refusal or str(reason)
    return ModelBounds(
        model=entry.name,
        mean=float(losses.mean()) if len(losses) else float("nan"),
        n=len(losses),
        bounds=tuple(found),
        refusal=refusal,
    )


def _needed(bound: ErrorBound, margin: float, chosen_among: int) -> int:
    """Losses of the same mean and spread that would bring the margin asked for; 0 = not known."""
    if margin <= 0.0 or bound.method not in PLANNED or bound.loss_range is None:
        return 0
    return cases_needed(
        margin,
        method=bound.method,
        confidence=bound.confidence,
        side=bound.side,
        loss_range=bound.loss_range,
        chosen_among=chosen_among,
        expected_loss=bound.mean,
        expected_sd=math.sqrt(bound.variance) if bound.variance > 0.0 else 0.0,
    )


def _losses(
    document: Document, model: str, question: ErrorBounds, cases: Cases, context: AssemblyContext
) -> tuple[FloatArray, tuple[float, float] | None]:
    """Losses of a model in row order, and the range they can have.

    They are those of the chances that page Compare's Brier score and accuracy judge.
    """
    if cases.outcome is None:
        assert cases.target is not None
        return (cases.predictions[model] - cases.target) ** 2, question.loss_range
    chances = judged_chances(document, require_target(document), model, cases, context)
    if question.loss == "zero_one":
        return (chances.argmax(axis=0) != cases.outcome).astype(np.float64), (0.0, 1.0)
    if chances.shape[0] == 2:
        return (chances[0] - (cases.outcome == 0)) ** 2, (0.0, 1.0)
    hit = np.arange(chances.shape[0])[:, None] == cases.outcome[None, :]
    return ((chances - hit) ** 2).sum(axis=0), (0.0, 2.0)


def _has_seen(entry: ModelSpec, document: Document, table: LoadedTable, cases: Cases) -> bool:
    if entry.trained is None:
        return False
    seen = np.union1d(
        training_rows(table, document, entry.trained), stopping_rows(table, document, entry.trained)
    )
    return bool(np.isin(cases.rows, seen).any())


def _column(table: LoadedTable, name: str | None, cases: Cases) -> np.ndarray | None:
    if name is None or name not in table.kinds:
        if name:
            table.require_column(name)
        return None
    return np.array(data.column_as_text(table, name))[cases.rows]
