"""Totals and counts of evaluated cases brought to a list of another size, its luck included."""

from __future__ import annotations

import numpy as np

from core.document.results import Estimate
from core.inference.normal import error_of_interval, normal_reach


def scaled_total(total: Estimate, wanted: int, size: float) -> Estimate:
    """Return a total of ``size`` evaluated cases brought to ``wanted`` new ones.

    With average m and its standard error s on n cases, the total of N cases has variance
    N² s² + N n s²: the population's mean is not known exactly, and N cases are a draw from it.
    """
    factor = wanted / size
    spread = error_of_interval(total.low, total.high) * factor
    half = normal_reach() * spread * float(np.sqrt(1.0 + size / wanted))
    value = total.value * factor
    return Estimate(
        value=value,
        low=value - half,
        high=value + half,
        method="scaled from the evaluated rows, luck of the list included",
        holds_fixed=total.holds_fixed,
        note=total.note,
    )


def scaled_count(share: float, wanted: int, cases: float) -> Estimate:
    """Return how many of ``wanted`` new cases a share of ``cases`` evaluated ones stands for."""
    spread = np.sqrt(share * (1.0 - share) * (wanted**2 / cases + wanted))
    value = share * wanted
    return Estimate(
        value=value,
        low=max(0.0, value - normal_reach() * float(spread)),
        high=min(float(wanted), value + normal_reach() * float(spread)),
        method="scaled from the evaluated rows, luck of the list included",
    )
