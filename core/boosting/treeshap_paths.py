"""What TreeSHAP reads of a tree: for each leaf the columns on its way, and when each is met.

A leaf's way from the root names D different columns. An element is one of them: the share of the
training weight that its splits let through (what a case counts whose column is unknown), and the
nodes that its splits must lead to (what decides whether a case's own value lets it through).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.boosting.trees import LEAF, Forest, Node32
from core.kernels import own_kernel
from payoff.types import FloatArray, IntArray


class LeafPaths(NamedTuple):
    """The leaves of one tree; L leaves, E elements, W words of 64 nodes.

    ``start`` int64 (L + 1,); ``value`` float64 (L,); ``column`` int32 (E,); ``share`` float64
    (E,); ``needed`` uint64 (E, W), the nodes that a case must be led to.
    """

    start: IntArray
    value: FloatArray
    column: Node32
    share: FloatArray
    needed: NDArray[np.uint64]

    @property
    def most(self) -> int:
        """Most elements of a leaf."""
        return int(np.diff(self.start).max())


def leaf_paths(forest: Forest, tree: int) -> LeafPaths:
    """The leaves of one tree from left to right."""
    part = slice(int(forest.tree_start[tree]), int(forest.tree_start[tree + 1]))
    feature = forest.feature[part]
    leaves = int((feature == LEAF).sum())
    words = (feature.shape[0] + 63) // 64
    most = leaves * min(leaves, len(np.unique(feature)))
    paths = LeafPaths(
        np.zeros(leaves + 1, dtype=np.int64),
        np.zeros(leaves),
        np.zeros(most, dtype=np.int32),
        np.zeros(most),
        np.zeros((most, words), dtype=np.uint64),
    )
    fill_paths(
        feature,
        forest.left[part],
        forest.right[part],
        forest.missing[part],
        forest.value[part],
        forest.weight[part],
        paths,
    )
    used = int(paths.start[-1])
    return LeafPaths(
        paths.start, paths.value, paths.column[:used], paths.share[:used], paths.needed[:used]
    )


@own_kernel
def _share_of(weight: FloatArray, child: int, left: int, right: int) -> float:
    """The share of a split's weight that goes to a child; a third child counts nothing.

    As in the weighted traversal of dependence curves.
    """
    if child not in (left, right):
        return 0.0
    sides = weight[left] + weight[right]
    return weight[child] / sides if sides > 0.0 else 0.5


@own_kernel
def fill_paths(
    feature: Node32,
    left: Node32,
    right: Node32,
    missing: Node32,
    value: FloatArray,
    weight: FloatArray,
    paths: LeafPaths,
) -> None:
    """Go down to every leaf, keeping the nodes of the way, and gather its elements by column."""
    size = feature.shape[0]
    parent = np.full(size, -1, dtype=np.int32)
    stack = np.empty(size, dtype=np.int32)
    stack[0] = 0
    depth = 1
    leaf = 0
    while depth > 0:
        depth -= 1
        node = stack[depth]
        if feature[node] >= 0:
            third = missing[node]
            if third not in (left[node], right[node]):
                parent[third] = node
                stack[depth] = third
                depth += 1
            parent[right[node]] = node
            parent[left[node]] = node
            stack[depth] = right[node]
            stack[depth + 1] = left[node]
            depth += 2
            continue
        first = paths.start[leaf]
        last = first
        below = node
        while parent[below] >= 0:
            split = parent[below]
            place = first
            while place < last and paths.column[place] != feature[split]:
                place += 1
            if place == last:
                paths.column[place] = feature[split]
                paths.share[place] = 1.0
                last += 1
            paths.share[place] *= _share_of(weight, below, left[split], right[split])
            paths.needed[place, below >> 6] |= np.uint64(1) << np.uint64(below & 63)
            below = split
        paths.value[leaf] = value[node]
        leaf += 1
        paths.start[leaf] = last
