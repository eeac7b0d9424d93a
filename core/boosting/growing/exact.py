"""Growing on every distinct value: rows sorted once per column, sums in float64.

Each column keeps its rows of a node in rising order (missing values last); a split parts every
column's list stably, so a node costs its own rows only.

The best split of a node on every distinct value: sorted numbers, levels, all columns.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.boosting.growing.level_search import believed, order_levels
from core.boosting.growing.moments import Moments, moments_of
from core.boosting.growing.rules import (
    MaskArray,
    Rules,
    allowed_columns,
    best_leaf,
    bounded_improvement,
    hand_down,
    improvement,
    open_children,
    open_root,
    point_children,
    whole,
)
from core.boosting.trees import LevelBits, TreeBuffers
from core.kernels import own_kernel, parallel_kernel, parallel_region, prange
from payoff.types import FloatArray, IntArray

RowArray = NDArray[np.int32]


SERIAL_CELLS = 30_000
"""Rows times columns of a node below which threads cost more than they save."""


SCREEN = 1.0 - 1e-9
"""What a split must reach of the best one before its gain is worked out: room for rounding."""


class ExactSpace(NamedTuple):
    """Memory of the exact grower; F columns, n rows, N nodes, L levels, W words of level bits."""

    order: RowArray  # (F, n) rows of each node in rising order
    spare: RowArray  # (F, n)
    side: MaskArray  # (n,) where the rows of a split node go
    best_gain: FloatArray  # (N,)
    best_feature: RowArray  # (N,)
    best_threshold: FloatArray  # (N,)
    best_missing_left: MaskArray  # (N,)
    best_levels: LevelBits  # (N, W)
    best_trust: FloatArray  # (N,)
    gains: FloatArray  # (F,) of the node that is being searched
    thresholds: FloatArray  # (F,)
    missing_left: MaskArray  # (F,)
    trusts: FloatArray  # (F,)
    levels: LevelBits  # (F, W)
    level_sums: FloatArray  # (F, 3, L)
    first_spread: FloatArray  # (F,) of ``level_spread``
    used: MaskArray  # (N, F)
    allowed: MaskArray  # (F,)
    low: FloatArray  # (N,)
    high: FloatArray  # (N,)


def new_exact_space(columns: int, rows: int, nodes: int, words: int, levels: int) -> ExactSpace:
    """Memory for trees of at most ``nodes`` nodes over ``rows`` bagged rows."""
    return ExactSpace(
        order=np.empty((columns, rows), dtype=np.int32),
        spare=np.empty((columns, rows), dtype=np.int32),
        side=np.zeros(rows, dtype=np.uint8),
        best_gain=np.zeros(nodes),
        best_feature=np.zeros(nodes, dtype=np.int32),
        best_threshold=np.zeros(nodes),
        best_missing_left=np.zeros(nodes, dtype=np.uint8),
        best_levels=np.zeros((nodes, words), dtype=np.uint64),
        best_trust=np.ones(nodes),
        gains=np.zeros(columns),
        thresholds=np.zeros(columns),
        missing_left=np.zeros(columns, dtype=np.uint8),
        trusts=np.ones(columns),
        levels=np.zeros((columns, words), dtype=np.uint64),
        level_sums=np.zeros((columns, 3, max(levels, 1))),
        first_spread=np.zeros(columns),
        used=np.zeros((nodes, columns), dtype=np.uint8),
        allowed=np.zeros(columns, dtype=np.uint8),
        low=np.zeros(nodes),
        high=np.zeros(nodes),
    )


@own_kernel
def sums_of(g: FloatArray, h: FloatArray, rows: RowArray) -> tuple[float, float]:
    gradient = hessian = 0.0
    for k in range(rows.shape[0]):
        row = np.uint64(rows[k])
        gradient += g[row]
        hessian += h[row]
    return gradient, hessian


@own_kernel
def _gain(
    gl: float,
    hl: float,
    gr: float,
    hr: float,
    gm: float,
    hm: float,
    rules: Rules,
    sign: int,
    low: float,
    high: float,
) -> float:
    if not (hl > rules.least and hr > rules.least):
        return -1.0
    if rules.has_bounds or sign != 0:
        return bounded_improvement(gl, hl, gr, hr, gm, hm, rules.l2, sign, low, high, rules.is_gbm)
    return improvement(gl, hl, gr, hr, gm, hm, rules.l2)


@own_kernel(inline=True)
def _may_win(gl: float, hl: float, gr: float, hr: float, l2: float, bar: float) -> bool:
    """Whether gl^2 / (hl + l2) + gr^2 / (hr + l2) may exceed the bar: without a division."""
    x = hl + l2
    y = hr + l2
    return bool(gl * gl * y + gr * gr * x >= bar * x * y)


@own_kernel
def _bar(best: float, total_g: float, total_h: float, gm: float, hm: float, rules: Rules) -> float:
    """What the two sides must bring so that a split may beat ``best``; 0 where bounds decide."""
    if rules.has_bounds:
        return 0.0
    bar = best + total_g * total_g / (total_h + rules.l2)
    if hm > 0.0:
        bar -= gm * gm / (hm + rules.l2)
    return bar * SCREEN if bar > 0.0 else 0.0


@own_kernel
def _search_numbers(
    values: FloatArray,
    rows: RowArray,
    node_g: float,
    node_h: float,
    g: FloatArray,
    h: FloatArray,
    rules: Rules,
    sign: int,
    low: float,
    high: float,
) -> tuple[float, float, bool]:
    """Best gain, threshold and side of missing values of a column in a node."""
    n = rows.shape[0]
    present = n
    gm = 0.0
    hm = 0.0
    while present > 0 and math.isnan(values[np.uint64(rows[present - 1])]):
        present -= 1
        row = np.uint64(rows[present])
        gm += g[row]
        hm += h[row]
    all_g = node_g
    all_h = node_h
    absent = n - present
    if absent > 0:
        all_g, all_h = sums_of(g, h, rows[:present])
    is_third = rules.is_third_child
    third_g = gm if is_third else 0.0
    third_h = hm if is_third else 0.0
    side_g = 0.0 if is_third else gm
    side_h = 0.0 if is_third else hm
    side_cases = 0 if is_third else absent
    total_g, total_h = all_g + gm, all_h + hm
    best = 0.0
    bar = _bar(best, total_g, total_h, third_g, third_h, rules)
    threshold = 0.0
    is_missing_left = False
    gl = 0.0
    hl = 0.0
    following = values[np.uint64(rows[0])] if n > 0 else math.nan
    for k in range(present - 1):
        row = np.uint64(rows[np.uint64(k)])
        gl += g[row]
        hl += h[row]
        here = following
        following = values[np.uint64(rows[np.uint64(k + 1)])]
        if here == following:
            continue
        cases = k + 1
        others = present - cases
        gr = all_g - gl + side_g
        hr = all_h - hl + side_h
        if (
            cases >= rules.min_cases
            and others + side_cases >= rules.min_cases
            and _may_win(gl, hl, gr, hr, rules.l2, bar)
        ):
            gain = _gain(gl, hl, gr, hr, third_g, third_h, rules, sign, low, high)
            if gain > best:
                best = gain
                bar = _bar(best, total_g, total_h, third_g, third_h, rules)
                threshold = 0.5 * (here + following)
                is_missing_left = False
        if side_cases > 0 and cases + side_cases >= rules.min_cases and others >= rules.min_cases:
            gain = _gain(
                gl + side_g, hl + side_h, all_g - gl, all_h - hl, 0.0, 0.0, rules, sign, low, high
            )
            if gain > best:
                best = gain
                bar = _bar(best, total_g, total_h, third_g, third_h, rules)
                threshold = 0.5 * (here + following)
                is_missing_left = True
    if side_cases >= rules.min_cases and present >= rules.min_cases:
        gain = _gain(all_g, all_h, side_g, side_h, 0.0, 0.0, rules, sign, low, high)
        if gain > best:
            best = gain
            threshold = math.nan  # every number is on the left
            is_missing_left = False
    return best, threshold, is_missing_left


@own_kernel
def _sums_of_levels(
    values: FloatArray,
    rows: RowArray,
    g: FloatArray,
    h: FloatArray,
    levels: int,
    sums: FloatArray,
) -> tuple[float, float, int]:
    """Fill gradient, curvature and rows per level; those of missing values, and rows present."""
    sums[:, :levels] = 0.0
    gm = hm = 0.0
    present = 0
    for k in range(rows.shape[0]):
        row = rows[k]
        value = values[row]
        if value >= 0.0:
            level = int(value)
            sums[0, level] += g[row]
            sums[1, level] += h[row]
            sums[2, level] += 1.0
            present += 1
        else:
            gm += g[row]
            hm += h[row]
    return gm, hm, present


@own_kernel
def _held_levels(sums: FloatArray, levels: int) -> tuple[IntArray, FloatArray, FloatArray]:
    """Return the levels with weight in a node, and gradient and weight of each."""
    held = np.empty(levels, np.int64)
    size = 0
    for level in range(levels):
        held[size] = level
        size += 1 if sums[1, level] > 0.0 else 0
    raw = np.empty(size)
    hessians = np.empty(size)
    for k in range(size):
        raw[k] = sums[0, held[k]]
        hessians[k] = sums[1, held[k]]
    return held, raw, hessians


@own_kernel
def _cut_levels(
    sequence: IntArray,
    held: IntArray,
    gradients: FloatArray,
    hessians: FloatArray,
    sums: FloatArray,
    whole: tuple[float, float, int],
    lost: tuple[float, float, int],
    third: tuple[float, float],
    rules: Rules,
    low: float,
    high: float,
) -> tuple[float, int, bool]:
    """Return the best gain of parting levels in an order, the last to the left, and missing's side.

    ``whole``: gradient, weight and cases of all levels; ``lost``: of the missing values that go to
    a side; ``third``: gradient and weight of those that get a child of their own.
    """
    all_g, all_h, present = whole
    side_g, side_h, side_cases = lost
    best = 0.0
    last = -1
    is_missing_left = False
    gl = hl = 0.0
    cases = 0
    for k in range(sequence.shape[0]):
        place = sequence[k]
        gl += gradients[place]
        hl += hessians[place]
        cases += int(sums[2, held[place]])
        others = present - cases
        if cases >= rules.min_cases and others + side_cases >= rules.min_cases:
            right_g, right_h = all_g - gl + side_g, all_h - hl + side_h
            gain = _gain(gl, hl, right_g, right_h, third[0], third[1], rules, 0, low, high)
            if gain > best:
                best, last, is_missing_left = gain, k, False
        if side_cases > 0 and cases + side_cases >= rules.min_cases and others >= rules.min_cases:
            gain = _gain(
                gl + side_g, hl + side_h, all_g - gl, all_h - hl, 0.0, 0.0, rules, 0, low, high
            )
            if gain > best:
                best, last, is_missing_left = gain, k, True
    return best, last, is_missing_left


@own_kernel
def _fill_left_levels(
    sequence: IntArray,
    last: int,
    held: IntArray,
    raw: FloatArray,
    shrunk: FloatArray,
    hessians: FloatArray,
    bits: LevelBits,
) -> tuple[float, float, float]:
    """Fill the levels that go left; return their gradient, that of shrunk means, and the weight."""
    for word in range(bits.shape[0]):
        bits[word] = np.uint64(0)
    raw_g = shrunk_g = mass = 0.0
    for k in range(last + 1):
        place = sequence[k]
        level = held[place]
        bits[level >> 6] |= np.uint64(1) << np.uint64(level & 63)
        raw_g += raw[place]
        shrunk_g += shrunk[place]
        mass += hessians[place]
    return raw_g, shrunk_g, mass


@own_kernel
def _search_levels(
    values: FloatArray,
    rows: RowArray,
    g: FloatArray,
    h: FloatArray,
    moments: Moments,
    first_spread: float,
    rules: Rules,
    levels: int,
    sums: FloatArray,
    low: float,
    high: float,
    bits: LevelBits,
) -> tuple[float, float, bool]:
    """Best gain of a nominal column, the trust in it, the side of missing values; fills ``bits``.

    Levels are put in order of their mean and parted as a sequence (Fisher: exact for squared
    error). Levels without weight come last and so go right.
    """
    gm, hm, present = _sums_of_levels(values, rows, g, h, levels, sums)
    held, raw, hessians = _held_levels(sums, levels)
    all_g = raw.sum()
    all_h = hessians.sum()
    shrunk = raw.copy()
    sequence, noise = order_levels(shrunk, hessians, gm, hm, moments, first_spread, rules)
    is_third = rules.is_third_child
    whole = all_g, all_h, present
    lost = (0.0, 0.0, 0) if is_third else (gm, hm, rows.shape[0] - present)
    third = (gm, hm) if is_third else (0.0, 0.0)
    best, last, is_missing_left = _cut_levels(
        sequence, held, shrunk, hessians, sums, whole, lost, third, rules, low, high
    )
    left = _fill_left_levels(sequence, last, held, raw, shrunk, hessians, bits)
    if rules.level_penalty == 0.0 or last < 0:
        return best, 1.0, is_missing_left
    raw_g, shrunk_g, mass = left
    if is_missing_left:
        raw_g, shrunk_g, mass = raw_g + gm, shrunk_g + gm, mass + hm
    whole_g, whole_h = all_g + lost[0], all_h + lost[1]
    has_third = is_third and hm > 0.0
    best, trust = believed(best, noise, raw_g, shrunk_g, mass, whole_g, whole_h, has_third)
    return best, trust, is_missing_left


@own_kernel
def _search_column(
    column: int,
    node: int,
    totals: tuple[float, float],
    moments: Moments,
    values: FloatArray,
    start: int,
    end: int,
    g: FloatArray,
    h: FloatArray,
    rules: Rules,
    space: ExactSpace,
) -> None:
    space.gains[column] = 0.0
    if space.allowed[column] == 0:
        return
    rows = space.order[column, start:end]
    low, high = space.low[node], space.high[node]
    if rules.nominal[column] != 0:
        gain, trust, is_left = _search_levels(
            values[column],
            rows,
            g,
            h,
            moments,
            space.first_spread[column],
            rules,
            rules.n_levels[column],
            space.level_sums[column],
            low,
            high,
            space.levels[column],
        )
        space.thresholds[column] = 0.0
        space.trusts[column] = trust
    else:
        gain, threshold, is_left = _search_numbers(
            values[column], rows, *totals, g, h, rules, whole(rules.monotone[column]), low, high
        )
        space.thresholds[column] = threshold
    space.gains[column] = gain
    space.missing_left[column] = 1 if is_left else 0


@parallel_kernel
def _search_columns(
    node: int,
    totals: tuple[float, float],
    moments: Moments,
    values: FloatArray,
    start: int,
    end: int,
    g: FloatArray,
    h: FloatArray,
    rules: Rules,
    space: ExactSpace,
) -> None:
    for column in prange(values.shape[0]):
        _search_column(whole(column), node, totals, moments, values, start, end, g, h, rules, space)


_search_parallel = _search_columns.dispatcher


@own_kernel
def search_node(
    tree: TreeBuffers,
    node: int,
    values: FloatArray,
    g: FloatArray,
    h: FloatArray,
    weight: FloatArray,
    rules: Rules,
    space: ExactSpace,
    drawn: MaskArray,
) -> None:
    """Find a leaf's best split; ties go to the first column."""
    start, end = tree.start[node], tree.end[node]
    space.best_gain[node] = 0.0
    if end - start < 2 * rules.min_cases or (
        rules.max_depth > 0 and tree.depth[node] >= rules.max_depth
    ):
        return
    allowed_columns(node, space.used, drawn, rules.together, space.allowed)
    width = values.shape[0]
    totals = sums_of(g, h, space.order[0, start:end])
    moments = (0.0, 0.0, 0.0)
    if rules.level_penalty > 0.0:
        moments = moments_of(g, weight, space.order[0, start:end])
    if (end - start) * width < SERIAL_CELLS:
        for column in range(width):
            _search_column(column, node, totals, moments, values, start, end, g, h, rules, space)
    else:
        _search_parallel(node, totals, moments, values, start, end, g, h, rules, space)
    for column in range(width):
        if space.gains[column] > space.best_gain[node]:
            space.best_gain[node] = space.gains[column]
            space.best_feature[node] = column
            space.best_threshold[node] = space.thresholds[column]
            space.best_missing_left[node] = space.missing_left[column]
            space.best_levels[node] = space.levels[column]
            space.best_trust[node] = space.trusts[column]


