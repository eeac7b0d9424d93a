"""Return on what is spent when the best n % are acted on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.decisions.case_values import CaseValues
from core.decisions.limits.frontier import Uses
from payoff.intervals import NORMAL_95
from payoff.types import FloatArray

SMALLEST = 0.005


@dataclass(frozen=True, slots=True, eq=False)
class RoiCurve:
    """Return by depth; arrays of one length.

    ``value`` = what acting on the best brings beyond their best other decision, over what it
    costs; ``low`` and ``high``: 95 % limits of that ratio.
    """

    depth: FloatArray
    value: FloatArray
    low: FloatArray
    high: FloatArray


def roi_by_depth(values: CaseValues, uses: Uses, depth: FloatArray) -> RoiCurve | None:
    """Return on the money spent by depth, best advantage first; None where nothing is spent.

    Parameters
    ----------
    values : CaseValues
    uses : Uses
        What a decision costs.
    depth : (M,) float64
        Rising shares of the cases; points below 0.5 % are left out, where few cases say nothing.
    """
    rest, acting = values.rest_decision(), values.acting
    cases = np.arange(len(rest))
    advantage = values.expected[acting] - values.expected[rest, cases]
    gained = values.realised(acting) - values.realised(rest)
    money = np.broadcast_to(uses.money, (uses.money.shape[0], len(rest)))
    spent = money[acting] - money[rest, cases]
    if not (spent > 0).any():
        return None
    weight = values.weight
    order = np.argsort(-advantage, kind="stable")
    ends = np.append(np.flatnonzero(np.diff(advantage[order])), len(order) - 1)
    at = depth[depth >= SMALLEST]

    def along(of_case: FloatArray) -> FloatArray:
        running = np.append(0.0, np.cumsum((weight * of_case)[order])[ends])
        share = np.append(0.0, np.cumsum(weight[order])[ends])
        return np.asarray(np.interp(at, share / share[-1], running))

    cost = along(spent)
    with np.errstate(invalid="ignore", divide="ignore"):
        ratio = along(gained) / cost
        squares = [along(weight * part) for part in (gained**2, gained * spent, spent**2)]
        away = squares[0] - 2.0 * ratio * squares[1] + ratio**2 * squares[2]
        half = NORMAL_95 * np.sqrt(np.maximum(away, 0.0)) / cost
    return RoiCurve(at, ratio, ratio - half, ratio + half)
