"""The jobs behind page Decide: the analysis, the cursor, and paired resamples."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from core.decisions import DecisionWorkspace, analyse, read_cursor, resample_differences
from core.decisions.chances.rank_only import comparable
from core.decisions.workspace import AnalysisState, ModelState
from core.document.data.bad_values import BadValues
from core.document.model import Document
from core.document.results import CursorReading, DecisionResult, ResampleResult, RowsNote
from core.document.studies.subject import subject_of
from core.engine.context import JobContext
from core.engine.jobs.assemble import (
    Cases,
    cases_of,
    data_warnings,
    model_scores,
    names_of_models,
    prior_warnings,
    require_decidable,
)
from core.engine.jobs.assemble_matrix import decision_problem, matrix_of
from core.engine.jobs.data.tables import table_of
from core.engine.jobs.decide.bases import basis_advice
from core.engine.jobs.lost_models import without_lost_models
from core.engine.jobs.rank_only import in_points, reading_in_points, without_useless_scores
from core.engine.jobs.threads import fair_threads
from core.engine.messages import CursorArguments, DecideArguments, ResampleArguments
from payoff.errors import no_such


@dataclass(slots=True, eq=False)
class Desk:
    """A workspace of the decisions room, and the document it last analysed."""

    workspace: DecisionWorkspace = field(default_factory=DecisionWorkspace)
    document: Document | None = None


def decide_cases(arguments: DecideArguments, context: JobContext) -> DecisionResult:
    """What each model is worth under the matrix."""
    document, lost = without_lost_models(arguments.document, context)
    document, unranked = without_useless_scores(document, context)
    result = in_points(analysed(document, context)[1], document, context)
    return replace(result, warnings=(*lost, *unranked, *result.warnings))


def read_at_depth(arguments: CursorArguments, context: JobContext) -> CursorReading:
    """Exact values at a depth; the analysis is made first if it is not at hand."""
    document = without_lost_models(arguments.document, context)[0]
    document = without_useless_scores(document, context)[0]
    desk = _desk_for(document, context)
    with desk.workspace.lock:
        if desk.document != _decided(document):
            desk = analysed(document, context)[0]
        reading = read_cursor(
            desk.workspace, arguments.depth, with_differences=arguments.with_differences
        )
    return reading_in_points(reading, document, context)


def draw_resamples(arguments: ResampleArguments, context: JobContext) -> ResampleResult:
    """Paired resamples at the rules and at a depth."""
    with fair_threads(context):
        context.progress(None, "Working out totals")
        document = without_lost_models(arguments.document, context)[0]
        document = without_useless_scores(document, context)[0]
        desk = _desk_for(document, context)
        with desk.workspace.lock:
            if desk.document != _decided(document):
                desk = analysed(document, context)[0]
            drawn = resample_differences(
                desk.workspace,
                depth=arguments.depth,
                resamples=arguments.resamples,
                seed=arguments.document.seed,
                stop=context.stop,
                progress=context.progress,
            )
        rankers = frozenset(filter(document.is_rank_only, names_of_models(document)))
        return replace(drawn, differences=comparable(drawn.differences, rankers))


def analysed(document: Document, context: JobContext) -> tuple[Desk, DecisionResult]:
    """Analyse a document; the desk then answers for it."""
    require_decidable(document)
    table = table_of(document, context)
    cases = cases_of(document, context)
    matrix = matrix_of(document, context)
    problem = decision_problem(document, cases, matrix, table, context)
    models = model_scores(document, cases)
    desk = _desk(cases, context)
    context.check()
    with desk.workspace.lock:
        desk.document = None
        result = analyse(
            problem,
            models,
            workspace=desk.workspace,
            reference=document.reference_model,
            chart_mode=document.chart_mode,
            rows=cases.note,
            seed=document.seed,
        )
        desk.document = _decided(document)
    first = (*data_warnings(document, cases, context), *prior_warnings(document))
    bases = {model.name: basis for model in models if (basis := cases.basis(model.name))}
    advice = (*result.advice, *basis_advice(bases))
    return desk, replace(result, warnings=(*first, *result.warnings), advice=advice)


def analysed_at(
    document: Document, depth: float, context: JobContext
) -> tuple[DecisionResult, CursorReading]:
    """An analysis and its exact values at a depth."""
    desk = _desk_for(document, context)
    with desk.workspace.lock:
        desk, result = analysed(document, context)
        return result, read_cursor(desk.workspace, depth)


@contextmanager
def study_lock(document: Document, context: JobContext) -> Iterator[AnalysisState]:
    """The analysis of a document while nobody else uses its desk: for keys and codes of cases."""
    document = without_lost_models(document, context)[0]
    desk = _desk_for(document, context)
    with desk.workspace.lock:
        if desk.document != _decided(document):
            desk = analysed(document, context)[0]
        state = desk.workspace.state
        assert state is not None  # it was just analysed
        yield state


def study_state(document: Document, context: JobContext) -> tuple[AnalysisState, RowsNote]:
    """The analysis of a document, for a study of its cases, and the rows that it is about.

    What a study may read of it stays as it is when the next analysis comes: the problem, the
    models' chances and the marks. Keys and codes of cases are filled anew; a job of the long lane
    may read them all the same, for its desk serves one job at a time.
    """
    with study_lock(document, context) as state:
        note = cases_of(without_lost_models(document, context)[0], context).note
        if document.bad_values is BadValues.MARK:  # only now it is known which rows count
            rows = state.rows.rows
            note = replace(note, text=f"rows that count, {rows:,}", rows=rows)
        return state, note


def model_named(state: AnalysisState, name: str) -> ModelState:
    """A model of an analysis; a name that it does not know is refused."""
    found = next((entry for entry in state.models if entry.scores.name == name), None)
    if found is None:
        names = [entry.scores.name for entry in state.models]
        raise no_such("model", name, names, listed="Known models")
    return found


def _decided(document: Document) -> Document:
    """The document without what an analysis does not depend on."""
    return replace(subject_of(document), scenarios=())


def _desk_for(document: Document, context: JobContext) -> Desk:
    require_decidable(document)
    return _desk(cases_of(document, context), context)


def _desk(cases: Cases, context: JobContext) -> Desk:
    """The desk of a choice of rows, which serves one job at a time: every lane has its own.

    So has every thread of a script.
    """
    place = context.lane if context.workbench.role is not None else threading.get_ident()
    key = ("desk", place, cases.key)
    # Orders and codes of every model: about five arrays as long as the rows.
    size = 40 * len(cases.rows) * max(1, len(cases.posteriors) + len(cases.predictions))
    desk: Desk = context.workbench.cache.get_or_make(key, lambda: (Desk(), size))
    return desk
