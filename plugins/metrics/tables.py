"""Metrics of the table of predicted against observed classes, for two classes and for more."""

from __future__ import annotations

import math
from functools import partial

import numpy as np

import payoff
from payoff.class_order import are_numbers, own_order
from payoff.types import AnyArray, FloatArray, IntArray, StopFlag


@payoff.kernel(shape="whole")
def fill_table(
    outcome: AnyArray,
    probabilities: FloatArray,
    weight: FloatArray,
    threshold: float,
    out: FloatArray,
    stop_flag: StopFlag,
) -> None:
    """Add the weight of every case to its class observed and class predicted, (K, K).

    With two classes the first is predicted from the threshold on, with more the largest chance;
    equal chances go to the first class.
    """
    classes = probabilities.shape[0]
    for i in range(outcome.shape[0]):
        predicted = 0
        if classes == 2:
            predicted = 1 if probabilities[0, i] < threshold else 0
        else:
            for k in range(1, classes):
                if probabilities[k, i] > probabilities[predicted, i]:
                    predicted = k
        out[outcome[i], predicted] += weight[i]


def class_table(sample: payoff.Sample, threshold: float) -> FloatArray:
    """Weight by class observed and class predicted, (K, K); equal chances go to the first class."""

    def make() -> FloatArray:
        table = np.zeros((len(sample.labels), len(sample.labels)))
        flag = np.zeros(1, dtype=np.uint8)
        fill_table(sample.outcome, sample.posteriors, sample.weight, threshold, table, flag)
        return table

    return sample.kept(f"class table {threshold}", make, by_weight=True)


def balanced_accuracy(sample: payoff.Sample, parameters: payoff.Parameters) -> float:
    """Mean over the classes of the share that was predicted rightly."""
    table = class_table(sample, parameters["threshold"])
    observed = table.sum(axis=1)
    present = observed > 0.0
    if not present.any():
        return math.nan
    return float((np.diagonal(table)[present] / observed[present]).mean())


def balanced_limits(
    sample: payoff.Sample, parameters: payoff.Parameters
) -> tuple[float, float, str] | None:
    """95 % limits of balanced accuracy; None where a class has one case.

    The classes' shares are independent: distances to their Wilson limits add up as squares
    (Newcombe 1998; Zou and Donner 2008). So a class predicted rightly throughout keeps its width.
    """
    table = class_table(sample, parameters["threshold"])
    value, below, above, classes = balanced_accuracy(sample, parameters), 0.0, 0.0, 0
    for code, row in enumerate(table):
        weight = sample.weight[(sample.outcome == code) & (sample.weight > 0.0)]
        if len(weight) == 1:
            return None
        if not len(weight):
            continue
        share = np.array([row[code] / row.sum()])
        number = np.array([weight.sum() ** 2 / np.sum(weight**2)])
        low, high = payoff.wilson_interval(share, number)
        below += float((share - low)[0]) ** 2
        above += float((high - share)[0]) ** 2
        classes += 1
    if not classes:
        return None
    slack = 1e-12  # the table of metrics adds up in another order
    low_end = max(0.0, value - math.sqrt(below) / classes - slack)
    high_end = min(1.0, value + math.sqrt(above) / classes + slack)
    return low_end, high_end, "Wilson, classes together"


def youden_limits(
    sample: payoff.Sample, parameters: payoff.Parameters
) -> tuple[float, float, str] | None:
    """95 % limits of recall + specificity - 1, which is twice balanced accuracy less 1."""
    found = balanced_limits(sample, parameters)
    if found is None or len(sample.labels) != 2:
        return None
    low, high, method = found
    return 2.0 * low - 1.0, 2.0 * high - 1.0, method


def kappa(sample: payoff.Sample, parameters: payoff.Parameters) -> float:
    """Agreement beyond chance; NaN where chance alone agrees everywhere."""
    table = class_table(sample, parameters["threshold"])
    return kappa_of(table, int(parameters["weights"]), sample.class_places)


def remark_on_order(sample: payoff.Sample, parameters: payoff.Parameters) -> str:
    """Say which order distances are taken in where nothing but the texts of the classes says it."""
    is_known = bool(sample.class_order) or are_numbers(sample.labels)
    if parameters["weights"] == 0.0 or len(sample.labels) < 3 or is_known:
        return ""
    order = ", ".join(own_order(sample.labels))
    return f"Classes in the order {order}, that of their texts; another is said on page Data."


