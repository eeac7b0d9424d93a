"""Ranked figures of more scores than memory holds: keys spilled by range, sorted range by range.

A read counts keys by bucket and writes 8 bytes a row, one file for each batch, by key range. Ranges
are then sorted by themselves, each knowing how many events and others stand before it, and scanned
group by group of equal scores. What a scan adds up are whole numbers and exact sums, what it keeps
is fixed by the number of rows; so no answer depends on buckets, ranges, batches, tasks or memory.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from core.kernels.sorting import fill_descending_keys
from core.scale.exact_sums import SumArray, add_products, add_terms, merge_sums, new_sums
from core.scale.ranked.kernels import (
    OUTER,
    KeyArray,
    count_buckets,
    find_groups,
    roc_hull,
    scatter_codes,
    twice_area,
)
from core.scale.ranked.records import (
    SpilledRange,
    SpillFile,
    Stretch,
    sorted_stretches,
    write_records,
)
from payoff.types import CodeArray, FloatArray, IntArray

BUCKET_BITS = 18
RANGES = 256
MOST_RANKED_ROWS = 1_500_000_000
CELLS = 1 << 20  # ends of groups that are kept of a ranking
GROUPS_KEPT = 65_536  # of a ranking with at most so many groups every one is kept with its key

RecordChunk: TypeAlias = tuple[KeyArray, IntArray, IntArray]
"""Keys of groups, cumulative events and cumulative others within a stretch, (groups,) each."""


# ---------------------------------------------------------------- buckets and ranges


@dataclass(frozen=True, slots=True, eq=False)
class KeyMap:
    """Buckets and ranges of keys; any of them gives the same answers.

    Attributes
    ----------
    low, high, shift : int
        Keys from ``low`` to ``high`` fall into buckets of 2^shift keys; others by their top byte.
    first : (ranges,) int64
        The first bucket of each range.
    range_of : (buckets,) uint16
    starts : (ranges,) uint64
        The first key of each range.
    """

    low: int
    high: int
    shift: int
    first: IntArray
    range_of: NDArray[np.uint16]
    starts: KeyArray

    @property
    def buckets(self) -> int:
        """The number of buckets."""
        return len(self.range_of)

    def first_keys(self, buckets: IntArray) -> KeyArray:
        """The least key (n,) that each of some buckets may hold."""
        inner = self.buckets - 2 * OUTER
        tops = np.arange(OUTER, dtype=np.uint64) << np.uint64(56)
        steps = np.arange(inner, dtype=np.uint64) << np.uint64(self.shift)
        return np.concatenate([tops, np.uint64(self.low) + steps, tops])[buckets]


def descending_keys(scores: FloatArray) -> KeyArray:
    """Keys (n,) that rise as scores fall."""
    keys = np.empty(len(scores), dtype=np.uint64)
    fill_descending_keys(scores, keys)
    return keys


def key_map(sample: FloatArray, bits: int = BUCKET_BITS, ranges: int = RANGES) -> KeyMap:
    """Cut keys by some of the scores; a poor choice costs time, and moves no figure."""
    keys = np.sort(descending_keys(np.ascontiguousarray(sample)))
    low, high = (int(keys[0]), int(keys[-1])) if len(keys) else (0, 0)
    shift = min(max(0, (high - low).bit_length() - bits), 56)  # eight bits are for the code
    inner = ((high - low) >> shift) + 1
    places = np.arange(1, ranges) * len(keys) // ranges
    cuts = (keys[places] - np.uint64(low)) >> np.uint64(shift) if len(keys) else keys
    # Nor may a range be wider than 2^56 keys.
    wide = max(1, (1 << 56) >> shift)
    firsts = np.unique(
        np.concatenate([[0], cuts.astype(np.int64), np.arange(0, inner, wide)]).astype(np.int64)
    )
    outer = np.arange(OUTER)
    first = np.concatenate([outer, OUTER + firsts, OUTER + inner + outer]).astype(np.int64)
    tops = outer.astype(np.uint64) << np.uint64(56)
    starts = np.uint64(low) + (firsts.astype(np.uint64) << np.uint64(shift))
    buckets = inner + 2 * OUTER
    range_of = np.searchsorted(first, np.arange(buckets), side="right") - 1
    return KeyMap(
        low, high, shift, first, range_of.astype(np.uint16), np.concatenate([tops, starts, tops])
    )


# ---------------------------------------------------------------- spilling


@dataclass(slots=True, eq=False)
class RankingCounts:
    """What a read keeps of one ranking, and its spilled files.

    ``counts`` are (buckets, 2) of events and others, or (ranges, codes).
    """

    counts: IntArray
    files: list[SpillFile] = field(default_factory=list)

    def merge(self, other: RankingCounts) -> None:
        """Take in what other rows gave."""
        self.counts = self.counts + other.counts
        self.files += other.files

    @property
    def whole(self) -> IntArray:
        """Counts of all buckets together, (codes,)."""
        return np.asarray(self.counts.sum(axis=0))


def spill(
    scores: FloatArray, codes: CodeArray, event: int, keys: KeyMap, path: str, shown: str
) -> RankingCounts:
    """Count one batch by bucket, and write its records by range to a file.

    Raises
    ------
    PayoffError
        Where the file cannot be written.
    """
    own = descending_keys(scores)
    buckets = np.empty(len(own), dtype=np.uint32)
    counts = np.zeros((keys.buckets, 2), dtype=np.int64)
    limits = np.uint64(keys.low), np.uint64(keys.high), np.uint64(keys.shift)
    count_buckets(own, codes, event, *limits, buckets, counts)
    sizes = np.add.reduceat(counts.sum(axis=1), keys.first)
    offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    records = np.empty(len(own), dtype=np.uint64)
    sides = (codes != event).astype(np.uint8)
    scatter_codes(own, sides, buckets, keys.range_of, keys.starts, offsets[:-1].copy(), records)
    return RankingCounts(counts, [write_records(records[:, np.newaxis], offsets, path, shown)])


def spilled_ranges(
    ranking: int, counts: IntArray, files: list[SpillFile], keys: KeyMap, held: int
) -> Iterator[SpilledRange]:
    """The ranges of a ranking that hold a case, of counts by range, (ranges, counts)."""
    ends = np.cumsum(counts, axis=0)
    for number in np.flatnonzero(counts.sum(axis=1)):
        yield SpilledRange(
            ranking=ranking,
            number=int(number),
            files=tuple(files),
            start=int(keys.starts[number]),
            before=ends[number] - counts[number],
            whole=ends[-1],
            held=held,
        )


# ---------------------------------------------------------------- sorting a range


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RangeTask:
    """One key range, its cases counted as events and others, and what its scan has to know.

    Attributes
    ----------
    range : SpilledRange
    points : (M,) float64
        Depths as numbers of cases, rising.
    shares : (S,) float64
        Shares of others and of events at which the two groups around are kept.
    cuts : (C,) int64
        Positions, rising; the first group that begins at or after each is kept with its key.
    """

    range: SpilledRange
    points: FloatArray
    shares: FloatArray
    cuts: IntArray


@dataclass(slots=True, kw_only=True, eq=False)
class RangeSummary:
    """What the scan of a range gives; ranges merge in any order.

    Attributes
    ----------
    twice_area : int
    groups : int
    placements : (3, 67)
        Exact sums: of events times their squared placement less a half, the same of others, and
        precision times events.
    ends : list of (k, 2) int64
        Events and others at ends of groups that are kept.
    depths : list of (k, 6)
        Of depths of the grid: its number, both sides before the group and with it, and its key.
    begins : list of (k, 4)
        Of cuts: number, key, events and others before the group.
    first : (key, events, others) of the first group
    """

    number: int
    ranking: int
    twice_area: int = 0
    groups: int = 0
    placements: SumArray = field(default_factory=lambda: new_sums(3))
    ends: list[IntArray] = field(default_factory=list)
    widest: tuple[float, int, int] = (-1.0, 0, 0)
    depths: list[tuple[int, int, int, int, int, int]] = field(default_factory=list)
    begins: dict[int, tuple[int, int, int]] = field(default_factory=dict)
    keyed: list[RecordChunk] | None = field(default_factory=list)
    first: tuple[int, int, int] | None = None
    last_begin: int = -1  # position at which the last group so far begins


def sort_range(task: RangeTask) -> RangeSummary:
    """Sort a range and scan its groups of equal scores.

    Raises
    ------
    PayoffError
        For a spilled file that is damaged.
    """
    own = task.range
    found = RangeSummary(number=own.number, ranking=own.ranking)
    events, others = own.before.tolist()
    for stretch in sorted_stretches(own):
        keys, group_events, group_others = _groups_of(stretch)
        if not len(keys):
            continue
        scan = _Scan(task, keys, group_events, group_others, events, others)
        scan.add_to(found)
        events += int(group_events[-1])
        others += int(group_others[-1])
    return found


class _Scan:
    """A stretch of groups in order, with the cases before it."""

    def __init__(
        self,
        task: RangeTask,
        keys: KeyArray,
        events: IntArray,
        others: IntArray,
        first_event: int,
        first_other: int,
    ) -> None:
        self.task = task
        self.whole = int(task.range.whole[0]), int(task.range.whole[1])
        self.keys = keys + np.uint64(task.range.start)
        self.events, self.others = events, others
        self.first = first_event, first_other
        self.e1, self.o1 = events + first_event, others + first_other
        self.e0 = np.concatenate([[first_event], self.e1[:-1]])
        self.o0 = np.concatenate([[first_other], self.o1[:-1]])

    def add_to(self, found: RangeSummary) -> None:
        """Add all that is kept of the stretch."""
        state = np.zeros(2, dtype=np.int64)
        twice_area(self.events, self.others, self.first[0], state)
        found.twice_area += (int(state[0]) << 62) + int(state[1])
        found.groups += len(self.keys)
        self._add_placements(found)
        self._keep_ends(found)
        self._keep_depths(found)
        self._keep_begins(found)
        if found.first is None:
            found.first = int(self.keys[0]), self.first[0], self.first[1]
        if found.keyed is not None and found.groups <= GROUPS_KEPT:
            found.keyed.append((self.keys, self.e1, self.o1))
        else:
            found.keyed = None

    def _add_placements(self, found: RangeSummary) -> None:
        whole_events, whole_others = self.whole
        inside_events = (self.e1 - self.e0).astype(np.float64)
        inside_others = (self.o1 - self.o0).astype(np.float64)
        below = 0.5 - (self.o1 + self.o0) * (0.5 / whole_others)
        above = (self.e1 + self.e0) * (0.5 / whole_events) - 0.5
        own = new_sums(3)
        add_products(inside_events * below, below, own[0])
        add_products(inside_others * above, above, own[1])
        add_terms(inside_events * (self.e1 / (self.e1 + self.o1)), own[2])
        found.placements = merge_sums(found.placements, own)

    def _keep_ends(self, found: RangeSummary) -> None:
        """The last end of a group in each cell of positions, where both sides are widest apart,
        around the shares that metrics name, and corners of the hull.
        """
        whole_events, whole_others = self.whole
        is_kept = last_in_cell(self.e1 + self.o1, whole_events + whole_others)
        gap = np.abs(self.e1 * (1.0 / whole_events) - self.o1 * (1.0 / whole_others))
        widest = int(np.argmax(gap))
        at = float(gap[widest]), int(self.e1[widest]), int(self.o1[widest])
        found.widest = max(found.widest, at)
        is_kept[_around(self.e1, self.o1, self.task.shares, self.whole)] = True
        is_kept[hull_corners(self.o1, self.e1)] = True
        is_kept[widest] = True
        found.ends.append(np.column_stack([self.e1[is_kept], self.o1[is_kept]]))

    def _keep_depths(self, found: RangeSummary) -> None:
        """The group that holds each depth of the grid."""
        points = self.task.points
        ends = self.e1 + self.o1
        begin = sum(self.first)
        from_point = 0 if begin == 0 else int(np.searchsorted(points, begin, side="right"))
        to_point = int(np.searchsorted(points, ends[-1], side="right"))
        places = np.searchsorted(ends, points[from_point:to_point], side="left")
        for point, place in enumerate(np.minimum(places, len(ends) - 1), start=from_point):
            found.depths.append(
                (
                    point,
                    int(self.e0[place]),
                    int(self.o0[place]),
                    int(self.e1[place]),
                    int(self.o1[place]),
                    int(self.keys[place]),
                )
            )

    def _keep_begins(self, found: RangeSummary) -> None:
        """The first group that begins at or after each cut, as far as it lies in this stretch."""
        cuts, begins = self.task.cuts, self.e0 + self.o0
        end = int(self.e1[-1] + self.o1[-1])
        is_next = found.last_begin >= 0  # cuts behind the last group of the stretch before
        first = int(np.searchsorted(cuts, found.last_begin if is_next else begins[0] - 1, "right"))
        stop = int(np.searchsorted(cuts, end, side="left"))
        places = np.searchsorted(begins, cuts[first:stop], side="left")
        for cut, place in enumerate(places, start=first):
            if place < len(begins):
                kept = int(self.keys[place]), int(self.e0[place]), int(self.o0[place])
                found.begins[cut] = kept
        found.last_begin = int(begins[-1])


def last_in_cell(ends: IntArray | FloatArray, whole: float, width: int = 1) -> NDArray[np.bool_]:
    """Which of rising ends of groups (g,) are the last in their cell of whole / CELLS cases.

    ``width`` such cells are taken as one.
    """
    cell = ends * CELLS // whole // width
    is_last = np.ones(len(ends), dtype=bool)
    is_last[:-1] = cell[1:] != cell[:-1]
    return is_last


def hull_corners(others: IntArray, events: IntArray) -> IntArray:
    """Places of the corners of the upper hull of a ROC curve, of cumulative counts (g,)."""
    corners = np.empty(len(events), dtype=np.int64)
    return corners[: roc_hull(others, events, corners)]


def ends_around(events: IntArray, others: IntArray, shares: FloatArray) -> list[int]:
    """Places of the ends before and after each share of cases, of events and of others.

    ``events`` and ``others`` (g,) are cumulative, and begin where the ranking does or behind it;
    the last ones of all are what shares are of.
    """
    return _around(events, others, shares, (int(events[-1]), int(others[-1])))


def _around(
    events: IntArray, others: IntArray, shares: FloatArray, whole: tuple[int, int]
) -> list[int]:
    found: list[int] = []
    along = ((events + others, sum(whole)), (events, whole[0]), (others, whole[1]))
    for share in shares:
        for cumulative, total in along:
            place = int(np.searchsorted(cumulative, share * total, side="left"))
            found += [near for near in (place - 1, place) if 0 <= near < len(events)]
    return found


def _groups_of(stretch: Stretch) -> RecordChunk:
    """Keys of the groups of a stretch, and cumulative events and others at their ends."""
    records, times = stretch.records, stretch.times
    if times is not None:  # one key that is too many times there; there are no measures
        is_event = (records & np.uint64(255)) == np.uint64(0)
        event, other = (times[side, 0].sum(keepdims=True) for side in (is_event, ~is_event))
        return np.asarray(records[:1] >> np.uint64(8)), np.asarray(event), np.asarray(other)
    events, others = np.empty((2, len(records)), dtype=np.int64)
    keys = np.empty(len(records), dtype=np.uint64)
    groups = find_groups(records, events, others, keys)
    return keys[:groups].copy(), events[:groups].copy(), others[:groups].copy()


__all__ = [
    "KeyMap",
    "RangeSummary",
    "RangeTask",
    "RankingCounts",
    "SpillFile",
    "descending_keys",
    "key_map",
    "last_in_cell",
    "sort_range",
    "spill",
    "spilled_ranges",
]
