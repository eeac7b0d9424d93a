"""Areas under parts of the ROC curve and under costs: partial AUC, H-measure, over classes."""

from __future__ import annotations

import math
from functools import partial

import numpy as np

import payoff
from payoff.types import AnyArray, FloatArray, IntArray, OrderArray, StopFlag
from plugins.metrics.ranking import auc_ranked


@payoff.kernel(shape="elementwise")
def partial_auc_ranked(
    events: FloatArray,
    others: FloatArray,
    parameters: FloatArray,
    out: FloatArray,
    start: int,
    stop: int,
) -> None:
    """Fill the area up to a share of false alarms, standardised if the second parameter says so."""
    most = parameters[0]
    last = events.shape[1] - 1
    for draw in range(start, stop):
        out[draw] = math.nan
        if last < 0 or not events[draw, last] * others[draw, last] > 0.0:
            continue
        event_scale = 1.0 / events[draw, last]
        other_scale = 1.0 / others[draw, last]
        area = 0.0
        found_before = 0.0
        alarms_before = 0.0
        for g in range(last + 1):
            found = events[draw, g] * event_scale
            alarms = others[draw, g] * other_scale
            if alarms >= most:
                if alarms > alarms_before:
                    part = (most - alarms_before) / (alarms - alarms_before)
                    found = found_before + part * (found - found_before)
                    area += 0.5 * (most - alarms_before) * (found + found_before)
                break
            area += 0.5 * (alarms - alarms_before) * (found + found_before)
            found_before = found
            alarms_before = alarms
        if parameters[1] == 0.0:
            least = 0.5 * most * most
            area = 0.5 * (1.0 + (area - least) / (most - least))
        out[draw] = area


@payoff.kernel(shape="whole")
def fill_hull(
    events: FloatArray,
    others: FloatArray,
    found: FloatArray,
    alarms: FloatArray,
    size: FloatArray,
    stop_flag: StopFlag,
) -> None:
    """Fill the corners of the upper hull of a ROC curve from (0, 0) to (1, 1), as shares.

    ``events`` and ``others`` (groups,) are cumulative weights; ``size`` (1,) gets the corners.
    """
    last = events.shape[0] - 1
    corners = 1
    found[0] = 0.0
    alarms[0] = 0.0
    for g in range(last + 1):
        y = events[g] / events[last]
        x = others[g] / others[last]
        while corners > 0:
            rise = y - found[corners - 1]
            run = x - alarms[corners - 1]
            if rise == 0.0 and run == 0.0:
                break
            if corners > 1:
                rise_before = found[corners - 1] - found[corners - 2]
                run_before = alarms[corners - 1] - alarms[corners - 2]
                if rise * run_before >= rise_before * run:
                    corners -= 1
                    continue
            found[corners] = y
            alarms[corners] = x
            corners += 1
            break
    size[0] = corners


def h_measure_ranked(
    events: FloatArray,
    others: FloatArray,
    parameters: FloatArray,
    out: FloatArray,
    start: int,
    stop: int,
) -> None:
    """Fill the H-measure of each draw."""
    groups = events.shape[1]
    found, alarms, size = np.empty(groups + 1), np.empty(groups + 1), np.zeros(1)
    stop_flag = np.zeros(1, dtype=np.uint8)
    for draw in range(start, stop):
        out[draw] = math.nan
        if groups == 0 or not events[draw, -1] * others[draw, -1] > 0.0:
            continue
        fill_hull(
            np.ascontiguousarray(events[draw]),
            np.ascontiguousarray(others[draw]),
            found,
            alarms,
            size,
            stop_flag,
        )
        corners = int(size[0])
        share = float(events[draw, -1] / (events[draw, -1] + others[draw, -1]))
        shape = shape_of_costs(share, parameters)
        out[draw] = h_of_hull(found[:corners], alarms[:corners], share, shape)


def shape_of_costs(share: float, parameters: FloatArray) -> tuple[float, float]:
    """Both parameters of the Beta distribution of costs: those given, else by the severity.

    Severity 0: Beta(2, 1 + others ÷ events); 1: Beta(2, 2); 2: Beta(1 + event share, 1 + others'
    share).
    """
    if parameters[1] > 0.0:
        return float(parameters[1]), float(parameters[2])
    rest = 1.0 - share
    return ((2.0, 1.0 + rest / share), (2.0, 2.0), (1.0 + share, 1.0 + rest))[int(parameters[0])]


