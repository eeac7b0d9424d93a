"""The baseline nu of V_nu = sum of (y - nu) s: the constant that makes the curve least noisy."""

from __future__ import annotations

import numpy as np

from core.document.uplift.model import NuChoice
from core.uplift.ranking import UpliftRanking
from payoff.types import FloatArray


def chosen_nu(ranking: UpliftRanking, choice: NuChoice | float) -> float:
    """The baseline that an experiment asks for."""
    if not isinstance(choice, NuChoice):
        return choice
    if choice is NuChoice.OVERALL:
        return overall_nu(ranking)
    return area_nu(ranking) if choice is NuChoice.AREA else 0.0


def overall_nu(ranking: UpliftRanking) -> float:
    """nu* = sum(y s^2) / sum(s^2): best for the last point, and near the best for the area."""
    return float(ranking.signed[3, -1] / ranking.signed[4, -1])


def pointwise_nu(ranking: UpliftRanking) -> FloatArray:
    """The same over the best cases down to the end of each group, (G,): appendix C's nu*(r)."""
    return np.asarray(ranking.signed[3] / ranking.signed[4])


def area_nu(ranking: UpliftRanking, *, minus_random: bool = False) -> float:
    """The constant that is about the best for the area: increments count by the depth that follows.

    sum(c^2 s^2 y) / sum(c^2 s^2) with c = 1 - X in the middle of the group, or 1/2 - X for the area
    above chance. Exact where the propensity is 1/2.
    """
    x, ssy, ss = ranking.signed[0], ranking.signed[3], ranking.signed[4]
    middle = 0.5 * (x + np.concatenate([[0.0], x[:-1]]))
    factor = (0.5 if minus_random else 1.0) * x[-1] - middle
    square = factor * factor
    bottom = float(square @ np.diff(ss, prepend=0.0))
    if bottom <= 0.0:
        return overall_nu(ranking)
    return float(square @ np.diff(ssy, prepend=0.0)) / bottom
