"""Commands that take a whole matrix from elsewhere: from a file, or from the priors."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from core.document.commands import (
    PLAIN_TEMPLATES,
    Command,
    SetPriors,
    check_matrix,
    matrix_of,
)
from core.document.model import Document, MatrixKind, MatrixSpec
from payoff.errors import PayoffError


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
class WeighByInversePriors(Command):
    """A decision per class, worth 1 ÷ share of the class where it is right and nothing else.

    ``shares`` are those of the levels in real life, in their order.
    """

    label: ClassVar[str] = "Weigh classes by inverse priors"
    shares: tuple[float, ...]

    def apply(self, document: Document) -> Document:
        matrix, target = matrix_of(document), document.target
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
