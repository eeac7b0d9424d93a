"""Cases and profits by class and decision at any depth, from sums kept along the order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from core.decisions.depths.depth import DepthPoints, Ordering, RatedCases
from core.decisions.depths.sums import AHEAD
from core.decisions.passes.case_blocks import ByteArray, consequence
from core.decisions.passes.rating_kernels import DECISION, LEVEL, REST, ShortArray
from core.decisions.problem import Consequences
from core.kernels import fitting_threads, own_kernel, parallel_kernel, prange, prefetch
from payoff.types import FloatArray, OrderArray

TABLE_STEP = 4096
"""Cases between kept tables: a table is larger than the sums of ``depth_sums``."""


class RankedCases(NamedTuple):
    """What tables along an order read of its n cases; C codes."""

    order: OrderArray  # (n,) places of the cases, best first
    code: ShortArray  # (n,)
    parts: ByteArray  # (C, parts of a code)
    frequency: FloatArray  # (n,), or empty
    acting: int
    is_firm: bool  # within the depth cases get their own decision, not the acting one


@own_kernel
def _add_tallied(
    start: int,
    stop: int,
    ranked: RankedCases,
    given: Consequences,
    sums: FloatArray,
) -> None:
    """``_add_cases`` with one column of costs or none: cases and their cost by code come first."""
    order, code, parts, frequency = ranked.order, ranked.code, ranked.parts, ranked.frequency
    is_firm, acting = ranked.is_firm, ranked.acting
    tally = np.zeros((parts.shape[0], 2))
    gain, rate, costs = given.gain, given.rate, given.costs
    has_costs = costs.shape[0] > 0
    last = order.shape[0] - 1
    for position in range(start, stop):
        ahead = np.int64(order[min(position + AHEAD, last)])
        prefetch(code, ahead)
        if has_costs:
            prefetch(costs, ahead)
        row = np.int64(order[position])
        weight = frequency[row] if frequency.shape[0] else 1.0
        into = tally[np.int64(code[row])]
        into[0] += weight
        if has_costs:
            into[1] += weight * costs[0, row]
    for name in range(parts.shape[0]):
        cases, spent = tally[name]
        if cases == 0.0:
            continue
        level = np.int64(parts[name, LEVEL])
        inside = np.int64(parts[name, DECISION]) if is_firm else np.int64(acting)
        into = sums[level, inside]
        into[0] += cases
        into[1] += cases * gain[level, inside] - rate[level, inside] * spent
        if not is_firm:
            outside = np.int64(parts[name, REST])
            into = sums[level, outside]
            into[2] += cases
            into[3] += cases * gain[level, outside] - rate[level, outside] * spent


@own_kernel
def _add_cases(
    start: int,
    stop: int,
    ranked: RankedCases,
    given: Consequences,
    sums: FloatArray,
) -> None:
    """Add the cases at some positions to ``sums``, (levels, decisions + 1, 4).

    Cases and profit by the decision within, then by the decision beyond. The last column is the
    implicit do-nothing.
    """
    gain, cost_row, rate, costs = given.gain, given.cost_row, given.rate, given.costs
    if costs.shape[0] <= 1:
        _add_tallied(start, stop, ranked, given, sums)
        return
    order, code, parts, frequency = ranked.order, ranked.code, ranked.parts, ranked.frequency
    is_firm, acting = ranked.is_firm, ranked.acting
    last = order.shape[0] - 1
    for position in range(start, stop):
        ahead = np.int64(order[min(position + AHEAD, last)])
        prefetch(code, ahead)
        for column in range(costs.shape[0]):
            prefetch(costs, column * costs.shape[1] + ahead)
        row = np.int64(order[position])
        name = np.int64(code[row])
        level = np.int64(parts[name, LEVEL])
        weight = frequency[row] if frequency.shape[0] else 1.0
        inside = np.int64(parts[name, DECISION]) if is_firm else np.int64(acting)
        into = sums[level, inside]
        into[0] += weight
        into[1] += weight * consequence(gain, cost_row, rate, costs, level, inside, row)
        if not is_firm:
            outside = np.int64(parts[name, REST])
            into = sums[level, outside]
            into[2] += weight
            into[3] += weight * consequence(gain, cost_row, rate, costs, level, outside, row)


@parallel_kernel
def _sum_steps(
    ranked: RankedCases,
    given: Consequences,
    sums: FloatArray,
) -> None:
    """Sums of each step of the order; ``sums`` (steps, levels, decisions + 1, 4), zero before."""
    n = ranked.order.shape[0]
    for step in prange(sums.shape[0]):
        first, stop = step * TABLE_STEP, min(n, (step + 1) * TABLE_STEP)
        _add_cases(first, stop, ranked, given, sums[step])


@dataclass(frozen=True, slots=True, eq=False)
class DepthTable:
    """One model's tables before every step of its order."""

    ordering: Ordering
    cases: RatedCases
    before: FloatArray  # (steps + 1, levels, decisions + 1, 4)

    def at(self, point: DepthPoints) -> FloatArray:
        """Cases and profits at a depth, (2, levels, decisions); not prior-weighted."""
        first, end = (int(place) for place in point.groups[0])
        low = self._to(first)
        within = low + float(point.fraction[0]) * (self._to(end) - low)
        beyond = self.before[-1] - within
        sums = within[:, :, :2] + beyond[:, :, 2:]
        return np.ascontiguousarray(np.moveaxis(sums[:, :-1], -1, 0))

    def _to(self, position: int) -> FloatArray:
        """Sums of the first cases of the order."""
        step = position // TABLE_STEP
        sums: FloatArray = self.before[step].copy()
        ranked = _ranked(self.ordering, self.cases)
        _add_cases(step * TABLE_STEP, position, ranked, self.cases.consequences, sums)
        return sums


def depth_table(ordering: Ordering, cases: RatedCases) -> DepthTable:
    """Add up tables along the order and keep them before every step."""
    given = cases.consequences
    rows = ordering.order.shape[0]
    before = np.zeros((-(-rows // TABLE_STEP) + 1, *given.gain.shape, 4))
    with fitting_threads(rows):
        _sum_steps(_ranked(ordering, cases), given, before[1:])
    np.cumsum(before, axis=0, out=before)
    return DepthTable(ordering, cases, before)


def _ranked(ordering: Ordering, cases: RatedCases) -> RankedCases:
    """What the kernels read of cases along their order."""
    return RankedCases(
        order=ordering.order,
        code=cases.code,
        parts=cases.parts,
        frequency=cases.frequency,
        acting=cases.acting,
        is_firm=cases.is_firm,
    )
