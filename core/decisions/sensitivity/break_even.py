"""Break-even: the value of a cell, cost, parameter or prior at which something changes.

Exact for any number of classes and decisions and for costs by case: every case's switches are
sorted, totals between them are straight lines, and what is asked is where such lines cross.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from core.decisions.passes.cases import check_model, decide_cases
from core.decisions.passes.workspace import CountedRows, DecisionWorkspace
from core.decisions.problem import DecisionProblem, ModelScores, refuse_interval
from core.decisions.sensitivity.changes import (
    CELL,
    PRIOR,
    Change,
    MovingNumbers,
    Progress,
    change_family,
    changes_of,
    class_weights,
    moved,
    prior_line,
)
from core.decisions.sensitivity.map_totals import NumberSettings
from core.decisions.sensitivity.profit_lines import ProfitLine, straight, upper
from core.decisions.sensitivity.switches import (
    BEATEN,
    EVENTS,
    NEAR,
    OTHER,
    ROUNDING,
    ZERO,
    ProfitTable,
    SwitchBuffers,
    SwitchingCases,
    in_order,
    kept_totals,
    switches_of,
    switching_cases,
    walk_outwards,
)
from core.decisions.ties import TIE_FACTOR, peak
from core.document.decisions.matrix_model import MatrixKind
from core.document.results import RowsNote
from core.document.studies.moving_numbers import BreakEvenResult, BreakEvenRow, Crossing
from core.kernels import argsort_descending
from core.kernels.tasks import run_tasks
from core.questions.decide import BreakEven
from core.questions.lanes import Watch
from payoff.errors import PayoffError
from payoff.types import FloatArray, IntArray

Pair = tuple[Crossing | None, Crossing | None]

EQUAL = 1e-10
"""Share of two totals by which they may differ and still be called equal."""

NOTHING = "Do nothing"
"""Words for the implicit rule of no decision for anybody, worth 0."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PresentTotals:
    """How things stand now: the models' totals and decisions, and the constant rules."""

    problem: DecisionProblem
    models: tuple[ModelScores, ...]
    cases: tuple[SwitchingCases, ...]
    decisions: tuple[IntArray, ...]
    class_cases: FloatArray
    cost_sums: FloatArray  # (levels, decisions)
    totals: FloatArray  # (models,)
    perfect: float  # with perfect foresight
    constants: FloatArray  # totals of the constant rules
    rows: CountedRows

    @property
    def best(self) -> int:
        """The model with the highest total; of equal ones the first."""
        return peak(self.totals, self.size)

    @property
    def best_constant(self) -> int:
        """The constant rule with the highest total; of equal ones the first."""
        return peak(self.constants, self.size)

    @property
    def size(self) -> float:
        """All money that totals may be added up from: what their rounding is measured by."""
        weight = class_weights(self.problem, self.class_cases)
        gain = self.problem.consequences.gain[:, :-1]
        return float(weight @ _sizes(self.class_cases[:, np.newaxis] * gain, self.cost_sums))

    def sizes(self, settings: NumberSettings) -> FloatArray:
        """The same at other settings, (P,)."""
        cases = self.class_cases[:, np.newaxis]
        realised = np.abs(cases * settings.gain) + np.abs(self.cost_sums)
        realised += np.abs(_amount_sums(self)[:, np.newaxis] * settings.slopes)
        return np.asarray((settings.weight * realised.max(axis=2)).sum(axis=1))

    @property
    def is_ahead(self) -> bool:
        """Whether the best model beats every constant rule, by more than rounding."""
        lead = self.totals[self.best] - self.constants[self.best_constant]
        return bool(lead > self.size * ROUNDING)

    @property
    def is_above(self) -> bool:
        """Whether the best total is above 0, by more than rounding."""
        return bool(self.totals[self.best] > self.size * ROUNDING)

    @property
    def constant_names(self) -> tuple[str, ...]:
        """One decision for all cases; to do nothing too, where no decision means that."""
        own = self.problem.decisions
        return own if has_nothing(self.problem) else (*own, NOTHING)


def break_evens(inputs: MovingNumbers, question: BreakEven, watch: Watch) -> BreakEvenResult:
    """The value of every number at which rule, best model or the worth of the project changes."""
    found = break_even(
        inputs.problem,
        inputs.models,
        changes=inputs.changes,
        reference=inputs.reference,
        is_kept=question.is_kept,
        rows=inputs.rows,
        progress=watch.progress,
    )
    return replace(found, warnings=(*inputs.warnings, *found.warnings))


