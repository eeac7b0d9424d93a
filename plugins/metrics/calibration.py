"""Do the chances come true? Calibration errors, slope and intercept, Hosmer-Lemeshow, Murphy."""

from __future__ import annotations

import math

import numpy as np
from scipy.stats import chi2

import payoff
from payoff.types import FloatArray, IntArray, StopFlag

_QUANTILES = {4: (0.0, 1.0), 5: (0.5, 0.5), 6: (0.0, 0.0), 7: (1.0, 1.0), 8: (1 / 3, 1 / 3),
              9: (3 / 8, 3 / 8)}  # fmt: skip
_TYPES = (7, 1, 2, 3, 4, 5, 6, 8, 9)
_FUZZ = 4.0 * np.finfo(np.float64).eps


def _group_sums(sample: payoff.Sample) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Chance, weight and weight of events of each group of equal chances, rising chance."""
    chance = sample.score[sample.order[sample.group_ends - 1]]
    weight = np.diff(sample.cumulative("all"), prepend=0.0)
    events = np.diff(sample.cumulative("event"), prepend=0.0)
    present = weight > 0.0
    return chance[present][::-1], weight[present][::-1], events[present][::-1]


# ---------------------------------------------------------------- Murphy


def reliability(sample: payoff.Sample, parameters: payoff.Parameters) -> float:
    """Mean squared distance of chance and observed share, over distinct chances."""
    chance, weight, events = _group_sums(sample)
    return float((weight * (chance - events / weight) ** 2).sum() / weight.sum())


def resolution(sample: payoff.Sample, parameters: payoff.Parameters) -> float:
    """Mean squared distance of the observed share from the overall one, over distinct chances."""
    _, weight, events = _group_sums(sample)
    share = events.sum() / weight.sum()
    return float((weight * (events / weight - share) ** 2).sum() / weight.sum())


def uncertainty_means(means: FloatArray, parameters: payoff.Parameters) -> FloatArray:
    """Share of the event times that of the others."""
    return np.asarray(means[0] * (1.0 - means[0]))


def skill(means: FloatArray, parameters: payoff.Parameters) -> FloatArray:
    """1 less the Brier score over that of the class shares; NaN with one class."""
    blind = means[1] * (1.0 - means[1])
    missing = np.full(blind.shape, np.nan)
    return np.asarray(1.0 - np.divide(means[0], blind, out=missing, where=blind > 0.0))


@payoff.kernel(shape="elementwise")
def event_rows(
    outcome: IntArray,
    prediction: FloatArray,
    parameters: FloatArray,
    contribution: FloatArray,
    factor: FloatArray,
    start: int,
    stop: int,
) -> None:
    """Fill whether the event happened."""
    for i in range(start, stop):
        contribution[0, i] = 1.0 if outcome[i] == 0 else 0.0
        factor[0, i] = 1.0


@payoff.kernel(shape="elementwise")
def miss_and_event_rows(
    outcome: IntArray,
    prediction: FloatArray,
    parameters: FloatArray,
    contribution: FloatArray,
    factor: FloatArray,
    start: int,
    stop: int,
) -> None:
    """Fill the squared miss of the chance, and whether the event happened."""
    for i in range(start, stop):
        event = 1.0 if outcome[i] == 0 else 0.0
        contribution[0, i] = (prediction[0, i] - event) ** 2
        contribution[1, i] = event
        factor[0, i] = 1.0
        factor[1, i] = 1.0


# ---------------------------------------------------------------- calibration errors


@payoff.kernel(shape="whole")
def add_to_bins(
    event: FloatArray,
    chance: FloatArray,
    weight: FloatArray,
    bins: IntArray,
    out: FloatArray,
    stop_flag: StopFlag,
) -> None:
    """Add weight, weight of events and weight times chance of every case to its bin, (3, bins)."""
    for i in range(chance.shape[0]):
        place = bins[i]
        out[0, place] += weight[i]
        out[1, place] += weight[i] * event[i]
        out[2, place] += weight[i] * chance[i]


def calibration_error(sample: payoff.Sample, parameters: payoff.Parameters) -> float:
    """Distance of mean chance and observed share over bins, by the chosen norm."""
    number = int(parameters["bins"])
    if parameters["edges"] == 0.0:
        sums = np.zeros((3, number))
        bins = sample.kept(f"calibration_error {number}", lambda: _equal_widths(sample, number))
        is_event = sample.kept("calibration event", lambda: (sample.outcome == 0).astype(float))
        flag = np.zeros(1, dtype=np.uint8)
        add_to_bins(is_event, sample.score, sample.weight, bins, sums, flag)
    else:
        sums = _equal_weights(sample, number)
    sums = sums[:, sums[0] > 0.0]
    gap = np.abs(sums[1] - sums[2]) / sums[0]
    share = sums[0] / sums[0].sum()
    if parameters["norm"] == 1.0:
        return float(gap.max())
    if parameters["norm"] == 2.0:
        return float(np.sqrt((share * gap**2).sum()))
    return float((share * gap).sum())


def _equal_widths(sample: payoff.Sample, number: int) -> IntArray:
    """Bins (0, 1/b], (1/b, 2/b] ..., a chance of 0 in the first."""
    edges = np.linspace(0.0, 1.0, number + 1)
    return np.clip(np.searchsorted(edges, sample.score, side="left") - 1, 0, number - 1)


def _equal_weights(sample: payoff.Sample, number: int) -> FloatArray:
    """Bins of equal weight by rising chance; a group of equal chances is shared out evenly."""
    chance, weight, events = _group_sums(sample)
    above: FloatArray = np.concatenate([np.zeros(1), np.cumsum(weight)])
    edges = np.linspace(0.0, above[-1], number + 1)
    parts = (weight, events, weight * chance)
    running = [np.concatenate([np.zeros(1), np.cumsum(part)]) for part in parts]
    return np.array([np.diff(np.interp(edges, above, part)) for part in running])


# ---------------------------------------------------------------- slope and intercept


@payoff.kernel(shape="whole")
def logistic_sums(
    event: FloatArray,
    odds: FloatArray,
    weight: FloatArray,
    intercept: float,
    slope: float,
    out: FloatArray,
    stop_flag: StopFlag,
) -> None:
    """Fill the two slopes and three curvatures of the log likelihood of intercept and slope."""
    for k in range(5):
        out[k] = 0.0
    for i in range(event.shape[0]):
        chance = 1.0 / (1.0 + math.exp(-min(max(intercept + slope * odds[i], -500.0), 500.0)))
        miss = weight[i] * (event[i] - chance)
        spread = weight[i] * chance * (1.0 - chance)
        out[0] += miss
        out[1] += miss * odds[i]
        out[2] += spread
        out[3] += spread * odds[i]
        out[4] += spread * odds[i] * odds[i]


def _log_odds(sample: payoff.Sample) -> FloatArray:
    chance = sample.score
    return np.asarray(np.log(chance) - np.log1p(-chance))


def calibration_slope(sample: payoff.Sample, parameters: payoff.Parameters) -> float:
    """Slope of the outcome's log odds on the log odds of the chances; NaN where none exists."""
    odds = sample.kept("calibration odds", lambda: _log_odds(sample))
    event = sample.kept("calibration event", lambda: (sample.outcome == 0).astype(float))
    sums, flag = np.zeros(5), np.zeros(1, dtype=np.uint8)
    intercept, slope = 0.0, 1.0
    for _ in range(60):
        logistic_sums(event, odds, sample.weight, intercept, slope, sums, flag)
        step = _newton_step(sums)
        if step is None:
            return math.nan
        intercept, slope = intercept + step[0], slope + step[1]
        if abs(step[0]) + abs(step[1]) < 1e-11 * (1.0 + abs(slope)):
            return float(slope)
        if abs(slope) > 1e4:
            break
    return math.nan


