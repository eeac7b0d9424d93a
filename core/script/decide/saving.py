"""What ``payoff decide --out`` writes: decisions, and the record that the window writes too."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from core import data as tables
from core.data import LoadedTable, printed
from core.decisions import DecisionProblem, ModelScores
from core.decisions.studies.hold_out import HoldOut
from core.document.data.model import RowUse
from core.document.decisions.matrix_model import CostSpec, MatrixSpec
from core.document.files.codec import to_plain
from core.document.model import (
    Document,
    ModelSpec,
    OldPriors,
    Role,
    RoleAssignment,
    SplitSpec,
    TargetSpec,
)
from core.engine.jobs.decide.record import (
    RecordedRule,
    decision_counts,
    decision_names,
    decision_record,
    decision_totals,
    file_record,
    hold_out_record,
    write_record,
)
from core.script.decide.decisions import Decisions
from core.script.decide.request import DecideRequest
from payoff.types import AnyArray


def save_decided(decided: Decisions, path: str, held: HoldOut | None) -> str:
    """Write the table of decided cases with their ids or row numbers, and the record beside it.

    Returns
    -------
    str
        Where the record stands.
    """
    rule = decided.recorded
    assert rule is not None  # decided from data, by arguments or by a project
    table = decided.table
    columns: dict[str, AnyArray | list[str]] = {"row": np.arange(1, len(table) + 1)}
    if rule.id_column is not None:
        columns[rule.id_column] = tables.column_as_text(rule.table, rule.id_column)
    columns |= {name: table[name].to_numpy() for name in table.columns}
    tables.write_table(path, columns)
    names = decision_names(decided.problem, decided.cases)
    has_chances = not rule.document.is_rank_only(rule.model)
    record = decision_record(
        rule,
        file_record(path, len(table), tuple(columns)),
        totals=decision_totals(decided.problem, decided.cases, has_chances=has_chances),
        counts=decision_counts(decided.problem, names),
        warnings=decided.warnings,
        hold_out=None if held is None else hold_out_record(held, decided.target, None),
    )
    return write_record(path, record)


def recorded_rule(
    table: LoadedTable, request: DecideRequest, problem: DecisionProblem, model: ModelScores
) -> RecordedRule:
    """The arguments of ``payoff.decide`` as a project would hold them."""
    priors = None
    if problem.priors is not None:
        priors = tuple(zip(problem.levels, map(float, problem.priors), strict=True))
    document = Document(
        name="",
        data=table.summary.data,
        target=_target(request, problem),
        split=SplitSpec(where=request.rows or ""),
        rows_used=RowUse.ALL,
        priors=priors,
        prior_range=problem.prior_range,
    ).with_roles(_roles(table, request, model.name))
    old = OldPriors(kind=model.old_kind)
    if model.old_priors is not None:
        shares = tuple(zip(problem.levels, map(float, model.old_priors), strict=True))
        old = replace(old, shares=shares)
    return RecordedRule(
        document=replace(document, models=(ModelSpec(name=model.name, old_priors=old),)),
        table=table,
        model=model.name,
        matrix=_matrix(request, problem),
    )


def _target(request: DecideRequest, problem: DecisionProblem) -> TargetSpec | None:
    if request.target is None:
        return None
    if problem.is_interval:
        return TargetSpec(column=request.target, kind="interval")
    kind = "binary" if len(problem.levels) == 2 else "multiclass"
    return TargetSpec(column=request.target, kind=kind, levels=problem.levels)


def _roles(table: LoadedTable, request: DecideRequest, model: str) -> tuple[RoleAssignment, ...]:
    """What the columns that were named are for, and the one that tells the cases apart."""
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
    found = (role for role in table.summary.roles if role.role is Role.ID)
    return (*roles, *(role for role in found if role.column not in named))


def _matrix(request: DecideRequest, problem: DecisionProblem) -> Mapping[str, Any]:
    """The matrix as a project's record has it."""
    costs = tuple(
        CostSpec(column=cost) if isinstance(cost, str) else CostSpec(amount=float(cost))
        for cost in request.costs or ()
    )
    spec = MatrixSpec(
        template="",
        kind=problem.kind,
        levels=problem.levels,
        decisions=problem.decisions,
        cells=tuple(tuple(map(float, row)) for row in problem.cells),
        acting=problem.decisions[problem.acting_index],
        costs=costs,
        do_nothing=problem.do_nothing,
        amount=request.amount,
    )
    shares = None if problem.amounts is None else problem.amounts.slopes.tolist()
    return {**to_plain(spec), "shares_of_amount": shares, "plugin_sha256": ""}
