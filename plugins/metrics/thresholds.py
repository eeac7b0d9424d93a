"""Metrics of a cut-off: the event is predicted for cases whose chance reaches it."""

from __future__ import annotations

import math

import numpy as np

import payoff
from payoff.types import CodeArray, FloatArray
from plugins.metrics.tables import youden_limits


@payoff.kernel(shape="elementwise")
def precision_rows(
    outcome: CodeArray,
    prediction: FloatArray,
    parameters: FloatArray,
    contribution: FloatArray,
    factor: FloatArray,
    start: int,
    stop: int,
) -> None:
    """Fill, among cases predicted as the event, 1 where it happened."""
    for i in range(start, stop):
        contribution[0, i] = 1.0 if outcome[i] == 0 else 0.0
        factor[0, i] = 1.0 if prediction[0, i] >= parameters[0] else 0.0


@payoff.kernel(shape="elementwise")
def recall_rows(
    outcome: CodeArray,
    prediction: FloatArray,
    parameters: FloatArray,
    contribution: FloatArray,
    factor: FloatArray,
    start: int,
    stop: int,
) -> None:
    """Fill, among cases with the event, 1 where it was predicted."""
    for i in range(start, stop):
        contribution[0, i] = 1.0 if prediction[0, i] >= parameters[0] else 0.0
        factor[0, i] = 1.0 if outcome[i] == 0 else 0.0


@payoff.kernel(shape="elementwise")
def specificity_rows(
    outcome: CodeArray,
    prediction: FloatArray,
    parameters: FloatArray,
    contribution: FloatArray,
    factor: FloatArray,
    start: int,
    stop: int,
) -> None:
    """Fill, among cases without the event, 1 where it was not predicted."""
    for i in range(start, stop):
        contribution[0, i] = 1.0 if prediction[0, i] < parameters[0] else 0.0
        factor[0, i] = 1.0 if outcome[i] != 0 else 0.0


@payoff.kernel(shape="elementwise")
def side_rows(
    outcome: CodeArray,
    prediction: FloatArray,
    parameters: FloatArray,
    contribution: FloatArray,
    factor: FloatArray,
    start: int,
    stop: int,
) -> None:
    """Fill whether the event was predicted: among events first, then among the others."""
    for i in range(start, stop):
        predicted = 1.0 if prediction[0, i] >= parameters[0] else 0.0
        event = 1.0 if outcome[i] == 0 else 0.0
        contribution[0, i] = predicted
        contribution[1, i] = predicted
        factor[0, i] = event
        factor[1, i] = 1.0 - event


@payoff.kernel(shape="elementwise")
def found_rows(
    outcome: CodeArray,
    prediction: FloatArray,
    parameters: FloatArray,
    contribution: FloatArray,
    factor: FloatArray,
    start: int,
    stop: int,
) -> None:
    """Fill events found, cases predicted and events, of all cases."""
    for i in range(start, stop):
        predicted = 1.0 if prediction[0, i] >= parameters[0] else 0.0
        event = 1.0 if outcome[i] == 0 else 0.0
        contribution[0, i] = predicted * event
        contribution[1, i] = predicted
        contribution[2, i] = event
        factor[0, i] = 1.0
        factor[1, i] = 1.0
        factor[2, i] = 1.0


@payoff.kernel(shape="elementwise")
def net_benefit_rows(
    outcome: CodeArray,
    prediction: FloatArray,
    parameters: FloatArray,
    contribution: FloatArray,
    factor: FloatArray,
    start: int,
    stop: int,
) -> None:
    """Fill 1 for an event acted on, minus the odds of the threshold for another case acted on."""
    odds = parameters[0] / (1.0 - parameters[0])
    for i in range(start, stop):
        gain = 1.0 if outcome[i] == 0 else -odds
        contribution[0, i] = gain if prediction[0, i] >= parameters[0] else 0.0
        factor[0, i] = 1.0


def informedness(means: FloatArray, parameters: payoff.Parameters) -> FloatArray:
    """Recall plus specificity less 1."""
    return np.asarray(means[0] - means[1])


def f_score(means: FloatArray, parameters: payoff.Parameters) -> FloatArray:
    """Weighted harmonic mean of recall and precision; NaN without events and predictions."""
    square = parameters["beta"] ** 2
    below = square * means[2] + means[1]
    missing = np.full(below.shape, np.nan)
    found = np.divide((1.0 + square) * means[0], below, out=missing, where=below > 0.0)
    return np.asarray(found)


def event_share(sample: payoff.Sample, parameters: payoff.Parameters) -> float:
    """Weighted share of the event: the most that acting rightly can bring per case."""
    return float(sample.class_weight[0] / sample.total_weight)


_INPUTS = (payoff.Input.OUTCOME, payoff.Input.PROBABILITY)
_BINARY = (payoff.Task.BINARY,)
_HIGHER = payoff.Direction.HIGHER
_ROW_MEAN = payoff.MetricForm.ROW_MEAN
_SMOOTH = payoff.MetricForm.SMOOTH
_PERCENT = payoff.NumberUnit.PERCENT

