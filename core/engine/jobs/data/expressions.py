"""The job that tries an expression over the data before anything is changed."""

from __future__ import annotations

import numpy as np

from core import data
from core.assembly.context import table_of
from core.data import ExpressionValues
from core.data.looking.pages import cell_text
from core.document.studies.looking import ExpressionResult, TryArguments
from core.engine.context import JobContext
from payoff.errors import PayoffError

EXAMPLES = 6


def try_expression(arguments: TryArguments, context: JobContext) -> ExpressionResult:
    """What an expression gives; one that cannot be read is no failure but an answer."""
    table = table_of(arguments.document, context)
    try:
        if arguments.is_filter:
            inside, unknown = data.row_filter(table, arguments.text)
            return ExpressionResult(
                text=arguments.text,
                kind="boolean",
                rows=table.rows,
                true=int(inside.sum()),
                missing=unknown,
            )
        return _described(arguments.text, data.evaluate(table, arguments.text), table.rows)
    except PayoffError as refusal:
        parts = [refusal.what, refusal.why, refusal.remedy]
        said = " ".join(part for part in parts if part)
        return ExpressionResult(text=arguments.text, rows=table.rows, refusal=said)


def _described(text: str, found: ExpressionValues, rows: int) -> ExpressionResult:
    column = found.as_column()
    is_true = found.kind == "boolean"
    return ExpressionResult(
        text=text,
        kind=found.kind,
        rows=rows,
        true=int((np.asarray(found.value) == 1).sum()) if is_true else 0,
        missing=column.null_count,
        lost=tuple(found.lost.items()),
        examples=tuple(cell_text(value) for value in column.slice(0, EXAMPLES).to_pylist()),
    )
