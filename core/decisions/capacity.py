"""Capacity and budget: the best decisions under "at most N actions", "at most an amount", or both.

Maximise the sum of w(i) E(i, d(i)) where the sum of w(i) u(i, d(i)) may not exceed a capacity. This
is a multiple-choice knapsack. Its linear relaxation is solved exactly by a price per unit
(Lagrange; Sinha and Zoltners 1979, "The multiple-choice knapsack problem", Operations Research):
each case climbs the upper hull of its points (u, E); the steps of all cases are taken by their
gain per unit, highest first, until the capacity is used up. The relaxation parts from a whole
solution in the last, fractional step only. The gain per unit of the step that would come next is
the shadow price: what one more unit is expected to earn. With two capacities the money's price is
searched for; each trial is a problem of actions alone, in which every decision has paid that price.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.decisions.case_values import CaseValues, values_of
from core.decisions.intervals import METHOD
from core.decisions.problem import DecisionProblem
from core.decisions.steps import StepBase, StepCurve, StepPoints, Steps
from core.decisions.workspace import AnalysisState
from core.document.results import Estimate, RowsNote
from core.document.studies.capacity import (
    ACTIONS,
    MONEY,
    CapacityCurve,
    CapacityPoint,
    CapacityResult,
)
from core.kernels import argsort_descending, fitting_threads
from payoff.errors import PayoffError
from payoff.types import FloatArray, IntArray

POINTS = 401
"""Places of a curve."""

NEIGHBOURHOOD = 0.05
"""Share of the capacity before and after it that the realised price is read from."""

TRIALS = 60

FEW = 10_000
"""Cases below which the money's price is closed in on to the last digit."""

EXPECTED, USED_ACTIONS, USED_MONEY = 0, 1, 2  # tallies; from 3 on cases by decision

Check = Callable[[], None]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Uses:
    """What decisions use up: actions (decisions,) and money (decisions, k) or (decisions, 1)."""

    actions: FloatArray
    money: FloatArray
    price: float | None
    reason: str


