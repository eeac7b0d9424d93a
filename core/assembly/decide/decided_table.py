"""A table with every case decided by one model's rule, whether its outcome is known or not.

The cut-off of a model at the document's cursor.

Averages of leaves over the evaluated rows, for cases that are decided by them elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from core.assembly.analysis import analysed_at
from core.assembly.cases import Cases, all_cases, cases_of, model_scores
from core.assembly.context import AssemblyContext, table_of
from core.assembly.left_out import require_probabilities, without_useless_scores
from core.assembly.matrix import Matrix, decision_problem, matrix_of
from core.assembly.scores import rank_position_of
from core.data import LoadedTable
from core.decisions import CaseDecisions, DecisionProblem, ModelScores
from core.decisions.depths.cut import DepthCut, decide_all
from core.decisions.passes.per_case_values import leaf_means
from core.decisions.studies.hold_out import (
    HoldOut,
    decision_counts,
    decision_names,
    decision_totals,
    hold_out,
)
from core.document.model import Document
from payoff.errors import PayoffError, no_such
from payoff.types import BoolArray


def cursor_cut_off(document: Document, model: str, context: AssemblyContext) -> DepthCut | None:
    """The cut-off at the document's cursor; None where the cursor follows the rule."""
    depth = document.cursor_depth
    if depth is None:
        return None
    document, left_out = without_useless_scores(document, context)
    result, reading = analysed_at(document, depth, context)
    if model not in reading.models:
        raise PayoffError(f"There is no model '{model}'.", why=" ".join(left_out))
    value = float(reading.threshold[reading.models.index(model)])
    cut = DepthCut(depth=depth, value=value, kind=result.threshold_kind, side=result.threshold_side)
    if not document.is_rank_only(model):
        # Where the reference only ranks, cases are still in the order of the event's chance.
        return replace(cut, kind="chance") if cut.kind == "score" else cut
    standing = rank_position_of(document, model, context)
    points = float(standing.score(np.array([value]))[0])
    is_lowest = (cut.side == "below") != (standing.sign < 0)
    return replace(cut, kind="score", points=points, points_side="below" if is_lowest else "above")


def with_leaf_means(
    scores: ModelScores, cases: Cases, document: Document, context: AssemblyContext
) -> ModelScores:
    """A model whose leaves have the averages of the evaluated rows; others come back as they are.

    A leaf without evaluated rows decides nothing.
    """
    if scores.leaf is None:
        return scores
    alone = replace(
        document,
        models=tuple(entry for entry in document.models if entry.name == scores.name),
        reference_model=scores.name,
    )
    evaluated = cases_of(alone, context)
    matrix, table = matrix_of(alone, context), table_of(alone, context)
    problem = decision_problem(alone, evaluated, matrix, table, context)
    (then,) = model_scores(alone, evaluated)
    assert then.leaf is not None  # the same document says so
    means = leaf_means(problem, then, then.leaf)
    known = {
        name: place
        for place, name in enumerate(evaluated.bases[scores.name].leaf_names[: means.shape[1]])
    }
    names = cases.bases[scores.name].leaf_names
    # One place more: cases of a leaf that is not known, and -1, find nothing there.
    places = np.array([known.get(name, -1) for name in (*names, "")], dtype=np.int64)
    leaf = replace(scores.leaf, code=places[scores.leaf.code], means=means)
    return replace(scores, leaf=leaf)


