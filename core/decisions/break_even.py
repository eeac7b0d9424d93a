"""Break-even: the value of a cell, cost, parameter or prior at which something changes.

Exact for any number of classes and decisions and for costs by case: every case's switches are
sorted, totals between them are straight lines, and what is asked is where such lines cross.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from core.decisions.cases import check_model, decide_cases
from core.decisions.changes import (
    CELL,
    PRIOR,
    Change,
    changes_of,
    class_weights,
    family_of,
    prior_line,
)
from core.decisions.problem import DecisionProblem, ModelScores
from core.decisions.profit_lines import (
    ProfitLine,
    Turn,
    first_other,
    first_turn,
    minus,
    straight,
    upper,
)
from core.decisions.switches import (
    CountedCases,
    RuleLine,
    counted_cases,
    in_order,
    kept_line,
    remade_line,
)
from core.decisions.workspace import CountedRows, DecisionWorkspace
from core.document.results import RowsNote
from core.document.studies.break_even import BreakEvenResult, BreakEvenRow, Crossing
from payoff.errors import PayoffError
from payoff.types import BoolArray, FloatArray, IntArray

Pair = tuple[Crossing | None, Crossing | None]
Watch = Callable[[float | None, str], object]

EQUAL = 1e-10
"""Share of two totals by which they may differ and still be called equal."""

NOTHING = "Do nothing"
"""Words for the implicit rule of no decision for anybody, worth 0."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Standing:
    """How things stand now: the models' totals and decisions, and the constant rules."""

    problem: DecisionProblem
    models: tuple[ModelScores, ...]
    cases: tuple[CountedCases, ...]
    decisions: tuple[IntArray, ...]
    class_cases: FloatArray
    cost_sums: FloatArray  # (levels, decisions)
    totals: FloatArray  # (models,)
    constants: FloatArray  # totals of the constant rules
    rows: CountedRows

    @property
    def constant_names(self) -> tuple[str, ...]:
        """One decision for all cases; to do nothing too, where no decision means that."""
        own = self.problem.decisions
        return own if has_nothing(self.problem) else (*own, NOTHING)


