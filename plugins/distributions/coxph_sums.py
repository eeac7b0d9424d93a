"""Sums over the cases at risk, walking back in time: what Cox's losses and gradients share."""

from __future__ import annotations

import math

import numpy as np

import payoff
from payoff.types import FloatArray, IntArray

BRESLOW, EFRON, AS_SORTED = 0, 1, 2
"""What cases of equal time see of each other; the last is gbm's: only those sorted before."""

# Keeps exp finite where a case out of the bag lies far above all others.
LARGEST_EXPONENT = 50.0
TINY = 1e-250


@payoff.kernel(shape="helper")
def highest_score(
    score: FloatArray, weight: FloatArray, rows: IntArray, start: int, stop: int
) -> float:
    """Return the highest score of the weighted cases of a block; 0 if there is none."""
    top = -math.inf
    for k in range(start, stop):
        if weight[rows[k]] > 0.0:
            top = max(top, score[0, rows[k]])
    return top if math.isfinite(top) else 0.0


@payoff.kernel(shape="helper")
def tied_sums(
    events: float, weight: float, risk: float, tied_risk: float, ties: int
) -> tuple[float, float, float]:
    """Return the hazard of an event time, its easing for tied events, the mean log of risk.

    ``events`` tied events with ``weight`` in all among cases of total ``risk``, of which
    ``tied_risk`` is their own. Efron's rule lets a growing share of it leave: risk - r / d tied.
    """
    if events <= 0.0:
        return 0.0, 0.0, math.log(risk)
    if ties != EFRON:
        return weight / risk, 0.0, math.log(risk)
    hazard = 0.0
    easing = 0.0
    logs = 0.0
    for r in range(int(events)):
        share = r / events
        left = max(risk - share * tied_risk, TINY)
        hazard += weight / (events * left)
        easing += weight * share / (events * left)
        logs += math.log(left) / events
    return hazard, easing, logs


@payoff.kernel(shape="helper")
def walk_back_in_time(
    cases: payoff.BlockCases,
    start: int,
    size: int,
    is_truncated: bool,
    ties: int,
    sums: FloatArray,
) -> float:
    """Fill the sums of each event time of a block sorted by falling time; return the top score.

    ``sums`` is (5, size): the hazard, at the last position of each group of equal times and 0
    elsewhere; the easing and the mean log of risk of its group; exp(score - top) and the time of
    the case. Risks are in units of exp(top).
    """
    outcome, score, weight, rows = cases.outcome, cases.score, cases.weight, cases.rows
    event, entry = cases.event, cases.entry
    hazard, easing, logs, power, times = sums[0], sums[1], sums[2], sums[3], sums[4]
    top = highest_score(score, weight, rows, start, start + size)
    for k in range(size):
        i = rows[start + k]
        power[k] = math.exp(min(score[0, i] - top, LARGEST_EXPONENT))
        times[k] = outcome[i]
    running = 0.0
    late = start + size
    k = 0
    while k < size:
        last = k
        own = 0.0
        tied_risk = 0.0
        tied_weight = 0.0
        events = 0.0
        while last < size:
            if last > k and (ties == AS_SORTED or times[last] != times[k]):
                break
            i = rows[start + last]
            risk = weight[i] * power[last]
            own += risk
            if event[i] > 0.5 and weight[i] > 0.0:
                tied_risk += risk
                tied_weight += weight[i]
                events += 1.0
            last += 1
        running += own
        while is_truncated and late < start + 2 * size and entry[rows[late]] >= times[k]:
            i = rows[late]
            running -= weight[i] * math.exp(min(score[0, i] - top, LARGEST_EXPONENT))
            late += 1
        risk = max(running, own, TINY)
        at_once = tied_sums(events, tied_weight, risk, tied_risk, ties)
        for j in range(k, last):
            hazard[j] = 0.0
            easing[j] = at_once[1]
            logs[j] = at_once[2]
        hazard[last - 1] = at_once[0]
        k = last
    return top


@payoff.kernel(shape="helper")
def fill_losses(
    cases: payoff.BlockCases, ties: int, out: FloatArray, factor: FloatArray, block: int
) -> None:
    """Fill -2 (F - log of risk) for the events of a stratum; factor 1 for events, else 0.

    Blocks come in pairs, of which this is the first: a stratum by falling time, then the same by
    falling entry, or nothing.
    """
    score, event, rows, offsets = cases.score, cases.event, cases.rows, cases.offsets
    start = offsets[block]
    size = offsets[block + 1] - start
    is_truncated = offsets[block + 2] > offsets[block + 1]
    sums = np.empty((5, size))
    top = walk_back_in_time(cases, start, size, is_truncated, ties, sums)
    for k in range(size):
        i = rows[start + k]
        is_event = event[i] > 0.5
        factor[i] = 1.0 if is_event else 0.0
        out[i] = -2.0 * (score[0, i] - top - sums[2, k]) if is_event else 0.0


@payoff.kernel(shape="helper")
def fill_gradients(
    cases: payoff.BlockCases, ties: int, gradient: FloatArray, curvature: FloatArray, block: int
) -> None:
    """Fill events less expected events, and expected events, for the cases of a stratum.

    Blocks come in pairs, as for the losses.
    """
    event, entry, rows, offsets = cases.event, cases.entry, cases.rows, cases.offsets
    start = offsets[block]
    size = offsets[block + 1] - start
    is_truncated = offsets[block + 2] > offsets[block + 1]
    sums = np.empty((5, size))
    walk_back_in_time(cases, start, size, is_truncated, ties, sums)
    hazard, easing, power, times = sums[0], sums[1], sums[3], sums[4]
    if is_truncated:
        before = 0.0
        k = size - 1
        for late in range(start + 2 * size - 1, start + size - 1, -1):
            i = rows[late]
            while k >= 0 and times[k] <= entry[i]:
                before += hazard[k]
                k -= 1
            gradient[0, i] = before
    total = 0.0
    for k in range(size - 1, -1, -1):
        i = rows[start + k]
        total += hazard[k]
        exposed = total - (gradient[0, i] if is_truncated else 0.0)
        is_event = event[i] > 0.5
        if is_event:
            exposed -= easing[k]
        expected = power[k] * max(exposed, 0.0)
        gradient[0, i] = (1.0 if is_event else 0.0) - expected
        curvature[0, i] = expected
