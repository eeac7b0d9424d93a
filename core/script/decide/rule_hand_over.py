"""``payoff.hand_over_rule``: a decision rule as SQL, Python, SAS and a workbook, with its proof."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from core import data as tables
from core.assembly.decide.decided_table import (
    decide_table,
)
from core.document.studies.decision_files import RuleHandedOver
from core.engine.context import JobContext
from core.engine.jobs.decide.rules import hand_over_decided
from core.script.decide.deciding import decide
from core.script.projects import Project, chosen_model, open_project
from core.script.session import ScriptData, engine, loaded_table
from payoff.errors import PayoffError


def hand_over_rule(
    folder: str | Path,
    data: ScriptData,
    *,
    project: str | Path | Project | None = None,
    model: str | None = None,
    **arguments: Any,
) -> RuleHandedOver:
    """Write a folder with the rule as SQL (SQLite; DuckDB and PostgreSQL), Python and SAS.

    Parameters
    ----------
    folder : str or Path
        New, empty, or an earlier hand-over.
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
    return hand_over_decided(decided.made, str(folder))


def _of_project(
    folder: str, data: ScriptData, project: str | Path | Project, model: str | None
) -> RuleHandedOver:
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
    return hand_over_decided(decided, folder)
