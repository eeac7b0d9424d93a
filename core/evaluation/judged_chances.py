"""Finished chances judged by the outcomes they were said for: Brier score, log loss, groups."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from core.document.model import ChancesSpec
from core.document.results import Estimate
from core.document.studies.compare import ChancesOption
from core.inference.normal import normal_interval
from payoff.counting import counted
from payoff.intervals import wilson_interval
from payoff.types import BoolArray, CodeArray, FloatArray

GROUPS = 10


def judge_chances(
    spec: ChancesSpec | None, chances: FloatArray, codes: CodeArray, weight: FloatArray
) -> ChancesOption:
    """Return the Brier score, the log loss and groups of some chances.

    Parameters
    ----------
    spec : ChancesSpec or None
        How they were fitted.
    chances : (levels, n) float64
    codes : (n,) int32
        Outcomes.
    weight : (n,) float64
        Above 0.
    """
    place = np.arange(chances.shape[1])
    happened = chances[codes, place]
    wrong = np.zeros_like(chances)
    wrong[codes, place] = 1.0
    parts = ((chances - wrong) ** 2).sum(axis=0) / (2.0 if len(chances) == 2 else 1.0)
    with np.errstate(divide="ignore"):
        loss = -np.log(happened)
    said, seen, low, high = _groups(chances[0], codes == 0, weight)
    return ChancesOption(
        spec=spec,
        brier=_mean(parts, weight, ""),
        log_loss=_mean(loss, weight, _infinite(loss)),
        said=said,
        seen=seen,
        low=low,
        high=high,
    )


def best_option(options: Sequence[ChancesOption]) -> int:
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
    chance: FloatArray, is_event: BoolArray, weight: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Mean chance and observed share in ten groups of equal weight, equal chances together."""
    values, place = np.unique(chance, return_inverse=True)
    mass = np.bincount(place, weights=weight, minlength=len(values))
    running = np.cumsum(mass)
    middle = (running - 0.5 * mass) / running[-1]
    group = np.minimum((middle * GROUPS).astype(np.int64), GROUPS - 1)[place]

    def total(values: FloatArray) -> FloatArray:
        return np.bincount(group, weights=values, minlength=GROUPS).astype(np.float64)

    whole = total(weight)
    kept = whole > 0
    said = total(weight * chance)[kept] / whole[kept]
    seen = np.clip(total(weight * is_event)[kept] / whole[kept], 0.0, 1.0)
    low, high = wilson_interval(seen, whole[kept] ** 2 / total(weight**2)[kept])
    return said, seen, low, high
