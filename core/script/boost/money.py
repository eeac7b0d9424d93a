"""Losses in money for scripts: the terms of a decision, and what they bring every case."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

import numpy as np

from core.assembly.models.money_training import consequences_of_rows, shares_of
from core.data import LoadedTable
from core.engine.context import JobContext
from core.script.decide.document import decide_document
from core.script.decide.request import DecideRequest
from core.script.session import engine
from payoff.errors import PayoffError
from payoff.types import FloatArray


class DecisionTerms(TypedDict, total=False):
    """What is decided and what it brings: arguments of ``payoff.decide`` by name."""

    matrix: Mapping[Any, Sequence[float | str]]
    kind: str
    decisions: Sequence[str]
    costs: Sequence[float | str]
    amount: str
    priors: Mapping[Any, float]


def consequences_of(
    table: LoadedTable,
    target: str,
    terms: DecisionTerms | None,
    classes: tuple[str, ...],
    trained: FloatArray,
    weight: FloatArray | None,
) -> FloatArray:
    """What decisions bring every case in every class, (n, classes, decisions), in mean stakes.

    Parameters
    ----------
    classes : tuple of str
        Levels of the outcome in class order.
    trained : float64 (m,)
        Class numbers of the rows that train, the first m of the table: their shares are set
        against the priors.
    weight : float64 (n,), optional

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
    context = JobContext(engine().workbench)
    document = decide_document(table, DecideRequest(data=table, target=target, **terms), context)
    weight = None if weight is None else weight[: trained.shape[0]]
    shares = shares_of(trained, weight, len(classes))
    rows = np.arange(table.rows, dtype=np.int64)
    return consequences_of_rows(table, document, rows, classes, shares, context)
