"""Growing on histograms, best first: smaller children are counted, the largest is what is left.

Parting the rows of a node into left and right, in order, on one or several threads.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.boosting.growing.bin_search import (
    PlaneArray,
    screen_columns,
    search_levels,
    search_numbers,
)
from core.boosting.growing.binning import BinArray
from core.boosting.growing.leaves import RowArray
from core.boosting.growing.moments import part_moments, sum_moments
from core.boosting.growing.record_histograms import column_histogram, record_histogram
from core.boosting.growing.records import Records
from core.boosting.growing.rules import (
    MaskArray,
    Rules,
    allowed_columns,
    best_leaf,
    hand_down,
    open_children,
    open_root,
    point_children,
    whole,
)
from core.boosting.trees import LevelBits, TreeBuffers
from core.kernels import own_kernel, parallel_kernel, parallel_region, prange
from payoff.types import FloatArray, IntArray

SERIAL_PARTED_ROWS = 16_384
"""Rows of a node below which one thread parts it."""


@own_kernel
def _part_piece(
    values: BinArray,
    side: MaskArray,
    rows: RowArray,
    left_rows: RowArray,
    right_rows: RowArray,
    counts: IntArray,
    start: int,
    end: int,
    part: int,
) -> None:
    """Put one thread's rows into the left and right buffer, in order, without a branch.

    Places are unsigned: numba asks of signed ones whether they count from the end, which costs
    more than all the rest.
    """
    parts = counts.shape[0]
    begin = start + (end - start) * part // parts
    stop = start + (end - start) * (part + 1) // parts
    left = np.uint64(begin)
    right = np.uint64(begin)
    for k in range(begin, stop):
        row = rows[np.uint64(k)]
        goes_left = np.uint64(side[np.uint64(values[np.uint64(row)])])
        left_rows[left] = row
        right_rows[right] = row
        left += goes_left
        right += np.uint64(1) - goes_left
    counts[part, 0] = np.int64(left) - begin
    counts[part, 1] = np.int64(right) - begin


@own_kernel
def _move_piece(
    rows: RowArray,
    left_rows: RowArray,
    right_rows: RowArray,
    counts: IntArray,
    start: int,
    end: int,
    part: int,
) -> None:
    """Bring one thread's piece from the buffers to its place."""
    parts = counts.shape[0]
    begin = start + (end - start) * part // parts
    to_left = start
    to_right = start
    for piece in range(parts):
        to_right += counts[piece, 0]
    for piece in range(part):
        to_left += counts[piece, 0]
        to_right += counts[piece, 1]
    lefts, rights = counts[part, 0], counts[part, 1]
    rows[to_left : to_left + lefts] = left_rows[begin : begin + lefts]
    rows[to_right : to_right + rights] = right_rows[begin : begin + rights]


@parallel_kernel
def _part_parallel(
    values: BinArray,
    side: MaskArray,
    rows: RowArray,
    left_rows: RowArray,
    right_rows: RowArray,
    counts: IntArray,
    start: int,
    end: int,
) -> None:
    for part in prange(counts.shape[0]):
        _part_piece(values, side, rows, left_rows, right_rows, counts, start, end, whole(part))


@parallel_kernel
def _move_parallel(
    rows: RowArray,
    left_rows: RowArray,
    right_rows: RowArray,
    counts: IntArray,
    start: int,
    end: int,
) -> None:
    for part in prange(counts.shape[0]):
        _move_piece(rows, left_rows, right_rows, counts, start, end, whole(part))


_part_in_parallel = _part_parallel.dispatcher
_move_in_parallel = _move_parallel.dispatcher


@own_kernel
def part_rows(
    values: BinArray,
    side: MaskArray,
    rows: RowArray,
    left_rows: RowArray,
    right_rows: RowArray,
    all_counts: IntArray,
    start: int,
    end: int,
) -> int:
    """Part the rows of a node stably; where the right side begins."""
    counts = all_counts
    if end - start < SERIAL_PARTED_ROWS or counts.shape[0] == 1:
        counts = all_counts[:1]
        _part_piece(values, side, rows, left_rows, right_rows, counts, start, end, 0)
        _move_piece(rows, left_rows, right_rows, counts, start, end, 0)
        return int(start + counts[0, 0])
    _part_in_parallel(values, side, rows, left_rows, right_rows, counts, start, end)
    _move_in_parallel(rows, left_rows, right_rows, counts, start, end)
    middle = start
    for part in range(counts.shape[0]):
        middle += counts[part, 0]
    return middle


