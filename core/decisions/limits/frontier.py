"""What decisions use up, and the way each case climbs to ever better and dearer decisions.

A case's points are (use, expected); of them only the upper hull can be best at some price per unit.
Its steps, of all cases together, best gain per unit first, are the curve of a capacity.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.decisions.case_values import CaseValues
from core.decisions.limits.steps import StepBase, StepCurve, StepPoints, Steps
from core.decisions.problem import DecisionProblem
from core.decisions.ties import first_best
from core.document.studies.decided_cases import ACTIONS, NO_COST
from payoff.errors import PayoffError
from payoff.types import FloatArray, IntArray

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
    value = values.brought(start)
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
    return values.brought_by(case, decision)


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
