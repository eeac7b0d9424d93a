"""Totals as functions of one number: straight pieces with jumps where cases change their decision.

A realised total jumps where a case switches: at that value its expected consequences are equal, but
what it brings in fact is not. Every value is an offset from the present one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from payoff.types import FloatArray, IntArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ProfitLine:
    """Piece j lies between ``knots[j - 1]`` and ``knots[j]``: intercept[j] + slope[j] * s.

    ``who`` numbers what each piece belongs to (after ``upper``: which of the lines is on top).
    """

    knots: FloatArray  # (k,) rising
    intercept: FloatArray  # (k + 1,)
    slope: FloatArray  # (k + 1,)
    who: IntArray  # (k + 1,)

    def after(self, offset: float, near: float = 0.0) -> float:
        """The value just above an offset, and above knots that are as ``near`` to it."""
        piece = int(np.searchsorted(self.knots, offset + near, side="right"))
        return float(self.intercept[piece] + self.slope[piece] * offset)

    def before(self, offset: float, near: float = 0.0) -> float:
        """The value just below an offset, and below knots that are as ``near`` to it."""
        piece = int(np.searchsorted(self.knots, offset - near, side="left"))
        return float(self.intercept[piece] + self.slope[piece] * offset)

    def who_after(self, offset: float) -> int:
        """Whose piece begins or goes on just above an offset."""
        return int(self.who[np.searchsorted(self.knots, offset, side="right")])

    def who_before(self, offset: float) -> int:
        """Whose piece ends or goes on just below an offset."""
        return int(self.who[np.searchsorted(self.knots, offset, side="left")])


def straight(intercept: float, slope: float, who: int = 0) -> ProfitLine:
    """A line without knots: decisions that are kept, or the same decision for all."""
    return ProfitLine(
        knots=np.empty(0),
        intercept=np.array([intercept]),
        slope=np.array([slope]),
        who=np.array([who], dtype=np.int64),
    )


def _pieces(line: ProfitLine, knots: FloatArray) -> IntArray:
    """Number of the line's piece in each interval between finer knots."""
    first = np.searchsorted(line.knots, knots, side="left")
    return np.append(first, line.knots.shape[0])


def _merged(first: ProfitLine, second: ProfitLine) -> FloatArray:
    if not second.knots.shape[0]:
        return first.knots
    if not first.knots.shape[0]:
        return second.knots
    joined = np.sort(np.concatenate([first.knots, second.knots]), kind="stable")
    is_new = np.ones(joined.shape[0], dtype=bool)
    is_new[1:] = joined[1:] != joined[:-1]
    return joined[is_new]


def _difference(values: FloatArray, less: FloatArray, rounding: float) -> FloatArray:
    """A difference of sums, 0 where nothing but rounding is left."""
    gap = values - less
    return np.asarray(np.where(np.abs(gap) <= rounding, 0.0, gap))


def upper(
    first: ProfitLine, second: ProfitLine, rounding: tuple[float, float] = (0.0, 0.0)
) -> ProfitLine:
    """The higher of two lines; the first where they are equal but for rounding of both sums."""
    knots = _merged(first, second)
    mine, its = _pieces(first, knots), _pieces(second, knots)
    gap = _difference(second.intercept[its], first.intercept[mine], rounding[0])
    turn = _difference(second.slope[its], first.slope[mine], rounding[1])
    with np.errstate(divide="ignore", invalid="ignore"):
        root = np.where(turn != 0, -gap / turn, np.nan)
    edges = np.concatenate([[-np.inf], knots, [np.inf]])
    is_inside = (root > edges[:-1]) & (root < edges[1:])
    finer = np.sort(np.concatenate([knots, root[is_inside]]), kind="stable")
    piece = np.append(np.searchsorted(knots, finer, side="left"), knots.shape[0])
    # Each finer piece lies on one side of its root: its middle says who is on top.
    ends = np.concatenate([[-np.inf], finer, [np.inf]])
    middle = _middles(ends)
    is_second = gap[piece] + turn[piece] * middle > 0
    mine, its = mine[piece], its[piece]
    return ProfitLine(
        knots=finer,
        intercept=np.where(is_second, second.intercept[its], first.intercept[mine]),
        slope=np.where(is_second, second.slope[its], first.slope[mine]),
        who=np.where(is_second, second.who[its], first.who[mine]),
    )


def _middles(ends: FloatArray) -> FloatArray:
    """A point inside each interval; one unit beyond the last finite end where there is none."""
    low, high = ends[:-1], ends[1:]
    with np.errstate(invalid="ignore"):
        middle = (low + high) / 2.0
    reach = 1.0 + np.abs(np.where(np.isfinite(low), low, np.where(np.isfinite(high), high, 0.0)))
    middle = np.where(np.isfinite(low) & ~np.isfinite(high), low + reach, middle)
    middle = np.where(~np.isfinite(low) & np.isfinite(high), high - reach, middle)
    return np.asarray(np.where(np.isnan(middle), 0.0, middle))
