"""Metrics of chances and of the class they point to."""

from __future__ import annotations

import math
from functools import partial

import numpy as np

import payoff
from payoff.numeric import fill_log
from payoff.types import CodeArray, FloatArray


@payoff.kernel(shape="elementwise")
def log_loss_rows(
    outcome: CodeArray,
    prediction: FloatArray,
    parameters: FloatArray,
    contribution: FloatArray,
    factor: FloatArray,
    start: int,
    stop: int,
) -> None:
    """Fill minus the log of the chance given to what happened; infinite where that was 0."""
    logs = contribution[0, start:stop]
    for i in range(start, stop):
        contribution[0, i] = max(prediction[outcome[i], i], 0.0)
    fill_log(logs, logs)
    for i in range(start, stop):
        contribution[0, i] = -contribution[0, i]
        factor[0, i] = 1.0


@payoff.kernel(shape="elementwise")
def brier_rows(
    outcome: CodeArray,
    prediction: FloatArray,
    parameters: FloatArray,
    contribution: FloatArray,
    factor: FloatArray,
    start: int,
    stop: int,
) -> None:
    """Fill squared misses: of the event with two classes, summed over classes with more."""
    classes = prediction.shape[0] if prediction.shape[0] > 2 else 1
    for i in range(start, stop):
        total = 0.0
        for k in range(classes):
            miss = prediction[k, i] - (1.0 if outcome[i] == k else 0.0)
            total += miss * miss
        contribution[0, i] = total
        factor[0, i] = 1.0


@payoff.kernel(shape="elementwise")
def accuracy_rows(
    outcome: CodeArray,
    prediction: FloatArray,
    parameters: FloatArray,
    contribution: FloatArray,
    factor: FloatArray,
    start: int,
    stop: int,
) -> None:
    """Fill 1 where the predicted class happened; equal chances go to the first class."""
    classes = prediction.shape[0]
    for i in range(start, stop):
        predicted = 0
        if classes == 2:
            predicted = 0 if prediction[0, i] >= parameters[0] else 1
        else:
            for k in range(1, classes):
                if prediction[k, i] > prediction[predicted, i]:
                    predicted = k
        contribution[0, i] = 1.0 if outcome[i] == predicted else 0.0
        factor[0, i] = 1.0


def _shares(sample: payoff.Sample) -> FloatArray:
    return sample.class_weight / sample.total_weight


def entropy(sample: payoff.Sample, parameters: payoff.Parameters) -> float:
    """Log loss of a model that always gives the class shares."""
    shares = _shares(sample)
    present = shares[shares > 0.0]
    return float(-(present * np.log(present)).sum())


def share_variance(sample: payoff.Sample, parameters: payoff.Parameters) -> float:
    """Brier score of a model that always gives the class shares."""
    shares = _shares(sample)
    if shares.size == 2:
        return float(shares[0] * shares[1])
    return float(1.0 - (shares**2).sum())


def largest_share(sample: payoff.Sample, parameters: payoff.Parameters) -> float:
    """Accuracy of always predicting the most frequent class."""
    return float(_shares(sample).max())


_metric = partial(
    payoff.EvaluationMetric,
    direction=payoff.Direction.LOWER,
    inputs=(payoff.Input.OUTCOME, payoff.Input.PROBABILITY),
    tasks=(payoff.Task.BINARY, payoff.Task.MULTICLASS),
    form=payoff.MetricForm.ROW_MEAN,
    perfect_value=0.0,
    decimals=4,
)

LOG_LOSS = _metric(
    id="log_loss",
    usual_for=(payoff.Task.BINARY, payoff.Task.MULTICLASS),
    label="Log loss",
    help="Mean surprise at what happened; infinite if a chance of 0 came true.",
    formula="mean of −ln(chance given to the class that happened); not clipped",
    reference="Good 1952",
    value_range=(0.0, math.inf),
    random_value=entropy,
    rows=log_loss_rows,
)

BRIER = _metric(
    id="brier",
    usual_for=(payoff.Task.BINARY, payoff.Task.MULTICLASS),
    label="Brier score",
    help="Mean squared distance between the chances and what happened.",
    formula="two classes: mean of (p − y)²; more: mean of Σ over classes, 0 to 2",
    aliases=("brier_score",),
    reference="Brier 1950",
    value_range=(0.0, 2.0),
    random_value=share_variance,
    rows=brier_rows,
)

ACCURACY = _metric(
    id="accuracy",
    usual_for=(payoff.Task.MULTICLASS,),
    label="Accuracy",
    help="Share of cases whose predicted class happened. With rare events look at lift instead.",
    formula="two classes: event predicted from the threshold on; more: the largest chance",
    reference="",
    direction=payoff.Direction.HIGHER,
    value_range=(0.0, 1.0),
    random_value=largest_share,
    perfect_value=1.0,
    parameters=(
        payoff.Parameter(
            name="threshold",
            words="the event is predicted from this chance on",
            default=0.5,
            minimum=0.0,
            maximum=1.0,
            unit=payoff.NumberUnit.PERCENT,
            help="Used with two classes only.",
        ),
    ),
    decimals=1,
    number_unit=payoff.NumberUnit.PERCENT,
    rows=accuracy_rows,
)
