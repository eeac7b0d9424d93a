"""Concordance of survival models: does the case with the higher risk meet the event first?"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial

import numpy as np

import payoff
from payoff.types import BoolArray, FloatArray, IntArray, StopFlag


@payoff.kernel(shape="helper")
def add_weight(tree: FloatArray, at: FloatArray, rank: int, weight: float) -> None:
    """Add to a rank: its own sum in ``at``, and the Fenwick tree of blocks of 16 ranks.

    The tree of blocks stays in a processor's first cache where one of ranks would not.
    """
    at[rank] += weight
    place = (rank >> 4) + 1
    while place < tree.shape[0]:
        tree[place] += weight
        place += place & -place


@payoff.kernel(shape="helper")
def clear_rank(tree: FloatArray, at: FloatArray, rank: int) -> None:
    """Set every sum that a rank is part of to exactly 0."""
    at[rank] = 0.0
    place = (rank >> 4) + 1
    while place < tree.shape[0]:
        tree[place] = 0.0
        place += place & -place


@payoff.kernel(shape="helper")
def sum_below(tree: FloatArray, at: FloatArray, rank: int) -> float:
    """Return the sum over the ranks below one."""
    total = 0.0
    for other in range(rank & ~15, rank):
        total += at[other]
    place = rank >> 4
    while place > 0:
        total += tree[place]
        place -= place & -place
    return total


@payoff.kernel(shape="helper")
def fill_by_time(
    by_time: IntArray,
    columns: tuple[FloatArray, FloatArray, FloatArray],
    event: FloatArray,
    rank: IntArray,
    sorted_columns: tuple[FloatArray, FloatArray, FloatArray],
    is_event: BoolArray,
    ranks: IntArray,
) -> None:
    """Fill three columns, event marks and ranks in the order of time."""
    for place in range(by_time.shape[0]):
        case = by_time[place]
        sorted_columns[0][place] = columns[0][case]
        sorted_columns[1][place] = columns[1][case]
        sorted_columns[2][place] = columns[2][case]
        is_event[place] = event[case] != 0.0
        ranks[place] = rank[case]


@payoff.kernel(shape="whole")
def count_pairs(
    time: FloatArray,
    event: FloatArray,
    entry: FloatArray,
    weight: FloatArray,
    event_factor: FloatArray,
    rank: IntArray,
    by_time: IntArray,
    by_entry: IntArray,
    offsets: IntArray,
    out: FloatArray,
    stop_flag: StopFlag,
) -> None:
    """Fill the weight of pairs in order, tied in risk, and of all pairs.

    An event makes a pair with every case of its stratum that is still at risk after it: those that
    entered before and end later, or are censored at the same time. A pair counts the product of
    the weights times ``event_factor`` of the event. ``rank`` rises as risk falls.
    """
    at = np.zeros(int(rank.max()) + 1)
    tree = np.zeros((at.shape[0] >> 4) + 2)
    # In the order of time first: then only the tree is read in places that jump.
    size = by_time.shape[0]
    times, weights, factors = np.empty(size), np.empty(size), np.empty(size)
    ranks, is_event = np.empty(size, np.int64), np.empty(size, np.bool_)
    columns = (time, weight, event_factor)
    fill_by_time(by_time, columns, event, rank, (times, weights, factors), is_event, ranks)
    for block in range(offsets.shape[0] - 1):
        start, stop = offsets[block], offsets[block + 1]
        at_risk = 0.0
        gone = start
        first = start
        while first < stop:
            now = times[first]
            last = first
            while last < stop and times[last] == now:
                if not is_event[last]:
                    add_weight(tree, at, ranks[last], weights[last])
                    at_risk += weights[last]
                last += 1
            while gone < stop and entry[by_entry[gone]] >= now:
                case = by_entry[gone]
                add_weight(tree, at, rank[case], -weight[case])
                at_risk -= weight[case]
                gone += 1
            for place in range(first, last):
                if is_event[place]:
                    riskier = sum_below(tree, at, ranks[place])
                    alike = at[ranks[place]]
                    share = weights[place] * factors[place]
                    out[0] += share * (at_risk - riskier - alike)
                    out[1] += share * alike
                    out[2] += share * at_risk
            for place in range(first, last):
                if is_event[place]:
                    add_weight(tree, at, ranks[place], weights[place])
                    at_risk += weights[place]
            first = last
            if stop_flag[0] != 0:
                return
        for place in range(start, stop):
            clear_rank(tree, at, ranks[place])


@dataclass(frozen=True, slots=True, eq=False)
class PairOrder:
    """What pairs of survival times need, weights apart: columns (n,), orders and strata bounds."""

    time: FloatArray
    event: FloatArray
    entry: FloatArray
    rank: IntArray
    by_time: IntArray
    by_entry: IntArray
    offsets: IntArray


def pair_order(sample: payoff.Sample) -> PairOrder:
    """Sort once; shared with every resample."""
    return sample.kept("survival pairs", lambda: _pair_order(sample))


def _pair_order(sample: payoff.Sample) -> PairOrder:
    time, event, entry, strata = (
        np.ascontiguousarray(sample.roles[name], dtype=np.float64)
        for name in ("time", "event", "entry", "strata")
    )
    rank = np.empty(len(sample), dtype=np.int64)
    sizes = np.diff(sample.group_ends, prepend=0)
    rank[sample.order] = np.repeat(np.arange(sizes.shape[0]), sizes)
    by_time = _falling(time, strata)
    enters = len(entry) > 0 and entry.min() < entry.max()
    by_entry = _falling(entry, strata) if enters else by_time
    ends = np.flatnonzero(np.diff(strata[by_time])) + 1
    offsets = np.concatenate([[0], ends, [len(sample)]]).astype(np.int64)
    return PairOrder(time, event, entry, rank, by_time, by_entry, offsets)


def _falling(values: FloatArray, strata: FloatArray) -> IntArray:
    """Cases by stratum, largest value first; equal ones in any order."""
    if len(strata) == 0 or strata.min() == strata.max():
        return np.asarray(np.argsort(-values), dtype=np.int64)
    return np.asarray(np.lexsort((-values, strata)), dtype=np.int64)


def concordance(sample: payoff.Sample, parameters: payoff.Parameters) -> float:
    """Harrell's concordance; NaN where no pair can be compared."""
    if len(sample) == 0:
        return math.nan
    pairs, found = pair_order(sample), np.zeros(3)
    ones = sample.kept("survival ones", lambda: np.ones(len(sample)))
    weight, flag = np.ascontiguousarray(sample.weight), np.zeros(1, dtype=np.uint8)
    count_pairs(
        pairs.time,
        pairs.event,
        pairs.entry,
        weight,
        ones,
        pairs.rank,
        pairs.by_time,
        pairs.by_entry,
        pairs.offsets,
        found,
        flag,
    )
    return float((found[0] + 0.5 * found[1]) / found[2]) if found[2] > 0.0 else math.nan


