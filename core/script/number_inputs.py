"""What ``payoff.decide`` takes for interval targets and for leaves of a tree, checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from core import data as tables
from core.data import LoadedTable, encode_levels
from core.decisions import (
    CaseDecisions,
    DecisionProblem,
    LeafCases,
    ModelScores,
    predicted_quantiles,
    predicted_scores,
)
from core.decisions.passes import UNDECIDED
from core.decisions.valued import choose, decision_codes, point_values
from payoff.errors import PayoffError


def check_scores(
    posteriors: Mapping[Any, str] | None,
    is_interval: bool,
    priors: Mapping[Any, float] | None,
) -> None:
    """Refuse scores of both kinds or of none, and priors for a number."""
    if bool(posteriors) == is_interval:
        raise PayoffError(
            "Posteriors and a prediction are both named."
            if posteriors
            else "No posterior column is named.",
            remedy="Give posteriors={level: column}, or predicted='column' for a number.",
        )
    if is_interval and priors is not None:
        raise PayoffError("Priors need classes, and the outcome is a number.", where="priors")


def knots_of(matrix: Mapping[Any, Sequence[float | str]]) -> list[float]:
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


def number_scores(
    table: LoadedTable,
    predicted: str | None,
    quantiles: Mapping[float, str] | None,
    leaf: LeafCases | None,
) -> tuple[ModelScores, tuple[str, ...]]:
    """A model of an interval target from its columns, with warnings.

    Without ``predicted`` the prediction is the mean of the quantiles' distribution.
    """
    spread = None
    warnings: tuple[str, ...] = ()
    if quantiles:
        columns = [tables.column_as_float(table, c, role="quantile") for c in quantiles.values()]
        spread = predicted_quantiles(np.array([float(q) for q in quantiles]), np.array(columns))
        if spread.crossed:
            warnings = (
                f"The quantiles of {spread.crossed:,} cases cross: they were put in order.",
            )
    if predicted is not None:
        values = tables.column_as_float(table, predicted, role="prediction")
    else:
        assert spread is not None  # check_scores refused without either
        values = spread.mean
    name = predicted or ", ".join((quantiles or {}).values())
    return predicted_scores(name, values, quantiles=spread, leaf=leaf), warnings


def jensen_gap(
    problem: DecisionProblem, model: ModelScores, cases: CaseDecisions
) -> dict[str, float]:
    """What a distribution says beyond its mean; refuses scores without one."""
    if model.quantiles is None:
        raise PayoffError(
            "There is no distribution to compare with its mean.",
            remedy="Give quantiles={level: column}.",
        )
    point = point_values(problem, model)
    chosen = decision_codes(*choose(point, problem.tie_tolerance))
    known = cases.decision != UNDECIDED
    weight = np.ones(known.shape[0])
    if problem.frequency is not None:
        weight = np.where(problem.frequency > 0, problem.frequency, 0.0)
    own = np.where(known, cases.decision, 0).astype(np.int64)
    at_point = np.take_along_axis(point, own[np.newaxis], axis=0)[0]
    size = float(weight[known].sum())
    changed = float(weight[known & (chosen != cases.decision)].sum())
    gap = (cases.expected - at_point)[known]
    return {
        "expected": problem.sense * float(weight[known] @ gap),
        "changed": changed / size if size else float("nan"),
    }