def refuse_half_shape(sample: payoff.Sample, parameters: payoff.Parameters) -> None:
    """Refuse one of the two parameters of a Beta distribution without the other."""
    if (parameters["alpha"] > 0.0) != (parameters["beta"] > 0.0):
        raise payoff.PayoffError(
            "A Beta distribution has two parameters, and one is given.",
            remedy="Give alpha and beta, both above 0, or neither.",
        )


def h_of_hull(
    found: FloatArray, alarms: FloatArray, share: float, shape: tuple[float, float]
) -> float:
    """H of a convex hull (Hand 2009), costs of a false alarm drawn from a Beta distribution.

    Parameters
    ----------
    found, alarms : (corners,) float64
        Shares of events and of others, (0, 0) first.
    share : float
        Share of the event.
    shape : (float, float)
        Parameters of the Beta distribution.
    """
    from scipy.special import betainc  # late: 0.1 s that the first totals do not need

    rest = 1.0 - share
    a, b = shape
    rise, run = np.diff(found), np.diff(alarms)
    steps = share * rise / (rest * run + share * rise)
    edges = np.concatenate([[1.0], steps, [0.0]])
    alarm_cost = a / (a + b) * betainc(a + 1.0, b, edges)
    miss_cost = b / (a + b) * betainc(a, b + 1.0, edges)
    alarm_part, miss_part = -np.diff(alarm_cost), -np.diff(miss_cost)
    loss = (rest * alarms * alarm_part + share * (1.0 - found) * miss_part).sum()
    blind = rest * a / (a + b) * betainc(a + 1.0, b, share)
    blind += share * b / (a + b) * (1.0 - betainc(a, b + 1.0, share))
    return float(min(max(1.0 - loss / blind, 0.0), 1.0))


def random_part(sample: payoff.Sample, parameters: payoff.Parameters) -> float:
    """Partial area at random."""
    return 0.5 if parameters["standard"] == 0.0 else 0.5 * parameters["false_alarms"] ** 2


def perfect_part(sample: payoff.Sample, parameters: payoff.Parameters) -> float:
    """Partial area of a perfect ranking."""
    return 1.0 if parameters["standard"] == 0.0 else parameters["false_alarms"]


@payoff.kernel(shape="whole")
def add_class_pairs(
    outcome: AnyArray,
    order: OrderArray,
    ends: IntArray,
    weight: FloatArray,
    level: int,
    right: FloatArray,
    stop_flag: StopFlag,
) -> None:
    """Fill for every other class the weight of pairs in which ``level`` has the higher chance.

    ``order`` (n,) ranks by the chance of ``level``, highest first, groups of equal chances ending
    at ``ends``. ``right`` (classes,) gets weight of pairs, ties half.
    """
    classes = right.shape[0]
    group = np.zeros(classes)
    before = 0.0
    first = 0
    for end in ends:
        for k in range(classes):
            group[k] = 0.0
        for place in range(first, end):
            group[outcome[order[place]]] += weight[order[place]]
        for k in range(classes):
            right[k] += group[k] * (before + 0.5 * group[level])
        before += group[level]
        first = end


def hand_till(sample: payoff.Sample, parameters: payoff.Parameters) -> float:
    """Mean over pairs of classes of how well their two chances tell them apart."""
    classes = len(sample.labels)
    weight = sample.class_weight
    shares = np.full((classes, classes), np.nan)
    flag = np.zeros(1, dtype=np.uint8)
    for level in range(classes):
        ranking = sample.kept(f"hand_till {level}", partial(_ranking, sample, level))
        right = np.zeros(classes)
        add_class_pairs(sample.outcome, *ranking, sample.weight, level, right, flag)
        whole = weight * weight[level]
        np.divide(right, whole, out=shares[level], where=whole > 0.0)
    pairs = shares[~np.eye(classes, dtype=bool)]
    pairs = pairs[np.isfinite(pairs)]
    return float(pairs.mean()) if pairs.size else math.nan


def _ranking(sample: payoff.Sample, level: int) -> tuple[OrderArray, IntArray]:
    if level == 0:
        return sample.order, sample.group_ends
    probability = sample.posteriors[level]
    order = np.argsort(-probability, kind="stable").astype(np.uint32)
    ranked = probability[order]
    ends = np.append(np.flatnonzero(ranked[1:] != ranked[:-1]) + 1, ranked.size).astype(np.int64)
    return order, ends


