"""Evaluated rows whose id a training row has: refused, left out, or counted when that is said."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from core import data
from core.assembly.models.trained import settled_split, training_rows
from core.data import LoadedTable
from core.document.data.model import RowUse, SharedIds
from core.document.model import Document, Role
from core.document.results import RowsNote
from payoff.counting import counted_of
from payoff.errors import PayoffError
from payoff.types import IntArray

REMEDY = (
    "Say on page Data, under 'Which rows count', whether such rows are left out or counted all "
    "the same; if the column names no single case (a household, a shop), give it the role cluster."
)


def without_shared_ids(
    table: LoadedTable, document: Document, rows: IntArray, note: RowsNote
) -> tuple[IntArray, RowsNote]:
    """The rows that an evaluation may use, and the note on them.

    Training rows are those that a column says are for training, and those that trained a model
    here. Validation and test rows are held against them; whoever asks for training rows, or for
    all, knows that they flatter.

    Raises
    ------
    PayoffError
        Where ids are shared and nobody said what to do: how many, and the first pair of rows.
    """
    column = document.column_of(Role.ID)
    is_apart = document.rows_used in (RowUse.VALIDATION, RowUse.TEST)
    if column is None or not is_apart or document.shared_ids is SharedIds.COUNT:
        return rows, note
    shared, partners = data.rows_sharing_ids(table, document, rows, _trained_on(table, document))
    if not len(shared):
        return rows, note
    if document.shared_ids is SharedIds.REFUSE:
        value = data.texts_at(table, column, shared[:1])[0]
        raise PayoffError(
            "Rows of the evaluation have the id of a training row.",
            where=f"{table.path}, column {column}, data rows {partners[0] + 1:,} and "
            f"{shared[0] + 1:,}, value '{value}'",
            why=f"{counted_of(len(shared), len(rows), 'row', verbs='does/do')}; they make "
            "what was trained look better "
            "than it is.",
            remedy=REMEDY,
        )
    kept = np.setdiff1d(rows, shared)
    if not len(kept):
        raise PayoffError(
            "Every row of the evaluation has the id of a training row.",
            where=f"{table.path}, column {column}",
            remedy="Choose other rows, or count these all the same.",
        )
    reason = (f"'{column}' stands in training rows too", len(shared))
    text = f"{note.text} ({len(shared):,} with the '{column}' of a training row left out)"
    return kept, replace(note, rows=len(kept), text=text, dropped=(*note.dropped, reason))


def _trained_on(table: LoadedTable, document: Document) -> IntArray:
    """Rows said to be for training, and those that trained a model here; rising."""
    found = [np.empty(0, dtype=np.int64)]
    split = replace(settled_split(document), where="")  # a filter takes no row out of a training
    if split.column is not None:
        uses = data.row_uses(table, replace(document, split=split))
        found.append(np.flatnonzero(uses == data.ROW_USE_CODES[RowUse.TRAIN]))
    for entry in document.models:
        if entry.trained is not None:
            found.append(training_rows(table, document, entry.trained))
    return np.unique(np.concatenate(found))
