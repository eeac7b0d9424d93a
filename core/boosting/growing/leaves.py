"""From a grown tree to its values: leaf refits, bounds, missing children, scores."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.boosting.growing.rules import MaskArray, whole
from core.boosting.trees import LEAF, TreeBuffers
from core.kernels import fitting_threads, own_kernel, parallel_kernel, prange
from payoff.types import FloatArray, IntArray

RowArray = NDArray[np.int32]

PIECE_ROWS = 16_384
"""Rows whose sums are added in one go; fixed, so that sums do not depend on threads."""


@parallel_kernel
def _piece_sums(
    rows: RowArray,
    starts: IntArray,
    ends: IntArray,
    first: FloatArray,
    second: FloatArray,
    out: FloatArray,
) -> None:
    for piece in prange(starts.shape[0]):
        a = b = 0.0
        for k in range(starts[piece], ends[piece]):
            row = np.uint64(rows[np.uint64(k)])
            a += first[row]
            b += second[row]
        out[piece, 0] = a
        out[piece, 1] = b


def range_sums(
    rows: RowArray, starts: IntArray, ends: IntArray, first: FloatArray, second: FloatArray
) -> FloatArray:
    """Sums (G, 2) of two columns over ranges of ``rows``, the same for any number of threads."""
    owner, begin, finish = _pieces(starts, ends)
    parts = np.zeros((owner.shape[0], 2))
    with fitting_threads(rows.shape[0]):
        _piece_sums(rows, begin, finish, first, second, parts)
    sums = np.zeros((starts.shape[0], 2))
    _add_pieces(owner, parts, sums)
    return sums


@own_kernel
def _pieces(starts: IntArray, ends: IntArray) -> tuple[IntArray, IntArray, IntArray]:
    """The pieces of ranges: whose each is, where it begins and ends; of an empty range one."""
    number = 0
    for k in range(starts.shape[0]):
        number += max(1, -((starts[k] - ends[k]) // PIECE_ROWS))
    owner = np.empty(number, np.int64)
    begin, finish = np.empty(number, np.int64), np.empty(number, np.int64)
    number = 0
    for k in range(starts.shape[0]):
        for piece in range(max(1, -((starts[k] - ends[k]) // PIECE_ROWS))):
            owner[number] = k
            begin[number] = starts[k] + piece * PIECE_ROWS
            finish[number] = min(begin[number] + PIECE_ROWS, ends[k])
            number += 1
    return owner, begin, finish


@own_kernel
def _add_pieces(owner: IntArray, parts: FloatArray, sums: FloatArray) -> None:
    """Add the sums of pieces to those of their ranges, in order."""
    for piece in range(owner.shape[0]):
        sums[owner[piece], 0] += parts[piece, 0]
        sums[owner[piece], 1] += parts[piece, 1]


@own_kernel
def set_thresholds(
    tree: TreeBuffers, nominal: MaskArray, borders: FloatArray, starts: IntArray
) -> None:
    """Fill the number from which a case goes right: the border after the split's bin, else NaN.

    ``borders`` and ``starts`` as of ``joined_borders``.
    """
    for node in range(tree.counts[0]):
        column = tree.feature[node]
        if column == LEAF or nominal[column] != 0:
            continue
        place = starts[column] + tree.bin[node]
        tree.threshold[node] = borders[place] if place < starts[column + 1] else math.nan


@own_kernel
def node_weights(tree: TreeBuffers, leaf_weight: FloatArray, out: FloatArray) -> None:
    """Fill the weight of every node from that of its leaves (by leaf number)."""
    for number in range(tree.counts[1]):
        out[tree.leaf_node[number]] = leaf_weight[number]
    for node in range(tree.counts[0] - 1, -1, -1):
        if tree.feature[node] == LEAF:
            continue
        total = out[tree.left[node]] + out[tree.right[node]]
        third = tree.missing[node]
        if third not in (tree.left[node], tree.right[node]):
            total += out[third]
        out[node] = total


@own_kernel
def _third_child(tree: TreeBuffers, node: int) -> int:
    """The missing child that is neither left nor right, -1 = none."""
    third = tree.missing[node]
    return -1 if third in (tree.left[node], tree.right[node]) else third


@own_kernel
def settle_values(tree: TreeBuffers, min_cases: int, weight: FloatArray, value: FloatArray) -> None:
    """Give thin missing children the mean of left and right, and inner nodes the mean below.

    A missing child with fewer than ``min_cases`` cases is not believed; gbm's rule, upwards from
    the leaves. An empty one weighs as its parent in dependence curves.
    """
    for node in range(tree.counts[0] - 1, -1, -1):
        if tree.feature[node] == LEAF:
            continue
        left, right, third = tree.left[node], tree.right[node], _third_child(tree, node)
        sides = weight[left] + weight[right]
        mean = 0.5 * (value[left] + value[right])
        if sides > 0.0:
            mean = (weight[left] * value[left] + weight[right] * value[right]) / sides
        if third < 0:
            value[node] = mean
        elif tree.feature[third] == LEAF and tree.end[third] - tree.start[third] < min_cases:
            value[third] = mean
            value[node] = mean
            if tree.end[third] == tree.start[third]:
                weight[third] = weight[node]
        else:
            total = sides + weight[third]
            value[node] = mean
            if total > 0.0:
                value[node] = (sides * mean + weight[third] * value[third]) / total


@own_kernel
def _side_means(tree: TreeBuffers, weight: FloatArray, value: FloatArray) -> FloatArray:
    """Return for every node the mean of its left and right leaves."""
    mean = value.copy()
    for node in range(tree.counts[0] - 1, -1, -1):
        if tree.feature[node] != LEAF:
            left, right = tree.left[node], tree.right[node]
            sides = weight[left] + weight[right]
            mean[node] = 0.5 * (mean[left] + mean[right])
            if sides > 0.0:
                mean[node] = (weight[left] * mean[left] + weight[right] * mean[right]) / sides
    return mean


@own_kernel
def mean_gaps(tree: TreeBuffers, weight: FloatArray, value: FloatArray) -> FloatArray:
    """Return for every side of a split how far its leaves lie, in the mean, above both sides'."""
    mean = _side_means(tree, weight, value)
    gap = np.zeros(tree.counts[0])
    for node in range(tree.counts[0]):
        if tree.feature[node] != LEAF:
            for child in (tree.left[node], tree.right[node]):
                gap[child] = mean[child] - mean[node]
    return gap


