"""Losses in money for scripts: the terms of a decision, as a document says them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypedDict

from core.data import (
    LoadedTable,
    encode_levels,
    printed,
)
from core.document.data.bad_values import BadValues
from core.document.model import Document
from core.engine.context import JobContext
from core.script.decide.document import decide_document
from core.script.decide.request import DecideRequest
from payoff.errors import PayoffError


class DecisionTerms(TypedDict, total=False):
    """What is decided and what it brings: arguments of ``payoff.decide`` by name."""

    matrix: Mapping[Any, Sequence[float | str]]
    kind: str
    decisions: Sequence[str]
    costs: Sequence[float | str]
    amount: str
    priors: Mapping[Any, float]


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
    if terms is None or "matrix" not in terms:
        raise PayoffError(
            "A loss in money needs the terms of the decision.",
            remedy='Give them: decision={"matrix": {"1": [10, 0], "0": [-1, 0]}, "costs": ...}.',
        )
    strange = sorted(set(terms) - set(DecisionTerms.__annotations__))
    if strange:
        known = ", ".join(DecisionTerms.__annotations__)
        raise PayoffError(
            f"'{strange[0]}' is no term of a decision.", remedy=f"There are: {known}."
        )
    levels = {printed(level) for level in terms["matrix"]}
    found = encode_levels(table, target)[1]
    missing = [level for level in found if level not in levels]
    if missing:
        raise PayoffError(
            f"The matrix has no row for '{missing[0]}'.",
            remedy="Give one row per level of the outcome.",
        )
    asked = DecideRequest(data=table, target=target, **_of_classes(terms, classes))
    return replace(decide_document(table, asked, context), bad_values=BadValues.REFUSE)


def _of_classes(terms: DecisionTerms, classes: Sequence[str]) -> DecisionTerms:
    """Terms without what they say of levels that are no class of the outcome."""
    kept = terms.copy()
    kept["matrix"] = {k: row for k, row in terms["matrix"].items() if printed(k) in classes}
    if "priors" in terms:
        kept["priors"] = {k: v for k, v in terms["priors"].items() if printed(k) in classes}
    return kept
