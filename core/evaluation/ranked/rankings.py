"""Every model's ranking: summary, bins for resampling, and the values of ranked metrics.

DeLong's interval of the area under the ROC curve, and of metrics that are a slope of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.document.results import Estimate
from core.evaluation.binding import BoundMetric
from core.evaluation.cases import JudgedCases
from core.evaluation.columns import ONE_UNIT, Measured, by_unit, few_words, fewest_units
from core.evaluation.problem import JudgedScores
from core.evaluation.ranked.ranking import GRID_POINTS, RankedSample, RankingSummary
from core.evaluation.rows.row_kernels import add_sums
from core.evaluation.rows.sums import draw_factor
from core.inference.delong import (
    CaseInfluence,
    fill_area_parts,
    stratum_variance,
)
from core.inference.draws import BinArray
from core.inference.intervals import (
    FEW_UNITS,
    logit_limits,
    normal_estimate,
)
from core.kernels import CHUNK_ROWS, run_chunks
from payoff.errors import PayoffError
from payoff.types import FloatArray, IntArray
from payoff.vocabulary import ClassAverage, ResampleUnit


def _class_means(cases: JudgedCases, placements: FloatArray) -> FloatArray:
    """Mean placement of each class by case weight, (K,); 0 for a class without weight."""
    chunks = -(-len(cases) // CHUNK_ROWS)
    sums = np.zeros((chunks, 1, cases.class_count, 2))

    def add(start: int, stop: int) -> None:
        these = placements[np.newaxis, start:stop]
        weight, codes = cases.weight[start:stop], cases.codes[start:stop]
        add_sums(these, these, weight, codes, sums[start // CHUNK_ROWS])

    run_chunks(add, (), len(cases))
    above = np.cumsum(sums, axis=0)[-1, 0, :, 0]
    return np.asarray(above / np.maximum(cases.class_frequency, np.finfo(float).tiny))


def _side_shares(cases: JudgedCases) -> FloatArray:
    """Share of its side that a case weight of 1 is, by class, (K,)."""
    factor = np.ones(cases.class_count) if cases.factor is None else cases.factor
    others = float(cases.class_weight[1:].sum())
    is_event = np.arange(cases.class_count) == 0
    return np.asarray(factor / np.where(is_event, cases.class_weight[0], others))


def area_influence(cases: JudgedCases, placements: FloatArray) -> CaseInfluence:
    """Influence of each case on the area under the ROC curve, from its placement.

    With equal weights the variance from it is DeLong's, divisors m - 1 and n - 1. Under priors for
    more than two classes the other classes' shares are held fixed too.

    Parameters
    ----------
    placements : (n,) float64
        As ``RankedSample.placements`` gives them; their memory becomes that of the parts.
    """
    means = _class_means(cases, placements)
    area = float(means[0])
    share = _side_shares(cases)
    strata, centre = cases.codes, np.full(cases.class_count, area)
    if cases.class_count > 2:
        if cases.factor is None:
            strata = np.minimum(strata, 1)
        else:
            centre = means
    arrays = (placements, cases.codes, cases.weight, centre, share)
    run_chunks(fill_area_parts, arrays, len(cases))
    return CaseInfluence(area, placements, strata, method="DeLong")


@dataclass(frozen=True, slots=True, eq=False)
class RocArea:
    """The area under a ROC curve with DeLong's variance.

    ``influence`` is there where differences of models or clusters need what each case adds.
    """

    value: float
    variance: float
    influence: CaseInfluence | None


def roc_area(cases: JudgedCases, ranking: RankedSample, area: float) -> RocArea:
    """The area of a model's ranking, whose value is known, with its variance.

    Parameters
    ----------
    ranking : RankedSample
        By the event's chance.
    area : float
        The area under its ROC curve.
    """
    if len(cases.problem.models) > 1 or cases.clusters is not None:
        influence = area_influence(cases, ranking.placements())
        return RocArea(influence.value, influence.variance(), influence)
    moments = ranking.place_moments(area)
    share = _side_shares(cases)
    rows, centre = cases.class_rows, np.zeros(cases.class_count)
    if cases.class_count > 2 and cases.factor is not None:
        centre = moments[:, 0] / np.maximum(cases.class_frequency, np.finfo(float).tiny)
    squares = moments[:, 1] - 2.0 * centre * moments[:, 2] + centre**2 * moments[:, 3]
    squares = np.maximum(squares, 0.0) * share**2
    if cases.class_count > 2 and cases.factor is None:
        squares = np.array([squares[0], squares[1:].sum()])
        rows = np.array([rows[0], rows[1:].sum()])
    return RocArea(area, stratum_variance(squares, rows), None)


def measure_area(
    cases: JudgedCases, metric: BoundMetric, measured: Measured, area: RocArea | None
) -> CaseInfluence | None:
    """DeLong's interval for a metric that is the area (or Gini), checked against its own value.

    Returns
    -------
    Influence or None
        What differences of models need, where there are any.
    """
    slope = metric.spec.area_slope
    if slope is None or area is None or metric.spec.unit != ResampleUnit.ROW:
        return None
    value, influence = slope * area.value - (slope - 1.0), area.influence
    if not abs(value - measured.value) <= 1e-9:
        return None
    variance, method = area.variance * slope**2, "DeLong"
    if influence is not None:
        influence = by_unit(cases, metric, replace(influence, value=value, scale=slope))
        method = influence.method
        if cases.clusters is not None:
            variance = influence.variance()
    note = ""
    if variance == 0.0:
        note = (
            "No case is ranked wrongly (or all are): the interval has no width and is too narrow."
        )
    elif np.isnan(variance):
        note = ONE_UNIT
    estimate = normal_estimate(
        measured.value, variance, method=method, bounds=metric.spec.value_range, note=note
    )
    if variance > 0.0 and fewest_units(cases, metric) < FEW_UNITS:
        estimate = _of_few(cases, metric, estimate, variance)
    measured.analytic = estimate
    return influence


def _of_few(cases: JudgedCases, metric: BoundMetric, plain: Estimate, variance: float) -> Estimate:
    """The interval of an area over few cases of a class; that on the plain scale is named with it.

    There, seven events hold the truth in 86 to 89 % of samples.
    """
    units = fewest_units(cases, metric)
    low, high = logit_limits(plain.value, variance, metric.spec.value_range, units)
    described = f"{plain.low:.4f} to {plain.high:.4f} on the plain scale"
    return replace(
        plain,
        low=low,
        high=high,
        method=f"{plain.method}, logit scale, Student's t ({described})",
        note=few_words(cases, metric, units),
    )


MOST_BINS = 1_100


def bin_cuts(sample: RankedSample) -> IntArray:
    """Positions at which bins begin: every group where they are few, else depths of the grid.

    The shallowest depths are cut more finely, since charts of lift begin there.
    """
    if sample.starts.group_count <= MOST_BINS:
        return sample.group_ends[:-1].copy()
    rows = len(sample)
    even = np.linspace(0.0, rows, GRID_POINTS)[1:-1]
    shallow = np.geomspace(1.0, rows / (GRID_POINTS - 1), 64)
    cuts = np.unique(np.rint(np.concatenate([shallow, even])).astype(np.int64))
    return cuts[(cuts > 0) & (cuts < rows)]


@dataclass(slots=True, eq=False)
class LevelRanking:
    """One model's ranking by one level: what is kept of it after the sort."""

    model: int
    level: int
    bins: BinArray
    bin_count: int
    counts: FloatArray  # (B, K) weight per bin and class of the data as they are


