"""Goal seek: the value of each number, nearest to the present one, that brings a wanted total.

Break-even turned round. With decisions made again the realised total of a rule is a straight line
between the values at which cases change their decision, and jumps there. So on every piece what is
wanted is one division away; where the total jumps past it, the near end of the next piece brings at
least as much. What is found is put into the problem and its total worked out anew before it counts.
"""

from __future__ import annotations

import heapq
import math
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from core.decisions.passes.cases import decide_cases
from core.decisions.problem import DecisionProblem, ModelScores
from core.decisions.sensitivity.break_even import (
    PresentTotals,
    Rounding,
    counted_places,
    in_probability_order,
    put_models,
    rounding_of,
    stand,
    switch_workspace,
)
from core.decisions.sensitivity.changes import Change, Progress, changes_of, class_weights, moved
from core.decisions.sensitivity.profit_lines import ProfitLine
from core.decisions.sensitivity.switches import ROUNDING
from core.document.results import RowsNote
from core.document.studies.moving_numbers import GoalRow, GoalSeekResult
from payoff.errors import PayoffError
from payoff.types import BoolArray, FloatArray

EXACT = 1e-9
"""Share of the wanted total by which another may differ from it and still be it."""

INSIDE = (2.0**-30, 2.0**-20, 1.0)
"""How far into a piece to go where the total jumps, in sizes of the number: ties end at once."""

TRIES = 12
"""Pieces that are tried on either side: rounding may undo what a piece of no width promises."""


def goal_values(
    problem: DecisionProblem,
    models: tuple[ModelScores, ...],
    wanted: float,
    *,
    changes: tuple[Change, ...] | None = None,
    reference: str | None = None,
    rows: RowsNote | None = None,
    progress: Progress | None = None,
) -> GoalSeekResult:
    """For every number: the nearest value at which one model's rule brings a wanted total.

    Parameters
    ----------
    problem : DecisionProblem
        With an outcome.
    models : tuple of ModelScores
        The rows count that count for all of them, as everywhere.
    wanted : float
        A total, as profit. More than now: at least as much; less than now: at most.
    changes : tuple of Change, optional
        Numbers that may move; left out = every cell, constant cost and the event's prior.
    reference : str, optional
        The model whose rule is meant; left out = the first.
    rows : RowsNote, optional
    progress : callable, optional
        Told the share that is done and what is looked at; may raise to stop.

    Raises
    ------
    PayoffError
        Without an outcome, a model or a row that counts, or where totals are missing.
    """
    started = time.perf_counter()
    present = stand(problem, models)
    place = [model.name for model in models].index(reference) if reference else 0
    alone = _alone(present, place)
    ordered, seek = in_probability_order(alone), _Search(standing=alone, wanted=wanted)
    workspace = switch_workspace(ordered, False)
    numbers = changes_of(problem) if changes is None else changes
    found = []
    for count, change in enumerate(numbers):
        if progress is not None:
            progress(count / len(numbers), change.name)
        rounding = rounding_of(ordered, change)
        put_models(ordered, change, 0, workspace, rounding.unit)
        found.append(seek.row(change, workspace.table.line(0), rounding))
    note = rows or RowsNote(use="all", text="", rows=present.rows.rows)
    return GoalSeekResult(
        rows=replace(note, rows=present.rows.rows),
        model=models[place].name,
        total=seek.now,
        wanted=wanted,
        perfect=present.perfect,
        share=seek.share,
        numbers=tuple(found),
        seconds=time.perf_counter() - started,
    )


def _alone(present: PresentTotals, place: int) -> PresentTotals:
    """One model of several, on the rows that count for all of them."""
    here = slice(place, place + 1)
    return replace(
        present,
        models=present.models[here],
        cases=present.cases[here],
        decisions=present.decisions[here],
        totals=present.totals[here],
    )


