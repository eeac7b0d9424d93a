"""Frequency weights: rows that stand for several are repeated, and intervals count them all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from core.evaluation.problem import EvaluationProblem
from payoff.counting import counted
from payoff.errors import PayoffError, no_such
from payoff.types import AnyArray, FloatArray, IntArray

WEIGHT_KINDS = ("sampling", "frequency")
MOST_ROWS = 100_000_000
_COPIES = 2**24  # copies of a row that get numbers of their own


def repeated(problem: EvaluationProblem) -> tuple[EvaluationProblem, IntArray | None]:
    """The problem with each row as often as its frequency weight says.

    Returns
    -------
    problem : EvaluationProblem
        Without weights; the same one where there is nothing to repeat.
    units : (rows,) int64 array or None
        A number for each copy that depends on its row's number only; None where nothing changed.

    Raises
    ------
    PayoffError
        For an unknown kind, weights that are not whole, or too many rows.
    """
    if problem.weight_kind not in WEIGHT_KINDS:
        raise no_such("kind of weights", problem.weight_kind, WEIGHT_KINDS)
    if problem.weight_kind == "sampling" or problem.frequency is None:
        return problem, None
    times = _times(problem)
    rows = np.repeat(np.arange(problem.size), times)
    numbers = np.arange(1, problem.size + 1) if problem.row_numbers is None else problem.row_numbers
    first = np.cumsum(times) - times
    copy = np.arange(len(rows)) - first[rows]
    units = np.asarray(numbers[rows] * _COPIES + copy, dtype=np.int64)
    models = tuple(
        replace(
            model,
            posteriors=_columns(model.posteriors, rows),
            prediction=_values(model.prediction, rows),
            fit_posteriors=_columns(model.fit_posteriors, rows),
            extras=_mapped(model.extras, rows),
        )
        for model in problem.models
    )
    made = replace(
        problem,
        models=models,
        outcome=None if problem.outcome is None else problem.outcome[rows],
        target=_values(problem.target, rows),
        frequency=None,
        cluster=None if problem.cluster is None else problem.cluster[rows],
        extras=_mapped(problem.extras, rows),
        row_numbers=np.asarray(numbers[rows], dtype=np.int64),
    )
    return made, units


def _times(problem: EvaluationProblem) -> IntArray:
    weight = problem.frequency
    assert weight is not None
    wrong = (weight != np.floor(weight)) | (weight >= _COPIES)
    if wrong.any():
        row = int(np.argmax(wrong))
        raise PayoffError(
            f"The weight {weight[row]:g} cannot be a number of rows.",
            where=problem.row_text(row),
            why="Frequency weights say how often a row stands there: they are whole numbers.",
            remedy="Call the weights sampling weights.",
        )
    if weight.sum() > MOST_ROWS:
        raise PayoffError(
            f"The weights stand for {counted(weight.sum(), 'row')}; at most {MOST_ROWS:,} are "
            "repeated.",
            remedy="Call the weights sampling weights: values stay, intervals are wider.",
        )
    return weight.astype(np.int64)


def _columns(values: FloatArray | None, rows: IntArray) -> FloatArray | None:
    return None if values is None else np.ascontiguousarray(values[:, rows])


def _values(values: FloatArray | None, rows: IntArray) -> FloatArray | None:
    return None if values is None else values[rows]


def _mapped(columns: Mapping[str, AnyArray], rows: IntArray) -> dict[str, AnyArray]:
    return {name: values[rows] for name, values in columns.items()}
