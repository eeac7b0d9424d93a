"""Two limits that both bind: the price of money at which the best N actions cost the amount."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from core.decisions.limits.frontier import USED_MONEY, Climb, Frontier, at_amount, climb
from core.decisions.limits.steps import StepPoints
from core.document.studies.decided_cases import ACTIONS, MONEY
from core.kernels import argsort_descending, fitting_threads
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
    dear, cheap = (at_amount(own.curve(ACTIONS, price), most_actions) for price in (low, high))
    ends = float(dear.tallies[USED_MONEY, 0]), float(cheap.tallies[USED_MONEY, 0])
    width = ends[0] - ends[1]
    share = min(max((most_money - ends[1]) / width, 0.0), 1.0) if width > 0 else 0.0
    return _mixed(cheap, dear, share), float(cheap.key[0]), high


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
