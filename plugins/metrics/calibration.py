"""Do the chances come true? Calibration errors, slope and intercept, Hosmer-Lemeshow, Murphy."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
from scipy.stats import chi2

import payoff
from payoff.types import AnyArray, FloatArray, IntArray, OrderArray, StopFlag

_QUANTILES = {4: (0.0, 1.0), 5: (0.5, 0.5), 6: (0.0, 0.0), 7: (1.0, 1.0), 8: (1 / 3, 1 / 3),
              9: (3 / 8, 3 / 8)}  # fmt: skip
_TYPES = (7, 1, 2, 3, 4, 5, 6, 8, 9)
_BLOCK = 512
_FUZZ = 4.0 * np.finfo(np.float64).eps


@payoff.kernel(shape="whole")
def fill_groups(
    outcome: AnyArray,
    score: FloatArray,
    weight: FloatArray,
    order: OrderArray,
    ends: IntArray,
    out: FloatArray,
    size: IntArray,
    stop_flag: StopFlag,
) -> None:
    """Fill chance, weight and weight of events of the groups of equal chances that have weight.

    ``out`` (3, groups) is filled by rising chance, ``size`` (1,) with the number of groups.
    """
    chances = np.zeros(_BLOCK)
    weights = np.zeros(_BLOCK)
    is_event = np.zeros(_BLOCK, np.bool_)
    groups = 0
    group = ends.shape[0] - 1
    whole = 0.0
    events = 0.0
    for stop in range(order.shape[0], 0, -_BLOCK):
        start = max(stop - _BLOCK, 0)
        # Fetching in ranked order takes the time: without branches many fetches are under way.
        for j in range(stop - start):
            case = order[start + j]
            chances[j] = score[case]
            weights[j] = weight[case]
            is_event[j] = outcome[case] == 0
        for j in range(stop - start - 1, -1, -1):
            whole += weights[j]
            events += weights[j] if is_event[j] else 0.0
            first = ends[group - 1] if group > 0 else 0
            if start + j > first:
                continue
            if whole > 0.0:
                out[0, groups] = chances[j]
                out[1, groups] = whole
                out[2, groups] = events
                groups += 1
            group -= 1
            whole = 0.0
            events = 0.0
    size[0] = groups


def _group_sums(sample: payoff.Sample) -> FloatArray:
    """Chance, weight and weight of events of each group of equal chances, rising: (3, groups)."""
    return sample.kept("calibration groups", lambda: _make_groups(sample), by_weight=True)


def _make_groups(sample: payoff.Sample) -> FloatArray:
    sums = np.empty((3, len(sample.group_ends)))
    size, flag = np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.uint8)
    fill_groups(
        sample.outcome, sample.score, sample.weight, sample.order, sample.group_ends, sums, size,
        flag,
    )  # fmt: skip
    return sums if size[0] == sums.shape[1] else np.ascontiguousarray(sums[:, : size[0]])


# ---------------------------------------------------------------- Murphy


@payoff.kernel(shape="whole")
def fill_murphy(groups: FloatArray, out: FloatArray, stop_flag: StopFlag) -> None:
    """Fill reliability and resolution of groups as ``fill_groups`` gives them."""
    whole = 0.0
    events = 0.0
    for group in range(groups.shape[1]):
        whole += groups[1, group]
        events += groups[2, group]
    share = events / whole
    for group in range(groups.shape[1]):
        here = groups[2, group] / groups[1, group]
        out[0] += groups[1, group] * (groups[0, group] - here) ** 2
        out[1] += groups[1, group] * (here - share) ** 2
    out[0] /= whole
    out[1] /= whole


def _murphy(sample: payoff.Sample) -> FloatArray:
    def make() -> FloatArray:
        parts = np.zeros(2)
        fill_murphy(_group_sums(sample), parts, np.zeros(1, dtype=np.uint8))
        return parts

    return sample.kept("murphy", make, by_weight=True)


def reliability(sample: payoff.Sample, parameters: payoff.Parameters) -> float:
    """Mean squared distance of chance and observed share, over distinct chances."""
    return float(_murphy(sample)[0])


def resolution(sample: payoff.Sample, parameters: payoff.Parameters) -> float:
    """Mean squared distance of the observed share from the overall one, over distinct chances."""
    return float(_murphy(sample)[1])


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
    outcome: AnyArray,
    chance: FloatArray,
    weight: FloatArray,
    edges: FloatArray,
    out: FloatArray,
    stop_flag: StopFlag,
) -> None:
    """Add weight, weight of events and weight times chance of every case to its bin, (3, bins).

    Bins are (edges[0], edges[1]], (edges[1], edges[2]] ..., of equal width; a chance at the first
    edge is in the first.
    """
    last = edges.shape[0] - 2
    for i in range(chance.shape[0]):
        place = min(max(int(chance[i] * (last + 1)), 0), last)
        # The product may be rounded across an edge.
        while place < last and chance[i] > edges[place + 1]:
            place += 1
        while place > 0 and chance[i] <= edges[place]:
            place -= 1
        out[0, place] += weight[i]
        out[1, place] += weight[i] if outcome[i] == 0 else 0.0
        out[2, place] += weight[i] * chance[i]


def calibration_error(sample: payoff.Sample, parameters: payoff.Parameters) -> float:
    """Distance of mean chance and observed share over bins, by the chosen norm."""
    number = int(parameters["bins"])
    if parameters["edges"] == 0.0:
        sums, edges = np.zeros((3, number)), np.linspace(0.0, 1.0, number + 1)
        flag = np.zeros(1, dtype=np.uint8)
        add_to_bins(sample.outcome, sample.score, sample.weight, edges, sums, flag)
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


def _equal_weights(sample: payoff.Sample, number: int) -> FloatArray:
    """Bins of equal weight by rising chance; a group of equal chances is shared out evenly."""
    chance, weight, events = _group_sums(sample)
    above: FloatArray = np.concatenate([np.zeros(1), np.cumsum(weight)])
    edges = np.linspace(0.0, above[-1], number + 1)
    parts = (weight, events, weight * chance)
    running = [np.concatenate([np.zeros(1), np.cumsum(part)]) for part in parts]
    return np.array([np.diff(np.interp(edges, above, part)) for part in running])


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
    groups, quantile = int(parameters["groups"]), int(parameters["quantile"])
    name = f"hosmer_lemeshow {groups} {quantile}"
    return sample.kept(name, lambda: _chi_square(sample, groups, quantile), by_weight=True)


def _chi_square(sample: payoff.Sample, number: int, quantile: int) -> tuple[float, int]:
    chance, weight, events = _group_sums(sample)
    if not chance.size:
        return math.nan, 0
    shares = np.linspace(0.0, 1.0, number + 1)
    edges = np.unique(quantiles(chance, weight, shares, _TYPES[quantile]))
    if len(edges) < 2:
        return math.nan, 1
    # Groups are (edge, next edge], whatever lies at or below the second edge in the first.
    cuts = np.searchsorted(chance, edges[1:-1], side="right")
    cases, observed, expected = (_between(part, cuts) for part in (weight, events, weight * chance))
    groups = int(np.count_nonzero(cases))
    if groups < 3:
        return math.nan, groups
    present = (expected > 0.0) & (cases > expected)
    if (observed != expected)[~present].any():
        return math.inf, groups
    cases, observed, expected = cases[present], observed[present], expected[present]
    square = (observed - expected) ** 2 * (1.0 / expected + 1.0 / (cases - expected))
    return float(square.sum()), groups


def _between(values: FloatArray, cuts: IntArray) -> FloatArray:
    """Sums of the values up to each cut, between cuts and after the last, (cuts + 1,)."""
    edges = [0, *cuts.tolist(), len(values)]
    return np.array([values[first:last].sum() for first, last in pairwise(edges)])


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
