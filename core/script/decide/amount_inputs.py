"""Cells of ``payoff.decide`` that are formulas: "=0.08*amount", with the amount of each case."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from core import data as tables
from core.data import LoadedTable, place_of, printed
from core.decisions import CaseAmounts
from core.document.decisions.formulas import AMOUNT, Line, evaluate_line, tidy
from core.script.decide.checks import number_of
from payoff.errors import PayoffError
from payoff.types import FloatArray


def cells_and_shares(
    matrix: Mapping[Any, Sequence[float | str]], names: tuple[str, ...], *, has_amount: bool
) -> tuple[FloatArray, FloatArray]:
    """Numbers of a matrix, and what one unit of the case's amount adds to them.

    Parameters
    ----------
    matrix : mapping of level to row
        A text is a formula: numbers, + - * / and brackets, and the name ``amount``.
    names : tuple of str
        Decisions.
    has_amount : bool
        Whether a column says what the amount of a case is.

    Returns
    -------
    cells, shares : array (levels, decisions) each

    Raises
    ------
    PayoffError
        For a hole, what is neither a number nor a formula, and a formula that is no straight line
        in the amount.
    """
    lines = []
    for level, row in matrix.items():
        if len(row) != len(names):
            raise PayoffError(
                "The matrix has a hole.",
                where=f"row {printed(level)}",
                why=f"{len(row)} numbers for {len(names)} decisions.",
            )
        where = f"level {printed(level)}, decision "
        lines.append([_line(v, where + n, has_amount) for n, v in zip(names, row, strict=True)])
    cells = np.array([[line.start for line in row] for row in lines])
    return cells, np.array([[line.share for line in row] for row in lines])


def _line(value: float | str, where: str, has_amount: bool) -> Line:
    if not isinstance(value, str):
        return Line(number_of(value, "A cell of the matrix", where))
    text = tidy(value)
    if AMOUNT in text and not has_amount:
        raise PayoffError(
            "No column says what the amount of a case is.",
            where=f"{where}: {value}",
            remedy='Name it: decide(..., amount="LOAN").',
        )
    if not value.lstrip().startswith("=") and AMOUNT not in text:
        return Line(number_of(value, "A cell of the matrix", where))
    try:
        return evaluate_line(text, {}, has_amount=has_amount)
    except PayoffError as reason:
        raise PayoffError(
            reason.what, where=f"{where}: {value}", why=reason.why, remedy=reason.remedy
        ) from reason


def case_amounts(
    table: LoadedTable, column: str | None, shares: FloatArray
) -> tuple[CaseAmounts | None, tuple[str, ...]]:
    """The amounts of the cases, and a warning where some are missing."""
    if column is None:
        return None, ()
    values = tables.summable_column(table, column, "amount")
    if not shares.any():
        return None, (f"No cell of the matrix says {AMOUNT}, so '{column}' changes nothing.",)
    missing = np.flatnonzero(~np.isfinite(values))
    said: tuple[str, ...] = ()
    if len(missing):
        where = place_of(table, int(missing[0]), column)
        said = (
            f"{len(missing):,} of {len(values):,} amounts are missing: these cases are marked C. "
            f"The first: {where}.",
        )
    return CaseAmounts(values=values, slopes=shares, name=column), said
