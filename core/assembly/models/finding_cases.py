"""A case by its row, its id, or its place among all rows by what a model predicts."""

from __future__ import annotations

import numpy as np

from core import data
from core.assembly.context import AssemblyContext, table_of
from core.assembly.models.explaining import outputs_of, trained_entry
from core.assembly.models.trained import boosted_model, trained_responses
from core.assembly.running import fair_threads
from core.data import LoadedTable
from core.document.model import Document, Role
from core.document.studies.models import FoundCase
from core.questions.explain import FindCase
from payoff.counting import counted
from payoff.errors import PayoffError
from payoff.types import CodeArray, FloatArray, IntArray

MOST_EXAMPLES = 3


def find_case(document: Document, question: FindCase, context: AssemblyContext) -> FoundCase:
    """Find a case by row, id or rank.

    Raises
    ------
    PayoffError
        Where there is no such case, or not exactly one of the three is given.
    """
    given = [question.row is not None, bool(question.case_id), question.rank is not None]
    if sum(given) != 1:
        raise PayoffError(
            "One case is looked for by one thing.",
            where="explain.find_case",
            remedy="Give its row, its id or its place.",
        )
    trained = trained_entry(document, question.model)
    table = table_of(document, context)
    with fair_threads(context):
        model = boosted_model(trained, context)
        outputs = outputs_of(document, trained, model)
        place = min(question.output, len(outputs) - 1)
        scores = trained_responses(table, document, trained, context)[place]
        row = _row_of(table, document, question, scores, context)
    rank = 1 + int((scores > scores[row]).sum()) + int((scores[:row] == scores[row]).sum())
    return FoundCase(
        row=row,
        rows=table.rows,
        id=_ids_at(table, document, np.array([row]))[0],
        rank=rank,
        score=float(scores[row]),
        what=outputs[place],
    )


def _row_of(
    table: LoadedTable,
    document: Document,
    question: FindCase,
    scores: FloatArray,
    context: AssemblyContext,
) -> int:
    if question.case_id:
        return _row_with_id(table, document, question.case_id, context)
    number = question.row if question.row is not None else (question.rank or 0) - 1
    if not 0 <= number < table.rows:
        what = "row" if question.row is not None else "place"
        raise PayoffError(
            f"There is no {what} {number + 1:,}.",
            why=f"The data have {counted(table.rows, 'row')}.",
        )
    if question.row is not None:
        return number
    return int(np.argsort(-scores, kind="stable")[number])  # earlier rows first among equals


def _row_with_id(
    table: LoadedTable, document: Document, wanted: str, context: AssemblyContext
) -> int:
    column = document.column_of(Role.ID)
    if column is None or column not in table.kinds:
        raise PayoffError(
            "No column names the cases.",
            remedy="Give a column the role id on page Data, or look for a row.",
        )

    def make() -> tuple[tuple[CodeArray, tuple[str, ...]], int]:
        codes, levels = data.encode_levels(table, column)
        return (codes, levels), codes.nbytes + 60 * len(levels)

    codes, levels = context.cache.get_or_make(("case ids", table.identity, column), make)
    found = np.flatnonzero(codes == levels.index(wanted)) if wanted in levels else np.empty(0)
    if not len(found):
        examples = ", ".join(_ids_at(table, document, np.arange(min(MOST_EXAMPLES, table.rows))))
        raise PayoffError(
            f"No case has the id '{wanted}'.",
            where=f"column {column}",
            remedy=f"There are: {examples} …",
        )
    return int(found[0])


def _ids_at(table: LoadedTable, document: Document, rows: IntArray) -> list[str]:
    column = document.column_of(Role.ID)
    if column is None or column not in table.kinds:
        return [""] * len(rows)
    return [str(text) for text in data.texts_at(table, column, rows)]
