"""The matrix that a freshly opened file starts with, until the user says what decisions earn."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from core.document.decisions.knots import knot_name
from core.document.decisions.lending import find_loan_amount, lending_matrix
from core.document.decisions.matrix_cells import PLAIN_TEMPLATES
from core.document.decisions.matrix_model import MatrixKind, MatrixSpec

if TYPE_CHECKING:
    from core.document.data.results import ColumnSummary
    from core.document.model import TargetSpec

_ACT, _REST = "Act", "Do nothing"
_TOP = 100.0  # the upper knot where nothing is known of the numbers


def starting_matrix(target: TargetSpec, columns: Iterable[ColumnSummary] = ()) -> MatrixSpec:
    """A matrix that claims nothing about the user's business, but of loans with their amounts.

    Classes: acting brings 1 on the event and costs 1 on any other case, so that the break-even
    chance is 50 %. A number: acting brings the number less its (rounded) mean, so that it pays on
    cases above the average. Loans that were repaid or not, beside a column of their amounts: a
    lender's matrix, whose shares are assumed and said to be.

    Parameters
    ----------
    target : TargetSpec
    columns : iterable of ColumnSummary
        What is known of the data: the outcome's own numbers, and where amounts may stand.
    """
    known = tuple(columns)
    lending = lending_matrix(target, find_loan_amount(known))
    if lending is not None:
        return lending
    column = next((entry for entry in known if entry.name == target.column), None)
    if target.levels:
        rows = target.levels
        cells = tuple((1.0 if level == target.event else -1.0, 0.0) for level in target.levels)
    else:
        low, high, mean = _span(column)
        rows = (knot_name(low), knot_name(high))
        cells = ((low - mean, 0.0), (high - mean, 0.0))
    return MatrixSpec(
        template=PLAIN_TEMPLATES[MatrixKind.PROFIT],
        kind=MatrixKind.PROFIT,
        levels=rows,
        decisions=(_ACT, _REST),
        cells=cells,
        acting=_ACT,
        do_nothing=_REST,
    )


def follow_event(matrix: MatrixSpec, before: TargetSpec, after: TargetSpec) -> MatrixSpec:
    """Return the matrix beside an outcome whose levels stand in another order.

    Rows move with their levels, so that what a person wrote of a class stays with it. The numbers
    that the program started with were written by nobody: they stay where they are, so that acting
    goes on to pay for the event.

    Parameters
    ----------
    matrix : MatrixSpec
        The matrix of ``before``.
    before, after : TargetSpec
        Outcomes of the same levels; the first level is the event.
    """
    if _is_untouched(matrix, before):
        return replace(matrix, levels=after.levels)
    places = [before.levels.index(level) for level in after.levels]
    cells = tuple(matrix.cells[place] for place in places) if matrix.cells else ()
    return replace(matrix, levels=tuple(matrix.levels[place] for place in places), cells=cells)


def _is_untouched(matrix: MatrixSpec, target: TargetSpec) -> bool:
    """Whether the numbers are those that the program starts with; decisions may have new names."""
    first = starting_matrix(target)
    is_same = matrix.template == first.template and matrix.cells == first.cells
    is_same = is_same and matrix.levels == first.levels and not matrix.formulas
    return is_same and matrix.decisions.index(matrix.acting) == first.decisions.index(first.acting)


def _span(column: ColumnSummary | None) -> tuple[float, float, float]:
    """Two round knots around a column's numbers, and its mean with one digit."""
    if column is None or column.maximum is None or column.minimum is None or column.mean is None:
        return 0.0, _TOP, 1.0
    high = _rounded_up(column.maximum) if column.maximum > 0 else 0.0
    low = -_rounded_up(-column.minimum) if column.minimum < 0 else 0.0
    if not high > low:
        return 0.0, _TOP, 1.0
    return low, high, float(f"{column.mean:.1g}")


def _rounded_up(value: float) -> float:
    """The next number with one digit: 187 becomes 200."""
    step = 10.0 ** math.floor(math.log10(value))
    return float(f"{math.ceil(value / step) * step:.1g}")
