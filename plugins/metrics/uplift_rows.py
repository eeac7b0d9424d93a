"""Uplift metrics that need the cases one by one: local propensities, other tools' figures."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

import payoff
from payoff.types import FloatArray
from plugins.metrics.uplift_specs import ABOVE_RANDOM, BY_ARMS, COUNTED, UPLIFT_METRICS

Compute = Callable[[payoff.Sample, payoff.Parameters], float]


def _polygon(x: FloatArray, y: FloatArray) -> float:
    return float(0.5 * np.sum((y[1:] + y[:-1]) * np.diff(x)))


def _from_zero(values: FloatArray) -> FloatArray:
    return np.concatenate([[0.0], values])


def _require_both(arms: FloatArray) -> None:
    if min(arms[0, -1], arms[1, -1]) <= 0:
        raise payoff.PayoffError("No case is in one of the arms.")


def local_share(treated: FloatArray, half_width: int) -> FloatArray:
    """Treated share in a box of 2h + 1 ranked cases, cut at both ends, and kept off 0 and 1."""
    size = len(treated)
    running = _from_zero(np.cumsum(treated))
    place = np.arange(size)
    low = np.maximum(place - half_width, 0)
    high = np.minimum(place + half_width + 1, size)
    least = 1.0 / (2.0 * (2 * half_width + 1))
    return np.asarray(np.clip((running[high] - running[low]) / (high - low), least, 1.0 - least))


def _local(is_stepwise: bool) -> Compute:
    def compute(sample: payoff.Sample, parameters: payoff.Parameters) -> float:
        arms = payoff.uplift_sums(sample)
        _require_both(arms)
        n_t, n_c, r_t, r_c = arms
        sizes = np.diff(sample.group_ends, prepend=0)
        share_of_group = np.diff(n_t, prepend=0.0) / sizes
        group = np.repeat(np.arange(len(sizes)), sizes)
        share = local_share(share_of_group[group], round(parameters["half_width"]))
        last = sample.group_ends - 1
        if is_stepwise:
            up = (np.diff(r_t, prepend=0.0) / sizes)[group] / share
            down = (np.diff(r_c, prepend=0.0) / sizes)[group] / (1.0 - share)
            height = np.cumsum(up - down)[last]
        else:
            height = r_t / share[last] - r_c / (1.0 - share[last])
        x = (n_t + n_c) / (n_t + n_c)[-1]
        less = 0.5 * height[-1] if parameters["counted"] == ABOVE_RANDOM else 0.0
        return _polygon(_from_zero(x), _from_zero(height)) - float(less)

    return compute


def require_zero_one(sample: payoff.Sample, parameters: payoff.Parameters) -> None:
    """Refuse outcomes other than 0 and 1: these figures count cases that respond."""
    del parameters
    wrong = (sample.outcome != 0) & (sample.outcome != 1)
    if wrong.any():
        row = int(np.argmax(wrong))
        raise payoff.PayoffError(
            "It is defined for outcomes of 0 and 1 only.",
            where=f"row {row + 1:,}, value {sample.outcome[row]:g}",
        )


def _zero_ratio(over: FloatArray, under: FloatArray) -> FloatArray:
    return np.where(under > 0, over / np.where(under > 0, under, 1.0), 0.0)


def _qini_auc_score(sample: payoff.Sample, parameters: payoff.Parameters) -> float:
    """scikit-uplift: 0/0 counts as 0, the perfect curve puts control responders last."""
    del parameters
    n_t, n_c, r_t, r_c = payoff.uplift_sums(sample)
    depth = _from_zero(n_t + n_c)
    height = _from_zero(r_t - _zero_ratio(r_c * n_t, n_c))
    t, c, y_t, y_c = n_t[-1], n_c[-1], r_t[-1], r_c[-1]
    if min(t, c) <= 0:
        return math.nan
    best_x = np.cumsum([0.0, y_t, t + c - y_t - y_c, y_c])
    best = _polygon(best_x, np.array([0.0, y_t, y_t, y_t - y_c * t / c]))
    chord = 0.5 * depth[-1] * height[-1]
    return float((_polygon(depth, height) - chord) / (best - chord)) if best != chord else math.nan


def _uplift_auc_score(sample: payoff.Sample, parameters: payoff.Parameters) -> float:
    """scikit-uplift: its "perfect" curve is not always the highest one."""
    del parameters
    n_t, n_c, r_t, r_c = payoff.uplift_sums(sample)
    t, c, y_t, y_c = n_t[-1], n_c[-1], r_t[-1], r_c[-1]
    if min(t, c) <= 0:
        return math.nan
    lost, sleeping = (t - y_t, 0.0, 0.0, 0.0), (0.0, y_c, 0.0, y_c)
    tail = [sleeping, lost] if y_c > t - y_t else [lost, sleeping]
    blocks = np.cumsum([(y_t, 0.0, y_t, 0.0), (0.0, c - y_c, 0.0, 0.0), *tail], axis=0)
    best = _above_chord(*(blocks[:, place] for place in range(4)))
    own = _above_chord(n_t, n_c, r_t, r_c)
    return own / best if best else math.nan


def _above_chord(n_t: FloatArray, n_c: FloatArray, r_t: FloatArray, r_c: FloatArray) -> float:
    depth = _from_zero(n_t + n_c)
    height = _from_zero((_zero_ratio(r_t, n_t) - _zero_ratio(r_c, n_c)) * (n_t + n_c))
    return _polygon(depth, height) - 0.5 * float(depth[-1] * height[-1])


def _case_by_case(sample: payoff.Sample) -> tuple[FloatArray, ...]:
    """Sums after 0, 1, ... N cases, ties in proportion."""
    arms = payoff.uplift_sums(sample)
    _require_both(arms)
    places = np.arange(len(sample) + 1, dtype=np.float64)
    ends = _from_zero(sample.group_ends.astype(np.float64))
    return (places, *(np.interp(places, ends, _from_zero(values)) for values in arms))


def _filled(values: FloatArray) -> FloatArray:
    values[0] = 0.0
    known = np.isfinite(values)
    places = np.arange(len(values))
    return np.asarray(np.interp(places, places[known], values[known]))


def _causalml(is_qini: bool) -> Compute:
    def compute(sample: payoff.Sample, parameters: payoff.Parameters) -> float:
        k, n_t, n_c, r_t, r_c = _case_by_case(sample)
        with np.errstate(divide="ignore", invalid="ignore"):
            if is_qini:
                curve = _filled(r_t - r_c * n_t / n_c)
            else:
                curve = _filled(r_t / n_t - r_c / n_c) * k
            if parameters["normalize"]:
                curve = curve / abs(curve[-1])
        chord = 0.5 * curve[-1] if is_qini else 0.0
        return float(np.mean(curve) - chord)

    return compute


_WIDTH = payoff.Parameter(
    name="half_width",
    words="cases on either side",
    default=25,
    minimum=0,
    kind=payoff.ParameterKind.INTEGER,
)
_NORMALIZE = payoff.Parameter(
    name="normalize",
    words="divided by",
    default=1,
    kind=payoff.ParameterKind.CHOICE,
    choices=("nothing", "the last value"),
)


def _spec(
    metric: str, label: str, explained: str, formula: str, compute: Compute, **changes: Any
) -> payoff.EvaluationMetric:
    usual: dict[str, Any] = {
        "direction": payoff.Direction.HIGHER,
        "weights": payoff.WeightMeaning.NONE,
        "inputs": BY_ARMS,
        "decimals": 4,
    }
    return payoff.EvaluationMetric(
        id=metric,
        label=label,
        title=label,
        help=explained,
        formula=formula,
        tasks=(payoff.Task.UPLIFT,),
        form=payoff.MetricForm.GENERAL,
        compute=compute,
        **{**usual, **changes},
    )


_LOCAL = {
    "parameters": (COUNTED, _WIDTH),
    "reference": "Renaudin and Martin, formula (18)",
    "direction": payoff.Direction.NONE,
}
_SCIKIT = {"weights": payoff.WeightMeaning.CASE, "check": require_zero_one, "random_value": 0.0}

ROW_METRICS = [
    _spec(
        "ips_local",
        "Local weights, as printed",
        "Sums divided by the share of the treated around the place.",
        "r_T ÷ e(k) − r_C ÷ (1 − e(k)) over k ÷ N",
        _local(False),
        **_LOCAL,
    ),
    _spec(
        "ips_local_stepwise",
        "Local weights, stepwise",
        "Every case divided by the share of its arm around it.",
        "Σ t y ÷ e(i) − (1 − t) y ÷ (1 − e(i)) over k ÷ N",
        _local(True),
        **_LOCAL,
    ),
    _spec(
        "qini_auc_score",
        "qini_auc_score of scikit-uplift",
        "Area above chance over that of the perfect ranking.",
        "(area − chord) ÷ (perfect area − chord) of r_T − r_C n_T ÷ n_C",
        _qini_auc_score,
        reference="scikit-uplift 0.5.1",
        **_SCIKIT,
    ),
    _spec(
        "uplift_auc_score",
        "uplift_auc_score of scikit-uplift",
        "Area above chance over that of a ranking it calls perfect; it may exceed 1.",
        "(area − chord) ÷ (perfect area − chord) of (r_T ÷ n_T − r_C ÷ n_C) k",
        _uplift_auc_score,
        reference="scikit-uplift 0.5.1",
        **_SCIKIT,
    ),
    _spec(
        "auuc_score",
        "auuc_score of causalml",
        "Mean height of the cumulative gain, the 0 at the start included.",
        "mean of (r_T ÷ n_T − r_C ÷ n_C) k over k = 0 ... N",
        _causalml(False),
        parameters=(_NORMALIZE,),
        reference="causalml 0.18.0",
    ),
    _spec(
        "qini_score",
        "qini_score of causalml",
        "Mean height of the Qini curve less that of its chord.",
        "mean of r_T − r_C n_T ÷ n_C less the mean of its chord",
        _causalml(True),
        parameters=(_NORMALIZE,),
        reference="causalml 0.18.0",
    ),
]

ALL_UPLIFT_METRICS = [*UPLIFT_METRICS, *ROW_METRICS]
