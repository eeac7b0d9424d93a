"""Checks of what a loss says beyond its predictions: quantiles of a number, chances over time."""

from __future__ import annotations

import numpy as np

from payoff.counting import counted
from payoff.specs import LossDistribution
from payoff.testing.checks import Check, require, require_close
from payoff.testing.distribution_checks import SEED, made_up, random_scores
from payoff.testing.host import DistributionHost
from payoff.testing.settings import settings_of
from payoff.types import FloatArray

_TIMES = np.array([0.0, 0.2, 0.5, 1.0, 2.0, 4.0, 9.0])
_CASES = 24
_SURE, _HOPELESS = 1e-3, 30.0
"""Minus logs of chances between which a loss is held against them: others are lost in rounding."""


def _quantiles(distribution: LossDistribution) -> str:
    """Levels fit the scores under any setting, and predictions never cross."""
    if distribution.quantile_levels is None:
        return "predicts no quantiles"
    assert distribution.score_names is not None  # the check of the spec says so
    levels = np.empty(0)
    for values in settings_of(distribution.parameters, count=3):
        levels = np.array(distribution.quantile_levels(values), dtype=np.float64)
        count = len(distribution.score_names(values))
        require(
            levels.shape == (count,),
            f"{counted(levels.size, 'level')} for {counted(count, 'score')}",
        )
        is_share = bool(((levels > 0.0) & (levels < 1.0)).all())
        require(is_share, f"levels outside 0 to 1: {levels}")
        require(bool((np.diff(levels) > 0.0).all()), f"levels that do not rise: {levels}")
    host = made_up(distribution)
    found = host.responses(random_scores(host))
    require(bool((np.diff(found, axis=0) >= 0.0).all()), "a higher quantile is predicted lower")
    return counted(levels.size, "level")


def _probabilities_over_time(distribution: LossDistribution) -> str:
    """Chances of lasting fall from 1 with time, follow the score, and are those of the loss."""
    if distribution.surviving is None:
        return "no chances of its own"
    score = np.sort(np.random.default_rng(SEED + 21).normal(0.0, 1.0, _CASES))
    for values in settings_of(distribution.parameters, count=3):
        probability = np.asarray(distribution.surviving(score, _TIMES, values))
        shape = (_CASES, len(_TIMES))
        require(probability.shape == shape, f"shape {probability.shape} instead of {shape}")
        require(bool(np.isfinite(probability).all()), "a chance is not a number")
        require(
            bool(((probability >= 0.0) & (probability <= 1.0)).all()), "a chance outside 0 to 1"
        )
        require_close(probability[:, 0], np.ones(_CASES), "chance to last beyond time 0")
        require(
            bool((np.diff(probability, axis=1) <= 1e-12).all()), "a chance of lasting that rises"
        )
        later = 1.0 if distribution.predicts_time else -1.0
        turn = later * np.diff(probability, axis=0)
        require(bool((turn >= -1e-12).all()), "a higher score goes the other way than stated")
        alone = np.vstack([distribution.surviving(score[[i]], _TIMES, values) for i in range(3)])
        require_close(alone, probability[:3], "chances of a case alone")
    return _as_the_loss_defines(distribution)


def _as_the_loss_defines(distribution: LossDistribution) -> str:
    """The loss of a case that was lost from sight is minus the log of its chance, times a number.

    One number for all cases, times and settings: that is what a likelihood says of such a case.
    """
    assert distribution.surviving is not None  # by the caller
    if distribution.arrange is not None:
        return "cases depend on each other"
    random = np.random.default_rng(SEED + 22)
    time, score = random.choice(_TIMES[1:], _CASES), random.normal(0.5, 1.0, (1, _CASES))
    unseen = dict.fromkeys(map(str, distribution.extras), np.zeros(_CASES))
    ratios: list[FloatArray] = []
    for values in settings_of(distribution.parameters, count=3):
        loss = DistributionHost(distribution, time, unseen, values).losses(score)
        with np.errstate(divide="ignore"):
            reported = -np.log(np.diagonal(distribution.surviving(score[0], time, values)))
        known = (reported > _SURE) & (reported < _HOPELESS)
        ratios.append(loss[known] / reported[known])
    ratio = np.concatenate(ratios)
    require(ratio.size > 0, "no chance between the ends")
    return require_close(ratio, np.full(ratio.size, np.median(ratio)), "loss over minus log chance")


DISTRIBUTION_PROPERTIES: tuple[Check[LossDistribution], ...] = (
    Check("Quantiles are in order", _quantiles),
    Check("Chances over time are those of the loss", _probabilities_over_time),
)
