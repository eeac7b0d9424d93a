"""The job that counts rows without an outcome, for whoever is to say what is done with them."""

from __future__ import annotations

from core import data
from core.assembly.context import table_of
from core.document.studies.looking import OutcomeGaps, OutcomeGapsArguments
from core.engine.context import JobContext
from payoff.types import BoolArray


def find_outcome_gaps(arguments: OutcomeGapsArguments, context: JobContext) -> OutcomeGaps:
    """How many rows have no outcome though they should, and which are the first."""
    table = table_of(arguments.document, context)
    return gaps_in(table, data.rows_without_outcome(table, arguments.document))


def gaps_in(table: data.LoadedTable, without: BoolArray) -> OutcomeGaps:
    """Some rows as an answer: their number and the first of them."""
    count = int(without.sum())
    words = data.first_rows(table, without) if count else ""
    return OutcomeGaps(rows=count, total=table.rows, words=words)
