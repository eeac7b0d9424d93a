"""The job that counts rows without a value in the experiment's own outcome."""

from __future__ import annotations

from core.assembly.uplift.cases import own_outcome_gaps
from core.document.studies.looking import OutcomeGaps, OutcomeGapsArguments
from core.engine.context import JobContext
from core.engine.jobs.data.outcome_gaps import gaps_in


def find_experiment_gaps(arguments: OutcomeGapsArguments, context: JobContext) -> OutcomeGaps:
    """How many rows of both arms have no such outcome, and which are the first."""
    return gaps_in(*own_outcome_gaps(arguments.document, context))
