"""The job behind the tab Capacity of page Decide."""

from __future__ import annotations

from core.assembly.analysis import study_state
from core.assembly.threads import fair_threads
from core.decisions.limits.capacity import best_within
from core.document.studies.capacity import CapacityArguments, CapacityResult
from core.engine.context import JobContext


def work_out_capacity(arguments: CapacityArguments, context: JobContext) -> CapacityResult:
    """The best decisions of every model within the limits."""
    with fair_threads(context):
        context.progress(None, "Working out totals")
        state, note = study_state(arguments.document, context)
        context.progress(None, "Choosing the best cases")
        return best_within(
            state,
            most_actions=arguments.most_actions,
            most_money=arguments.most_money,
            price=arguments.price,
            rows=note,
            check=context.check,
        )
