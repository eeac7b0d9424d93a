"""The decision problem and the scores that the arguments of ``payoff.decide`` describe."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from core import data as tables
from core.data import LoadedTable, printed
from core.decisions import (
    DecisionProblem,
    LeafCases,
    ModelScores,
    Words,
    check_old_priors,
    complete_posteriors,
    interval_problem,
)
from core.document.matrix_model import MatrixKind
from core.document.model import OldPriorKind, TargetSpec
from core.script.amount_inputs import case_amounts, cells_and_shares
from core.script.decide_checks import (
    check_posteriors,
    check_spelling,
    check_sums,
    number_of,
)
from core.script.number_inputs import knots_of
from payoff.errors import PayoffError
from payoff.types import CodeArray, FloatArray

Matrix = Mapping[Any, Sequence[float | str]]
Costs = Sequence[float | str]


def problem_of(
    table: LoadedTable,
    matrix: Matrix,
    names: tuple[str, ...],
    *,
    kind: MatrixKind,
    target: str | None,
    is_interval: bool,
    priors: Mapping[Any, float] | None,
    prior_range: tuple[float, float] | None = None,
    costs: Costs | None,
    amount: str | None,
    weight: str | None = None,
    acting: str = "",
    do_nothing: str | None = None,
) -> tuple[DecisionProblem, tuple[str, ...]]:
    """The problem that the arguments of ``decide`` describe, and what is to be said of it."""
    if is_interval and amount is not None:
        raise PayoffError(
            "Amounts per case need classes, and the outcome is a number.",
            where=f"amount {amount}",
            remedy="Leave it out: the rows of the matrix are values of the outcome itself.",
        )
    cells, shares = cells_and_shares(matrix, names, has_amount=amount is not None)
    frequency = None if weight is None else tables.summable_column(table, weight, "weight")
    amounts, columns = _costs(table, costs, names)
    if is_interval:
        actual = None
        if target is not None:
            actual = tables.column_as_float(table, target, role="outcome")
        problem = interval_problem(
            knots=knots_of(matrix),
            decisions=names,
            cells=cells,
            kind=kind,
            actual=actual,
            frequency=frequency,
            cost_amounts=amounts,
            cost_columns=columns,
            acting=acting,
            do_nothing=do_nothing,
            words=Words(number=target or "value"),
        )
        return problem, ()
    levels = _levels(matrix)
    outcome, warnings = _outcome(table, target, levels)
    amounts_of_cases, said = case_amounts(table, amount, shares)
    problem = DecisionProblem(
        levels=levels,
        decisions=names,
        cells=cells,
        kind=kind,
        outcome=outcome,
        frequency=frequency,
        priors=_shares(priors, levels, "priors"),
        cost_amounts=amounts,
        cost_columns=columns,
        acting=acting,
        do_nothing=do_nothing,
        prior_range=prior_range,
        amounts=amounts_of_cases,
    )
    return problem, (*warnings, *said)


def level_place(levels: tuple[str, ...], level: str) -> int:
    """The place of a level by its name, or the refusal that lists them."""
    if printed(level) not in levels:
        raise PayoffError(f"There is no level '{level}'.", why=f"There are {', '.join(levels)}.")
    return levels.index(printed(level))


def _levels(matrix: Matrix) -> tuple[str, ...]:
    return tuple(printed(level) for level in matrix)


def numbered(matrix: Matrix) -> tuple[str, ...]:
    """Names of decisions that have none: "1", "2" ..."""
    count = max((len(row) for row in matrix.values()), default=0)
    return tuple(str(index + 1) for index in range(count))


def kind_of(kind: str) -> MatrixKind:
    """The kind of a matrix by its word."""
    try:
        return MatrixKind(kind)
    except ValueError as reason:
        raise PayoffError(
            f"There is no kind of matrix called {kind!r}.", why="There are: profit, loss, revenue."
        ) from reason


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
    table: LoadedTable, costs: Costs | None, names: tuple[str, ...]
) -> tuple[FloatArray | None, dict[int, FloatArray]]:
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
    table: LoadedTable,
    levels: tuple[str, ...],
    posteriors: Mapping[Any, str],
    problem: DecisionProblem,
    old_priors: Mapping[Any, float] | str | None,
    leaf: LeafCases | None,
) -> tuple[ModelScores, tuple[str, ...]]:
    """The posteriors of all classes as a model, and what is to be said of them."""
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
        leaf=leaf,
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
