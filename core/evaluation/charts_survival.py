"""Charts of survival times: Kaplan-Meier by risk group, AUC by time, events by risk."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from core.document.results import Chart, Curve
from core.evaluation.calibration import group_count
from core.evaluation.cases import Cases
from core.evaluation.chart_bands import RankedPairs, area_band
from core.evaluation.chart_lines import baseline
from core.evaluation.charts_numbers import grouped
from core.evaluation.problem import ModelScores
from payoff.types import BoolArray, FloatArray

GROUPS = 3
TIMES = 60
POINTS = 301
_Z = 1.959963984540054
RISK_NAMES = ("lowest third", "middle third", "highest third")

GROUPS_TEXT = (
    "Share that is still without the event by time (Kaplan & Meier 1958), for thirds of the cases "
    "by predicted risk. Bands: pointwise 95 %, Greenwood, on the scale of log(-log)."
)
AUC_TEXT = (
    "At each time x: how often a case whose event came by then has a higher predicted risk than "
    "one that was still without it, ties half (cumulative / dynamic AUC, Hung & Chiang 2010). "
    "Events are weighted by 1 / chance of not being censored just before (Kaplan-Meier), so "
    "censoring must not depend on the risk. Bands: pointwise 95 %, DeLong, those weights taken as "
    "known."
)
RISK_TEXT = (
    "Share with the event by time {time:.4g} (1 - Kaplan-Meier) in groups of equal size by "
    "predicted risk, highest first. A good ranking falls from left to right. Bands: 95 %, "
    "Greenwood."
)


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


def followed_of(cases: Cases) -> Followed | None:
    """The cases as followed times; None without a column of events."""
    event = cases.problem.extras.get("event")
    if event is None:
        return None
    entry = cases.problem.extras.get("entry")
    number = len(cases)
    return Followed(
        np.asarray(cases.outcome, dtype=np.float64),
        np.asarray(event, dtype=np.float64) > 0,
        np.zeros(number) if entry is None else np.asarray(entry, dtype=np.float64),
        cases.weight if len(cases.weight) else np.ones(number),
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


def chance_to_be_seen(cases: Followed) -> FloatArray:
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
        half = _Z * np.sqrt(greenwood) / np.abs(np.log(share))
        low, high = share ** np.exp(half), share ** np.exp(-half)
    usable = np.isfinite(greenwood) & (share > 0) & (share < 1)
    low, high = np.where(usable, low, np.nan), np.where(usable, high, np.nan)
    return np.where(share == 1, 1.0, low), np.where(share == 1, 1.0, high)


def survival_charts(cases: Cases) -> tuple[Chart, ...]:
    """The charts wanted for survival times; none without a column of events."""
    followed = followed_of(cases)
    if followed is None or not followed.event.any():
        return ()
    makers = (_KINDS.get(kind) for kind in cases.problem.charts)
    return tuple(make(cases, followed) for make in makers if make is not None)


def _risk(cases: Cases, model: ModelScores) -> FloatArray:
    return np.ascontiguousarray(cases.fit_chances(model)[0])


def survival_groups(cases: Cases, followed: Followed) -> Chart:
    """Kaplan-Meier curves of thirds by risk; a model has three lines."""
    x: FloatArray = np.linspace(0.0, float(followed.time.max()), POINTS)
    curves = []
    for model in cases.problem.models:
        group = grouped(_risk(cases, model), followed.weight, GROUPS).group
        for number in range(int(group.max()) + 1):
            curve = kaplan_meier(followed.part(group == number))
            share, greenwood = curve.at(x)
            low, high = limits(share, greenwood)
            curves.append(
                Curve(model=model.name, name=RISK_NAMES[number], x=x, y=share, low=low, high=high)
            )
    return Chart(
        kind="survival_groups", curves=tuple(curves), definition=GROUPS_TEXT,
        variant="thirds by risk",
    )  # fmt: skip


def pairs_by_time(followed: Followed, risk: FloatArray, times: FloatArray) -> list[RankedPairs]:
    """Early cases (weighted by the inverse chance of being seen) and late ones at each time.

    Cases that entered after a time say nothing about it: they were chosen for lasting beyond.
    """
    seen = chance_to_be_seen(followed)
    with np.errstate(divide="ignore"):
        inverse = np.where(seen > 0, followed.weight / seen, 0.0)
    order = np.argsort(risk, kind="stable")
    ranked, found = risk[order], []
    ends = np.append(np.flatnonzero(np.diff(ranked)), len(ranked) - 1)
    starts = np.append(0, ends[:-1] + 1)
    for time in times:
        is_early = (followed.event & (followed.time <= time))[order]
        is_late = ((followed.time > time) & (followed.entry <= time))[order]
        early = np.where(is_early, inverse[order], 0.0)
        late = np.where(is_late, followed.weight[order], 0.0)
        sums = (np.add.reduceat(part, starts) for part in (early, late, early**2, late**2))
        found.append(RankedPairs(*sums))
    return found


def auc_by_time(followed: Followed, risk: FloatArray, times: FloatArray) -> FloatArray:
    """Cumulative / dynamic AUC at times."""
    return np.array([pairs.area() for pairs in pairs_by_time(followed, risk, times)])


def time_auc(cases: Cases, followed: Followed) -> Chart:
    """AUC by time of every model."""
    early, late = np.quantile(followed.time[followed.event], (0.05, 0.95))
    times: FloatArray = np.linspace(early, late, TIMES)
    curves = []
    for model in cases.problem.models:
        found = pairs_by_time(followed, _risk(cases, model), times)
        area = np.array([pairs.area() for pairs in found])
        low, high = area_band(area, np.array([pairs.deviation() for pairs in found]))
        curves.append(Curve(model=model.name, x=times, y=area, low=low, high=high))
    curves.append(baseline("random", (float(early), float(late)), (0.5, 0.5)))
    return Chart(
        kind="time_auc", curves=tuple(curves), definition=AUC_TEXT, variant="cumulative / dynamic"
    )


def risk_calibration(cases: Cases, followed: Followed) -> Chart:
    """Events by the median time of an event, by risk."""
    time = float(np.median(followed.time[followed.event]))
    groups = min(10, group_count(len(cases)))
    curves = []
    for model in cases.problem.models:
        parts = grouped(_risk(cases, model), followed.weight, groups)
        number = len(parts.weight)
        lines = np.empty((3, number))
        for place in range(number):
            curve = kaplan_meier(followed.part(parts.group == place))
            share, greenwood = curve.at(np.array([time]))
            low, high = limits(share, greenwood)
            lines[:, place] = 1.0 - share[0], 1.0 - high[0], 1.0 - low[0]
        back = slice(None, None, -1)
        curves.append(
            Curve(
                model=model.name, x=1.0 - parts.middle[back], y=lines[0, back],
                low=lines[1, back], high=lines[2, back],
            )
        )  # fmt: skip
    whole = 1.0 - float(kaplan_meier(followed).at(np.array([time]))[0][0])
    curves.append(baseline("all cases", (0.0, 1.0), (whole, whole)))
    return Chart(
        kind="risk_calibration", curves=tuple(curves), definition=RISK_TEXT.format(time=time),
        variant="groups of equal size",
    )  # fmt: skip


_KINDS: dict[str, Callable[[Cases, Followed], Chart]] = {
    "survival_groups": survival_groups,
    "time_auc": time_auc,
    "risk_calibration": risk_calibration,
}
