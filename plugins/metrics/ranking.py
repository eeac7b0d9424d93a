"""Metrics of a ranking: functions of cumulative weights at the ends of groups of equal scores.

Kernels run over draws; ``events`` and ``others`` are (draws, groups), highest score first, the last
column holding the totals. Cases of equal score share what happens between them in proportion, so
that no answer depends on the order of rows.
"""

from __future__ import annotations

import math

import payoff
from payoff.types import FloatArray
from plugins.metrics.ks_limits import ks_limits


@payoff.kernel(shape="helper")
def area_under_roc(events: FloatArray, others: FloatArray, draw: int) -> float:
    """Return the area under the ROC curve of one draw, NaN with one class only."""
    last = events.shape[1] - 1
    if last < 0:
        return math.nan
    whole: float = events[draw, last] * others[draw, last]
    if not whole > 0.0:
        return math.nan
    area = 0.0
    event_before = 0.0
    other_before = 0.0
    for g in range(last + 1):
        width = others[draw, g] - other_before
        area += width * (event_before + events[draw, g])
        event_before = events[draw, g]
        other_before = others[draw, g]
    return 0.5 * area / whole


@payoff.kernel(shape="elementwise")
def auc_ranked(
    events: FloatArray,
    others: FloatArray,
    parameters: FloatArray,
    out: FloatArray,
    start: int,
    stop: int,
) -> None:
    """Fill the area under the ROC curve; ties count half."""
    for draw in range(start, stop):
        out[draw] = area_under_roc(events, others, draw)


@payoff.kernel(shape="elementwise")
def gini_ranked(
    events: FloatArray,
    others: FloatArray,
    parameters: FloatArray,
    out: FloatArray,
    start: int,
    stop: int,
) -> None:
    """Fill twice the area less one."""
    for draw in range(start, stop):
        out[draw] = 2.0 * area_under_roc(events, others, draw) - 1.0


@payoff.kernel(shape="elementwise")
def ks_ranked(
    events: FloatArray,
    others: FloatArray,
    parameters: FloatArray,
    out: FloatArray,
    start: int,
    stop: int,
) -> None:
    """Fill the largest distance of the two cumulative shares, in either direction."""
    last = events.shape[1] - 1
    for draw in range(start, stop):
        out[draw] = math.nan
        if last < 0 or not events[draw, last] * others[draw, last] > 0.0:
            continue
        event_scale = 1.0 / events[draw, last]
        other_scale = 1.0 / others[draw, last]
        widest = 0.0
        for g in range(last + 1):
            gap = abs(events[draw, g] * event_scale - others[draw, g] * other_scale)
            widest = max(widest, gap)
        out[draw] = min(widest, 1.0)


@payoff.kernel(shape="elementwise")
def average_precision_ranked(
    events: FloatArray,
    others: FloatArray,
    parameters: FloatArray,
    out: FloatArray,
    start: int,
    stop: int,
) -> None:
    """Fill the step sum of precision over recall."""
    last = events.shape[1] - 1
    for draw in range(start, stop):
        out[draw] = math.nan
        if last < 0 or not events[draw, last] > 0.0:
            continue
        total = 0.0
        before = 0.0
        for g in range(last + 1):
            found = events[draw, g]
            taken = found + others[draw, g]
            if taken > 0.0:
                total += (found - before) * found / taken
            before = found
        out[draw] = total / events[draw, last]


@payoff.kernel(shape="helper")
def captured_share(events: FloatArray, others: FloatArray, draw: int, depth: float) -> float:
    """Return the share of events among the best ``depth`` of cases, tied cases in proportion."""
    last = events.shape[1] - 1
    if last < 0 or not events[draw, last] > 0.0:
        return math.nan
    wanted = depth * (events[draw, last] + others[draw, last])
    low = 0
    high = last
    while low < high:
        middle = (low + high) // 2
        if events[draw, middle] + others[draw, middle] >= wanted:
            high = middle
        else:
            low = middle + 1
    found_before = events[draw, low - 1] if low > 0 else 0.0
    taken_before = found_before + others[draw, low - 1] if low > 0 else 0.0
    taken = events[draw, low] + others[draw, low]
    share = (wanted - taken_before) / (taken - taken_before) if taken > taken_before else 0.0
    found: float = found_before + min(share, 1.0) * (events[draw, low] - found_before)
    share_found: float = found / events[draw, last]
    return share_found


@payoff.kernel(shape="elementwise")
def captured_ranked(
    events: FloatArray,
    others: FloatArray,
    parameters: FloatArray,
    out: FloatArray,
    start: int,
    stop: int,
) -> None:
    """Fill the share of events found among the best ``depth``."""
    for draw in range(start, stop):
        out[draw] = captured_share(events, others, draw, parameters[0])


@payoff.kernel(shape="elementwise")
def lift_ranked(
    events: FloatArray,
    others: FloatArray,
    parameters: FloatArray,
    out: FloatArray,
    start: int,
    stop: int,
) -> None:
    """Fill how many times more events than at random the best ``depth`` hold."""
    for draw in range(start, stop):
        out[draw] = captured_share(events, others, draw, parameters[0]) / parameters[0]


def event_share(sample: payoff.Sample, parameters: payoff.Parameters) -> float:
    """The weighted share of the event: what average precision gives at random."""
    return float(sample.class_weight[0] / sample.total_weight)


