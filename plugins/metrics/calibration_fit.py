"""Calibration slope and intercept: a logistic fit of the outcome on the log odds of the chances."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

import payoff
from payoff.numeric import fill_exp
from payoff.types import AnyArray, FloatArray, StopFlag

_BLOCK = 512
_FIRST_ROWS = 20_000
"""About as many rows are fitted first, then an eighth, so that all are passed twice or so only."""
_NEARLY = 2e-6
"""A Newton step this small leaves an error of about its square."""
_ROUGHLY = 1e-3
_FAR = 1e4
_MOST_STEPS = 60

Step = tuple[float, float]
SumsCall = Callable[[float, float, int], Step | None]


@payoff.kernel(shape="whole")
def logistic_sums(
    outcome: AnyArray,
    odds: FloatArray,
    weight: FloatArray,
    intercept: float,
    slope: float,
    stride: int,
    out: FloatArray,
    stop_flag: StopFlag,
) -> None:
    """Fill the two slopes and three curvatures of the log likelihood of intercept and slope.

    Every ``stride``-th case is read. ``outcome`` is 0 where the event happened.
    """
    power = np.zeros(_BLOCK)
    less = np.zeros(_BLOCK)
    a, b, c, d, e = 0.0, 0.0, 0.0, 0.0, 0.0
    cases = (outcome.shape[0] + stride - 1) // stride
    for base in range(0, cases, _BLOCK):
        count = min(_BLOCK, cases - base)
        for j in range(count):
            less[j] = -(intercept + slope * odds[(base + j) * stride])
        fill_exp(less, power)
        for j in range(count):
            i = (base + j) * stride
            probability = 1.0 / (1.0 + power[j])
            event = 1.0 if outcome[i] == 0 else 0.0
            miss = weight[i] * (event - probability)
            spread = weight[i] * probability * (1.0 - probability)
            bent = spread * odds[i]
            a += miss
            b += miss * odds[i]
            c += spread
            d += bent
            e += bent * odds[i]
    out[0], out[1], out[2], out[3], out[4] = a, b, c, d, e


@payoff.kernel(shape="whole")
def shift_sums(
    outcome: AnyArray,
    probability: FloatArray,
    weight: FloatArray,
    intercept: float,
    stride: int,
    out: FloatArray,
    stop_flag: StopFlag,
) -> None:
    """Fill slope and curvature of the log likelihood of the intercept, slope held at 1.

    Odds times e to the intercept: no logarithm and no power per case.
    """
    times = math.exp(intercept)
    a, b = 0.0, 0.0
    for i in range(0, outcome.shape[0], stride):
        above = times * probability[i]
        shifted = above / (above + (1.0 - probability[i]))
        event = 1.0 if outcome[i] == 0 else 0.0
        a += weight[i] * (event - shifted)
        b += weight[i] * shifted * (1.0 - shifted)
    out[0], out[1] = a, b


def _fit(rows: int, step_of: SumsCall) -> Step | None:
    """Intercept and slope at which the Newton step is 0, from few rows to more to all."""
    start: Step | None = (0.0, 1.0)
    for most in (_FIRST_ROWS, rows // 8):
        stride = rows // max(most, 1)
        if start is not None and most >= _FIRST_ROWS and stride > 1:
            start = _newton(step_of, start, stride, _ROUGHLY)
    found = None if start is None else _newton(step_of, start, 1, _NEARLY)
    return _newton(step_of, (0.0, 1.0), 1, _NEARLY) if found is None else found


def _newton(step_of: SumsCall, start: Step, stride: int, enough: float) -> Step | None:
    intercept, slope = start
    for _ in range(_MOST_STEPS):
        step = step_of(intercept, slope, stride)
        if step is None:
            return None
        intercept, slope = intercept + step[0], slope + step[1]
        if abs(step[0]) + abs(step[1]) < enough:
            return intercept, slope
        if abs(slope) > _FAR or abs(intercept) > _FAR:
            return None
    return None


def _both(sample: payoff.Sample) -> Step | None:
    """Intercept and slope fitted together; None where there are none."""
    flag, sums = np.zeros(1, dtype=np.uint8), np.zeros(5)
    odds = sample.kept("calibration odds", lambda: _log_odds(sample))

    def step_of(intercept: float, slope: float, stride: int) -> Step | None:
        logistic_sums(sample.outcome, odds, sample.weight, intercept, slope, stride, sums, flag)
        return _newton_step(sums)

    return sample.kept("calibration fit", lambda: _fit(len(sample), step_of), by_weight=True)


def _shift(sample: payoff.Sample) -> Step | None:
    """The intercept with the slope held at 1."""
    flag, sums = np.zeros(1, dtype=np.uint8), np.zeros(2)

    def step_of(intercept: float, slope: float, stride: int) -> Step | None:
        shift_sums(sample.outcome, sample.score, sample.weight, intercept, stride, sums, flag)
        step = float(sums[0] / sums[1]) if sums[1] > 0.0 else math.nan
        return (min(max(step, -5.0), 5.0), 0.0) if math.isfinite(step) else None

    return _fit(len(sample), step_of)


def _log_odds(sample: payoff.Sample) -> FloatArray:
    odds = 1.0 - sample.score
    np.divide(sample.score, odds, out=odds)
    return np.asarray(np.log(odds, out=odds))


def _newton_step(sums: FloatArray) -> Step | None:
    """The Newton step of both, at most 5 long; None where the curvature is singular."""
    base = sums[2] * sums[4] - sums[3] * sums[3]
    if not base > 1e-13 * sums[2] * sums[4]:
        return None
    first = (sums[4] * sums[0] - sums[3] * sums[1]) / base
    second = (sums[2] * sums[1] - sums[3] * sums[0]) / base
    longest = max(abs(first), abs(second), 5.0) / 5.0
    return float(first / longest), float(second / longest)


def calibration_slope(sample: payoff.Sample, parameters: payoff.Parameters) -> float:
    """Slope of the outcome's log odds on the log odds of the chances; NaN where none exists."""
    found = _both(sample)
    return math.nan if found is None else found[1]


def calibration_intercept(sample: payoff.Sample, parameters: payoff.Parameters) -> float:
    """How far the log odds are too low on average, slope held at 1 or fitted along."""
    found = _shift(sample) if parameters["slope"] == 0.0 else _both(sample)
    return math.nan if found is None else found[0]


def check_inner(sample: payoff.Sample, parameters: payoff.Parameters) -> None:
    """Refuse chances of exactly 0 or 1: their log odds are infinite."""
    probability = sample.score
    if len(probability) and not (probability.min() > 0.0 and probability.max() < 1.0):
        is_edge = (probability <= 0.0) | (probability >= 1.0)
        row = int(np.argmax(is_edge))
        raise payoff.PayoffError(
            f"A chance is exactly {probability[row]:g}: its log odds are infinite.",
            where=f"case {row + 1} of the rows used, {int(is_edge.sum()):,} in all",
            why="Slope and intercept are those of log odds.",
        )
