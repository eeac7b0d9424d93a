"""The rule applied to cases: each case's own decision, or acting on those above a cut-off."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from core.assembly.analysis import analysed_at
from core.assembly.rank_only import without_useless_scores
from core.assembly.scores import standing_of
from core.decisions import (
    UNDECIDED,
    CaseDecisions,
    DecisionProblem,
    ModelScores,
    decide_cases,
)
from core.decisions.cases import return_on_investment
from core.decisions.number_targets.distribution import expected_lines
from core.decisions.ties import first_best
from core.decisions.valued import expected_values
from core.document.model import Document
from core.engine.context import JobContext
from payoff.errors import PayoffError
from payoff.types import BoolArray, FloatArray, IntArray

CHUNK_ROWS = 65_536
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


def cut_off(document: Document, model: str, context: JobContext) -> DepthCut | None:
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
    standing = standing_of(document, model, context)
    points = float(standing.score(np.array([value]))[0])
    is_lowest = (cut.side == "below") != (standing.sign < 0)
    return replace(cut, kind="score", points=points, points_side="below" if is_lowest else "above")


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
    chances = scores.posteriors if decided.posteriors is None else decided.posteriors
    event = chances[0] if chances.shape[0] else np.empty(0)  # a number has no chances
    given = problem.consequences
    acting = problem.acting_index
    rows = chances.shape[1]
    constant = problem.constant_costs
    decision = decided.decision.copy()
    expected, computed = decided.expected.copy(), decided.computed.copy()
    paid = np.full(rows, np.nan)
    averages = _averages(problem, scores)
    for start, stop in _chunks(rows):
        here = slice(start, stop)
        known = decided.decision[here] != UNDECIDED
        cost = _costs(problem, here)
        if averages is not None:
            value = averages[:, here]
        else:
            value = _promised(problem, scores, chances, here) - cost
        other, advantage = _best_other(value, acting, given.tolerance)
        reached = _reaches(cut, event[here], advantage, given.tolerance)
        chosen = np.where(reached, acting, other)
        is_idle = chosen < 0  # the implicit do-nothing: nothing is decided and nothing happens
        column = np.maximum(chosen, 0)
        place = np.arange(stop - start)
        decision[here] = np.where(known & ~is_idle, chosen, UNDECIDED)
        expected[here] = np.where(known, np.where(is_idle, 0.0, value[column, place]), np.nan)
        if problem.outcome is not None:
            level = problem.outcome[here]
            brought = (_brought(problem, here) - cost)[column, place]
            brought = np.where(is_idle, 0.0, brought)
            computed[here] = np.where(known & (level >= 0), brought, np.nan)
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


def _promised(
    problem: DecisionProblem, scores: ModelScores, chances: FloatArray, here: slice
) -> FloatArray:
    """Expected consequence of every decision before costs of the cases, (decisions, rows here)."""
    if scores.quantiles is not None:
        return expected_lines(problem.knot_table, scores.quantiles.some(here))
    if scores.predicted is not None:
        return problem.knot_table.at(scores.predicted[here])
    return problem.promised_at(chances[:, here], here)


def _averages(problem: DecisionProblem, scores: ModelScores) -> FloatArray | None:
    """Expected consequences less costs, (decisions, n), of a model that decides by leaves."""
    return None if scores.leaf is None else expected_values(problem, scores)


def _brought(problem: DecisionProblem, here: slice) -> FloatArray:
    """The same at the actual outcome; rows without one hold what does not count."""
    if problem.actual is not None:
        return problem.knot_table.at(problem.actual[here])
    assert problem.outcome is not None  # by the caller
    return problem.brought_at(np.maximum(problem.outcome[here], 0), here)


def _chunks(rows: int) -> Iterator[tuple[int, int]]:
    for start in range(0, rows, CHUNK_ROWS):
        yield start, min(rows, start + CHUNK_ROWS)


def _costs(problem: DecisionProblem, here: slice) -> FloatArray:
    """Costs of the cases themselves, (decisions, rows here); constants are in the gains."""
    cost = np.zeros((len(problem.decisions), here.stop - here.start))
    for index, column in problem.cost_columns.items():
        cost[index] = column[here]
    return cost


def _best_other(value: FloatArray, acting: int, tolerance: float) -> tuple[IntArray, FloatArray]:
    """The best decision other than acting (-1: there is none), and what acting adds to it."""
    if value.shape[0] == 1:
        return np.full(value.shape[1], -1, dtype=np.int64), value[0]
    others = value.copy()
    others[acting] = -np.inf
    best = first_best(others, tolerance)
    return best, value[acting] - others[best, np.arange(value.shape[1])]


def _reaches(
    cut: DepthCut, chance: FloatArray, advantage: FloatArray, tolerance: float
) -> BoolArray:
    if cut.kind == "advantage":
        return advantage >= cut.value - max(tolerance, abs(cut.value) * _ROUNDING)
    if cut.side == "below":
        return chance <= cut.value + _ROUNDING
    return chance >= cut.value - _ROUNDING
