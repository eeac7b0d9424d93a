"""What decisions use up, and the way each case climbs to ever better and dearer decisions.

A case's points are (use, expected); of them only the upper hull can be best at some price per unit.
Its steps, of all cases together, best gain per unit first, are the curve of a capacity.

Steps taken one after another, best first: sums at any place, ties shared in proportion.

A step changes one case from one decision to another; it uses something up and brings something.
Sums are exact at the ends of groups of equal keys, and in proportion inside a group, as everywhere
on the axis of depth.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.decisions.passes.case_values import CaseValues
from core.decisions.problem import DecisionProblem
from core.decisions.ties import first_best
from core.decisions.uncertainty.intervals import limits
from core.document.studies.decided_cases import ACTIONS, NO_COST
from core.kernels import argsort_descending, fitting_threads
from payoff.errors import PayoffError
from payoff.types import CodeArray, FloatArray, IntArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Steps:
    """s steps, in any order.

    Attributes
    ----------
    key : array (s,)
        The higher, the sooner.
    use : array (s,)
        What a step uses up, weighted; not negative.
    level, frequency : array (s,)
        Of the case.
    before, change : array (s,)
        What the case brings before the step, and by how much the step changes that; unweighted.
    tallies : array (m, s)
        Weighted quantities that are added up along.
    """

    key: FloatArray
    use: FloatArray
    level: CodeArray
    frequency: FloatArray
    before: FloatArray
    change: FloatArray
    tallies: FloatArray

    def sorted(self) -> Steps:
        """The same steps, highest key first."""
        with fitting_threads(self.key.shape[0]):
            order = argsort_descending(np.ascontiguousarray(self.key))
        return Steps(
            key=self.key[order],
            use=self.use[order],
            level=self.level[order],
            frequency=self.frequency[order],
            before=self.before[order],
            change=self.change[order],
            tallies=self.tallies[:, order],
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class StepBase:
    """What holds before the first step: sums by class (levels,), tallies (m,), use."""

    class_weight: FloatArray
    class_cases: FloatArray
    is_within_class: bool
    ends: FloatArray | None
    value: FloatArray
    square: FloatArray
    tallies: FloatArray
    used: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class StepPoints:
    """Quantities where some amounts are used up, q of them."""

    used: FloatArray  # (q,), at most what was asked for
    key: FloatArray  # (q,), of the step that comes next; 0 where every step is taken
    tallies: FloatArray  # (m, q)
    value: FloatArray  # (levels, q)
    square: FloatArray  # (levels, q)
    base: StepBase

    @property
    def total(self) -> FloatArray:
        """Weighted total of all cases, (q,)."""
        return np.asarray(self.base.class_weight @ self.value)

    @property
    def limits(self) -> tuple[FloatArray, FloatArray]:
        """Ends of the 95 % interval of ``total``, (q,) each."""
        base = self.base
        return limits(
            base.class_weight,
            base.ends,
            base.class_cases,
            self.value,
            self.square,
            base.is_within_class,
        )


class StepCurve:
    """Steps in order, with the sums that make every place exact."""

    def __init__(self, steps: Steps, base: StepBase) -> None:
        self.steps = steps.sorted()
        self.base = base
        key = self.steps.key
        count = key.shape[0]
        changes = np.flatnonzero(key[1:] != key[:-1]) + 1
        self._ends = np.append(changes, count) if count else np.zeros(0, dtype=np.int64)
        running = np.cumsum(self.steps.use)
        self._used = running[self._ends - 1] if count else np.zeros(0)

    @property
    def most(self) -> float:
        """What all steps together use up."""
        return self.base.used + (float(self._used[-1]) if self._used.shape[0] else 0.0)

    def points(self, amounts: FloatArray) -> StepPoints:
        """Quantities where ``amounts`` (q,) are used up, or all steps are taken before."""
        first, end, share = self._places(amounts)
        low, high = self._sums(first), self._sums(end)
        value = low.value + share * (high.value - low.value)
        cross = low.cross + share * (high.cross - low.cross)
        square = low.square + share**2 * (high.square - low.square)
        tallies = low.tallies + share * (high.tallies - low.tallies)
        return StepPoints(
            used=np.minimum(np.maximum(amounts, self.base.used), self.most),
            key=self._next_key(amounts),
            tallies=self.base.tallies[:, np.newaxis] + tallies,
            value=self.base.value[:, np.newaxis] + value,
            square=self.base.square[:, np.newaxis] + cross + square,
            base=self.base,
        )

    def _next_key(self, amounts: FloatArray) -> FloatArray:
        """Key of the step that a little more than an amount would pay for."""
        left = np.maximum(amounts - self.base.used, 0.0)
        rounding = 1e-12 * (self.most - self.base.used)  # sums of weights end a hair off
        group = np.searchsorted(self._used, left + rounding, side="right")
        heads = np.append(self.steps.key[self._ends - 1], 0.0) if self._ends.shape[0] else _NOTHING
        return np.asarray(heads[np.minimum(group, heads.shape[0] - 1)])

    def _places(self, amounts: FloatArray) -> tuple[IntArray, IntArray, FloatArray]:
        """First step and end of the group in which an amount runs out, and the share within."""
        groups = self._ends.shape[0]
        if not groups:
            nothing = np.zeros(amounts.shape[0], dtype=np.int64)
            return nothing, nothing, np.zeros(amounts.shape[0])
        left = np.maximum(amounts - self.base.used, 0.0)
        group = np.minimum(np.searchsorted(self._used, left), groups - 1)
        first = np.where(group > 0, self._ends[np.maximum(group - 1, 0)], 0)
        before = np.where(group > 0, self._used[np.maximum(group - 1, 0)], 0.0)
        width = self._used[group] - before
        share = np.divide(left - before, width, out=np.ones_like(width), where=width > 0)
        return first, self._ends[group], np.clip(share, 0.0, 1.0)

    def _sums(self, positions: IntArray) -> _Sums:
        """Sums over the steps before some positions."""
        steps, levels = self.steps, self.base.class_weight.shape[0]
        marks = np.unique(positions)
        segment = np.zeros(steps.key.shape[0] + 1, dtype=np.int64)
        segment[marks] = 1
        np.cumsum(segment, out=segment)
        segment = segment[:-1]
        place = np.searchsorted(marks, positions)
        buckets = marks.shape[0] + 1

        def by_class(values: FloatArray) -> FloatArray:
            where = segment * levels + steps.level
            sums = np.bincount(where, weights=steps.frequency * values, minlength=buckets * levels)
            return np.asarray(np.cumsum(sums.reshape(buckets, levels), axis=0)[place].T)

        tallies = [
            np.cumsum(np.bincount(segment, weights=row, minlength=buckets))[place]
            for row in steps.tallies
        ]
        return _Sums(
            value=by_class(steps.change),
            cross=by_class(2.0 * steps.before * steps.change),
            square=by_class(steps.change**2),
            tallies=np.array(tallies, dtype=np.float64).reshape(len(tallies), positions.shape[0]),
        )


_NOTHING = np.zeros(1)


@dataclass(frozen=True, slots=True, eq=False)
class _Sums:
    value: FloatArray  # (levels, q)
    cross: FloatArray
    square: FloatArray
    tallies: FloatArray  # (m, q)


EXPECTED, USED_ACTIONS, USED_MONEY = 0, 1, 2  # tallies; from 3 on cases by decision


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Uses:
    """What decisions use up: actions (decisions,) and money (decisions, k) or (decisions, 1)."""

    actions: FloatArray
    money: FloatArray
    price: float | None
    reason: str


def uses_of(
    problem: DecisionProblem,
    values: CaseValues,
    *,
    price: float | None = None,
    units: Sequence[float] | None = None,
) -> Uses:
    """What each decision uses up of actions and of money.

    Without costs an action is taken to cost the most that it can lose: a letter that nobody
    answers. A price given replaces that.
    """
    actions = _action_counts(problem, values, units)
    if problem.has_costs:
        money = values.constant_cost[:, np.newaxis] + values.costs
        return Uses(actions=actions, money=money, price=None, reason="costs of the decisions")
    if price is not None:
        return Uses(
            actions=actions, money=(price * actions)[:, np.newaxis], price=price, reason="as given"
        )
    if values.can_lose is not None:
        return Uses(
            actions=actions,
            money=np.where(actions[:, np.newaxis] > 0, values.can_lose, 0.0),
            price=None,
            reason=f"{NO_COST}: the most that the action can lose for the case",
        )
    acting = values.gain[:, values.acting]
    assumed = max(0.0, -float(acting.min()))
    losses = np.where(actions > 0, np.maximum(-values.gain.min(axis=0), 0.0), 0.0)
    return Uses(
        actions=actions,
        money=losses[:, np.newaxis],
        price=assumed,
        reason=f"{NO_COST}: the most that an action can lose",
    )


def _action_counts(
    problem: DecisionProblem, values: CaseValues, units: Sequence[float] | None
) -> FloatArray:
    """Actions that each decision counts as: doing nothing is none.

    Where the matrix names no do-nothing, acting is the only action, as on the axis of depth.
    """
    names = values.names
    if units is not None:
        if len(units) != len(problem.decisions) or not all(unit >= 0 for unit in units):
            raise PayoffError(
                "The units do not fit the decisions.",
                remedy=f"Give a number of 0 or more for each of {', '.join(problem.decisions)}.",
            )
        return np.array([*units, 0.0][: len(names)], dtype=np.float64)
    if problem.do_nothing is None:
        return np.array([1.0 if place == values.acting else 0.0 for place in range(len(names))])
    return np.array([0.0 if name == problem.do_nothing else 1.0 for name in names])


class Frontier:
    """One model's cases with what they use, and its curves by resource and price."""

    def __init__(self, values: CaseValues, uses: Uses, resource: str) -> None:
        self.values, self.uses, self.resource = values, uses, resource
        self.by_resource = {resource: self.curve(resource)}

    def of(self, resource: str) -> StepCurve:
        """The curve of a resource alone."""
        if resource not in self.by_resource:
            self.by_resource[resource] = self.curve(resource)
        return self.by_resource[resource]

    def curve(self, resource: str, money_price: float = 0.0) -> StepCurve:
        """Steps by gain per unit of a resource, where money has a price as well."""
        values, uses = self.values, self.uses
        use = uses.actions[:, np.newaxis] if resource == ACTIONS else uses.money
        worth = values.expected - money_price * uses.money if money_price else values.expected
        start, climbs = climb(worth, use, values.tolerance)
        return _step_curve(values, uses, use, start, climbs)


