"""Own kernels over ranked rows: packing, scanning, counts at every end, bins for resampling.

A packed row is the class code (event 0) with the top bit set where a group of equal scores ends.
Rows come in chunks of fixed size whose sums are added in order, so that no answer depends on the
number of threads. What a chunk must know of the chunks before it stands in a ``ChunkStarts``.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from core.kernels import LANES, fill_poisson, own_kernel, parallel_kernel, prange
from payoff.types import FloatArray, IntArray, OrderArray

CHUNK = 65_536
END_BIT = 128  # class codes take the seven bits below
CODE_BITS = 127
MOST_CLASSES = 128

PackedArray: TypeAlias = NDArray[np.uint8]
BinArray: TypeAlias = NDArray[np.uint16]


@parallel_kernel
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
    weighted = weight.shape[0] > 0
    for chunk in prange(totals.shape[0]):
        first = chunk * CHUNK
        last = min(size, first + CHUNK)
        fetched = np.empty(last - first + 1)
        for step in range(min(last + 1, size) - first):
            fetched[step] = score[order[first + step]]
        for position in range(first, last):
            packed[position] = codes[order[position]]
        counts = np.zeros(factor.shape[0])
        event = 0.0
        others = 0.0
        sides[chunk] = 0.0
        groups = 0
        last_end = -1
        for position in range(first, last):
            code = packed[position]
            amount = weight[order[position]] if weighted else 1.0
            counts[code] += amount
            if code == 0:
                event += amount * factor[0]
            else:
                others += amount * factor[code]
            step = position - first
            if position + 1 == size or fetched[step] != fetched[step + 1]:
                code |= np.uint8(END_BIT)
                groups += 1
                last_end = position + 1
                sides[chunk, 1, 0] = event
                sides[chunk, 1, 1] = others
            packed[position] = code
        totals[chunk] = counts
        sides[chunk, 0, 0] = event
        sides[chunk, 0, 1] = others
        state[chunk, 0] = groups
        state[chunk, 1] = last_end


@parallel_kernel
def scan_rows(
    packed: PackedArray,
    order: OrderArray,
    weight: FloatArray,
    factor: FloatArray,
    grid: FloatArray,
    before: FloatArray,
    ends_before: FloatArray,
    positions_before: IntArray,
    whole: FloatArray,
    parts: FloatArray,
    sides_at: FloatArray,
    places: IntArray,
    portions: FloatArray,
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
    size = packed.shape[0]
    points = grid.shape[0]
    weighted = weight.shape[0] > 0
    for chunk in prange(before.shape[0]):
        event_base = before[chunk, 0]
        others_base = before[chunk, 1]
        event_here = 0.0
        others_here = 0.0
        event = ends_before[chunk, 0]
        others = ends_before[chunk, 1]
        begin = positions_before[chunk]
        point = 0
        if begin > 0:
            point = np.searchsorted(grid, event + others, side="right")
        area = 0.0
        precision = 0.0
        distance = 0.0
        for position in range(chunk * CHUNK, min(size, (chunk + 1) * CHUNK)):
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
            is_last = position + 1 == size
            while point < points and (grid[point] <= depth_now or is_last):
                depth = event + others
                part = (grid[point] - depth) / (depth_now - depth) if depth_now > depth else 1.0
                part = min(max(part, 0.0), 1.0)
                sides_at[0, point] = event + part * (event_now - event)
                sides_at[1, point] = others + part * (others_now - others)
                places[point, 0] = begin
                places[point, 1] = position + 1
                portions[point] = part
                point += 1
            event = event_now
            others = others_now
            begin = position + 1
        parts[chunk, 0] = area
        parts[chunk, 1] = precision
        parts[chunk, 2] = distance / (whole[0] * whole[1])


@parallel_kernel
def count_at(
    packed: PackedArray,
    order: OrderArray,
    weight: FloatArray,
    counts_before: FloatArray,
    positions: IntArray,
    counts: FloatArray,
) -> None:
    """Fill ``counts`` (K, M) with class weights of the first ``positions`` (M,) rows, ascending."""
    size = packed.shape[0]
    weighted = weight.shape[0] > 0
    for chunk in prange(counts_before.shape[0]):
        first = chunk * CHUNK
        last = min(size, first + CHUNK)
        running = counts_before[chunk].copy()
        point = np.searchsorted(positions, first, side="left")
        for position in range(first, last):
            while point < positions.shape[0] and positions[point] == position:
                counts[:, point] = running
                point += 1
            running[packed[position] & CODE_BITS] += weight[order[position]] if weighted else 1.0
        if last == size:
            while point < positions.shape[0]:
                counts[:, point] = running
                point += 1


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


@own_kernel
def order_by_cell(cells: IntArray, ends: IntArray, rows: IntArray) -> None:
    """Row positions in ascending cell, rows of a cell in order: a counting sort.

    Parameters
    ----------
    cells : (m,) int64
    ends : (cells,) int64, filled
        Place in ``rows`` after the last row of each cell.
    rows : (m,) int64, filled
    """
    ends[:] = 0
    for row in range(cells.shape[0]):
        ends[cells[row]] += 1
    place = 0
    for cell in range(ends.shape[0]):
        place += ends[cell]
        ends[cell] = place - ends[cell]
    for row in range(cells.shape[0]):
        rows[ends[cells[row]]] = row
        ends[cells[row]] += 1


# Inner loops run over ``shape[0]`` of a row of lanes, not over the constant: a constant number of
# turns is unrolled before it is vectorised, which costs half the speed.


@own_kernel
def add_to_cells(
    drawn: NDArray[np.uint8],
    weight: FloatArray,
    ends: IntArray,
    rows: IntArray,
    counts: FloatArray,
) -> None:
    """Add drawn weights (m, LANES) to the cells (cells, LANES) of one ranking, cell by cell."""
    weighted = weight.shape[0] > 0
    whole = np.zeros(LANES, dtype=np.uint32)
    begin = 0
    for cell in range(ends.shape[0]):
        end = ends[cell]
        if end == begin:
            continue
        total = counts[np.uint64(cell)]
        if weighted:
            for place in range(begin, end):
                row = np.uint64(rows[place])
                case_weight = weight[row]
                lanes = drawn[row]
                for lane in range(lanes.shape[0]):
                    total[lane] += lanes[lane] * case_weight
        else:
            whole[:] = 0
            for place in range(begin, end):
                lanes = drawn[np.uint64(rows[place])]
                for lane in range(lanes.shape[0]):
                    whole[lane] = np.uint32(whole[lane] + np.uint32(lanes[lane]))
            for lane in range(total.shape[0]):
                total[lane] += whole[lane]
        begin = end


@own_kernel
def add_to_sums(
    drawn: NDArray[np.uint8], weight: FloatArray, contributions: FloatArray, sums: FloatArray
) -> None:
    """Add drawn weights (m, LANES) times contributions (S, m) to the sums (S, LANES)."""
    weighted = weight.shape[0] > 0
    size = drawn.shape[0]
    block = np.zeros((64, LANES))
    for base in range(0, size, 64):
        count = min(64, size - base)
        for step in range(64):
            scaled = block[np.uint64(step)]
            if step < count:
                lanes = drawn[np.uint64(base + step)]
                case_weight = weight[base + step] if weighted else 1.0
                for lane in range(lanes.shape[0]):
                    scaled[lane] = lanes[lane] * case_weight
            else:
                scaled[:] = 0.0
        for index in range(contributions.shape[0]):
            total = sums[np.uint64(index)]
            parts = contributions[np.uint64(index)]
            for step in range(0, count, 2):
                first = block[np.uint64(step)]
                second = block[np.uint64(step + 1)]
                part = parts[base + step]
                other = parts[base + step + 1] if step + 1 < count else 0.0
                for lane in range(total.shape[0]):
                    total[lane] += first[lane] * part + second[lane] * other


@parallel_kernel
def add_draws(
    seed: int,
    first_group: int,
    units: IntArray,
    weight: FloatArray,
    ends: IntArray,
    rows: IntArray,
    contributions: FloatArray,
    counts: FloatArray,
    sums: FloatArray,
) -> None:
    """Add a block of rows to Poisson bootstrap draws of every ranking and row sum at once.

    Each row gets Poisson(1) weights keyed by (seed, unit, draw), so that all models see the same
    cases drawn; a group of draws is filled by one thread, in a fixed order.

    Parameters
    ----------
    first_group : int
        Number of the first group of ``LANES`` draws.
    units : (m,) int64
        What is drawn: row numbers, or the number of the row's group or cluster.
    weight : (m,) or (0,) float64
        Case weights; empty = 1 each.
    ends : (R, cells) int64
        Per ranking the place in ``rows`` after the last row of each cell (bin and class).
    rows : (R, m) int64
        Per ranking the rows in ascending cell.
    contributions : (S, m) float64
        What each row adds to each sum, case weight not applied.
    counts : (draw groups, R, cells, LANES) float64, added to
    sums : (draw groups, S, LANES) float64, added to
    """
    for group in prange(counts.shape[0]):
        drawn = np.empty((units.shape[0], LANES), dtype=np.uint8)
        for row in range(units.shape[0]):
            fill_poisson(seed, units[row], first_group + group, drawn[row])
        for ranking in range(rows.shape[0]):
            add_to_cells(drawn, weight, ends[ranking], rows[ranking], counts[group, ranking])
        add_to_sums(drawn, weight, contributions, sums[group])


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
