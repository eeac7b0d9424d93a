"""Own kernels over ranked rows: packing, scanning, counts at every end, bins for resampling.

A packed row is the class code (event 0) with the top bit set where a group of equal scores ends.
Rows come in chunks of fixed size whose sums are added in order, so that no answer depends on the
number of threads. What a chunk must know of the chunks before it stands in a ``ChunkStarts``.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from core.kernels import parallel_kernel, prange
from payoff.types import FloatArray, IntArray, OrderArray

CHUNK = 65_536
END_BIT = 128  # class codes take the seven bits below
CODE_BITS = 127
MOST_CLASSES = 128

PackedArray: TypeAlias = NDArray[np.uint8]
BinArray: TypeAlias = NDArray[np.uint16]


@parallel_kernel
def pack_rows(
    order: OrderArray, score: FloatArray, outcome: NDArray[Any], packed: PackedArray
) -> None:
    """Fill ``packed`` (n,) in ranked order from codes and scores in row order."""
    size = order.shape[0]
    for chunk in prange((size + CHUNK - 1) // CHUNK):
        first = chunk * CHUNK
        last = min(size, first + CHUNK)
        current = score[order[first]]
        for position in range(first, last):
            code = np.uint8(outcome[order[position]])
            if position + 1 == size:
                code |= np.uint8(END_BIT)
            else:
                following = score[order[position + 1]]
                if following != current:
                    code |= np.uint8(END_BIT)
                current = following
            packed[position] = code


@parallel_kernel
def chunk_totals(
    packed: PackedArray,
    order: OrderArray,
    weight: FloatArray,
    totals: FloatArray,
    at_end: FloatArray,
    state: IntArray,
) -> None:
    """Class weights of each chunk, and where its last group ends.

    Parameters
    ----------
    weight : (n,) or (0,) float64
        Case weights in row order; empty = 1 each.
    totals, at_end : (chunks, K) float64, filled
        Weights per class of all rows of the chunk, and of those up to its last end of a group.
    state : (chunks, 2) int64, filled
        Ends of groups in the chunk, and the position after the last of them (-1: none).
    """
    size = packed.shape[0]
    classes = totals.shape[1]
    weighted = weight.shape[0] > 0
    for chunk in prange(totals.shape[0]):
        counts = np.zeros(classes)
        until_end = np.zeros(classes)
        groups = 0
        last_end = -1
        for position in range(chunk * CHUNK, min(size, (chunk + 1) * CHUNK)):
            value = packed[position]
            counts[value & CODE_BITS] += weight[order[position]] if weighted else 1.0
            if value & END_BIT:
                groups += 1
                last_end = position + 1
                for code in range(classes):
                    until_end[code] = counts[code]
        totals[chunk] = counts
        at_end[chunk] = until_end
        state[chunk, 0] = groups
        state[chunk, 1] = last_end


@parallel_kernel
def scan_rows(
    packed: PackedArray,
    order: OrderArray,
    weight: FloatArray,
    factor: FloatArray,
    grid: FloatArray,
    counts_before: FloatArray,
    ends_before: FloatArray,
    positions_before: IntArray,
    whole: FloatArray,
    parts: FloatArray,
    counts_at: FloatArray,
    places: IntArray,
) -> None:
    """Areas, largest distance and the counts at a grid of depths, in one pass.

    Parameters
    ----------
    factor : (K,) float64
        What each class's weight counts for (prior weights).
    grid : (M,) float64
        Depths as cumulative factored weight, ascending.
    counts_before, ends_before : (chunks, K) float64
        Class weights before each chunk, and at the last end of a group before it.
    positions_before : (chunks,) int64
        Position after that end.
    whole : (2,) float64
        Factored weight of the event, and of all others.
    parts : (chunks, 3) float64, filled
        Area of events against others, sum for average precision, largest distance of the shares.
    counts_at : (K, M) float64, filled
        Class weights at the depths; a group that spans a depth gives its proportional part.
    places : (M, 2) int64, filled
        First position of the group at each depth, and the position after its last row.
    """
    size = packed.shape[0]
    classes = factor.shape[0]
    points = grid.shape[0]
    weighted = weight.shape[0] > 0
    for chunk in prange(counts_before.shape[0]):
        base = counts_before[chunk]
        counts = np.zeros(classes)
        before = ends_before[chunk].copy()
        begin = positions_before[chunk]
        event = before[0] * factor[0]
        others = 0.0
        for code in range(1, classes):
            others += before[code] * factor[code]
        point = 0
        if begin > 0:
            point = np.searchsorted(grid, event + others, side="right")
        area = 0.0
        precision = 0.0
        distance = 0.0
        for position in range(chunk * CHUNK, min(size, (chunk + 1) * CHUNK)):
            value = packed[position]
            counts[value & CODE_BITS] += weight[order[position]] if weighted else 1.0
            if not value & END_BIT:
                continue
            event_now = (base[0] + counts[0]) * factor[0]
            others_now = 0.0
            for code in range(1, classes):
                others_now += (base[code] + counts[code]) * factor[code]
            area += (others_now - others) * (event_now + event) * 0.5
            depth_now = event_now + others_now
            if event_now > event:
                precision += (event_now - event) * (event_now / depth_now)
            distance = max(distance, abs(event_now / whole[0] - others_now / whole[1]))
            is_last = position + 1 == size
            while point < points and (grid[point] <= depth_now or is_last):
                depth = event + others
                part = (grid[point] - depth) / (depth_now - depth) if depth_now > depth else 1.0
                part = min(max(part, 0.0), 1.0)
                for code in range(classes):
                    step = base[code] + counts[code] - before[code]
                    counts_at[code, point] = before[code] + part * step
                places[point, 0] = begin
                places[point, 1] = position + 1
                point += 1
            for code in range(classes):
                before[code] = base[code] + counts[code]
            event = event_now
            others = others_now
            begin = position + 1
        parts[chunk, 0] = area
        parts[chunk, 1] = precision
        parts[chunk, 2] = distance


@parallel_kernel
def fill_groups(
    packed: PackedArray,
    order: OrderArray,
    weight: FloatArray,
    counts_before: FloatArray,
    groups_before: IntArray,
    ends: IntArray,
    cumulative: FloatArray,
) -> None:
    """Class weights at the end of every group of equal scores.

    Parameters
    ----------
    groups_before : (chunks,) int64
        Groups that end before each chunk.
    ends : (G,) int64, filled
        Position after the last row of each group.
    cumulative : (K, G) float64, filled
    """
    size = packed.shape[0]
    classes = cumulative.shape[0]
    weighted = weight.shape[0] > 0
    for chunk in prange(counts_before.shape[0]):
        base = counts_before[chunk]
        counts = np.zeros(classes)
        group = groups_before[chunk]
        for position in range(chunk * CHUNK, min(size, (chunk + 1) * CHUNK)):
            value = packed[position]
            counts[value & CODE_BITS] += weight[order[position]] if weighted else 1.0
            if value & END_BIT:
                ends[group] = position + 1
                for code in range(classes):
                    cumulative[code, group] = base[code] + counts[code]
                group += 1


@parallel_kernel
def spread_groups(
    packed: PackedArray,
    order: OrderArray,
    groups_before: IntArray,
    of_event: FloatArray,
    of_others: FloatArray,
    out: FloatArray,
) -> None:
    """Give each row its group's value: ``of_event`` (G,) for events, ``of_others`` for the rest.

    ``out`` (n,) is filled in row order.
    """
    size = packed.shape[0]
    for chunk in prange(groups_before.shape[0]):
        group = groups_before[chunk]
        for position in range(chunk * CHUNK, min(size, (chunk + 1) * CHUNK)):
            value = packed[position]
            is_event = value & CODE_BITS == 0
            out[order[position]] = of_event[group] if is_event else of_others[group]
            if value & END_BIT:
                group += 1


@parallel_kernel
def assign_bins(
    packed: PackedArray,
    order: OrderArray,
    positions_before: IntArray,
    cuts: IntArray,
    bins: BinArray,
) -> None:
    """Number each row's bin: how many ``cuts`` lie at or before the first position of its group.

    Whole groups fall into one bin, so that ties stay ties. ``bins`` (n,) is filled in row order.
    """
    size = packed.shape[0]
    for chunk in prange(positions_before.shape[0]):
        begin = positions_before[chunk]
        number = np.searchsorted(cuts, begin, side="right")
        for position in range(chunk * CHUNK, min(size, (chunk + 1) * CHUNK)):
            bins[order[position]] = np.uint16(number)
            if packed[position] & END_BIT:
                begin = position + 1
                while number < cuts.shape[0] and cuts[number] <= begin:
                    number += 1
