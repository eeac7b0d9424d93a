"""What kernels know of the settings, and the arithmetic of one split."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.boosting.settings import BoostSettings
from core.boosting.trees import LEAF, TreeBuffers
from core.kernels import own_kernel
from payoff.types import FloatArray

MaskArray = NDArray[np.uint8]

LEAST_CURVATURE = 1e-3
"""A side with less is no leaf: a Newton step divides by it."""


class Rules(NamedTuple):
    """Settings of the growers. F columns, C interaction sets.

    ``least`` is the least fit weight of a side. ``monotone`` int8 (F,), ``nominal`` uint8 (F,),
    ``n_levels`` int64 (F,), ``together`` uint8 (C, F): which columns may stand on one path
    (C = 0: all). ``level_penalty`` 0: means of levels are not shrunk;
    ``case_weight``: what one case weighs where they are.
    """

    splits: int
    max_depth: int
    min_cases: int
    l2: float
    is_third_child: bool
    is_gbm: bool
    has_bounds: bool
    least: float
    monotone: NDArray[np.int8]
    nominal: MaskArray
    n_levels: NDArray[np.int64]
    together: MaskArray
    level_penalty: float
    case_weight: float


def rules_of(
    settings: BoostSettings, nominal: list[bool], n_levels: list[int], case_weight: float
) -> Rules:
    """The growers' form of the settings."""
    width = len(nominal)
    monotone = np.zeros(width, dtype=np.int8)
    monotone[: len(settings.monotone)] = settings.monotone
    is_shrunk = any(nominal) and not settings.gbm_compatible
    listed = {column for group in settings.interactions for column in group}
    groups = [*settings.interactions, *((c,) for c in range(width) if c not in listed)]
    together = np.zeros((len(groups) if listed else 0, width), dtype=np.uint8)
    if listed:
        for place, group in enumerate(groups):
            together[place, list(group)] = 1
    return Rules(
        splits=settings.interaction_depth,
        max_depth=settings.max_depth,
        min_cases=settings.min_cases_in_node,
        l2=settings.l2,
        is_third_child=settings.is_third_child,
        is_gbm=settings.gbm_compatible,
        has_bounds=bool(monotone.any()) and not settings.gbm_compatible,
        least=0.0 if settings.gbm_compatible else LEAST_CURVATURE,
        monotone=monotone,
        nominal=np.array(nominal, dtype=np.uint8),
        n_levels=np.array(n_levels, dtype=np.int64),
        together=together,
        level_penalty=settings.level_penalty if is_shrunk else 0.0,
        case_weight=case_weight,
    )


@own_kernel
def whole(value: Any) -> Any:
    """A number as int64: kernels called with several integer types would compile several times."""
    return np.int64(value)


@own_kernel
def improvement(
    gl: float, hl: float, gr: float, hr: float, gm: float, hm: float, l2: float
) -> float:
    """Gain of parting a node's gradient sums g and weights h in two, or three with hm > 0.

    Without l2 it is the spread of the children's means in gbm's pairwise form, which is exact
    where they are equal; with l2 the difference of sum of g^2 / (h + l2).
    """
    if l2 == 0.0:
        step = gl / hl - gr / hr
        spread = hl * hr * step * step
        if hm > 0.0:
            step_left = gl / hl - gm / hm
            step_right = gr / hr - gm / hm
            spread += hl * hm * step_left * step_left + hr * hm * step_right * step_right
            return spread / (hl + hr + hm)
        return spread / (hl + hr)
    total = gl + gr + gm
    parts = gl * gl / (hl + l2) + gr * gr / (hr + l2)
    if hm > 0.0:
        parts += gm * gm / (hm + l2)
    return parts - total * total / (hl + hr + hm + l2)


@own_kernel
def clipped(value: float, low: float, high: float) -> float:
    """The value inside its bounds."""
    return min(max(value, low), high)


@own_kernel
def bounded_improvement(
    gl: float,
    hl: float,
    gr: float,
    hr: float,
    gm: float,
    hm: float,
    l2: float,
    sign: int,
    low: float,
    high: float,
    is_gbm: bool,
) -> float:
    """Gain under a monotone sign and the bounds handed down; -1 where the order is wrong."""
    left = gl / (hl + l2)
    right = gr / (hr + l2)
    if is_gbm:
        if sign != 0 and sign * (right - left) <= 0.0:
            return -1.0
        return improvement(gl, hl, gr, hr, gm, hm, l2)
    left = clipped(left, low, high)
    right = clipped(right, low, high)
    if sign != 0 and sign * (right - left) < 0.0:
        return -1.0
    all_g = gl + gr + gm
    all_h = hl + hr + hm + l2
    whole = clipped(all_g / all_h, low, high)
    gain = left * (2.0 * gl - (hl + l2) * left) + right * (2.0 * gr - (hr + l2) * right)
    if hm > 0.0:
        middle = clipped(gm / (hm + l2), low, high)
        gain += middle * (2.0 * gm - (hm + l2) * middle)
    return gain - whole * (2.0 * all_g - all_h * whole)


@own_kernel
def open_leaf(tree: TreeBuffers, number: int, start: int, end: int, depth: int) -> int:
    """Add a leaf of this leaf number over rows ``start`` to ``end - 1``; its node number."""
    node = tree.counts[0]
    tree.counts[0] += 1
    tree.feature[node] = LEAF
    tree.left[node] = LEAF
    tree.right[node] = LEAF
    tree.missing[node] = LEAF
    tree.unseen[node] = LEAF
    tree.gain[node] = 0.0
    tree.trust[node] = 1.0
    tree.start[node] = start
    tree.end[node] = end
    tree.depth[node] = depth
    for word in range(tree.levels.shape[1]):
        tree.levels[node, word] = np.uint64(0)
    tree.leaf_node[number] = node
    return int(node)