def break_even(
    problem: DecisionProblem,
    models: tuple[ModelScores, ...],
    *,
    changes: tuple[Change, ...] | None = None,
    reference: str | None = None,
    is_kept: bool = False,
    workspace: DecisionWorkspace | None = None,
    rows: RowsNote | None = None,
    progress: Watch | None = None,
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
    standing = _by_chance(stand(problem, models, workspace))
    place = [model.name for model in models].index(reference) if reference else 0
    wanted = changes_of(problem) if changes is None else changes
    found = []
    for number, change in enumerate(wanted):
        if progress is not None:
            progress(number / len(wanted), change.name)
        found.append(_row(standing, change, place, is_kept))
    best = int(np.argmax(standing.totals))
    constant = int(np.argmax(standing.constants))
    total = float(standing.totals[best])
    note = rows or RowsNote(use="all", text="", rows=standing.rows.rows)
    return BreakEvenResult(
        rows=replace(note, rows=standing.rows.rows),
        model=models[place].name,
        winner=models[best].name,
        total=total,
        constant=standing.constant_names[constant],
        constant_total=float(standing.constants[constant]),
        pays=total > max(float(standing.constants[constant]), 0.0),
        is_kept=is_kept,
        numbers=tuple(found),
        seconds=time.perf_counter() - started,
    )


def has_nothing(problem: DecisionProblem) -> bool:
    """Whether a decision of the matrix does nothing: by name, or because it is worth 0 always."""
    if problem.do_nothing:
        return True
    is_zero = np.asarray(~problem.class_gains.any(axis=0))
    is_zero[list(problem.cost_columns)] = False
    if problem.amounts is not None:
        is_zero &= ~problem.amounts.slopes.any(axis=0)
    return bool(is_zero.any())


def stand(
    problem: DecisionProblem,
    models: tuple[ModelScores, ...],
    workspace: DecisionWorkspace | None = None,
) -> Standing:
    """The models' present totals on the rows that count for all of them."""
    if not models:
        raise PayoffError("There is no model to judge.", remedy="Give a column of posteriors.")
    for model in models:
        check_model(problem, model)
    space = workspace or DecisionWorkspace()
    with space.lock:
        space.begin(problem, models)
        counted = space.counted_rows(problem, models)
        cost_sums = space.cost_sums(problem, counted)
    chosen = np.flatnonzero(counted.marks == 0) if counted.marks.shape[0] else None
    weights = class_weights(problem, counted.class_cases)
    gain = problem.consequences.gain[:, :-1]
    constants = weights @ (counted.class_cases[:, np.newaxis] * gain - cost_sums)
    cases = tuple(counted_cases(problem, model, chosen) for model in models)
    decisions, totals = [], []
    for model, own in zip(models, cases, strict=True):
        decided = decide_cases(problem, model)
        here = slice(None) if chosen is None else chosen
        decisions.append(decided.decision[here].astype(np.int64))
        weight = weights[own.outcome] * own.frequency
        totals.append(float(np.sum(weight * decided.computed[here])))
    return Standing(
        problem=problem,
        models=models,
        cases=cases,
        decisions=tuple(decisions),
        class_cases=counted.class_cases,
        cost_sums=cost_sums,
        totals=np.array(totals),
        constants=constants if has_nothing(problem) else np.append(constants, 0.0),
        rows=counted,
    )


def _by_chance(standing: Standing) -> Standing:
    """Each model's cases by the event's chance: with two classes switches then come in order.

    Sorting what is in order takes no time worth naming.
    """
    orders = [np.argsort(cases.chances[0]) for cases in standing.cases]
    return replace(
        standing,
        cases=tuple(in_order(c, o) for c, o in zip(standing.cases, orders, strict=True)),
        decisions=tuple(d[o] for d, o in zip(standing.decisions, orders, strict=True)),
    )


# ---------------------------------------------------------------- one number


def _row(standing: Standing, change: Change, place: int, is_kept: bool) -> BreakEvenRow:
    rules = tuple(
        _rule_line(standing, number, change, is_kept) for number in range(len(standing.models))
    )
    winner = int(np.argmax(standing.totals))
    top = rules[winner].line  # first: where models are equal, the present winner stays
    for rule in (*rules[:winner], *rules[winner + 1 :]):
        top = upper(top, rule.line)
    fixed = _constant_lines(standing, change)
    best_fixed = fixed[-1]
    for line in fixed[:-1]:
        best_fixed = upper(best_fixed, line)
    look = _Search(standing=standing, change=change, top=top, rules=rules, place=place)
    total, constant = float(standing.totals.max()), float(standing.constants.max())
    return BreakEvenRow(
        kind=change.kind,
        name=change.name,
        level=change.level,
        decision=change.decision,
        unit=change.unit,
        now=change.now,
        rule=(None, None) if is_kept else look.rule_pair(),
        never=never_from(standing.problem, change),
        winner=look.winner_pair(winner),
        beaten=look.turn_pair(
            minus(top, best_fixed), total > constant, lambda who: standing.constant_names[who]
        ),
        zero=look.turn_pair(minus(top, straight(0.0, 0.0)), total > 0, lambda _who: ""),
    )


def _rule_line(standing: Standing, number: int, change: Change, is_kept: bool) -> RuleLine:
    family = family_of(standing.problem, standing.models[number], change, standing.class_cases)
    cases = standing.cases[number]
    if is_kept:
        return kept_line(cases, family, standing.decisions[number], number)
    return remade_line(cases, family, standing.problem.consequences.tolerance, number)


def _constant_lines(standing: Standing, change: Change) -> list[ProfitLine]:
    """The total of each decision for all cases, and of doing nothing, as the number moves."""
    problem, cases = standing.problem, standing.class_cases
    gain = problem.consequences.gain[:, :-1]
    brought = cases[:, np.newaxis] * gain - standing.cost_sums
    if change.delta is not None:
        weight = class_weights(problem, cases)
        value = weight @ brought
        slope = weight @ (cases[:, np.newaxis] * change.delta)
        if change.share_delta is not None:
            slope += weight @ (_amount_sums(standing)[:, np.newaxis] * change.share_delta)
    else:
        line = prior_line(problem) * cases.sum()
        share = np.divide(line, cases, out=np.zeros_like(line), where=cases > 0)
        value, slope = share @ brought
    lines = [straight(float(value[d]), float(slope[d]), d) for d in range(len(problem.decisions))]
    nothing = straight(0.0, 0.0, len(problem.decisions))
    return [*lines, nothing][: len(standing.constant_names)]


def _amount_sums(standing: Standing) -> FloatArray:
    """What the amounts of the cases that count add up to by class, (levels,)."""
    cases, levels = standing.cases[0], standing.class_cases.shape[0]
    if cases.amounts is None:
        return np.zeros(levels)
    sums = np.bincount(cases.outcome, weights=cases.frequency * cases.amounts, minlength=levels)
    return np.asarray(sums)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Search:
    """Looks to both sides of the present value of one number."""

    standing: Standing
    change: Change
    top: ProfitLine  # the best model's total
    rules: tuple[RuleLine, ...]  # of each model
    place: int  # the model whose rule is meant

    def _end(self, is_down: bool) -> float:
        change = self.change
        return change.now - change.low if is_down else change.high - change.now

    def _crossing(
        self, offset: float, becomes: str, line: ProfitLine, *, jump: bool, starts: bool = False
    ) -> Crossing:
        now = self.change.now
        total = line.before(offset) if offset > 0 else line.after(offset)
        return Crossing(
            value=now + offset,
            distance=offset / abs(now) if now else float("nan"),
            becomes=becomes,
            total=total,
            is_jump=jump,
            starts=starts,
        )

    def turn_pair(self, line: ProfitLine, is_positive: bool, words: Callable[[int], str]) -> Pair:
        """Where a difference changes its sign, below and above."""
        found: list[Crossing | None] = []
        for is_down in (True, False):
            walked = line.mirrored() if is_down else line
            turn: Turn | None = first_turn(walked, is_positive, self._end(is_down))
            if turn is None:
                found.append(None)
                continue
            offset = -turn.offset if is_down else turn.offset
            who = walked.who_after(turn.offset)
            found.append(self._crossing(offset, words(who), self.top, jump=turn.is_jump))
        return found[0], found[1]

    def winner_pair(self, winner: int) -> Pair:
        """Where another model becomes the best, below and above."""
        found: list[Crossing | None] = []
        for is_down in (True, False):
            walked = self.top.mirrored() if is_down else self.top
            answer = first_other(walked, winner, self._end(is_down))
            if answer is None:
                found.append(None)
                continue
            distance, who = answer
            offset = -distance if is_down else distance
            name = self.standing.models[who].name
            jump = not _meet(self.rules[winner].line, self.rules[who].line, offset)
            found.append(self._crossing(offset, name, self.top, jump=jump))
        return found[0], found[1]

    def rule_pair(self) -> Pair:
        """Where a decision starts or stops being chosen for some case, below and above."""
        rule = self.rules[self.place]
        knots, counts = rule.count_knots, rule.counts
        own = self.standing.decisions[self.place]
        is_used = np.bincount(own, minlength=counts.shape[0]) > 0
        differs = (counts > 0) != is_used[:, np.newaxis]
        # A piece between equal knots has no width: it says nothing.
        edges = np.concatenate([[-np.inf], knots, [np.inf]])
        differs &= edges[1:] > edges[:-1]
        any_differs = differs.any(axis=0)
        first = int(np.searchsorted(knots, 0.0, side="right"))
        last = int(np.searchsorted(knots, 0.0, side="left"))
        below = np.flatnonzero(any_differs[: last + 1])
        above = np.flatnonzero(any_differs[first:])
        return (
            self._flip(int(below[-1]), is_used, differs, True) if below.shape[0] else None,
            self._flip(first + int(above[0]), is_used, differs, False) if above.shape[0] else None,
        )

    def _flip(
        self, piece: int, is_used: BoolArray, differs: BoolArray, is_down: bool
    ) -> Crossing | None:
        rule = self.rules[self.place]
        edges = np.concatenate([[-np.inf], rule.count_knots, [np.inf]])
        edge = edges[piece + 1] if is_down else edges[piece]
        offset = min(float(edge), 0.0) if is_down else max(float(edge), 0.0)
        if abs(offset) > self._end(is_down):
            return None
        decision = int(np.flatnonzero(differs[:, piece])[0])
        return self._crossing(
            offset,
            self.standing.problem.decisions[decision],
            rule.line,
            jump=True,
            starts=not bool(is_used[decision]),
        )


def _meet(first: ProfitLine, second: ProfitLine, offset: float) -> bool:
    """Whether two totals are equal at an offset, coming from either side."""
    pairs = ((line.before(offset), line.after(offset)) for line in (first, second))
    (before, after), (other_before, other_after) = pairs
    size = EQUAL * max(abs(before), abs(after), abs(other_before), abs(other_after))
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


__all__ = ["CELL", "NOTHING", "PRIOR", "Standing", "break_even", "never_from", "stand"]
