"""Where cases change their decision while one number moves: the upper envelope of their lines.

For each case every decision's expected consequence is a straight line in the number. The best one
follows the upper envelope of these lines, which a walk from the far left to the far right passes in
at most (decisions - 1) steps.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.decisions.problem import DecisionProblem, ModelScores
from core.decisions.sensitivity.changes import Family
from core.decisions.sensitivity.profit_lines import ProfitLine
from core.decisions.sensitivity.switch_kernels import (
    RealisedValues,
    add_up,
    find_flips,
    find_switches,
    snap_near,
    sum_kept,
)
from core.kernels import CHUNK_ROWS, argsort_descending
from payoff.types import CodeArray, FloatArray, IntArray, OrderArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SwitchingCases:
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


def switching_cases(
    problem: DecisionProblem, model: ModelScores, is_counted: IntArray | None
) -> SwitchingCases:
    """The rows of a model that count; ``is_counted`` None = all, else their numbers."""
    assert problem.outcome is not None  # the caller has counted the rows
    chosen = slice(None) if is_counted is None else is_counted
    rows = problem.outcome[chosen].shape[0]
    frequency = np.ones(rows) if problem.frequency is None else problem.frequency[chosen]
    return SwitchingCases(
        chances=np.ascontiguousarray(model.posteriors[:, chosen]),
        outcome=problem.outcome[chosen],
        frequency=frequency,
        costs={decision: column[chosen] for decision, column in problem.cost_columns.items()},
        amounts=None if problem.amounts is None else problem.amounts.values[chosen],
    )


def in_order(cases: SwitchingCases, order: OrderArray) -> SwitchingCases:
    """The same cases in another order."""
    place = order.astype(np.int64)  # once for all columns, and not by each of them
    probabilities = np.empty_like(cases.chances)
    for level, column in enumerate(cases.chances):
        np.take(column, place, out=probabilities[level], mode="clip")
    return SwitchingCases(
        chances=probabilities,
        outcome=cases.outcome[place],
        frequency=cases.frequency[place],
        costs={decision: column[place] for decision, column in cases.costs.items()},
        amounts=None if cases.amounts is None else cases.amounts[place],
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Switches:
    """Every change of a case's decision on the way from the far left to the far right.

    Attributes
    ----------
    offset : array (n, decisions - 1)
        Where; inf where the case changes no more.
    added : array (n, decisions - 1, 2)
        What the change adds to the total, at offset 0 and per unit.
    moves : array (n, decisions - 1, 2)
        The decisions before and after.
    start : array (2,)
        The total at the far left.
    start_counts : array (decisions,)
        Cases with each decision there.
    order : array (n * (decisions - 1),)
        The switches by rising offset.
    """

    offset: FloatArray
    added: FloatArray
    moves: CodeArray
    start: FloatArray
    start_counts: IntArray
    order: OrderArray

    def flips(self, decision: IntArray) -> FloatArray:
        """Where decisions come into use or fall out of it, below and above: (2, 2).

        ``decision`` (n,) are the present ones. Rows are an offset and a decision; NaN = nowhere.
        """
        found = np.empty((2, 2))
        is_used = np.bincount(decision, minlength=self.start_counts.shape[0])
        find_flips(self.order, self.offset, self.moves, self.start_counts, is_used, found)
        return found


class SwitchBuffers:
    """Memory for the switches of one model at a time: touching new memory costs more than them."""

    def __init__(self, rows: int, decisions: int) -> None:
        self.offset, self.falling = (np.empty((rows, decisions - 1)) for _ in range(2))
        self.added = np.empty((rows, decisions - 1, 2))
        self.moves = np.empty((rows, decisions - 1, 2), dtype=np.int32)


def switches_of(
    cases: SwitchingCases,
    family: Family,
    tolerance: float,
    room: SwitchBuffers,
    *,
    unit: float = 0.0,
) -> Switches:
    """Walk along the upper envelope of every case's lines.

    ``tolerance``: lines that are no further apart at offset 0 meet there. The answer lies in
    ``room`` (for as many cases) and holds until that is used again. ``unit``: the size of the
    number that moves.
    """
    chunks, decisions = -(-cases.rows // CHUNK_ROWS), family.expect.shape[2]
    sums, counts = np.empty((chunks, 2)), np.empty((chunks, decisions), dtype=np.int64)
    find_switches(
        cases.chances,
        family.expect,
        family.mass,
        _share_of(family)[0],
        tolerance,
        _realised(cases, family),
        sums,
        counts,
        room.offset,
        room.added,
        room.moves,
    )
    np.negative(room.offset, out=room.falling)
    order = argsort_descending(room.falling.ravel())
    snap_near(order, room.offset.reshape(-1), unit)
    return Switches(
        offset=room.offset,
        added=room.added,
        moves=room.moves,
        start=np.add.reduce(sums, axis=0),
        start_counts=counts.sum(axis=0),
        order=order,
    )


def kept_totals(cases: SwitchingCases, family: Family, decision: IntArray) -> FloatArray:
    """The total while cases keep their decisions (n,), at offset 0 and per unit: (2,)."""
    sums = np.empty((-(-cases.rows // CHUNK_ROWS), 2))
    sum_kept(decision, _realised(cases, family), sums)
    return np.asarray(np.add.reduce(sums, axis=0))


def _realised(cases: SwitchingCases, family: Family) -> RealisedValues:
    """What the kernels read to know what a decision brings in a case."""
    cost_rows = np.full(family.expect.shape[2], -1, dtype=np.int64)
    cost_rows[list(cases.costs)] = np.arange(len(cases.costs))
    costs = np.stack(list(cases.costs.values())) if cases.costs else np.empty((0, 0))
    amounts = np.empty(0) if cases.amounts is None else cases.amounts
    return RealisedValues(
        outcome=cases.outcome,
        frequency=cases.frequency,
        costs=costs,
        cost_rows=cost_rows,
        amounts=amounts,
        real=family.real,
        weight=family.weight,
        share_real=_share_of(family)[1],
    )


def _share_of(family: Family) -> tuple[FloatArray, FloatArray]:
    """What one unit of the amount adds to expected and to real consequences; or nothing."""
    if family.shares is None:
        return np.empty((0, 0, 0)), np.empty((0, 0, 0))
    return np.ascontiguousarray(family.shares.expect), np.ascontiguousarray(family.shares.real)


class ProfitTable:
    """Totals of several models as lines of one number, in memory that is used again.

    ``knots`` (lines, k), ``intercept`` and ``slope`` (lines, k + 1); ``pieces`` (lines,) says how
    many knots of a row count.
    """

    def __init__(self, lines: int, knots: int) -> None:
        self.knots = np.empty((lines, knots))
        self.intercept, self.slope = (np.empty((lines, knots + 1)) for _ in range(2))
        self.pieces = np.zeros(lines, dtype=np.int64)

    def put_switches(self, line: int, switches: Switches) -> None:
        """Let a row be the total of a model whose decisions are made again at every value."""
        self.pieces[line] = add_up(
            switches.order,
            switches.offset.ravel(),
            switches.added.reshape(-1, 2),
            switches.start,
            self.knots[line],
            self.intercept[line],
            self.slope[line],
        )

    def put_line(self, line: int, given: ProfitLine) -> None:
        """Let a row be a line that is there."""
        count = given.knots.shape[0]
        self.pieces[line] = count
        self.knots[line, :count] = given.knots
        self.intercept[line, : count + 1] = given.intercept
        self.slope[line, : count + 1] = given.slope

    def line(self, line: int) -> ProfitLine:
        """A row, as a view that holds until something else is put there."""
        count = int(self.pieces[line])
        return ProfitLine(
            knots=self.knots[line, :count],
            intercept=self.intercept[line, : count + 1],
            slope=self.slope[line, : count + 1],
            who=np.broadcast_to(np.int64(line), count + 1),
        )
