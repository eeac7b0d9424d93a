"""Where cases change their decision while one number moves: the upper envelope of their lines.

For each case every decision's expected consequence is a straight line in the number. The best one
follows the upper envelope of these lines, which a walk from the far left to the far right passes in
at most (decisions - 1) steps.

Kernels of switches: where single cases change their decision, and the total between them.

The kernel behind break-even: from the present value outwards along several lines at once.

The highest of the lines is followed piece by piece, and never written down: what is asked is only
where another line takes the lead, and where the lead meets a fixed line or zero.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from core.decisions.problem import DecisionProblem, ModelScores
from core.decisions.sensitivity.changes import Family
from core.decisions.sensitivity.profit_lines import ProfitLine
from core.kernels import CHUNK_ROWS, argsort_descending, own_kernel, parallel_kernel, prange
from payoff.types import CodeArray, FloatArray, IntArray, OrderArray

NEAR = 2.0**-40
"""Share of a number's size by which places may differ and still be one place."""


class RealisedValues(NamedTuple):
    """What decisions bring in n cases, as terms at offset 0 and per unit of it."""

    outcome: CodeArray  # (n,)
    frequency: FloatArray  # (n,)
    costs: FloatArray  # (k, n), or empty
    cost_rows: IntArray  # (decisions,) row of ``costs``, -1 where there is none
    amounts: FloatArray  # (n,), or empty
    real: FloatArray  # (2, levels, decisions), of ``Family``
    weight: FloatArray  # (2, levels), of ``Family``
    share_real: FloatArray  # (2, levels, decisions), of its ``Shares``, or empty


@own_kernel(inline=True)
def _fill_lines(
    probabilities: FloatArray,
    costs: FloatArray,
    cost_rows: IntArray,
    amounts: FloatArray,
    expect: FloatArray,
    mass: FloatArray,
    share_expect: FloatArray,
    case: int,
    lines: FloatArray,
) -> None:
    """Expected consequence of every decision at offset 0 and per unit: ``lines`` (2, decisions)."""
    whole, growth = 0.0, 0.0
    for level in range(probabilities.shape[0]):
        whole += mass[0, level] * probabilities[level, case]
        growth += mass[1, level] * probabilities[level, case]
    scale = whole if whole > 0.0 else 1.0  # at offset 0 the chances then sum to 1
    for decision in range(lines.shape[1]):
        base, turn = 0.0, 0.0
        for level in range(probabilities.shape[0]):
            base += expect[0, level, decision] * probabilities[level, case]
            turn += expect[1, level, decision] * probabilities[level, case]
        if share_expect.shape[0]:
            for level in range(probabilities.shape[0]):
                share = probabilities[level, case] * amounts[case]
                base += share_expect[0, level, decision] * share
                turn += share_expect[1, level, decision] * share
        if cost_rows[decision] >= 0:
            base -= costs[cost_rows[decision], case] * whole
            turn -= costs[cost_rows[decision], case] * growth
        lines[0, decision], lines[1, decision] = base / scale, turn / scale


@own_kernel(inline=True)
def _fill_worth(
    outcome: CodeArray,
    frequency: FloatArray,
    costs: FloatArray,
    cost_rows: IntArray,
    amounts: FloatArray,
    real: FloatArray,
    weight: FloatArray,
    share_real: FloatArray,
    case: int,
    worth: FloatArray,
) -> None:
    """What every decision adds to the total in one case: ``worth`` (2, decisions)."""
    level = outcome[case]
    for part in range(2):
        for decision in range(worth.shape[1]):
            value = real[part, level, decision]
            if share_real.shape[0]:
                value += share_real[part, level, decision] * amounts[case]
            if cost_rows[decision] >= 0:
                value -= costs[cost_rows[decision], case] * weight[part, level]
            worth[part, decision] = frequency[case] * value


@own_kernel(inline=True)
def _steeper(lines: FloatArray, decision: int, other: int) -> float:
    """By how much a line is steeper than another; 0 where nothing but rounding is left."""
    turn: float = lines[1, decision] - lines[1, other]
    size = abs(lines[1, decision]) + abs(lines[1, other])
    return 0.0 if abs(turn) <= NEAR * size else turn


@own_kernel
def far_left(lines: FloatArray, tolerance: float) -> int:
    """The line on top at the far left: the flattest, of equal ones the highest, then the first."""
    best = 0
    for decision in range(1, lines.shape[1]):
        is_higher = lines[0, decision] > lines[0, best] + tolerance
        turn = _steeper(lines, decision, best)
        if turn < 0.0 or (turn == 0.0 and is_higher):
            best = decision
    return best


