"""What page Data asks of data that are read in pieces: rows, a column, missing outcomes."""

from __future__ import annotations

from collections import Counter
from contextlib import AbstractContextManager
from pathlib import Path

from core import data
from core.assembly.context import AssemblyContext, table_of
from core.assembly.pieces.opened import Pieces, pieces_of
from core.assembly.pieces.table import PartsTable
from core.document.data.limits import not_in_pieces
from core.document.data.results import ColumnDetail, RowsPage
from core.document.model import Document, Role
from core.document.studies.data import OutcomeGaps
from core.questions.data import ColumnByClass, RowsWithoutOutcome, TableRows
from core.questions.needs import require_data
from core.scale.reading import OutcomeSummary
from core.settings import SettingsStore, settings_path

MOST_LEVELS = 1_000


def find_parts(document: Document, context: AssemblyContext) -> PartsTable:
    """The parts of a document's data, opened already."""
    parts = table_of(document, context).table
    assert isinstance(parts, PartsTable)
    return parts


def pieces_of_document(
    document: Document, context: AssemblyContext, question: str = ""
) -> AbstractContextManager[Pieces]:
    """A run over the parts of a document's data, on the cluster that the settings name, if any.

    One with a ``question`` goes on from where it was killed or stopped.

    Raises
    ------
    LongReadError
        In a short lane.
    """
    context.begin_long_read()
    reader, parts = require_data(document).reader, find_parts(document, context)
    settings = SettingsStore(settings_path()).settings
    cluster = settings.cluster or None
    if cluster is not None:
        context.progress(None, f"Asking the cluster {cluster}")
    scratch = Path(parts.scratch)
    if cluster is not None and settings.cluster_scratch:
        scratch = Path(settings.cluster_scratch)
    elif context.journals is not None:
        scratch = context.journals  # it outlives an engine, as the parts' own does not
        scratch.mkdir(parents=True, exist_ok=True)
    return pieces_of(
        parts.source,
        (),
        reader,
        context,
        scratch=str(scratch),
        cluster=cluster,
        question=question,
    )


def outcome_of_document(
    document: Document, pieces: Pieces, context: AssemblyContext
) -> OutcomeSummary:
    """Levels of a document's outcome and their rows, and rows without one.

    Known since the parts were opened where every row has an outcome; else all rows are looked at,
    once for as long as their outcome and the choice of rows are the same.
    """
    target = document.target
    assert target is not None
    counted = find_parts(document, context).counted
    levels = counted.levels.get(target.column)
    if not counted.missing[target.column] and (levels is not None or not target.levels):
        return OutcomeSummary(rows=counted.rows, counts=levels or Counter())

    def make() -> tuple[OutcomeSummary, int]:
        pieces.tell(None, "Looking at the outcome")
        return pieces.outcome(document, MOST_LEVELS), 0

    content = context.tables.data_hash(require_data(document))
    use = document.column_of(Role.ROW_USE)
    key = ("outcome of parts", content, target.column, document.split, use)
    found: OutcomeSummary = context.cache.get_or_make(key, make)
    return found


def page_of_parts(document: Document, question: TableRows, context: AssemblyContext) -> RowsPage:
    """Return cells of some rows, as the parts have them."""
    if not question.order.is_plain:
        raise not_in_pieces("order of rows")
    return data.rows_page(table_of(document, context), question.start, question.count)


def describe_first_rows(
    document: Document, question: ColumnByClass, context: AssemblyContext
) -> ColumnDetail:
    """Return one column by target class, of the first rows; its counts are of all."""
    look = find_parts(document, context).look
    found = data.rows_inside(look, document)
    inside = None if found is None else found[0]
    return data.column_detail(look, document, question.column, inside)


def count_gaps_of_parts(
    document: Document, question: RowsWithoutOutcome, context: AssemblyContext
) -> OutcomeGaps:
    """Return how many rows have no outcome though they should, and which are the first."""
    del question
    with pieces_of_document(document, context) as pieces:
        pieces.tell(None, "Counting rows without an outcome")
        found = outcome_of_document(document, pieces, context)
    return OutcomeGaps(rows=found.missing, total=found.rows, words=found.missing_words)


__all__ = [
    "count_gaps_of_parts",
    "describe_first_rows",
    "outcome_of_document",
    "page_of_parts",
    "pieces_of_document",
]
