"""Decisions in the document's file, compared with those of its rule."""

from __future__ import annotations

from core.assembly.context import AssemblyContext, table_of
from core.assembly.decide.decided_table import decide_table
from core.data import place_of
from core.decisions.reconciling import read_carried, reconcile_cases
from core.document.model import Document
from core.document.studies.reconciling import LETTERS, Reconciliation, carried_columns
from core.questions.decide import Reconcile
from core.questions.needs import named_target
from payoff.errors import PayoffError, no_such


def reconcile_decisions(
    document: Document, question: Reconcile, context: AssemblyContext
) -> Reconciliation:
    """Compare every row that the row filter lets through, whatever rows the page judges by.

    Raises
    ------
    PayoffError
        If there is no result of the letters, or naming the place of what cannot be read.
    """
    if not question.tolerance >= 0.0:
        raise PayoffError(f"The tolerance is {question.tolerance:g}.", why="It must be 0 or more.")
    target = named_target(document)
    decided = decide_table(table_of(document, context), document, question.model, None, context)
    context.progress(None, "Looking for the cause")
    table = decided.table
    named = dict(question.columns) or carried_columns(table.columns, target.column)
    for letter, column in named.items():
        if letter not in LETTERS:
            raise no_such("result", letter, LETTERS)
        table.require_column(column)

    def place(row: int, column: str, _value: str) -> str:
        return place_of(table, row, column)

    return reconcile_cases(
        decided.problem,
        decided.scores,
        read_carried(table, named, decided.problem.decisions),
        path=table.path,
        place=place,
        tolerance=question.tolerance,
    )
