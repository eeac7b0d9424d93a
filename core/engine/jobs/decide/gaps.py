"""The job behind the tab Gap of page Decide."""

from __future__ import annotations

from core.assembly.analysis import model_named, study_state
from core.assembly.threads import fair_threads
from core.decisions.studies.gap import gap_of
from core.document.studies.gap import GapArguments, GapResult
from core.engine.context import JobContext


def work_out_gap(arguments: GapArguments, context: JobContext) -> GapResult:
    """Expected against realised profit of one model."""
    with fair_threads(context):
        context.progress(None, "Working out totals")
        state, note = study_state(arguments.document, context)
        model = model_named(state, arguments.model)
        context.progress(None, "Comparing promises")
        return gap_of(state, model, rows=note)
