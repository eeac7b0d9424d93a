"""The decision problem and the scores that the arguments of ``payoff.decide`` describe."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from core import data as tables
from core.data import LoadedTable, printed
from core.decisions import (
    DecisionProblem,
    ModelScores,
    Words,
    check_old_priors,
    complete_posteriors,
    interval_problem,
)
from core.document.model import OldPriorKind, TargetSpec
from core.script.decide.amount_inputs import case_amounts, cells_and_shares
from core.script.decide.checks import (
    check_posteriors,
    check_spelling,
    check_sums,
    number_of,
)
from core.script.decide.number_inputs import knots_of, leaf_cases, number_scores
from core.script.decide.request import DecideRequest
from payoff.errors import PayoffError
from payoff.types import CodeArray, FloatArray


def problem_of(
    table: LoadedTable, request: DecideRequest
) -> tuple[DecisionProblem, tuple[str, ...]]:
    """The problem that is asked about, and what is to be said of it."""
    if request.is_interval:
        return _interval_problem(table, request), ()
    return _class_problem(table, request)


def _interval_problem(table: LoadedTable, request: DecideRequest) -> DecisionProblem:
    """The problem of an outcome that is a number."""
    if request.amount is not None:
        raise PayoffError(
            "Amounts per case need classes, and the outcome is a number.",
            where=f"amount {request.amount}",
            remedy="Leave it out: the rows of the matrix are values of the outcome itself.",
        )
    target = request.target
    cells, _ = cells_and_shares(request.matrix, request.names, has_amount=False)
    amounts, columns = _costs(table, request)
    return interval_problem(
        knots=knots_of(request.matrix),
        decisions=request.names,
        cells=cells,
        kind=request.matrix_kind,
        actual=None if target is None else tables.column_as_float(table, target, role="outcome"),
        frequency=_frequency(table, request),
        cost_amounts=amounts,
        cost_columns=columns,
        acting=request.acting or "",
        do_nothing=request.do_nothing,
        words=Words(number=target or "value"),
    )


def _class_problem(
    table: LoadedTable, request: DecideRequest
) -> tuple[DecisionProblem, tuple[str, ...]]:
    """The problem of an outcome of classes, and what is to be said of it."""
    has_amount = request.amount is not None
    cells, shares = cells_and_shares(request.matrix, request.names, has_amount=has_amount)
    frequency = _frequency(table, request)
    amounts, columns = _costs(table, request)
    levels = tuple(printed(level) for level in request.matrix)
    outcome, warnings = _outcome(table, request.target, levels)
    amounts_of_cases, said = case_amounts(table, request.amount, shares)
    problem = DecisionProblem(
        levels=levels,
        decisions=request.names,
        cells=cells,
        kind=request.matrix_kind,
        outcome=outcome,
        frequency=frequency,
        priors=_shares(request.priors, levels, "priors"),
        cost_amounts=amounts,
        cost_columns=columns,
        acting=request.acting or "",
        do_nothing=request.do_nothing,
        prior_range=request.prior_range,
        amounts=amounts_of_cases,
    )
    return problem, (*warnings, *said)


def scores_of(
    table: LoadedTable, request: DecideRequest, problem: DecisionProblem
) -> tuple[ModelScores, tuple[str, ...]]:
    """The scores that decide, as a model, and what is to be said of them."""
    if request.is_interval:
        return number_scores(table, request)
    return class_scores(table, request, problem)


def level_place(levels: tuple[str, ...], level: str) -> int:
    """The place of a level by its name, or the refusal that lists them."""
    if printed(level) not in levels:
        raise PayoffError(f"There is no level '{level}'.", why=f"There are {', '.join(levels)}.")
    return levels.index(printed(level))


def _frequency(table: LoadedTable, request: DecideRequest) -> FloatArray | None:
    if request.weight is None:
        return None
    return tables.summable_column(table, request.weight, "weight")


def _outcome(
    table: LoadedTable, target: str | None, levels: tuple[str, ...]
) -> tuple[CodeArray | None, tuple[str, ...]]:
    if target is None:
        return None, ()
    kind = "binary" if len(levels) == 2 else "multiclass"
    check_spelling(table, target, levels)
    spec = TargetSpec(column=target, kind=kind, levels=levels)
    return tables.outcome_codes(table, spec)


def _costs(
    table: LoadedTable, request: DecideRequest
) -> tuple[FloatArray | None, dict[int, FloatArray]]:
    """The cost of each decision: an amount, or a column of amounts by its number."""
    costs, names = request.costs, request.names
    if costs is None:
        return None, {}
    if len(costs) != len(names):
        raise PayoffError(
            "Costs do not fit the decisions.",
            why=f"{len(costs)} costs, {len(names)} decisions.",
        )
    amounts = np.array(
        [
            0.0 if isinstance(cost, str) else number_of(cost, "A cost", f"decision {name}")
            for name, cost in zip(names, costs, strict=True)
        ]
    )
    columns = {}
    for index, cost in enumerate(costs):
        if isinstance(cost, str):
            columns[index] = tables.summable_column(table, cost, "cost")
    return amounts, columns


def _shares(
    given: Mapping[Any, float] | None, levels: tuple[str, ...], what: str
) -> FloatArray | None:
    if given is None:
        return None
    named = {
        printed(level): number_of(share, f"One of the {what}", f"level {printed(level)}")
        for level, share in given.items()
    }
    for level in (*levels, *named):
        if level not in named or level not in levels:
            raise PayoffError(
                f"The {what} do not fit the matrix.",
                where=f"level {level}",
                remedy=f"Give one share for each of {', '.join(levels)}.",
            )
    return np.array([named[level] for level in levels])


def class_scores(
    table: LoadedTable, request: DecideRequest, problem: DecisionProblem
) -> tuple[ModelScores, tuple[str, ...]]:
    """The posteriors of all classes as a model, and what is to be said of them."""
    levels, posteriors, old_priors = problem.levels, request.posteriors or {}, request.old_priors
    columns = {
        printed(level): tables.column_as_float(table, column, role="posterior")
        for level, column in posteriors.items()
    }
    names = {printed(level): column for level, column in posteriors.items()}
    warnings = check_posteriors(table, names, columns)
    chances = complete_posteriors(columns, levels)
    if len(columns) == len(levels) > 1:
        check_sums(table, chances, str(next(iter(posteriors.values()))))
    if isinstance(old_priors, str):
        old: FloatArray | None = _shares_of_data(old_priors, table, problem)
    else:
        old = _shares(old_priors, levels, "old priors")
    is_known = old is not None and problem.priors is not None
    model = ModelScores(
        name=", ".join(str(column) for column in posteriors.values()),
        posteriors=chances,
        old_kind=OldPriorKind.TRAINED_AT if is_known else OldPriorKind.CORRECTED,
        old_priors=old if is_known else None,
        leaf=leaf_cases(table, request),
    )
    check_old_priors(problem.priors, model.old_priors, levels)
    return model, warnings


def _shares_of_data(word: str, table: LoadedTable, problem: DecisionProblem) -> FloatArray:
    if word != "data":
        raise PayoffError(
            f"old_priors={word!r} is not known.", remedy="Give {level: share} or 'data'."
        )
    if problem.outcome is None:
        raise PayoffError(
            "The class shares of the data are not known without an outcome.",
            where=table.path,
            remedy="Name the target column, or give old_priors as {level: share}.",
        )
    known = problem.outcome >= 0
    weight = problem.frequency[known] if problem.frequency is not None else None
    counts = np.bincount(problem.outcome[known], weights=weight, minlength=len(problem.levels))
    return np.asarray(counts / counts.sum(), dtype=np.float64)
