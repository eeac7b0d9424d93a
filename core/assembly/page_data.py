"""What page Data asks of a table: rows, a column, uses of rows, joins and expressions tried."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from core import data
from core.assembly.context import AssemblyContext, table_of
from core.data import ExpressionValues, LoadedTable
from core.data.levels import gaps_in
from core.data.profile.summary import cell_text
from core.document.data.model import FileRef
from core.document.data.results import ColumnDetail, RowsPage
from core.document.model import Document
from core.document.studies.data import ExpressionResult, JoinReport, OutcomeGaps, Overlap
from core.questions.data import (
    ColumnByClass,
    RowsInCommon,
    RowsWithoutOutcome,
    TableRows,
    TryExpression,
    TryJoin,
)
from payoff.errors import PayoffError
from payoff.types import IntArray

EXAMPLES = 6


def page_of_rows(document: Document, question: TableRows, context: AssemblyContext) -> RowsPage:
    """Return cells of some rows; an order is worked out once and kept."""
    order = question.order
    table = table_of(document, context)
    if order.is_plain:
        return data.rows_page(table, question.start, question.count)
    where = document.split.where if order.only_used else ""

    def make() -> tuple[IntArray, int]:
        rows = data.ordered_rows(table, document, order, context.should_stop)
        return rows, rows.nbytes

    key = ("row order", table.identity, where, order)
    rows: IntArray = context.cache.get_or_make(key, make)
    return data.ordered_page(table, rows, question.start, question.count)


def describe_column(
    document: Document, question: ColumnByClass, context: AssemblyContext
) -> ColumnDetail:
    """Return one column by target class."""
    table = table_of(document, context)
    found = data.rows_inside(table, document)
    inside = None if found is None else found[0]
    return data.column_detail(table, document, question.column, inside)


def compare_uses(document: Document, question: RowsInCommon, context: AssemblyContext) -> Overlap:
    """Return rows of different uses with one id, or with the same values."""
    del question
    context.progress(None, "Comparing rows")
    return data.find_overlap(table_of(document, context), document)


def count_outcome_gaps(
    document: Document, question: RowsWithoutOutcome, context: AssemblyContext
) -> OutcomeGaps:
    """Return how many rows have no outcome though they should, and which are the first."""
    del question
    table = table_of(document, context)
    return gaps_in(table, data.rows_without_outcome(table, document))


def try_join(document: Document, question: TryJoin, context: AssemblyContext) -> JoinReport:
    """Return what a join would do, counted."""
    table = table_of(document, context)
    other = _other_table(document, question.join.file, context)
    return data.match_rows(table, other, question.join).report


def _other_table(document: Document, file: FileRef, context: AssemblyContext) -> LoadedTable:
    """The table of another file; one that nobody has read yet is known by its path only."""
    if not file.content_hash:
        return context.tables.keep(context.tables.read(file.path, file.reader, context))
    assert document.data is not None  # its table was found
    return context.tables.further_table(file, str(Path(document.data.path).parent), context)


def try_expression(
    document: Document, question: TryExpression, context: AssemblyContext
) -> ExpressionResult:
    """Return what an expression gives; one that cannot be read is no failure but an answer."""
    table, text = table_of(document, context), question.text
    try:
        if question.is_filter:
            inside, unknown = data.row_filter(table, text)
            return ExpressionResult(
                text=text,
                kind="boolean",
                rows=table.rows,
                true=int(inside.sum()),
                missing=unknown,
            )
        return _described(text, data.evaluate_expression(table, text), table.rows)
    except PayoffError as refusal:
        parts = [refusal.what, refusal.why, refusal.remedy]
        said = " ".join(part for part in parts if part)
        return ExpressionResult(text=text, rows=table.rows, refusal=said)


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
