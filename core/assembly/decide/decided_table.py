"""A table with every case decided by one model's rule, whether its outcome is known or not."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from core.assembly.cases import Cases, all_cases, model_scores
from core.assembly.context import AssemblyContext
from core.assembly.decide.leaf_averages import with_leaf_means
from core.assembly.matrix import Matrix, decision_problem, matrix_of
from core.assembly.rank_only import require_chances
from core.data import LoadedTable
from core.decisions import CaseDecisions, DecisionProblem, ModelScores
from core.decisions.depths.cut import DepthCut, decide_all
from core.decisions.studies.hold_out import (
    HoldOut,
    decision_counts,
    decision_names,
    decision_totals,
    hold_out,
)
from core.document.model import Document
from payoff.errors import no_such
from payoff.types import BoolArray


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
        return decision_totals(self.problem, self.decided, has_chances=self.has_chances)

    @property
    def has_means_of_other_rows(self) -> bool:
        """Whether leaves decide by averages over rows of other data than its own."""
        return self.scores.leaf is not None and self.evaluated.data != self.document.data

    @property
    def has_chances(self) -> bool:
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
        require_chances(document, model)
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