@dataclass(frozen=True, kw_only=True, eq=False)
class DecidedTable:
    """A table with every case decided by one model's rule.

    Attributes
    ----------
    evaluated : Document
        The document whose evaluated rows the rule comes from: leaves average over them, and other
        cases are compared with them. Of cases of its own it is ``document``.
    """

    table: LoadedTable
    document: Document
    evaluated: Document
    model: str
    cases: Cases
    matrix: Matrix
    problem: DecisionProblem
    scores: ModelScores
    decided: CaseDecisions
    cut: DepthCut | None
    hold_out: HoldOut | None = None

    @cached_property
    def names(self) -> NDArray[np.str_]:
        """The decision of each case by name; empty where there is none."""
        return decision_names(self.problem, self.decided)

    @cached_property
    def lacks_input(self) -> BoolArray | None:
        """Cases with a missing input of the model; None for a model whose inputs are not known."""
        trained = self.document.trained_model(self.model)
        if trained is None:
            return None
        is_missing = np.zeros(self.table.rows, dtype=bool)
        for name in trained.features:
            column = self.table.require_column(name)
            if column.null_count:
                nulls = column.is_null(nan_is_null=True)
                is_missing |= np.asarray(nulls.to_numpy(zero_copy_only=False))
        return is_missing

    @cached_property
    def counts(self) -> tuple[tuple[str, int], ...]:
        """Cases per decision, in the matrix's order; cases without a decision at the end."""
        return decision_counts(self.problem, self.names)

    @cached_property
    def totals(self) -> tuple[tuple[str, float], ...]:
        """Totals of all its rows: expected, and realised where the outcome is known."""
        return decision_totals(self.problem, self.decided, has_probabilities=self.has_probabilities)

    @property
    def has_means_of_other_rows(self) -> bool:
        """Whether leaves decide by averages over rows of other data than its own."""
        return self.scores.leaf is not None and self.evaluated.data != self.document.data

    @property
    def has_probabilities(self) -> bool:
        """Whether the model says chances; a score that only ranks has no expected amounts."""
        return not self.document.is_rank_only(self.model)


def decide_table(
    table: LoadedTable,
    document: Document,
    model: str,
    cut: DepthCut | None,
    context: AssemblyContext,
    *,
    evaluated: Document | None = None,
) -> DecidedTable:
    """Rows of a table decided by one model, whether their outcome is known or not.

    Every row, or those for which the row filter is true; the table of the answer has only these.
    ``evaluated``: the project of the rule, where the table has other rows than its own.
    """
    if document.model(model) is None:
        raise no_such(
            "model", model, [entry.name for entry in document.models], listed="Known models"
        )
    if cut is None:
        require_probabilities(document, model)
    context.progress(None, "Reading chances")
    cases = all_cases(table, document, model, context)
    laid_out = _laid_out(table, document, cases, context)
    evaluated = evaluated or document
    scores = with_leaf_means(laid_out.scores, cases, evaluated, context)
    return _decided(laid_out, scores, cut, evaluated, context)


def decide_own_rows(
    table: LoadedTable, document: Document, cases: Cases, context: AssemblyContext
) -> DecidedTable:
    """Cases of a table decided by the only model of a document; leaves average over them."""
    laid_out = _laid_out(table, document, cases, context)
    return _decided(laid_out, laid_out.scores, None, document, context)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _LaidOut:
    """A table with the rule of a document, before anything is decided."""

    table: LoadedTable
    document: Document
    cases: Cases
    matrix: Matrix
    problem: DecisionProblem
    scores: ModelScores


def _laid_out(
    table: LoadedTable, document: Document, cases: Cases, context: AssemblyContext
) -> _LaidOut:
    (named,) = (*cases.posteriors, *cases.predictions)
    matrix = matrix_of(document, context)
    problem = decision_problem(document, cases, matrix, table, context)
    return _LaidOut(
        table=table,
        document=document,
        cases=cases,
        matrix=matrix,
        problem=problem,
        scores=next(entry for entry in model_scores(document, cases) if entry.name == named),
    )


def _decided(
    laid_out: _LaidOut,
    scores: ModelScores,
    cut: DepthCut | None,
    evaluated: Document,
    context: AssemblyContext,
) -> DecidedTable:
    context.progress(None, "Deciding")
    table, cases = laid_out.table, laid_out.cases
    return DecidedTable(
        table=table if cases.count == table.rows else table.with_rows(cases.rows),
        document=laid_out.document,
        evaluated=evaluated,
        model=scores.name,
        cases=cases,
        matrix=laid_out.matrix,
        problem=laid_out.problem,
        scores=scores,
        decided=decide_all(laid_out.problem, scores, cut),
        cut=cut,
    )


def with_hold_out(decided: DecidedTable, share: float, seed: int) -> DecidedTable:
    """The same table with a random share of the chosen kept out of the action."""
    held = hold_out(decided.problem, decided.scores, decided.decided, share=share, seed=seed)
    return replace(decided, decided=held.decided, hold_out=held)
