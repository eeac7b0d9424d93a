"""DeLong's interval of the area under the ROC curve, and of metrics that are a slope of it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from core.evaluation.binding import BoundMetric
from core.evaluation.cases import Cases
from core.evaluation.columns import Measured, by_unit
from core.evaluation.intervals import Influence, normal_estimate
from core.evaluation.row_kernels import add_sums
from core.kernels import CHUNK_ROWS, own_kernel, run_chunks
from payoff.types import CodeArray, FloatArray
from payoff.vocabulary import ResampleUnit

AREA_IDS = {"auc": 1.0, "gini": 2.0}
"""Ranked metrics that are the area under the ROC curve times a slope: DeLong's variance fits."""


@own_kernel
def fill_area_parts(
    placements: FloatArray,
    codes: CodeArray,
    weight: FloatArray,
    centre: FloatArray,
    share: FloatArray,
    start: int,
    stop: int,
) -> None:
    """Turn placements (n,) into influences, in place.

    ``centre`` and ``share`` (K,) are what a class's placements are centred at, and what its case
    weight is multiplied with; ``weight`` (n,) or (0,): empty = 1 each.
    """
    weighted = weight.shape[0] > 0
    for row in range(start, stop):
        code = codes[row]
        times = weight[row] if weighted else 1.0
        placements[row] = (placements[row] - centre[code]) * times * share[code]


def _class_means(cases: Cases, placements: FloatArray) -> FloatArray:
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


def area_influence(cases: Cases, placements: FloatArray) -> Influence:
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
    factor = np.ones(cases.class_count) if cases.factor is None else cases.factor
    others = float(cases.class_weight[1:].sum())
    share = factor / np.where(np.arange(cases.class_count) == 0, cases.class_weight[0], others)
    strata, centre = cases.codes, np.full(cases.class_count, area)
    if cases.class_count > 2:
        if cases.factor is None:
            strata = np.minimum(strata, 1)
        else:
            centre = means
    arrays = (placements, cases.codes, cases.weight, centre, share)
    run_chunks(fill_area_parts, arrays, len(cases))
    return Influence(area, placements, strata, method="DeLong")


def measure_area(
    cases: Cases, metric: BoundMetric, measured: Measured, area: Influence | None
) -> Influence | None:
    """DeLong's interval for a metric that is the area (or Gini), checked against its own value."""
    slope = AREA_IDS.get(metric.spec.id)
    if slope is None or area is None or metric.spec.unit != ResampleUnit.ROW:
        return None
    influence = replace(area, value=slope * area.value - (slope - 1.0), scale=slope)
    influence = by_unit(cases, metric, influence)
    if not abs(influence.value - measured.value) <= 1e-9:
        return None
    variance = influence.variance()
    note = ""
    if variance == 0.0:
        note = (
            "No case is ranked wrongly (or all are): the interval has no width and is too narrow."
        )
    elif np.isnan(variance):
        note = "A class has one case only: no interval can be given."
    estimate = normal_estimate(
        measured.value, variance, method=influence.method, bounds=metric.spec.value_range, note=note
    )
    measured.analytic = estimate
    return influence