def kappa_of(table: FloatArray, power: int, places: IntArray | None = None) -> float:
    """Cohen's kappa of a table of weights; disagreement counts |i − j|^power (0: all alike).

    ``places`` (K,) are those of the classes in their own order, left out = that of the table.
    """
    places = np.arange(len(table)) if places is None else places
    distance = np.abs(places[:, np.newaxis] - places).astype(np.float64)
    cost = (distance > 0).astype(np.float64) if power == 0 else distance**power
    whole = table.sum()
    if not whole > 0.0:
        return math.nan
    probability = np.outer(table.sum(axis=1), table.sum(axis=0)) / whole
    expected = (cost * probability).sum()
    return float(1.0 - (cost * table).sum() / expected) if expected > 0.0 else math.nan


def matthews(sample: payoff.Sample, parameters: payoff.Parameters) -> float:
    """Correlation of predicted and observed classes."""
    table = class_table(sample, parameters["threshold"])
    return matthews_of(table)


def matthews_of(table: FloatArray) -> float:
    """Correlation of a table of weights; 0 where one side has one class only."""
    whole = table.sum()
    if not whole > 0.0:
        return math.nan
    observed, predicted = table.sum(axis=1) / whole, table.sum(axis=0) / whole
    spread = (1.0 - (observed**2).sum()) * (1.0 - (predicted**2).sum())
    if spread <= 1e-15:
        return 0.0
    together = np.trace(table) / whole - float(observed @ predicted)
    return float(together / math.sqrt(spread))


def remark_on_sides(sample: payoff.Sample, parameters: payoff.Parameters) -> str:
    """Say where the correlation is 0 ÷ 0."""
    table = class_table(sample, parameters["threshold"])
    sides = np.count_nonzero(table.sum(axis=0)), np.count_nonzero(table.sum(axis=1))
    return "Only one class is predicted or observed: 0 ÷ 0, set to 0." if min(sides) < 2 else ""


def one_over_classes(sample: payoff.Sample, parameters: payoff.Parameters) -> float:
    """Balanced accuracy of a model that always says the same class."""
    return 1.0 / int(np.count_nonzero(sample.class_weight))


_THRESHOLD = payoff.Parameter(
    name="threshold",
    words="the event is predicted from this chance on",
    default=0.5,
    minimum=0.0,
    maximum=1.0,
    unit=payoff.NumberUnit.PERCENT,
    help="Used with two classes only; with more the largest chance is predicted.",
)

_metric = partial(
    payoff.EvaluationMetric,
    direction=payoff.Direction.HIGHER,
    inputs=(payoff.Input.OUTCOME, payoff.Input.PROBABILITY),
    tasks=(payoff.Task.BINARY, payoff.Task.MULTICLASS),
    form=payoff.MetricForm.GENERAL,
    value_range=(-1.0, 1.0),
    random_value=0.0,
    perfect_value=1.0,
    prior_weighted=False,
)

BALANCED_ACCURACY = _metric(
    id="balanced_accuracy",
    label="Balanced accuracy",
    help="Share predicted rightly within each class, plain mean over the classes.",
    formula="mean over observed classes of rightly predicted ÷ observed",
    reference="Brodersen et al. 2010; as scikit-learn, not adjusted",
    value_range=(0.0, 1.0),
    random_value=one_over_classes,
    parameters=(_THRESHOLD,),
    decimals=1,
    number_unit=payoff.NumberUnit.PERCENT,
    compute=balanced_accuracy,
    interval=balanced_limits,
)

KAPPA = _metric(
    id="kappa",
    label="Cohen's kappa",
    help="Agreement of predicted and observed classes beyond what their shares alone give.",
    formula="1 − Σ cost × observed share ÷ Σ cost × product of the margins",
    aliases=(
        "cohen_kappa",
        "weighted_kappa",
    ),
    reference="Cohen 1960; weighted Cohen 1968; as scikit-learn",
    parameters=(
        _THRESHOLD,
        payoff.Parameter(
            name="weights",
            words="what a disagreement costs",
            default=0.0,
            kind=payoff.ParameterKind.CHOICE,
            choices=("all alike", "distance", "squared distance"),
            choice_aliases=(("none",), ("linear",), ("quadratic",)),
            help="Distances are those of classes in their own order: numbers, a declared order, "
            "else that of their texts.",
        ),
    ),
    compute=kappa,
    remark=remark_on_order,
)

MCC = _metric(
    id="mcc",
    label="MCC",
    help="Correlation of predicted and observed classes; 0 where one side has one class only.",
    formula="two classes: (TP·TN − FP·FN) ÷ √(product of the margins); more: Gorodkin's R_K",
    aliases=("matthews",),
    reference="Matthews 1975; Gorodkin 2004; as scikit-learn",
    parameters=(_THRESHOLD,),
    compute=matthews,
    remark=remark_on_sides,
)