def sorted_rows(values: FloatArray) -> RowArray:
    """Rows of each column of (F, n) values in rising order, missing last, ties in row order."""
    return np.argsort(values, axis=1, kind="stable").astype(np.int32)


@parallel_kernel
def bag_orders(sorted_all: RowArray, bag: MaskArray, order: RowArray) -> None:
    """Fill the sorted rows of the bagged cases (``bag[row]`` = 1) of every column."""
    for column in prange(sorted_all.shape[0]):
        place = 0
        to = np.empty(sorted_all.shape[1] + 1, dtype=np.int32)
        for k in range(sorted_all.shape[1]):
            row = sorted_all[column, k]
            to[np.uint64(place)] = row  # written over by the next, unless the case is in the bag
            place += whole(bag[np.uint64(row)])
        order[column, :place] = to[:place]


@own_kernel
def _choose_sides(
    tree: TreeBuffers, node: int, values: FloatArray, rules: Rules, space: ExactSpace
) -> tuple[int, int, int]:
    """Fill the side of every row of a node (0 left, 1 right, 2 a child of missing values).

    Returns the cases left, the cases right, and how many values are missing.
    """
    column = tree.feature[node]
    is_nominal = rules.nominal[column] != 0
    missing_side = 2 if rules.is_third_child else 1 - int(space.best_missing_left[node])
    counts = np.zeros(3, dtype=np.int64)
    absent = 0
    for k in range(tree.start[node], tree.end[node]):
        row = space.order[column, k]
        value = values[column, row]
        side = missing_side
        if is_nominal and value >= 0.0:
            level = int(value)
            word = tree.levels[node, level >> 6]
            side = 1 - int((word >> np.uint64(level & 63)) & np.uint64(1))
        elif not is_nominal and not math.isnan(value):
            side = 1 if value >= tree.threshold[node] else 0
        else:
            absent += 1
        space.side[row] = side
        counts[side] += 1
    return counts[0], counts[1], absent


