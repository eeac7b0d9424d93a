"""Cells of a matrix.

Formulas in cells of a matrix: numbers, names, + - * / and brackets, and nothing else.

A formula is read by the parser of ``core.document.data.expressions``; nothing of it is ever run as
a program. The name ``amount`` is the amount of the case itself (a loan, a basket), where a column
of the data gives one: a formula is then a straight line in it, a + b x amount.

Cells of a matrix as commands take them: numbers, and formulas of what follows an amount.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from core.document.data.expressions import Grammar, Kind, Node, names_in_arithmetic, parse
from core.document.decisions.matrix_model import CellFormula, MatrixKind, MatrixSpec
from payoff.errors import PayoffError

__all__ = [
    "PLAIN_TEMPLATES",
    "Cells",
    "ResolvedCells",
    "cells_of",
    "number_cells",
    "plain",
    "turned_cell",
    "without_amount",
    "written_cells",
]


AMOUNT = "amount"
"""What a formula calls the amount of the case."""
REMEDY = "Use numbers, named parameters, + - * / and brackets: =margin - letter."
_GRAMMAR = Grammar("formula", REMEDY, 200, is_arithmetic=True)


def is_formula(text: str) -> bool:
    """Whether a typed entry is meant as a formula: it begins with =."""
    return text.lstrip().startswith("=")


def tidy_formula(text: str) -> str:
    """A formula as it is kept: without the = and spaces around it."""
    return text.strip().removeprefix("=").strip()


def names_in(text: str) -> tuple[str, ...]:
    """The names a formula uses, each once, in their order."""
    return names_in_arithmetic(text, _GRAMMAR)


def is_name(text: str) -> bool:
    """Whether a text can be the name of a parameter: letters, digits and _, a letter first."""
    return re.fullmatch(r"[^\W\d]\w*", text) is not None


def evaluate_formula(text: str, values: Mapping[str, float]) -> float:
    """The number that a formula gives.

    Raises
    ------
    PayoffError
        If it cannot be read, names what is not there, divides by zero, or is no finite number.
    """
    return evaluate_line(text, values, has_amount=False).start


def evaluate_line(text: str, values: Mapping[str, float], *, has_amount: bool) -> Line:
    """What a formula gives as a straight line in the amount of the case.

    Parameters
    ----------
    text : str
    values : mapping of name to number
    has_amount : bool
        Whether the name ``amount`` stands for the amount of the case.

    Raises
    ------
    PayoffError
        As ``evaluate_formula``; also for what is no straight line, as amount * amount.
    """
    line = _line_of(parse(text, _GRAMMAR), values, has_amount)
    if not (math.isfinite(line.start) and math.isfinite(line.share)):
        raise PayoffError("The formula gives no finite number.", why=f"“{text}”.", remedy=REMEDY)
    return line


def _line_of(node: Node, values: Mapping[str, float], has_amount: bool) -> Line:
    if node.kind is Kind.NUMBER:
        return Line(node.number)
    if node.kind is Kind.NAME:
        return _value_of(node.text, values, has_amount)
    lines = [_line_of(part, values, has_amount) for part in node.parts]
    if len(lines) == 1:
        return Line(0.0).plus(lines[0], -1.0) if node.text == "-" else lines[0]
    left, right = lines
    if node.text == "/":
        return left.over(right)
    if node.text == "*":
        return left.times(right)
    return left.plus(right, 1.0 if node.text == "+" else -1.0)


@dataclass(frozen=True, slots=True)
class Line:
    """A number that may follow the amount of the case: ``start`` + ``share`` x amount."""

    start: float
    share: float = 0.0

    def plus(self, other: Line, sign: float = 1.0) -> Line:
        """The sum, or with sign -1 the difference."""
        return Line(self.start + sign * other.start, self.share + sign * other.share)

    def times(self, other: Line) -> Line:
        """The product, which is a line where one of the two is a plain number."""
        if self.share != 0 and other.share != 0:
            raise PayoffError(
                "The formula multiplies the amount by itself.",
                why="A cell follows the amount along a straight line.",
                remedy="Use the amount times a number, and numbers: =0.08*amount - 4.",
            )
        if not self.share and not other.share:
            return Line(self.start * other.start)
        return Line(self.start * other.start, self.share * other.start + self.start * other.share)

    def over(self, other: Line) -> Line:
        """The quotient by a plain number."""
        if other.share != 0:
            raise PayoffError(
                "The formula divides by the amount.",
                why="A cell follows the amount along a straight line.",
                remedy="Use the amount times a number, and numbers: =0.08*amount - 4.",
            )
        if other.start == 0:
            raise PayoffError("The formula divides by zero.", remedy="Give the divisor a value.")
        return Line(self.start / other.start, self.share / other.start)


def _value_of(name: str, values: Mapping[str, float], has_amount: bool) -> Line:
    if has_amount and name == AMOUNT:
        return Line(0.0, 1.0)
    if name in values:
        return Line(values[name])
    if name == AMOUNT:
        raise PayoffError(
            "No column says what the amount of a case is.",
            remedy="Choose it below the matrix: “Amount per case”.",
        )
    known = ", ".join(values)
    raise PayoffError(
        f"There is no parameter called “{name}”.",
        why=f"There are: {known}." if known else "The matrix has no named parameters yet.",
        remedy=f"Add the parameter “{name}” first, or mend the formula.",
    )


# ---------------------------------------------------------------- formulas of a matrix


def formula_at(matrix: MatrixSpec, level: str, decision: str) -> str | None:
    """The formula of a cell, without its =; None for a plain number."""
    return next(
        (f.text for f in matrix.formulas if f.level == level and f.decision == decision), None
    )


def with_formula(matrix: MatrixSpec, level: str, decision: str, text: str | None) -> MatrixSpec:
    """The matrix with another formula in a cell (None: without one); cells are left alone."""
    others = tuple(f for f in matrix.formulas if (f.level, f.decision) != (level, decision))
    if text is None:
        return replace(matrix, formulas=others)
    return replace(
        matrix, formulas=(*others, CellFormula(level=level, decision=decision, text=text))
    )


def worked_out(matrix: MatrixSpec) -> MatrixSpec:
    """The matrix with the cells that its formulas give.

    Raises
    ------
    PayoffError
        Naming the cell, what is wrong with its formula, and how to mend it.
    """
    if not matrix.formulas:
        return matrix
    values = dict(matrix.parameters)
    cells = [list(row) for row in matrix.cells]
    for formula in matrix.formulas:
        row = matrix.levels.index(formula.level)
        column = matrix.decisions.index(formula.decision)
        cells[row][column] = _of_cell(formula, values, matrix.amount is not None).start
    return replace(matrix, cells=tuple(tuple(row) for row in cells))


def amount_shares(matrix: MatrixSpec) -> tuple[tuple[float, ...], ...]:
    """What one unit of the case's amount adds to each cell, by the formulas.

    Raises
    ------
    PayoffError
        As ``worked_out``.
    """
    shares = [[0.0] * len(matrix.decisions) for _level in matrix.levels]
    if matrix.amount is not None:
        values = dict(matrix.parameters)
        for formula in matrix.formulas:
            row = matrix.levels.index(formula.level)
            column = matrix.decisions.index(formula.decision)
            shares[row][column] = _of_cell(formula, values, True).share
    return tuple(tuple(row) for row in shares)


def _of_cell(formula: CellFormula, values: Mapping[str, float], has_amount: bool) -> Line:
    try:
        return evaluate_line(formula.text, values, has_amount=has_amount)
    except PayoffError as reason:
        where = f"row {formula.level}, column {formula.decision}: ={formula.text}"
        raise PayoffError(
            reason.what, where=where, why=reason.why, remedy=reason.remedy
        ) from reason


def still_true(matrix: MatrixSpec, cells: tuple[tuple[float, ...], ...]) -> tuple[CellFormula, ...]:
    """The formulas whose cells still hold what they give: a number typed over one ends it."""
    values = dict(matrix.parameters)
    kept = []
    for formula in matrix.formulas:
        if formula.level not in matrix.levels or formula.decision not in matrix.decisions:
            continue
        row = matrix.levels.index(formula.level)
        column = matrix.decisions.index(formula.decision)
        line = _of_cell(formula, values, matrix.amount is not None)
        if cells[row][column] == line.start:
            kept.append(formula)
    return tuple(kept)


def line_text(start: float, share: float) -> str:
    """A line in the amount as a formula says it: "0.08*amount - 4"."""
    text = AMOUNT if share == 1 else f"-{AMOUNT}" if share == -1 else f"{share!r}*{AMOUNT}"
    if start:
        text += f" {'+' if start > 0 else '-'} {abs(start)!r}"
    return text


def turned(text: str) -> str:
    """A formula with its sign turned; turned twice it is what it was."""
    inside = text[2:-1]
    if text.startswith("-(") and text.endswith(")") and _is_balanced(inside):
        return inside
    return f"-({text})"


def _is_balanced(text: str) -> bool:
    depth = 0
    for sign in text:
        depth += (sign == "(") - (sign == ")")
        if depth < 0:
            return False
    return depth == 0


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


def turned_cell(value: float | str) -> float | str:
    """A cell with its sign turned."""
    if isinstance(value, str):
        return turned(value)
    return -value if value else 0.0


def _number(value: float | str) -> float:
    if isinstance(value, str):
        return evaluate_line(value, {}, has_amount=True).start
    return value
