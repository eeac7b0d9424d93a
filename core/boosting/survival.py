"""From scores to survival: the baseline hazard, and the chance to last beyond a time.

Breslow's estimate, with Efron's rule for ties where the model has it, weights, strata and entry
times: at an event time the hazard jumps by the events' weight over the risk e^F of all at risk.
R's ``basehaz.gbm(smooth = FALSE)`` is the unweighted case, read off by straight lines between event
times; here the hazard is the step function that the estimate is. A loss whose score says the whole
distribution of the time (accelerated failure times) needs no hazard: it gives its own chances.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.boosting.model import BoostedModel
from payoff.errors import PayoffError
from payoff.specs import LossDistribution
from payoff.types import FloatArray, IntArray
from payoff.vocabulary import TargetDomain

BRESLOW, EFRON = "breslow", "efron"
STEP, LINEAR = "step", "linear"


@dataclass(frozen=True, slots=True, eq=False)
class BaselineHazard:
    """The hazard of a case of score 0 in one stratum.

    Attributes
    ----------
    times : float64 (E,)
        Event times, rising.
    jumps : float64 (E,)
        Hazard at each of them.
    last_time : float
        The longest time observed; nothing is known beyond it.
    """

    times: FloatArray
    jumps: FloatArray
    last_time: float

    @property
    def cumulative(self) -> FloatArray:
        """Cumulative hazard at the event times."""
        total: FloatArray = np.cumsum(self.jumps)
        return total

    def at(self, times: FloatArray, interpolation: str = STEP) -> FloatArray:
        """Cumulative hazard at any times.

        Parameters
        ----------
        times : float64 (m,)
        interpolation : str
            "step": 0 before the first event, NaN beyond the longest time observed. "linear": as
            R's gbm, straight between event times and NaN outside of them.

        Raises
        ------
        PayoffError
            For another interpolation.
        """
        if interpolation == LINEAR:
            return np.interp(times, self.times, self.cumulative, left=np.nan, right=np.nan)
        if interpolation != STEP:
            raise PayoffError(
                f"There is no interpolation '{interpolation}'.", why="There are: step, linear."
            )
        total = np.concatenate([[0.0], self.cumulative])
        found = total[np.searchsorted(self.times, times, side="right")]
        return np.where(times > self.last_time, np.nan, found)

    def survival(self, score: FloatArray, times: FloatArray) -> FloatArray:
        """Chance (n, m) of each case to last beyond each time."""
        hazard = self.at(times)
        probability: FloatArray = np.exp(-np.exp(score)[:, None] * hazard[None, :])
        return probability


def gives_probabilities(spec: LossDistribution) -> bool:
    """Whether models of a loss have chances over time: by a baseline hazard, or their own."""
    is_hazard = not spec.predicts_time
    return spec.target is TargetDomain.TIME_EVENT and (is_hazard or spec.surviving is not None)


def own_survival(model: BoostedModel, score: FloatArray, times: FloatArray) -> FloatArray | None:
    """Chance (n, m) to last beyond each time by the loss itself; None where it takes a hazard.

    Parameters
    ----------
    model : BoostedModel
    score : float64 (n,)
        Link scores with offset.
    times : float64 (m,)
        Times before 0 are as 0: every case lasts beyond them.
    """
    surviving = model.distribution.surviving
    if surviving is None:
        return None
    return surviving(score, np.maximum(times, 0.0), model.parameters)


def baseline_hazard(
    time: FloatArray,
    event: FloatArray,
    score: FloatArray,
    *,
    weight: FloatArray | None = None,
    entry: FloatArray | None = None,
    ties: str = BRESLOW,
) -> BaselineHazard:
    """Estimate the baseline hazard of one stratum.

    Parameters
    ----------
    time, event, score : float64 (n,)
        End of each case, 1 where the event happened then, and its score with offset.
    weight : float64 (n,), optional
    entry : float64 (n,), optional
        A case is at risk after its entry and up to its end.
    ties : str
        "breslow", or "efron": tied events leave the risk one after the other.

    Raises
    ------
    PayoffError
        If there is no event, or for another rule of ties.
    """
    if ties not in (BRESLOW, EFRON):
        raise PayoffError(f"There is no rule '{ties}' for ties.", why="There are: breslow, efron.")
    mass = np.ones(len(time)) if weight is None else weight
    happened = (event == 1.0) & (mass > 0.0)
    if not happened.any():
        raise PayoffError("There is no baseline hazard without an event.")
    times, place, counts = np.unique(time[happened], return_inverse=True, return_counts=True)
    top = float(score[mass > 0.0].max())
    risk = mass * np.exp(np.minimum(score - top, 0.0))  # weightless cases may lie far above
    at_risk = _sum_from(time, risk, times)
    if entry is not None:
        at_risk -= _sum_from(entry, risk, times)
    weights = np.bincount(place, weights=mass[happened]).astype(np.float64)
    tied = np.bincount(place, weights=risk[happened]).astype(np.float64)
    at_risk = np.maximum(at_risk, tied)  # what rounding may have taken from the last few
    jumps = weights / at_risk if ties == BRESLOW else _efron_jumps(weights, at_risk, tied, counts)
    return BaselineHazard(times, jumps * np.exp(-top), float(time[mass > 0.0].max()))


def _sum_from(keys: FloatArray, values: FloatArray, starts: FloatArray) -> FloatArray:
    """For each start the sum of the values whose key is at least that."""
    order = np.argsort(-keys, kind="stable")
    running = np.concatenate([[0.0], np.cumsum(values[order])])
    found: FloatArray = running[np.searchsorted(-keys[order], -starts, side="right")]
    return found


def _efron_jumps(
    weights: FloatArray, at_risk: FloatArray, tied: FloatArray, counts: IntArray
) -> FloatArray:
    jumps = np.zeros_like(at_risk)
    for gone in range(int(counts.max())):
        still = counts > gone
        left = at_risk[still] - gone / counts[still] * tied[still]
        jumps[still] += weights[still] / (counts[still] * left)
    return jumps
