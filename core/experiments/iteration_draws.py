"""The two studies of boosting over several draws, with what is sure of their figures.

Pieces of work go draw by draw over all data sets, so that a study that is stopped has looked at
each of them about as often. Every piece has a seed of its own: the answer does not depend on where
it was stopped and begun.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.boosting import BoostSettings, TrainingCases
from core.boosting.training import Callbacks, TreeProgress
from core.document.experiments.results import (
    CHOOSING,
    SHRINKAGE,
    IterationResult,
    RuleOutcome,
    ShrinkageCurve,
)
from core.experiments.iteration_studies import (
    METHODS,
    Chosen,
    ShrinkageLine,
    medians,
    one_draw,
    study_shrinkage,
)
from core.inference.intervals import student_reach
from payoff.errors import StoppedError
from payoff.specs import LossDistribution
from payoff.types import FloatArray

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
