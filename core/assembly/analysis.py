"""The analysis of a document's decisions, kept between questions: what totals and studies read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from core.assembly.bases import basis_advice
from core.assembly.cases import (
    Cases,
    cases_of,
    data_warnings,
    model_scores,
    prior_warnings,
    unit_warnings,
)
from core.assembly.context import AssemblyContext, table_of
from core.assembly.left_out import without_lost_models
from core.assembly.matrix import decision_problem, matrix_of
from core.decisions import DecisionWorkspace, analyse, read_cursor
from core.decisions.passes.workspace import Analysis, AnalysisState
from core.document.data.model import BadValues
from core.document.model import Document
from core.document.results import CursorReading, DecisionResult
from core.document.views import RANKED
from core.questions.needs import require_decidable


@dataclass(slots=True, eq=False)
class AnalysisWorkspace:
    """A workspace of the decisions room, and the document it last analysed."""

    workspace: DecisionWorkspace = field(default_factory=DecisionWorkspace)
    document: Document | None = None


def analysed(
    document: Document, context: AssemblyContext
) -> tuple[AnalysisWorkspace, DecisionResult]:
    """Analyse a document; the desk then answers for it."""
    require_decidable(document)
    table = table_of(document, context)
    cases = cases_of(document, context)
    matrix = matrix_of(document, context)
    problem = decision_problem(document, cases, matrix, table, context)
    models = model_scores(document, cases)
    workspace = _decision_workspace(cases, context)
    context.check()
    with workspace.workspace.lock:
        workspace.document = None
        result = analyse(
            problem,
            models,
            workspace=workspace.workspace,
            reference=document.reference_model,
            chart_mode=document.chart_mode,
            rows=cases.note,
            seed=document.seed,
        )
        workspace.document = RANKED.of(document)
    described = (*prior_warnings(document), *unit_warnings(document))
    first = (*data_warnings(document, cases, context), *described)
    bases = {model.name: basis for model in models if (basis := cases.basis(model.name))}
    advice = (*result.advice, *basis_advice(bases))
    return workspace, replace(result, warnings=(*first, *result.warnings), advice=advice)


def analysed_at(
    document: Document, depth: float, context: AssemblyContext
) -> tuple[DecisionResult, CursorReading]:
    """An analysis and its exact values at a depth."""
    workspace = _decision_workspace_for(document, context)
    with workspace.workspace.lock:
        workspace, result = analysed(document, context)
        return result, read_cursor(workspace.workspace, depth)


@contextmanager
def analysed_workspace(document: Document, context: AssemblyContext) -> Iterator[AnalysisWorkspace]:
    """The desk of a document with its analysis, while nobody else uses it."""
    workspace = _decision_workspace_for(document, context)
    with workspace.workspace.lock:
        if workspace.document != RANKED.of(document):
            workspace = analysed(document, context)[0]
        yield workspace


@contextmanager
def study_lock(document: Document, context: AssemblyContext) -> Iterator[AnalysisState]:
    """The analysis of a document while nobody else uses its desk: for keys and codes of cases."""
    with analysed_workspace(without_lost_models(document, context)[0], context) as workspace:
        state = workspace.workspace.state
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


def _decision_workspace_for(document: Document, context: AssemblyContext) -> AnalysisWorkspace:
    require_decidable(document)
    return _decision_workspace(cases_of(document, context), context)


def _decision_workspace(cases: Cases, context: AssemblyContext) -> AnalysisWorkspace:
    """The desk of a choice of rows, which serves one job at a time: every lane has its own.

    So has every thread of a script.
    """
    key = ("desk", context.place, cases.key)
    # Orders and codes of every model: about five arrays as long as the rows.
    size = 40 * len(cases.rows) * max(1, len(cases.posteriors) + len(cases.predictions))
    workspace: AnalysisWorkspace = context.cache.get_or_make(
        key, lambda: (AnalysisWorkspace(), size)
    )
    return workspace
