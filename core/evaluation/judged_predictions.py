"""Predictions judged by outcomes.

Finished chances judged by the outcomes they were said for: Brier score, log loss, groups.

Predicted quantiles beside outcomes: mean quantiles of groups, and how often ranges hold.

Survival times seen at one horizon: who had the event by then, and what each case stands for.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from core.document.model import CalibrationSpec
from core.document.results import Estimate
from core.document.studies.compare import CalibrationOption, PredictedRange
from core.inference.normal import normal_interval
from payoff.counting import counted
from payoff.errors import PayoffError
from payoff.follow_up import Followed, kaplan_meier, observed_probability
from payoff.intervals import wilson_interval
from payoff.types import BoolArray, CodeArray, FloatArray, IntArray

PROBABILITY_GROUPS = 10


def judge_probabilities(
    spec: CalibrationSpec | None, probabilities: FloatArray, codes: CodeArray, weight: FloatArray
) -> CalibrationOption:
    """Return the Brier score, the log loss and groups of some chances.

    Parameters
    ----------
    spec : ChancesSpec or None
        How they were fitted.
    probabilities : (levels, n) float64
    codes : (n,) int32
        Outcomes.
    weight : (n,) float64
        Above 0.
    """
    place = np.arange(probabilities.shape[1])
    happened = probabilities[codes, place]
    wrong = np.zeros_like(probabilities)
    wrong[codes, place] = 1.0
    parts = ((probabilities - wrong) ** 2).sum(axis=0) / (2.0 if len(probabilities) == 2 else 1.0)
    with np.errstate(divide="ignore"):
        loss = -np.log(happened)
    described, seen, low, high = _groups(probabilities[0], codes == 0, weight)
    return CalibrationOption(
        spec=spec,
        brier=_mean(parts, weight, ""),
        log_loss=_mean(loss, weight, _infinite(loss)),
        predicted=described,
        observed=seen,
        low=low,
        high=high,
    )


def best_option(options: Sequence[CalibrationOption]) -> int:
    """Return the way with the smallest log loss; by Brier score where that is infinite for all."""
    losses = [option.log_loss.value for option in options]
    if all(math.isinf(loss) for loss in losses):
        losses = [option.brier.value for option in options]
    return int(np.argmin(losses))


def _infinite(loss: FloatArray) -> str:
    count = int(np.isinf(loss).sum())
    if not count:
        return ""
    cases = counted(count, "case has", "cases have")
    return f"{cases} an outcome that was given the chance 0."


def _mean(parts: FloatArray, weight: FloatArray, note: str) -> Estimate:
    """A weighted mean with its 95 % interval for these finished chances."""
    value = float(np.average(parts, weights=weight))
    if not math.isfinite(value):
        return Estimate(value=value, low=value, high=value, note=note)
    gap = weight * (parts - value)
    low, high = normal_interval(value, float(np.sqrt(gap @ gap)) / float(weight.sum()))
    return Estimate(value=value, low=low, high=high, method="exact variance", note=note)


def _groups(
    probability: FloatArray, is_event: BoolArray, weight: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Mean chance and observed share in ten groups of equal weight, equal chances together."""
    values, place = np.unique(probability, return_inverse=True)
    mass = np.bincount(place, weights=weight, minlength=len(values))
    running = np.cumsum(mass)
    middle = (running - 0.5 * mass) / running[-1]
    group = np.minimum((middle * PROBABILITY_GROUPS).astype(np.int64), PROBABILITY_GROUPS - 1)[
        place
    ]

    def total(values: FloatArray) -> FloatArray:
        return np.bincount(group, weights=values, minlength=PROBABILITY_GROUPS).astype(np.float64)

    whole = total(weight)
    kept = whole > 0
    described = total(weight * probability)[kept] / whole[kept]
    seen = np.clip(total(weight * is_event)[kept] / whole[kept], 0.0, 1.0)
    low, high = wilson_interval(seen, whole[kept] ** 2 / total(weight**2)[kept])
    return described, seen, low, high


QUANTILE_GROUPS = 100
_SAME = 1e-9


