"""The two studies of boosting.

Made-up data for the studies of boosting: seeded, of the kinds that the literature judges by.

Two studies of boosting: how many trees a shrinkage needs, and which rule finds their number.

The figures of the guide to R's gbm (Ridgeway): the error on fresh cases by iterations for several
shrinkages; and, over many data sets, what is left of the best performance when the iteration is
chosen by an independent test set of 33 % or 20 %, out of bag, or by five folds.

The two studies of boosting over several draws, with what is sure of their figures.

Pieces of work go draw by draw over all data sets, so that a study that is stopped has looked at
each of them about as often. Every piece has a seed of its own: the answer does not depend on where
it was stopped and begun.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.boosting import BoostedModel, BoostSettings, TrainingCases, fit, inputs_of_matrix
from core.boosting.folds import cross_validate
from core.boosting.training import Callbacks, TreeProgress
from core.document.experiments.results import (
    CHOOSING,
    SHRINKAGE,
    IterationResult,
    RuleOutcome,
    ShrinkageCurve,
)
from core.inference.intervals import student_reach
from payoff.errors import StoppedError
from payoff.specs import LossDistribution
from payoff.types import FloatArray, IntArray

Made = tuple[FloatArray, FloatArray]
Draw = np.random.Generator


def _friedman_1(draw: Draw, rows: int) -> Made:
    x = draw.random((rows, 10))
    y = 10.0 * np.sin(np.pi * x[:, 0] * x[:, 1]) + 20.0 * (x[:, 2] - 0.5) ** 2
    return x, y + 10.0 * x[:, 3] + 5.0 * x[:, 4] + draw.normal(size=rows)


def _circuit(draw: Draw, rows: int) -> FloatArray:
    low, high = np.array([0.0, 40.0 * np.pi, 0.0, 1.0]), np.array([100.0, 560.0 * np.pi, 1.0, 11.0])
    values: FloatArray = low + draw.random((rows, 4)) * (high - low)
    return values


def _friedman_2(draw: Draw, rows: int) -> Made:
    x = _circuit(draw, rows)
    y = np.hypot(x[:, 0], x[:, 1] * x[:, 2] - 1.0 / (x[:, 1] * x[:, 3]))
    return x, y + 125.0 * draw.normal(size=rows)


def _friedman_3(draw: Draw, rows: int) -> Made:
    x = _circuit(draw, rows)
    y = np.arctan2(x[:, 1] * x[:, 2] - 1.0 / (x[:, 1] * x[:, 3]), x[:, 0])
    return x, y + 0.1 * draw.normal(size=rows)


def _line(draw: Draw, rows: int) -> Made:
    x = draw.normal(size=(rows, 8))
    return x, x @ np.array([1.0, -0.7, 0.5, 0.3, 0.2, 0.0, 0.0, 0.0]) + 2.0 * draw.normal(size=rows)


def _steps(draw: Draw, rows: int) -> Made:
    x = draw.random((rows, 6))
    y = np.floor(4.0 * x[:, 0]) + 2.0 * (x[:, 1] > 0.6) * (x[:, 2] > 0.3)
    return x, y + draw.normal(size=rows)


def _two_clouds(draw: Draw, rows: int) -> Made:
    y = (draw.random(rows) < 0.5).astype(np.float64)
    x = draw.normal(size=(rows, 10)) + np.where(y > 0, 1.0, -1.0)[:, None] * 0.5 / np.sqrt(10.0)
    return x, y


def _ring(draw: Draw, rows: int) -> Made:
    y = (draw.random(rows) < 0.5).astype(np.float64)
    wide = draw.normal(size=(rows, 6)) * np.where(y > 0, 1.0, 1.6)[:, None]
    return wide, y


def _counts(draw: Draw, rows: int) -> Made:
    x = draw.normal(size=(rows, 6))
    rate = np.exp(0.3 * x[:, 0] + 0.4 * (x[:, 1] > 0) - 0.3 * x[:, 2] * (x[:, 3] > 0))
    return x, draw.poisson(rate).astype(np.float64)


MADE_UP: dict[str, tuple[str, Callable[[Draw, int], Made]]] = {
    "Friedman 1": ("gaussian", _friedman_1),
    "Friedman 2": ("gaussian", _friedman_2),
    "Friedman 3": ("gaussian", _friedman_3),
    "a straight line": ("gaussian", _line),
    "steps": ("gaussian", _steps),
    "two clouds": ("bernoulli", _two_clouds),
    "rings": ("bernoulli", _ring),
    "counts": ("poisson", _counts),
}
"""Name: the distribution, and what draws inputs (n, F) and outcome (n,)."""


def made_up_cases(name: str, rows: int, seed: int) -> TrainingCases:
    """Cases of a generator; the same seed gives the same."""
    x, y = MADE_UP[name][1](np.random.default_rng(seed), rows)
    return TrainingCases(inputs=inputs_of_matrix(x), outcome=y, n_classes=1)


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


RESAMPLES = 2_000
ShouldStop = Callable[[], bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class DataSet:
    """A data set: ``draw(number)`` gives its cases for one draw."""

    name: str
    spec: LossDistribution
    draw: Callable[[int], TrainingCases]


def watching(should_stop: ShouldStop) -> Callbacks:
    """Callbacks that leave a training between two trees."""

    def on_tree(_progress: TreeProgress) -> bool:
        if should_stop():
            raise StoppedError
        return False

    return Callbacks(on_tree=on_tree)


def shrinkage_study(
    sets: Sequence[DataSet],
    settings: BoostSettings,
    rates: Sequence[float],
    draws: int,
    should_stop: ShouldStop,
) -> Iterator[IterationResult]:
    """Results so far, one after each data set and draw; ends early when stopped."""
    found: dict[tuple[str, float], list[ShrinkageLine]] = {
        (entry.name, rate): [] for entry in sets for rate in rates
    }
    done, wanted = 0, draws * len(sets)
    for draw in range(draws):
        for entry in sets:
            seeded = replace(settings, seed=settings.seed + draw)
            try:
                lines = study_shrinkage(
                    entry.draw(draw), entry.spec, seeded, rates, watching(should_stop)
                )
            except StoppedError:
                return
            for line in lines:
                found[entry.name, line.shrinkage].append(line)
            done += 1
            curves = tuple(shrinkage_curve(*key, lines) for key, lines in found.items() if lines)
            yield IterationResult(study=SHRINKAGE, done=done, wanted=wanted, curves=curves)


def choosing_study(
    sets: Sequence[DataSet], settings: BoostSettings, draws: int, should_stop: ShouldStop
) -> Iterator[IterationResult]:
    """Results so far, one after each data set and draw; ends early when stopped."""
    found: list[Chosen] = []
    done, wanted = 0, draws * len(sets)
    for draw in range(draws):
        for entry in sets:
            cases = entry.draw(draw)
            try:
                found += one_draw(
                    entry.name, cases, entry.spec, settings, draw, watching(should_stop)
                )
            except StoppedError:
                return
            done += 1
            rules = rule_outcomes(found, settings.seed)
            yield IterationResult(study=CHOOSING, done=done, wanted=wanted, rules=rules)


# ---------------------------------------------------------------- summaries


def shrinkage_curve(data: str, shrinkage: float, lines: Sequence[ShrinkageLine]) -> ShrinkageCurve:
    """The mean of several draws with its limits."""
    table = np.array([line.deviance for line in lines])
    mean = table.mean(axis=0)
    half = _half_width(table)
    least = np.array([[line.least] for line in lines])
    best = [line.best for line in lines]
    edge = float(_half_width(least)[0])
    middle = float(least.mean())
    return ShrinkageCurve(
        data=data,
        shrinkage=shrinkage,
        draws=len(lines),
        deviance=mean,
        low=mean - half,
        high=mean + half,
        best=float(np.median(best)),
        best_low=min(best),
        best_high=max(best),
        least=middle,
        least_low=middle - edge,
        least_high=middle + edge,
    )


def _half_width(table: FloatArray) -> FloatArray:
    """Half of Student's 95 % interval of each column's mean; NaN for one row."""
    draws = len(table)
    if draws < 2:
        return np.full(table.shape[1], np.nan)
    error = table.std(axis=0, ddof=1) / np.sqrt(draws)
    return np.asarray(student_reach(draws - 1) * error)


def rule_outcomes(found: Sequence[Chosen], seed: int) -> tuple[RuleOutcome, ...]:
    """What each rule keeps of the best rule's gain; data sets where no rule gained are left out."""
    points = medians(found)
    outcomes = []
    for method in METHODS:
        shares: dict[str, list[float]] = {}
        for entry in found:
            if entry.method == method and np.isfinite(entry.share):
                shares.setdefault(entry.data, []).append(entry.share)
        low, high = _median_limits(shares, seed)
        quarter, median, three_quarters = points[method]
        outcomes.append(
            RuleOutcome(
                method=method,
                data=tuple(shares),
                share=np.array([np.mean(values) for values in shares.values()]),
                share_low=np.array([min(values) for values in shares.values()]),
                share_high=np.array([max(values) for values in shares.values()]),
                quarter=quarter,
                median=median,
                three_quarters=three_quarters,
                low=low,
                high=high,
                trees=float(np.mean([e.trees for e in found if e.method == method])),
            )
        )
    return tuple(outcomes)


def _median_limits(shares: Mapping[str, Sequence[float]], seed: int) -> tuple[float, float]:
    """95 % limits of the median over data sets, by drawing sets, then draws of each, anew."""
    if len(shares) < 2:
        return float("nan"), float("nan")
    random = np.random.default_rng(seed)
    sets = [np.array(values) for values in shares.values()]
    means = np.array(
        [
            values[random.integers(0, len(values), (RESAMPLES, len(values)))].mean(axis=1)
            for values in sets
        ]
    )
    chosen = random.integers(0, len(sets), (RESAMPLES, len(sets)))
    drawn = np.median(means[chosen, np.arange(RESAMPLES)[:, None]], axis=1)
    low, high = np.quantile(drawn, (0.025, 0.975))
    return float(low), float(high)
