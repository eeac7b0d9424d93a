"""Further checks of decision matrices: ends of ranges, costs by case, decisions that differ."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from payoff.counting import counted, counted_of
from payoff.parameters import resolve_parameters
from payoff.specs import DecisionMatrix
from payoff.testing.checks import Check, require, require_close
from payoff.testing.matrix_checks import SEED, cells_of, levels_of
from payoff.testing.settings import end_settings, settings_of
from payoff.types import FloatArray
from payoff.vocabulary import ConsequenceKind

_ROWS = 7
_AMOUNT = 1000.0


def _columns(matrix: DecisionMatrix, rows: int = _ROWS) -> dict[str, FloatArray]:
    """Made-up values of every column that the matrix may read."""
    random = np.random.default_rng(SEED)
    return {item.name: random.uniform(1.0, 2.0, rows) for item in matrix.columns}


def _required(matrix: DecisionMatrix) -> dict[str, FloatArray]:
    needed = {item.name for item in matrix.columns if item.is_required}
    return {name: values for name, values in _columns(matrix).items() if name in needed}


def _costs(
    matrix: DecisionMatrix, values: dict[str, float], columns: dict[str, FloatArray], rows: int
) -> FloatArray:
    assert matrix.costs is not None
    return np.asarray(matrix.costs(rows, values, columns), dtype=np.float64)


def _worth(
    matrix: DecisionMatrix, values: dict[str, float], *, is_bare: bool = False
) -> FloatArray:
    """What each decision brings for each class, costs and an amount of 1,000 put in.

    ``is_bare``: only the required columns are there.
    """
    levels = levels_of(matrix)[0]
    worth = cells_of(matrix, levels, values)
    if matrix.shares is not None:
        worth = worth + _AMOUNT * np.asarray(matrix.shares(levels, values), dtype=np.float64)
    if matrix.costs is not None:
        columns = _required(matrix) if is_bare else _columns(matrix)
        worth = worth - _costs(matrix, values, columns, _ROWS).mean(axis=1)
    return -worth if matrix.kind == ConsequenceKind.LOSS else worth


def _ends(matrix: DecisionMatrix) -> str:
    settings = end_settings(matrix.parameters)
    for values in settings:
        for levels in levels_of(matrix):
            cells = cells_of(matrix, levels, values)
            require(np.isfinite(cells).all(), f"a cell is not finite at {values}")
        if matrix.costs is not None:
            costs = _costs(matrix, values, _columns(matrix), _ROWS)
            require(np.isfinite(costs).all(), f"a cost is not finite at {values}")
    return counted(len(settings), "setting")


def _parameters_matter(matrix: DecisionMatrix) -> str:
    """Every number that the user is asked for changes something, with columns or without."""
    usual = resolve_parameters(matrix.parameters)
    before = [_worth(matrix, usual, is_bare=is_bare) for is_bare in (False, True)]
    for item in matrix.parameters:
        moved = [
            _worth(matrix, {**usual, item.name: values[item.name]}, is_bare=is_bare)
            for values in [*settings_of((item,))[1:], *end_settings((item,))]
            for is_bare in (False, True)
        ]
        is_felt = any(
            not np.array_equal(worth, before[place % 2]) for place, worth in enumerate(moved)
        )
        require(is_felt, f"'{item.words}' changes nothing")
    return counted(len(matrix.parameters), "parameter")


def _without_columns(matrix: DecisionMatrix) -> str:
    """Columns that are not required may be missing."""
    if matrix.costs is None:
        return "no costs of its own"
    columns = _required(matrix)
    costs = _costs(matrix, resolve_parameters(matrix.parameters), columns, _ROWS)
    wanted = (len(matrix.decisions), _ROWS)
    require(costs.shape == wanted, f"costs have shape {costs.shape} instead of {wanted}")
    require(np.isfinite(costs).all(), "a cost is not finite")
    return f"{counted(len(matrix.columns) - len(columns), 'column')} left out"


def _costs_by_case(matrix: DecisionMatrix) -> str:
    """A case's costs depend on that case alone."""
    if matrix.costs is None:
        return "no costs of its own"
    values, columns = resolve_parameters(matrix.parameters), _columns(matrix)
    kept = {name: column.copy() for name, column in columns.items()}
    whole = _costs(matrix, values, columns, _ROWS)
    for name, column in columns.items():
        require(np.array_equal(column, kept[name]), f"the column '{name}' was changed")
    order = np.array([4, 1, 6, 0])
    some = {name: column[order] for name, column in columns.items()}
    return require_close(_costs(matrix, values, some, order.size), whole[:, order], "some cases")


def _decisions_differ(matrix: DecisionMatrix) -> str:
    if matrix.is_plain:
        return "cells are the user's"
    worth = _worth(matrix, resolve_parameters(matrix.parameters))
    for first, second in combinations(range(len(matrix.decisions)), 2):
        same = np.array_equal(worth[:, first], worth[:, second])
        names = matrix.decisions[first], matrix.decisions[second]
        require(not same, f"'{names[0]}' and '{names[1]}' bring the same for every class")
    return counted(len(matrix.decisions), "decision")


def _acting_pays(matrix: DecisionMatrix) -> str:
    """With the usual numbers acting is right for some cases; else the matrix is no help."""
    if matrix.is_plain or len(matrix.decisions) < 2:
        return "cells are the user's" if matrix.is_plain else "one decision"
    worth = _worth(matrix, resolve_parameters(matrix.parameters))
    acting = matrix.decisions.index(matrix.acting)
    gain = worth[:, acting] - np.delete(worth, acting, axis=1).max(axis=1)
    require(gain.max() > 0.0, f"'{matrix.acting}' is never the best decision")
    return f"best for {counted_of(int((gain > 0).sum()), gain.size, 'class', 'classes')}"


def _fresh(matrix: DecisionMatrix) -> str:
    """What the host does with an answer does not come back in the next one."""
    values = resolve_parameters(matrix.parameters)
    levels = levels_of(matrix)[0]
    first = matrix.consequences(levels, values)
    kept = np.array(first, dtype=np.float64)
    try:
        np.asarray(first)[...] = -1.0
    except ValueError:
        return "cannot be changed"
    return require_close(cells_of(matrix, levels, values), kept, "next answer", tolerance=0.0)


MATRIX_EDGES: tuple[Check[DecisionMatrix], ...] = (
    Check("Ends of the parameters' ranges work", _ends),
    Check("Every parameter matters", _parameters_matter),
    Check("Columns may be missing", _without_columns),
    Check("Costs follow their cases", _costs_by_case),
    Check("No two decisions are alike", _decisions_differ),
    Check("Acting pays for some case", _acting_pays),
    Check("Every answer is a fresh one", _fresh),
)
