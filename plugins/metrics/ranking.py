"""Metrics of a ranking: functions of cumulative weights at the ends of groups of equal scores.

Formulas are of one draw; ``events`` and ``others`` are (groups,), highest score first, the last
entry the total. Cases of equal score share what happens between them in proportion, so that no
answer depends on the order of rows.
"""

from __future__ import annotations

import math
from typing import Any

import payoff
from payoff.types import FloatArray
from plugins.metrics.ks_limits import ks_limits


@payoff.kernel(shape="helper")
def area_under_roc(events: FloatArray, others: FloatArray) -> float:
    """Return the area under the ROC curve; ties count half."""
    area = 0.0
    event_before = 0.0
    other_before = 0.0
    for g in range(events.shape[0]):
        width = others[g] - other_before
        area += width * (event_before + events[g])
        event_before = events[g]
        other_before = others[g]
    whole: float = events[-1] * others[-1]
    return 0.5 * area / whole


@payoff.kernel(shape="helper")
def captured_share(events: FloatArray, others: FloatArray, depth: float) -> float:
    """Return the share of events among the best ``depth`` of cases, tied cases in proportion."""
    last = events.shape[0] - 1
    wanted = depth * (events[last] + others[last])
    low = 0
    high = last
    while low < high:
        middle = (low + high) // 2
        if events[middle] + others[middle] >= wanted:
            high = middle
        else:
            low = middle + 1
    found_before = events[low - 1] if low > 0 else 0.0
    taken_before = found_before + others[low - 1] if low > 0 else 0.0
    taken = events[low] + others[low]
    share = (wanted - taken_before) / (taken - taken_before) if taken > taken_before else 0.0
    found: float = found_before + min(share, 1.0) * (events[low] - found_before)
    share_found: float = found / events[last]
    return share_found


def event_share(sample: payoff.Sample, parameters: payoff.Parameters) -> float:
    """Return the weighted share of the event: what average precision gives at random."""
    return float(sample.class_weight[0] / sample.total_weight)


def best_captured(sample: payoff.Sample, parameters: payoff.Parameters) -> float:
    """Return the captured share when all events stand in front."""
    share = event_share(sample, parameters)
    return min(1.0, parameters["depth"] / share) if share > 0.0 else math.nan


def best_lift(sample: payoff.Sample, parameters: payoff.Parameters) -> float:
    """Return the lift when all events stand in front."""
    return best_captured(sample, parameters) / parameters["depth"]


def random_captured(sample: payoff.Sample, parameters: payoff.Parameters) -> float:
    """Return the captured share at random: the depth itself."""
    return parameters["depth"]


def _depth(default: float) -> payoff.Parameter:
    return payoff.Parameter(
        name="depth",
        aliases=("share",),
        words="share of the cases, best first",
        default=default,
        minimum=0.0,
        maximum=1.0,
        is_minimum_open=True,
        unit=payoff.NumberUnit.PERCENT,
        help="Depth of the ranking, 0.02 for the best 2 %.",
    )


_RANKING: dict[str, Any] = {
    "tasks": (payoff.Task.BINARY, payoff.Task.MULTICLASS),
    "value_range": (0.0, 1.0),
    "perfect_value": 1.0,
}
"""What all of them have in common."""


@payoff.metric(
    "AUC",
    usual_for=(payoff.Task.BINARY,),
    area_slope=1.0,
    formula="Σ over groups of equal score: share of others × mean share of events",
    aliases=("roc_auc",),
    reference="Hanley & McNeil 1982; interval DeLong 1988",
    random_value=0.5,
    **_RANKING,
)
def auc(events: FloatArray, others: FloatArray) -> float:
    """Chance that a case with the event has a higher score than one without; ties count half."""
    return area_under_roc(events, others)


@payoff.metric(
    "Gini",
    area_slope=2.0,
    formula="2 AUC − 1",
    reference="Somers' D; Engelmann et al. 2003",
    random_value=0.0,
    **(_RANKING | {"value_range": (-1.0, 1.0)}),
)
def gini(events: FloatArray, others: FloatArray) -> float:
    """Twice the AUC less one: 0 at random, 1 for a perfect ranking."""
    return 2.0 * area_under_roc(events, others) - 1.0


