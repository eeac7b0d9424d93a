"""A cut-off applied to cases: acting on those that reach it, the best other decision elsewhere."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from core.decisions.number_targets.knots import expected_lines
from core.decisions.passes.cases import (
    CaseDecisions,
    decide_cases,
    return_on_investment,
)
from core.decisions.passes.decision_pass import UNDECIDED
from core.decisions.passes.per_case_values import choose, expected_values
from core.decisions.problem import DecisionProblem, ModelScores
from core.kernels import chunks
from payoff.types import BoolArray, FloatArray

_ROUNDING = 1e-12  # a case that lies on the cut-off up to rounding is acted on


@dataclass(frozen=True, slots=True, kw_only=True)
class DepthCut:
    """Act on the cases whose chance or advantage reaches ``value``.

    ``kind`` is "chance" (of the event, corrected to the priors), "advantage" (expected
    consequence of acting less that of the best other decision) or "score": ``value`` is then its
    standing, ``points`` the score itself and ``points_side`` where to act on its own scale.
    ``side`` is "above" or "below".
    """

    depth: float
    value: float
    kind: str
    side: str
    points: float | None = None
    points_side: str = ""


def decide_all(
    problem: DecisionProblem, scores: ModelScores, cut: DepthCut | None
) -> CaseDecisions:
    """Every case's decision with its corrected posteriors: by the rule, or by a cut-off."""
    decided = decide_cases(problem, scores, with_posteriors=True)
    if cut is None:
        return decided
    return _by_cut_off(problem, scores, decided, cut)


def _by_cut_off(
    problem: DecisionProblem, scores: ModelScores, decided: CaseDecisions, cut: DepthCut
) -> CaseDecisions:
    """Act on the cases that reach the cut-off; every other case gets its best other decision."""
    probabilities = scores.posteriors if decided.posteriors is None else decided.posteriors
    event = probabilities[0] if probabilities.shape[0] else np.empty(0)  # a number has no chances
    given = problem.consequences
    acting = problem.acting_index
    rows = probabilities.shape[1]
    constant = problem.constant_costs
    decision = decided.decision.copy()
    expected, computed = decided.expected.copy(), decided.computed.copy()
    paid = np.full(rows, np.nan)
    averages = _averages(problem, scores)
    for start, stop in chunks(rows):
        here = slice(start, stop)
        known = decided.decision[here] != UNDECIDED
        cost = _costs(problem, here)
        if averages is not None:
            value = averages[:, here]
        else:
            value = _expected_values(problem, scores, probabilities, here) - cost
        best, other = choose(value, given.tolerance, acting)
        reached = _reaches(cut, event[here], value[acting] - best, given.tolerance)
        chosen = np.where(reached, acting, other)
        is_idle = chosen == len(value)  # the implicit do-nothing: nothing is decided or happens
        column = np.where(is_idle, 0, chosen)
        place = np.arange(stop - start)
        decision[here] = np.where(known & ~is_idle, chosen, UNDECIDED)
        expected[here] = np.where(known, np.where(is_idle, 0.0, value[column, place]), np.nan)
        if problem.outcome is not None:
            level = problem.outcome[here]
            realised = (_realised(problem, here) - cost)[column, place]
            realised = np.where(is_idle, 0.0, realised)
            computed[here] = np.where(known & (level >= 0), realised, np.nan)
        spent = constant[column] + cost[column, place]
        paid[here] = np.where(known, np.where(is_idle, 0.0, spent), np.nan)
    has_costs = decided.investment is not None
    return replace(
        decided,
        decision=decision,
        expected=expected,
        computed=computed,
        investment=paid if has_costs else None,
        roi=return_on_investment(computed, paid) if has_costs else None,
    )


def _expected_values(
    problem: DecisionProblem, scores: ModelScores, probabilities: FloatArray, here: slice
) -> FloatArray:
    """Expected consequence of every decision before costs of the cases, (decisions, rows here)."""
    if scores.quantiles is not None:
        return expected_lines(problem.knot_table, scores.quantiles.some(here))
    if scores.predicted is not None:
        return problem.knot_table.at(scores.predicted[here])
    return problem.expected_value_at(probabilities[:, here], here)


def _averages(problem: DecisionProblem, scores: ModelScores) -> FloatArray | None:
    """Expected consequences less costs, (decisions, n), of a model that decides by leaves."""
    return None if scores.leaf is None else expected_values(problem, scores)


def _realised(problem: DecisionProblem, here: slice) -> FloatArray:
    """The same at the actual outcome; rows without one hold what does not count."""
    if problem.actual is not None:
        return problem.knot_table.at(problem.actual[here])
    assert problem.outcome is not None  # by the caller
    return problem.realised_at(np.maximum(problem.outcome[here], 0), here)


def _costs(problem: DecisionProblem, here: slice) -> FloatArray:
    """Costs of the cases themselves, (decisions, rows here); constants are in the gains."""
    cost = np.zeros((len(problem.decisions), here.stop - here.start))
    for index, column in problem.cost_columns.items():
        cost[index] = column[here]
    return cost


def _reaches(
    cut: DepthCut, probability: FloatArray, advantage: FloatArray, tolerance: float
) -> BoolArray:
    if cut.kind == "advantage":
        return advantage >= cut.value - max(tolerance, abs(cut.value) * _ROUNDING)
    if cut.side == "below":
        return probability <= cut.value + _ROUNDING
    return probability >= cut.value - _ROUNDING
