"""Several quantiles of a number from one model, in rising order."""

from __future__ import annotations

import numpy as np

import payoff
from payoff.numeric import value_at_weight
from payoff.types import FloatArray, IntArray, StopFlag


@payoff.kernel(shape="helper")
def level_of(output: int, outputs: int, lowest: float) -> float:
    """Return the share of cases below quantile number ``output``: equal steps from the lowest."""
    if outputs == 1:
        return 0.5
    return lowest + (1.0 - 2.0 * lowest) * output / (outputs - 1)


@payoff.kernel(shape="elementwise")
def multi_quantile_loss(
    outcome: FloatArray,
    score: FloatArray,
    parameters: FloatArray,
    out: FloatArray,
    start: int,
    stop: int,
) -> None:
    """Fill the sum of the check losses of all levels."""
    outputs = score.shape[0]
    for i in range(start, stop):
        out[i] = 0.0
    for k in range(outputs):
        level = level_of(k, outputs, parameters[1])
        for i in range(start, stop):
            miss = outcome[i] - score[k, i]
            out[i] += level * miss if miss > 0.0 else (level - 1.0) * miss


@payoff.kernel(shape="elementwise")
def multi_quantile_gradient(
    outcome: FloatArray,
    score: FloatArray,
    parameters: FloatArray,
    gradient: FloatArray,
    curvature: FloatArray,
    start: int,
    stop: int,
) -> None:
    """Fill level where y > F, else level - 1, for each level; curvature 1."""
    outputs = score.shape[0]
    for k in range(outputs):
        level = level_of(k, outputs, parameters[1])
        for i in range(start, stop):
            gradient[k, i] = level if outcome[i] > score[k, i] else level - 1.0
            curvature[k, i] = 1.0


@payoff.kernel(shape="helper")
def quantile_or_zero(values: FloatArray, weight: FloatArray, level: float) -> float:
    """Return the weighted quantile of (m,) values; 0 without weight."""
    mass = np.sum(weight)
    return value_at_weight(values, weight, level * mass) if mass > 0.0 else 0.0


@payoff.kernel(shape="whole")
def multi_quantile_initial_score(
    outcome: FloatArray,
    weight: FloatArray,
    offset: FloatArray,
    parameters: FloatArray,
    out: FloatArray,
    stop_flag: StopFlag,
) -> None:
    """Fill the weighted quantile of outcome less offset of each level."""
    outputs = offset.shape[0]
    for k in range(outputs):
        level = level_of(k, outputs, parameters[1])
        out[k] = quantile_or_zero(outcome - offset[k], weight, level)


@payoff.kernel(shape="by_group")
def multi_quantile_leaf_values(
    outcome: FloatArray,
    score: FloatArray,
    weight: FloatArray,
    gradient: FloatArray,
    curvature: FloatArray,
    parameters: FloatArray,
    output: int,
    rows: IntArray,
    offsets: IntArray,
    out: FloatArray,
    first_group: int,
    last_group: int,
) -> None:
    """Fill the weighted quantile of the residuals of each leaf at the level of the output."""
    level = level_of(output, score.shape[0], parameters[1])
    for leaf in range(first_group, last_group):
        cases = rows[offsets[leaf] : offsets[leaf + 1]]
        residual = outcome[cases] - score[output][cases]
        out[leaf] = quantile_or_zero(residual, weight[cases], level)


@payoff.kernel(shape="elementwise")
def multi_quantile_response(
    score: FloatArray, parameters: FloatArray, out: FloatArray, start: int, stop: int
) -> None:
    """Fill the scores of each case in rising order, by insertion.

    Putting crossed quantiles in order never raises their summed check losses.
    """
    for i in range(start, stop):
        for k in range(score.shape[0]):
            value = score[k, i]
            place = k
            while place > 0 and out[place - 1, i] > value:
                out[place, i] = out[place - 1, i]
                place -= 1
            out[place, i] = value


def levels_of_quantiles(parameters: payoff.Parameters) -> tuple[float, ...]:
    """Return the share of cases below each quantile, rising; without the last bit's rounding."""
    count = int(parameters["quantiles"])
    levels = (level_of(place, count, parameters["lowest"]) for place in range(count))
    return tuple(round(float(level), 12) for level in levels)


def names_of_quantiles(parameters: payoff.Parameters) -> tuple[str, ...]:
    """Return a name for each quantile, such as q0.1."""
    return tuple(f"q{level:.6g}" for level in levels_of_quantiles(parameters))


MULTI_QUANTILE = payoff.LossDistribution(
    id="multi_quantile",
    label="Several quantiles",
    asks="how far a number may go, at several chances",
    plain=payoff.PlainWords(
        "How far it may go",
        "Learns several levels at once that never cross: 5 % of such cases stay below the lowest, "
        "95 % below the highest.",
        "when one number is not enough: stock, reserves, promised times, decisions over amounts.",
    ),
    help="Check losses of several levels together: one model, several quantiles in rising order.",
    formula="mean of w Σ over levels (α (y − F_α) if y > F_α, else (1 − α) (F_α − y))",
    reference="Koenker & Bassett 1978; Chernozhukov, Fernández-Val & Galichon 2010",
    target=payoff.TargetDomain.REAL,
    loss=multi_quantile_loss,
    negative_gradient=multi_quantile_gradient,
    initial_score=multi_quantile_initial_score,
    response=multi_quantile_response,
    link=multi_quantile_response,
    leaf_kind=payoff.LeafKind.SOLVER,
    leaf_values=multi_quantile_leaf_values,
    gradient_factor=1.0,
    n_scores=9,
    score_names=names_of_quantiles,
    quantile_levels=levels_of_quantiles,
    parameters=(
        payoff.Parameter(
            name="quantiles",
            words="number of quantiles",
            default=9,
            kind=payoff.ParameterKind.INTEGER,
            minimum=1,
            maximum=99,
            help="In equal steps from the lowest level to its mirror image above.",
        ),
        payoff.Parameter(
            name="lowest",
            words="lowest level",
            default=0.05,
            minimum=0.0,
            maximum=0.5,
            is_minimum_open=True,
            is_maximum_open=True,
            unit=payoff.NumberUnit.PERCENT,
            help="Share of cases below the lowest quantile; as many lie above the highest.",
        ),
    ),
)
