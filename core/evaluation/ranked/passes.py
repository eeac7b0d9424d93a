"""Own kernels over ranked rows: packing, scanning, counts at every end, bins for resampling.

Each runs one chunk, positions ``start`` to ``stop``, through ``core.kernels.run_chunks``: serial
kernels on the room's threads compile in a fraction of the time of parallel ones.

A packed row is the class code (event 0) with the top bit set where a group of equal scores ends.
Rows come in chunks of fixed size whose sums are added in order, so that no answer depends on the
number of threads. What a chunk must know of the chunks before it stands in a ``ChunkStarts``.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from core.inference.draws import BinArray
from core.kernels import CHUNK_ROWS, own_kernel
from payoff.types import FloatArray, IntArray, OrderArray

CHUNK = CHUNK_ROWS
END_BIT = 128  # class codes take the seven bits below
CODE_BITS = 127
MOST_CLASSES = 128

PackedArray: TypeAlias = NDArray[np.uint8]


@own_kernel
def pack_rows(
    order: OrderArray,
    score: FloatArray,
    codes: PackedArray,
    weight: FloatArray,
    factor: FloatArray,
    packed: PackedArray,
    totals: FloatArray,
    sides: FloatArray,
    state: IntArray,
    start: int,
    stop: int,
) -> None:
    """Pack rows in ranked order, and add up each chunk.

    Fetching scores in ranked order takes the time here. It is done in loops of its own, without
    branches, so that many fetches are under way at once; codes are bytes to stay in the cache.

    Parameters
    ----------
    score, codes : (n,) in row order
    weight : (n,) or (0,) float64
        Case weights in row order; empty = 1 each.
    factor : (K,) float64
        What each class's weight counts for (prior weights).
    packed : (n,) uint8, filled
    totals : (chunks, K) float64, filled
        Weight of each class.
    sides : (chunks, 2, 2) float64, filled
        Factored weight of the event and of all others: of all rows of the chunk, and of those up
        to its last end of a group.
    state : (chunks, 2) int64, filled
        Ends of groups in the chunk, and the position after the last of them (-1: none).
    """
    size = order.shape[0]
    chunk = start // CHUNK
    weighted = weight.shape[0] > 0
    fetched = np.empty(stop - start + 1)
    for step in range(min(stop + 1, size) - start):
        fetched[step] = score[order[start + step]]
    for position in range(start, stop):
        packed[position] = codes[order[position]]
    counts = totals[chunk]
    for code in range(counts.shape[0]):
        counts[code] = 0.0
    event = 0.0
    others = 0.0
    event_at_end = 0.0
    others_at_end = 0.0
    groups = 0
    last_end = -1
    for position in range(start, stop):
        code = packed[position]
        amount = weight[order[position]] if weighted else 1.0
        counts[code] += amount
        if code == 0:
            event += amount * factor[0]
        else:
            others += amount * factor[code]
        step = position - start
        if position + 1 == size or fetched[step] != fetched[step + 1]:
            code |= np.uint8(END_BIT)
            groups += 1
            last_end = position + 1
            event_at_end = event
            others_at_end = others
        packed[position] = code
    sides[chunk, 0, 0] = event
    sides[chunk, 0, 1] = others
    sides[chunk, 1, 0] = event_at_end
    sides[chunk, 1, 1] = others_at_end
    state[chunk, 0] = groups
    state[chunk, 1] = last_end


@own_kernel
def _fill_points(
    grid: FloatArray,
    point: int,
    is_last: bool,
    sides: FloatArray,
    begin: int,
    end: int,
    sides_at: FloatArray,
    places: IntArray,
    portions: FloatArray,
) -> int:
    """Fill the depths of the grid, from ``point`` on, that end within one group; the next one.

    ``sides`` (4,) holds events and others before the group, and with it; ``begin`` and ``end`` are
    its positions.
    """
    depth = sides[0] + sides[1]
    depth_now = sides[2] + sides[3]
    while point < grid.shape[0] and (grid[point] <= depth_now or is_last):
        part = (grid[point] - depth) / (depth_now - depth) if depth_now > depth else 1.0
        part = min(max(part, 0.0), 1.0)
        sides_at[0, point] = sides[0] + part * (sides[2] - sides[0])
        sides_at[1, point] = sides[1] + part * (sides[3] - sides[1])
        places[point, 0] = begin
        places[point, 1] = end
        portions[point] = part
        point += 1
    return point


@own_kernel
def scan_rows(
    packed: PackedArray,
    order: OrderArray,
    weight: FloatArray,
    factor: FloatArray,
    grid: FloatArray,
    before: FloatArray,
    ends_before: FloatArray,
    positions_before: IntArray,
    first_points: IntArray,
    whole: FloatArray,
    parts: FloatArray,
    sides_at: FloatArray,
    places: IntArray,
    portions: FloatArray,
    start: int,
    stop: int,
) -> None:
    """Areas, largest distance and the two sides at a grid of depths, in one pass.

    Parameters
    ----------
    factor : (K,) float64
        What each class's weight counts for (prior weights).
    grid : (M,) float64
        Depths as cumulative factored weight, ascending.
    before, ends_before : (chunks, 2) float64
        Factored weight of the event and of all others before each chunk, and at the last end of a
        group before it.
    positions_before : (chunks,) int64
        Position after that end.
    first_points : (chunks,) int64
        The first depth of the grid that ends beyond it.
    whole : (2,) float64
        Factored weight of the event, and of all others.
    parts : (chunks, 3) float64, filled
        Area of events against others, sum for average precision, largest distance of the shares.
    sides_at : (2, M) float64, filled
        Both sides at the depths; a group that spans a depth gives its proportional part.
    places : (M, 2) int64, filled
        First position of the group at each depth, and the position after its last row.
    portions : (M,) float64, filled
        The part of that group within the depth.
    """
    chunk = start // CHUNK
    weighted = weight.shape[0] > 0
    event_base, others_base = before[chunk, 0], before[chunk, 1]
    event_here, others_here = 0.0, 0.0
    event, others = ends_before[chunk, 0], ends_before[chunk, 1]
    begin, point = positions_before[chunk], first_points[chunk]
    group = np.empty(4)
    area, precision, distance = 0.0, 0.0, 0.0
    for position in range(start, stop):
        value = packed[position]
        code = value & CODE_BITS
        amount = weight[order[position]] if weighted else 1.0
        if code == 0:
            event_here += amount * factor[0]
        else:
            others_here += amount * factor[code]
        if not value & END_BIT:
            continue
        event_now = event_base + event_here
        others_now = others_base + others_here
        depth_now = event_now + others_now
        area += (others_now - others) * (event_now + event) * 0.5
        if event_now > event:
            precision += (event_now - event) * (event_now / depth_now)
        distance = max(distance, abs(event_now * whole[1] - others_now * whole[0]))
        is_last = position + 1 == packed.shape[0]
        if point < grid.shape[0] and (grid[point] <= depth_now or is_last):
            group[0], group[1], group[2], group[3] = event, others, event_now, others_now
            point = _fill_points(
                grid, point, is_last, group, begin, position + 1, sides_at, places, portions
            )
        event, others, begin = event_now, others_now, position + 1
    parts[chunk, 0] = area
    parts[chunk, 1] = precision
    parts[chunk, 2] = distance / (whole[0] * whole[1])


@own_kernel
def count_at(
    packed: PackedArray,
    order: OrderArray,
    weight: FloatArray,
    counts_before: FloatArray,
    positions: IntArray,
    first_points: IntArray,
    counts: FloatArray,
    start: int,
    stop: int,
) -> None:
    """Fill ``counts`` (K, M) with class weights of the first ``positions`` (M,) rows, ascending.

    ``first_points`` (chunks,) says which position is the first at or after the chunk's begin.
    """
    size = packed.shape[0]
    chunk = start // CHUNK
    classes = counts.shape[0]
    weighted = weight.shape[0] > 0
    running = counts_before[chunk].copy()
    point = first_points[chunk]
    # One turn more at the very end: depths there hold every row.
    for position in range(start, stop + 1 if stop == size else stop):
        while point < positions.shape[0] and positions[point] <= position:
            for code in range(classes):
                counts[code, point] = running[code]
            point += 1
        if position < size:
            running[packed[position] & CODE_BITS] += weight[order[position]] if weighted else 1.0


@own_kernel
def fill_groups(
    packed: PackedArray,
    order: OrderArray,
    weight: FloatArray,
    counts_before: FloatArray,
    groups_before: IntArray,
    ends: IntArray,
    cumulative: FloatArray,
    start: int,
    stop: int,
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
    chunk = start // CHUNK
    classes = cumulative.shape[0]
    weighted = weight.shape[0] > 0
    base = counts_before[chunk]
    counts = np.zeros(classes)
    group = groups_before[chunk]
    for position in range(start, stop):
        value = packed[position]
        counts[value & CODE_BITS] += weight[order[position]] if weighted else 1.0
        if value & END_BIT:
            ends[group] = position + 1
            for code in range(classes):
                cumulative[code, group] = base[code] + counts[code]
            group += 1


@own_kernel
def place_rows(
    packed: PackedArray,
    order: OrderArray,
    groups_before: IntArray,
    events: FloatArray,
    others: FloatArray,
    out: FloatArray,
    start: int,
    stop: int,
) -> None:
    """Place each row among the other side, ties half; ``out`` (n,) is filled in row order.

    ``events`` and ``others`` (G,) are cumulative weights. An event gets the share of others below
    it, any other case the share of events above it.
    """
    group = groups_before[start // CHUNK]
    last = events.shape[0] - 1
    event_scale = 0.5 / events[last]
    other_scale = 0.5 / others[last]
    is_new = True
    above = 0.0
    below = 0.0
    for position in range(start, stop):
        if is_new:
            event_before = events[group - 1] if group > 0 else 0.0
            other_before = others[group - 1] if group > 0 else 0.0
            above = (events[group] + event_before) * event_scale
            below = 1.0 - (others[group] + other_before) * other_scale
        value = packed[position]
        out[order[position]] = below if value & CODE_BITS == 0 else above
        is_new = value & END_BIT != 0
        group += is_new


@own_kernel
def add_places(
    packed: PackedArray,
    order: OrderArray,
    weight: FloatArray,
    groups_before: IntArray,
    events: FloatArray,
    others: FloatArray,
    centre: float,
    out: FloatArray,
    start: int,
    stop: int,
) -> None:
    """Add up by class what ``place_rows`` would fill, less ``centre``: (chunks, K, 4).

    With e the place less the centre: sums of w e, w2 e2, w2 e and w2 of the chunk.
    """
    chunk = start // CHUNK
    weighted = weight.shape[0] > 0
    group = groups_before[chunk]
    last = events.shape[0] - 1
    event_scale = 0.5 / events[last]
    other_scale = 0.5 / others[last]
    is_new = True
    above = 0.0
    below = 0.0
    for position in range(start, stop):
        if is_new:
            event_before = events[group - 1] if group > 0 else 0.0
            other_before = others[group - 1] if group > 0 else 0.0
            above = (events[group] + event_before) * event_scale - centre
            below = 1.0 - (others[group] + other_before) * other_scale - centre
        value = packed[position]
        code = value & CODE_BITS
        times = weight[order[position]] if weighted else 1.0
        place = times * (below if code == 0 else above)
        total = out[chunk, code]
        total[0] += place
        total[1] += place * place
        total[2] += times * place
        total[3] += times * times
        is_new = value & END_BIT != 0
        group += is_new


@own_kernel
def assign_bins(
    packed: PackedArray,
    order: OrderArray,
    first_bins: IntArray,
    cuts: IntArray,
    bins: BinArray,
    start: int,
    stop: int,
) -> None:
    """Number each row's bin: how many ``cuts`` lie at or before the first position of its group.

    Whole groups fall into one bin, so that ties stay ties. ``first_bins`` (chunks,) is the bin of
    the group that each chunk begins in. ``bins`` (n,) is filled in row order.
    """
    number = first_bins[start // CHUNK]
    for position in range(start, stop):
        bins[order[position]] = np.uint16(number)
        if packed[position] & END_BIT:
            while number < cuts.shape[0] and cuts[number] <= position + 1:
                number += 1


@own_kernel
def shares_at(along: FloatArray, measured: FloatArray, places: FloatArray, out: FloatArray) -> None:
    """Read cumulative shares at places along another cumulative share, draw by draw.

    Parameters
    ----------
    along : (L, B) float64
        Cumulative weights that the places are shares of (all cases, or the other classes).
    measured : (Y, L, B) float64
        Cumulative weights to be read, each as a share of its last value.
    places : (M,) float64
        Ascending, 0 to 1.
    out : (Y, L, M) float64, filled
        Linear between ends of groups; on a vertical stretch the upper end. NaN without weight.
    """
    lanes, ends = along.shape
    for lane in range(lanes):
        whole = along[lane, ends - 1]
        end = 0
        for place in range(places.shape[0]):
            sought = places[place] * whole
            while end < ends - 1 and along[lane, end] <= sought:
                end += 1
            begin = along[lane, end - 1] if end > 0 else 0.0
            step = along[lane, end] - begin
            part = min(max((sought - begin) / step, 0.0), 1.0) if step > 0 else 1.0
            for which in range(measured.shape[0]):
                low = measured[which, lane, end - 1] if end > 0 else 0.0
                value = low + part * (measured[which, lane, end] - low)
                out[which, lane, place] = value / measured[which, lane, ends - 1]
