"""An experiment as arrays: who was treated, what came of it, and with which chance.

The chance of treatment where no column says it: that of an experiment with one share for all.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from payoff.counting import counted
from payoff.errors import PayoffError
from payoff.types import FloatArray

ArmArray: TypeAlias = NDArray[np.uint8]
_NONE: FloatArray = np.empty(0)

# Why a row is none of the cases.
OTHER_ARM = "in another arm"
WEIGHTLESS = "of weight 0"
SCORELESS = "without a score of every model"


@dataclass(frozen=True, kw_only=True, eq=False)
class Experiment:
    """Cases of two arms with their outcome.

    Attributes
    ----------
    outcome : (n,) float64
        0/1 or any finite number.
    treated : (n,) uint8
        1 in the treated arm, 0 in the control arm.
    propensity : (n,) float64 or (0,)
        Chance of being treated; empty = the share of the treated, the same for all.
    weight : (n,) float64 or (0,)
        Case weights; weight 2 = the case twice. Empty = 1 each.
    is_sampled : bool
        Weights say for how many of the population a row stands; it is one case that was seen.
    known_widening : float, optional
        ``widening`` of cases of which these are sums.
    """

    outcome: FloatArray
    treated: ArmArray
    propensity: FloatArray
    weight: FloatArray
    is_sampled: bool = False
    known_widening: float | None = None

    def __len__(self) -> int:
        return len(self.outcome)

    @property
    def has_propensity(self) -> bool:
        """Whether the chance of being treated is known case by case."""
        return len(self.propensity) > 0

    @cached_property
    def sizes(self) -> tuple[float, float]:
        """Weight of the treated and of the control cases."""
        if len(self.weight):
            total = float(self.weight.sum())
            treated = float(self.weight @ self.treated)
        else:
            total, treated = float(len(self)), float(np.count_nonzero(self.treated))
        return treated, total - treated

    @property
    def total(self) -> float:
        """Weight of all cases."""
        return self.sizes[0] + self.sizes[1]

    @property
    def share(self) -> float:
        """Share of the treated."""
        return self.sizes[0] / self.total

    @cached_property
    def is_binary(self) -> bool:
        """Whether the outcome is 0 or 1 for every case."""
        return bool(np.all((self.outcome == 0.0) | (self.outcome == 1.0)))

    @cached_property
    def probability(self) -> FloatArray:
        """Chance of being treated of every case, (n,)."""
        return self.propensity if self.has_propensity else np.full(len(self), self.share)

    @cached_property
    def frequency(self) -> FloatArray:
        """Weight of every case, (n,)."""
        return self.weight if len(self.weight) else np.ones(len(self))

    @cached_property
    def signed_weight(self) -> FloatArray:
        """s = t/e - (1-t)/(1-e) of every case, (n,)."""
        e = self.probability
        return np.where(self.treated > 0, 1.0 / e, -1.0 / (1.0 - e))

    @cached_property
    def step(self) -> FloatArray:
        """w = 1/(2q), what a case adds to the re-balanced depth times the number of cases, (n,)."""
        return np.abs(self.signed_weight) / 2.0

    @property
    def effective_size(self) -> float:
        """Number of equally weighted cases that would be as sure: (sum of s)^2 / sum of s^2."""
        weights = self.frequency * np.abs(self.signed_weight)
        return float(weights.sum() ** 2 / (weights @ np.abs(self.signed_weight)))

    @property
    def widening(self) -> float:
        """How much wider intervals are for sampling weights than for equal counts (Kish)."""
        if not self.is_sampled:
            return 1.0
        if self.known_widening is not None:
            return self.known_widening
        return float(np.sqrt((self.weight @ self.weight) / self.weight.sum()))

    def at_effective_size(self) -> Experiment:
        """The same for tests: sampling weights add up to the cases that were as good as seen."""
        if not self.is_sampled:
            return self
        known = None if self.known_widening is None else 1.0
        return replace(self, weight=self.weight / self.widening**2, known_widening=known)

    def swapped(self) -> Experiment:
        """The same with the arms changed round."""
        propensity = 1.0 - self.propensity if self.has_propensity else _NONE
        return replace(self, treated=(1 - self.treated).astype(np.uint8), propensity=propensity)

    def with_outcome(self, outcome: FloatArray) -> Experiment:
        """The same cases with another outcome."""
        return replace(self, outcome=outcome)

    def with_propensity(self, propensity: FloatArray | None) -> Experiment:
        """The same cases with other chances of being treated; None = the share."""
        return replace(self, propensity=_NONE if propensity is None else propensity)

    def rows(self, chosen: NDArray[np.int64] | NDArray[np.bool_]) -> Experiment:
        """Some of the cases; chances that were the share of all are the share of these."""
        return replace(
            self,
            outcome=np.ascontiguousarray(self.outcome[chosen]),
            treated=np.ascontiguousarray(self.treated[chosen]),
            propensity=np.ascontiguousarray(self.propensity[chosen])
            if self.has_propensity
            else _NONE,
            weight=np.ascontiguousarray(self.weight[chosen]) if len(self.weight) else _NONE,
        )


def make_experiment(
    outcome: FloatArray,
    treated: NDArray[np.bool_] | ArmArray,
    *,
    propensity: FloatArray | None = None,
    weight: FloatArray | None = None,
    is_sampled: bool = False,
    widening: float | None = None,
    where: str = "",
) -> Experiment:
    """Check the arrays and make the experiment.

    Parameters
    ----------
    outcome : (n,) float64
    treated : (n,) bool or 0/1
    propensity, weight : (n,) float64, optional
    is_sampled : bool
        What the weights say; those with fractions are no counts, whatever is said.
    widening : float, optional
        Where cases are sums of others: what sampling weights of those widen.
    where : str
        Names the data in refusals.

    Raises
    ------
    PayoffError
        For an arm without cases, missing or infinite numbers, propensities outside (0, 1), weights
        below 0.
    """
    outcome = np.ascontiguousarray(outcome, dtype=np.float64)
    arms = np.ascontiguousarray(treated, dtype=np.uint8)
    if len(arms) != len(outcome):
        raise PayoffError(
            f"{counted(len(outcome), 'outcome')} and "
            f"{counted(len(arms), 'treatment does', 'treatments do')} not match."
        )
    _refuse(~np.isfinite(outcome), outcome, "outcome", where, "It must be a finite number.")
    if weight is not None:
        weight = np.ascontiguousarray(weight, dtype=np.float64)
        bad = ~np.isfinite(weight) | (weight < 0)
        _refuse(bad, weight, "weight", where, "Weights are finite numbers of 0 or more.")
    made = Experiment(
        outcome=outcome,
        treated=arms,
        propensity=_NONE,
        weight=_NONE if weight is None else weight,
        is_sampled=weight is not None and (is_sampled or bool((weight % 1 != 0).any())),
        known_widening=widening,
    )
    if min(made.sizes) <= 0:
        missing = "treated" if made.sizes[0] <= 0 else "control"
        raise PayoffError(
            f"No case is in the {missing} arm: an effect cannot be measured.",
            where=where,
            why="An effect is the difference of two arms.",
            remedy="Choose rows, or a treatment column, in which both arms appear.",
        )
    if propensity is None:
        return made
    return made.with_propensity(checked_propensity(propensity, len(outcome), where))


def checked_clip(clip: float | None) -> float | None:
    """How far propensities are kept from 0 and 1.

    Raises
    ------
    PayoffError
        Where it does not lie between 0 and 0.5.
    """
    if clip is not None and not 0 < clip < 0.5:
        raise PayoffError("The threshold for clipping lies between 0 and 0.5.")
    return clip


def checked_propensity(propensity: FloatArray, rows: int, where: str = "") -> FloatArray:
    """Propensities that may be divided by.

    Raises
    ------
    PayoffError
        With the number of rows that are missing, outside 0 to 1, or exactly 0 or 1.
    """
    probabilities = np.ascontiguousarray(propensity, dtype=np.float64)
    if len(probabilities) != rows:
        raise PayoffError(
            f"{counted(len(probabilities), 'propensity', 'propensities')} "
            f"for {counted(rows, 'case')}.",
            where=where,
        )
    _refuse(np.isnan(probabilities), probabilities, "propensity", where, "It is missing.")
    outside = (probabilities < 0) | (probabilities > 1)
    _refuse(outside, probabilities, "propensity", where, "A chance lies between 0 and 1.")
    edge = (probabilities == 0) | (probabilities == 1)
    _refuse(
        edge,
        probabilities,
        "propensity",
        where,
        "A case that could be in one arm only says nothing of the effect, and dividing by its "
        "chance is impossible.",
        "Leave these cases out, or clip the propensities at a threshold of your choice.",
    )
    return probabilities


def _refuse(
    bad: NDArray[np.bool_],
    values: FloatArray,
    name: str,
    where: str,
    why: str,
    remedy: str = "",
) -> None:
    """Refuse with the count of bad rows, the first of them and its value."""
    count = int(np.count_nonzero(bad))
    if not count:
        return
    first = int(np.argmax(bad))
    raise PayoffError(
        f"The {name} cannot be used in {count:,} {'row' if count == 1 else 'rows'}.",
        where=f"{where + ', ' if where else ''}row {first + 1:,}, value {values[first]:g}",
        why=why,
        remedy=remedy or f"Correct the {name}, or leave these rows out.",
    )


def narrow_intervals(
    widening: float, total: float, rows: int, column: str | None
) -> tuple[str, ...]:
    """That intervals take sampling weights as counts, where that makes a difference.

    Parameters
    ----------
    widening, total, rows
        Of the experiment: ``widening``, ``total``, and how many cases were seen.
    """
    if column is None or (widening < 1.025 and widening > 0.975):
        return ()
    effective = total / widening**2
    by = (
        f"too narrow, by about {widening:.2f}"
        if widening > 1
        else f"too wide, by about {1 / widening:.2f}"
    )
    return (
        f"'{column}' says for how many cases of the population a row stands: "
        f"{counted(rows, 'row says', 'rows say')} as much as "
        f"{effective:,.0f} of equal weight. The checks of the split know this; "
        f"intervals of areas and effects take the weights as counts and are {by}.",
    )


def treated_share(treatment: FloatArray, rows: int, weight: FloatArray | None = None) -> FloatArray:
    """The share treated among the first ``rows`` cases, by weight, for every case, (n,).

    Raises
    ------
    PayoffError
        If one arm is empty there.
    """
    part = np.ones(rows) if weight is None else weight[:rows]
    whole = float(part.sum())
    share = float(part @ (treatment[:rows] == 1.0)) / whole if whole > 0 else 0.0
    if not 0.0 < share < 1.0:
        raise PayoffError(
            "The training rows have one arm only.",
            where="treatment",
            why="An effect is a difference between treated and other cases; treated is 1.",
        )
    return np.full(treatment.shape[0], share)
