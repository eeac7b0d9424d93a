"""Do the chances come true? Calibration errors, slope and intercept, Hosmer-Lemeshow, Murphy."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right

import numpy as np

import payoff
from payoff.counting import counted
from payoff.types import AnyArray, FloatArray, IntArray, OrderArray, StopFlag

_QUANTILES = {
    4: (0.0, 1.0),
    5: (0.5, 0.5),
    6: (0.0, 0.0),
    7: (1.0, 1.0),
    8: (1 / 3, 1 / 3),
    9: (3 / 8, 3 / 8),
}
_TYPES = (7, 1, 2, 3, 4, 5, 6, 8, 9)
_BLOCK = 512
_SLACK = 1e-9
_FUZZ = 4.0 * np.finfo(np.float64).eps


def _group_sums(sample: payoff.Sample) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Chance, weight and weight of events of each group of equal chances, rising chance."""
    probability = sample.score[sample.order[sample.group_ends - 1]]
    weight = np.diff(sample.cumulative("all"), prepend=0.0)
    events = np.diff(sample.cumulative("event"), prepend=0.0)
    present = weight > 0.0
    return probability[present][::-1], weight[present][::-1], events[present][::-1]


# ---------------------------------------------------------------- Murphy


@payoff.kernel(shape="whole")
def fill_murphy(
    events: FloatArray,
    others: FloatArray,
    score: FloatArray,
    order: OrderArray,
    ends: IntArray,
    out: FloatArray,
    stop_flag: StopFlag,
) -> None:
    """Fill reliability and resolution from cumulative weights at the ends of equal chances."""
    probabilities = np.zeros(_BLOCK)
    last = ends.shape[0] - 1
    share = events[last] / (events[last] + others[last])
    events_before = 0.0
    others_before = 0.0
    for base in range(0, ends.shape[0], _BLOCK):
        count = min(_BLOCK, ends.shape[0] - base)
        # Fetching in ranked order takes the time: without branches many fetches are under way.
        for j in range(count):
            probabilities[j] = score[order[ends[base + j] - 1]]
        for j in range(count):
            happened = events[base + j] - events_before
            whole = happened + others[base + j] - others_before
            events_before = events[base + j]
            others_before = others[base + j]
            if whole > 0.0:
                here = happened / whole
                out[0] += whole * (probabilities[j] - here) ** 2
                out[1] += whole * (here - share) ** 2
    out[0] /= events[last] + others[last]
    out[1] /= events[last] + others[last]


def _murphy(sample: payoff.Sample) -> FloatArray:
    def make() -> FloatArray:
        parts, flag = np.zeros(2), np.zeros(1, dtype=np.uint8)
        events, others = sample.cumulative("event"), sample.cumulative("others")
        fill_murphy(events, others, sample.score, sample.order, sample.group_ends, parts, flag)
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


# ---------------------------------------------------------------- calibration errors


@payoff.kernel(shape="whole")
def add_to_bins(
    outcome: AnyArray,
    probability: FloatArray,
    weight: FloatArray,
    edges: FloatArray,
    out: FloatArray,
    stop_flag: StopFlag,
) -> None:
    """Add weight, weight of events and weight times chance of every case to its bin, (3, bins).

    Bins are (edges[0], edges[1]], (edges[1], edges[2]] ...; what lies below or above all edges is
    in the first or the last.
    """
    for i in range(probability.shape[0]):
        # Halving by a fixed number of steps: the processor guesses no branch.
        place = 0
        left = edges.shape[0] - 2
        while left > 0:
            half = left // 2
            is_beyond = probability[i] > edges[place + half + 1]
            place = place + half + 1 if is_beyond else place
            left = left - half - 1 if is_beyond else half
        out[0, place] += weight[i]
        out[1, place] += weight[i] if outcome[i] == 0 else 0.0
        out[2, place] += weight[i] * probability[i]


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
    probability, weight, events = _group_sums(sample)
    above: FloatArray = np.concatenate([np.zeros(1), np.cumsum(weight)])
    edges = np.linspace(0.0, above[-1], number + 1)
    parts = (weight, events, weight * probability)
    running = [np.concatenate([np.zeros(1), np.cumsum(part)]) for part in parts]
    return np.array([np.diff(np.interp(edges, above, part)) for part in running])