@own_kernel
def _part_column(
    order: RowArray, spare: RowArray, side: MaskArray, start: int, end: int, left: int, right: int
) -> None:
    """Part one column's list of a node stably by the sides of its rows.

    Rows of the left move up in place: they never overtake the row that is read.
    """
    to_left = np.uint64(start)
    others = np.uint64(0)
    for k in range(start, end):
        row = order[np.uint64(k)]
        goes_left = np.uint64(side[np.uint64(row)] == 0)
        order[to_left] = row
        spare[others] = row
        to_left += goes_left
        others += np.uint64(1) - goes_left
    middle = start + left
    if middle + right == end:
        order[middle:end] = spare[: end - middle]
        return
    to_right = np.uint64(middle)
    to_third = np.uint64(middle + right)
    for k in range(end - middle):
        row = spare[k]
        if side[np.uint64(row)] == 1:
            order[to_right] = row
            to_right += np.uint64(1)
        else:
            order[to_third] = row
            to_third += np.uint64(1)


@parallel_kernel
def _part_columns(
    order: RowArray, spare: RowArray, side: MaskArray, start: int, end: int, left: int, right: int
) -> None:
    for column in prange(order.shape[0]):
        _part_column(order[column], spare[column], side, start, end, left, right)


_part_parallel = _part_columns.dispatcher


