"""What one case brings at a depth, read from the table of what each code is worth."""

from __future__ import annotations

import numpy as np

from core.decisions.case_blocks import ByteArray, Index
from core.decisions.rating_kernels import DECISION, LEVEL, REST
from core.kernels import own_kernel
from payoff.types import FloatArray, IntArray

BASE, GAINED, OWN_WORTH, SPENT, IS_ACT = range(5)
"""Columns of ``worth``: what a case of a code brings beyond the depth, how much more within, by its
own decision; the constant cost of that; 1 where within means acting (0: its own decision)."""


@own_kernel(inline=True)
def case_cost(
    cost_row: IntArray,
    rate: FloatArray,
    costs: FloatArray,
    level: Index,
    decision: Index,
    row: Index,
) -> float:
    """A case's own cost of a decision; 0 where the cost is constant (the worth holds it)."""
    place = cost_row[decision]
    return float(rate[level, decision] * costs[place, row]) if place >= 0 else 0.0


@own_kernel(inline=True)
def acting_share(key: float, cut: float, share: float, sign: float) -> float:
    """Share of a case that is within the depth: 1 better than the cut, 0 beyond, tied: a share."""
    # Two choices without a branch: which side a case is on cannot be foreseen.
    inside = 1.0 if (key - cut) * sign > 0.0 else 0.0
    return share if key == cut else inside


@own_kernel(inline=True)
def case_value(
    row: Index,
    name: Index,
    parts: ByteArray,
    worth: FloatArray,
    cost_row: IntArray,
    rate: FloatArray,
    costs: FloatArray,
    acting: int,
    is_by_rule: bool,
    share: float,
) -> float:
    """What a case brings: by its own decision, or with ``share`` of it within the depth."""
    own, base, value = worth[name, OWN_WORTH], worth[name, BASE], worth[name, GAINED]
    if costs.shape[0] > 0:
        level = np.int64(parts[name, LEVEL])
        own -= case_cost(cost_row, rate, costs, level, np.int64(parts[name, DECISION]), row)
        if worth[name, IS_ACT] > 0.0:
            rest = np.int64(parts[name, REST])
            otherwise = case_cost(cost_row, rate, costs, level, rest, row)
            base -= otherwise
            value -= case_cost(cost_row, rate, costs, level, acting, row) - otherwise
        else:
            value = own
    return float(own) if is_by_rule else float(base + share * value)