# ---------------------------------------------------------------- Hosmer-Lemeshow


def hosmer_lemeshow(sample: payoff.Sample, parameters: payoff.Parameters) -> float:
    """Chi-square of observed and expected events over groups of rising chance."""
    return _lemeshow(sample, parameters)[0]


def hosmer_lemeshow_p(sample: payoff.Sample, parameters: payoff.Parameters) -> float:
    """P-value of that chi-square."""
    from scipy.special import chdtrc  # late: 0.1 s that the first totals do not need

    square, groups = _lemeshow(sample, parameters)
    lost = 2 if parameters["rows"] == 1.0 else 0
    return float(chdtrc(groups - lost, square)) if groups > lost else math.nan


def _lemeshow(sample: payoff.Sample, parameters: payoff.Parameters) -> tuple[float, int]:
    """The chi-square and the number of groups in it; NaN with fewer than 3 groups."""
    groups, quantile = int(parameters["groups"]), int(parameters["quantile"])
    name = f"hosmer_lemeshow {groups} {quantile}"
    return sample.kept(name, lambda: _chi_square(sample, groups, quantile), by_weight=True)


def _chi_square(sample: payoff.Sample, number: int, quantile: int) -> tuple[float, int]:
    if not sample.total_weight > 0.0:
        return math.nan, 0
    shares = np.linspace(0.0, 1.0, number + 1)
    edges = np.unique(sample_quantiles(sample, shares, _TYPES[quantile]))
    if len(edges) < 2:
        return math.nan, 1
    sums, flag = np.zeros((3, len(edges) - 1)), np.zeros(1, dtype=np.uint8)
    add_to_bins(sample.outcome, sample.score, sample.weight, edges, sums, flag)
    cases, observed, expected = sums
    groups = int(np.count_nonzero(cases))
    if groups < 3:
        return math.nan, groups
    present = (expected > 0.0) & (cases > expected)
    if (observed != expected)[~present].any():
        return math.inf, groups
    cases, observed, expected = cases[present], observed[present], expected[present]
    square = (observed - expected) ** 2 * (1.0 / expected + 1.0 / (cases - expected))
    return float(square.sum()), groups


def sample_quantiles(sample: payoff.Sample, shares: FloatArray, kind: int) -> FloatArray:
    """Quantiles of R's types 1 to 9 of the scores, each standing as often as its weight says.

    Parameters
    ----------
    shares : (q,) float64 array
        0 to 1.
    kind : int
        Type of Hyndman & Fan 1996.
    """
    whole = sample.total_weight
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
    first, second = _scores_at(sample, below), _scores_at(sample, below + 1.0)
    found = (1.0 - part) * first + part * second
    found = np.where(part == 1.0, second, found)
    return np.asarray(np.where(part == 0.0, first, found))


def _scores_at(sample: payoff.Sample, weights: FloatArray) -> FloatArray:
    """The lowest score at and below which as much weight lies; the highest where none has it."""
    events, others = sample.cumulative("event"), sample.cumulative("others")
    places = range(len(events))

    def above(group: int) -> float:
        """Weight at and above the score of a group, best first."""
        return float(events[group] + others[group])

    whole = above(len(events) - 1)
    worst = bisect_left(places, whole, key=above)  # groups beyond have no weight
    best = bisect_right(places, 0.0, key=above)
    found = [bisect_right(places, whole - wanted + _SLACK, key=above) for wanted in weights]
    groups = np.clip(found, best, worst)
    return np.asarray(sample.score[sample.order[sample.group_ends[groups] - 1]])


def groups_used(sample: payoff.Sample, parameters: payoff.Parameters) -> str:
    """Say how many groups there are, and the degrees of freedom."""
    _, groups = _lemeshow(sample, parameters)
    wanted = int(parameters["groups"])
    if groups < 3:
        return f"The chances make {counted(groups, 'group')} only; at least 3 are needed."
    fewer = f" of {wanted}: too few different chances" if groups < wanted else ""
    freedom = groups - (2 if parameters["rows"] == 1.0 else 0)
    return f"{counted(groups, 'group')}{fewer}; {counted(freedom, 'degree')} of freedom."
