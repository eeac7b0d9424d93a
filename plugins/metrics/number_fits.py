"""Further metrics of predicted numbers: shares explained, quantile losses, relative misses."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np

import payoff
from payoff.numeric import value_at_weight
from payoff.types import AnyArray, FloatArray, StopFlag
from plugins.metrics.survival import count_pairs


def _misses(sample: payoff.Sample) -> FloatArray:
    return np.asarray(sample.outcome - sample.posteriors[0], dtype=np.float64)


@payoff.kernel(shape="whole")
def fill_squares(
    outcome: AnyArray,
    prediction: FloatArray,
    weight: FloatArray,
    mean: float,
    shift: float,
    out: FloatArray,
    stop_flag: StopFlag,
) -> None:
    """Fill the weighted sums of squared misses, of misses and of outcomes around their means."""
    a, b, c = 0.0, 0.0, 0.0
    for i in range(outcome.shape[0]):
        miss = outcome[i] - prediction[i]
        a += weight[i] * miss * miss
        b += weight[i] * (miss - shift) * (miss - shift)
        c += weight[i] * (outcome[i] - mean) * (outcome[i] - mean)
    out[0], out[1], out[2] = a, b, c


def _squares(sample: payoff.Sample) -> FloatArray:
    """Squares of misses, of misses around their mean and of outcomes around theirs."""

    def make() -> FloatArray:
        mean, predicted = (
            float(sample.weight @ values) / sample.total_weight
            for values in (sample.outcome, sample.posteriors[0])
        )
        squares, flag = np.zeros(3), np.zeros(1, dtype=np.uint8)
        prediction, shift = sample.posteriors[0], mean - predicted
        fill_squares(sample.outcome, prediction, sample.weight, mean, shift, squares, flag)
        return squares

    return sample.kept("squares around means", make, by_weight=True)


def r_squared(sample: payoff.Sample, parameters: payoff.Parameters) -> float:
    """1 less the squared misses over those of the mean; NaN where all outcomes are equal."""
    if not sample.total_weight > 0.0:
        return math.nan
    squares = _squares(sample)
    return 1.0 - float(squares[0] / squares[2]) if squares[2] > 0.0 else math.nan


def explained_variance(sample: payoff.Sample, parameters: payoff.Parameters) -> float:
    """1 less the variance of the misses over that of the outcome."""
    if not sample.total_weight > 0.0:
        return math.nan
    squares = _squares(sample)
    return 1.0 - float(squares[1] / squares[2]) if squares[2] > 0.0 else math.nan


_SHIFT = np.int64(48)
_SIGN = np.int64(63)
_MAGNITUDE = np.int64(0x7FFFFFFFFFFFFFFF)
_CELLS = 65_536
_FEWEST_CASES = 6.0


@payoff.kernel(shape="whole")
def fill_quantile(
    values: FloatArray, weight: FloatArray, level: float, out: FloatArray, flag: StopFlag
) -> None:
    """Fill the weighted quantile of (n,) values, as ``weighted_quantile`` gives it.

    Sign, exponent and four bits of the fraction put each value into one of 65,536 rising cells;
    only the values of the cell that the quantile lies in are then looked at one by one.
    """
    bits = values.view(np.int64)
    mass = np.zeros(_CELLS)
    for i in range(values.shape[0]):
        key = bits[i] ^ ((bits[i] >> _SIGN) & _MAGNITUDE)
        mass[(key >> _SHIFT) + _CELLS // 2] += weight[i]
    target = level * np.sum(mass)
    slack = 1e-12 * np.sum(mass)
    before = 0.0
    wanted = 0
    while wanted < _CELLS - 1 and before + mass[wanted] < target - slack:
        before += mass[wanted]
        wanted += 1
    kept = np.empty(values.shape[0] + 1)
    kept_weight = np.empty(values.shape[0] + 1)
    number = 0
    following = math.inf
    for i in range(values.shape[0]):
        key = bits[i] ^ ((bits[i] >> _SIGN) & _MAGNITUDE)
        cell = (key >> _SHIFT) + _CELLS // 2
        kept[number] = values[i]
        kept_weight[number] = weight[i]
        number += cell == wanted
        if cell > wanted and weight[i] > 0.0:
            following = min(following, values[i])
    if following < math.inf:  # where the cell's weight is just enough, the mean with the next
        kept[number] = following
        kept_weight[number] = 1.0
        number += 1
    out[0] = value_at_weight(kept[:number], kept_weight[:number], target - before)


def _quantile(values: FloatArray, weight: FloatArray, level: float) -> float:
    found = np.full(1, np.nan)
    fill_quantile(np.ascontiguousarray(values), weight, level, found, np.zeros(1, dtype=np.uint8))
    return float(found[0])


def median_miss(sample: payoff.Sample, parameters: payoff.Parameters) -> float:
    """Weighted median of the sizes of misses."""
    size = sample.kept("sizes of misses", lambda: np.abs(_misses(sample)))
    return _quantile(size, sample.weight, 0.5)


def median_limits(
    sample: payoff.Sample, parameters: payoff.Parameters
) -> tuple[float, float, str] | None:
    """Quantiles of the misses at the limits of a share of one half (Woodruff 1952).

    Without weights these are order statistics, with the exact binomial limits of Clopper and
    Pearson (1934) whatever the misses' distribution; with weights the cases count at their
    effective number. None with fewer than six, whose range is no 95 % interval.
    """
    squares = float(sample.weight @ sample.weight)
    cases = sample.total_weight**2 / squares if squares > 0.0 else 0.0
    if cases < _FEWEST_CASES:
        return None
    from scipy.special import betaincinv  # late: 0.1 s that the first totals do not need

    half, tail = 0.5 * cases, 0.025
    levels = betaincinv(half, half + 1.0, tail), betaincinv(half + 1.0, half, 1.0 - tail)
    size = sample.kept("sizes of misses", lambda: np.abs(_misses(sample)))
    low, high = (_quantile(size, sample.weight, float(level)) for level in levels)
    is_plain = bool(sample.weight.min() == sample.weight.max())
    return low, high, "order statistics" if is_plain else "weighted order statistics"


def pinball_skill(sample: payoff.Sample, parameters: payoff.Parameters) -> float:
    """1 less the quantile loss over that of the outcome's own quantile."""
    level = parameters["level"]
    outcome = sample.outcome.astype(np.float64, copy=False)
    found = _quantile(outcome, sample.weight, level)
    ours, blind = (
        float(np.where(miss >= 0.0, level * miss, (level - 1.0) * miss) @ sample.weight)
        for miss in (_misses(sample), outcome - found)
    )
    return 1.0 - ours / blind if blind > 0.0 else math.nan


