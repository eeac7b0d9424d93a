"""Rows that a model has seen before it is judged on them, and under what results compare."""

from __future__ import annotations

import hashlib

import numpy as np

from core import data
from core.assembly.cases import Cases
from core.assembly.context import AssemblyContext, table_of
from core.assembly.models.trained import stopping_rows, training_rows
from core.document.model import Document, ModelSpec, Role, TrainedModel
from core.document.results import Conditions, SeenRows
from core.document.wording import join_words


def seen_rows(document: Document, cases: Cases, context: AssemblyContext) -> tuple[SeenRows, ...]:
    """What each model has seen of the rows used, the most flattering first."""
    found: list[SeenRows] = []
    for entry in document.models:
        found += _of_model(document, entry, cases, context)
    return tuple(found)


def _of_model(
    document: Document, entry: ModelSpec, cases: Cases, context: AssemblyContext
) -> list[SeenRows]:
    name, found = entry.name, []
    if entry.trained is not None:
        found += _of_training(document, entry.trained, cases, context)
    choice = document.choice
    if (
        choice is not None
        and choice.model == name
        and choice.rows_used is document.rows_used
        and choice.data_hash == document.data_hash
    ):
        found.append(SeenRows(model=name, how="chosen", rows=len(cases.rows)))
    probabilities = entry.chances
    if probabilities is not None and probabilities.data_hash == document.data_hash:
        fitted = data.rows_with_use(table_of(document, context), document, (probabilities.rows,))
        both = len(np.intersect1d(fitted, cases.rows))
        if both:
            found.append(SeenRows(model=name, how="fitted", rows=both))
    return found


def _of_training(
    document: Document, trained: TrainedModel, cases: Cases, context: AssemblyContext
) -> list[SeenRows]:
    table, found = table_of(document, context), []
    trained_on = len(np.intersect1d(training_rows(table, document, trained), cases.rows))
    if trained_on:
        how = "folds" if trained.has_folds else "trained"
        found.append(SeenRows(model=trained.name, how=how, rows=trained_on))
    stopped_on = len(np.intersect1d(stopping_rows(table, document, trained), cases.rows))
    if stopped_on:
        found.append(SeenRows(model=trained.name, how="stopped", rows=stopped_on))
    return found


_HOW = {"trained": "trained here", "stopped": "stopped here", "chosen": "chosen here"}


def favoured_words(document: Document, seen: tuple[SeenRows, ...]) -> str:
    """Which models the rows favour over which others; empty where they favour none.

    Where every model is flattered in the same way, nobody is favoured, but all are flattered.
    """
    by_model: dict[str, list[str]] = {}
    for entry in seen:
        if entry.is_flattering:
            by_model.setdefault(entry.model, []).append(_HOW[entry.how])
    if not by_model:
        return ""
    described = [f"{model} ({join_words(how)})" for model, how in by_model.items()]
    others = [entry.name for entry in document.models if entry.name not in by_model]
    text = f"These rows flatter {join_words(described)}"
    if others:
        return f"{text}: favoured over {join_words(others)}. Test rows favour none."
    if len(by_model) > 1 and len({tuple(how) for how in by_model.values()}) == 1:
        return f"{text}: all alike, so the order may stand, but every figure promises too much."
    return f"{text}: every figure promises too much. Test rows do not."


def judging_conditions(document: Document, cases: Cases, level: str) -> Conditions:
    """Under what an evaluation of these cases stands."""
    rows = hashlib.sha256(np.ascontiguousarray(cases.rows).tobytes()).hexdigest()[:16]
    return Conditions(
        data_hash=document.data_hash,
        rows=rows,
        weight=document.column_of(Role.WEIGHT) or "",
        priors=document.priors or (),
        seed=document.seed,
        level=level,
    )
