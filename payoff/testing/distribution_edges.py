"""Further checks of loss distributions: ranges, constants, weights and chunks."""

from __future__ import annotations

import numpy as np

from payoff.counting import counted
from payoff.parameters import resolve_parameters
from payoff.specs import LossDistribution
from payoff.testing.checks import Check, CheckFailedError, require, require_close
from payoff.testing.distribution_checks import (
    SEED,
    compare_gradient,
    leaves_of,
    made_up,
    random_scores,
    scores_of,
    step_place,
)
from payoff.testing.host import DistributionHost
from payoff.testing.settings import settings_of
from payoff.types import FloatArray

_CHUNK = (5, 9)


def _curvature(distribution: LossDistribution) -> str:
    host = made_up(distribution, rows=200)
    for size in (1.0, 20.0):
        spread = np.random.default_rng(SEED + 8).uniform(-size, size, (1, host.size))
        score = np.repeat(spread, scores_of(distribution), axis=0)
        _, curvature = host.gradients(score)
        lowest = float(np.min(curvature))
        if not lowest >= 0.0:
            place = step_place(host, score, int(np.argmin(curvature)) % host.size)
            text = f"a curvature of {lowest:.3g} at scores up to {size:g}{place}"
            raise CheckFailedError(text)
    return "0 or more"


def _range_of_predictions(distribution: LossDistribution) -> str:
    host = made_up(distribution)
    low, high = distribution.response_low, distribution.response_high
    for size in (1.0, 20.0):
        predicted = host.responses(size * random_scores(host))
        wrong = predicted[~((predicted >= low) & (predicted <= high))]
        require(wrong.size == 0, f"a prediction of {wrong[:1]}, outside {low:g} to {high:g}")
    return f"{low:g} to {high:g}"


def _monotone(distribution: LossDistribution) -> str:
    """A higher score never turns back: trees move predictions by moving scores."""
    if scores_of(distribution) != 1:
        return "several scores per case"
    host = made_up(distribution)
    steps = np.diff(host.responses(np.linspace(-5.0, 5.0, 101)[np.newaxis])[0])
    require((steps >= 0.0).all() or (steps <= 0.0).all(), "the prediction turns back")
    require(np.abs(steps).sum() > 0.0, "the prediction is the same at every score")
    return "rises" if steps.sum() > 0 else "falls"


def _best_constant(distribution: LossDistribution) -> str:
    host = made_up(distribution)
    weight = np.random.default_rng(SEED + 10).uniform(0.5, 2.0, host.size)
    zero = np.zeros((scores_of(distribution), host.size))
    start = host.initial_score(weight, zero)

    def total(shift: FloatArray) -> float:
        """Sum the weighted loss at the start plus a shift."""
        score = zero + (start + shift)[:, np.newaxis]
        return float((weight * host.losses(score, weight)).sum())

    best = total(np.zeros_like(start))
    for shift in 0.01 * np.vstack([np.eye(start.size), -np.eye(start.size)]):
        gain = best - total(shift)
        require(gain <= 1e-9 * max(1.0, abs(best)), f"{start + shift} has less loss than {start}")
    return ", ".join(f"{value:.4g}" for value in start)


def _other_settings(distribution: LossDistribution) -> str:
    """The gradient follows the loss wherever the user may set the parameters."""
    if not distribution.parameters:
        return "no parameters"
    count = 0
    for values in settings_of(distribution.parameters, count=3)[1:]:
        if distribution.score_names is not None and len(
            distribution.score_names(values)
        ) != scores_of(distribution):
            continue  # another number of scores than the made-up cases have
        usual = made_up(distribution)
        host = DistributionHost(distribution, usual.outcome, usual.columns, values)
        compare_gradient(host)
        count += 1
    return counted(count, "setting")


def _weight_zero(distribution: LossDistribution) -> str:
    """Cases of weight 0 might as well not be there."""
    if distribution.arrange is not None:
        return "cases depend on each other"
    host = made_up(distribution)
    keep = np.arange(host.size) % 4 != 3
    weight = np.where(keep, np.random.default_rng(SEED + 11).uniform(0.5, 2.0, host.size), 0.0)
    part = host.chosen(np.flatnonzero(keep))
    zero = np.zeros((scores_of(distribution), host.size))
    return require_close(
        host.initial_score(weight, zero),
        part.initial_score(weight[keep], np.ascontiguousarray(zero[:, keep])),
        "initial score",
        tolerance=1e-7,
    )


def _scale_of_weights(distribution: LossDistribution) -> str:
    """Weights say how much cases count beside each other: their unit does not matter."""
    if not distribution.is_weight_exact:
        return "not claimed"
    host = made_up(distribution)
    weight = np.random.default_rng(SEED + 12).uniform(0.5, 2.0, host.size)
    zero, score = np.zeros((scores_of(distribution), host.size)), random_scores(host)
    found = require_close(
        host.initial_score(3.0 * weight, zero),
        host.initial_score(weight, zero),
        "initial score of three times the weights",
        tolerance=1e-7,
    )
    rows, offsets = leaves_of(host.size)
    for output in range(scores_of(distribution)):
        require_close(
            host.leaf_values(score, 3.0 * weight, rows, offsets, output),
            host.leaf_values(score, weight, rows, offsets, output),
            "leaf values of three times the weights",
            tolerance=1e-7,
        )
    return found


def _gradient_chunk(distribution: LossDistribution) -> str:
    """The gradient of some rows is that of all, and no other row is written."""
    host = made_up(distribution)
    if host.has_blocks:
        return "cases depend on each other"
    score = random_scores(host)
    whole = host.gradients(score)
    part = np.full_like(score, np.nan), np.full_like(score, np.nan)
    distribution.negative_gradient(
        host.outcome, score, host.parameters, *host.extras, *part, *_CHUNK
    )
    for found, wanted, words in zip(part, whole, ("gradient", "curvature"), strict=True):
        outside = np.delete(found, range(*_CHUNK), axis=1)
        require(np.isnan(outside).all(), f"the {words} of other rows was written")
        inside = slice(*_CHUNK)
        require_close(found[:, inside], wanted[:, inside], words, tolerance=0.0)
    return f"rows {_CHUNK[0]} to {_CHUNK[1] - 1}"


def _words(distribution: LossDistribution) -> str:
    for item in distribution.parameters:
        require(item.words.strip(), f"the parameter '{item.name}' has no words")
    if distribution.score_names is not None:
        names = distribution.score_names(resolve_parameters(distribution.parameters))
        require(len(names) == scores_of(distribution), f"{counted(len(names), 'name')} of scores")
    return distribution.asks or distribution.help


DISTRIBUTION_EDGES: tuple[Check[LossDistribution], ...] = (
    Check("Curvature is never negative", _curvature),
    Check("Predictions stay in their range", _range_of_predictions),
    Check("A higher score never turns the prediction back", _monotone),
    Check("Initial score is the best constant", _best_constant),
    Check("Gradient holds at other settings", _other_settings),
    Check("Cases of weight 0 do not count", _weight_zero),
    Check("The unit of the weights does not matter", _scale_of_weights),
    Check("Some rows alone give the same gradient", _gradient_chunk),
    Check("Words are there", _words),
)