def pair_concordance(sample: payoff.Sample, parameters: payoff.Parameters) -> float:
    """Share of pairs of different outcomes in the right order, ties of predictions half."""
    size = len(sample)
    if size == 0:
        return math.nan
    outcome = sample.outcome.astype(np.float64, copy=False)
    fall = sample.kept("pair_concordance", lambda: np.argsort(outcome, kind="stable"))
    sizes = np.diff(sample.group_ends, prepend=0)
    rank = np.empty(size, dtype=np.int64)
    rank[sample.order] = np.repeat(np.arange(sizes.shape[0]), sizes)
    nowhere, found = np.full(size, -np.inf), np.zeros(3)
    offsets = np.array([0, size], dtype=np.int64)
    count_pairs(
        -outcome,
        np.ones(size),
        nowhere,
        sample.weight,
        np.ones(size),
        rank,
        fall.astype(np.int64),
        fall.astype(np.int64),
        offsets,
        found,
        np.zeros(1, dtype=np.uint8),
    )
    return float((found[0] + 0.5 * found[1]) / found[2]) if found[2] > 0.0 else math.nan


def check_no_zero(sample: payoff.Sample, parameters: payoff.Parameters) -> None:
    """Refuse outcomes of 0, whose share is infinite."""
    is_zero = sample.outcome == 0.0
    if is_zero.any():
        row = int(np.argmax(is_zero))
        raise payoff.PayoffError(
            "The outcome is 0: a miss has no size relative to it.",
            where=f"case {row + 1} of the rows used, {int(is_zero.sum()):,} in all",
            remedy="Use MAE, or sMAPE.",
        )


def variance(sample: payoff.Sample, parameters: payoff.Parameters) -> float:
    """MSE of always predicting the mean."""
    outcome = sample.outcome.astype(np.float64, copy=False)
    mean = np.average(outcome, weights=sample.weight)
    return float(np.average((outcome - mean) ** 2, weights=sample.weight))


_HIGHER, _LOWER = payoff.Direction.HIGHER, payoff.Direction.LOWER
_LEVEL = payoff.Parameter(
    name="level",
    aliases=("alpha",),
    words="quantile that is predicted",
    default=0.5,
    minimum=0.0,
    maximum=1.0,
    is_minimum_open=True,
    is_maximum_open=True,
    unit=payoff.NumberUnit.PERCENT,
)

_LOSS: dict[str, Any] = {
    "task": "regression",
    "direction": "lower",
    "value_range": (0.0, math.inf),
    "perfect_value": 0.0,
}
"""What mean misses of any kind have in common."""


