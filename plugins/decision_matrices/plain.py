"""Plain matrices: the user writes the cells; here is only what the editor starts from."""

from __future__ import annotations

import numpy as np

import payoff
from payoff.types import FloatArray

_ACT, _NOTHING = "Act", "Do nothing"


def _cells(n_levels: int, event: tuple[float, float], other: tuple[float, float]) -> FloatArray:
    """One row for the event, the other row for every other level; (levels, 2)."""
    return np.array([event] + [other] * (n_levels - 1), dtype=np.float64)


def profit_cells(n_levels: int, parameters: payoff.Parameters) -> FloatArray:
    """Acting wins 1 on an event and loses 1 on any other case."""
    return _cells(n_levels, (1.0, 0.0), (-1.0, 0.0))


def loss_cells(n_levels: int, parameters: payoff.Parameters) -> FloatArray:
    """Each mistake loses 1."""
    return _cells(n_levels, (0.0, 1.0), (1.0, 0.0))


def revenue_cells(n_levels: int, parameters: payoff.Parameters) -> FloatArray:
    """Acting takes in 1 on an event; what it costs stands beside the matrix."""
    return _cells(n_levels, (1.0, 0.0), (0.0, 0.0))


PROFIT = payoff.DecisionMatrix(
    id="payoff.profit",
    label="Profit",
    help="What each decision earns for each class; a negative number is a loss.",
    formula="decide for the largest Σ over classes of profit × chance",
    reference="SAS Enterprise Miner, decisions",
    kind=payoff.ConsequenceKind.PROFIT,
    decisions=(_ACT, _NOTHING),
    consequences=profit_cells,
    acting=_ACT,
    do_nothing=_NOTHING,
    is_plain=True,
)

LOSS = payoff.DecisionMatrix(
    id="payoff.loss",
    label="Loss",
    help="What each decision loses for each class; the smallest expected loss is chosen.",
    formula="decide for the smallest Σ over classes of loss × chance",
    reference="SAS Enterprise Miner, decisions",
    kind=payoff.ConsequenceKind.LOSS,
    decisions=(_ACT, _NOTHING),
    consequences=loss_cells,
    acting=_ACT,
    do_nothing=_NOTHING,
    is_plain=True,
)

REVENUE = payoff.DecisionMatrix(
    id="payoff.revenue",
    label="Revenue with costs",
    help="What each decision takes in for each class; each decision's cost stands beside it.",
    formula="decide for the largest Σ over classes of revenue × chance, less the decision's cost",
    reference="SAS Enterprise Miner, decisions",
    kind=payoff.ConsequenceKind.REVENUE,
    decisions=(_ACT, _NOTHING),
    consequences=revenue_cells,
    acting=_ACT,
    do_nothing=_NOTHING,
    is_plain=True,
)
