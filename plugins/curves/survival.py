"""Curves of survival times: Kaplan-Meier by risk group, AUC by time, events by risk."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

import payoff
from payoff.curves import CurveLine
from payoff.follow_up import (
    GROUPS,
    RISK_NAMES,
    Followed,
    followed_of,
    kaplan_meier,
    limits,
    pairs_by_time,
    risk_by_time,
    times_of_events,
)
from payoff.groups import equal_groups, group_count, weighted_quantiles
from payoff.types import FloatArray
from plugins.curves.bands import area_band
from plugins.curves.parts import WHOLE, curve_spec, grey

TIMES = 60
POINTS = 301
_MOST_GROUPS = 10
_FIELDS = {
    "inputs": (
        payoff.Input.OUTCOME,
        payoff.Input.PREDICTIONS,
        payoff.Input.TIME,
        payoff.Input.EVENT,
        payoff.Input.ENTRY,
    ),
    "tasks": (payoff.Task.SURVIVAL,),
    "form": payoff.MetricForm.GENERAL,
    "value_range": (0.0, 1.0),
}


def survival_groups(sample: payoff.Sample, parameters: payoff.Parameters) -> list[CurveLine]:
    """Kaplan-Meier curves of thirds by risk."""
    del parameters
    followed = followed_of(sample)
    x: FloatArray = np.linspace(0.0, float(followed.time.max()), POINTS)
    group = equal_groups(sample.score, followed.weight, GROUPS).group
    found = []
    for number in range(int(group.max()) + 1):
        share, greenwood = kaplan_meier(followed.part(group == number)).at(x)
        low, high = limits(share, greenwood)
        found.append(
            CurveLine(
                name=RISK_NAMES[number],
                x=x,
                y=share,
                low=low,
                high=high,
                method="Greenwood, on the scale of log(-log)",
            )
        )
    return found


def event_times(samples: Sequence[payoff.Sample], parameters: payoff.Parameters) -> FloatArray:
    """Times from the first to the last 5 % of the events."""
    del parameters
    return times_of_events(followed_of(samples[0]), TIMES)


def time_auc(sample: payoff.Sample, parameters: payoff.Parameters, grid: FloatArray) -> CurveLine:
    """AUC by time."""
    del parameters
    found = pairs_by_time(followed_of(sample), risk_by_time(sample, grid), grid)
    area = np.array([pairs.area() for pairs in found])
    low, high = area_band(area, np.array([pairs.deviation() for pairs in found]))
    return CurveLine(
        x=grid,
        y=area,
        low=low,
        high=high,
        method="DeLong, the weights of censoring taken as known",
    )


def as_good_as_random(
    basis: payoff.Sample, lines: Sequence[CurveLine], parameters: payoff.Parameters
) -> tuple[CurveLine, ...]:
    """A ranking at random."""
    del basis, parameters
    at = lines[0].x
    return (grey("random", (float(at[0]), float(at[-1])), (0.5, 0.5)),)


def _middle_time(followed: Followed) -> float:
    seen = followed.part(followed.event)
    return float(weighted_quantiles(seen.time, seen.weight, (0.5,))[0])


def risk_calibration(sample: payoff.Sample, parameters: payoff.Parameters) -> CurveLine:
    """Events by the median time of an event, by risk."""
    del parameters
    followed = followed_of(sample)
    time = np.array([_middle_time(followed)])
    parts = equal_groups(sample.score, followed.weight, min(_MOST_GROUPS, group_count(len(sample))))
    found = np.empty((3, len(parts.weight)))
    for place in range(len(parts.weight)):
        share, greenwood = kaplan_meier(followed.part(parts.group == place)).at(time)
        low, high = limits(share, greenwood)
        found[:, place] = 1.0 - share[0], 1.0 - high[0], 1.0 - low[0]
    return CurveLine(
        x=1.0 - parts.middle[::-1],
        y=found[0, ::-1],
        low=found[1, ::-1],
        high=found[2, ::-1],
        method="Greenwood",
    )


def all_cases(
    basis: payoff.Sample, lines: Sequence[CurveLine], parameters: payoff.Parameters
) -> tuple[CurveLine, ...]:
    """Share with the event among all cases."""
    del lines, parameters
    followed = followed_of(basis)
    time = np.array([_middle_time(followed)])
    whole = 1.0 - float(kaplan_meier(followed).at(time)[0][0])
    return (grey("all cases", (0.0, 1.0), (whole, whole)),)


def time_words(
    samples: Sequence[payoff.Sample], lines: Sequence[CurveLine], parameters: payoff.Parameters
) -> str:
    """Which time is looked at."""
    del lines, parameters
    return f"The time is {_middle_time(followed_of(samples[0])):.4g}." if samples else ""


SURVIVAL_GROUPS = curve_spec(
    "survival_groups",
    "Kaplan-Meier by risk group",
    payoff.CurveAxes(
        question="Do the risk groups live differently?",
        x="time",
        y="without the event",
        axis=payoff.CurveAxis.VALUE,
        x_unit=payoff.NumberUnit.PLAIN,
        y_ends=WHOLE,
        variant="thirds by risk",
        is_split=True,
    ),
    help=(
        "Share that is still without the event by time (Kaplan & Meier 1958), for thirds of the "
        "cases by predicted risk."
    ),
    formula="S(t) = product of (1 - events / at risk) up to t",
    reference="Kaplan & Meier, Nonparametric estimation from incomplete observations, JASA 1958",
    compute=survival_groups,
    **_FIELDS,
)

TIME_AUC = curve_spec(
    "time_auc",
    "time-dependent AUC",
    payoff.CurveAxes(
        question="How well is early told from late, by time?",
        x="time",
        y="AUC",
        axis=payoff.CurveAxis.VALUE,
        x_unit=payoff.NumberUnit.PLAIN,
        y_unit=payoff.NumberUnit.PLAIN,
        variant="cumulative / dynamic",
        references=as_good_as_random,
        grid=event_times,
    ),
    help=(
        "At each time x: how often a case whose event came by then has a higher predicted risk "
        "than one that was still without it, ties half (cumulative / dynamic AUC, Hung & Chiang "
        "2010). The risk is the model's own chance of the event by x where it gives chances over "
        "time. Events are weighted by 1 / chance of not being censored just before "
        "(Kaplan-Meier), so censoring must not depend on the risk."
    ),
    formula="AUC(t) = P(risk of an event by t > risk of one without it at t)",
    reference="Hung & Chiang, Estimation methods for time-dependent AUC models, 2010",
    compute=time_auc,
    is_over_time=True,
    **_FIELDS,
)

RISK_CALIBRATION = curve_spec(
    "risk_calibration",
    "observed events by risk, at the median time",
    payoff.CurveAxes(
        question="Do the groups end as they are ranked?",
        x="{cases}, highest risk first",
        y="with the event",
        axis=payoff.CurveAxis.DEPTH,
        x_ends=WHOLE,
        y_ends=WHOLE,
        variant="groups of equal size",
        references=all_cases,
        detail=time_words,
    ),
    help=(
        "Share with the event by the median time of an event (1 - Kaplan-Meier) in groups of "
        "equal size by predicted risk, highest first. A good ranking falls from left to right."
    ),
    formula="y = 1 - S(median time of an event) of a group",
    reference="Kaplan & Meier, Nonparametric estimation from incomplete observations, JASA 1958",
    compute=risk_calibration,
    **_FIELDS,
)

SURVIVAL_CURVES = (SURVIVAL_GROUPS, TIME_AUC, RISK_CALIBRATION)
