"""``payoff.reconcile``: decisions that a file brings along, compared with those of the rule."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from core.document.studies.reconciling import Reconciliation
from core.questions.decide import Reconcile
from core.script.decide.deciding import decide
from core.script.decide.decisions import Decisions
from core.script.projects import Project, apply
from core.script.session import ScriptData
from payoff.errors import PayoffError


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
    if project is not None:
        model = arguments.pop("model", None)
        _refuse_more(arguments)
        decided = apply(project, data, model=model)
    else:
        decided = decide(data, **arguments)
    return reconciled(decided, columns, tolerance)


def _refuse_more(arguments: Mapping[str, Any]) -> None:
    if arguments:
        raise PayoffError(
            f"'{next(iter(arguments))}' does not go with a project.",
            why="Matrix, priors and columns are the project's.",
        )


def reconciled(
    decided: Decisions, columns: Mapping[str, str] | None, tolerance: float
) -> Reconciliation:
    """Ask the document of a result how the columns of its rows compare with its decisions."""
    named = tuple((columns or {}).items())
    return decided.ask(Reconcile(model=decided.model.name, tolerance=tolerance, columns=named))


def reconcile_json(
    decided: Decisions, columns: Mapping[str, str] | None, tolerance: float
) -> dict[str, Any]:
    """What the verb prints."""
    found = reconciled(decided, columns, tolerance)
    return asdict(found) | {"agrees": found.agrees, "sentences": list(found.sentences)}
