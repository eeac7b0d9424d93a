"""Page Decide.

Page Decide: the analysis, the cursor, and paired resamples.

The tab Basis of page Decide: ways to decide beside each other.

The tab Swap set of page Decide: two ways to decide.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from core.assembly.analysis import analysed, analysed_workspace, analysis_of
from core.assembly.bases import ReadBasis
from core.assembly.cases import cases_of, names_of_models, own_scores
from core.assembly.context import AssemblyContext
from core.assembly.decide.numbers import changed_document, numbers_inputs_of
from core.assembly.left_out import (
    in_points,
    reading_in_points,
    without_lost_models,
    without_useless_scores,
)
from core.assembly.running import fair_threads
from core.decisions import read_cursor, resample_differences
from core.decisions.passes.case_values import CaseValues, values_of
from core.decisions.passes.decision_bases import way_lines
from core.decisions.passes.model_state import comparable
from core.decisions.passes.workspace import AnalysisState, ModelState
from core.decisions.studies.swap import Way, compare_ways, way_at_depth, way_by_rule
from core.document.model import Document
from core.document.results import CursorReading, DecisionResult, ResampleResult
from core.document.studies.decided_cases import (
    HONEST,
    LEAF,
    SCORE,
    SPREAD,
    BasisResult,
    SwapSet,
    SwapSide,
)
from core.document.wording import format_share
from core.questions.decide import AtDepth, Basis, Resamples, Swap, Totals
from payoff.errors import PayoffError


def decide_models(document: Document, question: Totals, context: AssemblyContext) -> DecisionResult:
    """What each model is worth under the matrix."""
    del question
    document, lost = without_lost_models(document, context)
    document, unranked = without_useless_scores(document, context)
    result = in_points(analysed(document, context)[1], document, context)
    return replace(result, warnings=(*lost, *unranked, *result.warnings))


def read_at_depth(document: Document, question: AtDepth, context: AssemblyContext) -> CursorReading:
    """Exact values at a depth; the analysis is made first if it is not at hand."""
    document = without_lost_models(document, context)[0]
    document = without_useless_scores(document, context)[0]
    with analysed_workspace(document, context) as workspace:
        reading = read_cursor(
            workspace.workspace, question.depth, with_differences=question.with_differences
        )
    return reading_in_points(reading, document, context)


def draw_resamples(
    document: Document, question: Resamples, context: AssemblyContext
) -> ResampleResult:
    """Paired resamples at the rules and at a depth."""
    seed = document.seed
    with fair_threads(context):
        context.progress(None, "Working out totals")
        document = without_lost_models(document, context)[0]
        document = without_useless_scores(document, context)[0]
        with analysed_workspace(document, context) as workspace:
            drawn = resample_differences(
                workspace.workspace,
                depth=question.depth,
                resamples=question.resamples,
                seed=seed,
                stop=context.stop,
                progress=context.progress,
            )
        rankers = frozenset(filter(document.is_rank_only, names_of_models(document)))
        return replace(drawn, differences=comparable(drawn.differences, rankers))


def compare_bases(document: Document, question: Basis, context: AssemblyContext) -> BasisResult:
    """A model's decisions by each case's own score beside those by averages."""
    document = without_lost_models(document, context)[0]
    analysis = analysis_of(document, context)
    state, model = analysis.state, analysis.model(question.model).scores
    cases = cases_of(document, context)
    read = cases.basis(question.model)
    weighted = float(np.nan_to_num(state.class_weight) @ state.rows.class_cases)
    if read is None:
        return BasisResult(rows=analysis.rows, model=model.name, used=SCORE, cases=weighted)
    context.progress(None, "Deciding every way")
    own = next(entry for entry in own_scores(document, cases) if entry.name == model.name)
    spread = read.quantiles
    return BasisResult(
        rows=analysis.rows,
        model=model.name,
        used=_used(read),
        cases=weighted,
        lines=way_lines(state, read.given_to(own)),
        levels=() if spread is None else tuple(float(level) for level in spread.levels),
        leaves=0 if read.leaf is None else len(np.unique(read.leaf.code)),
        crossed=0 if spread is None else spread.crossed,
        tail=0.0 if spread is None else float(spread.levels[0] + 1.0 - spread.levels[-1]),
        has_own_quantiles=model.name in cases.spreads,
        holds_fixed=state.holds_fixed,
    )


def _used(read: ReadBasis) -> str:
    if not read.is_used:
        return SCORE
    if read.leaf is None:
        return SPREAD
    return HONEST if read.leaf.is_honest else LEAF


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
    return replace(state, problem=numbers_inputs_of(changed, context).problem)
