"""What a decision problem must be: names, cells, priors, amounts and columns that fit."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from core.decisions.number_targets.knots import sorted_knots
from payoff.errors import PayoffError, no_such
from payoff.types import FloatArray

if TYPE_CHECKING:
    from core.decisions.amounts import CaseAmounts
    from core.decisions.problem import DecisionProblem

MAX_DECISIONS = 250

LARGEST = 1e60
"""Amounts and outcomes beyond this are refused: their squares, added up, would overflow."""


def checked_priors(
    priors: FloatArray, levels: tuple[str, ...], *, what: str = "prior"
) -> FloatArray:
    """Return shares scaled to sum to 1; refuse missing or negative ones, or none above zero."""
    values = np.asarray(priors, dtype=np.float64)
    if values.shape != (len(levels),):
        raise PayoffError(f"There must be one {what} per level.", where=f"{len(levels)} levels")
    for level, value in zip(levels, values, strict=True):
        if not np.isfinite(value) or value < 0:
            raise PayoffError(
                f"The {what} of '{level}' is {'missing' if np.isnan(value) else f'{value:g}'}.",
                where=f"level {level}",
                remedy="Give a share of 0 or more.",
            )
    if not values.sum() > 0:
        raise PayoffError(f"Every {what} is zero.", remedy="At least one must be above zero.")
    return np.asarray(values / values.sum())


def check_range(
    ends: tuple[float, float], priors: FloatArray | None, levels: tuple[str, ...]
) -> None:
    """The range of the event's prior holds the prior itself, and another class is possible."""
    if priors is None:
        raise PayoffError("A range of a prior needs the prior.", remedy="Give priors as well.")
    low, high = ends
    shares = checked_priors(priors, levels)
    if not 0.0 < low <= shares[0] <= high < 1.0:
        raise PayoffError(
            "The range must hold the prior itself.",
            where=f"{100 * low:g} to {100 * high:g} %, prior {100 * shares[0]:g} %",
            remedy="Give shares above 0 and below 100 %, one on each side of the prior.",
        )


def check_names(problem: DecisionProblem) -> None:
    """Refuse names that are missing, stand twice or are not known."""
    for what, names in (("level", problem.levels), ("decision", problem.decisions)):
        if not names:
            raise PayoffError(f"The decision matrix has no {what}.", where="decision matrix")
        doubled = [name for i, name in enumerate(names) if name in names[:i]]
        if doubled:
            raise PayoffError(
                f"The {what} '{doubled[0]}' stands twice in the decision matrix.",
                remedy="Give each its own name.",
            )
    if len(problem.decisions) > MAX_DECISIONS:
        raise PayoffError(f"More than {MAX_DECISIONS} decisions cannot be compared.")
    for name in (problem.acting, problem.do_nothing):
        if name and name not in problem.decisions:
            raise no_such("decision", name, problem.decisions, listed="Known decisions")


def check_cells(problem: DecisionProblem) -> None:
    """Refuse cells and costs that are no numbers, or too large to add up."""
    shape = (len(problem.levels), len(problem.decisions))
    if problem.cells.shape != shape:
        raise PayoffError(
            f"The decision matrix has {problem.cells.shape} cells.",
            why=f"{shape[0]} levels and {shape[1]} decisions need {shape}.",
        )
    for row, column in np.argwhere(~(np.abs(problem.cells) <= LARGEST)):
        value = problem.cells[row, column]
        state = "missing" if np.isnan(value) else "infinite" if np.isinf(value) else "too large"
        raise PayoffError(
            f"A cell of the decision matrix is {state}.",
            where=f"{problem.row_name(int(row))}, decision {problem.decisions[column]}"
            + ("" if np.isnan(value) else f", value {value:g}"),
            why="Sums of such amounts overflow." if state == "too large" else "",
            remedy="Type a number, in thousands or millions if need be.",
        )
    amounts = problem.cost_amounts
    if amounts is not None and (amounts.shape != shape[1:] or not np.isfinite(amounts).all()):
        raise PayoffError("There must be one cost per decision.", where="costs")


def check_interval(problem: DecisionProblem) -> None:
    """Refuse knots that do not fit the rows, and priors beside a number."""
    assert problem.knots is not None  # by the caller
    rising, order = sorted_knots(problem.knots)
    if rising.shape != (len(problem.levels),) or np.any(np.diff(order) < 0):
        raise PayoffError(
            f"{rising.shape[0]} knots do not fit a matrix of {len(problem.levels)} rows.",
            remedy="Give one knot per row, in rising order.",
        )
    if problem.priors is not None:
        raise PayoffError(
            "Priors need classes, and the outcome is a number.",
            where="priors",
            remedy="Leave the priors out.",
        )


def require_classes(problem: DecisionProblem) -> None:
    """Refuse a number as the outcome where a study counts by class and by chance.

    Raises
    ------
    PayoffError
    """
    if problem.is_interval:
        raise PayoffError(
            f"The outcome '{problem.words.number}' is a number without classes.",
            why="This is worked out from the chances of classes.",
            remedy="Ask it of an outcome with classes, such as yes and no.",
        )


def check_rows(problem: DecisionProblem) -> None:
    """Refuse columns of other lengths, and codes of no level."""
    lengths = {}
    if problem.outcome is not None:
        lengths["outcome"] = problem.outcome.shape
    if problem.frequency is not None:
        lengths["frequency"] = problem.frequency.shape
    if problem.actual is not None:
        lengths["actual"] = problem.actual.shape
    if problem.amounts is not None:
        lengths["amount"] = problem.amounts.values.shape
    for decision, column in problem.cost_columns.items():
        if not 0 <= decision < len(problem.decisions):
            raise PayoffError(f"There is no decision number {decision}.", where="costs")
        lengths[f"cost of {problem.decisions[decision]}"] = column.shape
    if len(set(lengths.values())) > 1:
        raise PayoffError("Columns differ in length.", where=str(lengths))
    if problem.outcome is not None and problem.outcome.size:
        highest = int(problem.outcome.max())
        if highest >= len(problem.levels):
            raise PayoffError(
                f"The outcome code {highest} is not among {len(problem.levels)} levels."
            )


def check_amounts(problem: DecisionProblem, amounts: CaseAmounts) -> None:
    """Refuse amounts per case that cannot be used."""
    if problem.is_interval:
        raise PayoffError(
            "Amounts per case need classes, and the outcome is a number.",
            where="amounts",
            remedy="Leave them out: the rows of the matrix are values of the outcome itself.",
        )
    slopes = amounts.slopes
    if slopes.shape != problem.cells.shape or not (np.abs(slopes) <= LARGEST).all():
        raise PayoffError(
            f"The shares of {amounts.name} do not fit the matrix.",
            where="decision matrix",
            remedy="Give one number per class and decision.",
        )
    if amounts.largest > LARGEST:
        raise PayoffError(
            "An amount is too large.",
            where=f"{amounts.name}, {amounts.largest:g}",
            why="Sums of such amounts overflow.",
            remedy="Use a larger unit, or mend the value.",
        )