def break_even(
    problem: DecisionProblem,
    models: tuple[ModelScores, ...],
    *,
    changes: tuple[Change, ...] | None = None,
    reference: str | None = None,
    is_kept: bool = False,
    workspace: DecisionWorkspace | None = None,
    rows: RowsNote | None = None,
    progress: Progress | None = None,
) -> BreakEvenResult:
    """For every number: where the rule, the best model, and whether the project pays, change.

    Parameters
    ----------
    problem : DecisionProblem
        With an outcome.
    models : tuple of ModelScores
    changes : tuple of Change, optional
        Numbers that may move; left out = every cell, constant cost and the event's prior.
    reference : str, optional
        The model whose rule is meant; left out = the first.
    is_kept : bool
        Cases keep their present decisions; else decisions are made again at every value.
    workspace : DecisionWorkspace, optional
    rows : RowsNote, optional
    progress : callable, optional
        Told the share that is done and what is looked at; may raise to stop.

    Raises
    ------
    PayoffError
        Without an outcome, a model or a row that counts, or where totals are missing.
    """
    started = time.perf_counter()
    present = in_probability_order(stand(problem, models, workspace))
    place = [model.name for model in models].index(reference) if reference else 0
    wanted = changes_of(problem) if changes is None else changes
    decision_workspace = switch_workspace(present, is_kept)
    found = []
    for number, change in enumerate(wanted):
        if progress is not None:
            progress(number / len(wanted), change.name)
        found.append(_row(present, change, place, decision_workspace))
    best, constant = present.best, present.best_constant
    total = float(present.totals[best])
    note = rows or RowsNote(use="all", text="", rows=present.rows.rows)
    return BreakEvenResult(
        rows=replace(note, rows=present.rows.rows),
        model=models[place].name,
        winner=models[best].name,
        total=total,
        constant=present.constant_names[constant],
        constant_total=float(present.constants[constant]),
        pays=present.is_ahead and (present.is_above or problem.kind is MatrixKind.LOSS),
        is_kept=is_kept,
        numbers=tuple(found),
        seconds=time.perf_counter() - started,
    )


def has_nothing(problem: DecisionProblem) -> bool:
    """Whether no rule of doing nothing, worth 0, stands beside the decisions of the matrix.

    Where one of them does nothing, by name or because it is worth 0 always, it is there already.
    And losses have no such rule: to lose nothing is no decision that a matrix of several offers.
    """
    if problem.do_nothing:
        return True
    if problem.kind is MatrixKind.LOSS and len(problem.decisions) > 1:
        return True
    is_zero = np.asarray(~problem.class_gains.any(axis=0))
    is_zero[list(problem.cost_columns)] = False
    if problem.amounts is not None:
        is_zero &= ~problem.amounts.slopes.any(axis=0)
    return bool(is_zero.any())


def _refuse_leaves(model: ModelScores) -> None:
    """Decisions by averages of leaves do not follow the case's own lines that are walked here."""
    if model.leaf is not None:
        raise PayoffError(
            f"'{model.name}' decides by averages of leaves.",
            why="Where a decision changes is worked out from each case's own chances.",
            remedy="Let it decide by each case's own score, or try values on What-if.",
        )


def stand(
    problem: DecisionProblem,
    models: tuple[ModelScores, ...],
    workspace: DecisionWorkspace | None = None,
) -> PresentTotals:
    """The models' present totals on the rows that count for all of them."""
    if not models:
        raise PayoffError("There is no model to judge.", remedy="Give a column of posteriors.")
    refuse_interval(problem)
    for model in models:
        check_model(problem, model)
        _refuse_leaves(model)
    space = workspace or DecisionWorkspace()
    with space.lock:
        space.begin(problem, models)
        counted = space.counted_rows(problem, models)
        cost_sums = space.cost_sums(problem, counted)
    chosen = counted_places(counted)
    weights = class_weights(problem, counted.class_cases)
    gain = problem.consequences.gain[:, :-1]
    constants = weights @ (counted.class_cases[:, np.newaxis] * gain - cost_sums)
    cases = tuple(switching_cases(problem, model, chosen) for model in models)
    decisions, totals, perfect = [], [], 0.0
    for model, own in zip(models, cases, strict=True):
        decided = decide_cases(problem, model)
        here = slice(None) if chosen is None else chosen
        decisions.append(decided.decision[here].astype(np.int64))
        weight = weights[own.outcome] * own.frequency
        totals.append(float(np.sum(weight * decided.computed[here])))
        perfect = float(np.sum(weight * decided.best[here]))
    return PresentTotals(
        problem=problem,
        models=models,
        cases=cases,
        decisions=tuple(decisions),
        class_cases=counted.class_cases,
        cost_sums=cost_sums,
        totals=np.array(totals),
        perfect=perfect,
        constants=constants if has_nothing(problem) else np.append(constants, 0.0),
        rows=counted,
    )


