"""The matrix that a freshly opened file starts with, until the user says what decisions earn."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from core.document.decisions.knots import knot_name
from core.document.decisions.matrix_cells import PLAIN_TEMPLATES
from core.document.decisions.matrix_model import MatrixKind, MatrixSpec

if TYPE_CHECKING:
    from core.document.data.results import ColumnSummary
    from core.document.model import TargetSpec

_ACT, _REST = "Act", "Do nothing"
_TOP = 100.0  # the upper knot where nothing is known of the numbers


def starting_matrix(target: TargetSpec, column: ColumnSummary | None = None) -> MatrixSpec:
    """A matrix that claims nothing about the user's business.

    Classes: acting brings 1 on the event and costs 1 on any other case, so that the break-even
    chance is 50 %. A number: acting brings the number less its (rounded) mean, so that it pays on
    cases above the average.
    """
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
