"""Metrics of survival models by time: Uno's C, partial likelihood, Brier, AUC, calibration at t.

Censored cases are made up for by inverse weights of the chance to be uncensored just before the
event (IPCW), from the Kaplan-Meier curve of censoring: at one time events come before censorings.
Chances at a time are the model's own where the sample has them, in the roles "survival 2.5" ...;
else its risk is turned into chances by a Cox model with that risk as its only input, fitted to
these rows with Breslow's baseline, which judges the order of risks rather than their level.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

import payoff
from payoff.follow_up import own_probabilities, pairs_of, risk_order
from payoff.types import BoolArray, FloatArray, IntArray, StopFlag
from plugins.metrics.survival import count_pairs, pair_order

GRID = 50
"""Times at which the integrated Brier score reads the risk's own chances."""


@dataclass(frozen=True, slots=True, eq=False)
class Clock:
    """Where each case stands on the distinct times; nothing depends on weights."""

    times: FloatArray  # (m,) distinct, rising
    place: IntArray  # (n,) of each case's time
    late: IntArray  # (n,) times up to each case's entry
    event: BoolArray  # (n,)

    def sums(self, values: FloatArray) -> FloatArray:
        """Sum of (n,) values over the cases that end at each time, (m,)."""
        return np.bincount(self.place, values, len(self.times)).astype(np.float64)

    def at_risk(self, values: FloatArray) -> FloatArray:
        """Sum of (n,) values over the cases at risk at each time, (m,)."""
        size = len(self.times)
        there = np.cumsum(self.sums(values)[::-1])[::-1]
        if not self.late.any():
            return there
        entering = np.bincount(self.late, values, size + 1)
        return np.asarray(there - np.cumsum(entering[::-1])[::-1][1:])


def clock_of(sample: payoff.Sample) -> Clock:
    """The sample's clock, shared with every resample."""
    return sample.kept("survival clock", lambda: _clock(sample))


def _clock(sample: payoff.Sample) -> Clock:
    time = sample.roles["time"].astype(np.float64)
    times, place = np.unique(time, return_inverse=True)
    late = np.zeros(len(time), dtype=np.int64)
    if "entry" in sample.roles:
        late = np.searchsorted(times, sample.roles["entry"].astype(np.float64), side="right")
    return Clock(times, place, late.astype(np.int64), sample.roles["event"] == 1)


def _product(lost: FloatArray, there: FloatArray) -> FloatArray:
    """Kaplan-Meier curve after each time, (m,)."""
    share = np.divide(lost, there, out=np.zeros(len(lost)), where=there > 1e-12)
    return np.asarray(np.cumprod(1.0 - np.clip(share, 0.0, 1.0)), dtype=np.float64)


def uncensored(clock: Clock, weight: FloatArray) -> FloatArray:
    """Chance to be uncensored after each time, (m,): G."""
    lost = clock.sums(weight * ~clock.event)
    return _product(lost, clock.at_risk(weight) - clock.sums(weight * clock.event))


def _before(curve: FloatArray) -> FloatArray:
    """A step curve just before each time."""
    return np.concatenate([np.ones(1), curve[:-1]])


def event_weights(clock: Clock, weight: FloatArray) -> FloatArray:
    """1 over G just before each case's time, (n,); 0 where that is 0."""
    before = _before(uncensored(clock, weight))
    inverse = np.divide(1.0, before, out=np.zeros(len(before)), where=before > 1e-12)
    return np.asarray(inverse[clock.place])


def seen_inverse(sample: payoff.Sample, clock: Clock) -> FloatArray:
    """1 over the chance to be under observation just before each case's time, (n,).

    G of the censored; with late entry weight at risk over all weight and the chance to last till
    then, of which late entry takes its part too.
    """
    weight = sample.weight
    if not clock.late.any():
        return event_weights(clock, weight)
    there = clock.at_risk(weight)
    before = _before(_product(clock.sums(weight * clock.event), there)) * weight.sum()
    inverse = np.divide(before, there, out=np.zeros(len(there)), where=there > 1e-12)
    return np.asarray(inverse[clock.place])


