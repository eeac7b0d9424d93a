"""Formulas in cells of a matrix: numbers, names, + - * / and brackets, and nothing else.

A formula is read by the parser of ``core.document.expressions``; nothing of it is ever run as a
program.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import replace

from core.document.expressions import Grammar, Kind, Node, names_in_arithmetic, parse
from core.document.model import CellFormula, MatrixSpec
from payoff.errors import PayoffError

REMEDY = "Use numbers, named parameters, + - * / and brackets: =margin - letter."
_GRAMMAR = Grammar("formula", REMEDY, 200, is_arithmetic=True)


def is_formula(text: str) -> bool:
    """Whether a typed entry is meant as a formula: it begins with =."""
    return text.lstrip().startswith("=")


def tidy(text: str) -> str:
    """A formula as it is kept: without the = and spaces around it."""
    return text.strip().removeprefix("=").strip()


def names_in(text: str) -> tuple[str, ...]:
    """The names a formula uses, each once, in their order."""
    return names_in_arithmetic(text, _GRAMMAR)


def is_name(text: str) -> bool:
    """Whether a text can be the name of a parameter: letters, digits and _, a letter first."""
    return re.fullmatch(r"[^\W\d]\w*", text) is not None


def evaluate(text: str, values: Mapping[str, float]) -> float:
    """The number that a formula gives.

    Raises
    ------
    PayoffError
        If it cannot be read, names what is not there, divides by zero, or is no finite number.
    """
    number = _number_of(parse(text, _GRAMMAR), values)
    if not math.isfinite(number):
        raise PayoffError("The formula gives no finite number.", why=f"“{text}”.", remedy=REMEDY)
    return number


def _number_of(node: Node, values: Mapping[str, float]) -> float:
    if node.kind is Kind.NUMBER:
        return node.number
    if node.kind is Kind.NAME:
        return _value_of(node.text, values)
    numbers = [_number_of(part, values) for part in node.parts]
    if len(numbers) == 1:
        return -numbers[0] if node.text == "-" else numbers[0]
    left, right = numbers
    if node.text == "/":
        if right == 0:
            raise PayoffError("The formula divides by zero.", remedy="Give the divisor a value.")
        return left / right
    return {"+": left + right, "-": left - right, "*": left * right}[node.text]


def _value_of(name: str, values: Mapping[str, float]) -> float:
    if name not in values:
        known = ", ".join(values)
        raise PayoffError(
            f"There is no parameter called “{name}”.",
            why=f"There are: {known}." if known else "The matrix has no named parameters yet.",
            remedy=f"Add the parameter “{name}” first, or mend the formula.",
        )
    return values[name]


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
        cells[row][column] = _of_cell(formula, values)
    return replace(matrix, cells=tuple(tuple(row) for row in cells))


def _of_cell(formula: CellFormula, values: Mapping[str, float]) -> float:
    try:
        return evaluate(formula.text, values)
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
        if cells[row][column] == _of_cell(formula, values):
            kept.append(formula)
    return tuple(kept)


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
