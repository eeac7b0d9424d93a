"""Metrics of predicted numbers."""

from __future__ import annotations

import math

import numpy as np

import payoff
from payoff.numeric import weighted_median
from payoff.types import FloatArray


@payoff.kernel(shape="elementwise")
def squared_rows(
    outcome: FloatArray,
    prediction: FloatArray,
    parameters: FloatArray,
    contribution: FloatArray,
    factor: FloatArray,
    start: int,
    stop: int,
) -> None:
    """Fill squared misses."""
    for i in range(start, stop):
        miss = outcome[i] - prediction[0, i]
        contribution[0, i] = miss * miss
        factor[0, i] = 1.0


@payoff.kernel(shape="elementwise")
def absolute_rows(
    outcome: FloatArray,
    prediction: FloatArray,
    parameters: FloatArray,
    contribution: FloatArray,
    factor: FloatArray,
    start: int,
    stop: int,
) -> None:
    """Fill absolute misses."""
    for i in range(start, stop):
        contribution[0, i] = abs(outcome[i] - prediction[0, i])
        factor[0, i] = 1.0


def root(means: FloatArray, parameters: payoff.Parameters) -> FloatArray:
    """The root of the mean squared miss."""
    answer: FloatArray = np.sqrt(means[0])
    return answer


def deviation(sample: payoff.Sample, parameters: payoff.Parameters) -> float:
    """RMSE of always predicting the mean."""
    mean = np.average(sample.outcome, weights=sample.weight)
    return math.sqrt(np.average((sample.outcome - mean) ** 2, weights=sample.weight))


def distance_to_median(sample: payoff.Sample, parameters: payoff.Parameters) -> float:
    """MAE of always predicting the median."""
    middle = weighted_median(sample.outcome.astype(np.float64), sample.weight)
    return float(np.average(np.abs(sample.outcome - middle), weights=sample.weight))


_INPUTS = (payoff.Input.OUTCOME, payoff.Input.PREDICTIONS)
_TASKS = (payoff.Task.REGRESSION,)

RMSE = payoff.EvaluationMetric(
    id="rmse",
    usual_for=(payoff.Task.REGRESSION,),
    label="RMSE",
    help="Typical size of a miss in the target's unit; large misses count most.",
    formula="√ mean of (y − f)²",
    reference="",
    direction=payoff.Direction.LOWER,
    inputs=_INPUTS,
    tasks=_TASKS,
    form=payoff.MetricForm.SMOOTH,
    value_range=(0.0, math.inf),
    random_value=deviation,
    perfect_value=0.0,
    rows=squared_rows,
    combine=root,
)

MAE = payoff.EvaluationMetric(
    id="mae",
    usual_for=(payoff.Task.REGRESSION,),
    label="MAE",
    help="Mean size of a miss in the target's unit.",
    formula="mean of |y − f|",
    reference="",
    direction=payoff.Direction.LOWER,
    inputs=_INPUTS,
    tasks=_TASKS,
    form=payoff.MetricForm.ROW_MEAN,
    value_range=(0.0, math.inf),
    random_value=distance_to_median,
    perfect_value=0.0,
    rows=absolute_rows,
)