def watched(sample: payoff.Sample, clock: Clock, now: float) -> tuple[BoolArray, float]:
    """Cases under observation at a time, (n,), and the share of their like that they are."""
    weight, place = sample.weight, int(np.searchsorted(clock.times, now, side="right"))
    lives = clock.times[clock.place] > now
    if not clock.late.any():
        after = np.concatenate([np.ones(1), uncensored(clock, weight)])
        return lives, float(after[place])
    lives &= sample.roles["entry"].astype(np.float64) <= now
    lasting = _product(clock.sums(weight * clock.event), clock.at_risk(weight))
    left = float(np.concatenate([np.ones(1), lasting])[place]) * float(weight.sum())
    return lives, float(weight[lives].sum()) / left if left > 0.0 else 0.0


# ---------------------------------------------------------------- Uno's C


def uno_end(sample: payoff.Sample, parameters: payoff.Parameters) -> float:
    """Time up to which events count: the one asked, or the last at which G is above 0."""
    clock = clock_of(sample)
    before = _before(uncensored(clock, sample.weight))
    events = (clock.sums(sample.weight * clock.event) > 0.0) & (before > 1e-12)
    if parameters["until"] > 0.0:
        events &= clock.times < parameters["until"]
    return float(clock.times[events][-1]) if events.any() else math.nan


def uno(sample: payoff.Sample, parameters: payoff.Parameters) -> float:
    """Uno's concordance; NaN where no pair can be compared."""
    if not len(sample):
        return math.nan
    clock, pairs, found = clock_of(sample), pair_order(sample), np.zeros(3)
    factor = event_weights(clock, sample.weight) ** 2
    if parameters["until"] > 0.0:
        factor = factor * (pairs.time < parameters["until"])
    weight, flag = np.ascontiguousarray(sample.weight), np.zeros(1, dtype=np.uint8)
    count_pairs(
        pairs.time,
        pairs.event,
        pairs.entry,
        weight,
        factor,
        pairs.rank,
        pairs.by_time,
        pairs.by_entry,
        pairs.offsets,
        found,
        flag,
    )
    return float((found[0] + 0.5 * found[1]) / found[2]) if found[2] > 0.0 else math.nan


def uno_remark(sample: payoff.Sample, parameters: payoff.Parameters) -> str:
    """Say up to which time events count."""
    end = uno_end(sample, parameters)
    if math.isnan(end):
        return "No event counts: no pair can be compared."
    return f"Events up to time {end:g} count."


# ---------------------------------------------------------------- partial likelihood


@payoff.kernel(shape="whole")
def add_partial(
    time: FloatArray,
    event: FloatArray,
    entry: FloatArray,
    weight: FloatArray,
    risk: FloatArray,
    is_efron: bool,
    by_time: IntArray,
    by_entry: IntArray,
    offsets: IntArray,
    out: FloatArray,
    stop_flag: StopFlag,
) -> None:
    """Add the log partial likelihood of every stratum to ``out``; risks are log hazards."""
    for block in range(offsets.shape[0] - 1):
        start, stop = offsets[block], offsets[block + 1]
        highest = -math.inf
        for place in range(start, stop):
            highest = max(highest, risk[by_time[place]])
        there = 0.0
        gone = start
        first = start
        while first < stop:
            now = time[by_time[first]]
            last = first
            tied = 0.0
            tied_weight = 0.0
            tied_hazard = 0.0
            while last < stop and time[by_time[last]] == now:
                case = by_time[last]
                hazard = weight[case] * math.exp(risk[case] - highest)
                there += hazard
                if event[case] != 0.0 and weight[case] > 0.0:
                    tied += 1.0
                    tied_weight += weight[case]
                    tied_hazard += hazard
                    out[0] += weight[case] * (risk[case] - highest)
                last += 1
            while gone < stop and entry[by_entry[gone]] >= now:
                case = by_entry[gone]
                there -= weight[case] * math.exp(risk[case] - highest)
                gone += 1
            if tied > 0.0 and not is_efron:
                out[0] -= tied_weight * math.log(max(there, 1e-300))
            elif tied > 0.0:
                for step in range(int(tied)):
                    left = there - step / tied * tied_hazard
                    out[0] -= tied_weight / tied * math.log(max(left, 1e-300))
            first = last


