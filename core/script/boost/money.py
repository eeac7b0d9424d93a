"""Losses in money for scripts: the terms of a decision, as a document says them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.data import (
    LoadedTable,
    encode_levels,
    printed,
)
from core.document.data.model import BadValues
from core.document.model import Document
from core.engine.context import JobContext
from core.script.decide.document import decide_document
from core.script.decide.request import (
    GIVE_TERMS,
    DecideRequest,
    DecisionTerms,
    Matrix,
    check_terms,
)
from payoff.errors import PayoffError


def money_document(
    table: LoadedTable,
    target: str,
    terms: DecisionTerms | None,
    classes: Sequence[str],
    context: JobContext,
) -> Document:
    """The document of a decision's terms: its outcome, matrix, costs and priors.

    Parameters
    ----------
    classes : sequence of str
        Levels of the outcome; rows of the matrix for other levels are left out.

    Raises
    ------
    PayoffError
        If there are no terms, or they do not fit the data.
    """
    if terms is None:
        raise PayoffError("A loss in money needs the terms of the decision.", remedy=GIVE_TERMS)
    check_terms(terms)
    kept = terms.copy()
    if not isinstance(terms["matrix"], str):
        _check_rows(table, target, terms["matrix"])
        kept = _of_classes(terms, terms["matrix"], classes)
    asked = DecideRequest(data=table, target=target, **kept)
    document = decide_document(table, asked, context, tuple(classes))
    return replace(document, bad_values=BadValues.REFUSE)


def _check_rows(table: LoadedTable, target: str, rows: Matrix) -> None:
    """Refuse a matrix without a row for a level of the outcome."""
    levels = {printed(level) for level in rows}
    found = encode_levels(table, target)[1]
    missing = [level for level in found if level not in levels]
    if missing:
        raise PayoffError(
            f"The matrix has no row for '{missing[0]}'.",
            remedy="Give one row per level of the outcome.",
        )


def _of_classes(terms: DecisionTerms, rows: Matrix, classes: Sequence[str]) -> DecisionTerms:
    """Terms without what they say of levels that are no class of the outcome."""
    kept = terms.copy()
    kept["matrix"] = {level: row for level, row in rows.items() if printed(level) in classes}
    if "priors" in terms:
        kept["priors"] = {k: v for k, v in terms["priors"].items() if printed(k) in classes}
    return kept