@payoff.metric(
    "KS",
    usual_for=(payoff.Task.BINARY,),
    formula="max over cut-offs of |share of events − share of others|",
    aliases=("kolmogorov_smirnov",),
    is_maximum=True,
    reference="Kolmogorov–Smirnov, two samples",
    random_value=0.0,
    interval=ks_limits,
    **_RANKING,
)
def ks(events: FloatArray, others: FloatArray) -> float:
    """Largest distance between the shares of events and of others found at any cut-off."""
    event_scale = 1.0 / events[-1]
    other_scale = 1.0 / others[-1]
    widest = 0.0
    for g in range(events.shape[0]):
        widest = max(widest, abs(events[g] * event_scale - others[g] * other_scale))
    return min(widest, 1.0)


@payoff.metric(
    "Average precision",
    formula="Σ (recall − recall before) × precision, step sum",
    reference="as scikit-learn; not the trapezoid under the precision-recall curve",
    random_value=event_share,
    needs_others=False,
    **_RANKING,
)
def average_precision(events: FloatArray, others: FloatArray) -> float:
    """Mean share of events among the cases down to each event found."""
    total = 0.0
    before = 0.0
    for g in range(events.shape[0]):
        found = events[g]
        taken = found + others[g]
        if taken > 0.0:
            total += (found - before) * found / taken
        before = found
    mean: float = total / events[-1]
    return mean


@payoff.metric(
    "Lift, best {depth}",
    usual_for=(payoff.Task.BINARY,),
    label="Lift at depth",
    formula="captured share at the depth ÷ depth; tied cases in proportion",
    aliases=("lift",),
    reference="as SAS Enterprise Miner's cumulative lift, at the exact depth",
    random_value=1.0,
    parameters=(_depth(0.02),),
    needs_others=False,
    decimals=1,
    **(_RANKING | {"value_range": (0.0, math.inf), "perfect_value": best_lift}),
)
def lift_at(events: FloatArray, others: FloatArray, depth: float) -> float:
    """How many times more events the best cases hold than as many drawn at random."""
    return captured_share(events, others, depth) / depth


@payoff.metric(
    "Captured, best {depth}",
    label="Captured at depth",
    formula="events among the best cases ÷ all events; tied cases in proportion",
    aliases=("captured", "captured_response", "captured_response_at"),
    reference="as SAS Enterprise Miner's cumulative captured response, at the exact depth",
    random_value=random_captured,
    parameters=(_depth(0.1),),
    needs_others=False,
    decimals=1,
    unit="percent",
    **(_RANKING | {"perfect_value": best_captured}),
)
def captured_at(events: FloatArray, others: FloatArray, depth: float) -> float:
    """Share of all events that stand among the best cases."""
    return captured_share(events, others, depth)


_CLASSES = _RANKING | {
    "inputs": (payoff.Input.OUTCOME, payoff.Input.PROBABILITY),
    "tasks": (payoff.Task.MULTICLASS,),
    "random_value": 0.5,
}


@payoff.metric(
    "Macro AUC",
    usual_for=(payoff.Task.MULTICLASS,),
    formula="mean over classes of the one-against-rest AUC",
    reference="as scikit-learn, multi_class='ovr', average='macro'",
    over_classes=payoff.ClassAverage.MACRO,
    **_CLASSES,
)
def macro_auc(events: FloatArray, others: FloatArray) -> float:
    """AUC of each class against all others, plain mean over the classes."""
    return area_under_roc(events, others)


@payoff.metric(
    "Weighted AUC",
    formula="Σ over classes of share × one-against-rest AUC",
    reference="Provost & Domingos 2001; scikit-learn, multi_class='ovr', average='weighted'",
    over_classes=payoff.ClassAverage.WEIGHTED,
    **_CLASSES,
)
def weighted_auc(events: FloatArray, others: FloatArray) -> float:
    """AUC of each class against all others, mean over the classes by their weight."""
    return area_under_roc(events, others)
