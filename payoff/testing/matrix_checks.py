"""Checks of decision matrices."""

from __future__ import annotations

import numpy as np

from payoff.counting import counted
from payoff.parameters import resolve_parameters
from payoff.specs import DecisionMatrix
from payoff.testing.checks import Check, require, require_close
from payoff.testing.settings import settings_of
from payoff.types import FloatArray

SEED = 20261
_USUAL_LEVELS = (2, 3, 5)


def levels_of(matrix: DecisionMatrix) -> tuple[int, ...]:
    """Return the numbers of rows that a matrix is tried with."""
    fixed = len(matrix.knots) or matrix.n_levels
    return (fixed,) if fixed else _USUAL_LEVELS


def _settings(matrix: DecisionMatrix) -> list[dict[str, float]]:
    """Defaults and random settings of the parameters."""
    return settings_of(matrix.parameters)


def cells_of(matrix: DecisionMatrix, levels: int, values: dict[str, float]) -> FloatArray:
    """Return the consequences at a setting, float64 (levels, decisions)."""
    return np.asarray(matrix.consequences(levels, values), dtype=np.float64)


def _shape(matrix: DecisionMatrix) -> str:
    for levels in levels_of(matrix):
        for values in _settings(matrix):
            shape = np.shape(matrix.consequences(levels, values))
            wanted = (levels, len(matrix.decisions))
            require(shape == wanted, f"shape {shape} instead of {wanted}")
    return counted(len(matrix.decisions), "decision")


def _finite(matrix: DecisionMatrix) -> str:
    for levels in levels_of(matrix):
        for values in _settings(matrix):
            cells = cells_of(matrix, levels, values)
            require(np.isfinite(cells).all(), f"a cell is not finite at {values}")
    return counted(len(_settings(matrix)), "setting")


def _linear(matrix: DecisionMatrix) -> str:
    if not matrix.is_linear or not matrix.parameters:
        return "not claimed" if not matrix.is_linear else "no parameters"
    levels = levels_of(matrix)[0]
    for first, second in zip(_settings(matrix)[:-1], _settings(matrix)[1:], strict=True):
        middle = {name: 0.5 * (first[name] + second[name]) for name in first}
        halfway = 0.5 * (cells_of(matrix, levels, first) + cells_of(matrix, levels, second))
        require_close(cells_of(matrix, levels, middle), halfway, "half way between two settings")
    return "linear"


def _costs(matrix: DecisionMatrix) -> str:
    if matrix.costs is None:
        return "no costs of its own"
    random = np.random.default_rng(SEED)
    rows = 7
    columns = {item.name: random.uniform(1.0, 2.0, rows) for item in matrix.columns}
    for values in _settings(matrix):
        costs = np.asarray(matrix.costs(rows, values, columns), dtype=np.float64)
        wanted = (len(matrix.decisions), rows)
        require(costs.shape == wanted, f"costs have shape {costs.shape} instead of {wanted}")
        require(np.isfinite(costs).all(), "a cost is not finite")
    return f"{counted(len(matrix.decisions), 'decision')} x cases"


def _shares(matrix: DecisionMatrix) -> str:
    """Shares of the case's amount fit the matrix, and doing nothing is none of them."""
    if matrix.shares is None:
        return "no amounts"
    for levels in levels_of(matrix):
        for values in _settings(matrix):
            shares = np.asarray(matrix.shares(levels, values), dtype=np.float64)
            wanted = (levels, len(matrix.decisions))
            require(shares.shape == wanted, f"shares have shape {shares.shape}, not {wanted}")
            require(np.isfinite(shares).all(), f"a share is not finite at {values}")
            if matrix.do_nothing is not None:
                nothing = shares[:, matrix.decisions.index(matrix.do_nothing)]
                require((nothing == 0).all(), f"'{matrix.do_nothing}' brings shares {nothing}")
    return f"shares of {matrix.amount.words if matrix.amount is not None else 'the amount'}"


def _do_nothing(matrix: DecisionMatrix) -> str:
    """Doing nothing is the same whatever the amounts, or it is not nothing."""
    if matrix.do_nothing is None or matrix.is_plain:
        return "none named" if matrix.do_nothing is None else "cells are the user's"
    column = matrix.decisions.index(matrix.do_nothing)
    for values in _settings(matrix):
        nothing = cells_of(matrix, levels_of(matrix)[0], values)[:, column]
        require((nothing == 0).all(), f"'{matrix.do_nothing}' brings {nothing}")
    return "0 everywhere"


def _words(matrix: DecisionMatrix) -> str:
    if matrix.level_words:
        wanted = matrix.n_levels or len(matrix.knots) or 2
        require(
            len(matrix.level_words) == wanted,
            f"{len(matrix.level_words)} level words instead of {wanted}",
        )
    require(len(matrix.case_word) == 2 and all(matrix.case_word), "case_word needs two words")
    for item in matrix.parameters:
        require(item.words.strip(), f"the parameter '{item.name}' has no words")
    return f"{matrix.case_word[0]}, {matrix.case_word[1]}"


def _repeatable(matrix: DecisionMatrix) -> str:
    values = resolve_parameters(matrix.parameters)
    kept = dict(values)
    first = cells_of(matrix, levels_of(matrix)[0], values)
    answer = matrix.consequences(levels_of(matrix)[0], values)
    require(values == kept, "the parameters were changed")
    return require_close(answer, first, "second call", tolerance=0.0)


MATRIX_CHECKS: tuple[Check[DecisionMatrix], ...] = (
    Check("Shape is levels by decisions", _shape),
    Check("Cells are finite", _finite),
    Check("Linear where claimed", _linear),
    Check("Costs fit the cases", _costs),
    Check("Shares of the amount fit the matrix", _shares),
    Check("Doing nothing brings nothing", _do_nothing),
    Check("Words are there", _words),
    Check("Same answer again, inputs untouched", _repeatable),
)