def partial_likelihood(sample: payoff.Sample, parameters: payoff.Parameters) -> float:
    """Log partial likelihood at the risks as they stand; NaN without an event."""
    if not (sample.weight * (sample.roles["event"] == 1)).any():
        return math.nan
    pairs, found = pair_order(sample), np.zeros(1)
    weight, flag = np.ascontiguousarray(sample.weight), np.zeros(1, dtype=np.uint8)
    risk, is_efron = np.ascontiguousarray(sample.score), parameters["ties"] == 1.0
    add_partial(
        pairs.time,
        pairs.event,
        pairs.entry,
        weight,
        risk,
        is_efron,
        pairs.by_time,
        pairs.by_entry,
        pairs.offsets,
        found,
        flag,
    )
    return float(found[0])


# ---------------------------------------------------------------- chances at a time


def horizon(sample: payoff.Sample, parameters: payoff.Parameters) -> float:
    """The time asked, or half of the longest."""
    if parameters["time"] > 0.0:
        return parameters["time"]
    if not len(sample):
        return math.nan
    # The same in every resample, and the one at which the host gives models' own chances.
    return sample.kept("survival horizon", lambda: 0.5 * float(sample.roles["time"].max()))


def own_times(sample: payoff.Sample) -> list[float]:
    """Times for which the model gave its own chances to survive."""
    return list(own_probabilities(sample))


def surviving(sample: payoff.Sample, times: FloatArray) -> FloatArray:
    """Chance of each case to survive beyond each time, (times, n)."""
    own = own_probabilities(sample)
    if all(float(time) in own for time in times):
        return np.array([own[float(time)] for time in times])
    clock = clock_of(sample)
    risk, hazard = _cox_of_risk(clock, sample)
    places = np.searchsorted(clock.times, times, side="right")
    steps = np.concatenate([np.zeros(1), np.cumsum(hazard)])[places]
    return np.asarray(np.exp(-steps[:, np.newaxis] * np.exp(risk)))


def _cox_of_risk(clock: Clock, sample: payoff.Sample) -> tuple[FloatArray, FloatArray]:
    """Log hazard of each case, (n,), and Breslow's baseline steps, (m,)."""

    def scaled() -> FloatArray:
        spread = float(sample.score.std())
        return np.asarray((sample.score - sample.score.mean()) / (spread if spread > 0 else 1.0))

    score, weight = sample.kept("survival score", scaled), sample.weight
    events = clock.sums(weight * clock.event)
    along, slope = float((weight * clock.event) @ score), 0.0
    hit = events > 0.0
    for _ in range(25):
        hazard = weight * np.exp(slope * score)
        whole, first, second = (clock.at_risk(hazard * score**k)[hit] for k in range(3))
        mean = first / whole
        gradient = along - float(events[hit] @ mean)
        curvature = float(events[hit] @ (second / whole - mean**2))
        step = float(np.clip(gradient / curvature, -1.0, 1.0)) if curvature > 1e-12 else 0.0
        slope = float(np.clip(slope + step, -10.0, 10.0))
        if abs(step) < 1e-10:
            break
    there = clock.at_risk(weight * np.exp(slope * score))
    baseline = np.divide(events, there, out=np.zeros(len(events)), where=hit & (there > 0.0))
    return slope * score, baseline


# ---------------------------------------------------------------- Brier


