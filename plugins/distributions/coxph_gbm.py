"""Cox's partial likelihood with the arithmetic of R's gbm: no tie rule, one joint Newton step."""

from __future__ import annotations

import math

import numpy as np

import payoff
from payoff.types import FloatArray, IntArray, StopFlag
from plugins.distributions.coxph_sums import (
    AS_SORTED,
    LARGEST_EXPONENT,
    fill_gradients,
    fill_losses,
    highest_score,
)


@payoff.kernel(shape="by_group", takes_cases=True)
def gbm_coxph_loss(
    cases: payoff.BlockCases,
    out: FloatArray,
    factor: FloatArray,
    first_group: int,
    last_group: int,
) -> None:
    """Fill the same where a case sees only those sorted before it."""
    for block in range(first_group + first_group % 2, last_group, 2):
        fill_losses(cases, AS_SORTED, out, factor, block)


@payoff.kernel(shape="by_group", takes_cases=True)
def gbm_coxph_gradient(
    cases: payoff.BlockCases,
    gradient: FloatArray,
    curvature: FloatArray,
    first_group: int,
    last_group: int,
) -> None:
    """Fill the same where a case sees only those sorted before it."""
    for block in range(first_group + first_group % 2, last_group, 2):
        fill_gradients(cases, AS_SORTED, gradient, curvature, block)


@payoff.kernel(shape="helper")
def solve_in_place(matrix: FloatArray, vector: FloatArray, size: int) -> bool:
    """Solve a symmetric system by elimination with row exchange; False where it is singular."""
    for step in range(size):
        best = step
        for i in range(step + 1, size):
            if abs(matrix[i, step]) > abs(matrix[best, step]):
                best = i
        if matrix[best, step] == 0.0:
            return False
        if best != step:
            vector[step], vector[best] = vector[best], vector[step]
            for j in range(size):
                matrix[step, j], matrix[best, j] = matrix[best, j], matrix[step, j]
        for i in range(step + 1, size):
            ratio = matrix[i, step] / matrix[step, step]
            vector[i] -= ratio * vector[step]
            for j in range(step, size):
                matrix[i, j] -= ratio * matrix[step, j]
    for step in range(size - 1, -1, -1):
        for j in range(step + 1, size):
            vector[step] -= matrix[step, j] * vector[j]
        vector[step] /= matrix[step, step]
    return True


@payoff.kernel(shape="whole", takes_cases=True)
def gbm_coxph_leaf_values(
    cases: payoff.BlockCases,
    output: int,
    leaf_rows: IntArray,
    leaf_offsets: IntArray,
    min_cases: int,
    out: FloatArray,
    stop_flag: StopFlag,
) -> None:
    """Fill gbm's step: one joint Newton step of all leaves with enough cases, the last held at 0.

    Leaves with fewer cases get 0 and stay out of the sums.
    """
    score, weight, event, rows = cases.score, cases.weight, cases.event, cases.rows
    leaves = leaf_offsets.shape[0] - 1
    number = np.full(weight.shape[0], -1)
    kept = np.empty(leaves, dtype=np.int64)
    count = 0
    for leaf in range(leaves):
        out[leaf] = 0.0
        if leaf_offsets[leaf + 1] - leaf_offsets[leaf] >= max(min_cases, 1):
            for k in range(leaf_offsets[leaf], leaf_offsets[leaf + 1]):
                number[leaf_rows[k]] = count
            kept[count] = leaf
            count += 1
    top = highest_score(score, weight, rows, 0, rows.shape[0])
    part = np.zeros(count)
    gradient = np.zeros(count)
    information = np.zeros((count, count))
    total = 0.0
    for place in range(rows.shape[0]):
        i = rows[place]
        if number[i] < 0:
            continue
        risk = weight[i] * math.exp(min(score[0, i] - top, LARGEST_EXPONENT))
        part[number[i]] += risk
        total += risk
        if event[i] > 0.5 and total > 0.0:
            gradient[number[i]] += weight[i]
            for k in range(count):
                share = part[k] / total
                gradient[k] -= weight[i] * share
                information[k, k] += weight[i] * share
                for j in range(count):
                    information[k, j] -= weight[i] * share * part[j] / total
    if count > 1 and solve_in_place(information, gradient, count - 1):
        for k in range(count - 1):
            out[kept[k]] = gradient[k] if math.isfinite(gradient[k]) else 0.0