def calibration_intercept(sample: payoff.Sample, parameters: payoff.Parameters) -> float:
    """How far the log odds are too low on average, slope held at 1 or fitted along."""
    odds = sample.kept("calibration odds", lambda: _log_odds(sample))
    event = sample.kept("calibration event", lambda: (sample.outcome == 0).astype(float))
    sums, flag = np.zeros(5), np.zeros(1, dtype=np.uint8)
    is_held = parameters["slope"] == 0.0
    intercept, slope = 0.0, 1.0
    for _ in range(60):
        logistic_sums(event, odds, sample.weight, intercept, slope, sums, flag)
        step = (sums[0] / sums[2], 0.0) if is_held and sums[2] > 0.0 else _newton_step(sums)
        if step is None:
            return math.nan
        intercept, slope = intercept + step[0], slope + step[1]
        if abs(step[0]) + abs(step[1]) < 1e-11 * (1.0 + abs(intercept)):
            return float(intercept)
        if abs(intercept) > 1e4:
            break
    return math.nan


def _newton_step(sums: FloatArray) -> tuple[float, float] | None:
    """The Newton step of both, at most 5 long; None where the curvature is singular."""
    base = sums[2] * sums[4] - sums[3] * sums[3]
    if not base > 1e-13 * sums[2] * sums[4]:
        return None
    first = (sums[4] * sums[0] - sums[3] * sums[1]) / base
    second = (sums[2] * sums[1] - sums[3] * sums[0]) / base
    longest = max(abs(first), abs(second), 5.0) / 5.0
    return float(first / longest), float(second / longest)


