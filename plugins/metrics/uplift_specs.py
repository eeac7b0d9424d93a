"""Metrics of a ranking by predicted effect: every definition of the area, and what else is read."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

import payoff
from payoff import UpliftSum
from payoff.types import FloatArray
from plugins.metrics.uplift import (
    PointsCall,
    among_best,
    area_nu,
    area_under,
    arm_area,
    arms,
    best_nu,
    chord_under,
    generalised,
    mean_effect,
    plain,
    qini_joint,
    relative_joint,
    uplift_joint,
)

BY_ARMS = (payoff.Input.OUTCOME, payoff.Input.SCORE, payoff.Input.TREATMENT)
BY_PROBABILITIES = (*BY_ARMS, payoff.Input.PROPENSITY)
ABOVE_RANDOM, WHOLE = 0, 1
COUNTED = payoff.Parameter(
    name="counted",
    words="what is counted",
    default=ABOVE_RANDOM,
    kind=payoff.ParameterKind.CHOICE,
    choices=("above chance", "the whole area"),
    help="The area less the triangle under the straight line to the end, or all of it.",
)
_RENAUDIN = "Renaudin and Martin, About Evaluation Metrics for Contextual Uplift Modeling"

ValueCall = Callable[[FloatArray, FloatArray], FloatArray]
Ranked = Callable[[FloatArray, FloatArray, FloatArray, int, int], None]


def ranked(value: ValueCall) -> Ranked:
    """A ranked metric of ``value(sums, parameters)``, undefined where an arm has no case."""

    def fill(
        sums: FloatArray, parameters: FloatArray, out: FloatArray, start: int, stop: int
    ) -> None:
        drawn = sums[:, start:stop]
        both = (drawn[UpliftSum.TREATED, :, -1] > 0) & (drawn[UpliftSum.CONTROL, :, -1] > 0)
        with np.errstate(divide="ignore", invalid="ignore"):
            out[start:stop] = np.where(both, value(drawn, parameters), np.nan)

    return fill


def area_metric(points: PointsCall) -> Ranked:
    """The area of a curve, above chance or whole by the first parameter."""

    def value(sums: FloatArray, parameters: FloatArray) -> FloatArray:
        x, y = points(sums)
        less = chord_under(x, y) if parameters[0] == ABOVE_RANDOM else 0.0
        return np.asarray(area_under(x, y) - less)

    return ranked(value)


def separate_metric(scale: Callable[[FloatArray, FloatArray], tuple[Any, Any]]) -> Ranked:
    """The area between the arms' own curves, each times its scale."""

    def value(sums: FloatArray, parameters: FloatArray) -> FloatArray:
        n_t, n_c, r_t, r_c = arms(sums)
        t, c = n_t[:, -1], n_c[:, -1]
        by_t, by_c = scale(t, c)
        area = by_t * arm_area(n_t, r_t) - by_c * arm_area(n_c, r_c)
        end = by_t * r_t[:, -1] / t - by_c * r_c[:, -1] / c
        return np.asarray(area - (0.5 * end if parameters[0] == ABOVE_RANDOM else 0.0))

    return ranked(value)


def _of_baseline(nu_of: Callable[[FloatArray, FloatArray], FloatArray | float]) -> Ranked:
    def value(sums: FloatArray, parameters: FloatArray) -> FloatArray:
        x, y = generalised(sums, nu_of(sums, parameters))
        less = chord_under(x, y) if parameters[0] == ABOVE_RANDOM else 0.0
        return np.asarray(area_under(x, y) - less)

    return ranked(value)


def _area_baseline(sums: FloatArray, parameters: FloatArray) -> FloatArray:
    return area_nu(sums, 0.5 if parameters[0] == ABOVE_RANDOM else 1.0)


def _auuc(sums: FloatArray, parameters: FloatArray) -> FloatArray:
    x, y = generalised(sums)
    total = (sums[UpliftSum.TREATED] + sums[UpliftSum.CONTROL])[:, -1]
    less = chord_under(x, y) if parameters[0] == ABOVE_RANDOM else 0.0
    return np.asarray(total * (area_under(x, y) - less))


def _uplift_at(sums: FloatArray, parameters: FloatArray) -> FloatArray:
    return mean_effect(among_best(sums, parameters[0]))


def _uplift_at_by_arm(sums: FloatArray, parameters: FloatArray) -> FloatArray:
    n_t, n_c, r_t, r_c = arms(sums)
    found = []
    for n, r in ((n_t, r_t), (n_c, r_c)):
        own = among_best(np.stack([n, np.zeros_like(n), r]), parameters[0])
        found.append(own[2] / own[0])
    return np.asarray(found[0] - found[1])


