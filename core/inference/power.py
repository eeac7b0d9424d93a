"""The power of a paired comparison, from the standard error of the difference.

A two-sided test at a level finds a true difference d of standard error s with the power that the
non-central t distribution gives at d / s, with one degree of freedom less than there are units;
from ``MANY_UNITS`` on that is the normal one, where d = (z_(1 - level/2) + z_power) s. As in R's
``power.t.test(type = "paired")``, the wrong tail does not count as found.
"""

from __future__ import annotations

import math

from scipy.special import nctdtr, nctdtrinc

from core.inference.intervals import MANY_UNITS, student_point
from core.inference.normal import NORMAL

_STEPS = 200
_FEWEST = 2.0


def errors_apart(units: float, level: float, power: float) -> float:
    """The true difference in standard errors that is found with the power."""
    if units >= MANY_UNITS:
        return NORMAL.inv_cdf(1.0 - level / 2.0) + NORMAL.inv_cdf(power)
    freedom = units - 1.0
    limit = student_point(freedom, 1.0 - level / 2.0)
    return float(nctdtrinc(freedom, 1.0 - power, limit))


def power_at(apart: float, units: float, level: float) -> float:
    """The power for a true difference of so many standard errors."""
    if units >= MANY_UNITS:
        return NORMAL.cdf(apart - NORMAL.inv_cdf(1.0 - level / 2.0))
    freedom = units - 1.0
    return 1.0 - float(nctdtr(freedom, apart, student_point(freedom, 1.0 - level / 2.0)))


def times_as_many(apart: float, units: float, level: float, power: float) -> float:
    """How many times as many cases find a difference of so many of the present standard errors.

    Units grow with the cases and standard errors fall with the root of their number. At least two
    units are left.
    """
    low = max(_FEWEST / units, (errors_apart(MANY_UNITS, level, power) / apart) ** 2)
    if errors_apart(units * low, level, power) <= apart * math.sqrt(low):
        return low
    high = 2.0 * low
    while errors_apart(units * high, level, power) > apart * math.sqrt(high):
        low, high = high, 2.0 * high
    for _ in range(_STEPS):
        middle = (low + high) / 2.0
        if middle in (low, high):
            break
        is_enough = errors_apart(units * middle, level, power) <= apart * math.sqrt(middle)
        low, high = (low, middle) if is_enough else (middle, high)
    return high
