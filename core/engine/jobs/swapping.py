"""The job behind the tab Swap set of page Decide."""

from __future__ import annotations

from core.decisions.case_values import CaseValues, values_of
from core.decisions.swap import Way, compare_ways, way_at_depth, way_by_rule
from core.decisions.workspace import AnalysisState, ModelState
from core.document.studies.swap import SwapArguments, SwapSet, SwapSide
from core.document.wording import format_share
from core.engine.context import JobContext
from core.engine.jobs.deciding import study_state
from core.engine.jobs.threads import fair_threads
from payoff.errors import PayoffError


def work_out_swap(arguments: SwapArguments, context: JobContext) -> SwapSet:
    """Who moves between two ways to decide the rows used."""
    with fair_threads(context):
        context.progress(None, "Working out totals")
        state, note = study_state(arguments.document, context)
        context.progress(None, "Comparing cases")
        first, second = _model(state, arguments.first), _model(state, arguments.second)
        values = values_of(state, first)
        way = _way(state, values, first, arguments.first)
        others = values if second is first else values_of(state, second)
        other = _way(state, others, second, arguments.second)
        return compare_ways(state.problem, values, way, other, rows=note)


def _model(state: AnalysisState, side: SwapSide) -> ModelState:
    found = next((entry for entry in state.models if entry.scores.name == side.model), None)
    if found is None:
        known = ", ".join(entry.scores.name for entry in state.models)
        raise PayoffError(f"There is no model '{side.model}'.", remedy=f"Known models: {known}.")
    return found


def _way(state: AnalysisState, values: CaseValues, model: ModelState, side: SwapSide) -> Way:
    if side.depth is None:
        return way_by_rule(state.problem, values, f"{side.model} at its rule")
    label = f"{side.model}, best {format_share(side.depth)}"
    return way_at_depth(values, model, side.depth, label)
