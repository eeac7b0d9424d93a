"""Rankings of cases that have a code: what a case brings is a function of its code.

Counts by code at ends of groups of equal scores are whole numbers, whatever ranges and stretches
they were counted in; what is made of a row of counts by ``weighted_counts`` has the same digits.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from core.decisions.passes.case_blocks import ByteArray
from core.scale.exact_sums import SumArray, add_products
from core.scale.ranked.kernels import (
    KeyArray,
    count_buckets,
    count_ranges,
    group_codes,
    scatter_codes,
    scatter_times,
)
from core.scale.ranked.ranges import KeyMap, RankingCounts, descending_keys
from core.scale.ranked.records import SpilledRange, sorted_stretches, write_records
from payoff.types import FloatArray, IntArray

_BLOCK_CELLS = 1 << 20  # of groups by codes that are held at a time
_ONCE = np.empty((0, 1), dtype=np.int64)


def new_counts(keys: KeyMap, codes: int) -> RankingCounts:
    """Counts of no rows; ``codes`` are those of every measure."""
    return RankingCounts(np.zeros((len(keys.first), codes), dtype=np.int64))


def spill_codes(
    scores: FloatArray,
    codes: ByteArray,
    keys: KeyMap,
    width: int,
    path: str,
    shown: str,
    times: IntArray | None = None,
) -> RankingCounts:
    """Count one batch by key range and code, and write its records to a file.

    Parameters
    ----------
    scores : (n,) float64
        Best = highest.
    codes : (n,) uint8
        Below ``width``.
    times : (n, measures) int64, optional
        How often each case is there, by every measure; left out: once.

    Returns
    -------
    RankingCounts
        (ranges, measures * width).

    Raises
    ------
    PayoffError
        Where the file cannot be written.
    """
    own = descending_keys(scores)
    buckets = np.empty(len(own), dtype=np.uint32)
    limits = np.uint64(keys.low), np.uint64(keys.high), np.uint64(keys.shift)
    sides = np.zeros((keys.buckets, 2), dtype=np.int64)
    count_buckets(own, codes.astype(np.int32), -1, *limits, buckets, sides)
    measures = 1 if times is None else times.shape[1]
    found = new_counts(keys, measures * width)
    by_measure = found.counts.reshape(-1, measures, width)
    count_ranges(codes, buckets, keys.range_of, _ONCE if times is None else times, by_measure)
    sizes = np.add.reduceat(sides.sum(axis=1), keys.first)
    offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    records = np.empty((len(own), 1 if times is None else 1 + measures), dtype=np.uint64)
    begins = offsets[:-1].copy(), offsets[:-1].copy()
    scatter_codes(own, codes, buckets, keys.range_of, keys.starts, begins[0], records[:, 0])
    if times is not None:
        scatter_times(buckets, keys.range_of, times, begins[1], records)
    found.files.append(write_records(records, offsets, path, shown))
    return found


@dataclass(frozen=True, slots=True, eq=False)
class GroupBlock:
    """Some groups of equal scores in order.

    Attributes
    ----------
    keys : (g,) uint64
    ends : (g + 1, measures * codes) int64
        Cumulative counts of the whole ranking: before the first group, then at the end of each.
    """

    keys: KeyArray
    ends: IntArray

    def __len__(self) -> int:
        return len(self.keys)

    @property
    def inside(self) -> IntArray:
        """Counts of each group, (g, codes)."""
        return np.diff(self.ends, axis=0)


def group_blocks(task: SpilledRange) -> Iterator[GroupBlock]:
    """The groups of a range in order, a number of them at a time.

    Raises
    ------
    PayoffError
        For a spilled file that is damaged.
    """
    counts = task.before.copy()
    most = max(_BLOCK_CELLS // len(counts), 1)
    for stretch in sorted_stretches(task):
        times = _ONCE if stretch.times is None else stretch.times
        place = 0
        while place < len(stretch.records):
            size = min(most, len(stretch.records) - place)
            keys = np.empty(size, dtype=np.uint64)
            ends = np.empty((size + 1, len(counts)), dtype=np.int64)
            ends[0] = counts
            groups, place = group_codes(stretch.records, times, place, counts, keys, ends[1:])
            yield GroupBlock(keys[:groups] + np.uint64(task.start), ends[: groups + 1])


def weighted_counts(counts: IntArray, weights: FloatArray) -> FloatArray:
    """Sums over codes of counts (..., codes) times weights (codes,), code after code.

    So the digits depend on the counts alone, and not on how many rows are worked out at once.
    """
    total = np.zeros(counts.shape[:-1])
    for code in np.flatnonzero(weights):
        total += counts[..., code] * weights[code]
    return total


def add_between(
    values: FloatArray, times: FloatArray, cuts: IntArray, sums: SumArray
) -> list[SumArray]:
    """Add values (g,) as often as ``times`` (k, g) say to ``sums`` (k, 67), exactly.

    Returns
    -------
    list of (k, 67)
        The sums as they were before each of the rising ``cuts`` (places from 0 to g).
    """
    kept: list[SumArray] = []
    begin = 0
    for cut in (*cuts.tolist(), len(values)):
        for number in range(len(times)):
            add_products(values[begin:cut], times[number, begin:cut], sums[number])
        kept.append(sums.copy())
        begin = cut
    return kept[:-1]


__all__ = [
    "GroupBlock",
    "add_between",
    "group_blocks",
    "new_counts",
    "spill_codes",
    "weighted_counts",
]
