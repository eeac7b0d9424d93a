"""Decisions in the document's file, compared with those of its rule."""

from __future__ import annotations

from collections.abc import Mapping

from core.assembly.context import AssemblyContext, table_of
from core.assembly.decide.decided_table import DecidedTable, decide_table
from core.data import place_of
from core.decisions.reconciling.carried import read_carried
from core.decisions.reconciling.comparing import reconcile_cases
from core.document.model import Document
from core.document.studies.reconciling import LETTERS, Reconciliation, carried_columns
from core.questions.decide import Reconcile
from core.questions.needs import named_classes
from payoff.errors import no_such


def reconcile_decisions(
    document: Document, question: Reconcile, context: AssemblyContext
) -> Reconciliation:
    """Compare every row that the row filter lets through, whatever rows the page judges by."""
    target = named_classes(document)
    table = table_of(document, context)
    decided = decide_table(table, document, question.model, None, context)
    context.progress(None, "Looking for the cause")
    return compare_carried(decided, target.column, None, question.tolerance)


def compare_carried(
    decided: DecidedTable, target: str, columns: Mapping[str, str] | None, tolerance: float
) -> Reconciliation:
    """Decisions that a table brings along beside those made of its rows.

    Parameters
    ----------
    columns : {letters: column}, optional
        Where they stand; left out: in columns named as SAS names decisions of ``target``.

    Raises
    ------
    PayoffError
        If the table carries no decisions, or naming the place of what cannot be read.
    """
    table = decided.table
    named = dict(columns) if columns else carried_columns(table.columns, target)
    for letter, column in named.items():
        if letter not in LETTERS:
            raise no_such("result", letter, LETTERS)
        table.require_column(column)
    carried = read_carried(table, named, decided.problem.decisions)

    def place(row: int, column: str, _value: str) -> str:
        return place_of(table, row, column)

    return reconcile_cases(
        decided.problem,
        decided.scores,
        carried,
        path=table.path,
        place=place,
        tolerance=tolerance,
    )