def pairs_there_are(sample: payoff.Sample, parameters: payoff.Parameters) -> str:
    """Say why there is no pair."""
    if not (sample.roles["event"] == 1).any():
        return "No event: every case is censored, and no pair can be compared."
    if math.isnan(concordance(sample, parameters)):
        return "No pair can be compared: no case is known to outlast an event."
    return ""


def check_times(sample: payoff.Sample, parameters: payoff.Parameters) -> None:
    """Refuse marks other than 0 and 1, and cases that end before they enter."""
    time, event, entry = (
        sample.roles[name].astype(np.float64) for name in ("time", "event", "entry")
    )
    is_wrong = (event != 0) & (event != 1)
    if is_wrong.any():
        row = int(np.argmax(is_wrong))
        raise payoff.PayoffError(
            f"The event mark is {event[row]:g}.",
            where=f"case {row + 1} of the rows used",
            why="It must be 1 where the event happened and 0 where the case was censored.",
        )
    is_wrong = ~(time >= 0.0)
    if is_wrong.any():
        row = int(np.argmax(is_wrong))
        raise payoff.PayoffError(
            f"A time is {time[row]:g}.",
            where=f"case {row + 1} of the rows used",
            why="A time must be a number, 0 or more.",
        )
    is_wrong = ~(entry < time)
    if is_wrong.any():
        row = int(np.argmax(is_wrong))
        raise payoff.PayoffError(
            f"A case enters at {entry[row]:g} and ends at {time[row]:g}.",
            where=f"case {row + 1} of the rows used",
            why="A case must enter before its end.",
        )


survival_metric = partial(
    payoff.EvaluationMetric,
    inputs=(
        payoff.Input.SCORE,
        payoff.Input.TIME,
        payoff.Input.EVENT,
        payoff.Input.ENTRY,
        payoff.Input.STRATA,
    ),
    tasks=(payoff.Task.SURVIVAL,),
    form=payoff.MetricForm.GENERAL,
    check=check_times,
)

CONCORDANCE = survival_metric(
    id="concordance",
    usual_for=(payoff.Task.SURVIVAL,),
    label="Concordance",
    help="Chance that of two cases the one that met the event first had the higher risk; equal "
    "risks count half. A pair counts where it is known who was first.",
    formula="(pairs in order + ½ pairs of equal risk) ÷ pairs that can be compared",
    aliases=("harrell_c",),
    reference="Harrell 1982; as R survival::concordance, with strata and left truncation",
    direction=payoff.Direction.HIGHER,
    value_range=(0.0, 1.0),
    random_value=0.5,
    perfect_value=1.0,
    compute=concordance,
    remark=pairs_there_are,
)
