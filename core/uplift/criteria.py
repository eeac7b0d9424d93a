"""Radcliffe's six criteria of an uplift model, as a card."""

from __future__ import annotations

import math

import numpy as np

from core.decisions.ties import peak
from core.document.studies.uplift import Criteria, RankingSlices
from core.inference.normal import normal_interval
from core.uplift.areas import area_of
from core.uplift.ranking import UpliftRanking
from core.uplift.segments import slices_of
from payoff.types import FloatArray

SEGMENTS = 10


def criteria_of(
    ranking: UpliftRanking,
    *,
    depth: float = 0.5,
    nu: float = 0.0,
    training: UpliftRanking | None = None,
) -> Criteria:
    """The card of one model."""
    area = area_of(ranking, "generalised", nu=nu)
    low, high = normal_interval(area.minus_random, area.standard_error_minus_random)
    slices = slices_of(ranking, SEGMENTS)
    uplift = slices.uplift
    steps = np.diff(uplift)
    total = ranking.experiment.total
    height = np.concatenate([[0.0], ranking.signed[1] * total])
    depths = np.concatenate([[0.0], ranking.depth])
    best = peak(height)
    return Criteria(
        qini=area.minus_random,
        qini_low=low,
        qini_high=high,
        falls=int(np.sum(steps < 0)),
        steps=int(np.sum(np.isfinite(steps))),
        isotonic_gap=_isotonic_gap(slices),
        peak=float(height[best]),
        peak_depth=float(depths[best]),
        at_depth=depth,
        impact=float(np.interp(depth, depths, height)),
        agreement=_agreement(uplift, training),
        spread=float(slices.mean_score[0] - slices.mean_score[-1]),
    )


def _isotonic_gap(slices: RankingSlices) -> float:
    known = np.isfinite(slices.uplift)
    if not known.any():
        return math.nan
    weight = (slices.treated + slices.control)[known]
    values = slices.uplift[known]
    return math.sqrt(float(weight @ (values - falling_fit(values, weight)) ** 2) / weight.sum())


def falling_fit(values: FloatArray, weight: FloatArray) -> FloatArray:
    """The nearest sequence that never rises, by pooling neighbours."""
    means: list[float] = []
    weights: list[float] = []
    counts: list[int] = []
    for value, size in zip(values, weight, strict=True):
        means.append(float(value))
        weights.append(float(size))
        counts.append(1)
        while len(means) > 1 and means[-2] < means[-1]:
            both = weights[-2] + weights[-1]
            means[-2] = (means[-2] * weights[-2] + means[-1] * weights[-1]) / both
            weights[-2] = both
            counts[-2] += counts[-1]
            del means[-1], weights[-1], counts[-1]
    return np.repeat(np.array(means), counts)


def _agreement(uplift: FloatArray, training: UpliftRanking | None) -> float:
    if training is None:
        return math.nan
    other = slices_of(training, SEGMENTS).uplift
    known = np.isfinite(uplift) & np.isfinite(other)
    if known.sum() < 3 or np.ptp(uplift[known]) == 0 or np.ptp(other[known]) == 0:
        return math.nan
    return float(np.corrcoef(uplift[known], other[known])[0, 1])
