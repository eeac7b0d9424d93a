"""The document that a person would have made of what ``payoff.decide`` is asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from core import data as tables
from core.assembly.cases import outcome_of
from core.assembly.context import AssemblyContext
from core.data import LoadedTable, printed
from core.document.data.model import BadValues, RowUse
from core.document.decisions.matrix_model import DecisionBasis, MatrixSpec
from core.document.model import (
    Document,
    ModelSpec,
    OldPriorKind,
    OldPriors,
    Role,
    RoleAssignment,
    SplitSpec,
    TargetSpec,
)
from core.script.decide.matrices import classes_of, matrix_choice, number_of, with_matrix
from core.script.decide.request import DecideRequest
from core.script.session import missing_outcomes_of
from payoff.errors import PayoffError

NO_OUTCOME = "target"
"""What columns of results are named after where no outcome is."""

Shares = tuple[tuple[str, float], ...]


def decide_document(
    table: LoadedTable,
    request: DecideRequest,
    context: AssemblyContext,
    classes: tuple[str, ...] | None = None,
) -> Document:
    """The document of a request, over all rows of a table or those of its condition.

    Parameters
    ----------
    table : LoadedTable
        Old priors that are "data" are the shares among its rows.
    classes : tuple of str, optional
        Levels of the outcome, for the rows of a matrix that is named.
    """
    if classes is None:
        classes = classes_of(table, request)
    chosen = matrix_choice(table, request, classes, context)
    matrix = chosen.matrix
    target = _target(table, request, matrix)
    roles = _roles(table, request)
    for entry in roles:
        table.require_column(entry.column)
    if request.amount is not None:
        table.require_column(request.amount)
    document = Document(
        name="",
        data=table.data,
        target=target,
        split=SplitSpec(where=request.rows or ""),
        rows_used=RowUse.ALL,
        priors=_shares(request.priors, target.levels, "priors"),
        prior_range=request.prior_range,
        missing_outcomes=missing_outcomes_of(request.missing_outcomes),
        bad_values=BadValues.MARK,
    ).with_roles(roles)
    document = with_matrix(document, chosen, request)
    if not request.score_name:
        return document
    model = ModelSpec(
        name=request.score_name,
        old_priors=_old_priors(table, document, request, context),
        basis=_basis(request),
    )
    return replace(document, models=(model,), reference_model=model.name)


def refuse_levels(target: TargetSpec, found: tuple[str, ...]) -> None:
    """Refuse levels of the matrix that are found with other capitals, or wholly lacking."""
    missing = [level for level in found if level not in target.levels]
    if len(target.levels) == 1 and missing:
        raise PayoffError(
            f"The matrix has no row for '{missing[0]}'.",
            where=f"level {missing[0]}",
            why=f"'{target.column}' has the levels {', '.join(found[:8])}.",
            remedy="Give one row per level.",
        )
    folded = {level.casefold(): level for level in found}
    for level in target.levels:
        other = folded.get(level.casefold())
        if level not in found and other is not None:
            raise PayoffError(
                f"The matrix has a row '{level}', the data have '{other}'.",
                where=f"level {level}",
                why="Levels match by their printed form, capitals included.",
                remedy=f"Write '{other}' in the matrix.",
            )


def _target(table: LoadedTable, request: DecideRequest, matrix: MatrixSpec) -> TargetSpec:
    """The outcome; without one its classes alone, beside a name that no column has."""
    column = request.target
    if column is None:
        column = "value" if request.is_interval else NO_OUTCOME
        while column in table.kinds:
            column += "_"
    if request.is_interval:
        return TargetSpec(column=column, kind="interval")
    kind = "binary" if len(matrix.levels) == 2 else "multiclass"
    return TargetSpec(column=column, kind=kind, levels=matrix.levels)


def _roles(table: LoadedTable, request: DecideRequest) -> tuple[RoleAssignment, ...]:
    """What the columns that were named are for, and the one that tells the cases apart."""
    model = request.score_name
    roles = [
        RoleAssignment(column=column, role=Role.POSTERIOR, model=model, level=printed(level))
        for level, column in (request.posteriors or {}).items()
    ]
    if request.predicted is not None:
        roles.append(RoleAssignment(column=request.predicted, role=Role.PREDICTION, model=model))
    if request.target is not None:
        roles.append(RoleAssignment(column=request.target, role=Role.TARGET))
    if request.weight is not None:
        roles.append(RoleAssignment(column=request.weight, role=Role.WEIGHT))
    named = {role.column for role in roles}
    return (*roles, *table.ids_besides(named))


def _basis(request: DecideRequest) -> DecisionBasis | None:
    """The quantiles and leaves that are named."""
    quantiles = tuple((float(q), column) for q, column in (request.quantiles or {}).items())
    if not quantiles and request.leaf is None:
        return None
    return DecisionBasis(
        quantiles=quantiles,
        leaf=request.leaf,
        training=request.leaf_training,
        is_honest=request.leaf_honest,
    )


def _shares(given: Mapping[Any, float] | None, levels: tuple[str, ...], what: str) -> Shares | None:
    """Shares by printed level, in the order of the levels; names of no level stand at the end."""
    if given is None:
        return None
    named = {
        printed(level): number_of(share, f"One of the {what}", f"level {printed(level)}")
        for level, share in given.items()
    }
    order = [level for level in levels if level in named]
    order += [level for level in named if level not in levels]
    return tuple((level, named[level]) for level in order)


def _old_priors(
    table: LoadedTable, document: Document, request: DecideRequest, context: AssemblyContext
) -> OldPriors:
    """The shares that the scores were trained at; chances are corrected where there are priors."""
    old = request.old_priors
    if isinstance(old, str):
        shares: Shares | None = _shares_of_data(old, table, document, context)
    else:
        assert document.target is not None  # every document of a request has one
        shares = _shares(old, document.target.levels, "old priors")
    if shares is None:
        return OldPriors(kind=OldPriorKind.CORRECTED)
    return OldPriors(kind=OldPriorKind.TRAINED_AT, shares=shares)


def _shares_of_data(
    word: str, table: LoadedTable, document: Document, context: AssemblyContext
) -> Shares:
    """The class shares of the rows of a table, by their weights."""
    if word != "data":
        raise PayoffError(
            f"old_priors={word!r} is not known.", remedy="Give {level: share} or 'data'."
        )
    target = document.target
    if target is None or target.column not in table.kinds:
        raise PayoffError(
            "The class shares of the data are not known without an outcome.",
            where=table.path,
            remedy="Name the target column, or give old_priors as {level: share}.",
        )
    codes = outcome_of(table, target, context)[0]
    known = codes >= 0
    weight = tables.frequency(table, document)
    counts = np.bincount(
        codes[known],
        weights=None if weight is None else weight[known],
        minlength=len(target.levels),
    )
    return tuple(zip(target.levels, map(float, counts / counts.sum()), strict=True))


__all__ = ["NO_OUTCOME", "decide_document", "refuse_levels"]
