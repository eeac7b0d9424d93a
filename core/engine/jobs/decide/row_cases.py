"""Cases of any rows of a table, without scores, as the jobs of page Decide have them."""

from __future__ import annotations

from core import data
from core.data import LoadedTable
from core.document.model import Document
from core.document.results import RowsNote
from core.engine.jobs.assemble import Cases
from payoff.types import IntArray


def cases_of_rows(table: LoadedTable, document: Document, rows: IntArray, use: str) -> Cases:
    """Outcome and frequency of some rows; ``use`` names them, and keeps them apart in the cache."""
    target = document.target
    assert target is not None  # by the caller
    outcome = numbers = None
    if target.levels:
        outcome = data.outcome_codes(table, target)[0][rows]
    else:
        numbers = data.column_as_float(table, target.column, role="outcome")[rows]
    weight = data.frequency(table, document)
    return Cases(
        count=len(rows),
        taken=rows,
        note=RowsNote(use=use, text="", rows=len(rows)),
        outcome=outcome,
        target=numbers,
        frequency=None if weight is None else weight[rows],
        posteriors={},
        predictions={},
        key=(use, table.identity, target, rows.tobytes()),
    )
