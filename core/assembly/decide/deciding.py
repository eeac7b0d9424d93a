"""Page Decide: the analysis, the cursor, and paired resamples."""

from __future__ import annotations

from dataclasses import replace

from core.assembly.analysis import analysed, analysed_desk
from core.assembly.cases import names_of_models
from core.assembly.context import AssemblyContext
from core.assembly.missing_models import without_lost_models
from core.assembly.rank_only import in_points, reading_in_points, without_useless_scores
from core.assembly.threads import fair_threads
from core.decisions import read_cursor, resample_differences
from core.decisions.model_state import comparable
from core.document.model import Document
from core.document.results import CursorReading, DecisionResult, ResampleResult
from core.questions.decide import AtDepth, Resamples, Totals


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
    with analysed_desk(document, context) as desk:
        reading = read_cursor(
            desk.workspace, question.depth, with_differences=question.with_differences
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
        with analysed_desk(document, context) as desk:
            drawn = resample_differences(
                desk.workspace,
                depth=question.depth,
                resamples=question.resamples,
                seed=seed,
                stop=context.stop,
                progress=context.progress,
            )
        rankers = frozenset(filter(document.is_rank_only, names_of_models(document)))
        return replace(drawn, differences=comparable(drawn.differences, rankers))
