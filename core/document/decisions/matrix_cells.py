"""Cells of a matrix as commands take them: numbers, and formulas of what follows an amount."""

from __future__ import annotations

from dataclasses import replace

from core.document.decisions.formulas import (
    AMOUNT,
    evaluate_line,
    formula_at,
    line_text,
    names_in,
    still_true,
    turned,
    with_formula,
)
from core.document.decisions.matrix_model import CellFormula, MatrixKind, MatrixSpec
from payoff.errors import PayoffError

Cells = tuple[tuple[float, ...], ...]
ResolvedCells = tuple[tuple[float | str, ...], ...]
"""Cells that the engine worked out; one that is a share of the case's amount is its formula."""

PLAIN_TEMPLATES = {
    MatrixKind.PROFIT: "payoff.profit",
    MatrixKind.LOSS: "payoff.loss",
    MatrixKind.REVENUE: "payoff.revenue",
}


def plain(matrix: MatrixSpec, cells: ResolvedCells) -> MatrixSpec:
    """The matrix with these cells, as the plain template of its kind.

    A plain matrix keeps its named parameters, and the formulas that still give what the cells hold.
    """
    is_plain = matrix.template in PLAIN_TEMPLATES.values()
    numbers = tuple(tuple(_number(value) for value in row) for row in cells)
    written = tuple(
        CellFormula(level=level, decision=decision, text=value)
        for level, row in zip(matrix.levels, cells, strict=True)
        for decision, value in zip(matrix.decisions, row, strict=False)
        if isinstance(value, str)
    )
    kept = still_true(matrix, numbers) if is_plain else ()
    return replace(
        matrix,
        template=PLAIN_TEMPLATES[matrix.kind],
        parameters=matrix.parameters if is_plain else (),
        formulas=(*kept, *written),
        cells=numbers,
    )


def cells_of(matrix: MatrixSpec, resolved: ResolvedCells) -> ResolvedCells:
    """Cells of the matrix; for a worded template those that the engine worked out."""
    cells: ResolvedCells = matrix.cells or resolved
    if len(cells) != len(matrix.levels):
        raise PayoffError(
            "The matrix has not been worked out yet.",
            remedy="Wait until the first result is shown, then edit again.",
        )
    return cells


def number_cells(matrix: MatrixSpec, resolved: ResolvedCells) -> Cells:
    """``cells_of`` where no cell follows an amount."""
    return tuple(tuple(_number(value) for value in row) for row in cells_of(matrix, resolved))


def written_cells(cells: Cells, shares: Cells) -> ResolvedCells:
    """Cells with those that are a share of the case's amount written as formulas."""
    return tuple(
        tuple(
            line_text(value, share) if share else value
            for value, share in zip(row, of_row, strict=True)
        )
        for row, of_row in zip(cells, shares, strict=True)
    )


def without_amount(matrix: MatrixSpec, level: str, decision: str) -> MatrixSpec:
    """The matrix without a cell's formula if that follows the amount: a number takes its place."""
    formula = formula_at(matrix, level, decision)
    if formula is None or AMOUNT not in names_in(formula):
        return matrix
    return with_formula(matrix, level, decision, None)


def follows_amount(matrix: MatrixSpec, level: str, decision: str) -> bool:
    """Whether a cell's formula says amount, where a column gives one."""
    formula = formula_at(matrix, level, decision)
    return matrix.amount is not None and formula is not None and AMOUNT in names_in(formula)


def turned_cell(value: float | str) -> float | str:
    """A cell with its sign turned."""
    if isinstance(value, str):
        return turned(value)
    return -value if value else 0.0


def _number(value: float | str) -> float:
    if isinstance(value, str):
        return evaluate_line(value, {}, has_amount=True).start
    return value


__all__ = [
    "PLAIN_TEMPLATES",
    "Cells",
    "ResolvedCells",
    "cells_of",
    "follows_amount",
    "number_cells",
    "plain",
    "turned_cell",
    "without_amount",
    "written_cells",
]
