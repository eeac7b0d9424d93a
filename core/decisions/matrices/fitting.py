"""A matrix from a file, fitted to the classes of an outcome; the diagonal of inverse priors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from core.data.levels import printed
from core.decisions.advice.linter import advise_matrix
from core.decisions.problem import DecisionProblem, checked_priors
from core.document.decisions.formulas import PLAIN_TEMPLATES
from core.document.decisions.matrix_model import MatrixSpec
from core.document.model import TargetSpec
from core.document.results import Advice
from core.document.studies.decision_files import MatrixFile
from payoff.errors import PayoffError
from payoff.types import FloatArray

Shares = tuple[tuple[str, float], ...]


def fitted_matrix(file: MatrixFile, target: TargetSpec) -> tuple[MatrixSpec, Shares | None]:
    """The matrix with its rows in the order of the outcome's levels, and the file's priors.

    Rows match by the printed form of the level, else by the user's word for it.

    Raises
    ------
    PayoffError
        Naming the class without a row, or the row that is no class.
    """
    order = [_row_of(level, file, target) for level in target.levels]
    strange = [level for place, level in enumerate(file.levels) if place not in order]
    if strange:
        raise PayoffError(
            f"The matrix has a row for '{strange[0]}', which is no class of the outcome.",
            where=f"{file.path}, row {strange[0]}",
            why=f"The outcome '{target.column}' has {', '.join(target.levels)}.",
            remedy="If the rows are the decisions, say so: rows are what is decided.",
        )
    matrix = MatrixSpec(
        template=PLAIN_TEMPLATES[file.kind],
        kind=file.kind,
        levels=target.levels,
        decisions=file.decisions,
        cells=tuple(file.cells[row] for row in order),
        acting=file.acting,
        costs=file.costs,
        do_nothing=file.do_nothing,
    )
    shares = dict(file.priors)
    priors = [shares.get(file.levels[row]) for row in order]
    if not shares or any(share is None for share in priors):
        return matrix, None
    return matrix, tuple(
        (level, float(share or 0.0)) for level, share in zip(target.levels, priors, strict=True)
    )


def _row_of(level: str, file: MatrixFile, target: TargetSpec) -> int:
    wanted = (printed(level).casefold(), target.label(level).casefold())
    names = [name.casefold() for name in file.levels]
    for name in wanted:
        if name in names:
            return names.index(name)
    raise PayoffError(
        f"The matrix has no row for the class '{level}'.",
        where=file.path,
        why=f"Its classes are {', '.join(file.levels)}; its decisions {', '.join(file.decisions)}.",
        remedy="If rows and columns are swapped in the file, say what its rows are; else name the "
        "rows as the outcome's classes.",
    )


def knot_matrix(file: MatrixFile) -> MatrixSpec:
    """The matrix of an outcome that is a number: its rows are values of it, in rising order.

    Raises
    ------
    PayoffError
        Naming the row that is no number.
    """
    knots = []
    for level in file.levels:
        try:
            knots.append(float(level))
        except ValueError:
            raise PayoffError(
                f"The row '{level}' is no number.",
                where=f"{file.path}, row {level}",
                why="The outcome is a number: the rows of its matrix are values of it.",
            ) from None
    order = sorted(range(len(knots)), key=lambda row: knots[row])
    return MatrixSpec(
        template=PLAIN_TEMPLATES[file.kind],
        kind=file.kind,
        levels=tuple(file.levels[row] for row in order),
        decisions=file.decisions,
        cells=tuple(file.cells[row] for row in order),
        acting=file.acting,
        costs=file.costs,
        do_nothing=file.do_nothing,
    )


def advice_on(matrix: MatrixSpec, target: TargetSpec) -> tuple[Advice, ...]:
    """What the linter says of a matrix before any model is looked at."""
    problem = DecisionProblem(
        levels=matrix.levels,
        decisions=matrix.decisions,
        cells=np.array(matrix.cells, dtype=np.float64),
        kind=matrix.kind,
        cost_amounts=np.array([cost.amount for cost in matrix.costs]) if matrix.costs else None,
        acting=matrix.acting,
        do_nothing=matrix.do_nothing,
        labels=target.labels,
    )
    return advise_matrix(problem)


def inverse_prior_cells(
    shares: Sequence[float] | FloatArray, levels: tuple[str, ...]
) -> FloatArray:
    """The diagonal of 1 ÷ prior, (levels, levels): each class weighs the same.

    Raises
    ------
    PayoffError
        If a share is missing, negative or zero.
    """
    priors = checked_priors(np.asarray(shares, dtype=np.float64), levels)
    for level, prior in zip(levels, priors, strict=True):
        if prior == 0.0:
            raise PayoffError(
                f"The prior of '{level}' is zero.",
                where=f"level {level}",
                why="Its inverse would be infinite.",
            )
    return np.diag(1.0 / priors)


def inverse_prior_rows(priors: Mapping[str, float]) -> dict[str, list[float]]:
    """The same as {level: [consequence per decision]}; decisions stand in the order of levels."""
    levels = tuple(printed(level) for level in priors)
    cells = inverse_prior_cells([float(share) for share in priors.values()], levels)
    return {level: cells[row].tolist() for row, level in enumerate(levels)}