@own_kernel
def _send_absent_levels_left(
    tree: TreeBuffers, node: int, levels: int, values: FloatArray, rows: RowArray
) -> None:
    """Send levels that no row of the node has to the left."""
    is_held = np.zeros(levels, dtype=np.uint8)
    for k in range(rows.shape[0]):
        if values[rows[k]] >= 0.0:
            is_held[int(values[rows[k]])] = 1
    for level in range(levels):
        if is_held[level] == 0:
            tree.levels[node, level >> 6] |= np.uint64(1) << np.uint64(level & 63)


@own_kernel
def _split(
    tree: TreeBuffers,
    number: int,
    values: FloatArray,
    g: FloatArray,
    h: FloatArray,
    rules: Rules,
    space: ExactSpace,
) -> tuple[int, int, int]:
    """Split a leaf by its best split; the new left, right and missing node (-1 = none)."""
    node = whole(tree.leaf_node[number])
    column = whole(space.best_feature[node])
    start, end = tree.start[node], tree.end[node]
    tree.feature[node] = column
    tree.threshold[node] = space.best_threshold[node]
    tree.gain[node] = space.best_gain[node]
    if rules.nominal[column] != 0:
        tree.levels[node] = space.best_levels[node]
        tree.trust[node] = space.best_trust[node]
    left_cases, right_cases, absent = _choose_sides(tree, node, values, rules, space)
    if (end - start) * values.shape[0] < SERIAL_CELLS:
        for place in range(values.shape[0]):
            _part_column(
                space.order[place],
                space.spare[place],
                space.side,
                start,
                end,
                left_cases,
                right_cases,
            )
    else:
        _part_parallel(space.order, space.spare, space.side, start, end, left_cases, right_cases)
    middle = start + left_cases
    last = middle + right_cases
    left, right, third = open_children(tree, node, number, middle, last, rules.is_third_child)
    left_g, left_h = sums_of(g, h, space.order[column, start:middle])
    right_g, right_h = sums_of(g, h, space.order[column, middle:last])
    is_left_heavier = left_h >= right_h
    point_children(
        tree, node, is_left_heavier, space.best_missing_left[node] != 0, absent, rules.is_gbm
    )
    if rules.nominal[column] != 0 and is_left_heavier and not rules.is_gbm:
        _send_absent_levels_left(
            tree, node, rules.n_levels[column], values[column], space.order[column, start:end]
        )
    hand_down(
        tree,
        node,
        column,
        rules,
        left_g / (left_h + rules.l2),
        right_g / (right_h + rules.l2),
        space.low,
        space.high,
        space.used,
    )
    return left, right, third


