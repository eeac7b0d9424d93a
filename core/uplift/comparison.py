"""Two rankings on the same cases, compared case by case."""

from __future__ import annotations

import math
from dataclasses import dataclass

from core.inference.normal import normal_interval, two_sided_p_value
from core.uplift.areas import influence
from core.uplift.curves import curve_of
from core.uplift.ranking import UpliftRanking


@dataclass(frozen=True, slots=True, kw_only=True)
class AreaDifference:
    """First area less second on the same cases."""

    difference: float
    standard_error: float
    low: float
    high: float
    p_value: float


def difference_of(estimate: float, error: float, confidence: float = 0.95) -> AreaDifference:
    """A normal interval and two-sided p-value; two rankings alike in every case differ by 0."""
    low, high = normal_interval(estimate, error, confidence)
    p_value = two_sided_p_value(estimate / error) if error > 0 else 1.0
    return AreaDifference(
        difference=estimate,
        standard_error=error,
        low=low,
        high=high,
        p_value=p_value,
    )


def compare_areas(
    first: UpliftRanking,
    second: UpliftRanking,
    *,
    variant: str = "generalised",
    nu: tuple[float, float] = (0.0, 0.0),
    confidence: float = 0.95,
) -> AreaDifference:
    """Area of the first less the second with the standard error of sd(psi_A - psi_B)/sqrt(N)."""
    gap = influence(first, variant, nu=nu[0]) - influence(second, variant, nu=nu[1])
    estimate = curve_of(first, variant, nu=nu[0]).area - curve_of(second, variant, nu=nu[1]).area
    experiment = first.experiment
    error = math.sqrt(float(experiment.frequency @ gap**2)) / experiment.total
    return difference_of(estimate, error, confidence)
