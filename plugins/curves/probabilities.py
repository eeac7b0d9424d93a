"""Curves of chances: calibration in groups and smoothed, and how chances are distributed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

import payoff
from payoff.counting import counted
from payoff.curves import CurveLine
from payoff.groups import MOST_GROUPS, equal_width_bins, group_count, quantile_bins
from payoff.intervals import wilson_interval
from payoff.smooth_calibration import MOST_ROWS, cell_calibration_curve
from payoff.types import BoolArray, FloatArray, IntArray
from payoff.vocabulary import CONVENTION, CONVENTIONS
from plugins.curves.parts import (
    OF_PROBABILITIES,
    WHOLE,
    curve_spec,
    grey,
    over_probabilities,
    percent,
    steady,
)

_PAYOFF, _SKLEARN, _SAS_EM, _R = range(4)
_SKLEARN_BINS, _SAS_BINS, _R_BINS = 5, 20, 10
_BIN_WIDTHS = (0.04, 0.02, 0.01, 0.005)
_FEWEST_BINS = 20
_EXACT = steady(grey("exact", WHOLE, WHOLE))


# ---------------------------------------------------------------- groups


@dataclass(frozen=True, slots=True, eq=False)
class CalibrationGroups:
    """Groups of cases by chance, lowest first; arrays of one length.

    Attributes
    ----------
    probability : mean predicted chance
    share : share in which the event happened
    low, high : 95 % Wilson limits of that share
    cases : effective number of cases
    """

    probability: FloatArray
    share: FloatArray
    low: FloatArray
    high: FloatArray
    cases: FloatArray

    @classmethod
    def of_sums(
        cls, whole: FloatArray, probabilities: FloatArray, events: FloatArray, squares: FloatArray
    ) -> CalibrationGroups:
        """Groups from sums of weight, weight x chance, weight of events and squared weight."""
        kept = whole > 0
        whole, probabilities, events, squares = (
            s[kept] for s in (whole, probabilities, events, squares)
        )
        share = np.clip(events / whole, 0.0, 1.0)
        cases = whole**2 / squares
        low, high = wilson_interval(share, cases)
        return cls(probabilities / whole, share, low, high, cases)


def calibration_groups(sample: payoff.Sample, groups: int) -> CalibrationGroups:
    """Cut cases into groups of equal weight by their chance.

    Cases of equal chance stay in one group, the one that the middle of theirs falls into, so that
    no row order matters.
    """
    events, others = sample.cumulative("event"), sample.cumulative("others")
    depth = events + others
    middle = 0.5 * (np.append(0.0, depth[:-1]) + depth) / depth[-1]
    firsts = np.searchsorted(middle * groups, np.arange(1, groups))
    last = np.unique(np.append(firsts, len(depth))) - 1  # of each group, in groups of ties
    last = last[last >= 0]
    ends = sample.group_ends[last]
    starts = np.append(0, ends[:-1])
    ranked = sample.weight[sample.order]
    sums = (
        np.diff(depth[last], prepend=0.0),
        np.add.reduceat(ranked * sample.score[sample.order], starts),
        np.diff(events[last], prepend=0.0),
        np.add.reduceat(ranked * ranked, starts),
    )
    return CalibrationGroups.of_sums(*(part[::-1] for part in sums))


def _by_rank(probability: FloatArray, weight: FloatArray, bins: int) -> IntArray:
    """Groups of equal weight by rank; equal chances in the group of their middle."""
    values, place = np.unique(probability, return_inverse=True)
    mass = np.bincount(place, weights=weight, minlength=len(values))
    middle = (np.cumsum(mass) - 0.5 * mass) / mass.sum()
    group: IntArray = np.minimum((middle * bins).astype(np.int64), bins - 1)
    return group[place]


def groups_as(convention: int, sample: payoff.Sample) -> CalibrationGroups:
    """Groups by another tool's rule.

    scikit-learn: 5 bins of equal width, a chance on a border in the lower one, 0 in the first.
    SAS EM: 20 groups of 5 % of the cases by rank; equal chances stay together, in the group of
    their middle. R: 10 groups by quantiles of type 7, borders in the lower one.
    """
    probability, weight = sample.score, sample.weight
    if convention == _SKLEARN:
        group = equal_width_bins(probability, _SKLEARN_BINS)
    elif convention == _SAS_EM:
        group = _by_rank(probability, weight, _SAS_BINS)
    else:
        group = quantile_bins(probability, _R_BINS, 7)
    is_event = sample.outcome == 0
    parts = (weight, weight * probability, weight * is_event, weight * weight)
    return CalibrationGroups.of_sums(*(np.bincount(group, part).astype(float) for part in parts))


def verdict(groups: CalibrationGroups) -> tuple[str, tuple[str, ...]]:
    """One plain sentence: where chances are too low or too high, all groups judged together; and
    the same in few words for each of the two that is found.

    A group counts as off where its mean chance lies outside Wilson's interval at the level
    1 - 0.05 / groups (Bonferroni), so that 20 groups do not raise a false alarm each time.
    """
    number = len(groups.probability)
    z = NormalDist().inv_cdf(1.0 - 0.025 / number)
    low, high = wilson_interval(groups.share, groups.cases, z=z)
    found = [
        (word, _spans(groups.probability, off))
        for word, off in (
            ("too low", groups.probability < low),
            ("too high", groups.probability > high),
        )
        if off.any()
    ]
    if not found:
        return f"the chances come true, as far as {counted(number, 'group')} can tell.", ()
    where = "; ".join(f"{word} around {spans}" for word, spans in found)
    return f"chances are {where}.", tuple(f"{word}, {spans}" for word, spans in found)


def _spans(probability: FloatArray, off: BoolArray) -> str:
    """Where groups are off: neighbours together, as "4 % to 12 %, 20 % and 31 %"."""
    places = np.flatnonzero(off)
    spans = []
    for run in np.split(places, np.flatnonzero(np.diff(places) > 1) + 1):
        first, last = float(probability[run[0]]), float(probability[run[-1]])
        spans.append(percent(first) if first == last else f"{percent(first)} to {percent(last)}")
    return " and ".join(filter(None, (", ".join(spans[:-1]), spans[-1])))


def calibration(sample: payoff.Sample, parameters: payoff.Parameters) -> CurveLine:
    """Mean chance against what happened, in groups as the convention cuts them."""
    convention = int(parameters[CONVENTION])
    if convention == _PAYOFF:
        groups = calibration_groups(sample, group_count(len(sample)))
    else:
        groups = groups_as(convention, sample)
    note, alarms = verdict(groups)
    return CurveLine(
        x=groups.probability,
        y=groups.share,
        low=groups.low,
        high=groups.high,
        method="Wilson intervals of each share",
        note=note,
        alarms=alarms,
    )


# ---------------------------------------------------------------- smoothed


def smooth_calibration(sample: payoff.Sample, parameters: payoff.Parameters) -> CurveLine:
    """What happened, regressed on the chance."""
    del parameters
    order = np.arange(len(sample))
    if len(sample) <= MOST_ROWS:  # sums in one order: that of the file changes no last digit
        order = np.lexsort((sample.weight, sample.outcome, sample.score))
    is_event = (sample.outcome[order] == 0).astype(np.float64)
    weight = sample.weight[order] if np.ptp(sample.weight) > 0 else None
    smooth = cell_calibration_curve(sample.score[order], is_event, weight)
    return CurveLine(
        x=smooth.predicted,
        y=smooth.observed,
        low=smooth.low,
        high=smooth.high,
        method="of the regression",
    )


# ---------------------------------------------------------------- distribution


def probability_bins(samples: Sequence[payoff.Sample], parameters: payoff.Parameters) -> FloatArray:
    """Middles of the widest bins that still put 20 below the highest 0.5 % of chances."""
    del parameters
    top = 0.0
    for sample in samples:
        place = int(0.995 * (len(sample) - 1))
        top = max(top, float(np.partition(sample.score, place)[place]))
    fine = (width for width in _BIN_WIDTHS if top / width >= _FEWEST_BINS)
    width = next(fine, _BIN_WIDTHS[-1])
    return np.asarray((np.arange(round(1.0 / width)) + 0.5) * width)


def score_distribution(
    sample: payoff.Sample, parameters: payoff.Parameters, grid: FloatArray
) -> list[CurveLine]:
    """Share of the cases of each class by bin of the event's chance."""
    del parameters
    bins, classes = len(grid), len(sample.labels)
    place = np.minimum((sample.score * bins).astype(np.int64), bins - 1)
    cell = sample.outcome.astype(np.int64) * bins + place
    counts = np.bincount(cell, weights=sample.weight, minlength=bins * classes)
    found = []
    for level, row in zip(sample.labels, counts.reshape(-1, bins), strict=True):
        whole = row.sum()
        share = row / whole if whole > 0 else np.zeros(bins)
        found.append(CurveLine(name=level, x=grid, y=np.asarray(share)))
    return found


