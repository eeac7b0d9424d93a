"""What a forest learned: influence, dependence, interaction, permutation importance.

Dependence "by tree" is Friedman's weighted traversal (2001, section 8.2): a split on a chosen
column is followed, any other is gone both ways by the training weight of its sides, the missing
branch left out. "By brute force" averages the predictions of real cases.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations

import numpy as np

from core.boosting.growing.sampling import STREAM_SHUFFLES, generator
from core.boosting.inputs import InputColumn, Inputs, TrainingCases
from core.boosting.predicting import Predictor
from core.boosting.trees import Forest
from core.kernels import parallel_kernel, prange
from payoff.errors import PayoffError
from payoff.types import FloatArray, IntArray

GRID_POINTS = 100
SHUFFLES = 5
SHUFFLED_ROWS = 20_000
FEWEST_JUDGES = 50


def relative_influence(forest: Forest, columns: int, trees: int, is_scaled: bool) -> FloatArray:
    """Sum of the improvements per column over the first trees, (F,); scaled to 100 if asked."""
    stop = int(forest.tree_start[trees])
    feature, gain = forest.feature[:stop], forest.gain[:stop]
    sums = np.zeros(columns)
    np.add.at(sums, feature[feature >= 0], gain[feature >= 0])
    total = sums.sum()
    return sums * (100.0 / total) if is_scaled and total > 0.0 else sums


@parallel_kernel
def _traverse(
    grid: FloatArray,
    place: IntArray,
    trees: int,
    forest: Forest,
    out: FloatArray,
) -> None:
    feature, threshold, weight = forest.feature, forest.threshold, forest.weight
    left, right = forest.left, forest.right
    for point in prange(grid.shape[1]):
        stack = np.empty(8192, dtype=np.int64)
        share = np.empty(8192)
        for tree in range(trees):
            first = forest.tree_start[tree]
            stack[0] = first
            share[0] = 1.0
            depth = 1
            total = 0.0
            while depth > 0:
                depth -= 1
                node = stack[depth]
                part = share[depth]
                column = feature[node]
                if column < 0:
                    total += part * forest.value[node]
                    continue
                if place[column] < 0:
                    sides = weight[first + left[node]] + weight[first + right[node]]
                    lean = weight[first + left[node]] / sides if sides > 0.0 else 0.5
                    stack[depth] = first + right[node]
                    share[depth] = part * (1.0 - lean)
                    stack[depth + 1] = first + left[node]
                    share[depth + 1] = part * lean
                    depth += 2
                    continue
                x = grid[place[column], point]
                if np.isnan(x):
                    following = forest.missing[node]
                elif forest.level_set[node] < 0:
                    following = right[node] if x >= threshold[node] else left[node]
                elif x < 0.0:
                    following = forest.unseen[node]
                else:
                    word = forest.level_bits[forest.level_set[node], int(x) >> 6]
                    is_left = (word >> np.uint64(int(x) & 63)) & np.uint64(1)
                    following = left[node] if is_left != 0 else right[node]
                stack[depth] = first + following
                share[depth] = part
                depth += 1
            out[tree % out.shape[0], point] += total


def dependence_by_tree(
    forest: Forest,
    initial: FloatArray,
    columns: int,
    chosen: Sequence[int],
    grid: FloatArray,
    trees: int,
) -> FloatArray:
    """Dependence (K, points) on the link scale at the points of ``grid`` (chosen, points)."""
    place = np.full(columns, -1, dtype=np.int64)
    place[list(chosen)] = np.arange(len(chosen))
    out = np.repeat(initial[:, None], grid.shape[1], axis=1)
    _traverse(np.ascontiguousarray(grid), place, trees, forest, out)
    return out


def dependence_by_cases(
    predictor: Predictor,
    initial: FloatArray,
    inputs: Inputs,
    weight: FloatArray,
    chosen: Sequence[int],
    grid: FloatArray,
    trees: int,
) -> FloatArray:
    """Weighted mean link score (K, points) of all cases with the chosen columns set."""
    out = np.empty((initial.shape[0], grid.shape[1]))
    for point in range(grid.shape[1]):
        arrays = list(inputs.arrays)
        for place, column in enumerate(chosen):
            arrays[column] = np.full(inputs.n_rows, grid[place, point])
        score = predictor.link(Inputs(inputs.columns, tuple(arrays)), initial, trees)
        out[:, point] = score @ weight / weight.sum()
    return out


def grid_of(
    columns: Sequence[InputColumn], arrays: Sequence[FloatArray], points: int = GRID_POINTS
) -> FloatArray:
    """Every combination of the columns' grid values, (chosen, points).

    A number has equally spaced points over its range, levels have all of theirs; the first
    column runs fastest.
    """
    axes = []
    for column, array in zip(columns, arrays, strict=True):
        if column.levels:
            axes.append(np.arange(len(column.levels), dtype=np.float64))
            continue
        known = array[~np.isnan(array)]
        if known.shape[0] == 0:
            raise PayoffError(
                f"There is no dependence on '{column.name}'.", why="It has no value in the data."
            )
        axes.append(np.linspace(float(known.min()), float(known.max()), points))
    mesh = np.meshgrid(*reversed(axes), indexing="ij")
    return np.stack([axis.ravel() for axis in reversed(mesh)])


def friedman_h(
    forest: Forest,
    columns: int,
    chosen: Sequence[int],
    values: FloatArray,
    weight: FloatArray,
    outputs: int,
    trees: int,
) -> FloatArray:
    """Friedman's H of the chosen columns over the cases' joint values, (K,).

    0 = their effects add up, 1 = nothing but interaction; NaN where noise drives it above 1, as
    gbm has it. Any order, by inclusion and exclusion over the dependences of all subsets.
    """
    points, inverse = np.unique(values, axis=1, return_inverse=True)
    count = np.bincount(inverse.ravel(), weights=weight, minlength=points.shape[1])
    zero = np.zeros(outputs)
    size = len(chosen)
    joint = np.zeros((outputs, points.shape[1]))
    whole = joint
    for order in range(1, size + 1):
        for part in combinations(range(size), order):
            surface = dependence_by_tree(
                forest, zero, columns, [chosen[i] for i in part], points[list(part)], trees
            )
            surface = surface - (surface @ count / count.sum())[:, None]
            joint = joint + (1.0 if (size - order) % 2 == 0 else -1.0) * surface
            whole = surface
    below = whole**2 @ count
    with np.errstate(divide="ignore", invalid="ignore"):
        square = (joint**2 @ count) / below
    square[~(square <= 1.0)] = np.nan
    result: FloatArray = np.sqrt(square)
    return result


def shuffled_places(cases: TrainingCases, seed: int) -> IntArray:
    """The cases that columns are shuffled over: those that judge where there are 50, else all.

    A seeded draw of 20,000 where there are more; groups are not drawn from.
    """
    has_judges = cases.n_rows - cases.train_rows >= FEWEST_JUDGES
    places = np.arange(cases.train_rows if has_judges else 0, cases.n_rows)
    if len(places) <= SHUFFLED_ROWS or cases.group is not None:
        return places
    return np.sort(np.random.default_rng(seed).choice(places, SHUFFLED_ROWS, replace=False))


def permutation_importance(
    inputs: Inputs,
    deviance: Callable[[Inputs], float],
    repeats: int,
    seed: int,
    weight: FloatArray | None = None,
) -> FloatArray:
    """Rise of the deviance when a column is shuffled, (F, repeats).

    Each repeat shuffles every column by the same permutation. Where cases have weights, each gets
    the value of a case drawn by weight: among copies it meets as many of each as there are.
    """
    usual = deviance(inputs)
    rise = np.empty((len(inputs.arrays), repeats))
    for repeat in range(repeats):
        source = generator(seed, STREAM_SHUFFLES, repeat)
        if weight is None or np.ptp(weight) == 0:
            order = source.permutation(inputs.n_rows)
        else:
            order = source.choice(inputs.n_rows, inputs.n_rows, p=weight / weight.sum())
        for column in range(len(inputs.arrays)):
            arrays = list(inputs.arrays)
            arrays[column] = arrays[column][order]
            rise[column, repeat] = deviance(Inputs(inputs.columns, tuple(arrays))) - usual
    return rise