SCREENING_MARGIN = 2.0**-16
"""Share by which float32 sums may err, with room to spare."""


class Layout(NamedTuple):
    """Where bins lie in the planes: bin b of a column at first + b x step; P places in all.

    ``first``, ``place`` (of a column among the promises) and ``missing_slot`` are int64 (F,).
    """

    first: IntArray
    step: int
    place: IntArray
    n_bins: IntArray
    missing_slot: IntArray
    missing_bin: int


class HistogramSpace(NamedTuple):
    """Memory of the histogram grower; n rows, N nodes, S slots, T threads, F columns."""

    rows: RowArray  # (n,) rows of each node
    left_rows: RowArray  # (n,)
    right_rows: RowArray  # (n,)
    part_counts: IntArray  # (T, 2)
    pool: PlaneArray  # (S, 3, P) histograms of leaves
    slot: IntArray  # (N,) which of them is a leaf's
    sums: NDArray[np.int64]  # (T, P) lanes
    planes: NDArray[np.int32]  # (T, 3, P)
    totals: PlaneArray  # (N, 3) gradient, curvature, count
    work: PlaneArray  # (5, bins)
    running: NDArray[np.int32]  # (192,) of ``screen_columns``
    expected_gains: NDArray[np.float32]  # (3, places of all tiles)
    searched: IntArray  # (3,) leaves that are being searched
    side: MaskArray  # (bins + 2,) which bins go left
    best_gain: FloatArray  # (N,)
    best_feature: RowArray  # (N,)
    best_bin: RowArray  # (N,)
    best_missing_left: MaskArray  # (N,)
    best_levels: LevelBits  # (N, W)
    best_trust: FloatArray  # (N,)
    moments: FloatArray  # (N, 3) of ``sum_moments``
    levels: LevelBits  # (W,) of the column that is being searched
    used: MaskArray  # (N, F)
    allowed: MaskArray  # (F,)
    low: FloatArray  # (N,)
    high: FloatArray  # (N,)


class Fit(NamedTuple):
    """What a tree is fitted to. ``units``: the worth of one gradient and one curvature unit."""

    g: FloatArray
    h: FloatArray
    terms: FloatArray  # (n, 3) of ``fill_terms``; (0, 3) where levels are not shrunk
    first_spread: FloatArray  # (F,) of ``level_spread``
    units: FloatArray
    is_alone: bool


@own_kernel
def _build(
    records: Any,
    bins: BinArray,
    layout: Layout,
    fit: Fit,
    start: int,
    end: int,
    space: HistogramSpace,
    out: PlaneArray,
) -> None:
    """Fill a node's histogram; without records column by column (the branch is compiled away)."""
    if records is None:
        column_histogram(
            bins,
            space.rows,
            start,
            end,
            fit.g,
            fit.h,
            layout.first,
            layout.missing_bin,
            layout.missing_slot,
            out,
        )
    else:
        record_histogram(
            records, space.rows, start, end, fit.is_alone, space.sums, space.planes, out
        )


@own_kernel
def _subtract(total: PlaneArray, part: PlaneArray) -> None:
    for plane in range(3):
        x = total[plane]
        y = part[plane]
        for i in range(x.shape[0]):
            x[i] -= y[i]


@own_kernel
def _add_up(node: int, layout: Layout, space: HistogramSpace) -> None:
    """Fill a node's totals from the bins of the first column."""
    planes = space.pool[space.slot[node]]
    first = layout.first[0]
    for plane in range(3):
        total = planes[plane][first + layout.missing_slot[0] * layout.step]
        for i in range(layout.n_bins[0]):
            total += planes[plane][first + i * layout.step]
        space.totals[node, plane] = total