@dataclass(frozen=True, slots=True, eq=False)
class Climb:
    """Steps of some cases from one decision to another."""

    case: IntArray
    before: IntArray
    after: IntArray
    slope: FloatArray


def climb(
    worth: FloatArray, use: FloatArray, tolerance: float
) -> tuple[IntArray, tuple[Climb, ...]]:
    """Each case's way up the upper hull of its points (use, worth).

    Parameters
    ----------
    worth : array (decisions, k)
    use : array (decisions, k) or (decisions, 1)
    tolerance : float
        A gain no larger than this is none, unless the decision stands before the other.

    Returns
    -------
    start : array (k,)
        The best of the decisions that use least.
    climbs : tuple of Climb
        First steps, second steps ...; along the way of a case slopes fall.
    """
    decisions, count = worth.shape
    use = np.broadcast_to(use, worth.shape)
    is_least = use <= use.min(axis=0)
    start = first_best(np.where(is_least, worth, -np.inf), tolerance)
    case, present = np.arange(count), start
    climbs = []
    for _ in range(decisions - 1):
        own_use, own_worth = use[present, case], worth[present, case]
        extra = use[:, case] - own_use
        gain = worth[:, case] - own_worth
        is_first = np.arange(decisions)[:, np.newaxis] < present
        is_up = (extra > 0) & (gain > np.where(is_first, -tolerance, tolerance))
        slope = np.divide(gain, extra, out=np.full_like(gain, -np.inf), where=is_up)
        after = _steepest(slope, extra, gain, tolerance)
        steepest = slope[after, np.arange(case.shape[0])]
        moves = steepest > -np.inf
        if not moves.any():
            break
        case, before, present = case[moves], present[moves], after[moves]
        climbs.append(Climb(case, before, present, np.maximum(steepest[moves], 0.0)))
    return start, tuple(climbs)