def _weighted_average(sums: FloatArray, parameters: FloatArray) -> FloatArray:
    count = round(float(parameters[0]))
    edges = [np.zeros((4, sums.shape[1]))]
    edges += [among_best(sums[:4], (place + 1) / count) for place in range(count)]
    n_t, n_c, r_t, r_c = np.diff(np.stack(edges), axis=0).transpose(1, 0, 2)
    effect = r_t / n_t - r_c / n_c
    known = np.isfinite(effect)
    weight = np.where(known, n_t, 0.0)
    return np.asarray((weight * np.where(known, effect, 0.0)).sum(axis=0) / weight.sum(axis=0))


def _toc(sums: FloatArray, *, is_by_depth: bool) -> FloatArray:
    effect = mean_effect(sums)
    x = sums[UpliftSum.DEPTH] / sums[UpliftSum.DEPTH][:, -1:]
    height = effect - effect[:, -1:]
    both = (sums[UpliftSum.TREATED] > 0) & (sums[UpliftSum.CONTROL] > 0)
    # Cases before both arms appear count with the first group at which both do.
    first = np.take_along_axis(height, np.argmax(both, axis=1)[:, np.newaxis], axis=1)
    height = np.where(both, height, first)
    at = np.take_along_axis(x, np.argmax(both, axis=1)[:, np.newaxis], axis=1)
    depth = np.where(both, x, at)
    step = np.diff(x, axis=1, prepend=0.0)
    return np.asarray((step * height * (depth if is_by_depth else 1.0)).sum(axis=1))


def _peak(sums: FloatArray, parameters: FloatArray) -> FloatArray:
    del parameters
    height = generalised(sums)[1]
    return np.asarray(np.maximum(height.max(axis=1), 0.0))


def _spec(
    metric: str, label: str, explained: str, formula: str, fill: Ranked, **changes: Any
) -> payoff.EvaluationMetric:
    """A metric of the task "uplift"; above chance unless it says otherwise."""
    is_area = COUNTED in changes.get("parameters", (COUNTED,))  # whole, or what chance leaves
    usual: dict[str, Any] = {
        "title": f"{label}, {{counted}}" if is_area else label,
        "reference": _RENAUDIN,
        "inputs": BY_ARMS,
        "random_value": 0.0,
        "parameters": (COUNTED,),
        "decimals": 4,
        "direction": payoff.Direction.HIGHER,
    }
    return payoff.EvaluationMetric(
        id=metric,
        label=label,
        help=explained,
        formula=formula,
        tasks=(payoff.Task.UPLIFT,),
        form=payoff.MetricForm.RANKED,
        ranked=fill,
        **{**usual, **changes},
    )


_NU = payoff.Parameter(
    name="nu",
    words="baseline",
    default=0.0,
    help="Taken off the outcome; 0 is V1, 1 is V2. It moves the noise, not the mean.",
)
_DEPTH = payoff.Parameter(
    name="depth",
    words="share of cases treated",
    default=0.3,
    minimum=0.0,
    maximum=1.0,
    is_minimum_open=True,
    unit=payoff.NumberUnit.PERCENT,
)
_SLICES = payoff.Parameter(
    name="slices",
    words="number of slices",
    default=10,
    minimum=2,
    maximum=100,
    kind=payoff.ParameterKind.INTEGER,
)
_TOTAL = {"aggregate": payoff.Aggregate.TOTAL, "decimals": 1}
_AT = {"parameters": (_DEPTH,), "random_value": None}
_RATE = {"parameters": (), "inputs": BY_PROBABILITIES, "reference": "Yadlowsky et al. 2021"}