@own_kernel
def _search_node(
    node: int,
    expected_gain: NDArray[np.float32],
    layout: Layout,
    fit: Fit,
    rules: Rules,
    space: HistogramSpace,
    drawn: MaskArray,
) -> None:
    """Find a leaf's best split; ties go to the first column and the lowest bin.

    Promises are float32: numeric columns that differ by their rounding only are all searched.
    Where there are none, all are 0.
    """
    allowed_columns(node, space.used, drawn, rules.together, space.allowed)
    most = 0.0
    for column in range(drawn.shape[0]):
        if space.allowed[column] != 0 and rules.nominal[column] == 0:
            most = max(most, float(expected_gain[layout.place[column]]))
    least = most * (1.0 - SCREENING_MARGIN)
    for column in range(drawn.shape[0]):
        is_nominal = rules.nominal[column] != 0
        if space.allowed[column] == 0:
            continue
        if not is_nominal and expected_gain[layout.place[column]] < least:
            continue
        gain, last, trust, is_left = _search_column(
            node, column, is_nominal, layout, fit, rules, space
        )
        if gain > space.best_gain[node]:
            space.best_gain[node] = gain
            space.best_feature[node] = column
            space.best_bin[node] = last
            space.best_trust[node] = trust
            space.best_missing_left[node] = 1 if is_left else 0
            for word in range(space.levels.shape[0]):
                space.best_levels[node, word] = space.levels[word]


@own_kernel
def _search_column(
    node: int,
    column: int,
    is_nominal: bool,
    layout: Layout,
    fit: Fit,
    rules: Rules,
    space: HistogramSpace,
) -> tuple[float, int, float, bool]:
    """Best gain of one column, its last bin on the left, the trust in it, where missing goes."""
    planes, totals = space.pool[space.slot[node]], space.totals[node]
    low, high = space.low[node], space.high[node]
    first, step, size = layout.first[column], layout.step, layout.n_bins[column]
    slot = layout.missing_slot[column]
    if is_nominal:
        own = space.moments[node]
        moments = (own[0], own[1], own[2])
        gain, trust, is_left = search_levels(
            planes,
            first,
            step,
            size,
            slot,
            totals,
            fit.units,
            moments,
            fit.first_spread[column],
            rules,
            low,
            high,
            space.levels,
        )
        return gain, -1, trust, is_left
    sign = whole(rules.monotone[column])
    gain, last, is_left = search_numbers(
        planes, first, step, size, slot, totals, fit.units, rules, sign, low, high, space.work
    )
    return gain, last, 1.0, is_left


@own_kernel
def _screen(
    records: Any,
    nodes: IntArray,
    layout: Layout,
    fit: Fit,
    rules: Rules,
    space: HistogramSpace,
) -> None:
    """Fill the promises of leaves; without records they stay 0 (the branch is compiled away)."""
    if records is not None:
        limits = np.empty(3)
        limits[0] = rules.min_cases
        limits[1] = rules.least / fit.units[1]
        limits[2] = rules.l2 / fit.units[1]
        for place in range(nodes.shape[0]):
            screen_columns(
                space.pool[space.slot[nodes[place]]],
                layout.step,
                layout.n_bins,
                layout.missing_slot[0],
                space.totals[nodes[place]],
                limits,
                rules.is_third_child,
                space.running,
                space.expected_gains[place],
            )


@own_kernel
def _search_nodes(
    tree: TreeBuffers,
    first: int,
    last: int,
    records: Any,
    layout: Layout,
    fit: Fit,
    rules: Rules,
    space: HistogramSpace,
    drawn: MaskArray,
) -> None:
    """Find the best splits of the leaves ``first`` to ``last``, children of one split."""
    wanted = 0
    for node in range(first, last + 1):
        space.best_gain[node] = 0.0
        size = tree.end[node] - tree.start[node]
        is_deep = rules.max_depth > 0 and tree.depth[node] >= rules.max_depth
        if size >= 2 * rules.min_cases and not is_deep:
            if records is None:  # no whole numbers: what their sum is depends on the order
                _add_up(node, layout, space)
            space.searched[wanted] = node
            wanted += 1
    if not rules.has_bounds:
        _screen(records, space.searched[:wanted], layout, fit, rules, space)
    for place in range(wanted):
        expected_gain = space.expected_gains[place]
        _search_node(space.searched[place], expected_gain, layout, fit, rules, space, drawn)