@own_kernel
def _grow(
    tree: TreeBuffers,
    rows: int,
    values: FloatArray,
    g: FloatArray,
    h: FloatArray,
    weight: FloatArray,
    rules: Rules,
    space: ExactSpace,
    drawn: MaskArray,
) -> None:
    open_root(tree, rows, space.low, space.high, space.used)
    search_node(tree, whole(0), values, g, h, weight, rules, space, drawn)
    for split in range(rules.splits):
        number = best_leaf(tree, space.best_gain)
        if number < 0:
            break
        left, right, third = _split(tree, number, values, g, h, rules, space)
        if split + 1 == rules.splits:
            break
        search_node(tree, left, values, g, h, weight, rules, space, drawn)
        search_node(tree, right, values, g, h, weight, rules, space, drawn)
        if third >= 0:
            search_node(tree, third, values, g, h, weight, rules, space, drawn)


def grow_exact(
    tree: TreeBuffers,
    rows: int,
    values: FloatArray,
    g: FloatArray,
    h: FloatArray,
    weight: FloatArray,
    rules: Rules,
    space: ExactSpace,
    drawn: MaskArray,
) -> None:
    """Grow one tree best first over the ``rows`` bagged cases in ``space.order``.

    Parameters
    ----------
    values : float64 (F, n)
        Numbers and level numbers, NaN = missing.
    g, h : float64 (n,)
        Weight times working response, and the weight of the fit.
    weight : float64 (n,)
        Weight of each case.
    drawn : uint8 (F,)
        Columns that this tree may use.
    """
    with parallel_region():
        _grow(tree, rows, values, g, h, weight, rules, space, drawn)
