"""Cases followed for a time: Kaplan-Meier curves, their limits, AUC by time, own chances."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from payoff.errors import PayoffError
from payoff.groups import weighted_quantiles
from payoff.intervals import NORMAL_95
from payoff.sample import Sample
from payoff.types import BoolArray, FloatArray, IntArray

GROUPS = 3
RISK_NAMES = ("lowest third", "middle third", "highest third")
ROLE = "survival "
"""Roles "survival 2.5" ... hold the chances to last beyond a time that the model itself gave."""


@dataclass(frozen=True, slots=True, eq=False)
class Followed:
    """Cases followed for a time, with the event seen or not, entered at 0 or later."""

    time: FloatArray
    event: BoolArray
    entry: FloatArray
    weight: FloatArray

    def part(self, rows: BoolArray) -> Followed:
        """Some of the cases."""
        return Followed(self.time[rows], self.event[rows], self.entry[rows], self.weight[rows])


@dataclass(frozen=True, slots=True, eq=False)
class Survival:
    """A step curve: share without the event from each time on, and Greenwood's sum."""

    time: FloatArray
    share: FloatArray
    greenwood: FloatArray

    def at(self, time: FloatArray, *, is_before: bool = False) -> tuple[FloatArray, FloatArray]:
        """Share and Greenwood's sum at times, or just before them."""
        side: Literal["left", "right"] = "left" if is_before else "right"
        places = np.searchsorted(self.time, time, side=side)
        return (
            np.concatenate([[1.0], self.share])[places],
            np.concatenate([[0.0], self.greenwood])[places],
        )


def followed_of(sample: Sample) -> Followed:
    """The cases of a sample as followed times: roles "time" (or the outcome), "event", "entry".

    Raises
    ------
    PayoffError
        Without a column of events, or where none was seen.
    """
    event = np.asarray(sample.roles.get("event", ()), dtype=np.float64) > 0
    if not event.any():
        raise PayoffError(
            "No event was seen: survival curves need one.",
            remedy="Name the column that says whether the event was seen.",
        )
    entry = sample.roles.get("entry")
    return Followed(
        np.asarray(sample.roles.get("time", sample.outcome), dtype=np.float64),
        event,
        np.zeros(len(sample)) if entry is None else np.asarray(entry, dtype=np.float64),
        sample.weight,
    )


def kaplan_meier(cases: Followed, *, of_censoring: bool = False) -> Survival:
    """Kaplan and Meier's estimate of the share without the event (or not yet censored).

    At a time at which both happen, events come before censorings.
    """
    is_step = ~cases.event if of_censoring else cases.event
    times = np.unique(cases.time[is_step])
    at_risk = weight_at_risk(cases, times)
    place = np.searchsorted(times, cases.time[is_step])
    counted = np.bincount(place, weights=cases.weight[is_step], minlength=len(times))
    happened = counted.astype(np.float64)
    if of_censoring:  # events of the same time have left before
        also = np.isin(cases.time, times) & cases.event
        there = np.searchsorted(times, cases.time[also])
        at_risk = at_risk - np.bincount(there, weights=cases.weight[also], minlength=len(times))
    safe = np.maximum(at_risk, happened)
    with np.errstate(invalid="ignore", divide="ignore"):
        left_over: FloatArray = np.where(safe > 0, 1.0 - happened / safe, 1.0)
        steps = happened / (safe * (safe - happened))
    greenwood = np.cumsum(np.where(safe > happened, steps, np.inf))
    return Survival(times, np.asarray(np.cumprod(left_over)), np.asarray(greenwood))


def weight_at_risk(cases: Followed, times: FloatArray) -> FloatArray:
    """Weight of the cases under observation just before times: entered before, not yet ended."""
    order = np.argsort(cases.time, kind="stable")
    running = np.append(0.0, np.cumsum(cases.weight[order]))
    left = running[-1] - running[np.searchsorted(cases.time[order], times, side="left")]
    late = np.argsort(cases.entry, kind="stable")
    entered = np.append(0.0, np.cumsum(cases.weight[late]))
    waiting = entered[-1] - entered[np.searchsorted(cases.entry[late], times, side="left")]
    found: FloatArray = left - waiting
    return found


def observed_probability(cases: Followed) -> FloatArray:
    """Chance that a case with an event at its time is under observation just before, (n,).

    Weight at risk then over all weight and the chance to last till then: without late entry the
    chance G(t-) of not being censored before; with it also that of having entered by then, by one
    unknown factor that all cases share. 0 where nobody could last till then.
    """
    lasting = kaplan_meier(cases).at(cases.time, is_before=True)[0]
    whole = lasting * cases.weight.sum()
    there = weight_at_risk(cases, cases.time)
    seen: FloatArray = np.divide(there, whole, out=np.zeros(len(whole)), where=whole > 0.0)
    return seen


