"""The matrix of what ``payoff.decide`` is asked: written out, or a plugin's by its id.

``payoff.read_matrix``, ``write_matrix``, ``inverse_prior_rows``: matrices and files.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from core.assembly.context import AssemblyContext
from core.data import LoadedTable, encode_levels, printed
from core.decisions.matrices.fitting import inverse_prior_rows as diagonal
from core.decisions.matrices.reading import read_matrix_file
from core.decisions.matrices.writing import style_of, write_matrix_file
from core.document.decisions.commands import ChooseTemplate, choose_template
from core.document.decisions.formulas import (
    AMOUNT,
    PLAIN_TEMPLATES,
    Line,
    evaluate_line,
    tidy_formula,
)
from core.document.decisions.matrix_model import CellFormula, CostSpec, MatrixKind, MatrixSpec
from core.document.model import Document
from core.document.studies.decision_files import MatrixFile, MatrixStyle, Rows
from core.evaluation.naming import parse_named
from core.script.decide.request import Costs, DecideRequest, Matrix
from payoff.counting import counted
from payoff.errors import PayoffError
from payoff.parameters import resolve_parameters
from payoff.specs import DecisionMatrix

_EXAMPLE = "payoff.direct_mail(letter_cost=2)"


def matrix_choice(
    table: LoadedTable, request: DecideRequest, classes: tuple[str, ...], context: AssemblyContext
) -> ChooseTemplate:
    """What a person would have done to have the matrix of a request.

    Parameters
    ----------
    classes : tuple of str
        Levels of the outcome, the event first, for a matrix that is named; empty for a number.

    Raises
    ------
    PayoffError
        For a hole, what is neither a number nor a formula, a formula that is no straight line in
        the amount, costs that do not fit the decisions, and a plugin that does not fit the outcome.
    """
    if isinstance(request.matrix, str):
        return _template_choice(request.matrix, table, request, classes, context)
    return ChooseTemplate(matrix=_written(request.matrix, request))


def with_matrix(document: Document, chosen: ChooseTemplate, request: DecideRequest) -> Document:
    """Return the document with the matrix of its request.

    One that is written out is checked where it is worked out, cell by cell.
    """
    if isinstance(request.matrix, str):
        return chosen.apply(document)
    return replace(document, matrix=chosen.matrix)


def classes_of(table: LoadedTable, request: DecideRequest) -> tuple[str, ...]:
    """Levels of the outcome in the order of the posteriors, the event first.

    They are asked for by a matrix that is named; one that is written out has them itself.
    """
    if request.is_interval or not isinstance(request.matrix, str):
        return ()
    named = tuple(printed(level) for level in request.posteriors or {})
    if request.target is not None:
        found = encode_levels(table, request.target)[1]
        return (*named, *(level for level in found if level not in named))
    if len(named) < 2:
        raise PayoffError(
            "The classes are not known.",
            where=f"matrix {request.matrix}",
            why="One posterior is named, and no column of outcomes.",
            remedy="Name the target, or a posterior for each level, the event first.",
        )
    return named


def _template_choice(
    text: str,
    table: LoadedTable,
    request: DecideRequest,
    classes: tuple[str, ...],
    context: AssemblyContext,
) -> ChooseTemplate:
    """A plugin's matrix with the parameters and names that are given."""
    name, given = parse_named(text, "a matrix", _EXAMPLE)
    spec = context.registry.matrix(name)
    misfit = spec.misfit(len(classes))
    if misfit:
        there = counted(len(classes), "class", "classes") if classes else "a number"
        raise PayoffError(
            f"'{spec.label}' does not fit the outcome, which is {there}.",
            where=f"matrix {name}",
            why=f"{misfit}.",
        )
    chosen = choose_template(spec, classes, table.columns)
    _check_described(request, spec, chosen.matrix)
    names = tuple(request.decisions or chosen.matrix.decisions)
    places = dict(zip(chosen.matrix.decisions, names, strict=True))
    matrix = replace(
        chosen.matrix,
        decisions=names,
        acting=request.acting or places[chosen.matrix.acting],
        do_nothing=request.do_nothing or places.get(chosen.matrix.do_nothing or ""),
        parameters=tuple(resolve_parameters(spec.parameters, dict(given)).items()),
        costs=_costs(request.costs, names),
        amount=request.amount or chosen.matrix.amount,
    )
    if spec.amount is not None and matrix.amount is None:
        raise PayoffError(
            f"'{spec.label}' needs to know the {spec.amount.words} of each case.",
            where=f"matrix {name}",
            remedy='Name its column: amount="LOAN".',
        )
    return replace(chosen, matrix=matrix)