UPLIFT_METRICS = [
    _spec(
        "net_uplift",
        "Net uplift (AUNUC)",
        "Area under the extra outcome by share treated, both axes re-balanced by each case's "
        "chance of treatment.",
        "Σ s (y − ν) ÷ N over Σ 1/(2qN)",
        _of_baseline(lambda _sums, parameters: float(parameters[1])),
        inputs=BY_PROBABILITIES,
        parameters=(COUNTED, _NU),
    ),
    _spec(
        "net_uplift_best",
        "Net uplift, best baseline",
        "The same with the baseline that makes the last point least noisy.",
        "ν = Σ y s² ÷ Σ s²",
        _of_baseline(lambda sums, _parameters: best_nu(sums)[:, -1:]),
        inputs=BY_PROBABILITIES,
    ),
    _spec(
        "net_uplift_area",
        "Net uplift, baseline for the area",
        "The same with the baseline that makes the area about least noisy.",
        "ν = Σ c² s² y ÷ Σ c² s², c = depth that follows",
        _of_baseline(_area_baseline),
        inputs=BY_PROBABILITIES,
    ),
    _spec(
        "net_uplift_pointwise",
        "Net uplift, baseline by depth",
        "The same with the best baseline of every depth of its own.",
        "ν(r) = Σ y s² ÷ Σ s² among the best r",
        _of_baseline(lambda sums, _parameters: best_nu(sums)),
        inputs=BY_PROBABILITIES,
    ),
    _spec(
        "auuc",
        "AUUC, generalised",
        "N times the net uplift: units of the outcome.",
        "Σ s y over Σ 1/(2qN)",
        ranked(_auuc),
        inputs=BY_PROBABILITIES,
        **_TOTAL,
    ),
    _spec(
        "qini_joint_absolute",
        "Qini, joint, absolute",
        "Area of the treated responders less those expected of the control cases.",
        "r_T − r_C n_T ÷ n_C over k ÷ N",
        area_metric(qini_joint),
        **_TOTAL,
    ),
    _spec(
        "uplift_joint_absolute",
        "Uplift, joint, absolute",
        "Area of the difference of the arms' means among the best times their number.",
        "(r_T ÷ n_T − r_C ÷ n_C)(n_T + n_C) over k ÷ N",
        area_metric(uplift_joint),
        **_TOTAL,
    ),
    _spec(
        "joint_relative",
        "Qini and uplift, joint, relative",
        "Area of the difference of the arms' shares of responders.",
        "r_T ÷ |T| − r_C ÷ |C| over k ÷ N",
        area_metric(relative_joint),
    ),
    _spec(
        "qini_separate_absolute",
        "Qini, separate, absolute",
        "Each arm ranked on its own, the control arm scaled to the treated.",
        "R_T(p) − R_C(p) |T| ÷ |C|",
        separate_metric(lambda t, _c: (t, t)),
        **_TOTAL,
    ),
    _spec(
        "uplift_separate_absolute",
        "Uplift, separate, absolute",
        "Each arm ranked on its own and not re-balanced: right only for arms of equal size.",
        "R_T(p) − R_C(p)",
        separate_metric(lambda t, c: (t, c)),
        **_TOTAL,
    ),
    _spec(
        "separate_relative",
        "Qini and uplift, separate, relative",
        "Each arm ranked on its own, as shares of the arm.",
        "R_T(p) ÷ |T| − R_C(p) ÷ |C|",
        separate_metric(lambda _t, _c: (1.0, 1.0)),
    ),
    _spec(
        "plain_uplift",
        "Plain sum",
        "Treated responders less control responders: right only for arms of equal size.",
        "Σ y (2t − 1) ÷ N over k ÷ N",
        area_metric(plain),
    ),
    _spec(
        "uplift_at",
        "Uplift among the best",
        "Difference of the arms' mean outcomes among the cases with the highest scores.",
        "mean of y, treated − control, best k",
        ranked(_uplift_at),
        inputs=BY_PROBABILITIES,
        title="Uplift, best {depth}",
        **_AT,
    ),
    _spec(
        "uplift_at_by_arm",
        "Uplift among the best of each arm",
        "The same where the best share is taken of each arm on its own.",
        "mean of y of the best k of the treated − the same of the control cases",
        ranked(_uplift_at_by_arm),
        title="Uplift, best {depth} of each arm",
        **_AT,
    ),
    _spec(
        "weighted_average_uplift",
        "Weighted average uplift",
        "Uplift of equal slices of the ranking, weighted by their treated cases.",
        "Σ n_T u ÷ Σ n_T over slices",
        ranked(_weighted_average),
        parameters=(_SLICES,),
        direction=payoff.Direction.NONE,
        random_value=None,
        reference="scikit-uplift 0.5.1, weighted_average_uplift",
    ),
    _spec(
        "rate_autoc",
        "RATE, AUTOC",
        "How much larger the effect is among the best than among all, averaged over depths.",
        "mean over q of effect(best q) − effect(all)",
        ranked(lambda sums, _parameters: _toc(sums, is_by_depth=False)),
        **_RATE,
    ),
    _spec(
        "rate_qini",
        "RATE, Qini weights",
        "The same, depths weighted by themselves.",
        "mean over q of q (effect(best q) − effect(all))",
        ranked(lambda sums, _parameters: _toc(sums, is_by_depth=True)),
        **_RATE,
    ),
    _spec(
        "peak_uplift",
        "Highest point",
        "The most extra outcome a case that any depth brings; read at a peak, so too high.",
        "max over depths of Σ s y ÷ N",
        ranked(_peak),
        parameters=(),
        inputs=BY_PROBABILITIES,
        random_value=None,
        value_range=(0.0, math.inf),
        is_maximum=True,
    ),
]