@own_kernel
def _fill_sides(
    tree: TreeBuffers,
    node: int,
    is_nominal: bool,
    is_missing_left: bool,
    layout: Layout,
    side: MaskArray,
) -> None:
    """Fill which bins go left."""
    if is_nominal:
        for level in range(min(side.shape[0], tree.levels.shape[1] * 64)):
            word = tree.levels[node, level >> 6]
            side[level] = np.uint8((word >> np.uint64(level & 63)) & np.uint64(1))
    else:
        last = tree.bin[node]
        for place in range(side.shape[0]):
            side[place] = 1 if place <= last else 0
    side[layout.missing_bin] = 1 if is_missing_left else 0


@own_kernel
def _send_absent_levels_left(
    tree: TreeBuffers, node: int, layout: Layout, planes: PlaneArray, column: int
) -> None:
    """Send levels that no row of the node has to the left."""
    for level in range(layout.n_bins[column]):
        if planes[2][layout.first[column] + level * layout.step] == 0:
            tree.levels[node, level >> 6] |= np.uint64(1) << np.uint64(level & 63)


@own_kernel
def _left_sums(
    tree: TreeBuffers,
    node: int,
    layout: Layout,
    planes: PlaneArray,
    column: int,
    is_nominal: bool,
) -> tuple[float, float]:
    """Gradient and curvature of the bins that go left; missing values are not among them."""
    left_g = left_h = 0.0
    for place in range(layout.n_bins[column]):
        if is_nominal:
            word = tree.levels[node, place >> 6]
            is_left = ((word >> np.uint64(place & 63)) & np.uint64(1)) != 0
        else:
            is_left = place <= tree.bin[node]
        if is_left:
            left_g += planes[0][layout.first[column] + place * layout.step]
            left_h += planes[1][layout.first[column] + place * layout.step]
    return left_g, left_h


@own_kernel
def _set_totals(node: int, g: float, h: float, cases: int, space: HistogramSpace) -> None:
    """Keep a child's sums as those of its side of the split."""
    space.totals[node, 0] = g
    space.totals[node, 1] = h
    space.totals[node, 2] = cases


@own_kernel
def _split(
    tree: TreeBuffers,
    number: int,
    bins: BinArray,
    layout: Layout,
    fit: Fit,
    rules: Rules,
    space: HistogramSpace,
) -> tuple[int, int, int]:
    """Split a leaf by its best split; the new left, right and missing node (-1 = none)."""
    node = whole(tree.leaf_node[number])
    column = whole(space.best_feature[node])
    start, end = tree.start[node], tree.end[node]
    is_nominal = rules.nominal[column] != 0
    is_missing_left = space.best_missing_left[node] != 0
    planes = space.pool[space.slot[node]]
    at_missing = layout.first[column] + layout.missing_slot[column] * layout.step
    absent = whole(planes[2][at_missing])
    tree.feature[node] = column
    tree.bin[node] = space.best_bin[node]
    tree.gain[node] = space.best_gain[node]
    if is_nominal:
        tree.levels[node] = space.best_levels[node]
        tree.trust[node] = space.best_trust[node]
    _fill_sides(tree, node, is_nominal, is_missing_left, layout, space.side)
    middle = part_rows(
        bins[column],
        space.side,
        space.rows,
        space.left_rows,
        space.right_rows,
        space.part_counts,
        start,
        end,
    )
    last = end
    if rules.is_third_child and absent > 0:
        space.side[:] = 1
        space.side[layout.missing_bin] = 0
        last = part_rows(
            bins[column],
            space.side,
            space.rows,
            space.left_rows,
            space.right_rows,
            space.part_counts,
            middle,
            end,
        )
    left, right, third = open_children(tree, node, number, middle, last, rules.is_third_child)
    left_g, left_h = _left_sums(tree, node, layout, planes, column, is_nominal)
    right_g = space.totals[node, 0] - left_g
    right_h = space.totals[node, 1] - left_h
    missing_g = planes[0][at_missing]
    missing_h = planes[1][at_missing]
    if is_missing_left:
        left_g, left_h = left_g + missing_g, left_h + missing_h
    if is_missing_left or rules.is_third_child:
        right_g, right_h = right_g - missing_g, right_h - missing_h
    is_left_heavier = left_h >= right_h
    _set_totals(left, left_g, left_h, middle - start, space)
    _set_totals(right, right_g, right_h, last - middle, space)
    if third >= 0:
        _set_totals(third, missing_g, missing_h, end - last, space)
    point_children(tree, node, is_left_heavier, is_missing_left, absent, rules.is_gbm)
    if is_nominal and is_left_heavier:
        _send_absent_levels_left(tree, node, layout, planes, column)
    unit_g, unit_h = fit.units[0], fit.units[1]
    hand_down(
        tree,
        node,
        column,
        rules,
        left_g * unit_g / (left_h * unit_h + rules.l2),
        right_g * unit_g / (right_h * unit_h + rules.l2),
        space.low,
        space.high,
        space.used,
    )
    return left, right, third


