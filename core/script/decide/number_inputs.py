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
from core.script.decide.request import DecideRequest
from payoff.errors import PayoffError


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


def leaf_cases(table: LoadedTable, request: DecideRequest) -> LeafCases | None:
    """The leaves named by a column; a missing name is no leaf. None where no column is named."""
    if request.leaf is None:
        return None
    code = encode_levels(table, request.leaf)[0].astype(np.int64)
    is_training = None
    if request.leaf_training is not None:
        trained = tables.column_as_float(table, request.leaf_training, role="training rows")
        is_training = trained > 0
    return LeafCases(code=code, is_training=is_training, is_honest=request.leaf_honest)


def number_scores(
    table: LoadedTable, request: DecideRequest
) -> tuple[ModelScores, tuple[str, ...]]:
    """A model of an interval target from its columns, with warnings.

    Without ``predicted`` the prediction is the mean of the quantiles' distribution.
    """
    spread = None
    warnings: tuple[str, ...] = ()
    quantiles = request.quantiles or {}
    if quantiles:
        columns = [tables.column_as_float(table, c, role="quantile") for c in quantiles.values()]
        spread = predicted_quantiles(np.array([float(q) for q in quantiles]), np.array(columns))
        if spread.crossed:
            warnings = (
                f"The quantiles of {spread.crossed:,} cases cross: they were put in order.",
            )
    if request.predicted is not None:
        values = tables.column_as_float(table, request.predicted, role="prediction")
    else:
        assert spread is not None  # check_scores refused without either
        values = spread.mean
    name = request.predicted or ", ".join(quantiles.values())
    leaf = leaf_cases(table, request)
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