def bin_words(
    samples: Sequence[payoff.Sample], lines: Sequence[CurveLine], parameters: payoff.Parameters
) -> str:
    """How wide the bins are."""
    del samples, parameters
    return f"Bins of {1.0 / len(lines[0].x):g}." if lines else ""


# ---------------------------------------------------------------- specs


_CONVENTIONS = payoff.Parameter(
    name=CONVENTION,
    words="groups as",
    default=_PAYOFF,
    kind=payoff.ParameterKind.CHOICE,
    choices=CONVENTIONS,
)

CALIBRATION = curve_spec(
    "calibration",
    "calibration",
    over_probabilities(
        "Do the chances come true?",
        "share of '{event}'",
        variant="groups of equal size",
        references=_EXACT,
    ),
    help=(
        f"Cases are cut into up to {MOST_GROUPS} groups of equal size by predicted chance; equal "
        "chances stay together. x = mean chance of a group, y = share in which '{event}' "
        "happened; on the diagonal the chances come true."
    ),
    formula="x = mean chance of a group, y = events in it / its cases",
    reference="DeGroot & Fienberg, The comparison and evaluation of forecasters, 1983",
    value_range=(0.0, 1.0),
    parameters=(_CONVENTIONS,),
    compute=calibration,
    **OF_PROBABILITIES,
)