@own_kernel
def next_meeting(lines: FloatArray, tolerance: float, current: int) -> tuple[float, int]:
    """Where the present line is met first by a steeper one, and by which (-1: by none)."""
    offset, following = np.inf, -1
    for decision in range(lines.shape[1]):
        turn = _steeper(lines, decision, current)
        if turn <= 0.0:
            continue
        above = lines[0, current] - lines[0, decision]
        meeting = 0.0 if abs(above) <= tolerance else above / turn
        slack = 0.0 if meeting == 0.0 else tolerance / turn
        is_there = abs(meeting - offset) <= slack
        is_steeper = following < 0 or _steeper(lines, decision, following) > 0.0
        if (meeting < offset and not is_there) or (is_there and is_steeper):
            offset, following = meeting, decision
    return offset, following


@parallel_kernel
def find_switches(
    probabilities: FloatArray,
    expect: FloatArray,
    mass: FloatArray,
    share_expect: FloatArray,
    tolerance: float,
    realised: RealisedValues,
    start_sums: FloatArray,
    start_counts: IntArray,
    offset: FloatArray,
    added: FloatArray,
    moves: CodeArray,
) -> None:
    """Walk along the upper envelope of every case's lines, from the far left to the far right.

    Parameters
    ----------
    probabilities : array (levels, n)
    expect, mass : arrays
        Of ``Family``; ``share_expect`` of its ``Shares``, or empty.
    tolerance : float
        Lines that are no further apart at offset 0 meet there.
    realised : Brought
        What decisions bring in the cases.
    start_sums : array (chunks, 2)
        Filled: the total at the far left, at offset 0 and per unit.
    start_counts : array (chunks, decisions)
        Filled: cases with each decision at the far left.
    offset : array (n, decisions - 1)
        Filled: where the case changes its decision; inf where it does so no more.
    added : array (n, decisions - 1, 2)
        Filled: what the change adds to the total.
    moves : array (n, decisions - 1, 2)
        Filled: the decisions before and after.
    """
    outcome, frequency, amounts = realised.outcome, realised.frequency, realised.amounts
    costs, cost_rows = realised.costs, realised.cost_rows
    real, weight, share_real = realised.real, realised.weight, realised.share_real
    cases, decisions = outcome.shape[0], expect.shape[2]
    for chunk in prange(start_sums.shape[0]):
        lines, worth = np.empty((2, decisions)), np.empty((2, decisions))
        value, slope = 0.0, 0.0
        start_counts[chunk] = 0
        for case in range(chunk * CHUNK_ROWS, min(cases, (chunk + 1) * CHUNK_ROWS)):
            _fill_lines(
                probabilities, costs, cost_rows, amounts, expect, mass, share_expect, case, lines
            )
            _fill_worth(
                outcome, frequency, costs, cost_rows, amounts, real, weight, share_real, case, worth
            )
            current = far_left(lines, tolerance)
            start_counts[chunk, current] += 1
            value += worth[0, current]
            slope += worth[1, current]
            for step in range(decisions - 1):
                meeting, following = np.inf, -1
                if current >= 0:
                    meeting, following = next_meeting(lines, tolerance, current)
                offset[case, step] = meeting
                if following >= 0:
                    moves[case, step, 0], moves[case, step, 1] = current, following
                    added[case, step, 0] = worth[0, following] - worth[0, current]
                    added[case, step, 1] = worth[1, following] - worth[1, current]
                current = following
        start_sums[chunk, 0], start_sums[chunk, 1] = value, slope