@own_kernel
def _count_children(
    tree: TreeBuffers,
    parent: int,
    left: int,
    right: int,
    third: int,
    records: Any,
    bins: BinArray,
    layout: Layout,
    fit: Fit,
    space: HistogramSpace,
    next_slot: int,
) -> int:
    """Histograms and moments of the children: the largest takes the parent's less the others'."""
    largest = left
    if tree.end[right] - tree.start[right] > tree.end[left] - tree.start[left]:
        largest = right
    if third >= 0 and (
        tree.end[third] - tree.start[third] > tree.end[largest] - tree.start[largest]
    ):
        largest = third
    if fit.terms.shape[0]:
        part_moments(
            fit.terms,
            space.rows,
            tree.start,
            tree.end,
            parent,
            (left, right, third),
            largest,
            space.part_counts.shape[0] > 1,
            space.moments,
        )
    kept = space.slot[parent]
    for child in (left, right, third):
        if child < 0 or child == largest:
            continue
        space.slot[child] = next_slot
        _build(
            records,
            bins,
            layout,
            fit,
            tree.start[child],
            tree.end[child],
            space,
            space.pool[next_slot],
        )
        _subtract(space.pool[kept], space.pool[next_slot])
        next_slot += 1
    space.slot[largest] = kept
    return next_slot


@own_kernel
def _grow(
    tree: TreeBuffers,
    size: int,
    records: Any,
    bins: BinArray,
    layout: Layout,
    fit: Fit,
    rules: Rules,
    space: HistogramSpace,
    drawn: MaskArray,
) -> None:
    open_root(tree, size, space.low, space.high, space.used)
    space.slot[0] = 0
    _build(records, bins, layout, fit, whole(0), whole(size), space, space.pool[0])
    _add_up(0, layout, space)
    if fit.terms.shape[0]:
        is_parallel = space.part_counts.shape[0] > 1
        sum_moments(fit.terms, space.rows, 0, size, is_parallel, space.moments[0])
    _search_nodes(tree, whole(0), whole(0), records, layout, fit, rules, space, drawn)
    next_slot = 1
    for split in range(rules.splits):
        number = best_leaf(tree, space.best_gain)
        if number < 0:
            break
        parent = whole(tree.leaf_node[number])
        left, right, third = _split(tree, number, bins, layout, fit, rules, space)
        if split + 1 == rules.splits:
            break
        next_slot = _count_children(
            tree, parent, left, right, third, records, bins, layout, fit, space, next_slot
        )
        newest = third if third >= 0 else right
        _search_nodes(tree, left, newest, records, layout, fit, rules, space, drawn)


def grow_by_histogram(
    tree: TreeBuffers,
    size: int,
    records: Records | None,
    bins: BinArray,
    layout: Layout,
    fit: Fit,
    rules: Rules,
    space: HistogramSpace,
    drawn: MaskArray,
) -> None:
    """Grow one tree best first over the cases ``space.rows[:size]``.

    Parameters
    ----------
    records : Records or None
        With rounded gradients written in; None = float64 sums over ``bins`` (F, n).
    """
    with parallel_region():
        _grow(tree, size, records, bins, layout, fit, rules, space, drawn)
