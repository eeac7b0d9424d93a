"""Two studies of boosting: how many trees a shrinkage needs, and which rule finds their number.

The figures of the guide to R's gbm (Ridgeway): the error on fresh cases by iterations for several
shrinkages; and, over many data sets, what is left of the best performance when the iteration is
chosen by an independent test set of 33 % or 20 %, out of bag, or by five folds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.boosting import BoostedModel, BoostSettings, TrainingCases, fit
from core.boosting.folds import cross_validate
from core.boosting.training import Callbacks
from payoff.specs import LossDistribution
from payoff.types import FloatArray, IntArray

METHODS = ("test, 33 %", "test, 20 %", "out of bag", "5 folds")
FOLDS = 5
EVALUATED = 0.4
"""Share of a data set's cases that only judge."""

Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class ShrinkageLine:
    """The deviance of fresh cases after each of T iterations at one shrinkage.

    ``deviance`` float64 (T,); ``best`` is the iteration of its least value.
    """

    shrinkage: float
    deviance: FloatArray
    best: int

    @property
    def least(self) -> float:
        """The deviance at the best iteration."""
        return float(self.deviance[self.best - 1])


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """What one rule chose in one draw: iterations, and the share of the best rule's gain.

    ``gain`` is the fall of the deviance of fresh cases against a constant; ``share`` is it over the
    largest gain of all rules (NaN where no rule gained).
    """

    data: str
    draw: int
    method: str
    trees: int
    gain: float
    share: float


def study_shrinkage(
    cases: TrainingCases,
    spec: LossDistribution,
    settings: BoostSettings,
    rates: Sequence[float],
    callbacks: Callbacks | None = None,
) -> tuple[ShrinkageLine, ...]:
    """A line for each shrinkage; ``cases.n_train`` train, the others judge."""
    lines = []
    for rate in rates:
        model = fit(cases, spec, {}, replace(settings, shrinkage=rate), callbacks=callbacks)
        deviance = model.history.valid_deviance
        lines.append(
            ShrinkageLine(shrinkage=rate, deviance=deviance, best=int(np.nanargmin(deviance)) + 1)
        )
    return tuple(lines)


def study_choosing(
    sets: Mapping[str, tuple[TrainingCases, LossDistribution]],
    settings: BoostSettings,
    draws: int,
    tell: Tell,
) -> tuple[Chosen, ...]:
    """Every rule on every data set, ``draws`` times with other cases to learn from and to judge."""
    found: list[Chosen] = []
    for name, (cases, spec) in sets.items():
        for draw in range(draws):
            tell(f"{name}, draw {draw + 1} of {draws}")
            found += one_draw(name, cases, spec, settings, draw)
    return tuple(found)


def one_draw(
    name: str,
    cases: TrainingCases,
    spec: LossDistribution,
    settings: BoostSettings,
    draw: int,
    callbacks: Callbacks | None = None,
) -> list[Chosen]:
    """Every rule on one data set, with the cases to learn from and to judge of one draw."""
    order = np.random.default_rng([settings.seed, draw]).permutation(cases.n_rows)
    judging = round(EVALUATED * cases.n_rows)
    fresh, learning = cases.take(order[:judging]), order[judging:]
    gains: list[tuple[str, int, float]] = []
    for method in METHODS:
        model, trees = _chosen(method, cases, learning, spec, settings, callbacks)
        gain = model.deviance(fresh, 0) - model.deviance(fresh, trees)
        gains.append((method, trees, gain))
    best = max(gain for _, _, gain in gains)
    return [
        Chosen(
            data=name,
            draw=draw,
            method=method,
            trees=trees,
            gain=gain,
            share=gain / best if best > 0.0 else float("nan"),
        )
        for method, trees, gain in gains
    ]


def _chosen(
    method: str,
    cases: TrainingCases,
    learning: IntArray,
    spec: LossDistribution,
    settings: BoostSettings,
    callbacks: Callbacks | None,
) -> tuple[BoostedModel, int]:
    """The model that a rule ends with, and the number of trees that it chose."""
    rows = len(learning)
    if method.startswith("test"):
        share = 0.33 if "33" in method else 0.2
        part = cases.take(learning, rows - round(share * rows))
        model = fit(part, spec, {}, settings, callbacks=callbacks)
        return model, model.best_iteration("test")
    whole = cases.take(learning, rows)
    model = fit(whole, spec, {}, settings, callbacks=callbacks)
    if method == "out of bag":
        return model, model.best_iteration("oob")
    crossed = cross_validate(whole, spec, {}, settings, FOLDS, callbacks)
    model = replace(model, cross_validation=crossed)
    return model, model.best_iteration("cv")


def medians(found: Sequence[Chosen]) -> dict[str, tuple[float, float, float]]:
    """Per rule the 25 %, 50 % and 75 % points, over data sets, of its mean share of the best."""
    table = {}
    for method in METHODS:
        by_data: dict[str, list[float]] = {}
        for entry in found:
            if entry.method == method and np.isfinite(entry.share):
                by_data.setdefault(entry.data, []).append(entry.share)
        means = [float(np.mean(shares)) for shares in by_data.values()]
        points = np.quantile(means, (0.25, 0.5, 0.75)) if means else np.full(3, np.nan)
        table[method] = (float(points[0]), float(points[1]), float(points[2]))
    return table
