"""Which outcomes a loss distribution can be fitted to."""

from __future__ import annotations

import numpy as np

from payoff.errors import PayoffError
from payoff.parameters import Parameters
from payoff.specs import Columns, LossDistribution
from payoff.types import BoolArray, FloatArray
from payoff.vocabulary import TargetDomain

_WORDS = {
    TargetDomain.REAL: "a finite number",
    TargetDomain.BINARY: "0 or 1",
    TargetDomain.CLASSES: "a class number 0, 1, 2 ...",
    TargetDomain.COUNTS: "a finite number, 0 or more",
    TargetDomain.POSITIVE: "a finite number above 0",
    TargetDomain.TIME_EVENT: "a time above 0",
    TargetDomain.GRADES: "a finite grade, 0 or more",
}

_REMEDIES = {
    TargetDomain.TIME_EVENT: "Leave cases out that end at 0, or give them the smallest time above.",
}


def check_target(distribution: LossDistribution, outcome: FloatArray) -> None:
    """Refuse outcomes outside the distribution's domain, then ask its own check.

    Parameters
    ----------
    distribution : LossDistribution
    outcome : float64 array (n,)

    Raises
    ------
    PayoffError
        Naming the first row that does not fit.
    """
    wrong = ~_fits(distribution.target, outcome)
    if wrong.any():
        row = int(np.argmax(wrong))
        raise PayoffError(
            f"The target {outcome[row]:g} cannot be fitted by {distribution.label}.",
            where=f"row {row + 1}",
            why=f"It must be {_WORDS[distribution.target]}.",
            remedy=_REMEDIES.get(distribution.target, "") if outcome[row] == 0.0 else "",
        )
    if distribution.check_target is not None:
        distribution.check_target(outcome)


def check_cases(
    distribution: LossDistribution,
    outcome: FloatArray,
    weight: FloatArray,
    parameters: Parameters,
    columns: Columns,
) -> None:
    """Refuse cases that cannot be fitted together: one class only, or by the distribution's check.

    Parameters
    ----------
    distribution : LossDistribution
    outcome, weight : float64 arrays (n,)
    parameters : mapping of names to floats
    columns : mapping of names of extras to float64 arrays (n,)

    Raises
    ------
    PayoffError
        Saying which class alone there is, or what the distribution's own check says.
    """
    if distribution.target in (TargetDomain.BINARY, TargetDomain.CLASSES):
        seen = np.unique(outcome[weight > 0.0])
        if seen.size < 2:
            value = f" is always {seen[0]:g}" if seen.size else " has no case of positive weight"
            raise PayoffError(
                f"The target{value}.",
                why=f"{distribution.label} learns to tell classes apart.",
                remedy="Choose a target with at least two different values.",
            )
    if distribution.check_cases is not None:
        distribution.check_cases(outcome, weight, parameters, columns)


def _fits(domain: TargetDomain, outcome: FloatArray) -> BoolArray:
    fits: BoolArray = np.isfinite(outcome)
    if domain == TargetDomain.BINARY:
        fits &= (outcome == 0.0) | (outcome == 1.0)
    elif domain == TargetDomain.CLASSES:
        fits &= (outcome >= 0.0) & (outcome == np.floor(outcome))
    elif domain in (TargetDomain.COUNTS, TargetDomain.GRADES):
        fits &= outcome >= 0.0
    elif domain in (TargetDomain.POSITIVE, TargetDomain.TIME_EVENT):
        fits &= outcome > 0.0
    return fits
