"""Metrics of a cut-off: the event is predicted for cases whose chance reaches it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

import payoff
from payoff.types import FloatArray
from plugins.metrics.tables import youden_limits


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


THRESHOLD = payoff.Parameter(
    name="threshold",
    words="the event is predicted from this chance on",
    default=0.5,
    minimum=0.0,
    maximum=1.0,
    unit=payoff.NumberUnit.PERCENT,
)

_SHARE: dict[str, Any] = {
    "value_range": (0.0, 1.0),
    "perfect_value": 1.0,
    "parameters": (THRESHOLD,),
    "decimals": 1,
    "unit": "percent",
}
"""What precision, recall and specificity have in common."""


@payoff.metric(
    "Precision from {threshold}",
    label="Precision",
    formula="events predicted ÷ cases predicted as the event",
    reference="van Rijsbergen 1979; positive predictive value",
    expected_failures=(
        ("Direction is as stated", "one chance for all may predict no event: it is undefined then"),
    ),
    **_SHARE,
)
def precision(y: float, p: float, threshold: float) -> tuple[float, float]:
    """Share of the cases predicted as the event in which it happened. Undefined where none is."""
    return y, 1.0 if p >= threshold else 0.0


@payoff.metric(
    "Recall from {threshold}",
    label="Recall",
    formula="events predicted ÷ all events",
    reference="van Rijsbergen 1979; sensitivity, true positive rate",
    **_SHARE,
)
def recall(y: float, p: float, threshold: float) -> tuple[float, float]:
    """Share of the events that were predicted; also called sensitivity."""
    return 1.0 if p >= threshold else 0.0, y


@payoff.metric(
    "Specificity from {threshold}",
    label="Specificity",
    formula="others not predicted ÷ all others",
    reference="Yerushalmy 1947; true negative rate",
    expected_failures=(("Direction is as stated", "predicting no event at all is perfect by it"),),
    **_SHARE,
)
def specificity(y: float, p: float, threshold: float) -> tuple[float, float]:
    """Share of the cases without the event for which it was not predicted."""
    return 1.0 if p < threshold else 0.0, 1.0 - y


@payoff.metric(
    "F{beta} from {threshold}",
    label="F-beta",
    formula="(1 + β²) · events predicted ÷ (β² · events + predicted)",
    reference="van Rijsbergen 1979; as sklearn.metrics.fbeta_score",
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
    combine=f_score,
)
def f_beta(y: float, p: float, threshold: float, beta: float) -> tuple[float, float, float]:
    """Precision and recall in one number; recall counts beta times as much."""
    predicted = 1.0 if p >= threshold else 0.0
    return predicted * y, predicted, y


@payoff.metric(
    "Youden's J from {threshold}",
    label="Youden's J",
    formula="recall + specificity − 1",
    aliases=("youden_j",),
    reference="Youden 1950; informedness",
    value_range=(-1.0, 1.0),
    random_value=0.0,
    perfect_value=1.0,
    parameters=(THRESHOLD,),
    combine=informedness,
    interval=youden_limits,
)
def youden(y: float, p: float, threshold: float) -> tuple[tuple[float, float], tuple[float, float]]:
    """Recall plus specificity less 1 at the cut-off; its largest value over cut-offs is the KS,
    where the event ranks higher.
    """
    predicted = 1.0 if p >= threshold else 0.0
    return (predicted, y), (predicted, 1.0 - y)


@payoff.metric(
    "Net benefit from {threshold}",
    label="Net benefit",
    formula="events flagged ÷ n − others flagged ÷ n × t ÷ (1 − t)",
    reference="Vickers & Elkin 2006",
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
)
def net_benefit(y: float, p: float, threshold: float) -> float:
    """Events flagged per case, less the others flagged at the price that the threshold states:
    acting pays from this chance on.
    """
    gain = 1.0 if y == 1.0 else -threshold / (1.0 - threshold)
    return gain if p >= threshold else 0.0