def brier_at_times(sample: payoff.Sample, times: FloatArray) -> FloatArray:
    """Brier score weighted for censoring at each time, (times,)."""
    clock, weight = clock_of(sample), sample.weight
    inverse = seen_inverse(sample, clock)
    time = clock.times[clock.place]
    out = np.full(len(times), np.nan)
    for k, (now, probability) in enumerate(zip(times, surviving(sample, times), strict=True)):
        lives, free = watched(sample, clock, float(now))
        if free <= 1e-12:
            continue
        died = (time <= now) & clock.event
        loss = weight * (died * inverse * probability**2 + lives * (1.0 - probability) ** 2 / free)
        out[k] = loss.sum() / weight.sum()
    return out


def brier_at(sample: payoff.Sample, parameters: payoff.Parameters) -> float:
    """Brier score at one time."""
    if not sample.total_weight > 0.0:
        return math.nan
    return float(brier_at_times(sample, np.array([horizon(sample, parameters)]))[0])


def integrated_brier(sample: payoff.Sample, parameters: payoff.Parameters) -> float:
    """Mean of the Brier score over times, by the trapezoid."""
    if not sample.total_weight > 0.0:
        return math.nan
    end = horizon(sample, parameters)
    times = np.array([time for time in own_times(sample) if time <= end])
    if len(times) < 2:
        times = np.linspace(end / GRID, end, GRID)
    scores = brier_at_times(sample, times)
    return float(np.trapezoid(scores, times) / (times[-1] - times[0]))


# ---------------------------------------------------------------- AUC and calibration at a time


def _order_at(sample: payoff.Sample, now: float) -> tuple[IntArray, IntArray]:
    """Cases by rising risk at a time: by the model's own chance of the event, else by its risk.

    With strata the two differ: the risks of two strata stand on different baselines.
    """

    def make() -> tuple[IntArray, IntArray]:
        own = own_probabilities(sample)
        return risk_order(1.0 - own[now] if now in own else sample.score)

    return sample.kept(f"survival_auc order {now!r}", make)


def auc_at(sample: payoff.Sample, parameters: payoff.Parameters) -> float:
    """Chance that a case with the event by then had a higher risk than one still free of it."""
    if not len(sample):
        return math.nan
    clock, weight, now = clock_of(sample), sample.weight, horizon(sample, parameters)
    early = (clock.times[clock.place] <= now) & clock.event
    cases = weight * early * seen_inverse(sample, clock)
    controls = weight * watched(sample, clock, now)[0]
    return pairs_of(cases, controls, *_order_at(sample, now)).area()


def calibration_at(sample: payoff.Sample, parameters: payoff.Parameters) -> float:
    """Mean distance of predicted and observed chance of the event by then, over tenths of risk."""
    if not sample.total_weight > 0.0:
        return math.nan
    now, weight, clock = horizon(sample, parameters), sample.weight, clock_of(sample)
    happens = 1.0 - surviving(sample, np.array([now]))[0]
    order = np.argsort(happens, kind="stable")
    ranked, above = happens[order], np.cumsum(weight[order])
    ends = np.append(np.flatnonzero(np.diff(ranked)), len(ranked) - 1)
    middle = np.diff(np.concatenate([np.zeros(1), above[ends]]))
    middle = above[ends] - 0.5 * middle
    sizes = np.diff(ends, prepend=-1)
    group = np.empty(len(ranked), dtype=np.int64)
    tenth = np.minimum((10.0 * middle / above[-1]).astype(np.int64), 9)
    group[order] = np.repeat(tenth, sizes)
    last = int(np.searchsorted(clock.times, now, side="right"))
    total = 0.0
    for number in range(10):
        mine = weight * (group == number)
        if not mine.any():
            continue
        free = _product(clock.sums(mine * clock.event), clock.at_risk(mine))
        observed = 1.0 - (float(free[last - 1]) if last else 1.0)
        total += abs(float(mine @ happens) - observed * float(mine.sum()))
    return total / float(weight.sum())
