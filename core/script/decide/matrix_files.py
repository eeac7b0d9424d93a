"""``payoff.read_matrix``, ``write_matrix``, ``inverse_prior_rows``: matrices and files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.data import printed
from core.decisions.matrices.fitting import inverse_prior_rows as diagonal
from core.decisions.matrices.reading import read_matrix_file
from core.decisions.matrices.writing import style_of, write_matrix_file
from core.document.decisions.matrix_model import CostSpec, MatrixKind
from core.document.studies.decision_files import MatrixFile, MatrixStyle, Rows
from payoff.counting import counted
from payoff.errors import PayoffError


@dataclass(frozen=True, kw_only=True)
class MatrixTable:
    """What ``payoff.read_matrix`` returns: classes in rows, whatever the file had.

    Attributes
    ----------
    file : MatrixFile
        The matrix, how it was read (``notes``) and what may be wrong with that (``doubts``).
    """

    file: MatrixFile

    @property
    def matrix(self) -> dict[str, list[float]]:
        """{level: [consequence per decision]}."""
        return {
            level: list(row) for level, row in zip(self.file.levels, self.file.cells, strict=True)
        }

    @property
    def decisions(self) -> list[str]:
        """Names in the order of the columns."""
        return list(self.file.decisions)

    @property
    def kind(self) -> str:
        """profit, loss or revenue."""
        return self.file.kind.value

    @property
    def rows(self) -> str:
        """What the rows of the file stood for: "actual" or "decided"."""
        return self.file.rows.value

    @property
    def costs(self) -> list[float | str] | None:
        """One per decision, a number or a column; None = the file has none."""
        if not self.file.costs:
            return None
        return [cost.amount if cost.column is None else cost.column for cost in self.file.costs]

    @property
    def priors(self) -> dict[str, float] | None:
        """Class shares in real life (DECPRIOR), or None."""
        return dict(self.file.priors) or None

    @property
    def old_priors(self) -> dict[str, float] | None:
        """Class shares of the training data (TRAINPRIOR), or None."""
        return dict(self.file.old_priors) or None

    @property
    def notes(self) -> tuple[str, ...]:
        """How the file was read."""
        return self.file.notes

    @property
    def doubts(self) -> tuple[str, ...]:
        """What may be wrong with that."""
        return self.file.doubts

    def arguments(self) -> dict[str, Any]:
        """Keyword arguments of ``payoff.decide``, all but the columns."""
        found: dict[str, Any] = {
            "matrix": self.matrix,
            "kind": self.kind,
            "decisions": self.decisions,
            "acting": self.file.acting or None,
            "do_nothing": self.file.do_nothing,
        }
        for name in ("costs", "priors", "old_priors"):
            if getattr(self, name) is not None:
                found[name] = getattr(self, name)
        return found


def read_matrix(
    path: str | Path,
    *,
    rows: str | None = None,
    kind: str | None = None,
    levels: Sequence[Any] = (),
) -> MatrixTable:
    """Read a decision matrix: CSV, SAS decision data as CSV, or JSON.

    Parameters
    ----------
    path : str or Path
    rows : {"actual", "decided", "predicted"}, optional
        What the rows of the file are: "actual" = the classes, "decided" or "predicted" = the
        decisions. Left out = as the file says; ``notes`` and ``doubts`` tell what was taken.
    kind : {"profit", "loss", "revenue"}, optional
    levels : sequence, optional
        Levels of the outcome; they help to tell rows from columns.

    Raises
    ------
    PayoffError
        Naming file, line, row, column and value of what cannot be read.
    """
    file = read_matrix_file(
        str(path),
        rows=None if rows is None else _rows(rows),
        kind=None if kind is None else _kind(kind),
        levels=[printed(level) for level in levels],
    )
    return MatrixTable(file=file)


def write_matrix(
    path: str | Path,
    matrix: Mapping[Any, Sequence[float]] | MatrixTable,
    *,
    kind: str = "profit",
    decisions: Sequence[str] | None = None,
    costs: Sequence[float | str] | None = None,
    priors: Mapping[Any, float] | None = None,
    style: str | None = None,
) -> Path:
    """Write a decision matrix; both axes are named in the file.

    Parameters
    ----------
    path : str or Path
    matrix : {level: [consequence per decision]}, or what ``read_matrix`` returned
    kind, decisions, costs, priors
        As in ``payoff.decide``.
    style : {"csv", "predicted", "sas", "json"}, optional
        "csv" = actual classes down; "predicted" = decisions down (as empulse and others write);
        "sas" = SAS decision data. Left out = by the ending of the file.

    Raises
    ------
    PayoffError
        If the style cannot hold the matrix, or the file cannot be written.
    """
    if style is not None and style not in list(MatrixStyle):
        raise PayoffError(
            f"There is no style {style!r}.", why=f"There are: {', '.join(MatrixStyle)}."
        )
    made = matrix.file if isinstance(matrix, MatrixTable) else None
    if made is None and not isinstance(matrix, MatrixTable):
        made = _file_of(str(path), matrix, kind, decisions, costs, priors)
    assert made is not None
    write_matrix_file(str(path), made, MatrixStyle(style) if style else style_of(str(path)))
    return Path(path)


def inverse_prior_matrix(priors: Mapping[Any, float]) -> dict[str, list[float]]:
    """A diagonal matrix in which each class weighs the same: 1 ÷ prior where right, else 0.

    Parameters
    ----------
    priors : {level: share}
        They need not sum to 1.

    Returns
    -------
    {level: [consequence per decision]}
        One decision per level, in the same order.
    """
    return diagonal({printed(level): share for level, share in priors.items()})


def _file_of(
    path: str,
    matrix: Mapping[Any, Sequence[float]],
    kind: str,
    decisions: Sequence[str] | None,
    costs: Sequence[float | str] | None,
    priors: Mapping[Any, float] | None,
) -> MatrixFile:
    width = max((len(row) for row in matrix.values()), default=0)
    names = tuple(decisions) if decisions else tuple(str(i + 1) for i in range(width))
    for level, row in matrix.items():
        if len(row) != len(names):
            raise PayoffError(
                "The matrix has a hole.",
                where=f"row {printed(level)}",
                why=f"{counted(len(row), 'number')} for {counted(len(names), 'decision')}.",
            )
    if costs is not None and len(costs) != len(names):
        raise PayoffError(
            "Costs do not fit the decisions.",
            why=f"{counted(len(costs), 'cost')}, {counted(len(names), 'decision')}.",
        )
    return MatrixFile(
        path=path,
        levels=tuple(printed(level) for level in matrix),
        decisions=names,
        cells=tuple(tuple(float(value) for value in row) for row in matrix.values()),
        kind=_kind(kind),
        rows=Rows.ACTUAL,
        is_stated=True,
        style=MatrixStyle.JSON,
        costs=tuple(
            CostSpec(column=cost) if isinstance(cost, str) else CostSpec(amount=float(cost))
            for cost in costs or ()
        ),
        priors=tuple((printed(level), float(share)) for level, share in (priors or {}).items()),
    )


def _rows(word: str) -> Rows:
    if word == "predicted":
        return Rows.DECIDED
    if word not in list(Rows):
        raise PayoffError(
            f"rows={word!r} is not known.", why="There are: actual, decided, predicted."
        )
    return Rows(word)


def _kind(word: str) -> MatrixKind:
    if word not in list(MatrixKind):
        raise PayoffError(
            f"There is no kind of matrix called {word!r}.", why="There are: profit, loss, revenue."
        )
    return MatrixKind(word)