@own_kernel
def sum_kept(
    decision: IntArray,
    realised: RealisedValues,
    sums: FloatArray,
) -> None:
    """The total with the decisions given, at offset 0 and per unit, for each chunk: (chunks, 2).

    Parameters as of ``find_switches``, and ``decision`` (n,).
    """
    outcome, frequency, amounts = realised.outcome, realised.frequency, realised.amounts
    costs, cost_rows = realised.costs, realised.cost_rows
    real, weight, share_real = realised.real, realised.weight, realised.share_real
    sums[:] = 0.0
    worth = np.empty((2, real.shape[2]))
    for case in range(decision.shape[0]):
        _fill_worth(
            outcome, frequency, costs, cost_rows, amounts, real, weight, share_real, case, worth
        )
        sums[case // CHUNK_ROWS, 0] += worth[0, decision[case]]
        sums[case // CHUNK_ROWS, 1] += worth[1, decision[case]]


@own_kernel
def snap_near(order: OrderArray, offset: FloatArray, unit: float) -> None:
    """Let switches that differ by rounding alone happen at one place: at 0 where one of them does.

    ``order`` (m,) by rising ``offset`` (switches,); ``unit`` is the size of the number that moves.
    """
    first = 0
    while first < order.shape[0] and offset[order[first]] < np.inf:
        here = offset[order[first]]
        near = NEAR * (unit + abs(here))
        last, place = first, here
        while last < order.shape[0] and offset[order[last]] - here <= near:
            if offset[order[last]] == 0.0:
                place = 0.0
            last += 1
        for switch in range(first, last):
            offset[order[switch]] = place
        first = last


@own_kernel
def add_up(
    order: OrderArray,
    offset: FloatArray,
    added: FloatArray,
    start: FloatArray,
    knots: FloatArray,
    intercept: FloatArray,
    slope: FloatArray,
) -> int:
    """The total between switches: the number of different offsets.

    Parameters
    ----------
    order : array (m,)
        Switches by rising offset, those that do not happen (inf) last.
    offset : array (switches,)
    added : array (switches, 2)
    start : array (2,)
        The total at the far left.
    knots : array (m,)
        Filled; ``intercept`` and ``slope`` (m + 1,) are of the pieces between them.
    """
    sums, lost, pieces = start.copy(), np.zeros(2), 0
    intercept[0], slope[0] = start[0], start[1]
    for place in range(order.shape[0]):
        switch = order[place]
        here = offset[switch]
        if here == np.inf:
            break
        for part in range(2):  # what rounding takes is kept apart (Neumaier 1974)
            before, more = sums[part], added[switch, part]
            after = before + more
            if abs(before) >= abs(more):
                lost[part] += (before - after) + more
            else:
                lost[part] += (more - after) + before
            sums[part] = after
        if place + 1 == order.shape[0] or offset[order[place + 1]] != here:
            knots[pieces] = here
            pieces += 1
            intercept[pieces], slope[pieces] = sums[0] + lost[0], sums[1] + lost[1]
    return pieces


@own_kernel
def find_flips(
    order: OrderArray,
    offset: FloatArray,
    moves: CodeArray,
    start_counts: IntArray,
    is_used: IntArray,
    flips: FloatArray,
) -> None:
    """Where, next to offset 0 on either side, a decision comes into use or falls out of it.

    Parameters
    ----------
    order, offset, moves
        As of ``add_up`` and ``find_switches``.
    start_counts : array (decisions,)
        Cases with each decision at the far left.
    is_used : array (decisions,)
        1 where a decision is given to some case now.
    flips : array (2, 2)
        Filled: offset (at most 0, and at least 0) and decision; NaN where there is none.
    """
    counts, flips[:] = start_counts.copy(), np.nan
    flat_offset, flat_moves = offset.ravel(), moves.reshape(-1, 2)
    below = -np.inf
    for place in range(order.shape[0] + 1):
        above = np.inf if place == order.shape[0] else flat_offset[order[place]]
        if above > below:  # a piece between equal switches has no width: it says nothing
            for decision in range(counts.shape[0]):
                if (counts[decision] > 0) == (is_used[decision] > 0):
                    continue
                if below < 0.0:
                    flips[0, 0], flips[0, 1] = min(above, 0.0), decision
                if above > 0.0:
                    flips[1, 0], flips[1, 1] = max(below, 0.0), decision
                break
        if above == np.inf or not np.isnan(flips[1, 0]):
            break
        before, after = flat_moves[order[place], 0], flat_moves[order[place], 1]
        counts[before] -= 1
        counts[after] += 1
        below = above


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SwitchingCases:
    """The rows that count in totals, for one model.

    Attributes
    ----------
    probabilities : array (levels, n)
        As they stand in the file.
    outcome : array (n,)
    frequency : array (n,)
    costs : mapping of decision to array (n,)
    amounts : array (n,) or None
        Where cells are shares of an amount.
    """

    probabilities: FloatArray
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
        probabilities=np.ascontiguousarray(model.posteriors[:, chosen]),
        outcome=problem.outcome[chosen],
        frequency=frequency,
        costs={decision: column[chosen] for decision, column in problem.cost_columns.items()},
        amounts=None if problem.amounts is None else problem.amounts.values[chosen],
    )


def in_order(cases: SwitchingCases, order: OrderArray) -> SwitchingCases:
    """The same cases in another order."""
    place = order.astype(np.int64)  # once for all columns, and not by each of them
    probabilities = np.empty_like(cases.probabilities)
    for level, column in enumerate(cases.probabilities):
        np.take(column, place, out=probabilities[level], mode="clip")
    return SwitchingCases(
        probabilities=probabilities,
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
        cases.probabilities,
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


ROUNDING = 2.0**-40
"""Share of all that is added up to two totals below which their difference is rounding."""
OTHER, BEATEN, ZERO = 0, 1, 2
"""What is looked for: another leader, the fixed line, zero."""
EVENTS = 3


@own_kernel
def _less(value: float, other: float, rounding: float) -> float:
    """A difference of sums, 0 where nothing but rounding is left."""
    gap = value - other
    return 0.0 if abs(gap) <= rounding else gap


@own_kernel
def _at(height: float, turn: float, place: float, rounding: FloatArray) -> float:
    """The value of a line, also at infinity; 0 where nothing but rounding is left."""
    if turn == 0.0:
        return height
    value = height + turn * place
    return 0.0 if abs(value) <= rounding[0] + rounding[1] * place < np.inf else value


@own_kernel
def _leads(gap: float, turn: float, low: float, high: float, rounding: FloatArray) -> bool:
    """Whether a line whose difference to another is given is above it just beyond ``low``."""
    root = -gap / turn if turn != 0.0 else np.inf
    end = root if low < root < high else high
    middle = 0.5 * (low + end) if end < np.inf else low + 1.0 + abs(low)
    if _at(gap, turn, low, rounding) == 0.0:  # the root is here, whatever rounding made of it
        return turn > 0.0
    return _at(gap, turn, middle, rounding) > 0.0


@own_kernel(inline=True)
def _is_safe(
    lines: FloatArray, count: int, top: int, low: float, high: float, rounding: FloatArray
) -> bool:
    """Whether a line is the highest everywhere between two places: it is at both."""
    height, turn = lines[top, 0], lines[top, 1]
    for other in range(count):
        gap = _less(lines[other, 0], height, rounding[0])
        slant = _less(lines[other, 1], turn, rounding[1])
        if _at(gap, slant, low, rounding) > 0.0 or _at(gap, slant, high, rounding) > 0.0:
            return False
    return True


@own_kernel
def _leader(
    lines: FloatArray, count: int, present: int, low: float, high: float, rounding: FloatArray
) -> int:
    """The highest line just beyond ``low``; of equal ones the present, then the first."""
    best = present
    for other in range(count):
        if other != best:
            gap = _less(lines[other, 0], lines[best, 0], rounding[0])
            turn = _less(lines[other, 1], lines[best, 1], rounding[1])
            if _leads(gap, turn, low, high, rounding):
                best = other
    return best


@own_kernel
def _end_of_lead(
    lines: FloatArray, count: int, best: int, low: float, high: float, rounding: FloatArray
) -> float:
    """Where another line first rises above the best one."""
    end = high
    for other in range(count):
        turn = _less(lines[other, 1], lines[best, 1], rounding[1])
        if other != best and turn > 0.0:
            gap = _less(lines[other, 0], lines[best, 0], rounding[0])
            root = -gap / turn
            if low < root < end and _at(gap, turn, low, rounding) != 0.0:
                end = root
    return end


@own_kernel
def _note_turn(
    gap: float,
    turn: float,
    low: float,
    high: float,
    is_above: bool,
    event: int,
    rounding: FloatArray,
    found: FloatArray,
) -> None:
    """Note where between two places a difference leaves its present side of zero."""
    at_low, at_high = _at(gap, turn, low, rounding), _at(gap, turn, high, rounding)
    begins_at_zero = at_low == 0.0 and turn <= 0.0  # one that rises from there is above it
    if at_low < 0.0 or begins_at_zero if is_above else at_low > 0.0:
        found[event, 0], found[event, 1] = low, 1.0
    elif at_high <= 0.0 if is_above else at_high > 0.0:
        found[event, 0], found[event, 1] = min(max(-gap / turn, low), high), 0.0


@own_kernel(inline=True)
def _enter(
    knots: FloatArray,
    pieces: IntArray,
    intercept: FloatArray,
    slope: FloatArray,
    line: int,
    piece: int,
    is_down: bool,
    lines: FloatArray,
) -> float:
    """Take a piece of a line as seen in the direction of the walk; where it ends."""
    lines[line, 0] = intercept[line, piece]
    lines[line, 1] = -slope[line, piece] if is_down else slope[line, piece]
    if is_down:
        return -knots[line, piece - 1] if piece > 0 else np.inf
    return knots[line, piece] if piece < pieces[line] else np.inf


@own_kernel
def _judge(
    lines: FloatArray,
    fixed: int,
    present: int,
    best: int,
    low: float,
    high: float,
    is_ahead: bool,
    is_above: bool,
    rounding: FloatArray,
    found: FloatArray,
) -> bool:
    """Note what happens while one line leads; whether all that is looked for has been found."""
    if best != present and np.isnan(found[OTHER, 0]):
        found[OTHER, 0], found[OTHER, 1] = low, best
    if np.isnan(found[BEATEN, 0]):
        gap = _less(lines[best, 0], lines[fixed, 0], rounding[0])
        turn = _less(lines[best, 1], lines[fixed, 1], rounding[1])
        _note_turn(gap, turn, low, high, is_ahead, BEATEN, rounding, found)
    if np.isnan(found[ZERO, 0]):
        gap, turn = _less(lines[best, 0], 0.0, rounding[0]), _less(lines[best, 1], 0.0, rounding[1])
        _note_turn(gap, turn, low, high, is_above, ZERO, rounding, found)
    is_open = np.isnan(found[OTHER, 0]) or np.isnan(found[BEATEN, 0]) or np.isnan(found[ZERO, 0])
    return not is_open


@own_kernel
def walk_outwards(
    knots: FloatArray,
    pieces: IntArray,
    intercept: FloatArray,
    slope: FloatArray,
    present: int,
    is_ahead: bool,
    is_above: bool,
    is_down: bool,
    limit: float,
    rounding: FloatArray,
    found: FloatArray,
) -> None:
    """Walk from offset 0 to one side along the highest of some lines.

    Parameters
    ----------
    knots : array (lines + 1, k)
        Rising; ``pieces`` (lines + 1,) says how many of a row count. The last line is fixed.
    intercept, slope : array (lines + 1, k + 1)
        Of the pieces between knots.
    present : int
        The line that leads now.
    is_ahead, is_above : bool
        Whether the lead is above the fixed line, and above zero, now.
    is_down : bool
        The side.
    limit : float
        How far to walk; what happens there, or as near to it as numbers can tell, counts.
    rounding : array (3,)
        What may be rounding in a total: in its intercept, and in its slope; and the size of the
        number that moves, by which knots of different lines may differ and still be one place.
    found : array (3, 2)
        Filled, for each event: the distance, and who leads then, or 1 where the lead jumps; NaN
        where it does not happen.
    """
    found[:] = np.nan
    count = knots.shape[0] - 1
    place, ends = np.empty(count + 1, dtype=np.int64), np.empty(count + 1)
    lines = np.empty((count + 1, 2))
    for line in range(count + 1):
        own = knots[line, : pieces[line]]
        place[line] = np.searchsorted(own, 0.0) if is_down else np.searchsorted(own, 0.0, "right")
        ends[line] = _enter(knots, pieces, intercept, slope, line, place[line], is_down, lines)
    low, high, best, is_done = 0.0, 0.0, present, False
    reach = limit * (1.0 + 1e-12)
    while not is_done and high < np.inf and low <= reach:
        high = np.inf
        for line in range(count + 1):
            high = min(high, ends[line])
        while low < high and not is_done:
            end = high
            if not _is_safe(lines, count, best, low, high, rounding):
                best = _leader(lines, count, present, low, high, rounding)
                end = _end_of_lead(lines, count, best, low, high, rounding)
            is_done = _judge(
                lines, count, present, best, low, end, is_ahead, is_above, rounding, found
            )
            low = end
        for line in range(count + 1):
            while ends[line] <= high + NEAR * (rounding[2] + high) < np.inf:
                place[line] += -1 if is_down else 1
                ends[line] = _enter(
                    knots, pieces, intercept, slope, line, place[line], is_down, lines
                )
    for event in range(EVENTS):
        if found[event, 0] > reach:
            found[event] = np.nan
        else:
            found[event, 0] = min(found[event, 0], limit)