_RANKED = payoff.MetricForm.RANKED
_HIGHER = payoff.Direction.HIGHER
_SCORED = (payoff.Input.OUTCOME, payoff.Input.SCORE)
_PROBABILITIES = (payoff.Input.OUTCOME, payoff.Input.PROBABILITY)

PARTIAL_AUC = payoff.EvaluationMetric(
    id="partial_auc",
    label="Partial AUC",
    title="Partial AUC, false alarms to {false_alarms}",
    help="Area under the first part of the ROC curve, where few others are flagged.",
    formula="area A for false alarms 0 to f; McClish: ½ (1 + (A − f²/2) ÷ (f − f²/2))",
    reference="McClish 1989; as sklearn.metrics.roc_auc_score(max_fpr=f)",
    direction=_HIGHER,
    inputs=_SCORED,
    tasks=(payoff.Task.BINARY, payoff.Task.MULTICLASS),
    form=_RANKED,
    value_range=(0.0, 1.0),
    random_value=random_part,
    perfect_value=perfect_part,
    parameters=(
        payoff.Parameter(
            name="false_alarms",
            aliases=("max_fpr",),
            words="largest share of others above the cut-off",
            default=0.1,
            minimum=0.0,
            maximum=1.0,
            is_minimum_open=True,
            unit=payoff.NumberUnit.PERCENT,
        ),
        payoff.Parameter(
            name="standard",
            words="how the area is shown",
            default=0.0,
            kind=payoff.ParameterKind.CHOICE,
            choices=("McClish", "as it is"),
            help="McClish: 0.5 at random, 1 for a perfect ranking.",
        ),
    ),
    ranked=partial_auc_ranked,
)

H_MEASURE = payoff.EvaluationMetric(
    id="h_measure",
    label="H-measure",
    help="Share of the loss of acting blindly that the ranking saves, over a stated distribution "
    "of costs that is the same for every model.",
    formula="1 − Σ over the ROC hull of expected loss ÷ that of acting on all or none",
    is_maximum=True,
    reference="Hand 2009; Hand & Anagnostopoulos 2014, R package hmeasure",
    direction=_HIGHER,
    inputs=_SCORED,
    tasks=(payoff.Task.BINARY,),
    form=_RANKED,
    value_range=(0.0, 1.0),
    random_value=0.0,
    perfect_value=1.0,
    parameters=(
        payoff.Parameter(
            name="severity",
            words="distribution of the cost of a false alarm",
            default=0.0,
            kind=payoff.ParameterKind.CHOICE,
            choices=(
                "Beta(2, 1 + others ÷ events)",
                "Beta(2, 2)",
                "Beta(1 + share of events, 1 + share of others)",
            ),
            help="The first is the default of the package hmeasure; three defaults are in use.",
        ),
        *(
            payoff.Parameter(
                name=name,
                words=f"{name} of another Beta distribution",
                default=0.0,
                minimum=0.0,
                help="0: the distribution chosen above.",
            )
            for name in ("alpha", "beta")
        ),
    ),
    ranked=h_measure_ranked,
    check=refuse_half_shape,
)

WEIGHTED_AUC = payoff.EvaluationMetric(
    id="weighted_auc",
    label="Weighted AUC",
    help="AUC of each class against all others, mean over the classes by their weight.",
    formula="Σ over classes of share × one-against-rest AUC",
    reference="Provost & Domingos 2001; scikit-learn, multi_class='ovr', average='weighted'",
    direction=_HIGHER,
    inputs=_PROBABILITIES,
    tasks=(payoff.Task.MULTICLASS,),
    form=_RANKED,
    value_range=(0.0, 1.0),
    random_value=0.5,
    perfect_value=1.0,
    over_classes=payoff.ClassAverage.WEIGHTED,
    ranked=auc_ranked,
)

HAND_TILL = payoff.EvaluationMetric(
    id="hand_till",
    label="Hand–Till M",
    help="How well the chances tell each pair of classes apart, plain mean over the pairs; the "
    "class shares play no part.",
    formula="mean over i ≠ j of P(chance of i is higher for a case of i than for one of j)",
    aliases=("hand_till_m",),
    reference="Hand & Till 2001; as scikit-learn, multi_class='ovo', average='macro'",
    direction=_HIGHER,
    inputs=_PROBABILITIES,
    tasks=(payoff.Task.MULTICLASS,),
    form=payoff.MetricForm.GENERAL,
    value_range=(0.0, 1.0),
    random_value=0.5,
    perfect_value=1.0,
    compute=hand_till,
)
