"""The kernel behind break-even: from the present value outwards along several lines at once.

The highest of the lines is followed piece by piece, and never written down: what is asked is only
where another line takes the lead, and where the lead meets a fixed line or zero.
"""

from __future__ import annotations

import numpy as np

from core.decisions.sensitivity.switch_kernels import NEAR
from core.kernels import own_kernel
from payoff.types import FloatArray, IntArray

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
