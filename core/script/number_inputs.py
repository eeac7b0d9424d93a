"""What ``payoff.decide`` takes for interval targets and for leaves of a tree, checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from core import data as tables
from core.data import LoadedTable, encode_levels
from core.decisions import LeafCases
from payoff.errors import PayoffError


def check_scores(
    posteriors: Mapping[Any, str] | None,
    predicted: str | None,
    priors: Mapping[Any, float] | None,
) -> None:
    """Refuse scores of both kinds or of none, and priors for a number."""
    if bool(posteriors) == (predicted is not None):
        raise PayoffError(
            "Posteriors and a prediction are both named."
            if posteriors
            else "No posterior column is named.",
            remedy="Give posteriors={level: column}, or predicted='column' for a number.",
        )
    if predicted is not None and priors is not None:
        raise PayoffError("Priors need classes, and the outcome is a number.", where="priors")


def knots_of(matrix: Mapping[Any, Sequence[float]]) -> list[float]:
    """The rows of a matrix as values of the outcome."""
    knots = []
    for knot in matrix:
        try:
            knots.append(float(knot))
        except (TypeError, ValueError) as reason:
            raise PayoffError(
                f"The knot {knot!r} is not a number.",
                where="decision matrix",
                remedy="With predicted= the rows of the matrix are values of the outcome.",
            ) from reason
    return knots


def leaf_cases(
    table: LoadedTable, column: str, *, training: str | None, is_honest: bool
) -> LeafCases:
    """The leaves named by a column; a missing name is no leaf."""
    code = encode_levels(table, column)[0].astype(np.int64)
    is_training = None
    if training is not None:
        is_training = tables.column_as_float(table, training, role="training rows") > 0
    return LeafCases(code=code, is_training=is_training, is_honest=is_honest)