def best_within(
    state: AnalysisState,
    *,
    most_actions: float | None = None,
    most_money: float | None = None,
    price: float | None = None,
    units: Sequence[float] | None = None,
    rows: RowsNote,
    check: Check = lambda: None,
) -> CapacityResult:
    """The best decisions of every model of an analysis within limits.

    Parameters
    ----------
    state : AnalysisState
    most_actions, most_money : float, optional
        None: no limit. Actions are counted in prior-weighted cases.
    price : float, optional
        What one action costs where the problem has no costs; left out: the most it can lose.
    units : sequence of float, optional
        What each decision counts as; left out: 1 for every decision but doing nothing.
    rows : RowsNote
    check : callable
        Called between pieces of work; may raise to end it.

    Raises
    ------
    PayoffError
        If a limit is negative, or even the cheapest decisions do not fit.
    """
    started = time.perf_counter()
    for what, limit in (("actions", most_actions), ("money", most_money)):
        if limit is not None and not limit >= 0:
            raise PayoffError(f"At most {limit:g} {what} is no limit.", remedy="Give 0 or more.")
    resource = MONEY if most_actions is None and most_money is not None else ACTIONS
    curves, points, free = [], [], []
    uses: Uses | None = None
    size = 0.0
    for model in state.models:
        check()
        values = values_of(state, model)
        uses = uses_of(state.problem, values, price=price, units=units)
        own = _Frontier(values, uses, resource)
        curves.append(_curve(model.scores.name, own))
        points.append(_within(model.scores.name, own, most_actions, most_money, check))
        free.append(_within(model.scores.name, own, None, None, check))
        size = values.size
    assert uses is not None  # an analysis has a model
    return CapacityResult(
        rows=rows,
        resource=resource,
        limit=most_money if resource == MONEY else most_actions,
        most_actions=most_actions,
        most_money=most_money,
        cases=size,
        acting=tuple(
            name
            for name, count in zip(state.problem.decisions, uses.actions, strict=False)
            if count > 0
        ),
        price=uses.price,
        price_reason=uses.reason,
        curves=tuple(curves),
        points=tuple(points),
        free=tuple(free),
        holds_fixed=state.holds_fixed,
        seconds=time.perf_counter() - started,
    )


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
    acting = values.gain[:, values.acting]
    assumed = max(0.0, -float(acting.min()))
    losses = np.where(actions > 0, np.maximum(-values.gain.min(axis=0), 0.0), 0.0)
    return Uses(
        actions=actions,
        money=losses[:, np.newaxis],
        price=assumed,
        reason="no cost is given: the most that an action can lose",
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


class _Frontier:
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
    start = np.where(is_least, worth, -np.inf).argmax(axis=0)
    case, present = np.arange(count), start
    climbs = []
    for _ in range(decisions - 1):
        own_use, own_worth = use[present, case], worth[present, case]
        extra = use[:, case] - own_use
        gain = worth[:, case] - own_worth
        is_first = np.arange(decisions)[:, np.newaxis] < present
        is_up = (extra > 0) & (gain > np.where(is_first, -tolerance, tolerance))
        slope = np.divide(gain, extra, out=np.full_like(gain, -np.inf), where=is_up)
        after = slope.argmax(axis=0)
        steepest = slope[after, np.arange(case.shape[0])]
        moves = steepest > -np.inf
        if not moves.any():
            break
        case, before, present = case[moves], present[moves], after[moves]
        climbs.append(Climb(case, before, present, np.maximum(steepest[moves], 0.0)))
    return start, tuple(climbs)


def _step_curve(
    values: CaseValues, uses: Uses, use: FloatArray, start: IntArray, climbs: tuple[Climb, ...]
) -> StepCurve:
    weight = values.weight
    everyone = np.arange(start.shape[0])
    value = values.brought(start)
    levels = values.class_weight.shape[0]
    base = StepBase(
        class_weight=values.class_weight,
        class_cases=values.class_cases,
        is_within_class=values.is_within_class,
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
    before = _brought(values, case, climb.before)
    after = _tallies(values, uses, case, climb.after, own_weight)
    after -= _tallies(values, uses, case, climb.before, own_weight)
    return Steps(
        key=climb.slope,
        use=own_weight * (wide[climb.after, case] - wide[climb.before, case]),
        level=level,
        frequency=values.frequency[case],
        before=before,
        change=_brought(values, case, climb.after) - before,
        tallies=after,
    )


def _brought(values: CaseValues, case: IntArray, decision: IntArray) -> FloatArray:
    """What some of the cases bring with a decision each."""
    own = values.costs[decision, 0 if values.costs.shape[1] == 1 else case]
    return np.asarray(values.gain[values.level[case], decision] - own)


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


# ---------------------------------------------------------------- curves and points


def _curve(model: str, own: _Frontier) -> CapacityCurve:
    """Best profit against the capacity, from none to a tenth beyond what is ever used."""
    steps = own.of(own.resource)
    end = _nice_end(own, steps)
    capacity = np.linspace(steps.base.used, end, POINTS)
    if steps.base.used < steps.most < end:  # the corner where more capacity changes nothing
        capacity[np.searchsorted(capacity, steps.most)] = steps.most
    at = steps.points(capacity)
    half = at.half_width
    return CapacityCurve(
        model=model,
        capacity=capacity,
        profit=at.total,
        low=at.total - half,
        high=at.total + half,
        expected=at.tallies[EXPECTED],
        price=at.key,
        saturation=steps.most,
    )


def _nice_end(own: _Frontier, steps: StepCurve) -> float:
    """All cases acted on, or all the money that acting on all would cost."""
    values = own.values
    if own.resource == ACTIONS:
        return max(values.size * float(own.uses.actions.max()), steps.most)
    money = np.broadcast_to(own.uses.money, values.expected.shape)
    everyone = float(values.weight @ money.max(axis=0))
    return max(everyone, steps.most)


def _within(
    model: str,
    own: _Frontier,
    most_actions: float | None,
    most_money: float | None,
    check: Check,
) -> CapacityPoint:
    """The best decisions within the limits: no limit, one that binds, or both."""
    free = _at(own.of(own.resource), np.inf)
    limits = {ACTIONS: most_actions, MONEY: most_money}
    if _fits(free, limits):
        return _point(model, own, free, "none", 0.0, 0.0)
    for resource, limit in limits.items():
        if limit is None:
            continue
        steps = own.of(resource)
        _check_feasible(steps, resource, limit)
        at = _at(steps, limit)
        if _fits(at, limits):
            price = float(at.key[0])
            realised = _realised_price(steps, limit)
            is_money = resource == MONEY
            return _point(
                model,
                own,
                at,
                resource,
                0.0 if is_money else price,
                price if is_money else 0.0,
                realised,
            )
    assert most_actions is not None
    assert most_money is not None
    at, action_price, money_price = _both(own, most_actions, most_money, check)
    return _point(model, own, at, "both", action_price, money_price)


def _at(steps: StepCurve, amount: float) -> StepPoints:
    return steps.points(np.array([amount]))


def _fits(at: StepPoints, limits: dict[str, float | None]) -> bool:
    for resource, limit in limits.items():
        used = float(at.tallies[USED_ACTIONS if resource == ACTIONS else USED_MONEY, 0])
        if limit is not None and used > limit * (1.0 + 1e-9) + 1e-9:
            return False
    return True


def _check_feasible(steps: StepCurve, resource: str, limit: float) -> None:
    least = steps.base.used
    if limit < least * (1.0 - 1e-9) - 1e-9:
        raise PayoffError(
            f"At most {limit:,.6g} cannot be kept.",
            where="most money" if resource == MONEY else "most actions",
            why=f"Even the decisions that use least need {least:,.6g}.",
            remedy="Raise the limit, or add a decision that does nothing.",
        )


def _realised_price(steps: StepCurve, limit: float) -> float:
    """What one more unit really brought, over the twentieth before and after the limit."""
    width = NEIGHBOURHOOD * limit
    ends = np.array([limit - width, min(limit + width, steps.most)])
    if not ends[1] > ends[0]:
        return float("nan")
    total = steps.points(ends).total
    return float((total[1] - total[0]) / (ends[1] - ends[0]))


def _both(
    own: _Frontier, most_actions: float, most_money: float, check: Check
) -> tuple[StepPoints, float, float]:
    """Both limits bind: the money's price at which the best N actions cost the amount.

    Money used falls as its price rises. The price is closed in on; what is left between the two
    last trials is mixed, so that the amount is used up exactly (the last, fractional cases).
    """
    trials = _Trials(own, most_actions)
    # The price that the amount has alone: with a limit of actions beside it no more is spent.
    low, high = 0.0, max(float(_at(own.of(MONEY), most_money).key[0]), 1e-12)
    while trials.money(high) > most_money:  # ties and rounding
        high *= 1.5
    spent = trials.money(low), trials.money(high)
    for trial in range(TRIALS):
        check()
        if high - low <= 1e-12 * high or spent[0] - spent[1] <= trials.enough(most_money):
            break
        middle = 0.5 * (low + high)
        if trial % 3 < 2:  # money is nearly a line in its price; halving keeps it safe
            share = (spent[0] - most_money) / (spent[0] - spent[1])
            middle = low + min(max(share, 0.001), 0.999) * (high - low)
        money = trials.money(middle)
        if money > most_money:
            low, spent = middle, (money, spent[1])
        else:
            high, spent = middle, (spent[0], money)
    dear, cheap = (_at(own.curve(ACTIONS, price), most_actions) for price in (low, high))
    ends = float(dear.tallies[USED_MONEY, 0]), float(cheap.tallies[USED_MONEY, 0])
    width = ends[0] - ends[1]
    share = min(max((most_money - ends[1]) / width, 0.0), 1.0) if width > 0 else 0.0
    return _mixed(cheap, dear, share), float(cheap.key[0]), high


class _Trials:
    """Money that the best N actions cost at a price of money; quick, for it is asked often.

    Only cases that act where money is free can act where it costs something, if doing nothing costs
    nothing: the others are left out.
    """

    def __init__(self, own: _Frontier, most_actions: float) -> None:
        values, uses = own.values, own.uses
        money = np.broadcast_to(uses.money, values.expected.shape)
        start, climbs = climb(values.expected, uses.actions[:, np.newaxis], values.tolerance)
        kept = np.arange(start.shape[0])
        if np.all(money >= money[start, kept]):
            kept = np.unique(np.concatenate([part.case for part in climbs])) if climbs else kept[:0]
        self._least = float(
            values.weight @ money[start, np.arange(start.shape[0])]
            - values.weight[kept] @ money[start[kept], kept]
        )
        self._worth, self._money = values.expected[:, kept], money[:, kept]
        self._weight, self._actions = values.weight[kept], uses.actions
        self._tolerance, self._most = values.tolerance, most_actions
        self._largest = float((self._weight * self._money).max(initial=0.0))

    def enough(self, most_money: float) -> float:
        """How close two trials need to be; among many cases their mix is as good from afar."""
        if self._weight.shape[0] < FEW:
            return 1e-9 * most_money
        return max(1e-4 * most_money, self._largest)

    def money(self, price: float) -> float:
        """Money used by the best N actions."""
        worth = self._worth - price * self._money
        start, climbs = climb(worth, self._actions[:, np.newaxis], self._tolerance)
        every = np.arange(start.shape[0])
        used = self._least + float(self._weight @ self._money[start, every])
        left = self._most - float(self._weight @ self._actions[start])
        if not climbs:
            return used
        slope = np.concatenate([part.slope for part in climbs])
        extra = np.concatenate([self._extra(part, self._actions) for part in climbs])
        spent = np.concatenate([self._extra(part, self._money) for part in climbs])
        with fitting_threads(slope.shape[0]):
            order = argsort_descending(np.ascontiguousarray(slope))
        running, paid = np.cumsum(extra[order]), np.cumsum(spent[order])
        return used + _shared(slope[order], running, paid, left)

    def _extra(self, part: Climb, use: FloatArray) -> FloatArray:
        """What steps use more, weighted; ``use`` by decision, or by decision and case."""
        case = part.case
        if use.ndim == 1:
            return np.asarray(self._weight[case] * (use[part.after] - use[part.before]))
        return np.asarray(self._weight[case] * (use[part.after, case] - use[part.before, case]))


def _shared(slope: FloatArray, running: FloatArray, paid: FloatArray, left: float) -> float:
    """Money paid where ``left`` actions are used up; steps of equal slope share what is left."""
    if running[-1] <= left:
        return float(paid[-1])
    place = int(np.searchsorted(running, left))
    first = int(np.searchsorted(-slope, -slope[place]))
    end = int(np.searchsorted(-slope, -slope[place], side="right"))
    before = (running[first - 1], paid[first - 1]) if first else (0.0, 0.0)
    width = running[end - 1] - before[0]
    share = (left - before[0]) / width if width > 0 else 0.0
    return float(before[1] + share * (paid[end - 1] - before[1]))


def _mixed(first: StepPoints, second: StepPoints, share: float) -> StepPoints:
    """A share of the second and the rest of the first: they differ in few cases."""

    def mix(one: FloatArray, other: FloatArray) -> FloatArray:
        return np.asarray(one + share * (other - one))

    return replace(
        first,
        used=mix(first.used, second.used),
        tallies=mix(first.tallies, second.tallies),
        value=mix(first.value, second.value),
        square=mix(first.square, second.square),
    )


def _point(
    model: str,
    own: _Frontier,
    at: StepPoints,
    binding: str,
    action_price: float,
    money_price: float,
    realised_price: float = float("nan"),
) -> CapacityPoint:
    values, total, half = own.values, float(at.total[0]), float(at.half_width[0])
    actions = float(at.tallies[USED_ACTIONS, 0])
    counts = at.tallies[3:, 0]
    acted = float(counts[own.uses.actions > 0].sum())
    return CapacityPoint(
        model=model,
        binding=binding,
        actions=actions,
        money=float(at.tallies[USED_MONEY, 0]),
        depth=acted / values.size if values.size > 0 else 0.0,
        profit=Estimate(
            value=total,
            low=total - half,
            high=total + half,
            method=METHOD,
            holds_fixed=values.holds_fixed,
        ),
        expected=float(at.tallies[EXPECTED, 0]),
        action_price=action_price,
        money_price=money_price,
        realised_price=realised_price,
        counts=tuple(zip(values.names, map(float, counts), strict=True)),
    )