@own_kernel
def move_subtrees(tree: TreeBuffers, move: FloatArray, value: FloatArray) -> None:
    """Add to every leaf the moves of the nodes above it and its own."""
    total = move.copy()
    for node in range(tree.counts[0]):
        if tree.feature[node] == LEAF:
            value[node] += total[node]
            continue
        third = _third_child(tree, node)
        if third >= 0:
            total[third] += total[node]
        for child in (tree.left[node], tree.right[node]):
            total[child] += total[node]


@own_kernel
def bound_values(
    tree: TreeBuffers, monotone: NDArray[np.int8], weight: FloatArray, value: FloatArray
) -> None:
    """Clip leaf values so that the tree is monotone for good.

    Every monotone split parts the allowed interval at one number between its sides, and the
    bounds go down the whole tree: two cases that differ in that column only part at such a split.
    Children stand behind their parents, so one pass up finds means and one down clips.
    """
    nodes = tree.counts[0]
    mean = _side_means(tree, weight, value)
    low = np.full(nodes, -math.inf)
    high = np.full(nodes, math.inf)
    for node in range(nodes):
        if tree.feature[node] == LEAF:
            value[node] = min(max(value[node], low[node]), high[node])
            continue
        left, right, third = tree.left[node], tree.right[node], _third_child(tree, node)
        low[left] = low[right] = low[node]
        high[left] = high[right] = high[node]
        if third >= 0:
            low[third] = low[node]
            high[third] = high[node]
        sign = monotone[tree.feature[node]]
        if sign == 0:
            continue
        middle = 0.5 * (mean[left] + mean[right])
        middle = min(max(middle, low[node]), high[node])
        if sign > 0:
            high[left] = low[right] = middle
        else:
            low[left] = high[right] = middle


@parallel_kernel
def add_ranges(
    rows: RowArray,
    starts: IntArray,
    ends: IntArray,
    values: FloatArray,
    score: FloatArray,
    parts: int,
) -> None:
    """Add each leaf's value to the scores of its rows."""
    for part in prange(parts):
        for leaf in range(starts.shape[0]):
            size = ends[leaf] - starts[leaf]
            value = values[leaf]
            for k in range(
                starts[leaf] + size * part // parts, starts[leaf] + size * (part + 1) // parts
            ):
                score[np.uint64(rows[np.uint64(k)])] += value


@parallel_kernel
def add_by_values(
    tree: TreeBuffers,
    nominal: MaskArray,
    inputs: FloatArray,
    skip: MaskArray,
    value: FloatArray,
    score: FloatArray,
) -> None:
    """Add a tree to the scores of the cases with ``skip`` = 0, by their values (F, n)."""
    for row in prange(score.shape[0]):
        if skip[row] != 0:
            continue
        node = 0
        while tree.feature[node] >= 0:
            column = tree.feature[node]
            x = inputs[column, row]
            if math.isnan(x):
                node = tree.missing[node]
            elif nominal[column] == 0:
                node = tree.right[node] if x >= tree.threshold[node] else tree.left[node]
            elif x < 0.0:
                node = tree.unseen[node]
            else:
                word = tree.levels[node, int(x) >> 6]
                is_left = (word >> np.uint64(int(x) & 63)) & np.uint64(1)
                node = tree.left[node] if is_left != 0 else tree.right[node]
        score[row] += value[node]


@parallel_kernel
def add_by_bins(
    tree: TreeBuffers,
    nominal: MaskArray,
    bins: NDArray[Any],
    missing_bin: int,
    skip: MaskArray,
    value: FloatArray,
    score: FloatArray,
) -> None:
    """Add a tree to the scores of the cases with ``skip`` = 0, by their bins (F, n)."""
    for row in prange(score.shape[0]):
        if skip[row] != 0:
            continue
        node = 0
        while tree.feature[node] >= 0:
            column = tree.feature[node]
            x = whole(bins[column, row])
            if x == missing_bin:
                node = tree.missing[node]
            elif nominal[column] == 0:
                node = tree.left[node] if x <= tree.bin[node] else tree.right[node]
            elif x == missing_bin - 1:
                node = tree.unseen[node]
            else:
                word = tree.levels[node, x >> 6]
                is_left = (word >> np.uint64(x & 63)) & np.uint64(1)
                node = tree.left[node] if is_left != 0 else tree.right[node]
        score[row] += value[node]
