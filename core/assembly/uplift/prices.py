"""Prices of page Uplift from the project's decision matrix: treat or not, outcome or not.

Of two classes and two decisions only three differences matter to an experiment: what the outcome
is worth among the untreated, what it is worth less among the treated, and what treating costs a
case without it. They are the three prices of the page, so a matrix says the same in other words.
"""

from __future__ import annotations

from dataclasses import replace

from core.assembly.context import AssemblyContext
from core.assembly.matrix import matrix_of
from core.document.decisions.matrix_model import MatrixKind
from core.document.model import Document
from core.document.uplift.model import UpliftSpec
from payoff.counting import counted
from payoff.errors import PayoffError

Cells = tuple[tuple[float, float], tuple[float, float]]


def prices_of_cells(cells: Cells) -> tuple[float, float, float]:
    """Value, contact and redemption of a matrix of the event and all else by treat and leave."""
    (event_treat, event_leave), (else_treat, else_leave) = cells
    value = event_leave - else_leave
    return value, else_leave - else_treat, value - (event_treat - else_treat)


def spec_with_prices(document: Document, context: AssemblyContext) -> UpliftSpec:
    """The experiment with the prices that hold: the page's own, or those of the matrix.

    Raises
    ------
    PayoffError
        Where prices follow a matrix that is not there, or has more than two classes or decisions.
    """
    spec = document.uplift
    if not spec.follows_matrix:
        return spec
    value, contact, redemption = prices_of_cells(_cells_of(document, context))
    return replace(spec, value=value, contact=contact, redemption=redemption)


def _cells_of(document: Document, context: AssemblyContext) -> Cells:
    wanted = document.matrix
    target = document.target
    if wanted is None or target is None or len(target.levels) != 2:
        raise PayoffError(
            "There is no decision matrix of two classes to take prices from.",
            remedy="Make one on page Decide, or write prices on page Uplift.",
        )
    if document.uplift.outcome not in ("", target.column):
        raise PayoffError(
            f"The matrix is about '{target.column}', the experiment about another outcome.",
            where=document.uplift.outcome,
            remedy="Choose the same outcome, or write prices on page Uplift.",
        )
    matrix = matrix_of(document, context)
    if matrix.shares is not None or any(cost.column for cost in matrix.spec.costs):
        raise PayoffError(
            "The matrix reads amounts or costs case by case.",
            why="Prices of page Uplift are the same for every case.",
            remedy="Use a matrix of fixed cells.",
        )
    decisions = matrix.spec.decisions
    if len(decisions) != 2:
        raise PayoffError(
            f"The matrix has {counted(len(decisions), 'decision')}.",
            why="An experiment compares treating with leaving alone.",
            remedy="Use a matrix of two decisions, such as 'Treat or not'.",
        )
    acting = decisions.index(matrix.spec.acting)
    sign = -1.0 if matrix.spec.kind is MatrixKind.LOSS else 1.0
    rows = sign * matrix.cells[:, [acting, 1 - acting]]
    for place, column in enumerate((acting, 1 - acting)):
        if matrix.spec.costs:
            rows[:, place] -= matrix.spec.costs[column].amount
    return (
        (float(rows[0, 0]), float(rows[0, 1])),  # the event is the first level
        (float(rows[1, 0]), float(rows[1, 1])),
    )
