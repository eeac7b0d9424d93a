"""Kernels over descending keys: counting by bucket, records by key range, groups of equal scores.

A record is (key less the start of its range) << 8 | code, code 0 for an event and 1 for any other
case: sorted records are cases best first, and equal keys are one group of ties.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from core.kernels import own_kernel
from payoff.types import CodeArray, IntArray

KeyArray: TypeAlias = NDArray[np.uint64]
BucketArray: TypeAlias = NDArray[np.uint32]
OUTER = 256  # buckets on each side for keys beyond those of the sample, by their top byte


@own_kernel
def count_buckets(
    keys: KeyArray,
    codes: CodeArray,
    event: int,
    low: np.uint64,
    high: np.uint64,
    shift: np.uint64,
    buckets: BucketArray,
    counts: IntArray,
) -> None:
    """Fill the bucket of each key (n,) and count by bucket and side, (buckets, 2).

    Side 0 are cases of the class ``event``. The map rises with the key, whatever the limits.
    """
    inner = np.uint64(OUTER) + ((high - low) >> shift) + np.uint64(1)
    for row in range(keys.shape[0]):
        key = keys[row]
        if key < low:
            bucket = key >> np.uint64(56)
        elif key > high:
            bucket = inner + (key >> np.uint64(56))
        else:
            bucket = np.uint64(OUTER) + ((key - low) >> shift)
        buckets[row] = np.uint32(bucket)
        counts[bucket, 0 if codes[row] == event else 1] += 1


@own_kernel
def find_groups(records: KeyArray, events: IntArray, others: IntArray, keys: KeyArray) -> int:
    """Cumulative events and others at the end of each group of sorted records, and its key.

    ``events``, ``others`` and ``keys`` have room for a group a record; how many there are.
    """
    size = records.shape[0]
    groups = 0
    event = 0
    other = 0
    for place in range(size):
        if records[place] & np.uint64(255) == np.uint64(0):
            event += 1
        else:
            other += 1
        key = records[place] >> np.uint64(8)
        if place + 1 == size or records[place + 1] >> np.uint64(8) != key:
            events[groups] = event
            others[groups] = other
            keys[groups] = key
            groups += 1
    return groups


@own_kernel
def twice_area(events: IntArray, others: IntArray, first_event: int, state: IntArray) -> None:
    """Sum of others of a group times (twice the events before it, and those in it).

    ``events`` and ``others`` (groups,) are cumulative within a stretch that ``first_event`` events
    stand before. ``state`` (2,): the sum in units of 2^62, and what is below.
    """
    high = 0
    low = 0
    before = 0
    passed = 0
    for group in range(events.shape[0]):
        width = others[group] - passed
        low += width * (2 * first_event + before + events[group])
        if low >= 4611686018427387904:
            low -= 4611686018427387904
            high += 1
        before = events[group]
        passed = others[group]
    state[0] = high
    state[1] = low


@own_kernel
def find_bins(keys: KeyArray, cuts: KeyArray, bins: NDArray[np.uint16]) -> None:
    """How many of the rising ``cuts`` lie at or before each key, (n,)."""
    for row in range(keys.shape[0]):
        low = 0
        high = cuts.shape[0]
        while low < high:
            middle = (low + high) // 2
            if cuts[middle] <= keys[row]:
                low = middle + 1
            else:
                high = middle
        bins[row] = np.uint16(low)


@own_kernel
def roc_hull(x: IntArray, y: IntArray, corners: IntArray) -> int:
    """Places of the corners of the upper hull of points that rise in both (Andrew 1979).

    ``corners`` (n,) is filled; how many there are.
    """
    size = 0
    for place in range(x.shape[0]):
        while size > 1:
            a, b = corners[size - 2], corners[size - 1]
            turn = (x[b] - x[a]) * (y[place] - y[a]) - (y[b] - y[a]) * (x[place] - x[a])
            if turn < 0:
                break
            size -= 1
        corners[size] = place
        size += 1
    return size


@own_kernel
def scatter_codes(
    keys: KeyArray,
    codes: NDArray[np.uint8],
    buckets: BucketArray,
    range_of: NDArray[np.uint16],
    starts: KeyArray,
    ends: IntArray,
    records: KeyArray,
) -> None:
    """Write the record of each row to its key range; ``ends`` (ranges,) are moved on.

    ``codes`` (n,): of its case, or its side, 0 an event and 1 another.
    """
    for row in range(keys.shape[0]):
        place = range_of[buckets[row]]
        end = ends[place]
        ends[place] = end + 1
        records[end] = ((keys[row] - starts[place]) << np.uint64(8)) | np.uint64(codes[row])


@own_kernel
def scatter_times(
    buckets: BucketArray,
    range_of: NDArray[np.uint16],
    times: IntArray,
    ends: IntArray,
    records: KeyArray,
) -> None:
    """Write behind each record of ``scatter_codes`` how often it is there, (n, measures).

    ``records`` (n, 1 + measures); ``ends`` (ranges,) are moved on.
    """
    for row in range(times.shape[0]):
        place = range_of[buckets[row]]
        end = ends[place]
        ends[place] = end + 1
        for measure in range(times.shape[1]):
            records[end, measure + 1] = np.uint64(times[row, measure])


@own_kernel
def count_ranges(
    codes: NDArray[np.uint8],
    buckets: BucketArray,
    range_of: NDArray[np.uint16],
    times: IntArray,
    counts: IntArray,
) -> None:
    """Count rows by key range, measure and code, (ranges, measures, codes); added to.

    ``times`` (n, measures), or (0, 1): once each.
    """
    for row in range(codes.shape[0]):
        place = range_of[buckets[row]]
        for measure in range(counts.shape[1]):
            once = times[row, measure] if times.shape[0] else 1
            counts[place, measure, codes[row]] += once


@own_kernel
def group_codes(
    records: KeyArray, times: IntArray, begin: int, counts: IntArray, keys: KeyArray, ends: IntArray
) -> tuple[int, int]:
    """Keys of the next groups of sorted records and cumulative counts by code at their ends.

    ``times`` (n, measures), or (0, 1): how often a record is there. ``counts`` (measures * codes,)
    are those before ``begin`` and are moved on; ``keys`` (most,) and ``ends`` (most, measures *
    codes) are filled.

    Returns
    -------
    (int, int)
        How many groups there are, and where the next one begins.
    """
    size = records.shape[0]
    codes = counts.shape[0] // times.shape[1]
    place = begin
    groups = 0
    while place < size and groups < keys.shape[0]:
        key = records[place] >> np.uint64(8)
        while place < size and records[place] >> np.uint64(8) == key:
            code = np.int64(records[place] & np.uint64(255))
            for measure in range(times.shape[1]):
                counts[measure * codes + code] += times[place, measure] if times.shape[0] else 1
            place += 1
        keys[groups] = key
        for kind in range(counts.shape[0]):
            ends[groups, kind] = counts[kind]
        groups += 1
    return groups, place