SMOOTH_CALIBRATION = curve_spec(
    "smooth_calibration",
    "calibration, natural spline",
    over_probabilities(
        "Do the chances come true, smoothly?",
        "share of '{event}'",
        variant="natural spline, 6 df",
        references=_EXACT,
    ),
    help=(
        "Share in which '{event}' happened, regressed on the predicted chance: logistic, natural "
        "cubic spline, 6 degrees of freedom (as calibrate.plot of R's gbm). On the diagonal the "
        "chances come true."
    ),
    formula="logit y(x) = natural cubic spline of x",
    reference="Ridgeway, gbm: calibrate.plot, R package",
    value_range=(0.0, 1.0),
    compute=smooth_calibration,
    expected_failures=(
        (
            "Weight 2 equals a row twice",
            "The knots stand at equal shares of the rows, whatever they weigh, as in R's gbm.",
        ),
    ),
    **OF_PROBABILITIES,
)

SCORE_DISTRIBUTION = curve_spec(
    "score_distribution",
    "score distribution",
    over_probabilities(
        "Who gets which chance?",
        "share of group",
        variant="share within each class",
        grid=probability_bins,
        detail=bin_words,
        is_split=True,
        is_banded=False,
    ),
    help=(
        "Share of the cases of each class by predicted chance of '{event}', in bins of equal "
        "width, each point at the middle of its bin."
    ),
    formula="y(bin) = cases of a class in the bin / cases of the class",
    reference="Murphy & Winkler, A general framework for forecast verification, 1987",
    value_range=(0.0, 1.0),
    compute=score_distribution,
    **OF_PROBABILITIES,
)

PROBABILITY_CURVES = (CALIBRATION, SMOOTH_CALIBRATION, SCORE_DISTRIBUTION)