def counted_places(counted: CountedRows) -> IntArray | None:
    """The numbers of the rows that count; None where all do."""
    return np.flatnonzero(counted.marks == 0) if counted.marks.shape[0] else None


def in_probability_order(present: PresentTotals) -> PresentTotals:
    """Each model's cases by the event's chance: with two classes switches then come in order.

    Sorting what is in order takes no time worth naming.
    """
    orders = [argsort_descending(cases.probabilities[0]) for cases in present.cases]
    return replace(
        present,
        cases=tuple(in_order(c, o) for c, o in zip(present.cases, orders, strict=True)),
        decisions=tuple(d[o] for d, o in zip(present.decisions, orders, strict=True)),
    )


# ---------------------------------------------------------------- one number


class Rounding(NamedTuple):
    """What may be rounding in a total's intercept and slope; the size of the number that moves."""

    value: float
    slope: float
    unit: float

    def near(self, offset: float) -> float:
        """How far from an offset a knot may lie and still be there."""
        return NEAR * (self.unit + abs(offset))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _SwitchWorkspace:
    """Memory that one number after the other is worked out in.

    ``table``: the total of every model, and last that of the best constant rule. ``room``: None
    where decisions are kept.
    """

    table: ProfitTable
    room: SwitchBuffers | None


def switch_workspace(present: PresentTotals, is_kept: bool) -> _SwitchWorkspace:
    decisions = len(present.problem.decisions)
    lines, rows = len(present.models) + 1, present.cases[0].rows
    if is_kept:  # the upper envelope of the constant rules has fewer corners than there are rules
        return _SwitchWorkspace(table=ProfitTable(lines, decisions), room=None)
    knots = max((decisions - 1) * rows, decisions)
    return _SwitchWorkspace(table=ProfitTable(lines, knots), room=SwitchBuffers(rows, decisions))


def _row(
    present: PresentTotals, change: Change, place: int, workspace: _SwitchWorkspace
) -> BreakEvenRow:
    table = workspace.table
    rounding = rounding_of(present, change)
    flips = put_models(present, change, place, workspace, rounding.unit)
    fixed = _constant_lines(present, change)
    best_fixed = fixed[0]
    for line in fixed[1:]:
        best_fixed = upper(best_fixed, line, rounding[:2])
    table.put_line(len(present.models), best_fixed)
    look = _Search(
        standing=present,
        change=change,
        table=table,
        place=place,
        fixed=best_fixed,
        rounding=rounding,
        is_kept=workspace.room is None,
        found=_walk(present, change, table, rounding),
    )
    return BreakEvenRow(
        kind=change.kind,
        name=change.name,
        level=change.level,
        decision=change.decision,
        unit=change.unit,
        now=change.now,
        rule=look.rule_pair(flips),
        never=never_from(present.problem, change),
        winner=look.pair(OTHER),
        beaten=look.pair(BEATEN),
        zero=look.pair(ZERO),
    )


def put_models(
    present: PresentTotals, change: Change, place: int, workspace: _SwitchWorkspace, unit: float
) -> FloatArray:
    """Every model's total as the number moves; and where the rule of one of them changes."""
    flips = np.full((2, 2), np.nan)
    tolerance = present.problem.consequences.tolerance
    for number, (model, cases) in enumerate(zip(present.models, present.cases, strict=True)):
        family = change_family(present.problem, model, change, present.class_cases)
        decision = present.decisions[number]
        if workspace.room is None:
            value, slope = kept_totals(cases, family, decision)
            workspace.table.put_line(number, straight(float(value), float(slope)))
            continue
        switches = switches_of(cases, family, tolerance, workspace.room, unit=unit)
        workspace.table.put_switches(number, switches)
        if number == place:
            flips = switches.flips(decision)
    return flips


def _sizes(*parts: FloatArray) -> FloatArray:
    """The largest amounts of any decision by class, of several parts of a total, (levels,)."""
    return np.asarray(sum(np.abs(part).max(axis=1) for part in parts))


