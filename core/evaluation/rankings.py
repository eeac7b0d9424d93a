"""Every model's ranking: summary, bins for resampling, and the values of ranked metrics."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from core.evaluation.binding import BoundMetric
from core.evaluation.cases import JudgedCases
from core.evaluation.delong import RocArea, roc_area
from core.evaluation.problem import JudgedScores
from core.evaluation.ranking import GRID_POINTS, RankedSample, RankingSummary
from core.evaluation.sums import draw_factor
from core.inference.draws import BinArray
from payoff.errors import PayoffError
from payoff.types import FloatArray, IntArray
from payoff.vocabulary import ClassAverage

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
