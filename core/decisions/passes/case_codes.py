"""Codes of cases: class, decision, rest decision and fold of every case of a model."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from core.decisions.depths.depth import DepthCurve, RatedCases
from core.decisions.passes.case_blocks import ByteArray
from core.decisions.passes.cases import NO_FLOATS
from core.decisions.passes.per_case_values import is_valued, rate_valued
from core.decisions.passes.rating_kernels import (
    ShortArray,
    rate_rows,
)
from core.decisions.passes.tables import code_parts, code_worth
from core.decisions.passes.workspace import AnalysisState, ModelState
from core.decisions.priors import prior_ratio
from core.decisions.problem import DecisionProblem, ModelScores
from core.document.model import ChartMode
from core.kernels import CHUNK_ROWS
from payoff.types import FloatArray


def rate_cases(
    problem: DecisionProblem,
    model: ModelScores,
    marks: ByteArray,
    folds: ByteArray,
    code: ShortArray,
    advantage: FloatArray,
    expected: FloatArray,
) -> FloatArray:
    """Fill code, advantage and expected consequence of every case.

    Returns
    -------
    array (levels, 2)
        Sums of the expected consequence of the own and of the rest decision by class.
    """
    if is_valued(problem, model):
        return rate_valued(problem, model, marks, folds, code, advantage, expected)
    levels, rows = model.posteriors.shape
    given = problem.consequences
    ratio = prior_ratio(problem, model)
    sums = np.zeros((-(-rows // CHUNK_ROWS), levels, 2))
    assert problem.outcome is not None  # counted_rows refuses without
    rate_rows(
        model.posteriors,
        NO_FLOATS if ratio is None else ratio,
        given,
        problem.acting_index,
        problem.outcome,
        NO_FLOATS if problem.frequency is None else problem.frequency,
        marks,
        folds,
        code,
        advantage,
        expected,
        sums,
    )
    return np.asarray(sums.sum(axis=0))


def coded_cases(state: AnalysisState, model: ModelState, *, is_copy: bool = False) -> RatedCases:
    """Codes of a model's cases; worked out where its curve did without them.

    ``is_copy``: memory of their own, which the next analysis does not overwrite.
    """
    if isinstance(model.curve, DepthCurve):
        known = model.curve.cases
        return replace(known, code=known.code.copy()) if is_copy else known
    problem = state.problem
    rows = model.scores.posteriors.shape[1]
    code, advantage = np.empty(rows, dtype=np.uint16), np.empty(rows)
    folds = np.zeros(rows, dtype=np.uint8)
    rate_cases(problem, model.scores, state.rows.marks, folds, code, advantage, NO_FLOATS)
    is_firm = state.chart_mode == ChartMode.FIRM
    return rated_cases(problem, code, advantage, is_firm=is_firm)


def rated_cases(
    problem: DecisionProblem, code: ShortArray, value_expected: FloatArray, *, is_firm: bool
) -> RatedCases:
    """Cases with their codes and values as of ``rate_cases``, as the kernels read them."""
    parts = code_parts(len(problem.levels), len(problem.decisions))
    return RatedCases(
        code=code,
        parts=parts,
        worth=code_worth(parts, problem.consequences, problem.acting_index, is_firm=is_firm),
        consequences=problem.consequences,
        acting=problem.acting_index,
        is_firm=is_firm,
        value_expected=value_expected,
        frequency=NO_FLOATS if problem.frequency is None else problem.frequency,
    )