def limits(share: FloatArray, greenwood: FloatArray) -> tuple[FloatArray, FloatArray]:
    """95 % limits on the scale of log(-log share); NaN where it is 0 or 1 without spread."""
    with np.errstate(invalid="ignore", divide="ignore"):
        half = NORMAL_95 * np.sqrt(greenwood) / np.abs(np.log(share))
        low, high = share ** np.exp(half), share ** np.exp(-half)
    usable = np.isfinite(greenwood) & (share > 0) & (share < 1)
    low, high = np.where(usable, low, np.nan), np.where(usable, high, np.nan)
    return np.where(share == 1, 1.0, low), np.where(share == 1, 1.0, high)


@dataclass(frozen=True, slots=True, eq=False)
class RankedPairs:
    """Early and late cases in groups of equal risk, lowest first, at one time.

    ``early_squares`` and ``late_squares`` are the sums of squared weights of each group.
    """

    early: FloatArray
    late: FloatArray
    early_squares: FloatArray
    late_squares: FloatArray

    def area(self) -> float:
        """How often an early case has the higher risk, ties half; NaN without a pair."""
        whole = float(self.early.sum() * self.late.sum())
        below = np.cumsum(self.late) - 0.5 * self.late
        return float(self.early @ below) / whole if whole > 0 else float("nan")

    def deviation(self) -> float:
        """Standard error by DeLong's components; the censoring weights are taken as known."""
        early, late = float(self.early.sum()), float(self.late.sum())
        if early <= 0 or late <= 0:
            return float("nan")
        area = self.area()
        below = (np.cumsum(self.late) - 0.5 * self.late) / late
        above = (early - np.cumsum(self.early) + 0.5 * self.early) / early
        variance = float(self.early_squares @ (below - area) ** 2) / early**2
        variance += float(self.late_squares @ (above - area) ** 2) / late**2
        return float(np.sqrt(variance))


def risk_order(risk: FloatArray) -> tuple[IntArray, IntArray]:
    """Cases by rising risk, (n,), and where each group of equal risk begins."""
    order = np.argsort(risk, kind="stable")
    starts = np.flatnonzero(np.diff(risk[order])) + 1
    return order, np.append(0, starts)


def pairs_of(early: FloatArray, late: FloatArray, order: IntArray, starts: IntArray) -> RankedPairs:
    """Weights (n,) of early and of late cases, summed over groups of equal risk.

    ``order`` and ``starts`` are those of ``risk_order``.
    """
    early, late = early[order], late[order]
    return RankedPairs(
        *(np.add.reduceat(part, starts) for part in (early, late, early**2, late**2))
    )


def own_probabilities(sample: Sample) -> dict[float, FloatArray]:
    """Chances (n,) to last beyond each time that the model gave itself, by rising time."""
    named = {float(role[len(ROLE) :]): role for role in sample.roles if role.startswith(ROLE)}
    return {time: sample.roles[named[time]].astype(np.float64) for time in sorted(named)}


def risk_by_time(sample: Sample, times: FloatArray) -> FloatArray:
    """Risk that ranks the cases at each time: (times, n), or (n,) where it is the same at all.

    The model's own chance of the event by then, between two times for which it gave chances on the
    straight line between them, before the first and after the last the chance there; without own
    chances the predicted risk. Risks of two strata, or of curves that cross, rank only at a time.
    """
    own = own_probabilities(sample)
    if not own:
        return sample.score
    known, lasting = np.array(list(own)), np.array(list(own.values()))
    if len(known) == 1:
        return np.asarray(1.0 - lasting[0])
    before = np.clip(np.searchsorted(known, times, side="right") - 1, 0, len(known) - 2)
    way = (times - known[before]) / (known[before + 1] - known[before])
    part = np.clip(way, 0.0, 1.0)[:, np.newaxis]
    return np.asarray(1.0 - ((1.0 - part) * lasting[before] + part * lasting[before + 1]))


def times_of_events(followed: Followed, number: int) -> FloatArray:
    """Equally spaced times from the first to the last 5 % of the events, (number,)."""
    seen = followed.part(followed.event)
    early, late = weighted_quantiles(seen.time, seen.weight, (0.05, 0.95))
    return np.linspace(float(early), float(late), number)


def pairs_by_time(followed: Followed, risk: FloatArray, times: FloatArray) -> list[RankedPairs]:
    """Early cases (weighted by the inverse chance of being seen) and late ones at each time.

    Cases that entered after a time say nothing about it: they were chosen for lasting beyond.
    ``risk`` is (n,), or (times, n) where the order of the cases depends on the time.
    """
    seen = observed_probability(followed)
    with np.errstate(divide="ignore"):
        inverse = np.where(seen > 0, followed.weight / seen, 0.0)
    order, starts = risk_order(risk if risk.ndim == 1 else risk[0])
    found = []
    for place, time in enumerate(times):
        if risk.ndim > 1 and place > 0:
            order, starts = risk_order(risk[place])
        is_late = (followed.time > time) & (followed.entry <= time)
        early = np.where(followed.event & (followed.time <= time), inverse, 0.0)
        late = np.where(is_late, followed.weight, 0.0)
        found.append(pairs_of(early, late, order, starts))
    return found


def auc_by_time(followed: Followed, risk: FloatArray, times: FloatArray) -> FloatArray:
    """Cumulative / dynamic AUC at times."""
    return np.array([pairs.area() for pairs in pairs_by_time(followed, risk, times)])
