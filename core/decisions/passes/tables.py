"""Sums by class and own decision: what the rule brings, from codes of cases."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.decisions.passes.case_blocks import ByteArray
from core.decisions.passes.rating_kernels import (
    DECISION,
    LEVEL,
    NO_CODE,
    REST,
    ShortArray,
    count_codes,
    sum_best,
    sum_costs_by_code,
    table_rows,
)
from core.decisions.problem import Consequences, DecisionProblem
from core.kernels import CHUNK_ROWS
from payoff.counting import counted
from payoff.errors import PayoffError
from payoff.types import CodeArray, FloatArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ModelTables:
    """Arrays (levels, decisions), by class and own decision, sums over counted cases.

    ``rest`` is what the cases bring with their best decision other than acting; ``rows`` is by
    decision only, (decisions,). ``best`` is by class only, (levels,): no model enters.
    """

    rows: FloatArray
    cases: FloatArray
    own: FloatArray
    own_square: FloatArray
    rest: FloatArray
    rest_square: FloatArray
    best: FloatArray
    cost: FloatArray

    def columns(self, order: tuple[int, ...]) -> ModelTables:
        """The same with the decisions in another order (or fewer)."""
        chosen = list(order)
        return ModelTables(
            rows=self.rows[chosen],
            cases=self.cases[:, chosen],
            own=self.own[:, chosen],
            own_square=self.own_square[:, chosen],
            rest=self.rest[:, chosen],
            rest_square=self.rest_square[:, chosen],
            best=self.best,
            cost=self.cost[:, chosen],
        )


def code_parts(levels: int, decisions: int) -> ByteArray:
    """Class, decision, rest decision and fold of every possible code, (codes, 4).

    Raises
    ------
    PayoffError
        If there are too many combinations.
    """
    size = levels * decisions * (decisions + 1) * 2
    if size >= NO_CODE or levels > 255:
        raise PayoffError(
            f"{counted(levels, 'level')} with "
            f"{counted(decisions, 'decision is', 'decisions are')} too many to compare.",
            remedy="Join levels or leave out decisions.",
        )
    code = np.arange(size)
    fold, code = code % 2, code // 2
    rest, code = code % (decisions + 1), code // (decisions + 1)
    parts = np.column_stack([code // decisions, code % decisions, rest, fold])
    return np.ascontiguousarray(parts.astype(np.uint8))


def code_worth(parts: ByteArray, given: Consequences, acting: int, *, is_firm: bool) -> FloatArray:
    """What a case of each code brings, (codes, 5); costs by case are taken off by the kernels."""
    level, decision, rest = parts[:, LEVEL], parts[:, DECISION], parts[:, REST]
    own = given.gain[level, decision]
    base = np.zeros_like(own) if is_firm else given.gain[level, rest]
    value = own if is_firm else given.gain[level, acting] - base
    is_act = np.full_like(own, 0.0 if is_firm else 1.0)
    return np.column_stack([base, value, own, given.constant_cost[decision], is_act])


def tables_of(
    code: ShortArray,
    frequency: FloatArray,
    parts: ByteArray,
    given: Consequences,
    best: FloatArray,
) -> ModelTables:
    """Add up cases by class and own decision.

    Parameters
    ----------
    code : array (n,) of uint16
    frequency : array (n,), or empty
    parts : array (codes, 4)
    given : Consequences
    best : array (levels,)
        What the best decisions bring, as of ``best_by_class``.
    """
    levels, decisions = given.gain.shape[0], given.gain.shape[1] - 1
    level_of, decision_of, rest_of = parts[:, LEVEL], parts[:, DECISION], parts[:, REST]
    chunk_count = -(-code.shape[0] // CHUNK_ROWS)
    row_counts = np.zeros((chunk_count, level_of.shape[0]), dtype=np.int64)
    case_sums = np.zeros(row_counts.shape if frequency.shape[0] else (chunk_count, 0))
    count_codes(code, frequency, row_counts, case_sums)
    rows = row_counts.sum(axis=0).astype(np.float64)
    cases = case_sums.sum(axis=0) if frequency.shape[0] else rows
    place = level_of.astype(np.int64) * decisions + decision_of

    def by_decision(values: FloatArray) -> FloatArray:
        sums = np.bincount(place, weights=values, minlength=levels * decisions)
        return np.asarray(sums.reshape(levels, decisions))

    if given.costs.shape[0] > 1:
        sums = np.zeros((chunk_count, levels, decisions, 5))
        table_rows(
            code,
            frequency,
            parts,
            given,
            sums,
        )
        own, own_square, rest, rest_square, cost = np.moveaxis(sums.sum(axis=0), -1, 0)
        return ModelTables(
            rows=by_decision(rows).sum(axis=0),
            cases=by_decision(cases),
            own=own,
            own_square=own_square,
            rest=rest,
            rest_square=rest_square,
            best=best,
            cost=cost,
        )
    spent, squared = np.zeros((2, cases.shape[0]))
    if given.has_cost_columns:
        cost_sums = np.zeros((chunk_count, cases.shape[0], 2))
        sum_costs_by_code(code, frequency, given.costs, cost_sums)
        spent, squared = cost_sums.sum(axis=0).T
    own_value, rest_value = given.gain[level_of, decision_of], given.gain[level_of, rest_of]
    own_cost, rest_cost = (given.rate[level_of, of] for of in (decision_of, rest_of))

    def square(value: FloatArray, rate: FloatArray) -> FloatArray:
        return np.asarray(cases * value**2 + rate * (rate * squared - 2.0 * value * spent))

    return ModelTables(
        rows=by_decision(rows).sum(axis=0),
        cases=by_decision(cases),
        own=by_decision(cases * own_value - own_cost * spent),
        own_square=by_decision(square(own_value, own_cost)),
        rest=by_decision(cases * rest_value - rest_cost * spent),
        rest_square=by_decision(square(rest_value, rest_cost)),
        best=best,
        cost=by_decision(cases * given.constant_cost[decision_of] + own_cost * spent),
    )


def investment_sums(problem: DecisionProblem, code: ShortArray) -> FloatArray:
    """What the own decisions cost by class, (levels, decisions), from the problem's own costs."""
    levels, decisions = len(problem.levels), len(problem.decisions)
    if not problem.has_costs:
        return np.zeros((levels, decisions))
    counted = code != NO_CODE
    place = code[counted].astype(np.int64) // (2 * (decisions + 1))
    cost = problem.constant_costs[place % decisions]
    for decision, column in problem.cost_columns.items():
        cost = np.where(place % decisions == decision, column[counted], cost)
    if problem.frequency is not None:
        cost = cost * problem.frequency[counted]
    sums = np.bincount(place, weights=cost, minlength=levels * decisions)
    return np.asarray(sums.reshape(levels, decisions))


def best_by_class(
    code: ShortArray, outcome: CodeArray, frequency: FloatArray, given: Consequences
) -> FloatArray:
    """What the best decisions of the counted cases bring, (levels,); ``code`` of any model."""
    sums = np.zeros((-(-code.shape[0] // CHUNK_ROWS), given.gain.shape[0]))
    sum_best(code, outcome, frequency, given, sums)
    return np.asarray(sums.sum(axis=0))


def constant_totals(
    given: Consequences, class_cases: FloatArray, cost_sums: FloatArray
) -> FloatArray:
    """Sum of consequences by class if every counted case got one decision, (levels, decisions).

    ``cost_sums`` (levels, decisions) is what the cost columns add up to.
    """
    return np.asarray(class_cases[:, np.newaxis] * given.gain[:, :-1] - cost_sums)