@dataclass(slots=True, eq=False)
class ModelRankings:
    """What one model's rankings gave.

    ``levels`` is what draws need, empty where there are none; ``values`` holds each ranked metric
    by level, (K,).
    """

    summary: RankingSummary
    levels: list[LevelRanking]
    area: RocArea | None
    values: dict[str, FloatArray]


RankedCall = Callable[[BoundMetric, FloatArray, FloatArray], FloatArray]


def levels_needed(cases: JudgedCases, metrics: Sequence[BoundMetric]) -> list[int]:
    """Levels to rank by: the event, and all where a metric averages over classes."""
    over_all = any(metric.spec.over_classes != ClassAverage.EVENT for metric in metrics)
    return list(range(cases.class_count)) if over_all and cases.class_count > 2 else [0]


def wants_level(metric: BoundMetric, level: int) -> bool:
    """Whether a ranked metric is computed by a level."""
    return level == 0 or metric.spec.over_classes != ClassAverage.EVENT


def rank_model(
    cases: JudgedCases,
    model: JudgedScores,
    position: int,
    metrics: Sequence[BoundMetric],
    call: RankedCall,
) -> ModelRankings:
    """Rank a model by each level wanted and evaluate ranked metrics at every end of a group.

    Parameters
    ----------
    call : callable (metric, events, others) -> (1,) values
        Calls the plugin and catches what it raises.
    """
    kept: list[LevelRanking] = []
    values = {metric.key: np.full(cases.class_count, np.nan) for metric in metrics}
    area: RocArea | None = None
    summary: RankingSummary | None = None
    for level in levels_needed(cases, metrics):
        if cases.class_weight[level] <= 0:
            continue
        ranking = cases.ranked(model, level)
        if level == 0:
            cases.keep_order(model, ranking)
            summary = ranking.summary()
            if any(metric.spec.area_slope is not None for metric in metrics):
                area = roc_area(cases, ranking, summary.auc)
        for metric in metrics:
            if wants_level(metric, level):
                events, others = ranking.events[np.newaxis], ranking.others[np.newaxis]
                values[metric.key][level] = call(metric, events, others)[0]
        if cases.problem.resamples > 0:
            kept.append(_binned(cases, ranking, position, level))
    if summary is None:
        raise PayoffError(
            f"No case of '{cases.levels[0]}' has weight: nothing can be ranked by it.",
            remedy="Choose another event level, or give it a prior above 0.",
        )
    return ModelRankings(summary, kept, area, values)


