"""Formulas in cells of a matrix: numbers, names, + - * / and brackets, and nothing else.

A formula is read by a small parser of its own; nothing of it is ever run as a program.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from core.document.model import CellFormula, MatrixSpec
from payoff.errors import PayoffError

LONGEST = 200
DEEPEST = 40
_TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|(?P<name>[^\W\d]\w*)|(?P<sign>[-+*/()]))"
)
_SIGNS = str.maketrans({"\u2212": "-", "\u00d7": "*", "\u00f7": "/", "\u00b7": "*"})
REMEDY = "Use numbers, named parameters, + - * / and brackets: =margin - letter."


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str  # "number", "name", "sign"
    text: str


def is_formula(text: str) -> bool:
    """Whether a typed entry is meant as a formula: it begins with =."""
    return text.lstrip().startswith("=")


def tidy(text: str) -> str:
    """A formula as it is kept: without the = and spaces around it."""
    return text.strip().removeprefix("=").strip()


def names_in(text: str) -> tuple[str, ...]:
    """The names a formula uses, each once, in their order."""
    return tuple(dict.fromkeys(token.text for token in _tokens(text) if token.kind == "name"))


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
    if len(text) > LONGEST:
        raise PayoffError("The formula is too long.", why=f"{LONGEST} characters at most.")
    number = _Reader(_tokens(text), values).read()
    if not math.isfinite(number):
        raise PayoffError("The formula gives no finite number.", why=f"“{text}”.", remedy=REMEDY)
    return number


def _tokens(text: str) -> list[_Token]:
    cleaned = text.translate(_SIGNS)
    found, place = [], 0
    while cleaned[place:].strip():
        match = _TOKEN.match(cleaned, place)
        if match is None:
            wrong = cleaned[place:].strip()[0]
            remedy = "Write decimals with a point: 1.60." if wrong == "," else REMEDY
            raise PayoffError(
                f"The formula has a “{wrong}” in it.", why=f"“{text}”.", remedy=remedy
            )
        kind = str(match.lastgroup)
        found.append(_Token(kind, match.group(kind)))
        place = match.end()
    return found


class _Reader:
    """Sums of products of signed factors, read from left to right."""

    def __init__(self, tokens: list[_Token], values: Mapping[str, float]) -> None:
        self._tokens = tokens
        self._values = values
        self._place = 0
        self._depth = 0

    def read(self) -> float:
        """The whole formula."""
        if not self._tokens:
            raise PayoffError("The formula is empty.", remedy=REMEDY)
        number = self._sum()
        if self._place < len(self._tokens):
            raise PayoffError(
                f"The formula goes on after its end, at “{self._tokens[self._place].text}”.",
                remedy=REMEDY,
            )
        return number

    def _takes(self, signs: str) -> str:
        """The next sign if it is one of these, which is then passed; else nothing."""
        if self._place < len(self._tokens):
            token = self._tokens[self._place]
            if token.kind == "sign" and token.text in signs:
                self._place += 1
                return token.text
        return ""

    def _sum(self) -> float:
        number = self._product()
        while sign := self._takes("+-"):
            other = self._product()
            number = number + other if sign == "+" else number - other
        return number

    def _product(self) -> float:
        number = self._factor()
        while sign := self._takes("*/"):
            other = self._factor()
            if sign == "/" and other == 0:
                raise PayoffError(
                    "The formula divides by zero.", remedy="Give the divisor a value."
                )
            number = number * other if sign == "*" else number / other
        return number

    def _factor(self) -> float:
        self._depth += 1
        if self._depth > DEEPEST:
            raise PayoffError("The formula has too many brackets and signs within each other.")
        try:
            if sign := self._takes("+-"):
                return self._factor() if sign == "+" else -self._factor()
            if self._takes("("):
                number = self._sum()
                if not self._takes(")"):
                    raise PayoffError("A bracket of the formula is not closed.", remedy=REMEDY)
                return number
            return self._atom()
        finally:
            self._depth -= 1

    def _atom(self) -> float:
        if self._place >= len(self._tokens):
            raise PayoffError("The formula ends too early.", remedy=REMEDY)
        token = self._tokens[self._place]
        self._place += 1
        if token.kind == "number":
            return float(token.text)
        if token.kind != "name":
            raise PayoffError(
                f"The formula has “{token.text}” where a number is due.", remedy=REMEDY
            )
        if token.text not in self._values:
            known = ", ".join(self._values)
            raise PayoffError(
                f"There is no parameter called “{token.text}”.",
                why=f"There are: {known}." if known else "The matrix has no named parameters yet.",
                remedy=f"Add the parameter “{token.text}” first, or mend the formula.",
            )
        return self._values[token.text]


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
