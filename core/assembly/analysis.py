"""The analysis of a document's decisions, kept between questions: what totals and studies read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from core.assembly.bases import basis_advice
from core.assembly.cases import Cases, cases_of, data_warnings, model_scores, prior_warnings
from core.assembly.context import AssemblyContext, table_of
from core.assembly.left_out import without_lost_models
from core.assembly.matrix import decision_problem, matrix_of
from core.decisions import DecisionWorkspace, analyse, read_cursor
from core.decisions.workspace import Analysis, AnalysisState
from core.document.data.model import BadValues
from core.document.model import Document
from core.document.results import CursorReading, DecisionResult
from core.document.views import RANKED
from core.questions.needs import require_decidable


@dataclass(slots=True, eq=False)
class Desk:
    """A workspace of the decisions room, and the document it last analysed."""

    workspace: DecisionWorkspace = field(default_factory=DecisionWorkspace)
    document: Document | None = None


def analysed(document: Document, context: AssemblyContext) -> tuple[Desk, DecisionResult]:
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
        desk.document = RANKED.of(document)
    first = (*data_warnings(document, cases, context), *prior_warnings(document))
    bases = {model.name: basis for model in models if (basis := cases.basis(model.name))}
    advice = (*result.advice, *basis_advice(bases))
    return desk, replace(result, warnings=(*first, *result.warnings), advice=advice)


def analysed_at(
    document: Document, depth: float, context: AssemblyContext
) -> tuple[DecisionResult, CursorReading]:
    """An analysis and its exact values at a depth."""
    desk = _desk_for(document, context)
    with desk.workspace.lock:
        desk, result = analysed(document, context)
        return result, read_cursor(desk.workspace, depth)


@contextmanager
def analysed_desk(document: Document, context: AssemblyContext) -> Iterator[Desk]:
    """The desk of a document with its analysis, while nobody else uses it."""
    desk = _desk_for(document, context)
    with desk.workspace.lock:
        if desk.document != RANKED.of(document):
            desk = analysed(document, context)[0]
        yield desk


@contextmanager
def study_lock(document: Document, context: AssemblyContext) -> Iterator[AnalysisState]:
    """The analysis of a document while nobody else uses its desk: for keys and codes of cases."""
    with analysed_desk(without_lost_models(document, context)[0], context) as desk:
        state = desk.workspace.state
        assert state is not None  # it was just analysed
        yield state


def analysis_of(document: Document, context: AssemblyContext) -> Analysis:
    """The analysis of a document, for a study of its cases, and the rows that it is about.

    What a study may read of it stays as it is when the next analysis comes: the problem, the
    models' chances and the marks. Keys and codes of cases are filled anew; a job of the long lane
    may read them all the same, for its desk serves one job at a time.
    """
    context.progress(None, "Working out totals")
    with study_lock(document, context) as state:
        note = cases_of(without_lost_models(document, context)[0], context).note
        if document.bad_values is BadValues.MARK:  # only now it is known which rows count
            rows = state.rows.rows
            note = replace(note, text=f"rows that count, {rows:,}", rows=rows)
        return Analysis(state=state, rows=note)


def _desk_for(document: Document, context: AssemblyContext) -> Desk:
    require_decidable(document)
    return _desk(cases_of(document, context), context)


def _desk(cases: Cases, context: AssemblyContext) -> Desk:
    """The desk of a choice of rows, which serves one job at a time: every lane has its own.

    So has every thread of a script.
    """
    key = ("desk", context.place, cases.key)
    # Orders and codes of every model: about five arrays as long as the rows.
    size = 40 * len(cases.rows) * max(1, len(cases.posteriors) + len(cases.predictions))
    desk: Desk = context.cache.get_or_make(key, lambda: (Desk(), size))
    return desk
