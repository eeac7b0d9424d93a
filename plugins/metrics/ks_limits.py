"""The interval of KS: a maximum over cut-offs, which chance draws upwards.

The bias is worked out on a smooth curve like that of the sample: chances of the event by rank, from
a logistic regression on the normal score of the rank and its square. Outcomes drawn from these
chances show how much higher the largest distance of a sample lies than that of the curve, which is
known. Resampling the cases themselves cannot show it: noise is added there to a curve that has
noise already, and half of the bias is seen.
"""

from __future__ import annotations

import math

import numpy as np

import payoff
from payoff.intervals import NORMAL_95
from payoff.types import BoolArray, FloatArray, IntArray

MOST_CASES = 200_000  # beyond, the bias is small beside the spread, and resamples hold
_MOST_GROUPS = 2_000
_DRAWS = 200
_SEED = 20261
_BENT = 4.0  # the square's coefficient has a normal prior with a standard deviation of 0.5
_STEPS, _LONGEST = 25, 3.0
_LARGEST = 30.0  # of a log odds


def ks_limits(
    sample: payoff.Sample, parameters: payoff.Parameters
) -> tuple[float, float, str] | None:
    """95 % limits of KS; None for more than two classes, few cases, and a perfect ranking.

    The value less its bias, plus and minus 1.96 times the standard error of the distance at the
    sample's own cut-off and half the bias together (root of the sum of squares).
    """
    if len(sample.labels) != 2 or not 4 <= len(sample) <= MOST_CASES:
        return None
    events, others = sample.cumulative("event"), sample.cumulative("others")
    if not (events[-1] > 0.0 and others[-1] > 0.0):
        return None
    distance = np.abs(events / events[-1] - others / others[-1])
    place = int(np.argmax(distance))
    value = float(distance[place])
    variance = _variance(sample, int(sample.group_ends[place]))
    if variance is None or value > 1.0 - 1e-12:
        return None
    bias = _bias(sample)
    half = NORMAL_95 * math.hypot(math.sqrt(variance), 0.5 * bias)
    slack = 1e-12  # the table adds up in another order
    low = min(value - bias - half, value - slack)
    high = max(value - bias + half, value + slack)
    return max(low, 0.0), min(high, 1.0), f"normal, less the bias of a maximum, {_DRAWS} draws"


def _variance(sample: payoff.Sample, end: int) -> float | None:
    """Of the distance at a cut-off; None where a class has one case.

    The larger of the plain one and that with one success and one failure added to each class
    (Agresti and Caffo 2000), which is not 0 where all or none of a class are found.
    """
    is_above = np.zeros(len(sample), dtype=bool)
    is_above[sample.order[:end]] = True
    plain = added = 0.0
    for is_class in (sample.outcome == 0, sample.outcome != 0):
        weight = sample.weight[is_class & (sample.weight > 0)]
        if len(weight) < 2:
            return None
        inside = is_above[is_class & (sample.weight > 0)]
        whole = float(weight.sum())
        share = float(weight[inside].sum()) / whole
        plain += float(np.sum((weight * (inside - share)) ** 2)) / whole**2
        number = whole**2 / float(np.sum(weight**2))  # effective cases
        moved = (share * number + 1.0) / (number + 2.0)
        added += moved * (1.0 - moved) / (number + 2.0)
    return max(plain, added)


# ---------------------------------------------------------------- the bias


def _bias(sample: payoff.Sample) -> float:
    """How much higher than the smooth curve's the largest distance of a sample lies."""
    weight, events, number = _groups(sample)
    probability = _smooth_probabilities(weight, events)
    random = np.random.default_rng(_SEED)
    drawn = random.binomial(number, probability, size=(_DRAWS, len(number))) * (weight / number)
    rest = weight - drawn
    with np.errstate(invalid="ignore"):
        shares = np.cumsum(drawn, axis=1) / drawn.sum(axis=1, keepdims=True)
        shares -= np.cumsum(rest, axis=1) / rest.sum(axis=1, keepdims=True)
    widest = np.abs(shares).max(axis=1)
    usable = widest[np.isfinite(widest)]
    if not len(usable):
        return 0.0
    found, missed = weight * probability, weight * (1.0 - probability)
    smooth = np.abs(np.cumsum(found) / found.sum() - np.cumsum(missed) / missed.sum()).max()
    return max(0.0, float(usable.mean() - smooth))


def _groups(sample: payoff.Sample) -> tuple[FloatArray, FloatArray, IntArray]:
    """Groups of equal scores, best first, at most 2,000: weight, that of events, effective cases.

    Weights are brought to 1 on average in each class: KS does not depend on the classes' shares.
    """
    is_event = sample.outcome == 0
    weight = np.where(is_event, _levelled(sample, is_event), _levelled(sample, ~is_event))
    ends = sample.group_ends
    if len(ends) > _MOST_GROUPS:
        wanted = np.linspace(0, len(sample), _MOST_GROUPS + 1)[1:]
        ends = np.unique(ends[np.minimum(np.searchsorted(ends, wanted), len(ends) - 1)])
    starts = np.concatenate(([0], ends[:-1]))
    ranked, hit = weight[sample.order], is_event[sample.order]
    whole = np.add.reduceat(ranked, starts)
    events = np.add.reduceat(np.where(hit, ranked, 0.0), starts)
    squares = np.add.reduceat(ranked**2, starts)
    has_weight = whole > 0
    whole, events, squares = whole[has_weight], events[has_weight], squares[has_weight]
    number = np.maximum(1, np.rint(whole**2 / squares)).astype(np.int64)
    return whole, events, number


def _levelled(sample: payoff.Sample, is_class: BoolArray) -> FloatArray:
    number = int(np.count_nonzero(is_class & (sample.weight > 0)))
    return np.asarray(sample.weight * (number / float(sample.weight[is_class].sum())))


def _smooth_probabilities(weight: FloatArray, events: FloatArray) -> FloatArray:
    """Chances of the event by rank: logistic in the rank's normal score, a little bent."""
    from scipy.special import ndtri  # late: 0.1 s that the first totals do not need

    whole = float(weight.sum())
    score = ndtri((np.cumsum(weight) - 0.5 * weight) / whole)
    columns = np.column_stack([np.ones(len(score)), score, score**2])
    penalty = np.array([0.0, 1e-3, _BENT])
    share = float(events.sum()) / whole
    coefficients = np.array([math.log(share / (1.0 - share)), 0.0, 0.0])
    for _ in range(_STEPS):
        probability = _probabilities(columns @ coefficients)
        slope = columns.T @ (events - weight * probability) - penalty * coefficients
        hessian = (columns.T * (weight * probability * (1.0 - probability))) @ columns + np.diag(
            penalty + 1e-9
        )
        step = np.linalg.solve(hessian, slope)
        longest = float(np.abs(step).max())
        coefficients = coefficients + step * min(1.0, _LONGEST / max(longest, 1e-300))
        if longest < 1e-8:
            break
    return _probabilities(columns @ coefficients)


def _probabilities(log_odds: FloatArray) -> FloatArray:
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(log_odds, -_LARGEST, _LARGEST))))
