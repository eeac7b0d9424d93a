"""Growing on every distinct value: rows sorted once per column, sums in float64.

Each column keeps its rows of a node in rising order (missing values last); a split parts every
column's list stably, so a node costs its own rows only.
"""

from __future__ import annotations

import math

import numpy as np

from core.boosting.exact_search import SERIAL_CELLS, ExactSpace, RowArray, search_node, sums_of
from core.boosting.rules import (
    MaskArray,
    Rules,
    best_leaf,
    hand_down,
    open_children,
    open_root,
    point_children,
    whole,
)
from core.boosting.trees import TreeBuffers
from core.kernels import own_kernel, parallel_kernel, parallel_region, prange
from payoff.types import FloatArray


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