def quantile_fan(
    values: FloatArray, weight: FloatArray, levels: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Middles (m,) of groups of cases by their median, mean quantiles (K, m), places (n,)."""
    middle = values[int(np.argmin(np.abs(levels - 0.5)))]
    order = np.argsort(middle, kind="stable")
    mass = np.cumsum(weight[order]) / weight.sum()
    place = np.empty(len(order))
    place[order] = mass - 0.5 * weight[order] / weight.sum()
    group = np.minimum((place * QUANTILE_GROUPS).astype(np.int64), QUANTILE_GROUPS - 1)
    size = np.bincount(group, weights=weight, minlength=QUANTILE_GROUPS)
    used = size > 0
    means = [
        np.bincount(group, weights=weight * row, minlength=QUANTILE_GROUPS)[used] for row in values
    ]
    middles = np.bincount(group, weights=weight * place, minlength=QUANTILE_GROUPS)[used]
    return middles / size[used], np.array(means) / size[used], place


def predicted_ranges(
    levels: FloatArray,
    values: FloatArray,
    outcome: FloatArray,
    weight: FloatArray,
    effective: float,
) -> tuple[PredictedRange, ...]:
    """Ranges whose ends lie as far from 0 as from 1, the widest first."""
    found = []
    for low, high in _pairs(levels):
        inside = (outcome >= values[low]) & (outcome <= values[high])
        held = float(inside @ weight / weight.sum())
        limits = wilson_interval(np.array([held]), np.array([effective]))
        width = float((values[high] - values[low]) @ weight / weight.sum())
        found.append(
            PredictedRange(
                low_level=float(levels[low]),
                high_level=float(levels[high]),
                wanted=float(levels[high] - levels[low]),
                held=held,
                held_low=float(limits[0][0]),
                held_high=float(limits[1][0]),
                width=width,
            )
        )
    return tuple(found)


def _pairs(levels: FloatArray) -> list[tuple[int, int]]:
    """Places of levels that mirror each other around one half, outermost first."""
    pairs = []
    for low in np.flatnonzero(levels < 0.5 - _SAME).tolist():
        matching: IntArray = np.flatnonzero(np.abs(levels - (1.0 - levels[low])) < _SAME)
        if len(matching):
            pairs.append((low, int(matching[0])))
    return pairs


def at_horizon(cases: Followed, horizon: float) -> tuple[FloatArray, FloatArray]:
    """Whether each case had the event by a horizon, and its weight, (n,) each.

    1: by then; 0: under observation at it and without; NaN: censored before or entered after, so
    nobody knows, or only those are there who lasted. The others make up for the unknown ones: an
    event counts 1 / chance of being under observation just before it, and those under observation
    at the horizon share what Kaplan and Meier's curve leaves. The weighted share of events is then
    1 less that curve at the horizon. Without late entry these are the inverse chances of not being
    censored. Entry and censoring must not depend on the risk. An unknown case weighs 0.

    Raises
    ------
    PayoffError
        If nobody had the event by then, nobody was followed beyond, or at an earlier time all that
        were under observation had the event.
    """
    had = cases.event & (cases.time <= horizon)
    beyond = (cases.time > horizon) & (cases.entry <= horizon)
    _refuse_undecided(cases, had, beyond, horizon)
    left = float(kaplan_meier(cases).at(np.array([horizon]))[0][0])
    if not left > 0.0:
        raise PayoffError(
            f"Chances at {horizon:g} cannot be judged.",
            why="At an earlier time everybody under observation had the event, though others "
            "entered later and lasted beyond.",
            remedy="Leave out the first times, when few had entered, by a row filter on page Data.",
        )
    seen = observed_probability(cases)
    weight = np.divide(cases.weight, seen, out=np.zeros(len(seen)), where=had & (seen > 0.0))
    weight[beyond] = cases.weight[beyond] * left * cases.weight.sum() / cases.weight[beyond].sum()
    return np.where(had, 1.0, np.where(beyond, 0.0, np.nan)), weight


def _refuse_undecided(cases: Followed, had: BoolArray, beyond: BoolArray, horizon: float) -> None:
    if had.any() and beyond.any():
        return
    last = float(cases.time.max())
    raise PayoffError(
        f"Nothing is decided at {horizon:g}.",
        why="No case had the event by then."
        if not had.any()
        else f"No case was followed beyond it: the longest time is {last:g}.",
        remedy="Choose a time between the first event and the end.",
    )
