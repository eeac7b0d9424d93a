"""Trees: what a grower fills in, and the forest that a model keeps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from payoff.types import FloatArray, IntArray

LEAF = -1
Node32 = NDArray[np.int32]
LevelBits = NDArray[np.uint64]


class TreeBuffers(NamedTuple):
    """One tree while it grows; N = most nodes. Compiled kernels read and write it.

    ``left``, ``right``, ``missing``, ``unseen`` hold node numbers; ``missing`` is one of the
    other two, or a third child. ``bin`` is the last bin of the left side, ``threshold`` the
    number from which a case goes right (NaN = none does); nominal splits send levels with their
    bit set left. ``trust``: how much of the distance between the sides of a
    nominal split is believed.
    ``leaf_node`` maps leaf numbers to nodes: the left child keeps its parent's number.
    """

    feature: Node32
    bin: Node32
    threshold: FloatArray
    left: Node32
    right: Node32
    missing: Node32
    unseen: Node32
    gain: FloatArray
    trust: FloatArray
    start: IntArray
    end: IntArray
    depth: Node32
    levels: LevelBits
    leaf_node: Node32
    counts: IntArray  # nodes, leaves


def new_buffers(splits: int, words: int, is_third_child: bool) -> TreeBuffers:
    """Buffers for trees of at most ``splits`` splits and ``words`` words of level bits."""
    nodes = 1 + (3 if is_third_child else 2) * splits

    def whole() -> Node32:
        return np.full(nodes, LEAF, dtype=np.int32)

    return TreeBuffers(
        whole(),
        whole(),
        np.zeros(nodes),
        whole(),
        whole(),
        whole(),
        whole(),
        np.zeros(nodes),
        np.ones(nodes),
        np.zeros(nodes, dtype=np.int64),
        np.zeros(nodes, dtype=np.int64),
        whole(),
        np.zeros((nodes, words), dtype=np.uint64),
        whole(),
        np.zeros(2, dtype=np.int64),
    )


_OF_TREES_AND_SETS = ("tree_start", "level_bits")


class Forest(NamedTuple):
    """Finished trees one behind the other; N nodes in all, T trees. Compiled kernels read it.

    Attributes
    ----------
    tree_start : int64 (T + 1,)
        First node of each tree.
    feature : int32 (N,)
        Column of the split, -1 for a leaf.
    threshold : float64 (N,)
        A number from it on goes right, any other left; NaN sends every number left.
    left, right, missing, unseen : int32 (N,)
        Children, counted from the tree's first node; where a missing value and an unknown level go.
    value : float64 (N,)
        Shrunken value of a leaf; in inner nodes the weighted mean of what lies below.
    gain, weight : float64 (N,)
        Improvement of the split; bagged training weight.
    level_set : int32 (N,)
        Row of ``level_bits`` of a nominal split, else -1.
    level_bits : uint64 (S, W)
        Bit l of a row: level l goes left.
    """

    tree_start: IntArray
    feature: Node32
    threshold: FloatArray
    left: Node32
    right: Node32
    missing: Node32
    unseen: Node32
    value: FloatArray
    gain: FloatArray
    weight: FloatArray
    level_set: Node32
    level_bits: LevelBits

    @property
    def n_trees(self) -> int:
        """Number of trees (iterations times outputs)."""
        return int(self.tree_start.shape[0]) - 1

    def head(self, trees: int) -> Forest:
        """The first trees alone."""
        stop = int(self.tree_start[trees])
        parts = {name: getattr(self, name)[:stop] for name in FOREST_NODE_FIELDS}
        return Forest(tree_start=self.tree_start[: trees + 1], level_bits=self.level_bits, **parts)

    def some(self, trees: IntArray) -> Forest:
        """The trees of these numbers alone, in their order."""
        starts, ends = self.tree_start[trees], self.tree_start[trees + 1]
        sizes = ends - starts
        start = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        nodes = np.arange(start[-1]) + np.repeat(starts - start[:-1], sizes)
        parts = {name: getattr(self, name)[nodes] for name in FOREST_NODE_FIELDS}
        return Forest(tree_start=start, level_bits=self.level_bits, **parts)

    def splits_on(self, column: int) -> NDArray[np.bool_]:
        """Whether each tree has a split on a column, (T,)."""
        splits = np.concatenate([[0], np.cumsum(self.feature == column)])
        return np.asarray(splits[self.tree_start[1:]] > splits[self.tree_start[:-1]])

    def pieces(self) -> dict[str, NDArray[Any]]:
        """Every array by its name, for files."""
        return self._asdict()


FOREST_NODE_FIELDS = tuple(name for name in Forest._fields if name not in _OF_TREES_AND_SETS)


@dataclass(frozen=True, slots=True)
class FinishedTree:
    """One tree cut out of its buffers, with leaf values; arrays as in ``Forest``."""

    nodes: dict[str, NDArray[Any]]
    level_bits: LevelBits


def finish_tree(
    tree: TreeBuffers, value: FloatArray, weight: FloatArray, is_nominal: NDArray[np.bool_]
) -> FinishedTree:
    """Copy a grown tree out of its buffers."""
    size = int(tree.counts[0])
    feature = tree.feature[:size].copy()
    has_levels = (feature >= 0) & is_nominal[np.maximum(feature, 0)]
    level_set = np.full(size, -1, dtype=np.int32)
    level_set[has_levels] = np.arange(int(has_levels.sum()), dtype=np.int32)
    nodes: dict[str, NDArray[Any]] = {
        "feature": feature,
        # Buffers are used again: what a leaf holds there is left over from another tree.
        "threshold": np.where((feature >= 0) & ~has_levels, tree.threshold[:size], 0.0),
        "left": tree.left[:size].copy(),
        "right": tree.right[:size].copy(),
        "missing": tree.missing[:size].copy(),
        "unseen": tree.unseen[:size].copy(),
        "value": value[:size].copy(),
        "gain": np.where(feature >= 0, tree.gain[:size], 0.0),
        "weight": weight[:size].copy(),
        "level_set": level_set,
    }
    return FinishedTree(nodes, tree.levels[:size][has_levels].copy())


def join_trees(trees: list[FinishedTree], words: int, before: Forest | None = None) -> Forest:
    """The forest of these trees, after those of ``before``."""
    sizes = [tree.nodes["feature"].shape[0] for tree in trees]
    n_sets = [tree.level_bits.shape[0] for tree in trees]
    first_node = 0 if before is None else int(before.tree_start[-1])
    first_set = 0 if before is None else before.level_bits.shape[0]
    starts = first_node + np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    set_starts = first_set + np.concatenate([[0], np.cumsum(n_sets)]).astype(np.int64)
    parts: dict[str, NDArray[Any]] = {}
    for name in FOREST_NODE_FIELDS:
        pieces = [tree.nodes[name] for tree in trees]
        if name == "level_set":
            pieces = [
                np.where(piece >= 0, piece + start, -1).astype(np.int32)
                for piece, start in zip(pieces, set_starts, strict=False)
            ]
        if before is not None:
            pieces.insert(0, getattr(before, name))
        dtype = np.float64 if name in ("threshold", "value", "gain", "weight") else np.int32
        parts[name] = np.concatenate([np.zeros(0, dtype), *pieces]).astype(dtype)
    bits = [tree.level_bits for tree in trees]
    if before is not None:
        bits.insert(0, before.level_bits)
    level_bits = np.concatenate([np.zeros((0, words), np.uint64), *bits])
    if before is not None:
        starts = np.concatenate([before.tree_start, starts[1:]])
    return Forest(tree_start=starts, level_bits=level_bits, **parts)
