"""How many digits a program kept when it wrote numbers to a file."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from payoff.types import FloatArray

MOST_DIGITS = 9
FEWEST_DIGITS = 2  # of chances: coarser ones say too little to be told from wrong ones
EXACT = 1e-6
_LOOKED_AT = 10_000


def decimals_of(values: FloatArray) -> int:
    """Decimals that the values were rounded to; ``MOST_DIGITS`` where they were not.

    Parameters
    ----------
    values : (n,) float64
        Missing ones (NaN) are passed over; the first 10,000 are looked at.
    """
    known = values[:_LOOKED_AT]
    known = np.abs(known[np.isfinite(known)])
    for digits in range(MOST_DIGITS):
        scaled = known * 10.0**digits
        if bool(np.all(np.abs(scaled - np.rint(scaled)) <= 1e-6 * np.maximum(1.0, scaled * 1e-6))):
            return digits
    return MOST_DIGITS


def sum_tolerance(columns: Sequence[FloatArray]) -> float:
    """How far the chances of one case may be from a sum of 1 by their own rounding.

    Parameters
    ----------
    columns : sequence of (n,) float64
        One per class, as shares of 1.

    Returns
    -------
    float
        Half a unit of the last digit for each class; at least 1e-6, and that where fewer than two
        digits were kept.
    """
    digits = max(map(decimals_of, columns), default=MOST_DIGITS)
    if not FEWEST_DIGITS <= digits < MOST_DIGITS:
        return EXACT
    return max(EXACT, 0.5 * len(columns) * 10.0**-digits * (1.0 + 1e-9) + 1e-12)
