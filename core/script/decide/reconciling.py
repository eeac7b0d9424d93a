"""``payoff.reconcile``: decisions that a file brings along, compared with those of the rule."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from core.data import LoadedTable, place_of
from core.decisions.reconciling.carried import read_carried
from core.decisions.reconciling.comparing import reconcile_cases
from core.document.studies.reconciling import LETTERS, Reconciliation, carried_columns
from core.script.decide.deciding import decide
from core.script.decide.decisions import Decisions
from core.script.projects import Project, apply
from core.script.session import ScriptData, table_of
from payoff.errors import PayoffError, no_such


def reconcile(
    data: ScriptData,
    *,
    project: str | Project | None = None,
    columns: Mapping[str, str] | None = None,
    tolerance: float = 1e-6,
    **arguments: Any,
) -> Reconciliation:
    """Compare D_, EP_ (EL_), CP_, BP_, IC_ and ROI_ of a file with our own, row by row.

    Parameters
    ----------
    data : path, DataFrame, pyarrow Table or mapping of column name to 1-D array
    project : path of a project or an opened one, optional
        Whose rule decides; left out: ``arguments``.
    columns : {letters: column}, optional
        Where decisions stand, such as {"D": "decision", "EP": "expected"}; left out = by name.
    tolerance : float
        Largest difference of amounts that counts as equal, times the amount where that is above 1.
    **arguments
        Those of ``payoff.decide``: matrix, kind, decisions, target, posteriors, priors ...

    Returns
    -------
    Reconciliation
        ``agrees``, ``different``, ``columns`` (each with its first rows that differ), ``causes``,
        ``sentences``.

    Raises
    ------
    PayoffError
        If the file carries no decisions, or naming the place of what cannot be read.
    """
    if not tolerance >= 0.0:
        raise PayoffError(f"The tolerance is {tolerance:g}.", why="It must be 0 or more.")
    if project is not None:
        model = arguments.pop("model", None)
        _refuse_more(arguments)
        decided = apply(project, data, model=model)
    else:
        decided = decide(data, **arguments)
    return reconciled(table_of(data), decided, columns, tolerance)


def _refuse_more(arguments: Mapping[str, Any]) -> None:
    if arguments:
        raise PayoffError(
            f"'{next(iter(arguments))}' does not go with a project.",
            why="Matrix, priors and columns are the project's.",
        )


def reconciled(
    table: LoadedTable, decided: Decisions, columns: Mapping[str, str] | None, tolerance: float
) -> Reconciliation:
    """Compare a table's columns with decisions made on it."""
    named = dict(columns) if columns else carried_columns(table.columns, decided.target)
    for letter, column in named.items():
        if letter not in LETTERS:
            raise no_such("result", letter, LETTERS)
        table.require_column(column)
    carried = read_carried(table, named, decided.problem.decisions)

    def place(row: int, column: str, _value: str) -> str:
        return place_of(table, row, column)

    return reconcile_cases(
        decided.problem,
        decided.model,
        carried,
        path=table.path,
        place=place,
        tolerance=tolerance,
    )


def reconcile_json(
    table: LoadedTable, decided: Decisions, columns: Mapping[str, str] | None, tolerance: float
) -> dict[str, Any]:
    """What the verb prints."""
    found = reconciled(table, decided, columns, tolerance)
    return asdict(found) | {"agrees": found.agrees, "sentences": list(found.sentences)}
