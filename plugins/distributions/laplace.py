"""Absolute error: a number whose median is wanted."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

import payoff
from payoff.numeric import identity_response, weighted_median
from payoff.types import FloatArray, IntArray, StopFlag
from plugins.distributions.gbm_median import gbm_median


@payoff.kernel(shape="elementwise")
def laplace_loss(
    outcome: FloatArray,
    score: FloatArray,
    parameters: FloatArray,
    out: FloatArray,
    start: int,
    stop: int,
) -> None:
    """Fill |y - F|."""
    for i in range(start, stop):
        out[i] = abs(outcome[i] - score[0, i])


@payoff.kernel(shape="elementwise")
def laplace_gradient(
    outcome: FloatArray,
    score: FloatArray,
    parameters: FloatArray,
    gradient: FloatArray,
    curvature: FloatArray,
    start: int,
    stop: int,
) -> None:
    """Fill +1 where y > F, else -1 (gbm's choice at y = F), with curvature 1."""
    for i in range(start, stop):
        gradient[0, i] = 1.0 if outcome[i] > score[0, i] else -1.0
        curvature[0, i] = 1.0


@payoff.kernel(shape="whole")
def laplace_initial_score(
    outcome: FloatArray,
    weight: FloatArray,
    offset: FloatArray,
    parameters: FloatArray,
    out: FloatArray,
    stop_flag: StopFlag,
) -> None:
    """Fill the weighted median of outcome less offset."""
    value = weighted_median(outcome - offset[0], weight)
    out[0] = value if np.isfinite(value) else 0.0


@payoff.kernel(shape="by_group")
def laplace_leaf_values(
    outcome: FloatArray,
    score: FloatArray,
    weight: FloatArray,
    gradient: FloatArray,
    curvature: FloatArray,
    parameters: FloatArray,
    output: int,
    rows: IntArray,
    offsets: IntArray,
    out: FloatArray,
    first_group: int,
    last_group: int,
) -> None:
    """Fill the weighted median of the residuals y - F of each leaf; 0 in a leaf without weight."""
    for leaf in range(first_group, last_group):
        cases = rows[offsets[leaf] : offsets[leaf + 1]]
        value = weighted_median(outcome[cases] - score[0][cases], weight[cases])
        out[leaf] = value if np.isfinite(value) else 0.0


@payoff.kernel(shape="whole")
def gbm_laplace_initial_score(
    outcome: FloatArray,
    weight: FloatArray,
    offset: FloatArray,
    parameters: FloatArray,
    out: FloatArray,
    stop_flag: StopFlag,
) -> None:
    """Fill the weighted median of outcome less offset, rounded as in gbm."""
    out[0] = gbm_median(outcome - offset[0], weight)


@payoff.kernel(shape="by_group")
def gbm_laplace_leaf_values(
    outcome: FloatArray,
    score: FloatArray,
    weight: FloatArray,
    gradient: FloatArray,
    curvature: FloatArray,
    parameters: FloatArray,
    output: int,
    rows: IntArray,
    offsets: IntArray,
    out: FloatArray,
    first_group: int,
    last_group: int,
) -> None:
    """Fill the weighted median of the residuals of each leaf, rounded as in gbm."""
    for leaf in range(first_group, last_group):
        cases = rows[offsets[leaf] : offsets[leaf + 1]]
        out[leaf] = gbm_median(outcome[cases] - score[0][cases], weight[cases])


def middle(parameters: payoff.Parameters) -> float:
    """The quantile that a leaf is fitted to."""
    return 0.5


LAPLACE = payoff.LossDistribution(
    id="laplace",
    label="Laplace",
    asks="a number, by its median",
    help="Absolute error: fits the median of a number; single large misses count little.",
    formula="mean of w |y − F|",
    reference="Friedman 2001; Ridgeway, Generalized boosted models",
    target=payoff.TargetDomain.REAL,
    loss=laplace_loss,
    negative_gradient=laplace_gradient,
    initial_score=laplace_initial_score,
    response=identity_response,
    link=identity_response,
    leaf_kind=payoff.LeafKind.QUANTILE,
    leaf_quantile=middle,
    leaf_values=laplace_leaf_values,
    gradient_factor=1.0,
)

GBM_LAPLACE = replace(
    LAPLACE,
    id="gbm_laplace",
    label="Laplace as in gbm",
    initial_score=gbm_laplace_initial_score,
    leaf_values=gbm_laplace_leaf_values,
)
LAPLACE = replace(LAPLACE, gbm=GBM_LAPLACE)
