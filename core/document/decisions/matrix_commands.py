"""Commands that take a whole matrix from elsewhere: a file, a template, the priors."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import ClassVar

from core.document.commands import Command, require_matrix_spec
from core.document.decisions.commands import ChooseTemplate, SetPriors, check_matrix
from core.document.decisions.formulas import AMOUNT, names_in
from core.document.decisions.knots import is_interval
from core.document.decisions.matrix_cells import PLAIN_TEMPLATES
from core.document.decisions.matrix_model import MatrixKind, MatrixSpec
from core.document.model import Document
from payoff.errors import PayoffError
from payoff.facts import MatrixFacts


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
