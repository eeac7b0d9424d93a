"""Knots of an interval outcome: their names, and the commands that add, move and remove them.

The rows of an interval matrix are named by values of the outcome, written as short as they can be.
They are kept in rising order, so that the editor shows the outcome from low to high.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import ClassVar

from core.document.commands import Command, position, require_matrix_spec
from core.document.decisions.commands import check_matrix
from core.document.decisions.matrix_cells import Cells, ResolvedCells, number_cells, plain
from core.document.decisions.matrix_model import MatrixSpec
from core.document.model import Document
from payoff.errors import PayoffError


def knot_name(value: float) -> str:
    """A knot as short as it can be written: 10, 2.5."""
    whole = math.isfinite(value) and value == int(value) and abs(value) < 1e15
    return str(int(value)) if whole else repr(float(value))


def is_interval(document: Document) -> bool:
    """Whether the outcome is a number, and the rows of the matrix its knots."""
    return document.target is not None and not document.target.levels


def amounts_at(matrix: MatrixSpec, cells: Cells, value: float) -> tuple[float, ...]:
    """What the lines of a matrix bring at a value: between its knots and beyond them."""
    rows = sorted((float(knot), row) for knot, row in zip(matrix.levels, cells, strict=True))
    if len(rows) == 1:
        return rows[0][1]
    place = max(sum(knot <= value for knot, _row in rows) - 1, 0)
    place = min(place, len(rows) - 2)
    (low, first), (high, second) = rows[place], rows[place + 1]
    share = (value - low) / (high - low)
    return tuple(a + share * (b - a) for a, b in zip(first, second, strict=True))


@dataclass(frozen=True, slots=True, kw_only=True)
class AddKnot(Command):
    """Add a row at a value of the outcome; it lies on the lines, so that nothing changes yet."""

    label: ClassVar[str] = "Add row"
    value: float
    resolved: ResolvedCells = ()

    def apply(self, document: Document) -> Document:
        matrix = require_matrix_spec(document)
        cells = number_cells(matrix, self.resolved)
        amounts = amounts_at(matrix, cells, self.value)
        rows = [*zip(matrix.levels, cells, strict=True), (knot_name(self.value), amounts)]
        return _with_rows(document, matrix, rows)


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveKnot(Command):
    """Put a row at another value of the outcome; its amounts stay."""

    label: ClassVar[str] = "Move row"
    knot: str
    value: float
    resolved: ResolvedCells = ()

    def apply(self, document: Document) -> Document:
        matrix = require_matrix_spec(document)
        place = position(matrix.levels, self.knot, "row")
        rows = list(zip(matrix.levels, number_cells(matrix, self.resolved), strict=True))
        rows[place] = (knot_name(self.value), rows[place][1])
        return _with_rows(document, matrix, rows)


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoveKnot(Command):
    """Take a row out of the matrix; the last one stays."""

    label: ClassVar[str] = "Remove row"
    knot: str
    resolved: ResolvedCells = ()

    def apply(self, document: Document) -> Document:
        matrix = require_matrix_spec(document)
        place = position(matrix.levels, self.knot, "row")
        if len(matrix.levels) == 1:
            raise PayoffError("A matrix needs at least one row.")
        rows = list(zip(matrix.levels, number_cells(matrix, self.resolved), strict=True))
        return _with_rows(document, matrix, rows[:place] + rows[place + 1 :])


def _with_rows(
    document: Document, matrix: MatrixSpec, rows: list[tuple[str, tuple[float, ...]]]
) -> Document:
    """The document with these rows in rising order; refuses a value that stands twice."""
    if not is_interval(document):
        raise PayoffError(
            "The rows of this matrix are classes.", why="Only those of a number can be moved."
        )
    for name, _row in rows:
        if not math.isfinite(float(name)):
            raise PayoffError(f"A row cannot stand at {name}.", remedy="Type a number.")
    rising = sorted(rows, key=lambda entry: float(entry[0]))
    names = [name for name, _row in rising]
    doubled = [name for name in names if names.count(name) > 1]
    if doubled:
        raise PayoffError(
            f"There is a row at {doubled[0]} already.", remedy="Give each row its own value."
        )
    changed = replace(matrix, levels=tuple(names))
    changed = plain(changed, tuple(row for _name, row in rising))
    check_matrix(changed)
    return replace(document, matrix=changed)
