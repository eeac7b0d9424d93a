"""Commands on the decision matrix.

Commands on the decision matrix: cells, parameters, decisions, costs and priors.

Knots of an interval outcome: their names, and the commands that add, move and remove them.

The rows of an interval matrix are named by values of the outcome, written as short as they can be.
They are kept in rising order, so that the editor shows the outcome from low to high.

Commands that take a whole matrix from elsewhere: a file, a template, the priors.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import ClassVar

from core.document.commands import Command, position, require_matrix_spec
from core.document.decisions.formulas import (
    AMOUNT,
    PLAIN_TEMPLATES,
    Cells,
    ResolvedCells,
    cells_of,
    names_in,
    number_cells,
    plain,
    turned,
    turned_cell,
    without_amount,
    worked_out,
)
from core.document.decisions.matrix_model import CostSpec, MatrixKind, MatrixSpec
from core.document.model import (
    Document,
)
from payoff.counting import counted
from payoff.errors import PayoffError
from payoff.facts import MatrixFacts


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


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportMatrix(Command):
    """Take a matrix read from a file, with its priors unless they are None."""

    label: ClassVar[str] = "Import matrix"
    matrix: MatrixSpec
    priors: tuple[tuple[str, float], ...] | None = None

    def apply(self, document: Document) -> Document:
        check_matrix(self.matrix)
        changed = replace(document, matrix=self.matrix, cursor_depth=None)
        return changed if self.priors is None else SetPriors(priors=self.priors).apply(changed)


@dataclass(frozen=True, slots=True, kw_only=True)
class SetAmount(Command):
    """Choose the column with an amount of each case, which formulas call ``amount``; None = none.

    Refused where the name is taken, and for None while a cell follows it.
    """

    label: ClassVar[str] = "Choose amount per case"
    column: str | None

    def apply(self, document: Document) -> Document:
        matrix = require_matrix_spec(document)
        if is_interval(document) and self.column is not None:
            raise PayoffError(
                "Amounts per case need classes, and the outcome is a number.",
                remedy="The rows of the matrix are values of the outcome itself.",
            )
        if self.column is not None and AMOUNT in dict(matrix.parameters):
            raise PayoffError(
                f"There is a parameter called “{AMOUNT}”.",
                why="Formulas could not tell it from the amount of the case.",
                remedy="Remove the parameter first.",
            )
        user = next((f for f in matrix.formulas if AMOUNT in names_in(f.text)), None)
        if self.column is None and user is not None:
            raise PayoffError(
                "The amount is in use.",
                where=f"row {user.level}, column {user.decision}: ={user.text}",
                remedy="Type a number into that cell first.",
            )
        return replace(document, matrix=replace(matrix, amount=self.column))


@dataclass(frozen=True, slots=True, kw_only=True)
class WeighByInversePriors(Command):
    """A decision per class, worth 1 ÷ share of the class where it is right and nothing else.

    ``shares`` are those of the levels in real life, in their order.
    """

    label: ClassVar[str] = "Weigh classes by inverse priors"
    shares: tuple[float, ...]

    def apply(self, document: Document) -> Document:
        matrix, target = require_matrix_spec(document), document.target
        if len(self.shares) != len(matrix.levels) or not all(0 < s <= 1 for s in self.shares):
            raise PayoffError(
                "Classes cannot be weighed by inverse priors.",
                why="Each class needs a share above 0.",
                remedy="Set the priors first.",
            )
        whole = sum(self.shares)
        names = tuple(target.label(level) if target else level for level in matrix.levels)
        cells = tuple(
            tuple(whole / share if row == column else 0.0 for column in range(len(names)))
            for row, share in enumerate(self.shares)
        )
        changed = MatrixSpec(
            template=PLAIN_TEMPLATES[MatrixKind.PROFIT],
            kind=MatrixKind.PROFIT,
            levels=matrix.levels,
            decisions=names,
            cells=cells,
            acting=names[0],
        )
        check_matrix(changed)
        return replace(document, matrix=changed, cursor_depth=None)


def choose_template(
    info: MatrixFacts,
    levels: tuple[str, ...],
    columns: Iterable[str] = (),
    before: MatrixSpec | None = None,
) -> ChooseTemplate:
    """Make the command that puts a worded template in the place of a matrix.

    Parameters
    ----------
    levels : tuple of str
        Rows, where the template has no knots of its own.
    columns : iterable of str
        Those of the data that may hold an amount.
    before : MatrixSpec, optional
        The matrix so far: its costs stay where they fit, its amount where there is one.
    """
    costs = () if before is None else before.costs
    return ChooseTemplate(
        matrix=MatrixSpec(
            template=info.id,
            kind=MatrixKind(info.kind),
            levels=tuple(f"{knot:g}" for knot in info.knots) or levels,
            decisions=info.decisions,
            cells=(),
            acting=info.acting or info.decisions[0],
            parameters=tuple((item.name, item.default) for item in info.parameters),
            costs=costs if len(costs) == len(info.decisions) else (),
            do_nothing=info.do_nothing,
            amount=_amount_for(info, before, columns),
        ),
        level_words=info.level_words,
        case_word=info.case_word,
    )


def _amount_for(info: MatrixFacts, before: MatrixSpec | None, columns: Iterable[str]) -> str | None:
    """The amount's column under a template: as chosen, else the one that the template names."""
    if info.amount is None:
        return None
    if before is not None and before.amount is not None:
        return before.amount
    wanted = info.amount.name.casefold()
    return next((column for column in columns if column.casefold() == wanted), None)
