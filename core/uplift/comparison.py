"""Two rankings on the same cases, compared case by case."""

from __future__ import annotations

import math

from core.document.results import Estimate, PairedDifference
from core.inference.normal import CONFIDENCE, normal_interval, two_sided_p_value
from core.uplift.areas import influence
from core.uplift.curves import curve_of
from core.uplift.ranking import UpliftRanking


def compare_areas(
    first: UpliftRanking,
    second: UpliftRanking,
    *,
    names: tuple[str, str] = ("first", "second"),
    variant: str = "generalised",
    nu: tuple[float, float] = (0.0, 0.0),
    confidence: float = CONFIDENCE,
) -> PairedDifference:
    """Area of the first less the second with the standard error of sd(psi_A - psi_B)/sqrt(N).

    Two rankings alike in every case differ by 0, with a p-value of 1.
    """
    gap = influence(first, variant, nu=nu[0]) - influence(second, variant, nu=nu[1])
    value = curve_of(first, variant, nu=nu[0]).area - curve_of(second, variant, nu=nu[1]).area
    experiment = first.experiment
    error = math.sqrt(float(experiment.frequency @ gap**2)) / experiment.total
    low, high = normal_interval(value, error, confidence)
    return PairedDifference(
        first=names[0],
        second=names[1],
        metric="aunuc" if variant == "generalised" else variant,
        estimate=Estimate(value=value, low=low, high=high, method="paired, analytic"),
        p_value=two_sided_p_value(value / error) if error > 0 else 1.0,
        standard_error=error,
    )