def rounding_of(present: PresentTotals, change: Change) -> Rounding:
    """What may be rounding as the number moves."""
    problem, cases = present.problem, present.class_cases[:, np.newaxis]
    realised = _sizes(cases * problem.consequences.gain[:, :-1], present.cost_sums)
    if change.delta is None:
        line = np.abs(prior_line(problem)) * cases.sum()
        share = np.divide(line, cases[:, 0], out=np.zeros_like(line), where=cases[:, 0] > 0)
        value, slope = share @ realised
    else:
        weight = class_weights(problem, present.class_cases)
        value = weight @ realised
        slope = weight @ _sizes(cases * change.delta)
        if change.share_delta is not None:
            sums = _amount_sums(present)[:, np.newaxis]
            slope += weight @ _sizes(sums * change.share_delta)
    return Rounding(ROUNDING * float(value), ROUNDING * float(slope), _unit_of(present, change))


def _unit_of(present: PresentTotals, change: Change) -> float:
    """The size of the number that moves: what it takes to move a cell by as much as cells are."""
    if change.delta is None:
        return 1.0
    steps = [float(np.abs(change.delta).max())]
    if change.share_delta is not None and present.problem.amounts is not None:
        steps.append(float(np.abs(change.share_delta).max()) * present.problem.amounts.tie_scale)
    largest = present.problem.tie_tolerance / TIE_FACTOR + abs(change.now) * max(steps)
    return largest / max(steps) if max(steps) > 0 else abs(change.now)


def _walk(
    present: PresentTotals,
    change: Change,
    table: ProfitTable,
    rounding: Rounding,
) -> FloatArray:
    """What happens first below and above the present value; see ``walk_outwards``."""
    limits = (change.now - change.low, change.high - change.now)
    found = np.empty((2, EVENTS, 2))

    def walk(side: int) -> None:
        walk_outwards(
            table.knots,
            table.pieces,
            table.intercept,
            table.slope,
            present.best,
            present.is_ahead,
            present.is_above,
            side == 0,
            limits[side],
            np.array(rounding),
            found[side],
        )

    run_tasks(walk, 2)
    return found


def _constant_lines(present: PresentTotals, change: Change) -> list[ProfitLine]:
    """The total of each decision for all cases, and of doing nothing, as the number moves."""
    problem, cases = present.problem, present.class_cases
    gain = problem.consequences.gain[:, :-1]
    realised = cases[:, np.newaxis] * gain - present.cost_sums
    if change.delta is not None:
        weight = class_weights(problem, cases)
        value = weight @ realised
        slope = weight @ (cases[:, np.newaxis] * change.delta)
        if change.share_delta is not None:
            slope += weight @ (_amount_sums(present)[:, np.newaxis] * change.share_delta)
    else:
        line = prior_line(problem) * cases.sum()
        share = np.divide(line, cases, out=np.zeros_like(line), where=cases > 0)
        value, slope = share @ realised
    lines = [straight(float(value[d]), float(slope[d]), d) for d in range(len(problem.decisions))]
    nothing = straight(0.0, 0.0, len(problem.decisions))
    return [*lines, nothing][: len(present.constant_names)]


