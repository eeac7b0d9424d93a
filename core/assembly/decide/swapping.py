"""The tab Swap set of page Decide: two ways to decide."""

from __future__ import annotations

from dataclasses import replace

from core.assembly.analysis import analysis_of
from core.assembly.context import AssemblyContext
from core.assembly.decide.what_if import changed_document
from core.assembly.numbers import ground_of
from core.decisions.case_values import CaseValues, values_of
from core.decisions.studies.swap import Way, compare_ways, way_at_depth, way_by_rule
from core.decisions.workspace import AnalysisState, ModelState
from core.document.model import Document
from core.document.studies.decided_cases import SwapSet, SwapSide
from core.document.wording import format_share
from core.questions.decide import Swap
from payoff.errors import PayoffError


def swap_ways(document: Document, question: Swap, context: AssemblyContext) -> SwapSet:
    """Who moves between two ways to decide the rows used."""
    analysis = analysis_of(document, context)
    state = analysis.state
    context.progress(None, "Comparing cases")
    first, second = analysis.model(question.first.model), analysis.model(question.second.model)
    values = values_of(state, first)
    others = values if second is first else values_of(state, second)
    way, other = (
        replace(
            _way(document, state, valued, model, side, context),
            model=side.model,
        )
        for valued, model, side in (
            (values, first, question.first),
            (others, second, question.second),
        )
    )
    is_judged = question.first.scenario or question.second.scenario
    judge = "the present matrix" if is_judged else ""
    return compare_ways(state.problem, values, way, other, rows=analysis.rows, judged_by=judge)


def _way(
    document: Document,
    state: AnalysisState,
    values: CaseValues,
    model: ModelState,
    side: SwapSide,
    context: AssemblyContext,
) -> Way:
    if side.scenario is not None:
        label = f"{side.model} by the rule of “{side.scenario}”"
        there = _under_scenario(document, side.scenario, state, context)
        return way_by_rule(there.problem, values_of(there, model), label, judge=values)
    if side.depth is None:
        return way_by_rule(state.problem, values, f"{side.model} at its rule")
    label = f"{side.model}, best {format_share(side.depth)}"
    return way_at_depth(values, model, side.depth, label)


def _under_scenario(
    document: Document, name: str, state: AnalysisState, context: AssemblyContext
) -> AnalysisState:
    """The same cases under a scenario's numbers: enough to decide them, not to total them."""
    found = next((entry for entry in document.scenarios if entry.name == name), None)
    if found is None:
        known = ", ".join(entry.name for entry in document.scenarios)
        raise PayoffError(
            f"There is no scenario “{name}”.",
            remedy=f"Known scenarios: {known}." if known else "Keep one on the tab What-if.",
        )
    changed = changed_document(document, found.settings, context)
    return replace(state, problem=ground_of(changed, context).problem)
