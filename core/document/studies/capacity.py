"""The best decisions where only so much can be done: at most N actions, at most an amount of money.

Amounts are profits, as in all results.
"""

from __future__ import annotations

from dataclasses import dataclass

from core.document.results import Estimate, RowsNote
from payoff.types import FloatArray

ACTIONS, MONEY = "actions", "money"

NO_COST = "no cost is given"
"""How the reason of a price begins that is only assumed: nobody said what an action costs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CapacityCurve:
    """One model's best profit against what may be used up, on a common grid."""

    model: str
    capacity: FloatArray
    profit: FloatArray  # realised
    low: FloatArray
    high: FloatArray
    expected: FloatArray  # what the chances promise of the same decisions
    price: FloatArray  # what one more unit is expected to bring
    saturation: float  # beyond it more capacity changes nothing


@dataclass(frozen=True, slots=True, kw_only=True)
class CapacityPoint:
    """One model's best decisions within the limits.

    ``action_price`` and ``money_price`` are the shadow prices: what one more action, one more unit
    of money, is expected to earn; 0 where that limit does not bind. ``realised_price`` is the same
    of the limit that binds as it really came in, over the twentieth before and after it (NaN where
    none binds).
    """

    model: str
    binding: str  # "none", "actions", "money", "both"
    actions: float
    money: float
    depth: float  # share of all cases acted on
    profit: Estimate
    expected: float
    action_price: float
    money_price: float
    realised_price: float
    counts: tuple[tuple[str, float], ...]  # decision -> prior-weighted cases


@dataclass(frozen=True, slots=True, kw_only=True)
class CapacityResult:
    """What the tab Capacity shows."""

    rows: RowsNote
    resource: str  # of the curves: ACTIONS or MONEY
    limit: float | None  # of that resource
    most_actions: float | None
    most_money: float | None
    cases: float  # prior-weighted
    acting: tuple[str, ...]  # decisions that count as an action
    price: float | None  # the price of an action that was assumed; None: costs are known
    price_reason: str
    curves: tuple[CapacityCurve, ...]
    points: tuple[CapacityPoint, ...]
    free: tuple[CapacityPoint, ...]  # without limits
    holds_fixed: str
    seconds: float

    def point(self, model: str) -> CapacityPoint | None:
        """The best decisions of a model within the limits."""
        return next((entry for entry in self.points if entry.model == model), None)
