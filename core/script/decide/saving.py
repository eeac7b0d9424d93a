"""What ``payoff decide --out`` writes: decisions, and the record that the window writes too."""

from __future__ import annotations

import numpy as np

from core import data as tables
from core.decisions.studies.hold_out import (
    HoldOut,
    decision_counts,
    decision_names,
    decision_totals,
)
from core.engine.jobs.decide.saving import (
    decision_record,
    file_record,
    hold_out_record,
    recorded_rule,
    write_record,
)
from core.script.decide.decisions import Decisions
from core.script.session import engine
from payoff.types import AnyArray


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
    has_chances = not rule.document.is_rank_only(rule.model)
    record = decision_record(
        rule,
        file_record(path, len(table), tuple(columns)),
        totals=decision_totals(decided.problem, decided.cases, has_chances=has_chances),
        counts=decision_counts(decided.problem, names),
        warnings=decided.warnings,
        hold_out=None if held is None else hold_out_record(held, decided.target, None),
    )
    return write_record(path, record)
