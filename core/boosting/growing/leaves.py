"""From a grown tree to its values: leaf refits, bounds, missing children, scores."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.boosting.growing.rules import MaskArray, whole
from core.boosting.trees import LEAF, TreeBuffers
from core.kernels import fitting_threads, own_kernel, parallel_kernel, prange, threads
from payoff.types import FloatArray, IntArray

RowArray = NDArray[np.int32]
LeafNumbers = NDArray[np.unsignedinteger[Any]]
"""The leaf of each training row, in the smallest integers that hold them all."""

PIECE_ROWS = 16_384
"""Rows whose sums are added in one go; fixed, so that sums do not depend on threads."""


@parallel_kernel
def _number_rows(
    rows: RowArray, starts: IntArray, ends: IntArray, parts: int, leaf_of: LeafNumbers
) -> None:
    for part in prange(parts):
        for leaf in range(starts.shape[0]):
            size = ends[leaf] - starts[leaf]
            for k in range(
                starts[leaf] + size * part // parts, starts[leaf] + size * (part + 1) // parts
            ):
                leaf_of[np.uint64(rows[np.uint64(k)])] = leaf


def number_leaves(
    rows: RowArray, starts: IntArray, ends: IntArray, bag: MaskArray | None, leaf_of: LeafNumbers
) -> None:
    """Fill the leaf of every training row: its number, one beyond the last outside the bag."""
    if bag is not None:
        leaf_of[:] = starts.shape[0]
    with fitting_threads(leaf_of.shape[0]):
        _number_rows(rows, starts, ends, threads(), leaf_of)


@parallel_kernel
def _piece_sums(
    leaf_of: LeafNumbers, first: FloatArray, second: FloatArray, out: FloatArray
) -> None:
    for piece in prange(out.shape[0]):
        sums = np.zeros(out.shape[1:])
        for row in range(piece * PIECE_ROWS, min(leaf_of.shape[0], (piece + 1) * PIECE_ROWS)):
            leaf = np.uint64(leaf_of[row])
            sums[leaf, 0] += first[row]
            sums[leaf, 1] += second[row]
        out[piece] = sums


def leaf_sums(
    leaf_of: LeafNumbers, leaves: int, first: FloatArray, second: FloatArray
) -> FloatArray:
    """Sums (leaves, 2) of two columns over the rows of leaves, whatever the threads."""
    rows = leaf_of.shape[0]
    parts = np.empty((-(-rows // PIECE_ROWS), leaves + 1, 2))
    with fitting_threads(rows):
        _piece_sums(leaf_of, first, second, parts)
    sums: FloatArray = parts.sum(axis=0)[:leaves]
    return sums


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
def add_to_rows(leaf_of: LeafNumbers, values: FloatArray, score: FloatArray) -> None:
    """Add each leaf's value to the scores of its rows; the last is that of rows in none."""
    for row in prange(leaf_of.shape[0]):
        score[row] += values[np.uint64(leaf_of[row])]


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
