"""Curves over cut-offs: what acting above each chance finds, and whether it is of use."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

import payoff
from payoff.curves import CurveLine
from payoff.groups import effective_cases
from payoff.intervals import NORMAL_95, wilson_interval
from payoff.types import FloatArray
from plugins.curves.bands import f1_band, precision_band
from plugins.curves.parts import OF_PROBABILITIES, WHOLE, curve_spec, grey, over_probabilities

THRESHOLDS = 401


@dataclass(frozen=True, slots=True, eq=False)
class CutOffs:
    """What acting above each of rising thresholds does; weights are prior-weighted.

    ``found`` and ``alarms``: weights of events and others at or above each threshold; ``sides``
    and ``cases``: the effective number of events and others, and of all cases.
    """

    found: FloatArray
    alarms: FloatArray
    events: float
    others: float
    sides: tuple[float, float]
    cases: float

    @classmethod
    def of(cls, sample: payoff.Sample, threshold: FloatArray) -> CutOffs:
        """Read a sample at thresholds.

        Raises
        ------
        PayoffError
            If one of the two sides has no weight.
        """
        sums = [sample.cumulative(role) for role in ("event", "others")]
        if not len(sample) or min(side[-1] for side in sums) <= 0:
            raise payoff.PayoffError("Cut-offs need events and other cases.")
        falling = sample.score[sample.order[sample.group_ends - 1]]
        places = np.searchsorted(-falling, -threshold, side="right")
        found, alarms = (np.append(0.0, side)[places] for side in sums)
        is_event = sample.outcome == 0
        sides = tuple(effective_cases(sample.weight[rows]) for rows in (is_event, ~is_event))
        return cls(
            found,
            alarms,
            float(sums[0][-1]),
            float(sums[1][-1]),
            (sides[0], sides[1]),
            effective_cases(sample.weight),
        )


def rising_thresholds(
    samples: Sequence[payoff.Sample], parameters: payoff.Parameters
) -> FloatArray:
    """Thresholds up to the chance that the best 0.5 % have, the highest of all models."""
    del parameters
    top = 0.02
    for sample in samples:
        depth = sample.cumulative("all")
        if len(depth):
            place = int(np.searchsorted(depth, 0.005 * depth[-1]))
            row = sample.order[sample.group_ends[min(place, len(depth) - 1)] - 1]
            top = max(top, float(sample.score[row]))
    return np.linspace(0.0, min(top, 0.99), THRESHOLDS)


def _share_line(name: str, at: FloatArray, share: FloatArray, cases: float) -> CurveLine:
    low, high = wilson_interval(share, np.full(len(share), max(cases, 1.0)))
    return CurveLine(name=name, x=at, y=share, low=low, high=high, method="Wilson")


def threshold_lines(
    sample: payoff.Sample, parameters: payoff.Parameters, grid: FloatArray
) -> list[CurveLine]:
    """Sensitivity, specificity, precision and F1 of every cut-off."""
    del parameters
    at = CutOffs.of(sample, grid)
    sensitivity, specificity = at.found / at.events, 1.0 - at.alarms / at.others
    acted, whole = at.found + at.alarms, at.events + at.others
    precision = np.divide(at.found, acted, out=np.full(len(grid), np.nan), where=acted > 0)
    with np.errstate(invalid="ignore", divide="ignore"):
        f1 = 2.0 * precision * sensitivity / (precision + sensitivity)
    among = precision_band(precision, acted / whole, at.cases)
    mean = f1_band(at.found / whole, at.alarms / whole, (at.events - at.found) / whole, at.cases)
    return [
        _share_line("sensitivity", grid, sensitivity, at.sides[0]),
        _share_line("specificity", grid, specificity, at.sides[1]),
        CurveLine(
            name="precision", x=grid, y=precision, low=among[0], high=among[1], method="Wilson"
        ),
        CurveLine(
            name="F1", x=grid, y=f1, low=mean[0], high=mean[1], method="of F1 by the delta method"
        ),
    ]


def net_benefit_line(
    sample: payoff.Sample, parameters: payoff.Parameters, grid: FloatArray
) -> CurveLine:
    """Net benefit of acting above every chance."""
    del parameters
    at, odds = CutOffs.of(sample, grid), grid / (1.0 - grid)
    whole = at.events + at.others
    found, alarms = at.found / whole, at.alarms / whole
    benefit = found - alarms * odds
    variance = np.maximum(found + alarms * odds**2 - benefit**2, 0.0) / at.cases
    half = NORMAL_95 * np.sqrt(variance)
    return CurveLine(x=grid, y=benefit, low=benefit - half, high=benefit + half, method="normal")


def all_or_none(
    basis: payoff.Sample, lines: Sequence[CurveLine], parameters: payoff.Parameters
) -> tuple[CurveLine, ...]:
    """Acting on all cases, and on none."""
    del parameters
    grid, weight = lines[0].x, basis.class_weight
    share = float(weight[0] / weight.sum())
    return (
        grey("act on all", grid, share - (1.0 - share) * grid / (1.0 - grid)),
        grey("act on none", (0.0, float(grid[-1])), (0.0, 0.0)),
    )


THRESHOLD = curve_spec(
    "threshold",
    "sensitivity, specificity, precision, F1",
    over_probabilities(
        "What does each cut-off do?",
        "share",
        y_ends=WHOLE,
        variant="flagged at or above",
        grid=rising_thresholds,
        is_split=True,
    ),
    help=(
        "What flagging every case with a chance of x or more as '{event}' does: sensitivity = "
        "share of '{event}' cases flagged, specificity = share of others not flagged, precision = "
        "share of '{event}' among those flagged, F1 = 2 precision x sensitivity / (precision + "
        "sensitivity)."
    ),
    formula="shares of the cases with a chance of x or more",
    reference="van Rijsbergen, Information Retrieval, 1979",
    value_range=(0.0, 1.0),
    compute=threshold_lines,
    **OF_PROBABILITIES,
)

NET_BENEFIT = curve_spec(
    "net_benefit",
    "net benefit",
    over_probabilities(
        "Is acting by the model of use?",
        "net benefit",
        y_unit=payoff.NumberUnit.PLAIN,
        variant="Vickers & Elkin",
        references=all_or_none,
        grid=rising_thresholds,
    ),
    help=(
        "Net benefit of treating every case with a chance of x or more as '{event}', where x is "
        "the chance at which that is neither good nor bad: '{event}' cases flagged less others "
        "flagged x x / (1 - x), per case (Vickers & Elkin 2006). Above both grey lines the model "
        "is of use."
    ),
    formula="y(x) = events flagged / cases - others flagged / cases * x / (1 - x)",
    reference="Vickers & Elkin, Decision curve analysis, Medical Decision Making 26, 2006",
    value_range=(-np.inf, 1.0),
    compute=net_benefit_line,
    **OF_PROBABILITIES,
)

CUT_OFF_CURVES = (THRESHOLD, NET_BENEFIT)