def _binned(cases: JudgedCases, ranking: RankedSample, position: int, level: int) -> LevelRanking:
    cuts = bin_cuts(ranking)
    bins, number = ranking.bins(cuts), len(cuts) + 1
    place = bins.astype(np.int64) * cases.class_count + cases.codes
    weight = cases.weight if len(cases.weight) else None
    counts = np.bincount(place, weights=weight, minlength=number * cases.class_count)
    return LevelRanking(
        position, level, bins, number, counts.reshape(number, cases.class_count).astype(float)
    )


def cumulate(
    cases: JudgedCases, counts: FloatArray, level: int
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Events, others and all classes, cumulated over the bins, from counts of draws.

    Parameters
    ----------
    counts : (B, K, L) float64

    Returns
    -------
    events, others : (L, B) float64
        Prior weights applied, class shares of each draw held at the priors.
    classes : (K, L, B) float64
        Case weights only.
    """
    running = np.ascontiguousarray(np.cumsum(counts, axis=0).transpose(1, 2, 0))
    weighted = running
    if cases.priors is not None:
        weighted = running * draw_factor(cases, running[:, :, -1])[:, :, np.newaxis]
    events = np.ascontiguousarray(weighted[level])
    others = weighted.sum(axis=0) - events if len(weighted) > 2 else weighted[1 - level]
    return events, np.ascontiguousarray(others), running


def averaged(cases: JudgedCases, average: ClassAverage, by_level: FloatArray) -> FloatArray:
    """A ranked metric over its levels, (K, L) to (L,); levels without weight are left out."""
    if average == ClassAverage.EVENT or cases.class_count <= 2:
        return np.asarray(by_level[0])
    weight = cases.class_weight if average == ClassAverage.WEIGHTED else np.ones(cases.class_count)
    weight = np.where(cases.class_weight > 0, weight, 0.0)
    present = weight > 0
    return np.asarray(weight[present] @ by_level[present] / weight[present].sum())
