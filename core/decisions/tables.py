"""Sums by class and own decision: what the rule brings, from codes of cases."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.decisions.cases import NO_FLOATS
from core.decisions.depth_kernels import ShortArray, count_codes, table_rows
from core.decisions.passes import ByteArray
from core.decisions.problem import Consequences
from core.kernels import CHUNK_ROWS
from payoff.errors import PayoffError
from payoff.types import FloatArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ModelTables:
    """All arrays (levels, decisions), by class and own decision, sums over counted cases.

    ``rest`` is what the cases bring with their best decision other than acting.
    """

    rows: FloatArray
    cases: FloatArray
    own: FloatArray
    own_square: FloatArray
    rest: FloatArray
    rest_square: FloatArray
    best: FloatArray
    cost: FloatArray


def code_parts(levels: int, decisions: int) -> tuple[ByteArray, ByteArray, ByteArray]:
    """Class, decision and rest decision of every possible code.

    Raises
    ------
    PayoffError
        If there are too many combinations.
    """
    size = levels * decisions * (decisions + 1) * 2
    if size >= 65_535:
        raise PayoffError(
            f"{levels} levels with {decisions} decisions are too many to compare.",
            remedy="Join levels or leave out decisions.",
        )
    code = np.arange(size) // 2
    rest, code = code % (decisions + 1), code // (decisions + 1)
    return (
        (code // decisions).astype(np.uint8),
        (code % decisions).astype(np.uint8),
        rest.astype(np.uint8),
    )


def tables_of(code: ShortArray, frequency: FloatArray, given: Consequences) -> ModelTables:
    """Add up cases by class and own decision.

    Parameters
    ----------
    code : array (n,) of uint16
    frequency : array (n,), or empty
    given : Consequences
    """
    levels, decisions = given.gain.shape[0], given.gain.shape[1] - 1
    level_of, decision_of, rest_of = code_parts(levels, decisions)
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

    if given.has_cost_columns:
        sums = np.zeros((chunk_count, 7, levels, decisions))
        table_rows(
            code,
            frequency,
            given.gain,
            given.cost_row,
            given.costs,
            given.constant_cost,
            sums,
        )
        own, own_square, rest, rest_square, best, cost, _ = sums.sum(axis=0)
        return ModelTables(
            rows=by_decision(rows),
            cases=by_decision(cases),
            own=own,
            own_square=own_square,
            rest=rest,
            rest_square=rest_square,
            best=best,
            cost=cost,
        )
    own_value = given.gain[level_of, decision_of]
    rest_value = given.gain[level_of, rest_of]
    return ModelTables(
        rows=by_decision(rows),
        cases=by_decision(cases),
        own=by_decision(cases * own_value),
        own_square=by_decision(cases * own_value**2),
        rest=by_decision(cases * rest_value),
        rest_square=by_decision(cases * rest_value**2),
        best=by_decision(cases * given.gain[level_of, :decisions].max(axis=1)),
        cost=by_decision(cases * given.constant_cost[decision_of]),
    )


def constant_totals(
    given: Consequences,
    outcome: FloatArray | None,
    frequency: FloatArray,
    marks: ByteArray,
    class_cases: FloatArray,
) -> FloatArray:
    """Sum of consequences by class if every counted case got one decision, (levels, decisions)."""
    sums: FloatArray = class_cases[:, np.newaxis] * given.gain[:, :-1]
    if outcome is None or not given.has_cost_columns:
        return sums
    weight = frequency if frequency.shape[0] else np.ones(outcome.shape[0])
    if marks.shape[0]:
        weight = np.where(marks == 0, weight, 0.0)
    level = np.maximum(outcome, 0).astype(np.int64)
    for decision, place in enumerate(given.cost_row[:-1]):
        if place >= 0:
            spent = np.where(weight > 0, given.costs[place], 0.0)
            sums[:, decision] -= np.bincount(
                level, weights=weight * spent, minlength=class_cases.shape[0]
            )
    return sums


__all__ = ["NO_FLOATS", "ModelTables", "code_parts", "constant_totals", "tables_of"]
