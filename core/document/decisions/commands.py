"""Commands on the decision matrix: cells, parameters, decisions, costs and priors."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import ClassVar

from core.document.commands import Command, position, require_matrix_spec
from core.document.decisions.formulas import turned, worked_out
from core.document.decisions.matrix_cells import (
    ResolvedCells,
    cells_of,
    plain,
    turned_cell,
    without_amount,
)
from core.document.decisions.matrix_model import CostSpec, MatrixKind, MatrixSpec
from core.document.model import (
    Document,
)
from payoff.counting import counted
from payoff.errors import PayoffError


@dataclass(frozen=True, slots=True, kw_only=True)
class SetMatrix(Command):
    """Replace the whole matrix (a template chosen, a block pasted)."""

    label: ClassVar[str] = "Change matrix"
    matrix: MatrixSpec

    def apply(self, document: Document) -> Document:
        check_matrix(self.matrix)
        return replace(document, matrix=self.matrix)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChooseTemplate(Command):
    """Take a worded template with its decisions and parameters.

    Its words for classes and cases are taken only where the user has given none.
    """

    label: ClassVar[str] = "Choose template"
    matrix: MatrixSpec
    level_words: tuple[str, ...] = ()
    case_word: tuple[str, str] | None = None

    def apply(self, document: Document) -> Document:
        check_matrix(self.matrix)
        target = document.target
        has_own = target is not None and target.labels not in ((), target.levels)
        if target is not None and not has_own and len(self.level_words) == len(target.levels):
            target = replace(target, labels=self.level_words)
        is_named = document.case_word != Document().case_word
        word = document.case_word if is_named or self.case_word is None else self.case_word
        return replace(
            document, matrix=self.matrix, target=target, case_word=word, cursor_depth=None
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class EditCell(Command):
    """Type one consequence. ``resolved`` are the cells shown (needed for worded templates)."""

    label: ClassVar[str] = "Edit matrix cell"
    level: str
    decision: str
    value: float
    resolved: ResolvedCells = ()

    @property
    def merge_key(self) -> str | None:
        return f"cell {self.level} {self.decision}"

    def apply(self, document: Document) -> Document:
        matrix = require_matrix_spec(document)
        row = position(matrix.levels, self.level, "class")
        column = position(matrix.decisions, self.decision, "decision")
        cells = [list(entries) for entries in cells_of(matrix, self.resolved)]
        cells[row][column] = self.value
        matrix = without_amount(matrix, self.level, self.decision)
        changed = plain(matrix, tuple(tuple(entries) for entries in cells))
        check_matrix(changed)
        return replace(document, matrix=changed)


@dataclass(frozen=True, slots=True, kw_only=True)
class SetParameter(Command):
    """Change one parameter of a worded template ("a letter costs")."""

    label: ClassVar[str] = "Change parameter"
    name: str
    value: float

    @property
    def merge_key(self) -> str | None:
        return f"parameter {self.name}"

    def apply(self, document: Document) -> Document:
        matrix = require_matrix_spec(document)
        position(tuple(name for name, _ in matrix.parameters), self.name, "parameter")
        parameters = tuple(
            (name, self.value if name == self.name else value) for name, value in matrix.parameters
        )
        changed = worked_out(replace(matrix, parameters=parameters))
        return replace(document, matrix=changed)


@dataclass(frozen=True, slots=True, kw_only=True)
class SetMatrixKind(Command):
    """Read the numbers as profits, losses, or revenues with costs.

    Between profit and loss the signs turn, so that the same decisions are taken.
    """

    label: ClassVar[str] = "Change kind of matrix"
    kind: MatrixKind
    resolved: ResolvedCells = ()

    def apply(self, document: Document) -> Document:
        matrix = require_matrix_spec(document)
        cells = cells_of(matrix, self.resolved)
        if (matrix.kind is MatrixKind.LOSS) != (self.kind is MatrixKind.LOSS):
            cells = tuple(tuple(turned_cell(value) for value in row) for row in cells)
            matrix = replace(
                matrix,
                formulas=tuple(replace(f, text=turned(f.text)) for f in matrix.formulas),
            )
        return replace(document, matrix=plain(replace(matrix, kind=self.kind), cells))


@dataclass(frozen=True, slots=True, kw_only=True)
class AddDecision(Command):
    """Add a decision that earns nothing until told otherwise."""

    label: ClassVar[str] = "Add decision"
    decision: str
    resolved: ResolvedCells = ()

    def apply(self, document: Document) -> Document:
        matrix = require_matrix_spec(document)
        cells = tuple((*row, 0.0) for row in cells_of(matrix, self.resolved))
        costs = (*matrix.costs, CostSpec()) if matrix.costs else ()
        changed = replace(matrix, decisions=(*matrix.decisions, self.decision), costs=costs)
        changed = plain(changed, cells)
        check_matrix(changed)
        return replace(document, matrix=changed)


@dataclass(frozen=True, slots=True, kw_only=True)
class RenameDecision(Command):
    """Give a decision another name."""

    label: ClassVar[str] = "Rename decision"
    decision: str
    name: str

    def apply(self, document: Document) -> Document:
        matrix = require_matrix_spec(document)
        position(matrix.decisions, self.decision, "decision")

        def renamed(entry: str) -> str:
            return self.name if entry == self.decision else entry

        changed = replace(
            matrix,
            decisions=tuple(renamed(entry) for entry in matrix.decisions),
            acting=renamed(matrix.acting),
            do_nothing=renamed(matrix.do_nothing) if matrix.do_nothing else None,
            formulas=tuple(replace(f, decision=renamed(f.decision)) for f in matrix.formulas),
        )
        check_matrix(changed)
        scenarios = tuple(entry.renamed(self.decision, self.name) for entry in document.scenarios)
        return replace(document, matrix=changed, scenarios=scenarios)


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoveDecision(Command):
    """Take a decision out of the matrix; the last one stays."""

    label: ClassVar[str] = "Remove decision"
    decision: str
    resolved: ResolvedCells = ()

    def apply(self, document: Document) -> Document:
        matrix = require_matrix_spec(document)
        index = position(matrix.decisions, self.decision, "decision")
        if len(matrix.decisions) == 1:
            raise PayoffError("A matrix needs at least one decision.")
        cells = tuple(row[:index] + row[index + 1 :] for row in cells_of(matrix, self.resolved))
        decisions = matrix.decisions[:index] + matrix.decisions[index + 1 :]
        changed = replace(
            matrix,
            decisions=decisions,
            costs=matrix.costs[:index] + matrix.costs[index + 1 :],
            acting=matrix.acting if matrix.acting != self.decision else decisions[0],
            do_nothing=None if matrix.do_nothing == self.decision else matrix.do_nothing,
        )
        return replace(document, matrix=plain(changed, cells))


@dataclass(frozen=True, slots=True, kw_only=True)
class SetActing(Command):
    """Name the decision that counts as acting, and the one that does nothing, if any."""

    label: ClassVar[str] = "Choose the acting decision"
    acting: str
    do_nothing: str | None = None

    def apply(self, document: Document) -> Document:
        matrix = require_matrix_spec(document)
        position(matrix.decisions, self.acting, "decision")
        if self.do_nothing is not None:
            position(matrix.decisions, self.do_nothing, "decision")
        if self.acting == self.do_nothing:
            raise PayoffError("Acting and doing nothing cannot be the same decision.")
        matrix = replace(matrix, acting=self.acting, do_nothing=self.do_nothing)
        return replace(document, matrix=matrix, cursor_depth=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class SetCosts(Command):
    """Cost of each decision, a constant or a column; empty = none."""

    label: ClassVar[str] = "Change costs"
    costs: tuple[CostSpec, ...]

    @property
    def merge_key(self) -> str | None:
        return "costs"

    def apply(self, document: Document) -> Document:
        matrix = require_matrix_spec(document)
        if self.costs and len(self.costs) != len(matrix.decisions):
            raise PayoffError(
                "Costs do not fit the decisions.",
                where="costs",
                why=(
                    f"{counted(len(self.costs), 'cost')}, "
                    f"{counted(len(matrix.decisions), 'decision')}."
                ),
                remedy="Give one cost for each decision, 0 where there is none.",
            )
        return replace(document, matrix=replace(matrix, costs=self.costs))


@dataclass(frozen=True, slots=True, kw_only=True)
class SetPriors(Command):
    """Class shares in real life; None = as in the data."""

    label: ClassVar[str] = "Change priors"
    priors: tuple[tuple[str, float], ...] | None

    @property
    def merge_key(self) -> str | None:
        return "priors"

    def apply(self, document: Document) -> Document:
        for level, share in self.priors or ():
            if not 0 <= share < float("inf"):
                raise PayoffError(
                    "A prior must be a share of 0 or more.",
                    where=f"level {level}, {share:g}",
                    why="It says how many in a hundred cases are of the class.",
                    remedy="Type a share between 0 and 100 %.",
                )
        if self.priors is not None and not any(share > 0 for _, share in self.priors):
            raise PayoffError(
                "At least one prior must be above 0.",
                where=f"levels {', '.join(level for level, _ in self.priors)}",
                why="Otherwise no class has a case.",
                remedy="Type the share of the event, or take the shares of the data.",
            )
        kept = document.range_beside(self.priors)
        return replace(document, priors=self.priors, prior_range=kept)


def check_matrix(matrix: MatrixSpec) -> None:
    """Refuse a matrix that cannot be meant: duplicate or unknown names, holes, not numbers."""
    names = matrix.decisions
    if len(set(names)) != len(names) or not all(name.strip() for name in names):
        raise PayoffError(
            "Each decision needs a name of its own.",
            where=f"decisions {', '.join(names)}",
            why="Tables, charts and files tell decisions apart by it.",
            remedy="Type another name.",
        )
    position(names, matrix.acting, "decision")
    if matrix.cells and len(matrix.cells) != len(matrix.levels):
        raise PayoffError(
            "The matrix needs one row per class.",
            where="decision matrix",
            why=f"{counted(len(matrix.cells), 'row')}, classes {', '.join(matrix.levels)}.",
            remedy="Give every class its row.",
        )
    for level, row in zip(matrix.levels, matrix.cells, strict=False):
        if len(row) != len(names):
            raise PayoffError(
                "The matrix has a hole.",
                where=f"row {level}",
                why=f"{counted(len(row), 'number')} for {counted(len(names), 'decision')}.",
                remedy="Give every decision its number, 0 where it earns nothing.",
            )
        for decision, value in zip(names, row, strict=True):
            if not math.isfinite(value):
                raise PayoffError(
                    "A cell of the matrix is not a number.",
                    where=f"row {level}, column {decision}, value {value:g}",
                    why="Amounts that are missing or without end cannot be added up.",
                    remedy="Type what the decision earns there, 0 for nothing.",
                )