THRESHOLD = payoff.Parameter(
    name="threshold",
    words="the event is predicted from this chance on",
    default=0.5,
    minimum=0.0,
    maximum=1.0,
    unit=payoff.NumberUnit.PERCENT,
)

PRECISION = payoff.EvaluationMetric(
    id="precision",
    label="Precision",
    title="Precision from {threshold}",
    help="Share of the cases predicted as the event in which it happened. Undefined where none is.",
    formula="events predicted ÷ cases predicted as the event",
    reference="van Rijsbergen 1979; positive predictive value",
    direction=_HIGHER,
    inputs=_INPUTS,
    tasks=_BINARY,
    form=_ROW_MEAN,
    value_range=(0.0, 1.0),
    perfect_value=1.0,
    parameters=(THRESHOLD,),
    decimals=1,
    number_unit=_PERCENT,
    rows=precision_rows,
    expected_failures=(
        ("Direction is as stated", "one chance for all may predict no event: it is undefined then"),
    ),
)

RECALL = payoff.EvaluationMetric(
    id="recall",
    label="Recall",
    title="Recall from {threshold}",
    help="Share of the events that were predicted; also called sensitivity.",
    formula="events predicted ÷ all events",
    reference="van Rijsbergen 1979; sensitivity, true positive rate",
    direction=_HIGHER,
    inputs=_INPUTS,
    tasks=_BINARY,
    form=_ROW_MEAN,
    value_range=(0.0, 1.0),
    perfect_value=1.0,
    parameters=(THRESHOLD,),
    decimals=1,
    number_unit=_PERCENT,
    rows=recall_rows,
)

SPECIFICITY = payoff.EvaluationMetric(
    id="specificity",
    label="Specificity",
    title="Specificity from {threshold}",
    help="Share of the cases without the event for which it was not predicted.",
    formula="others not predicted ÷ all others",
    reference="Yerushalmy 1947; true negative rate",
    direction=_HIGHER,
    inputs=_INPUTS,
    tasks=_BINARY,
    form=_ROW_MEAN,
    value_range=(0.0, 1.0),
    perfect_value=1.0,
    parameters=(THRESHOLD,),
    decimals=1,
    number_unit=_PERCENT,
    rows=specificity_rows,
    expected_failures=(("Direction is as stated", "predicting no event at all is perfect by it"),),
)

F_BETA = payoff.EvaluationMetric(
    id="f_beta",
    label="F-beta",
    title="F{beta} from {threshold}",
    help="Precision and recall in one number; recall counts beta times as much.",
    formula="(1 + β²) · events predicted ÷ (β² · events + predicted)",
    reference="van Rijsbergen 1979; as sklearn.metrics.fbeta_score",
    direction=_HIGHER,
    inputs=_INPUTS,
    tasks=_BINARY,
    form=_SMOOTH,
    value_range=(0.0, 1.0),
    perfect_value=1.0,
    parameters=(
        THRESHOLD,
        payoff.Parameter(
            name="beta",
            words="how much more recall counts than precision",
            default=1.0,
            minimum=0.0,
            help="1 = as much, 2 = twice as much.",
        ),
    ),
    n_means=3,
    rows=found_rows,
    combine=f_score,
)

YOUDEN = payoff.EvaluationMetric(
    id="youden",
    label="Youden's J",
    title="Youden's J from {threshold}",
    help="Recall plus specificity less 1 at the cut-off; its largest value over cut-offs is the "
    "KS, where the event ranks higher.",
    formula="recall + specificity − 1",
    aliases=("youden_j",),
    reference="Youden 1950; informedness",
    direction=_HIGHER,
    inputs=_INPUTS,
    tasks=_BINARY,
    form=_SMOOTH,
    value_range=(-1.0, 1.0),
    random_value=0.0,
    perfect_value=1.0,
    parameters=(THRESHOLD,),
    n_means=2,
    rows=side_rows,
    combine=informedness,
    interval=youden_limits,
)

NET_BENEFIT = payoff.EvaluationMetric(
    id="net_benefit",
    label="Net benefit",
    title="Net benefit from {threshold}",
    help="Events flagged per case, less the others flagged at the price that the threshold "
    "states: acting pays from this chance on.",
    formula="events flagged ÷ n − others flagged ÷ n × t ÷ (1 − t)",
    reference="Vickers & Elkin 2006",
    direction=_HIGHER,
    inputs=_INPUTS,
    tasks=_BINARY,
    form=_ROW_MEAN,
    value_range=(-math.inf, 1.0),
    perfect_value=event_share,
    parameters=(
        payoff.Parameter(
            name="threshold",
            words="chance from which acting pays",
            default=0.2,
            minimum=0.0,
            maximum=1.0,
            is_maximum_open=True,
            unit=payoff.NumberUnit.PERCENT,
        ),
    ),
    decimals=4,
    prior_weighted=True,
    rows=net_benefit_rows,
)
