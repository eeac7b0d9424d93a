"""Decisions and rules in files.

``payoff.reconcile``: decisions that a file brings along, compared with those of the rule.

``payoff.export_rule``: a decision rule as SQL, Python, SAS and a workbook, with its proof.

What ``payoff decide --out`` writes: decisions, and the record that the window writes too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np

from core import data as tables
from core.assembly.decide.decided_table import (
    decide_table,
)
from core.decisions.studies.hold_out import (
    HoldOut,
    decision_counts,
    decision_names,
    decision_totals,
)
from core.document.studies.decision_files import RuleExported
from core.document.studies.reconciling import Reconciliation
from core.engine.context import JobContext
from core.engine.jobs.decide.rules import export_decided_rule
from core.engine.jobs.decide.saving import (
    decision_record,
    file_record,
    hold_out_record,
    recorded_rule,
    write_record,
)
from core.questions.decide import Reconcile
from core.script.decide.deciding import decide
from core.script.decide.decisions import Decisions
from core.script.projects import Project, apply, chosen_model, open_project
from core.script.session import ScriptData, engine, loaded_table
from payoff.errors import PayoffError
from payoff.types import AnyArray


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


def export_rule(
    folder: str | Path,
    data: ScriptData,
    *,
    project: str | Path | Project | None = None,
    model: str | None = None,
    **arguments: Any,
) -> RuleExported:
    """Write a folder with the rule as SQL (SQLite; DuckDB and PostgreSQL), Python and SAS.

    Parameters
    ----------
    folder : str or Path
        New, empty, or an earlier export.
    data : path, DataFrame, pyarrow Table or mapping of column name to 1-D array
        Cases to take the 200 rows of expected results from.
    project : path of a project or an opened one, optional
        Whose rule is handed over; left out: ``arguments``.
    model : str, optional
        One of the project's models; left out = the chosen one.
    **arguments
        Those of ``payoff.decide``: matrix, kind, decisions, target, posteriors, priors ...

    Returns
    -------
    RuleHandedOver
        ``folder``, ``files``, ``inputs`` (columns that the code reads), ``notes``.

    Raises
    ------
    PayoffError
        If the rule cannot be written, or the folder holds something else.
    """
    if project is not None:
        if arguments:
            raise PayoffError(
                f"'{next(iter(arguments))}' does not go with a project.",
                why="Matrix, priors and columns are the project's.",
            )
        return _of_project(str(folder), data, project, model)
    decided = decide(data, **arguments)
    assert decided.made is not None  # decided from data
    return export_decided_rule(decided.made, str(folder))


def _of_project(
    folder: str, data: ScriptData, project: str | Path | Project, model: str | None
) -> RuleExported:
    opened = project if isinstance(project, Project) else open_project(project)
    document = opened.document
    chosen = chosen_model(document, model)
    document = replace(document, models=tuple(m for m in document.models if m.name == chosen))
    table = tables.from_data(data)
    if document.data is not None:
        table = tables.with_derived_columns(table, document.data.recipe.derived)
    table = loaded_table(table)
    tables.check_same_roles(table, document)
    here = replace(document, data=table.data)
    decided = decide_table(table, here, chosen, None, JobContext(engine().workbench))
    return export_decided_rule(decided, folder)


def save_decided(decided: Decisions, path: str, held: HoldOut | None) -> str:
    """Write the table of decided cases with their ids or row numbers, and the record beside it.

    Returns
    -------
    str
        Where the record stands.
    """
    assert decided.made is not None  # decided from data, by arguments or by a project
    rule = recorded_rule(decided.made, engine().registry)
    table = decided.table
    columns: dict[str, AnyArray | list[str]] = {"row": np.arange(1, len(table) + 1)}
    if rule.id_column is not None:
        columns[rule.id_column] = tables.column_as_text(rule.table, rule.id_column)
    columns |= {name: table[name].to_numpy() for name in table.columns}
    tables.write_columns(path, columns)
    names = decision_names(decided.problem, decided.cases)
    has_probabilities = not rule.document.is_rank_only(rule.model)
    record = decision_record(
        rule,
        file_record(path, len(table), tuple(columns)),
        totals=decision_totals(decided.problem, decided.cases, has_probabilities=has_probabilities),
        counts=decision_counts(decided.problem, names),
        warnings=decided.warnings,
        hold_out=None if held is None else hold_out_record(held, decided.target, None),
    )
    return write_record(path, record)