class _Place(NamedTuple):
    """Where a total comes to what is wanted: at an offset, or from there on through a piece."""

    distance: float
    is_down: bool
    width: float  # of the piece that begins there; 0 where the offset itself is meant

    def offsets(self, unit: float) -> Iterator[float]:
        """The offsets to try, the nearest first."""
        for step in sorted({min(part * unit, self.width / 2.0) for part in INSIDE}):
            far = self.distance + step
            yield -far if self.is_down else far


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Search:
    """One model's rule, and the total that is wanted of it."""

    standing: PresentTotals  # of this model alone
    wanted: float

    @property
    def now(self) -> float:
        """The present total."""
        return float(self.standing.totals[0])

    @property
    def slack(self) -> float:
        """By how much a total may miss what is wanted."""
        return max(EXACT * abs(self.wanted), ROUNDING * self.standing.size)

    @property
    def sense(self) -> float:
        """1 where more than now is wanted, -1 where less."""
        return 1.0 if self.wanted >= self.now else -1.0

    @property
    def share(self) -> float:
        """Of what perfect foresight would add, the part that is wanted; NaN where less is wanted.

        Infinite where foresight would add nothing.
        """
        if self.wanted <= self.now + self.slack:
            return math.nan
        gap = self.standing.perfect - self.now
        return (self.wanted - self.now) / gap if gap > self.slack else math.inf

    def reaches(self, total: float) -> bool:
        """Whether a total is what is wanted, or beyond it as seen from now."""
        return self.sense * (total - self.wanted) >= -self.slack

    def row(self, change: Change, line: ProfitLine, rounding: Rounding) -> GoalRow:
        """The nearest value of a number whose total, worked out anew, is what is wanted."""
        if abs(self.now - self.wanted) <= self.slack:
            return self._made(change, change.now, self.now)
        level = np.where(np.abs(line.slope) <= rounding.slope, 0.0, line.slope)
        line = replace(line, slope=level)  # what rounding leaves of a slope leads nowhere
        sides = [self._side(change, line, is_down) for is_down in (True, False)]
        for place in heapq.merge(*(side.places for side in sides)):
            for offset in place.offsets(rounding.unit):
                value = min(max(change.now + offset, change.low), change.high)
                total = self._total_at(change, value)
                if self.reaches(total):
                    return self._made(change, value, total)
        nearest = max(self.sense * side.reach for side in sides)
        return self._made(change, math.nan, self.sense * nearest)

    def _made(self, change: Change, value: float, total: float) -> GoalRow:
        return GoalRow(
            number=change.number,
            name=change.name,
            unit=change.unit,
            now=change.now,
            value=value,
            total=total,
            is_exact=abs(total - self.wanted) <= self.slack,
        )

    def _side(self, change: Change, line: ProfitLine, is_down: bool) -> _Side:
        """What lies on one side of the present value, from there outwards."""
        room = change.now - change.low if is_down else change.high - change.now
        pieces = _pieces_outwards(line, is_down)
        starts, ends = pieces.starts, np.minimum(pieces.ends, room)
        is_there = starts < ends
        starts, ends, height, turn = (
            part[is_there] for part in (starts, ends, pieces.height, pieces.turn)
        )
        if not starts.shape[0]:
            return _Side([], self.now)
        is_past = self.sense * (height + turn * starts - self.wanted) >= -self.slack
        distance = _roots(height, turn, starts, ends, self.wanted)
        distance[is_past] = starts[is_past]
        chosen = np.flatnonzero(np.isfinite(distance))[:TRIES]
        width = np.where(is_past, ends - starts, 0.0)
        places = [_Place(float(distance[at]), is_down, float(width[at])) for at in chosen]
        return _Side(places, _reach(height, turn, starts, ends, self.sense))

    def _total_at(self, change: Change, value: float) -> float:
        """The total with the number at a value; NaN where it cannot have it."""
        own, model = self.standing.cases[0], self.standing.models[0]
        try:
            there = moved(self.standing.problem, change, value)
            weights = class_weights(there, self.standing.class_cases)
            computed = decide_cases(there, model).computed
        except PayoffError:
            return math.nan
        chosen = counted_places(self.standing.rows)
        realised = computed if chosen is None else computed[chosen]
        return float(np.sum(weights[own.outcome] * own.frequency * realised))


class _Side(NamedTuple):
    """Where to try on one side, and the total there that is nearest to what is wanted."""

    places: list[_Place]
    reach: float


class _Pieces(NamedTuple):
    """Straight pieces of a total from the present value outwards, by the distance from it."""

    starts: FloatArray
    ends: FloatArray
    height: FloatArray  # of the line at distance 0
    turn: FloatArray


def _pieces_outwards(line: ProfitLine, is_down: bool) -> _Pieces:
    """The pieces on one side of offset 0; what changes at 0 itself lies behind."""
    if is_down:
        first = int(np.searchsorted(line.knots, 0.0, side="left"))
        knots, piece = -line.knots[:first][::-1], np.arange(first, -1, -1)
    else:
        first = int(np.searchsorted(line.knots, 0.0, side="right"))
        knots, piece = line.knots[first:], np.arange(first, line.knots.shape[0] + 1)
    return _Pieces(
        starts=np.concatenate([[0.0], knots]),
        ends=np.concatenate([knots, [np.inf]]),
        height=line.intercept[piece],
        turn=-line.slope[piece] if is_down else line.slope[piece],
    )


def _roots(
    height: FloatArray, turn: FloatArray, starts: FloatArray, ends: FloatArray, wanted: float
) -> FloatArray:
    """Where each piece comes to a total; inf where it does not."""
    with np.errstate(divide="ignore", invalid="ignore"):
        root = (wanted - height) / turn
        is_inside: BoolArray = np.isfinite(root) & (root >= starts) & (root <= ends)
    return np.asarray(np.where(is_inside, root, np.inf))


def _reach(
    height: FloatArray, turn: FloatArray, starts: FloatArray, ends: FloatArray, sense: float
) -> float:
    """The highest total of some pieces, or the lowest."""
    with np.errstate(invalid="ignore"):
        far = np.where(turn == 0.0, height, height + turn * ends)
    best = np.maximum(sense * (height + turn * starts), sense * far)
    return sense * float(best.max())


__all__ = ["EXACT", "goal_values"]
