"""What the standard error of a paired difference says of the differences that would be found."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from core.document.results import Estimate
from core.document.studies.compare import PairPower
from core.evaluation.compare import DifferenceError
from core.inference.power import errors_apart, power_at, times_as_many

ALIKE = "the two do not differ on any case, so that nothing says how much they might."


def pair_power(
    pair: tuple[str, str],
    metric: str,
    observed: Estimate,
    error: DifferenceError,
    *,
    level: float,
    target_power: float,
    requested: float | None,
    cases: int,
) -> PairPower:
    """Return what a standard error says of the differences that would be found.

    Parameters
    ----------
    pair : tuple of str
        The two models.
    metric : str
    observed : Estimate
        Their difference.
    error : DifferenceError
        Its standard error, and the number of units that it rests on.
    level, target_power : float
        Of the two-sided test.
    requested : float or None
        A difference to plan for, in the metric's unit; None: the observed one.
    cases : int
        Cases that the difference was measured on.
    """
    has_interval = math.isfinite(observed.value) and math.isfinite(observed.low)
    known = has_interval and error.error > 0.0 and error.units > 1
    smallest = needed = power = math.nan
    difference = abs(observed.value if requested is None else requested)
    if known:
        smallest = errors_apart(error.units, level, target_power) * error.error
        apart = difference / error.error
        if requested is not None:
            power = power_at(apart, error.units, level)
        needed = math.inf
        if apart > 0.0:
            times = times_as_many(apart, error.units, level, target_power)
            needed = float(np.ceil(cases * times * (1.0 - 1e-12)))
    elif not observed.note:
        observed = replace(observed, note=ALIKE if error.error == 0.0 else "There is no interval.")
    return PairPower(
        first=pair[0],
        second=pair[1],
        metric=metric,
        observed=observed,
        standard_error=error.error,
        units=error.units,
        method=error.method,
        smallest=smallest,
        difference=difference,
        cases_needed=needed,
        power=power,
    )
