"""Metrics of predicted numbers."""

from __future__ import annotations

import math

import numpy as np

import payoff
from payoff.numeric import weighted_median
from payoff.types import FloatArray


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


@payoff.metric(
    "RMSE",
    usual_for=(payoff.Task.REGRESSION,),
    formula="√ mean of (y − f)²",
    task="regression",
    direction="lower",
    value_range=(0.0, math.inf),
    random_value=deviation,
    perfect_value=0.0,
    combine=root,
)
def rmse(y: float, p: float) -> float:
    """Typical size of a miss in the target's unit; large misses count most."""
    miss = y - p
    return miss * miss


@payoff.metric(
    "MAE",
    usual_for=(payoff.Task.REGRESSION,),
    formula="mean of |y − f|",
    task="regression",
    direction="lower",
    value_range=(0.0, math.inf),
    random_value=distance_to_median,
    perfect_value=0.0,
)
def mae(y: float, p: float) -> float:
    """Mean size of a miss in the target's unit."""
    return abs(y - p)