def _amount_sums(present: PresentTotals) -> FloatArray:
    """What the amounts of the cases that count add up to by class, (levels,)."""
    cases, levels = present.cases[0], present.class_cases.shape[0]
    if cases.amounts is None:
        return np.zeros(levels)
    sums = np.bincount(cases.outcome, weights=cases.frequency * cases.amounts, minlength=levels)
    return np.asarray(sums)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Search:
    """What was found to both sides of the present value of one number, in words."""

    standing: PresentTotals
    change: Change
    table: ProfitTable  # totals of the models
    place: int  # the model whose rule is meant
    fixed: ProfitLine  # the best constant rule, and which it is
    rounding: Rounding
    is_kept: bool
    found: FloatArray  # (2, EVENTS, 2)

    def pair(self, event: int) -> Pair:
        """What happens first below and above."""
        below, above = (self._event(event, is_down) for is_down in (True, False))
        return below, above

    def _event(self, event: int, is_down: bool) -> Crossing | None:
        distance, detail = self.found[0 if is_down else 1, event]
        if np.isnan(distance):
            return None
        offset = -float(distance) if is_down else float(distance)
        bound = self._bound_at(offset)
        if bound is not None and not bound.has(event, self.standing):
            return None
        lines = tuple(self.table.line(place) for place in range(len(self.standing.models)))
        becomes, is_jump = "", bool(detail)
        if event == OTHER:
            becomes = self.standing.models[int(detail)].name
            now = lines[self.standing.best]
            is_jump = not _meet(now, lines[int(detail)], offset, self.rounding)
        elif event == BEATEN:
            fixed = self.fixed
            who = fixed.who_before(offset) if is_down else fixed.who_after(offset)
            becomes = self.standing.constant_names[who]
        return self._crossing(offset, becomes, lines, jump=is_jump)

    def _bound_at(self, offset: float) -> _Bound | None:
        """How things stand at the end of what the number can be, where an offset leads there."""
        change = self.change
        end = change.low if offset < 0 else change.high
        if self.is_kept or not np.isfinite(end):
            return None
        if abs(change.now + offset - end) > self.rounding.near(offset):
            return None
        return _Bound.of(moved(self.standing.problem, change, end), self.standing)

    def rule_pair(self, flips: FloatArray) -> Pair:
        """Where a decision starts or stops being chosen for some case, below and above."""
        below, above = (self._flip(float(offset), decision) for offset, decision in flips)
        return below, above

    def _flip(self, offset: float, flipped: float) -> Crossing | None:
        change, place = self.change, self.place
        room = change.now - change.low if offset <= 0 else change.high - change.now
        if np.isnan(offset) or abs(offset) > room * (1.0 + 1e-12):
            return None
        offset = float(np.clip(offset, -room, room))
        bound = self._bound_at(offset)
        if bound is not None and not bound.has_other_rule(place, self.standing):
            return None
        decision = int(flipped)
        return self._crossing(
            offset,
            self.standing.problem.decisions[decision],
            (self.table.line(place),),
            jump=True,
            starts=not np.any(self.standing.decisions[place] == decision),
        )

    def _crossing(
        self,
        offset: float,
        becomes: str,
        lines: tuple[ProfitLine, ...],
        *,
        jump: bool,
        starts: bool = False,
    ) -> Crossing:
        """``lines``: the highest of them is the total, as seen from the present value."""
        now = self.change.now
        near = self.rounding.near(offset)
        totals = (
            line.before(offset, near) if offset > 0 else line.after(offset, near) for line in lines
        )
        return Crossing(
            value=now + offset,
            distance=offset / abs(now) if now and offset else 0.0 if not offset else math.nan,
            becomes=becomes,
            total=max(totals),
            is_jump=jump,
            starts=starts,
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Bound:
    """Totals and decisions with a number at the end of what it can be: nothing lies beyond."""

    at: PresentTotals

    @classmethod
    def of(cls, problem: DecisionProblem, present: PresentTotals) -> _Bound:
        """The models of a standing under the problem at the bound."""
        return cls(at=stand(problem, present.models))

    def has(self, event: int, present: PresentTotals) -> bool:
        """Whether an event has happened there."""
        if event == OTHER:
            rest = np.delete(self.at.totals, present.best)
            gap = self.at.totals[present.best] - rest.max(initial=-np.inf)
            return bool(gap <= self.at.size * ROUNDING)
        if event == BEATEN:
            return self.at.is_ahead != present.is_ahead
        return self.at.is_above != present.is_above

    def has_other_rule(self, place: int, present: PresentTotals) -> bool:
        """Whether a model uses other decisions than now."""
        used, now = (np.unique(entry.decisions[place]) for entry in (self.at, present))
        return not np.array_equal(used, now)


def _meet(first: ProfitLine, second: ProfitLine, offset: float, rounding: Rounding) -> bool:
    """Whether two totals are equal at an offset, coming from either side."""
    near = rounding.near(offset)
    pairs = ((line.before(offset, near), line.after(offset, near)) for line in (first, second))
    (before, after), (other_before, other_after) = pairs
    size = EQUAL * max(abs(before), abs(after), abs(other_before), abs(other_after))
    size += rounding.value + rounding.slope * abs(offset)
    return abs(before - other_before) <= size and abs(after - other_after) <= size


def never_from(problem: DecisionProblem, change: Change) -> float | None:
    """The value of a cell from which one of two decisions is better whatever the chances are.

    From the matrix alone (for two classes: where the cut-off reaches 0 or 1). None where there are
    more decisions, costs or amounts by case, or no such value.
    """
    given = problem.consequences
    if change.delta is None or change.kind != CELL:
        return None
    if len(problem.decisions) != 2 or given.has_cost_columns or problem.is_by_case:
        return None
    row, column = np.argwhere(change.delta)[0]
    edge = given.gain[:, 0] - given.gain[:, 1]
    others = np.delete(edge, row)
    if not (np.all(others >= 0) or np.all(others <= 0)) or not np.any(others):
        return None
    if np.sign(edge[row]) == np.sign(others[np.flatnonzero(others)[0]]):
        return None  # it is dominated now
    equal = edge[row] if column == 0 else -edge[row]
    return change.now - problem.sense * float(equal)


__all__ = ["CELL", "NOTHING", "PRIOR", "PresentTotals", "break_even", "never_from", "stand"]
