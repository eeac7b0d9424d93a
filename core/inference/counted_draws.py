"""Paired differences of resamples, counted.

Beside ``core.inference.resampled`` for two reasons: nothing here needs scipy, which the first
totals do without; and docs/decisions.md promises of money that a p-value is the smaller share
doubled, never below 2 / draws. One draw added to each tail would move it by up to 2 / draws, in the
third digit that is shown.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.inference.normal import CONFIDENCE
from payoff.types import FloatArray

_NAN = float("nan")


@dataclass(frozen=True, slots=True)
class CountedDraws:
    """Paired differences of resamples, counted.

    ``low`` and ``high`` are the 95 % percentiles, between draws by a straight line; ``p_value`` is
    two-sided, never below 2 / ``draws``; ``ahead`` and ``level`` are the draws above 0 and at it.
    """

    draws: int
    low: float
    high: float
    p_value: float
    ahead: int
    level: int


def count_draws(difference: FloatArray) -> CountedDraws:
    """Count paired differences (draws,) of resamples that no value or bias is known of."""
    draws = len(difference)
    if draws == 0:
        return CountedDraws(0, _NAN, _NAN, _NAN, 0, 0)
    ahead, behind = int((difference > 0).sum()), int((difference < 0).sum())
    tail = (1.0 - CONFIDENCE) / 2.0
    low, high = np.quantile(difference, [tail, 1.0 - tail])
    fewer = min(draws - ahead, draws - behind)
    p_value = min(1.0, max(2.0 * fewer / draws, 2.0 / draws))
    return CountedDraws(draws, float(low), float(high), p_value, ahead, draws - ahead - behind)