def check_inner(sample: payoff.Sample, parameters: payoff.Parameters) -> None:
    """Refuse chances of exactly 0 or 1: their log odds are infinite."""
    is_edge = (sample.score <= 0.0) | (sample.score >= 1.0)
    if is_edge.any():
        row = int(np.argmax(is_edge))
        raise payoff.PayoffError(
            f"A chance is exactly {sample.score[row]:g}: its log odds are infinite.",
            where=f"case {row + 1} of the rows used, {int(is_edge.sum()):,} in all",
            why="Slope and intercept are those of log odds.",
        )


# ---------------------------------------------------------------- Hosmer-Lemeshow


def hosmer_lemeshow(sample: payoff.Sample, parameters: payoff.Parameters) -> float:
    """Chi-square of observed and expected events over groups of rising chance."""
    return _lemeshow(sample, parameters)[0]


def hosmer_lemeshow_p(sample: payoff.Sample, parameters: payoff.Parameters) -> float:
    """P-value of that chi-square."""
    square, groups = _lemeshow(sample, parameters)
    lost = 2 if parameters["rows"] == 1.0 else 0
    return float(chi2.sf(square, groups - lost)) if groups > lost else math.nan


def _lemeshow(sample: payoff.Sample, parameters: payoff.Parameters) -> tuple[float, int]:
    """The chi-square and the number of groups in it; NaN with fewer than 3 groups."""
    chance, weight, events = _group_sums(sample)
    if not chance.size:
        return math.nan, 0
    shares = np.linspace(0.0, 1.0, int(parameters["groups"]) + 1)
    edges = np.unique(quantiles(chance, weight, shares, _TYPES[int(parameters["quantile"])]))
    size = len(edges) - 1
    if size < 1:
        return math.nan, 1
    place = np.clip(np.searchsorted(edges, chance, side="left") - 1, 0, size - 1)
    parts = (weight, events, weight * chance)
    cases, observed, expected = (np.bincount(place, part, size) for part in parts)
    groups = int(np.count_nonzero(cases))
    if groups < 3:
        return math.nan, groups
    present = (expected > 0.0) & (cases > expected)
    if (observed != expected)[~present].any():
        return math.inf, groups
    cases, observed, expected = cases[present], observed[present], expected[present]
    square = (observed - expected) ** 2 * (1.0 / expected + 1.0 / (cases - expected))
    return float(square.sum()), groups


def quantiles(values: FloatArray, weight: FloatArray, shares: FloatArray, kind: int) -> FloatArray:
    """Quantiles of R's types 1 to 9 of rising values that stand ``weight`` times each.

    Parameters
    ----------
    values, weight : (m,) float64 array
    shares : (q,) float64 array
        0 to 1.
    kind : int
        Type of Hyndman & Fan 1996.
    """
    above = np.cumsum(weight)
    whole = above[-1]
    if kind <= 3:
        at = whole * shares - (0.5 if kind == 3 else 0.0)
        below = np.floor(at + _FUZZ)
        if kind == 3:
            part = ((at != below) | (below % 2 == 1)).astype(np.float64)
        else:
            part = (at > below) / (2.0 if kind == 2 else 1.0) + (0.5 if kind == 2 else 0.0)
    else:
        a, b = _QUANTILES[kind]
        at = a + shares * (whole + 1.0 - a - b)
        below = np.floor(at + _FUZZ)
        part = at - below
        part[np.abs(part) < _FUZZ] = 0.0
    nearly = 1e-9
    last = len(values) - 1
    first = np.minimum(np.searchsorted(above, below - nearly, side="left"), last)
    second = np.minimum(np.searchsorted(above, below + 1.0 - nearly, side="left"), last)
    found = (1.0 - part) * values[first] + part * values[second]
    whole = np.where(part == 1.0, values[second], found)
    return np.asarray(np.where(part == 0.0, values[first], whole))


def groups_used(sample: payoff.Sample, parameters: payoff.Parameters) -> str:
    """Say how many groups there are, and the degrees of freedom."""
    _, groups = _lemeshow(sample, parameters)
    wanted = int(parameters["groups"])
    if groups < 3:
        return f"The chances make {groups} groups only; at least 3 are needed."
    fewer = f" of {wanted}: too few different chances" if groups < wanted else ""
    freedom = groups - (2 if parameters["rows"] == 1.0 else 0)
    return f"{groups} groups{fewer}; {freedom} degrees of freedom."