def _check_described(request: DecideRequest, spec: DecisionMatrix, matrix: MatrixSpec) -> None:
    """Refuse a kind that a plugin's matrix does not have, and more or fewer names than it needs."""
    where = f"matrix {spec.id}"
    if request.kind is not None and request.matrix_kind is not matrix.kind:
        raise PayoffError(
            f"'{spec.label}' is a matrix of {matrix.kind}, not of {request.kind}.",
            where=where,
            remedy="Leave the kind out.",
        )
    if request.decisions and len(request.decisions) != len(matrix.decisions):
        raise PayoffError(
            f"'{spec.label}' has {counted(len(matrix.decisions), 'decision')}, "
            f"and {counted(len(request.decisions), 'name is', 'names are')} given.",
            where=where,
            why=f"They are {', '.join(matrix.decisions)}.",
        )
    if not matrix.levels:
        raise PayoffError(
            f"'{spec.label}' leaves its rows to you, and none are given.",
            where=where,
            remedy="Write the matrix out: {knot: [consequence per decision]}.",
        )


def _written(rows: Matrix, request: DecideRequest) -> MatrixSpec:
    """A matrix whose cells are given."""
    names = _names(rows, request)
    levels = tuple(printed(level) for level in rows)
    if not levels:
        raise PayoffError("The decision matrix has no level.", where="decision matrix")
    cells: list[tuple[float, ...]] = []
    formulas: list[CellFormula] = []
    for level, row in zip(levels, rows.values(), strict=True):
        if len(row) != len(names):
            raise PayoffError(
                "The matrix has a hole.",
                where=f"row {level}",
                why=f"{counted(len(row), 'number')} for {counted(len(names), 'decision')}.",
            )
        lines = [
            _line(value, f"level {level}, decision {name}", has_amount=request.amount is not None)
            for name, value in zip(names, row, strict=True)
        ]
        cells.append(tuple(line.start for line in lines))
        formulas += [
            CellFormula(level=level, decision=name, text=tidy_formula(str(value)))
            for name, value, line in zip(names, row, lines, strict=True)
            if line.share
        ]
    kind = request.matrix_kind
    return MatrixSpec(
        template=PLAIN_TEMPLATES[kind],
        kind=kind,
        levels=levels,
        decisions=names,
        cells=tuple(cells),
        acting=request.acting
        or next((name for name in names if name != request.do_nothing), names[0]),
        costs=_costs(request.costs, names),
        do_nothing=request.do_nothing,
        formulas=tuple(formulas),
        amount=request.amount,
    )


def _line(value: float | str, where: str, *, has_amount: bool) -> Line:
    """A cell: a number, or a straight line in the amount of the case."""
    if not isinstance(value, str):
        return Line(number_of(value, "A cell of the matrix", where))
    text = tidy_formula(value)
    if AMOUNT in text and not has_amount:
        raise PayoffError(
            "No column says what the amount of a case is.",
            where=f"{where}: {value}",
            remedy='Name it: decide(..., amount="LOAN").',
        )
    if not value.lstrip().startswith("=") and AMOUNT not in text:
        return Line(number_of(value, "A cell of the matrix", where))
    try:
        return evaluate_line(text, {}, has_amount=has_amount)
    except PayoffError as reason:
        raise PayoffError(
            reason.what, where=f"{where}: {value}", why=reason.why, remedy=reason.remedy
        ) from reason


def number_of(value: Any, what: str, where: str) -> float:
    """A number that was typed in a matrix or a list of shares; refuses text, naming its place."""
    try:
        return float(value)
    except (TypeError, ValueError) as reason:
        raise PayoffError(
            f"{what} is {printed(value)!r}, which is no number.",
            where=where,
            remedy="Give a number.",
        ) from reason


def _names(rows: Matrix, request: DecideRequest) -> tuple[str, ...]:
    """Names of the decisions; those without one are called "1", "2" ..."""
    if request.decisions:
        return tuple(request.decisions)
    count = max((len(row) for row in rows.values()), default=0)
    return tuple(str(index + 1) for index in range(count))


def _costs(costs: Costs | None, names: tuple[str, ...]) -> tuple[CostSpec, ...]:
    """The cost of each decision: an amount, or a column."""
    if costs is None:
        return ()
    if len(costs) != len(names):
        raise PayoffError(
            "Costs do not fit the decisions.",
            why=f"{counted(len(costs), 'cost')}, {counted(len(names), 'decision')}.",
        )
    return tuple(
        CostSpec(column=cost)
        if isinstance(cost, str)
        else CostSpec(amount=number_of(cost, "A cost", f"decision {name}"))
        for name, cost in zip(names, costs, strict=True)
    )


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
