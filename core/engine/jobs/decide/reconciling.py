"""The job that compares decisions in the document's file with those of its rule."""

from __future__ import annotations

from core.assembly.cases import model_scores
from core.assembly.context import table_of
from core.data import place_of
from core.decisions.reconciling.carried import read_carried
from core.decisions.reconciling.comparing import reconcile_cases
from core.document.studies.reconciling import (
    ReconcileArguments,
    Reconciliation,
    carried_columns,
)
from core.engine.context import JobContext
from core.engine.jobs.decide.saving import decide_table
from core.questions.needs import named_classes


def reconcile_decisions(arguments: ReconcileArguments, context: JobContext) -> Reconciliation:
    """Every row of the file, whatever rows the page judges by."""
    document = arguments.document
    target = named_classes(document)
    table = table_of(document, context)
    decided = decide_table(table, document, arguments.model, None, context)
    found = carried_columns(table.columns, target.column)
    carried = read_carried(table, found, decided.problem.decisions)
    context.progress(None, "Looking for the cause")
    scores = next(
        entry for entry in model_scores(document, decided.cases) if entry.name == arguments.model
    )

    def place(row: int, column: str, _value: str) -> str:
        return place_of(table, row, column)

    return reconcile_cases(
        decided.problem,
        scores,
        carried,
        path=table.path,
        place=place,
        tolerance=arguments.tolerance,
    )