@own_kernel
def allowed_columns(
    node: int, used: MaskArray, drawn: MaskArray, together: MaskArray, out: MaskArray
) -> None:
    """Fill which columns a node may be split by: those drawn that fit the columns above it."""
    width = drawn.shape[0]
    if together.shape[0] == 0:
        for column in range(width):
            out[column] = drawn[column]
        return
    for column in range(width):
        out[column] = 0
    for group in range(together.shape[0]):
        is_fit = True
        for column in range(width):
            if used[node, column] != 0 and together[group, column] == 0:
                is_fit = False
                break
        if is_fit:
            for column in range(width):
                if together[group, column] != 0 and drawn[column] != 0:
                    out[column] = 1


@own_kernel
def hand_down_bounds(
    sign: int,
    left_value: float,
    right_value: float,
    node: int,
    left: int,
    right: int,
    low: FloatArray,
    high: FloatArray,
) -> None:
    """Bounds of the children: the parent's, parted in the middle of a monotone split."""
    low[left] = low[right] = low[node]
    high[left] = high[right] = high[node]
    if sign == 0:
        return
    middle = 0.5 * (
        clipped(left_value, low[node], high[node]) + clipped(right_value, low[node], high[node])
    )
    if sign > 0:
        high[left] = middle
        low[right] = middle
    else:
        low[left] = middle
        high[right] = middle


@own_kernel
def open_root(
    tree: TreeBuffers, rows: int, low: FloatArray, high: FloatArray, used: MaskArray
) -> None:
    """Begin a tree: one leaf over all rows, no bounds, no columns above it."""
    tree.counts[0] = 0
    tree.counts[1] = 1
    open_leaf(tree, 0, 0, rows, 0)
    low[0] = -math.inf
    high[0] = math.inf
    used[0] = 0


@own_kernel
def open_children(
    tree: TreeBuffers, node: int, number: int, middle: int, last: int, is_third_child: bool
) -> tuple[int, int, int]:
    """Add the leaves of a split whose rows part at ``middle`` and ``last``; third -1 = none.

    The left child keeps the leaf number, right and missing get the next two.
    """
    depth = tree.depth[node] + 1
    left = open_leaf(tree, number, tree.start[node], middle, depth)
    right = open_leaf(tree, tree.counts[1], middle, last, depth)
    tree.counts[1] += 1
    third = -1
    if is_third_child:
        third = open_leaf(tree, tree.counts[1], last, tree.end[node], depth)
        tree.counts[1] += 1
    tree.left[node] = left
    tree.right[node] = right
    tree.missing[node] = third
    return left, right, third


@own_kernel
def point_children(
    tree: TreeBuffers,
    node: int,
    is_left_heavier: bool,
    is_missing_left: bool,
    absent: int,
    is_gbm: bool,
) -> None:
    """Say where missing values and unknown levels go.

    Where no value was missing there is nothing to learn from: they follow the heavier side, as
    unknown levels do. gbm takes an unknown level for a missing value.
    """
    heavier = tree.left[node] if is_left_heavier else tree.right[node]
    if tree.missing[node] < 0:
        if absent == 0:
            tree.missing[node] = heavier
        elif is_missing_left:
            tree.missing[node] = tree.left[node]
        else:
            tree.missing[node] = tree.right[node]
    tree.unseen[node] = tree.missing[node] if is_gbm else heavier


@own_kernel
def hand_down(
    tree: TreeBuffers,
    node: int,
    column: int,
    rules: Rules,
    left_value: float,
    right_value: float,
    low: FloatArray,
    high: FloatArray,
    used: MaskArray,
) -> None:
    """Give the children the bounds and the columns above them."""
    left = whole(tree.left[node])
    right = whole(tree.right[node])
    third = whole(tree.missing[node])
    sign = whole(rules.monotone[column]) if rules.has_bounds else whole(0)
    hand_down_bounds(sign, left_value, right_value, node, left, right, low, high)
    used[left] = used[node]
    used[left, column] = 1
    used[right] = used[left]
    if third not in (left, right):
        used[third] = used[left]
        low[third] = low[node]
        high[third] = high[node]


@own_kernel
def best_leaf(tree: TreeBuffers, best_gain: FloatArray) -> int:
    """Number of the leaf whose best split gains most; ties go to the lowest, -1 = none gains."""
    chosen = -1
    most = 0.0
    for number in range(tree.counts[1]):
        gain = best_gain[tree.leaf_node[number]]
        if gain > most and math.isfinite(gain):
            most = gain
            chosen = number
    return chosen


@own_kernel
def rising_order(values: FloatArray, size: int) -> NDArray[np.int64]:
    """Places of the first ``size`` values in rising order, ties in place order; a merge sort."""
    order = np.arange(size)
    spare = np.empty(size, dtype=np.int64)
    width = 1
    while width < size:
        for start in range(0, size, 2 * width):
            middle = min(start + width, size)
            stop = min(start + 2 * width, size)
            a, b = start, middle
            for k in range(start, stop):
                if a < middle and (b >= stop or values[order[a]] <= values[order[b]]):
                    spare[k] = order[a]
                    a += 1
                else:
                    spare[k] = order[b]
                    b += 1
        order, spare = spare, order
        width *= 2
    return order
