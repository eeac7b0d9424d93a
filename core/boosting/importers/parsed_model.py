"""What the readers of other programs' model files have in common.

Trees of other programs turned into a forest of ours.

A reader of one program's files fills ``ForeignTree``; here nodes are numbered anew (children after
their parents), what does not hang together is refused, and inner nodes get their means.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from core.boosting.inputs import InputColumn
from core.boosting.trees import LEAF, FinishedTree, Forest, join_trees
from payoff.counting import counted
from payoff.errors import PayoffError
from payoff.types import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, slots=True, kw_only=True)
class ForeignTree:
    """One tree; N nodes in any order, the root first.

    Attributes
    ----------
    feature : int64 (N,)
        Column of the split, -1 for a leaf.
    threshold : float64 (N,)
        A number from it on goes right; NaN sends every number left.
    left, right : int64 (N,)
        Numbers of the children of a split.
    is_missing_left, is_unseen_left : bool (N,)
        Where a missing value and an unknown level go.
    left_levels : mapping of node to int64 (levels,)
        Nominal splits: the levels, by their place in the column's, that go left.
    value, gain, weight : float64 (N,)
        Leaf value; improvement of a split; training weight of every node.
    """

    feature: IntArray
    threshold: FloatArray
    left: IntArray
    right: IntArray
    is_missing_left: BoolArray
    is_unseen_left: BoolArray
    left_levels: Mapping[int, IntArray]
    value: FloatArray
    gain: FloatArray
    weight: FloatArray


def forest_of(trees: Sequence[ForeignTree], columns: Sequence[InputColumn]) -> Forest:
    """The forest of these trees.

    Raises
    ------
    PayoffError
        If a tree does not hang together, naming it by its number from 0.
    """
    words = max([(len(column.levels) + 63) // 64 for column in columns] + [1])
    return join_trees([_finished(tree, at, columns, words) for at, tree in enumerate(trees)], words)


def _finished(
    tree: ForeignTree, at: int, columns: Sequence[InputColumn], words: int
) -> FinishedTree:
    order = _from_the_root(tree, at)
    place = np.full(tree.feature.shape[0], LEAF, dtype=np.int64)
    place[order] = np.arange(order.shape[0])
    feature = tree.feature[order]
    _check_nodes(tree, order, at, columns)
    is_split = feature >= 0

    def children(of: IntArray) -> NDArray[np.int32]:
        numbers = np.where(is_split, of[order], 0)
        return np.where(is_split, place[numbers], LEAF).astype(np.int32)

    left, right = children(tree.left), children(tree.right)
    is_nominal = np.array([int(node) in tree.left_levels for node in order])
    sets = np.full(order.shape[0], -1, dtype=np.int32)
    sets[is_nominal] = np.arange(int(is_nominal.sum()), dtype=np.int32)
    nodes: dict[str, NDArray[np.generic]] = {
        "feature": feature.astype(np.int32),
        "threshold": np.where(is_split & ~is_nominal, tree.threshold[order], 0.0),
        "left": left,
        "right": right,
        "missing": np.where(tree.is_missing_left[order], left, right),
        "unseen": np.where(tree.is_unseen_left[order], left, right),
        "value": _means(feature, left, right, tree.value[order], tree.weight[order]),
        "gain": np.where(is_split, tree.gain[order], 0.0),
        "weight": tree.weight[order],
        "level_set": sets,
    }
    bits = [_bits(tree.left_levels[int(node)], words) for node in order[is_nominal]]
    return FinishedTree(nodes, np.array(bits, dtype=np.uint64).reshape(-1, words))


def _from_the_root(tree: ForeignTree, at: int) -> IntArray:
    """Node numbers, each parent before its children."""
    size = tree.feature.shape[0]
    seen = np.zeros(size, dtype=bool)
    order: list[int] = []
    waiting = [0]
    while waiting:
        node = waiting.pop()
        if not 0 <= node < size or seen[node]:
            raise damaged(at, f"A split leads to node {node}, which is none of its own.")
        seen[node] = True
        order.append(node)
        if tree.feature[node] >= 0:
            waiting += [int(tree.right[node]), int(tree.left[node])]
    return np.array(order, dtype=np.int64)


def _check_nodes(
    tree: ForeignTree, order: IntArray, at: int, columns: Sequence[InputColumn]
) -> None:
    feature = tree.feature[order]
    if int(feature.max(initial=-1)) >= len(columns):
        raise damaged(at, f"It reads input {int(feature.max()) + 1} of {len(columns)}.")
    leaf_values = tree.value[order][feature < 0]
    numbers = (leaf_values, tree.weight[order], tree.gain[order])
    if not all(np.isfinite(values).all() for values in numbers) or (tree.weight[order] < 0).any():
        raise damaged(at, "A value, gain or weight is no number, or negative where it cannot be.")
    for node in order[feature >= 0]:
        if columns[tree.feature[node]].is_nominal != (int(node) in tree.left_levels):
            name = columns[tree.feature[node]].name
            raise damaged(at, f"'{name}' is split as a number here and by its levels elsewhere.")


def _means(
    feature: IntArray,
    left: NDArray[np.int32],
    right: NDArray[np.int32],
    value: FloatArray,
    weight: FloatArray,
) -> FloatArray:
    """Leaf values; in inner nodes the weighted mean of what lies below."""
    means = value.copy()
    for node in range(feature.shape[0] - 1, -1, -1):
        if feature[node] >= 0:
            one, other = left[node], right[node]
            mass = weight[one] + weight[other]
            lean = weight[one] / mass if mass > 0.0 else 0.5
            means[node] = lean * means[one] + (1.0 - lean) * means[other]
    return means


def _bits(levels: IntArray, words: int) -> NDArray[np.uint64]:
    row = np.zeros(words, dtype=np.uint64)
    for level in levels:
        row[int(level) >> 6] |= np.uint64(1) << np.uint64(int(level) & 63)
    return row


def damaged(tree: int, why: str) -> PayoffError:
    """The refusal of a tree that makes no sense."""
    return PayoffError("The model file is damaged.", where=f"tree {tree}", why=why)


Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedModel:
    """A model file taken apart; K scores per case, trees of K outputs in turn.

    Attributes
    ----------
    program : str
        "LightGBM" or "XGBoost".
    objective : str
        As the file has it.
    distribution : str or None
        The id of the distribution with the same response; None = there is none.
    parameters : mapping of str to float
        Parameters of the distribution.
    known_objectives : tuple of str
        Those that have a counterpart.
    columns : tuple of InputColumn
    trees : tuple of ForeignTree
    initial : float64 (K,)
    notes : tuple of str
        What a user should know.
    """

    program: str
    objective: str
    distribution: str | None
    parameters: Mapping[str, float]
    known_objectives: tuple[str, ...]
    columns: tuple[InputColumn, ...]
    trees: tuple[ForeignTree, ...]
    initial: FloatArray
    notes: tuple[str, ...] = ()


def reading(what: str, read: Callable[..., Answer], *arguments: Any) -> Answer:
    """Read a part of a file; whatever is not as it should be becomes a refusal naming the part."""
    try:
        return read(*arguments)
    except PayoffError:
        raise
    except KeyError as error:
        raise PayoffError(
            "The model file is damaged.", where=what, why=f"There is no {error}."
        ) from error
    except (ValueError, TypeError, IndexError, OverflowError, AttributeError) as error:
        raise PayoffError("The model file is damaged.", where=what, why=str(error)) from error


def same_length(arrays: Mapping[str, np.ndarray[Any, Any]], size: int) -> None:
    """Refuse arrays of other lengths than the tree has nodes."""
    for name, array in arrays.items():
        if array.shape != (size,):
            raise ValueError(
                f"'{name}' has {counted(array.size, 'entry', 'entries')} for "
                f"{counted(size, 'node')}"
            )


def number_after(values: FloatArray) -> FloatArray:
    """From which number on ``x <= value`` is false, NaN where it never is."""
    after = np.nextafter(values, math.inf)
    return np.where(np.isinf(after), np.nan, after)


def columns_of(
    names: Sequence[str], levels: Mapping[int, Sequence[str]]
) -> tuple[InputColumn, ...]:
    """Input columns; those with levels are nominal."""
    for place, found in levels.items():
        if len(set(found)) != len(found):
            raise PayoffError(
                f"The input '{names[place]}' has a level twice.",
                why="Levels match by their printed form, in which 1 and '1' are one.",
            )
    return tuple(
        InputColumn(name=name, levels=tuple(levels.get(place, ())))
        for place, name in enumerate(names)
    )