def _steepest(slope: FloatArray, extra: FloatArray, gain: FloatArray, tolerance: float) -> IntArray:
    """The steepest step of each case; of those as good that use as much, the first."""
    every = np.arange(slope.shape[1])
    best = slope.argmax(axis=0)
    is_equal = (extra == extra[best, every]) & (slope > -np.inf)
    return np.asarray((is_equal & (gain >= gain[best, every] - tolerance)).argmax(axis=0))


def _step_curve(
    values: CaseValues, uses: Uses, use: FloatArray, start: IntArray, climbs: tuple[Climb, ...]
) -> StepCurve:
    weight = values.weight
    everyone = np.arange(start.shape[0])
    value = values.realised(start)
    levels = values.class_weight.shape[0]
    base = StepBase(
        class_weight=values.class_weight,
        class_cases=values.class_cases,
        is_within_class=values.is_within_class,
        ends=values.ends,
        value=_by_level(values, value, levels),
        square=_by_level(values, value**2, levels),
        tallies=_tallies(values, uses, everyone, start, weight).sum(axis=1),
        used=float(weight @ np.broadcast_to(use, values.expected.shape)[start, everyone]),
    )
    parts = [_steps(values, uses, use, climb, weight) for climb in climbs]
    return StepCurve(_joined(parts, base.tallies.shape[0]), base)


