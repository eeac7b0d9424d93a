"""The tab Cases: pages of the sorted list, and the picture of own break-evens.

List and orders stay in the engine's memory by what they depend on, so that a page of millions of
cases is cut out, not sorted again.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace

import numpy as np

from core import data
from core.assembly.analysis import analysis_of, study_lock
from core.assembly.cases import Cases, cases_of, model_scores
from core.assembly.context import AssemblyContext, table_of
from core.assembly.left_out import without_lost_models
from core.assembly.matrix import decision_problem, matrix_of
from core.data import LoadedTable
from core.decisions import DecisionProblem, ModelScores
from core.decisions.passes.case_values import corrected_probabilities, values_of
from core.decisions.passes.cases import mark_letters
from core.decisions.studies.case_list import (
    CaseList,
    acts_above,
    against_one_for_all,
    case_list,
    is_undecided,
    order_of,
    own_break_even,
)
from core.decisions.studies.swap import shares_within
from core.decisions.uncertainty.paired import cut_of
from core.document.model import Document, Role
from core.document.studies.decided_cases import (
    SORTS,
    CaseCloud,
    CasesPage,
)
from core.questions.decide import CasesAsPoints, CasesOneByOne
from payoff.errors import PayoffError, no_such
from payoff.types import BoolArray, FloatArray, IntArray

MOST = 2_000
"""Cases of a page at the most."""


def page_of_cases(
    document: Document, question: CasesOneByOne, context: AssemblyContext
) -> CasesPage:
    """Some cases of the sorted and filtered list."""
    if question.sort not in SORTS:
        raise PayoffError(
            f"Cases cannot be sorted by '{question.sort}'.",
            remedy=f"There are {', '.join(SORTS)}.",
        )
    document = without_lost_models(document, context)[0]
    table = table_of(document, context)
    cases = cases_of(document, context)
    problem, scores = _problem(document, question.model, cases, table, context)
    listed = _listed(document, question.model, cases, problem, scores, context)
    order = _order(question, document, cases, table, problem, listed, context)
    start = min(max(0, question.start), len(order))
    chosen = order[start : start + min(max(0, question.count), MOST)]
    return _page(document, cases, table, problem, listed, chosen, start, len(order))


def _problem(
    document: Document, model: str, cases: Cases, table: LoadedTable, context: AssemblyContext
) -> tuple[DecisionProblem, ModelScores]:
    if model not in cases.posteriors:
        raise no_such("model", model, cases.posteriors, listed="Known models")
    problem = decision_problem(document, cases, matrix_of(document, context), table, context)
    scores = next(entry for entry in model_scores(document, cases) if entry.name == model)
    return problem, scores


def _key(document: Document, model: str, cases: Cases) -> tuple[Hashable, ...]:
    """What a list depends on."""
    settings = document.model(model)
    return (cases.key, document.matrix, document.priors, model, settings)


def _listed(
    document: Document,
    model: str,
    cases: Cases,
    problem: DecisionProblem,
    scores: ModelScores,
    context: AssemblyContext,
) -> CaseList:
    def make() -> tuple[CaseList, int]:
        context.progress(None, "Deciding cases")
        made = case_list(problem, scores)
        return made, made.size_bytes

    key = ("case list", *_key(document, model, cases))
    listed: CaseList = context.cache.get_or_make(key, make)
    return listed


def _order(
    question: CasesOneByOne,
    document: Document,
    cases: Cases,
    table: LoadedTable,
    problem: DecisionProblem,
    listed: CaseList,
    context: AssemblyContext,
) -> IntArray:
    """Numbers of the listed cases in the order asked for, the filter applied."""

    def make() -> tuple[IntArray, int]:
        context.progress(None, "Sorting cases")
        key = _sort_key(question.sort, document, cases, table, listed)
        order = order_of(key, is_descending=question.is_descending)
        if question.decision is not None:
            order = order[_has_decision(question.decision, problem, listed)[order]]
        if question.within is not None:
            order = order[_is_within(document, question, len(cases.rows), context)[order]]
        return order, order.nbytes

    key = (
        "case order",
        *_key(document, question.model, cases),
        question.sort,
        question.is_descending,
        question.decision,
        question.within,
    )
    order: IntArray = context.cache.get_or_make(key, make)
    return order


def _sort_key(
    sort: str, document: Document, cases: Cases, table: LoadedTable, listed: CaseList
) -> FloatArray:
    if sort == "row":
        return np.arange(len(cases.rows), dtype=np.float64)
    if sort == "id":
        column = document.column_of(Role.ID)
        if column is None:
            return np.arange(len(cases.rows), dtype=np.float64)
        return data.column_ranks(table, column, cases.rows)
    return listed.column(sort)


def _is_within(
    document: Document, question: CasesOneByOne, cases: int, context: AssemblyContext
) -> BoolArray:
    """The best cases of the model down to a depth; of a tied group at its edge all of it."""
    assert question.within is not None  # asked for
    with study_lock(document, context) as state:
        model = next(entry for entry in state.models if entry.scores.name == question.model)
        point = model.curve.points(np.array([min(max(question.within, 0.0), 1.0)]))
        rows = np.arange(cases, dtype=np.int64)
        share = shares_within(model, cut_of(point), rows)
        counted = state.rows.marks == 0 if state.rows.marks.shape[0] else np.ones(cases, bool)
        return np.asarray((share > 0) & counted)


def _has_decision(decision: str, problem: DecisionProblem, listed: CaseList) -> BoolArray:
    if decision == "":
        return is_undecided(listed)
    if decision not in problem.decisions:
        raise no_such("decision", decision, problem.decisions, listed="Known decisions")
    return np.asarray(listed.decided.decision == problem.decisions.index(decision))


def _page(
    document: Document,
    cases: Cases,
    table: LoadedTable,
    problem: DecisionProblem,
    listed: CaseList,
    chosen: IntArray,
    start: int,
    cases_in_list: int,
) -> CasesPage:
    rows = cases.rows[chosen]
    decided = listed.decided
    names = (*problem.decisions, "")
    place = np.minimum(decided.decision[chosen], len(problem.decisions))
    labels = (*(problem.label(level) for level in range(len(problem.levels))), "")
    assert problem.outcome is not None  # the rows used have one, known or not
    return CasesPage(
        start=start,
        cases=cases_in_list,
        all_cases=len(cases.rows),
        ids=_ids(document, table, rows),
        row=rows + 1,
        outcome=tuple(labels[code] for code in problem.outcome[chosen]),
        decision=tuple(names[index] for index in place),
        probability=listed.probability[chosen],
        expected=decided.expected[chosen],
        gap=listed.gap[chosen],
        computed=decided.computed[chosen],
        best=decided.best[chosen],
        roi=None if decided.roi is None else decided.roi[chosen],
        break_even=None if listed.break_even is None else listed.break_even[chosen],
        warnings=tuple(mark_letters(decided.marks[chosen]).tolist()),
    )


def _ids(document: Document, table: LoadedTable, rows: IntArray) -> tuple[str, ...]:
    column = document.column_of(Role.ID)
    if column is None or column not in table.kinds:
        return tuple(f"row {row + 1:,}" for row in rows)
    return data.texts_at(table, column, rows)


# ---------------------------------------------------------------- the picture


def cloud_of_cases(
    document: Document, question: CasesAsPoints, context: AssemblyContext
) -> CaseCloud:
    """Chances against own break-evens, of cases drawn by the document's seed."""
    analysis = analysis_of(document, context)
    state, model = analysis.state, analysis.model(question.model)
    problem = state.problem
    break_even = own_break_even(problem)
    if break_even is None:
        return _no_cloud(problem)
    values = values_of(state, model)
    own = break_even[values.rows]
    probability = corrected_probabilities(problem, model.scores, values.rows)[0]
    one = against_one_for_all(values, probability, own, is_above=acts_above(problem))
    count = len(own)
    drawn = np.arange(count)
    if count > question.most:
        draw = np.random.default_rng(document.seed)
        drawn = np.sort(draw.choice(count, question.most, replace=False))
    return CaseCloud(
        probability=probability[drawn],
        break_even=own[drawn],
        is_acted=values.own_decision()[drawn] == values.acting,
        is_event=values.level[drawn] == 0,
        cases=count,
        mean_break_even=one.mean_break_even,
        acts_above=acts_above(problem),
        acted_share=one.acted_share,
        acted_share_at_mean=one.acted_share_at_mean,
        expected_gain=one.expected_gain,
        realised_gain=one.realised_gain,
    )


def _no_cloud(problem: DecisionProblem) -> CaseCloud:
    if len(problem.levels) != 2 or len(problem.decisions) > 2:
        reason = "A break-even chance exists for two classes and two decisions only."
    else:
        reason = "No cost or amount differs from case to case: all share one break-even chance."
    nothing, none = np.zeros(0), np.zeros(0, dtype=np.bool_)
    empty = CaseCloud(
        probability=nothing,
        break_even=nothing,
        is_acted=none,
        is_event=none,
        cases=0,
        mean_break_even=float("nan"),
        acts_above=True,
        acted_share=float("nan"),
        acted_share_at_mean=float("nan"),
        expected_gain=float("nan"),
        realised_gain=float("nan"),
    )
    return replace(empty, reason=reason)
