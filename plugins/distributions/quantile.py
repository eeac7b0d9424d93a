"""Check loss: a number that the outcome stays below with a given chance."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

import payoff
from payoff.numeric import identity_response, value_at_weight, weighted_quantile
from payoff.types import FloatArray, IntArray, StopFlag


@payoff.kernel(shape="elementwise")
def quantile_loss(
    outcome: FloatArray,
    score: FloatArray,
    parameters: FloatArray,
    out: FloatArray,
    start: int,
    stop: int,
) -> None:
    """Fill alpha (y - F) where y > F, else (1 - alpha) (F - y)."""
    for i in range(start, stop):
        residual = outcome[i] - score[0, i]
        out[i] = parameters[0] * residual if residual > 0.0 else (parameters[0] - 1.0) * residual


@payoff.kernel(shape="elementwise")
def quantile_gradient(
    outcome: FloatArray,
    score: FloatArray,
    parameters: FloatArray,
    gradient: FloatArray,
    curvature: FloatArray,
    start: int,
    stop: int,
) -> None:
    """Fill alpha where y > F, else alpha - 1, with curvature 1."""
    for i in range(start, stop):
        gradient[0, i] = parameters[0] if outcome[i] > score[0, i] else parameters[0] - 1.0
        curvature[0, i] = 1.0


@payoff.kernel(shape="whole")
def quantile_initial_score(
    outcome: FloatArray,
    weight: FloatArray,
    offset: FloatArray,
    parameters: FloatArray,
    out: FloatArray,
    stop_flag: StopFlag,
) -> None:
    """Fill the weighted quantile of outcome less offset."""
    value = weighted_quantile(outcome - offset[0], weight, parameters[0])
    out[0] = value if math.isfinite(value) else 0.0


@payoff.kernel(shape="by_group")
def quantile_leaf_values(
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
    """Fill the weighted quantile of the residuals of each leaf; 0 in a leaf without weight."""
    for leaf in range(first_group, last_group):
        cases = rows[offsets[leaf] : offsets[leaf + 1]]
        value = weighted_quantile(outcome[cases] - score[0][cases], weight[cases], parameters[0])
        out[leaf] = value if math.isfinite(value) else 0.0


@payoff.kernel(shape="helper")
def order_statistic(values: FloatArray, level: float) -> float:
    """Return value number floor(m level) + 1 in rising order, the last at most; 0 of none."""
    size = values.shape[0]
    if size == 0:
        return 0.0
    place = min(int(size * level), size - 1)
    return value_at_weight(values, np.ones(size), place + 0.5)


@payoff.kernel(shape="whole")
def gbm_quantile_initial_score(
    outcome: FloatArray,
    weight: FloatArray,
    offset: FloatArray,
    parameters: FloatArray,
    out: FloatArray,
    stop_flag: StopFlag,
) -> None:
    """Fill gbm's order statistic of outcome less offset; weights are left out."""
    out[0] = order_statistic(outcome - offset[0], parameters[0])


@payoff.kernel(shape="by_group")
def gbm_quantile_leaf_values(
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
    """Fill gbm's order statistic of the residuals of each leaf; weights are left out."""
    for leaf in range(first_group, last_group):
        cases = rows[offsets[leaf] : offsets[leaf + 1]]
        out[leaf] = order_statistic(outcome[cases] - score[0][cases], parameters[0])


def chosen_level(parameters: payoff.Parameters) -> float:
    """The quantile that a leaf is fitted to."""
    return parameters["alpha"]


QUANTILE = payoff.LossDistribution(
    id="quantile",
    label="Quantile",
    asks="a number to stay below, with a given chance",
    help="Check loss: fits the value that the outcome stays below in the given share of cases.",
    formula="mean of w (α (y − F) if y > F, else (1 − α)(F − y))",
    reference="Koenker & Bassett 1978; R package gbm, distribution quantile",
    target=payoff.TargetDomain.REAL,
    loss=quantile_loss,
    negative_gradient=quantile_gradient,
    initial_score=quantile_initial_score,
    response=identity_response,
    link=identity_response,
    leaf_kind=payoff.LeafKind.QUANTILE,
    leaf_quantile=chosen_level,
    leaf_values=quantile_leaf_values,
    gradient_factor=1.0,
    parameters=(
        payoff.Parameter(
            name="alpha",
            words="share of cases that stay below",
            default=0.5,
            minimum=0.0,
            maximum=1.0,
            is_minimum_open=True,
            is_maximum_open=True,
        ),
    ),
)

_WITHOUT_WEIGHTS = "gbm takes an order statistic of the rows and leaves their weights out."
GBM_QUANTILE = replace(
    QUANTILE,
    id="gbm_quantile",
    label="Quantile as in gbm",
    initial_score=gbm_quantile_initial_score,
    leaf_kind=payoff.LeafKind.SOLVER,
    leaf_values=gbm_quantile_leaf_values,
    expected_failures=(
        ("Weight 2 equals a row twice", _WITHOUT_WEIGHTS),
        ("Offsets are honoured", _WITHOUT_WEIGHTS),
        ("Cases of weight 0 do not count", _WITHOUT_WEIGHTS),
    ),
)
QUANTILE = replace(QUANTILE, gbm=GBM_QUANTILE)