@payoff.metric(
    "MSE", formula="mean of (y − f)²", reference="Gauss 1809", random_value=variance, **_LOSS
)
def mse(y: float, p: float) -> float:
    """Mean squared miss, in the square of the target's unit."""
    miss = y - p
    return miss * miss


@payoff.metric(
    "Quantile loss at {level}",
    label="Quantile loss",
    formula="mean of α (y − f) above, (1 − α)(f − y) below",
    aliases=("quantile_loss",),
    reference="Koenker & Bassett 1978; as sklearn.metrics.mean_pinball_loss",
    parameters=(_LEVEL,),
    **_LOSS,
)
def pinball(y: float, p: float, level: float) -> float:
    """What a predicted quantile costs: too low counts the level, too high the rest of 1."""
    miss = y - p
    return level * miss if miss >= 0.0 else (level - 1.0) * miss


@payoff.metric(
    "MAPE",
    formula="mean of |y − f| ÷ |y|",
    reference="as sklearn.metrics.mean_absolute_percentage_error where no outcome is 0",
    decimals=1,
    unit="percent",
    check=check_no_zero,
    **_LOSS,
)
def mape(y: float, p: float) -> float:
    """Mean miss as a share of the outcome. Small outcomes rule it, and predictions that are too
    low are favoured; refused where an outcome is 0.
    """
    return abs(y - p) / abs(y) if y != 0.0 else math.nan


@payoff.metric(
    "sMAPE",
    formula="mean of |y − f| ÷ ½ (|y| + |f|); 0 where both are 0",
    reference="Makridakis 1993; Hyndman & Koehler 2006 on its traps",
    decimals=1,
    unit="percent",
    **(_LOSS | {"value_range": (0.0, 2.0)}),
)
def smape(y: float, p: float) -> float:
    """Mean miss as a share of the mean size of outcome and prediction, 0 to 200 %. Not symmetric
    in spite of its name: misses below count more.
    """
    size = 0.5 * (abs(y) + abs(p))
    return abs(y - p) / size if size > 0.0 else 0.0


_metric = partial(
    payoff.EvaluationMetric,
    direction=_HIGHER,
    inputs=(payoff.Input.OUTCOME, payoff.Input.PREDICTIONS),
    tasks=(payoff.Task.REGRESSION,),
    form=payoff.MetricForm.GENERAL,
    value_range=(-math.inf, 1.0),
    perfect_value=1.0,
)

MEDIAN_MISS = _metric(
    id="median_absolute_error",
    label="Median absolute error",
    help="Half of the misses are smaller than this; a few huge ones change nothing.",
    formula="weighted median of |y − f|; between two middle ones their mean",
    reference="as sklearn.metrics.median_absolute_error",
    direction=_LOWER,
    value_range=(0.0, math.inf),
    perfect_value=0.0,
    compute=median_miss,
    interval=median_limits,
)

R_SQUARED = _metric(
    id="r2",
    label="R²",
    help="Share of the outcome's variance that the predictions explain; below 0 they are worse "
    "than the mean.",
    formula="1 − Σ (y − f)² ÷ Σ (y − mean)²",
    reference="Wright 1921; as sklearn.metrics.r2_score, out of sample",
    random_value=0.0,
    compute=r_squared,
)

EXPLAINED_VARIANCE = _metric(
    id="explained_variance",
    label="Explained variance",
    help="As R², but a miss that is the same for all cases costs nothing.",
    formula="1 − variance of (y − f) ÷ variance of y",
    reference="as sklearn.metrics.explained_variance_score",
    random_value=0.0,
    compute=explained_variance,
)

PINBALL_SKILL = _metric(
    id="pinball_skill",
    label="Quantile skill",
    title="Quantile skill at {level}",
    help="How much of the quantile loss of the outcome's own quantile the model saves.",
    formula="1 − quantile loss ÷ that of the weighted quantile of y",
    reference="Koenker & Machado 1999; as sklearn.metrics.d2_pinball_score",
    parameters=(_LEVEL,),
    compute=pinball_skill,
)

PAIR_CONCORDANCE = _metric(
    id="pair_concordance",
    label="Pairs in order",
    help="Chance that of two cases with different outcomes the larger has the larger prediction; "
    "equal predictions count half.",
    formula="(pairs in order + ½ pairs of equal predictions) ÷ pairs of different outcomes",
    aliases=("concordance",),
    reference="Kendall 1938; as R survival::concordance(y ~ f)",
    value_range=(0.0, 1.0),
    random_value=0.5,
    compute=pair_concordance,
)

NUMBER_METRICS = (
    mse,
    MEDIAN_MISS,
    R_SQUARED,
    EXPLAINED_VARIANCE,
    pinball,
    PINBALL_SKILL,
    mape,
    smape,
    PAIR_CONCORDANCE,
)