def _by_level(values: CaseValues, amounts: FloatArray, levels: int) -> FloatArray:
    sums = np.bincount(values.level, weights=values.frequency * amounts, minlength=levels)
    return np.asarray(sums)


def _tallies(
    values: CaseValues, uses: Uses, case: IntArray, decision: IntArray, weight: FloatArray
) -> FloatArray:
    """Weighted expected value, actions, money, and cases by decision, (3 + decisions, cases)."""
    money = np.broadcast_to(uses.money, values.expected.shape)
    table = np.zeros((3 + len(values.names), case.shape[0]))
    table[EXPECTED] = weight * values.expected[decision, case]
    table[USED_ACTIONS] = weight * uses.actions[decision]
    table[USED_MONEY] = weight * money[decision, case]
    table[3 + decision, np.arange(case.shape[0])] = weight
    return table


def _steps(
    values: CaseValues, uses: Uses, use: FloatArray, climb: Climb, weight: FloatArray
) -> Steps:
    case = climb.case
    level, own_weight = values.level[case], weight[case]
    wide = np.broadcast_to(use, values.expected.shape)
    before = _realised(values, case, climb.before)
    after = _tallies(values, uses, case, climb.after, own_weight)
    after -= _tallies(values, uses, case, climb.before, own_weight)
    return Steps(
        key=climb.slope,
        use=own_weight * (wide[climb.after, case] - wide[climb.before, case]),
        level=level,
        frequency=values.frequency[case],
        before=before,
        change=_realised(values, case, climb.after) - before,
        tallies=after,
    )


def _realised(values: CaseValues, case: IntArray, decision: IntArray) -> FloatArray:
    """What some of the cases bring with a decision each."""
    return values.realised_by(case, decision)


def _joined(parts: list[Steps], tallies: int) -> Steps:
    if not parts:
        nothing = np.zeros(0)
        return Steps(
            key=nothing,
            use=nothing,
            level=np.zeros(0, dtype=np.int32),
            frequency=nothing,
            before=nothing,
            change=nothing,
            tallies=np.zeros((tallies, 0)),
        )
    if len(parts) == 1:
        return parts[0]
    return Steps(
        key=np.concatenate([part.key for part in parts]),
        use=np.concatenate([part.use for part in parts]),
        level=np.concatenate([part.level for part in parts]),
        frequency=np.concatenate([part.frequency for part in parts]),
        before=np.concatenate([part.before for part in parts]),
        change=np.concatenate([part.change for part in parts]),
        tallies=np.concatenate([part.tallies for part in parts], axis=1),
    )


def at_amount(steps: StepCurve, amount: float) -> StepPoints:
    """Quantities where an amount is used up, or every step is taken."""
    return steps.points(np.array([amount]))
