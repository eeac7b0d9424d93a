"""The winner map: the best model or constant rule at every setting of two numbers.

Two classes with costs that are the same for all cases: exact, from prefix sums. Otherwise on a
stratified part of the cases, coarse to fine: the map is refined where winners differ, profits in
between are interpolated, and what that costs in accuracy is measured and said.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from core.decisions.passes.workspace import DecisionWorkspace
from core.decisions.problem import DecisionProblem, ModelScores
from core.decisions.sensitivity.break_even import PresentTotals, stand
from core.decisions.sensitivity.changes import (
    PARAMETER,
    Change,
    MovingNumbers,
    Progress,
    default_range,
    tried_number,
)
from core.decisions.sensitivity.map_totals import (
    NumberSettings,
    Part,
    SampledTotals,
    draw_part,
    number_settings,
    prefix_totals,
    sums_by_probability,
)
from core.decisions.sensitivity.switches import ROUNDING
from core.decisions.ties import first_best
from core.document.results import RowsNote
from core.document.studies.moving_numbers import MapAxis, TriedNumber, WinnerMapResult
from core.inference.normal import normal_reach
from core.questions.decide import WinnerMap
from core.questions.lanes import Watch
from payoff.errors import PayoffError
from payoff.types import FloatArray, IntArray

EXACT_STEPS, COARSE_STEPS = 200, 101
STRIDE = 5  # a coarse point for so many fine ones
PART = 10_000
BATCH = 400  # points worked out between two looks at progress and Stop
CHECKS = 60
_SEED = 20261


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class NumberAxis:
    """A number and the values at which it is tried."""

    change: Change
    values: FloatArray

    def tried(self, problem: DecisionProblem) -> TriedNumber:
        """Return the number with the range that the axis has."""
        low, high = float(self.values[0]), float(self.values[-1])
        return replace(tried_number(self.change, problem), low=low, high=high)


def map_of_numbers(inputs: MovingNumbers, question: WinnerMap, watch: Watch) -> WinnerMapResult:
    """Which model or constant rule wins at every setting of two numbers.

    Parameters
    ----------
    inputs : MovingNumbers
    question : WinnerMap
        An axis left out is the first number that says something.
    watch : Watch
    """
    problem = inputs.problem
    steps = question.steps or _quick_steps(problem)
    axes = [_axis(axis, inputs, steps) for axis in _chosen(question, inputs)]
    found = winner_map(problem, inputs.models, axes[0], axes[1], progress=watch.progress)
    return replace(
        found,
        rows=replace(inputs.rows or found.rows, rows=found.rows.rows),
        numbers=tuple(tried_number(change, problem) for change in inputs.changes),
        warnings=inputs.warnings,
    )


def _quick_steps(problem: DecisionProblem) -> int:
    has_own = bool(problem.cost_columns) or problem.has_amounts
    return EXACT_STEPS if len(problem.levels) == 2 and not has_own else COARSE_STEPS


def _chosen(question: WinnerMap, inputs: MovingNumbers) -> tuple[MapAxis, MapAxis]:
    """The axes asked for; those left out are the first numbers that say something."""
    acting = inputs.problem.decisions[inputs.problem.acting_index]
    free = sorted(  # parameters first, then what acting brings, then the rest
        inputs.changes, key=lambda change: (change.kind != PARAMETER, change.decision != acting)
    )
    taken = [axis.number for axis in (question.x, question.y) if axis is not None]
    found = []
    for axis in (question.x, question.y):
        if axis is not None:
            found.append(axis)
            continue
        change = next((entry for entry in free if entry.number not in taken), None)
        if change is None:
            raise PayoffError("There are not two numbers that may move.")
        taken.append(change.number)
        low, high = default_range(change, inputs.problem)
        found.append(MapAxis(number=change.number, low=low, high=high))
    return found[0], found[1]


def _axis(axis: MapAxis, inputs: MovingNumbers, steps: int) -> NumberAxis:
    change = next((entry for entry in inputs.changes if entry.number == axis.number), None)
    if change is None:
        named = axis.number.name or ", ".join(
            part for part in (axis.number.decision, axis.number.level) if part
        )
        named = named or axis.number.kind.value
        raise PayoffError(
            f"The number “{named}” cannot be an axis.",
            why=f"There are: {', '.join(change.name for change in inputs.changes)}.",
        )
    return axis_of(change, axis.low, axis.high, steps)


def winner_map(
    problem: DecisionProblem,
    models: tuple[ModelScores, ...],
    x: NumberAxis,
    y: NumberAxis,
    *,
    workspace: DecisionWorkspace | None = None,
    progress: Progress | None = None,
) -> WinnerMapResult:
    """Who wins where.

    Parameters
    ----------
    problem : DecisionProblem
        With an outcome.
    models : tuple of ModelScores
    x, y : Axis
        Two different numbers with rising values.
    workspace : DecisionWorkspace, optional
    progress : callable, optional
        Told the share that is done and what is looked at; may raise to stop.

    Raises
    ------
    PayoffError
        Without an outcome, a model or a row that counts; for twice the same number.
    """
    started = time.perf_counter()
    standing = stand(problem, models, workspace)
    work = _Work(standing, x, y, progress)
    if is_exact_for(standing):
        found = _exact(work)
        error, checked, missed, cases = 0.0, 0, 0, standing.rows.rows
    else:
        found, error, checked, missed, cases = _coarse_to_fine(work)
    shape = (y.values.shape[0], x.values.shape[0])
    present = np.append(standing.totals, standing.constants)[:, np.newaxis]
    now = _ranked(present, len(models), np.array([standing.size]))
    return WinnerMapResult(
        rows=RowsNote(use="all", text="", rows=standing.rows.rows),
        x=x.tried(problem),
        y=y.tried(problem),
        x_values=x.values,
        y_values=y.values,
        names=(*(model.name for model in models), *standing.constant_names),
        models=len(models),
        winner=found.winner.reshape(shape),
        second=found.second.reshape(shape),
        profit=found.profit.reshape(shape),
        margin=found.margin.reshape(shape),
        now_winner=int(now.winner[0]),
        now_profit=float(now.profit[0]),
        is_exact=error == 0.0 and checked == 0,
        cases=cases,
        error=error,
        checked=checked,
        missed=missed,
        seconds=time.perf_counter() - started,
    )


def is_exact_for(present: PresentTotals) -> bool:
    """Whether prefix sums give the map: two classes, chances that sum to 1.

    And neither a cost by case nor a share of its amount.
    """
    problem = present.problem
    if len(problem.levels) != 2 or problem.cost_columns or problem.has_amounts:
        return False
    gaps = (
        np.abs(cases.probabilities[0] + cases.probabilities[1] - 1.0).max(initial=0.0)
        for cases in present.cases
    )
    return all(gap <= 1e-12 for gap in gaps)


@dataclass(frozen=True, slots=True, eq=False)
class _Work:
    standing: PresentTotals
    x: NumberAxis
    y: NumberAxis
    progress: Progress | None

    def say(self, share: float, what: str) -> None:
        if self.progress is not None:
            self.progress(share, what)

    def settings(self, x: FloatArray, y: FloatArray) -> NumberSettings:
        return number_settings(
            self.standing.problem,
            (self.x.change, self.y.change),
            (x, y),
            self.standing.class_cases,
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Ranked:
    """Winner and second of each point, (P,)."""

    winner: IntArray
    second: IntArray
    profit: FloatArray
    margin: FloatArray


def _ranked(totals: FloatArray, models: int, size: FloatArray) -> _Ranked:
    """The best of each column of (candidates, P); a constant rule wins ties with a model.

    ``size`` (P,): all money that totals may be added up from.
    """
    order = np.roll(np.arange(totals.shape[0]), -models)  # a constant rule needs no model
    shown, every = totals[order], np.arange(totals.shape[1])
    best = first_best(shown, size * ROUNDING)
    winner = order[best]
    profit = totals[winner, every]
    shown[best, every] = -np.inf
    second = order[first_best(shown, size * ROUNDING)]
    margin = np.maximum(profit - totals[second, every], 0.0)
    return _Ranked(winner=winner, second=second, profit=profit, margin=margin)


# ---------------------------------------------------------------- exact


def _exact(work: _Work) -> _Ranked:
    """The best of every point, from the totals of all candidates there."""
    present = work.standing
    nx, ny = work.x.values.shape[0], work.y.values.shape[0]
    settings = work.settings(np.tile(work.x.values, ny), np.repeat(work.y.values, nx))
    rows = []
    for place, (model, cases) in enumerate(zip(present.models, present.cases, strict=True)):
        work.say(place / len(present.models), model.name)
        rows.append(prefix_totals(present.problem, model, sums_by_probability(cases), settings))
    totals = np.stack([*rows, *_constants(present, settings)])
    return _ranked(totals, len(present.models), present.sizes(settings))


def _constants(present: PresentTotals, settings: NumberSettings) -> list[FloatArray]:
    """Totals of the constant rules, (P,) each."""
    realised = present.class_cases[:, np.newaxis] * settings.gain - present.cost_sums
    totals = np.einsum("pl,pld->dp", settings.weight, realised)
    nothing = np.zeros(settings.weight.shape[0])
    return [*totals, nothing][: len(present.constant_names)]


# ---------------------------------------------------------------- coarse to fine


def _coarse_to_fine(work: _Work) -> tuple[_Ranked, float, int, int, int]:
    present = work.standing
    part = draw_part(present.cases, present.best, PART)
    nx, ny = work.x.values.shape[0], work.y.values.shape[0]
    canvas = _Canvas(work, part, nx, ny)
    xs, ys = _coarse_places(nx), _coarse_places(ny)
    coarse = [(i, j) for j in ys for i in xs]
    canvas.work_out(coarse, "Coarse map", (0.0, 0.5), with_error=True)
    canvas.work_out(_between(canvas, xs, ys), "Refining", (0.5, 0.95))
    canvas.fill(xs, ys)
    checked, missed = canvas.check()
    found = _Ranked(
        winner=canvas.winner.ravel(),
        second=canvas.second.ravel(),
        profit=canvas.profit.ravel(),
        margin=canvas.margin.ravel(),
    )
    return found, canvas.error, checked, missed, part.size


def _coarse_places(count: int) -> list[int]:
    places = list(range(0, count, STRIDE))
    return places if places[-1] == count - 1 else [*places, count - 1]


def _between(canvas: _Canvas, xs: list[int], ys: list[int]) -> list[tuple[int, int]]:
    """Points of the blocks whose corners differ in their winner, or where it may be lost inside."""
    wanted = set()
    for left, right in pairwise(xs):
        for low, high in pairwise(ys):
            corners = np.ix_([low, high], [left, right])
            margin, winner = canvas.margin[corners], canvas.winner[corners]
            is_near = margin.min() < margin.max() - margin.min()
            if is_near or winner.min() != winner.max():
                wanted |= {(i, j) for i in range(left, right + 1) for j in range(low, high + 1)}
    return sorted(point for point in wanted if not canvas.is_known[point[1], point[0]])


class _Canvas:
    """The map while it is being worked out point by point."""

    def __init__(self, work: _Work, part: Part, nx: int, ny: int) -> None:
        self._work = work
        self._part = part
        self._totals = SampledTotals(work.standing.problem, work.standing.models, part)
        self.winner = np.zeros((ny, nx), dtype=np.int64)
        self.second = np.zeros((ny, nx), dtype=np.int64)
        self.profit = np.zeros((ny, nx))
        self.margin = np.zeros((ny, nx))
        self.is_known = np.zeros((ny, nx), dtype=bool)
        self.error = 0.0

    def work_out(
        self,
        points: list[tuple[int, int]],
        what: str,
        span: tuple[float, float],
        *,
        with_error: bool = False,
    ) -> None:
        """Work out points (x, y) exactly for the part, if asked to with the error of leads."""
        if not points:
            return
        i, j = (np.array(places) for places in zip(*points, strict=True))
        for first in range(0, len(points), BATCH):
            done = span[0] + (span[1] - span[0]) * first / len(points)
            self._work.say(done, what)
            self._work_out(i[first : first + BATCH], j[first : first + BATCH], with_error)

    def _work_out(self, i: IntArray, j: IntArray, with_error: bool) -> None:
        """Work out some points at columns ``i`` and rows ``j``."""
        settings = self._work.settings(self._work.x.values[i], self._work.y.values[j])
        present = self._work.standing
        totals = np.zeros((len(present.models) + len(present.constant_names), len(i)))
        count = len(present.models)
        totals[:count] = self._totals.of_models(settings)
        constants = self._totals.of_constants(settings)
        totals[count : count + len(constants)] = constants  # doing nothing, beside them, is 0
        ranked = _ranked(totals, count, present.sizes(settings))
        self.winner[j, i], self.second[j, i] = ranked.winner, ranked.second
        self.profit[j, i], self.margin[j, i] = ranked.profit, ranked.margin
        self.is_known[j, i] = True
        if with_error and not self._part.is_whole:
            pairs = np.stack([ranked.winner, ranked.second], axis=1)
            error = float(self._totals.errors(settings, pairs).max())
            self.error = max(self.error, normal_reach() * error)

    def fill(self, xs: list[int], ys: list[int]) -> None:
        """Interpolate profit and margin in blocks whose corners agree."""
        for left, right in pairwise(xs):
            for low, high in pairwise(ys):
                self._fill_block(left, right, low, high)

    def _fill_block(self, left: int, right: int, low: int, high: int) -> None:
        here = np.ix_(range(low, high + 1), range(left, right + 1))
        unknown = ~self.is_known[here]
        if not unknown.any():
            return
        across = np.linspace(0.0, 1.0, right - left + 1)
        up = np.linspace(0.0, 1.0, high - low + 1)[:, np.newaxis]
        for values in (self.profit, self.margin):
            bottom = values[low, left] * (1 - across) + values[low, right] * across
            top = values[high, left] * (1 - across) + values[high, right] * across
            values[here] = np.where(unknown, bottom * (1 - up) + top * up, values[here])
        self.winner[here] = np.where(unknown, self.winner[low, left], self.winner[here])
        self.second[here] = np.where(unknown, self.second[low, left], self.second[here])

    def check(self) -> tuple[int, int]:
        """Work out some points that were filled in; how many, and how many had another winner."""
        filled = np.argwhere(~self.is_known)
        if not filled.shape[0]:
            return 0, 0
        draw = np.random.default_rng(_SEED)
        chosen = draw.choice(filled.shape[0], min(CHECKS, filled.shape[0]), replace=False)
        points = [(int(i), int(j)) for j, i in filled[np.sort(chosen)]]
        described = [int(self.winner[j, i]) for i, j in points]
        self.work_out(points, "Checking", (0.95, 1.0))
        missed = sum(
            int(self.winner[j, i]) != before
            for (i, j), before in zip(points, described, strict=True)
        )
        return len(points), missed


def axis_of(change: Change, low: float, high: float, steps: int) -> NumberAxis:
    """An axis with equal steps.

    Raises
    ------
    PayoffError
        If the range is empty or leaves the number's bounds.
    """
    if not (np.isfinite(low) and np.isfinite(high) and low < high):
        raise PayoffError(
            f"The range of “{change.name}” is empty.",
            where=f"{low:g} to {high:g}",
            remedy="Give a lower and a higher end.",
        )
    if low < change.low or high > change.high:
        raise PayoffError(
            f"“{change.name}” cannot have every value of this range.",
            where=f"{low:g} to {high:g}",
            why=f"It lies between {change.low:g} and {change.high:g}.",
        )
    return NumberAxis(change=change, values=np.linspace(low, high, steps))


__all__ = ["NumberAxis", "axis_of", "map_of_numbers", "winner_map"]
