"""Capacity and budget: the best decisions under "at most N actions", "at most an amount", or both.

Maximise the sum of w(i) E(i, d(i)) where the sum of w(i) u(i, d(i)) may not exceed a capacity. This
is a multiple-choice knapsack. Its linear relaxation is solved exactly by a price per unit
(Lagrange; Sinha and Zoltners 1979, "The multiple-choice knapsack problem", Operations Research):
each case climbs the upper hull of its points (u, E); the steps of all cases are taken by their
gain per unit, highest first, until the capacity is used up. The relaxation parts from a whole
solution in the last, fractional step only. The gain per unit of the step that would come next is
the shadow price: what one more unit is expected to earn. With two capacities the money's price is
searched for; each trial is a problem of actions alone, in which every decision has paid that price.

Two limits that both bind: the price of money at which the best N actions cost the amount.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from core.decisions.limits.frontier import (
    EXPECTED,
    USED_ACTIONS,
    USED_MONEY,
    Climb,
    Frontier,
    StepCurve,
    StepPoints,
    Uses,
    at_amount,
    climb,
    uses_of,
)
from core.decisions.passes.case_values import values_of
from core.decisions.passes.workspace import Analysis
from core.decisions.uncertainty.intervals import METHOD
from core.document.results import Estimate
from core.document.studies.decided_cases import (
    ACTIONS,
    MONEY,
    CapacityCurve,
    CapacityPoint,
    CapacityResult,
)
from core.kernels import argsort_descending, fitting_threads
from core.questions.decide import Capacity
from core.questions.lanes import Watch
from payoff.errors import PayoffError
from payoff.types import FloatArray

TRIALS = 60

FEW = 10_000
"""Cases below which the money's price is closed in on to the last digit."""

Check = Callable[[], None]


def both_limits(
    own: Frontier, most_actions: float, most_money: float, check: Check
) -> tuple[StepPoints, float, float]:
    """Both limits bind: the money's price at which the best N actions cost the amount.

    Money used falls as its price rises. The price is closed in on; what is left between the two
    last trials is mixed, so that the amount is used up exactly (the last, fractional cases).
    """
    trials = _Trials(own, most_actions)
    # The price that the amount has alone: with a limit of actions beside it no more is spent.
    low, high = 0.0, max(float(at_amount(own.of(MONEY), most_money).key[0]), 1e-12)
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
    expensive, cheap = (at_amount(own.curve(ACTIONS, price), most_actions) for price in (low, high))
    ends = float(expensive.tallies[USED_MONEY, 0]), float(cheap.tallies[USED_MONEY, 0])
    width = ends[0] - ends[1]
    share = min(max((most_money - ends[1]) / width, 0.0), 1.0) if width > 0 else 0.0
    return _mixed(cheap, expensive, share), float(cheap.key[0]), high


class _Trials:
    """Money that the best N actions cost at a price of money; quick, for it is asked often.

    Only cases that act where money is free can act where it costs something, if doing nothing costs
    nothing: the others are left out.
    """

    def __init__(self, own: Frontier, most_actions: float) -> None:
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


POINTS = 401
"""Places of a curve."""

NEIGHBOURHOOD = 0.05
"""Share of the capacity before and after it that the realised price is read from."""


def best_within(inputs: Analysis, question: Capacity, watch: Watch) -> CapacityResult:
    """The best decisions of every model of an analysis within limits.

    Parameters
    ----------
    inputs : Analysis
    question : Capacity
        Actions are counted in prior-weighted cases; ``price`` counts where the problem has no
        costs, left out: the most an action can lose; ``units`` left out: 1 for every decision but
        doing nothing.
    watch : Watch

    Raises
    ------
    PayoffError
        If a limit is negative, or even the cheapest decisions do not fit.
    """
    state, check = inputs.state, watch.check
    most_actions, most_money = question.most_actions, question.most_money
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
        uses = uses_of(state.problem, values, price=question.price, units=question.units)
        own = Frontier(values, uses, resource)
        curves.append(_curve(model.scores.name, own))
        points.append(_within(model.scores.name, own, most_actions, most_money, check))
        free.append(_within(model.scores.name, own, None, None, check))
        size = values.size
    assert uses is not None  # an analysis has a model
    return CapacityResult(
        rows=inputs.rows,
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


# ---------------------------------------------------------------- curves and points


def _curve(model: str, own: Frontier) -> CapacityCurve:
    """Best profit against the capacity, from none to a tenth beyond what is ever used."""
    steps = own.of(own.resource)
    end = _nice_end(own, steps)
    capacity = np.linspace(steps.base.used, end, POINTS)
    if steps.base.used < steps.most < end:  # the corner where more capacity changes nothing
        capacity[np.searchsorted(capacity, steps.most)] = steps.most
    at = steps.points(capacity)
    low, high = at.limits
    return CapacityCurve(
        model=model,
        capacity=capacity,
        profit=at.total,
        low=low,
        high=high,
        expected=at.tallies[EXPECTED],
        price=at.key,
        saturation=steps.most,
    )


def _nice_end(own: Frontier, steps: StepCurve) -> float:
    """All cases acted on, or all the money that acting on all would cost."""
    values = own.values
    if own.resource == ACTIONS:
        return max(values.size * float(own.uses.actions.max()), steps.most)
    money = np.broadcast_to(own.uses.money, values.expected.shape)
    everyone = float(values.weight @ money.max(axis=0))
    return max(everyone, steps.most)


def _within(
    model: str,
    own: Frontier,
    most_actions: float | None,
    most_money: float | None,
    check: Check,
) -> CapacityPoint:
    """The best decisions within the limits: no limit, one that binds, or both."""
    free = at_amount(own.of(own.resource), np.inf)
    limits = {ACTIONS: most_actions, MONEY: most_money}
    if _fits(free, limits):
        return _point(model, own, free, "none", 0.0, 0.0)
    for resource, limit in limits.items():
        if limit is None:
            continue
        steps = own.of(resource)
        _check_feasible(steps, resource, limit)
        at = at_amount(steps, limit)
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
    at, action_price, money_price = both_limits(own, most_actions, most_money, check)
    return _point(model, own, at, "both", action_price, money_price)


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


def _point(
    model: str,
    own: Frontier,
    at: StepPoints,
    binding: str,
    action_price: float,
    money_price: float,
    realised_price: float = float("nan"),
) -> CapacityPoint:
    values, (low, high) = own.values, at.limits
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
            value=float(at.total[0]),
            low=float(low[0]),
            high=float(high[0]),
            method=METHOD,
            holds_fixed=values.holds_fixed,
        ),
        expected=float(at.tallies[EXPECTED, 0]),
        action_price=action_price,
        money_price=money_price,
        realised_price=realised_price,
        counts=tuple(zip(values.names, map(float, counts), strict=True)),
    )
