"""Kernels of the totals of a part of the cases at many matrices.

Places are unsigned, so that nothing has to be checked for counting from the end.
"""

from __future__ import annotations

import numpy as np

from core.kernels import own_kernel, parallel_kernel, prange
from payoff.types import CodeArray, FloatArray, IntArray

BLOCK = 512
"""Cases worked out side by side, decision by decision: so every step is a vector instruction."""


@own_kernel
def _keep_better(
    costs: FloatArray,
    outcome: CodeArray,
    gain: FloatArray,
    decision: int,
    start: int,
    count: int,
    scratch: FloatArray,
) -> None:
    """Take a decision where it is expected to bring more than those before it."""
    size, first = np.uint64(count), np.uint64(start)
    value, highest, expected = scratch[0], scratch[1], scratch[2]
    has_costs = costs.shape[0] > 0
    for case in range(size):
        brought = gain[np.uint64(outcome[first + case]), decision]
        if has_costs:
            brought -= costs[decision, first + case]
        is_better = expected[case] > highest[case]
        value[case] = brought if is_better else value[case]
        highest[case] = expected[case] if is_better else highest[case]


@own_kernel
def _choose_block(
    chances: FloatArray,
    costs: FloatArray,
    outcome: CodeArray,
    gain: FloatArray,
    mass: FloatArray,
    start: int,
    count: int,
    scratch: FloatArray,
) -> None:
    """What the best decisions bring in some cases: the first row of ``scratch`` (4, BLOCK).

    Best is the highest expected gain, ties to the first.
    """
    size, first = np.uint64(count), np.uint64(start)
    highest, expected, whole = scratch[1], scratch[2], scratch[3]
    levels, has_costs = chances.shape[0], costs.shape[0] > 0
    for case in range(size):
        highest[case] = -np.inf
        whole[case] = 0.0
    if has_costs:
        for level in range(levels):
            for case in range(size):
                whole[case] += chances[level, first + case] * mass[level]
    for decision in range(gain.shape[1]):
        for case in range(size):
            expected[case] = 0.0
        for level in range(levels):
            worth = gain[level, decision] * mass[level]
            for case in range(size):
                expected[case] += chances[level, first + case] * worth
        if has_costs:
            for case in range(size):
                expected[case] -= costs[decision, first + case] * whole[case]
        _keep_better(costs, outcome, gain, decision, start, count, scratch)


@parallel_kernel
def add_points(
    chances: FloatArray,
    costs: FloatArray,
    outcome: CodeArray,
    frequency: FloatArray,
    gain: FloatArray,
    mass: FloatArray,
    weight: FloatArray,
    totals: FloatArray,
) -> None:
    """Totals of every model at every point.

    Parameters
    ----------
    chances : array (models, levels, k)
    costs : array (decisions, k), or (0, 0) without costs by case
    outcome, frequency : array (k,)
    gain : array (P, levels, decisions)
    mass : array (models, P, levels)
        Factors of the chances.
    weight : array (P, levels)
        Weights of the classes in totals.
    totals : array (models, P)
        Filled.
    """
    models, points = totals.shape
    for point in prange(points):
        scratch = np.empty((4, BLOCK))
        for model in range(models):
            total = 0.0
            for start in range(0, outcome.shape[0], BLOCK):
                count = min(BLOCK, outcome.shape[0] - start)
                _choose_block(
                    chances[model], costs, outcome, gain[point], mass[model, point], start, count,
                    scratch,
                )  # fmt: skip
                first = np.uint64(start)
                for case in range(np.uint64(count)):
                    level = np.uint64(outcome[first + case])
                    total += scratch[0, case] * frequency[first + case] * weight[point, level]
            totals[model, point] = total


@parallel_kernel
def add_gaps(
    chances: FloatArray,
    costs: FloatArray,
    outcome: CodeArray,
    frequency: FloatArray,
    gain: FloatArray,
    mass: FloatArray,
    weight: FloatArray,
    pairs: IntArray,
    moments: FloatArray,
) -> None:
    """Sums and sums of squares, by class, of what two candidates bring differently in a case.

    Parameters as of ``add_points``, and

    pairs : array (P, 2)
        Numbers of two candidates: a model; from the number of models on a decision for all cases;
        beyond the decisions doing nothing.
    moments : array (P, levels, 2)
        Filled.
    """
    models, decisions = chances.shape[0], gain.shape[2]
    for point in prange(pairs.shape[0]):
        scratch = np.empty((4, BLOCK))
        gap = np.zeros(BLOCK)
        moments[point] = 0.0
        for start in range(0, outcome.shape[0], BLOCK):
            count = min(BLOCK, outcome.shape[0] - start)
            gap[:] = 0.0
            for side in range(2):
                name, sign = pairs[point, side], 1.0 - 2.0 * side
                if name < models:
                    _choose_block(
                        chances[name], costs, outcome, gain[point], mass[name, point], start,
                        count, scratch,
                    )  # fmt: skip
                    for case in range(count):
                        gap[case] += sign * scratch[0, case]
                elif name - models < decisions:
                    same = name - models
                    for case in range(count):
                        gap[case] += sign * gain[point, outcome[start + case], same]
                        if costs.shape[0]:
                            gap[case] -= sign * costs[same, start + case]
            for case in range(count):
                level = outcome[start + case]
                value = gap[case] * frequency[start + case] * weight[point, level]
                moments[point, level, 0] += value
                moments[point, level, 1] += value * value
