"""Where cases change their decision while one number moves: the upper envelope of their lines.

For each case every decision's expected consequence is a straight line in the number. The best one
follows the upper envelope of these lines, which a walk from the far left to the far right passes in
at most (decisions - 1) steps.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.decisions.changes import Family
from core.decisions.problem import DecisionProblem, ModelScores
from core.decisions.profit_lines import ProfitLine, stepped, straight
from payoff.types import CodeArray, FloatArray, IntArray

_BLOCK = 262_144  # cases at a time: their lines stay a few ten megabytes


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CountedCases:
    """The rows that count in totals, for one model.

    Attributes
    ----------
    chances : array (levels, n)
        As they stand in the file.
    outcome : array (n,)
    frequency : array (n,)
    costs : mapping of decision to array (n,)
    amounts : array (n,) or None
        Where cells are shares of an amount.
    """

    chances: FloatArray
    outcome: CodeArray
    frequency: FloatArray
    costs: dict[int, FloatArray]
    amounts: FloatArray | None = None

    @property
    def rows(self) -> int:
        """How many there are."""
        return int(self.outcome.shape[0])


def counted_cases(
    problem: DecisionProblem, model: ModelScores, is_counted: IntArray | None
) -> CountedCases:
    """The rows of a model that count; ``is_counted`` None = all, else their numbers."""
    assert problem.outcome is not None  # the caller has counted the rows
    chosen = slice(None) if is_counted is None else is_counted
    rows = problem.outcome[chosen].shape[0]
    frequency = np.ones(rows) if problem.frequency is None else problem.frequency[chosen]
    return CountedCases(
        chances=np.ascontiguousarray(model.posteriors[:, chosen]),
        outcome=problem.outcome[chosen],
        frequency=frequency,
        costs={decision: column[chosen] for decision, column in problem.cost_columns.items()},
        amounts=None if problem.amounts is None else problem.amounts.values[chosen],
    )


def in_order(cases: CountedCases, order: IntArray) -> CountedCases:
    """The same cases in another order."""
    return CountedCases(
        chances=np.ascontiguousarray(cases.chances[:, order]),
        outcome=cases.outcome[order],
        frequency=cases.frequency[order],
        costs={decision: column[order] for decision, column in cases.costs.items()},
        amounts=None if cases.amounts is None else cases.amounts[order],
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Switches:
    """Decisions at the far left, and every change of one on the way to the right.

    ``start`` (n,); the others (switches,): the offset, the case, its decisions before and after.
    """

    start: IntArray
    offset: FloatArray
    case: IntArray
    before: IntArray
    after: IntArray


def find_switches(base: FloatArray, slope: FloatArray, tolerance: float) -> Switches:
    """Walk along the upper envelope of every case's lines.

    Parameters
    ----------
    base, slope : array (decisions, n)
        Each line at offset 0, and what one unit adds.
    tolerance : float
        Lines that are no further apart at offset 0 meet there.
    """
    cases = base.shape[1]
    current = _far_left(base, slope, tolerance)
    found: list[tuple[FloatArray, IntArray, IntArray, IntArray]] = []
    start, active = current.copy(), np.arange(cases)
    for _step in range(base.shape[0] - 1):
        offset, following = _next_meeting(base, slope, tolerance, current, active)
        goes_on = following >= 0
        active, offset, following = active[goes_on], offset[goes_on], following[goes_on]
        if not active.shape[0]:
            break
        found.append((offset, active, current[active], following))
        current[active] = following
    if not found:
        nothing = np.empty(0, dtype=np.int64)
        return Switches(
            start=start, offset=np.empty(0), case=nothing, before=nothing, after=nothing
        )
    parts = [np.concatenate(column) for column in zip(*found, strict=True)]
    return Switches(start=start, offset=parts[0], case=parts[1], before=parts[2], after=parts[3])


def _far_left(base: FloatArray, slope: FloatArray, tolerance: float) -> IntArray:
    """The line on top at the far left: the flattest, of equal ones the highest, then the first."""
    best = np.zeros(base.shape[1], dtype=np.int64)
    top, turn = base[0].copy(), slope[0].copy()
    for decision in range(1, base.shape[0]):
        is_flatter = slope[decision] < turn
        is_higher = (slope[decision] == turn) & (base[decision] > top + tolerance)
        is_better = is_flatter | is_higher
        best[is_better] = decision
        top = np.where(is_better, base[decision], top)
        turn = np.where(is_better, slope[decision], turn)
    return best


def _next_meeting(
    base: FloatArray, slope: FloatArray, tolerance: float, current: IntArray, active: IntArray
) -> tuple[FloatArray, IntArray]:
    """Where the present line is met first by a steeper one, and by which (-1: by none)."""
    own = current[active]
    height, turn = base[own, active], slope[own, active]
    offset = np.full(active.shape[0], np.inf)
    following = np.full(active.shape[0], -1, dtype=np.int64)
    steepest = turn.copy()
    for decision in range(base.shape[0]):
        other = slope[decision, active]
        above = height - base[decision, active]
        above = np.where(np.abs(above) <= tolerance, 0.0, above)
        with np.errstate(divide="ignore", invalid="ignore"):
            meeting = above / (other - turn)
        is_steeper = other > turn
        is_first = is_steeper & ((meeting < offset) | ((meeting == offset) & (other > steepest)))
        offset = np.where(is_first, meeting, offset)
        steepest = np.where(is_first, other, steepest)
        following[is_first] = decision
    return offset, following


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RuleLine:
    """One model's total as a function of a number, and how many cases get each decision.

    ``counts`` (decisions, pieces) are rows in each piece of ``line``'s switches before equal ones
    were joined: ``count_knots`` (switches,) are their offsets, rising.
    """

    line: ProfitLine
    count_knots: FloatArray
    counts: IntArray


def remade_line(cases: CountedCases, family: Family, tolerance: float, who: int) -> RuleLine:
    """The total of a model whose decisions are made again at every value."""
    decisions = family.expect.shape[2]
    start_sum = np.zeros(2)
    start_count = np.zeros(decisions, dtype=np.int64)
    parts: list[tuple[FloatArray, FloatArray, IntArray, IntArray]] = []
    for first in range(0, cases.rows, _BLOCK):
        here = slice(first, min(first + _BLOCK, cases.rows))
        worth = _case_worth(cases, family, here)
        base, slope = _case_lines(cases, family, here)
        switches = find_switches(base, slope, tolerance)
        start_sum += np.take_along_axis(worth, switches.start[np.newaxis, np.newaxis], axis=1).sum(
            axis=(1, 2)
        )
        start_count += np.bincount(switches.start, minlength=decisions)
        added = worth[:, switches.after, switches.case] - worth[:, switches.before, switches.case]
        parts.append((switches.offset, added, switches.before, switches.after))
    offset = np.concatenate([part[0] for part in parts])
    added = np.concatenate([part[1] for part in parts], axis=1)
    before = np.concatenate([part[2] for part in parts])
    after = np.concatenate([part[3] for part in parts])
    line = stepped((float(start_sum[0]), float(start_sum[1])), offset, added, who)
    knots, counts = _counts(start_count, offset, before, after)
    return RuleLine(line=line, count_knots=knots, counts=counts)


def kept_line(cases: CountedCases, family: Family, decision: IntArray, who: int) -> RuleLine:
    """The total of a model whose cases keep the decisions they have now."""
    sums = np.zeros(2)
    for first in range(0, cases.rows, _BLOCK):
        here = slice(first, min(first + _BLOCK, cases.rows))
        worth = _case_worth(cases, family, here)
        own = decision[here][np.newaxis, np.newaxis]
        sums += np.take_along_axis(worth, own, axis=1).sum(axis=(1, 2))
    counts = np.bincount(decision, minlength=family.expect.shape[2])[:, np.newaxis]
    return RuleLine(
        line=straight(float(sums[0]), float(sums[1]), who), count_knots=np.empty(0), counts=counts
    )


def _case_lines(cases: CountedCases, family: Family, here: slice) -> tuple[FloatArray, FloatArray]:
    """Expected consequence of every decision: at offset 0, and per unit; (decisions, n) each."""
    chances = cases.chances[:, here]
    base, slope = family.expect[0].T @ chances, family.expect[1].T @ chances
    if cases.amounts is not None and family.shares is not None:
        base += (family.shares.expect[0].T @ chances) * cases.amounts[here]
        slope += (family.shares.expect[1].T @ chances) * cases.amounts[here]
    for decision, column in cases.costs.items():
        base[decision] -= column[here] * (family.mass[0] @ chances)
        slope[decision] -= column[here] * (family.mass[1] @ chances)
    scale = family.mass[0] @ chances  # at offset 0 the chances then sum to 1
    scale = np.where(scale > 0, scale, 1.0)
    return base / scale, slope / scale


def _case_worth(cases: CountedCases, family: Family, here: slice) -> FloatArray:
    """What every decision adds to the total: (2, decisions, n), at offset 0 and per unit."""
    outcome, frequency = cases.outcome[here], cases.frequency[here]
    worth = np.ascontiguousarray(np.moveaxis(family.real[:, outcome], -1, 1))
    if cases.amounts is not None and family.shares is not None:
        worth += np.moveaxis(family.shares.real[:, outcome], -1, 1) * cases.amounts[here]
    for decision, column in cases.costs.items():
        worth[:, decision] -= column[here] * family.weight[:, outcome]
    worth *= frequency
    return worth


def _counts(
    start: IntArray, offset: FloatArray, before: IntArray, after: IntArray
) -> tuple[FloatArray, IntArray]:
    """Rows with each decision between switches in their order."""
    order = np.argsort(offset, kind="stable")
    decisions = start.shape[0]
    counts = np.empty((decisions, order.shape[0] + 1), dtype=np.int64)
    for decision in range(decisions):
        change = (after[order] == decision).astype(np.int64) - (before[order] == decision)
        counts[decision, 0] = start[decision]
        counts[decision, 1:] = start[decision] + np.cumsum(change)
    return offset[order], counts
