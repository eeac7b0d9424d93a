"""The kernel behind break-even: from the present value outwards along several lines at once.

The highest of the lines is followed piece by piece, and never written down: what is asked is only
where another line takes the lead, and where the lead meets a fixed line or zero.
"""

from __future__ import annotations

import numpy as np

from core.kernels import own_kernel
from payoff.types import FloatArray, IntArray

ROUNDING = 1e-12
"""Share of two sums below which their difference is taken for rounding."""
OTHER, BEATEN, ZERO = 0, 1, 2
"""What is looked for: another leader, the fixed line, zero."""
EVENTS = 3


@own_kernel
def _less(value: float, other: float) -> float:
    """A difference of sums, 0 where nothing but rounding is left."""
    gap = value - other
    return 0.0 if abs(gap) <= ROUNDING * (abs(value) + abs(other)) else gap


@own_kernel
def _at(height: float, turn: float, place: float) -> float:
    """The value of a line, also at infinity."""
    return height if turn == 0.0 else height + turn * place


@own_kernel
def _leads(gap: float, turn: float, low: float, high: float) -> bool:
    """Whether a line whose difference to another is given is above it just beyond ``low``."""
    root = -gap / turn if turn != 0.0 else np.inf
    end = root if low < root < high else high
    middle = 0.5 * (low + end) if end < np.inf else low + 1.0 + abs(low)
    return _at(gap, turn, middle) > 0.0


@own_kernel(inline=True)
def _is_safe(lines: FloatArray, count: int, top: int, low: float, high: float) -> bool:
    """Whether a line is the highest everywhere between two places: it is at both."""
    height, turn = lines[top, 0], lines[top, 1]
    for other in range(count):
        gap, slant = _less(lines[other, 0], height), _less(lines[other, 1], turn)
        if gap + slant * low > 0.0 or _at(gap, slant, high) > 0.0:
            return False
    return True


@own_kernel
def _leader(lines: FloatArray, count: int, present: int, low: float, high: float) -> int:
    """The highest line just beyond ``low``; of equal ones the present, then the first."""
    best = present
    for other in range(count):
        if other != best:
            gap = _less(lines[other, 0], lines[best, 0])
            turn = _less(lines[other, 1], lines[best, 1])
            if _leads(gap, turn, low, high):
                best = other
    return best


@own_kernel
def _end_of_lead(lines: FloatArray, count: int, best: int, low: float, high: float) -> float:
    """Where another line first rises above the best one."""
    end = high
    for other in range(count):
        turn = _less(lines[other, 1], lines[best, 1])
        if other != best and turn > 0.0:
            root = -_less(lines[other, 0], lines[best, 0]) / turn
            if low < root < end:
                end = root
    return end


@own_kernel
def _note_turn(
    gap: float, turn: float, low: float, high: float, is_above: bool, event: int, found: FloatArray
) -> None:
    """Note where between two places a difference leaves its present side of zero."""
    at_low, at_high = gap + turn * low, _at(gap, turn, high)
    if at_low <= 0.0 if is_above else at_low > 0.0:
        found[event, 0], found[event, 1] = low, 1.0
    elif at_high <= 0.0 if is_above else at_high > 0.0:
        found[event, 0], found[event, 1] = -gap / turn, 0.0


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
    found: FloatArray,
) -> bool:
    """Note what happens while one line leads; whether all that is looked for has been found."""
    if best != present and np.isnan(found[OTHER, 0]):
        found[OTHER, 0], found[OTHER, 1] = low, best
    if np.isnan(found[BEATEN, 0]):
        gap, turn = _less(lines[best, 0], lines[fixed, 0]), _less(lines[best, 1], lines[fixed, 1])
        _note_turn(gap, turn, low, high, is_ahead, BEATEN, found)
    if np.isnan(found[ZERO, 0]):
        _note_turn(lines[best, 0], lines[best, 1], low, high, is_above, ZERO, found)
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
        How far to walk.
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
    while not is_done and high < np.inf and low <= limit:
        high = np.inf
        for line in range(count + 1):
            high = min(high, ends[line])
        while low < high and not is_done:
            end = high
            if not _is_safe(lines, count, best, low, high):
                best = _leader(lines, count, present, low, high)
                end = _end_of_lead(lines, count, best, low, high)
            is_done = _judge(lines, count, present, best, low, end, is_ahead, is_above, found)
            low = end
        for line in range(count + 1):
            while ends[line] <= high < np.inf:
                place[line] += -1 if is_down else 1
                ends[line] = _enter(
                    knots, pieces, intercept, slope, line, place[line], is_down, lines
                )
    for event in range(EVENTS):
        if found[event, 0] > limit:
            found[event] = np.nan
