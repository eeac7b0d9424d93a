"""Metrics of a set of predicted quantiles: CRPS, coverage and width of an interval.

The sample holds a column per quantile, in the roles "quantile 0.1", "quantile 0.5" ...
"""

from __future__ import annotations

import math
from functools import partial

import numpy as np

import payoff
from payoff.types import FloatArray

ROLE = "quantile "


def quantile_set(sample: payoff.Sample) -> tuple[FloatArray, FloatArray]:
    """Levels (q,), rising, and predictions (q, n) of the sample's quantiles."""
    named = {float(role[len(ROLE) :]): role for role in sample.roles if role.startswith(ROLE)}
    levels = np.array(sorted(named))
    columns = [sample.roles[named[level]].astype(np.float64) for level in levels]
    return levels, np.array(columns).reshape(len(levels), len(sample))


def _crps_rows(sample: payoff.Sample) -> FloatArray:
    """Quantile score of each case, (n,): twice the quantile losses, weighted by level spacing."""
    levels, values = quantile_set(sample)
    edges = np.concatenate([[0.0], 0.5 * (levels[1:] + levels[:-1]), [1.0]])
    total: FloatArray = np.zeros(len(sample))
    for level, share, value in zip(levels, np.diff(edges), values, strict=True):
        miss = sample.outcome - value
        total += 2.0 * share * np.where(miss >= 0.0, level * miss, (level - 1.0) * miss)
    return total


def crps(sample: payoff.Sample, parameters: payoff.Parameters) -> float:
    """Weighted mean of the quantile scores."""
    rows = sample.kept("crps", lambda: _crps_rows(sample))
    whole = sample.total_weight
    return float(rows @ sample.weight) / whole if whole > 0.0 else math.nan


def _interval(sample: payoff.Sample, share: float) -> tuple[FloatArray, FloatArray]:
    """The predicted interval that is to hold ``share`` of the outcomes, (n,) each."""
    levels, values = quantile_set(sample)
    ends = []
    for level in (0.5 - 0.5 * share, 0.5 + 0.5 * share):
        place = np.flatnonzero(np.abs(levels - level) < 1e-9)
        if not place.size:
            known = ", ".join(f"{known:g}" for known in levels) or "none"
            raise payoff.PayoffError(
                f"The quantile {level:g} is not predicted.",
                why=f"Predicted quantiles: {known}.",
                remedy="Choose the share of an interval whose two ends are predicted.",
            )
        ends.append(values[place[0]])
    return ends[0], ends[1]


def coverage(sample: payoff.Sample, parameters: payoff.Parameters) -> float:
    """Weighted share of the outcomes inside their interval, ends included."""
    share = parameters["share"]

    def make() -> FloatArray:
        low, high = _interval(sample, share)
        return np.asarray((sample.outcome >= low) & (sample.outcome <= high), dtype=np.float64)

    whole = sample.total_weight
    inside = sample.kept(f"coverage {share}", make)
    return float(inside @ sample.weight) / whole if whole > 0.0 else math.nan


def width(sample: payoff.Sample, parameters: payoff.Parameters) -> float:
    """Weighted mean width of the intervals."""
    share = parameters["share"]

    def make() -> FloatArray:
        low, high = _interval(sample, share)
        return np.asarray(high - low, dtype=np.float64)

    whole = sample.total_weight
    size = sample.kept(f"width {share}", make)
    return float(size @ sample.weight) / whole if whole > 0.0 else math.nan


def check_set(sample: payoff.Sample, parameters: payoff.Parameters) -> None:
    """Refuse models without quantiles, and quantiles that cross."""
    levels, values = quantile_set(sample)
    if not levels.size:
        raise payoff.PayoffError(
            "This model predicts no quantiles.",
            why="It is judged by a set of predicted quantiles.",
            remedy="Name the columns of its quantiles.",
        )
    crossed = (np.diff(values, axis=0) < 0.0).any(axis=0)
    if crossed.any():
        row = int(np.argmax(crossed))
        raise payoff.PayoffError(
            "A higher quantile is predicted below a lower one.",
            where=f"case {row + 1} of the rows used, {int(crossed.sum()):,} in all",
            remedy="Sort the quantiles of each case.",
        )


_SHARE = payoff.Parameter(
    name="share",
    words="share of the outcomes that the interval is to hold",
    default=0.8,
    minimum=0.0,
    maximum=1.0,
    is_minimum_open=True,
    is_maximum_open=True,
    unit=payoff.NumberUnit.PERCENT,
    help="0.8 = from the quantile 0.1 to the quantile 0.9.",
)

_metric = partial(
    payoff.EvaluationMetric,
    direction=payoff.Direction.LOWER,
    inputs=(payoff.Input.OUTCOME, payoff.Input.QUANTILES),
    tasks=(payoff.Task.REGRESSION,),
    form=payoff.MetricForm.GENERAL,
    value_range=(0.0, math.inf),
    check=check_set,
)

CRPS = _metric(
    id="crps",
    usual_for=(payoff.Task.REGRESSION,),
    label="CRPS",
    help="How far the predicted distribution lies from what happened, in the target's unit; with "
    "one quantile (the median) it is the MAE.",
    formula="2 Σ over quantiles of quantile loss × share of levels nearest to it",
    reference="Matheson & Winkler 1976; quantile form Laio & Tamea 2007",
    perfect_value=0.0,
    compute=crps,
)

COVERAGE = _metric(
    id="interval_coverage",
    label="Coverage",
    title="Coverage of {share} intervals",
    help="Share of the outcomes inside their predicted interval; it should be the share named.",
    formula="share of y from the lower to the upper quantile, ends included",
    aliases=("coverage",),
    reference="Gneiting & Raftery 2007",
    direction=payoff.Direction.NONE,
    value_range=(0.0, 1.0),
    perfect_value=lambda sample, parameters: parameters["share"],
    parameters=(_SHARE,),
    decimals=1,
    number_unit=payoff.NumberUnit.PERCENT,
    compute=coverage,
)

WIDTH = _metric(
    id="interval_width",
    label="Width",
    title="Width of {share} intervals",
    help="Mean width of the predicted intervals; of two with the same coverage the narrower.",
    formula="mean of upper − lower quantile",
    aliases=("width",),
    reference="Gneiting & Raftery 2007, sharpness",
    parameters=(_SHARE,),
    compute=width,
)

QUANTILE_METRICS = (CRPS, COVERAGE, WIDTH)