def best_captured(sample: payoff.Sample, parameters: payoff.Parameters) -> float:
    """Captured share when all events stand in front."""
    share = event_share(sample, parameters)
    return min(1.0, parameters["depth"] / share) if share > 0.0 else math.nan


def best_lift(sample: payoff.Sample, parameters: payoff.Parameters) -> float:
    """Lift when all events stand in front."""
    return best_captured(sample, parameters) / parameters["depth"]


def random_captured(sample: payoff.Sample, parameters: payoff.Parameters) -> float:
    """Captured share at random: the depth itself."""
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


_RANKED = payoff.MetricForm.RANKED
_HIGHER = payoff.Direction.HIGHER
_INPUTS = (payoff.Input.OUTCOME, payoff.Input.SCORE)
_TASKS = (payoff.Task.BINARY, payoff.Task.MULTICLASS)

AUC = payoff.EvaluationMetric(
    id="auc",
    usual_for=(payoff.Task.BINARY,),
    area_slope=1.0,
    label="AUC",
    help="Chance that a case with the event has a higher score than one without; ties count half.",
    formula="Σ over groups of equal score: share of others × mean share of events",
    aliases=("roc_auc",),
    reference="Hanley & McNeil 1982; interval DeLong 1988",
    direction=_HIGHER,
    inputs=_INPUTS,
    tasks=_TASKS,
    form=_RANKED,
    value_range=(0.0, 1.0),
    random_value=0.5,
    perfect_value=1.0,
    ranked=auc_ranked,
)

GINI = payoff.EvaluationMetric(
    id="gini",
    area_slope=2.0,
    label="Gini",
    help="Twice the AUC less one: 0 at random, 1 for a perfect ranking.",
    formula="2 AUC − 1",
    reference="Somers' D; Engelmann et al. 2003",
    direction=_HIGHER,
    inputs=_INPUTS,
    tasks=_TASKS,
    form=_RANKED,
    value_range=(-1.0, 1.0),
    random_value=0.0,
    perfect_value=1.0,
    ranked=gini_ranked,
)

KS = payoff.EvaluationMetric(
    id="ks",
    usual_for=(payoff.Task.BINARY,),
    label="KS",
    help="Largest distance between the shares of events and of others found at any cut-off.",
    formula="max over cut-offs of |share of events − share of others|",
    aliases=("kolmogorov_smirnov",),
    is_maximum=True,
    reference="Kolmogorov–Smirnov, two samples",
    direction=_HIGHER,
    inputs=_INPUTS,
    tasks=_TASKS,
    form=_RANKED,
    value_range=(0.0, 1.0),
    random_value=0.0,
    perfect_value=1.0,
    ranked=ks_ranked,
    interval=ks_limits,
)

AVERAGE_PRECISION = payoff.EvaluationMetric(
    id="average_precision",
    label="Average precision",
    help="Mean share of events among the cases down to each event found.",
    formula="Σ (recall − recall before) × precision, step sum",
    reference="as scikit-learn; not the trapezoid under the precision-recall curve",
    direction=_HIGHER,
    inputs=_INPUTS,
    tasks=_TASKS,
    form=_RANKED,
    value_range=(0.0, 1.0),
    random_value=event_share,
    perfect_value=1.0,
    ranked=average_precision_ranked,
)

LIFT_AT = payoff.EvaluationMetric(
    id="lift_at",
    usual_for=(payoff.Task.BINARY,),
    label="Lift at depth",
    title="Lift, best {depth}",
    help="How many times more events the best cases hold than as many drawn at random.",
    formula="captured share at the depth ÷ depth; tied cases in proportion",
    aliases=("lift",),
    reference="as SAS Enterprise Miner's cumulative lift, at the exact depth",
    direction=_HIGHER,
    inputs=_INPUTS,
    tasks=_TASKS,
    form=_RANKED,
    value_range=(0.0, math.inf),
    random_value=1.0,
    perfect_value=best_lift,
    parameters=(_depth(0.02),),
    decimals=1,
    ranked=lift_ranked,
)

CAPTURED_AT = payoff.EvaluationMetric(
    id="captured_at",
    label="Captured at depth",
    title="Captured, best {depth}",
    help="Share of all events that stand among the best cases.",
    formula="events among the best cases ÷ all events; tied cases in proportion",
    aliases=(
        "captured",
        "captured_response",
        "captured_response_at",
    ),
    reference="as SAS Enterprise Miner's cumulative captured response, at the exact depth",
    direction=_HIGHER,
    inputs=_INPUTS,
    tasks=_TASKS,
    form=_RANKED,
    value_range=(0.0, 1.0),
    random_value=random_captured,
    perfect_value=best_captured,
    parameters=(_depth(0.1),),
    decimals=1,
    number_unit=payoff.NumberUnit.PERCENT,
    ranked=captured_ranked,
)

MACRO_AUC = payoff.EvaluationMetric(
    id="macro_auc",
    usual_for=(payoff.Task.MULTICLASS,),
    label="Macro AUC",
    help="AUC of each class against all others, plain mean over the classes.",
    formula="mean over classes of the one-against-rest AUC",
    reference="as scikit-learn, multi_class='ovr', average='macro'",
    direction=_HIGHER,
    inputs=(payoff.Input.OUTCOME, payoff.Input.PROBABILITY),
    tasks=(payoff.Task.MULTICLASS,),
    form=_RANKED,
    value_range=(0.0, 1.0),
    random_value=0.5,
    perfect_value=1.0,
    over_classes=payoff.ClassAverage.MACRO,
    ranked=auc_ranked,
)
