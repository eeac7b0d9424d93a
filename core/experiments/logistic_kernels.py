"""Newton's method for logistic regression as one kernel that holds no interpreter lock.

Gradient and objective are exact in float64. The curvature only steers the steps, so it is summed in
float32, four cases at a time: that is where the time goes, and it costs no accuracy of the answer.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from core.kernels import own_kernel
from payoff.types import FloatArray

SingleArray = NDArray[np.float32]


@own_kernel
def scores_of(x: FloatArray, beta: FloatArray, out: FloatArray) -> None:
    """Fill ``out`` (n,) with beta[0] + x beta[1:]; x is (n, p), row by row."""
    width = x.shape[1]
    fours = width - width % 4
    for row in range(x.shape[0]):
        a, b, c, d = beta[0], 0.0, 0.0, 0.0
        for place in range(0, fours, 4):
            a += x[row, place] * beta[place + 1]
            b += x[row, place + 1] * beta[place + 2]
            c += x[row, place + 2] * beta[place + 3]
            d += x[row, place + 3] * beta[place + 4]
        for place in range(fours, width):
            a += x[row, place] * beta[place + 1]
        out[row] = (a + b) + (c + d)


@own_kernel
def _log_loss(score: FloatArray, y: FloatArray) -> float:
    total = 0.0
    for row in range(score.shape[0]):
        s = score[row]
        total += math.log1p(math.exp(-abs(s))) + max(s, 0.0) - y[row] * s
    return total / score.shape[0]


@own_kernel
def _objective(score: FloatArray, y: FloatArray, beta: FloatArray, penalty: float) -> float:
    square = 0.0
    for place in range(1, beta.shape[0]):
        square += beta[place] * beta[place]
    return _log_loss(score, y) + 0.5 * penalty * square


@own_kernel
def _gradient(
    x: FloatArray,
    y: FloatArray,
    score: FloatArray,
    beta: FloatArray,
    penalty: float,
    weight: SingleArray,
    gradient: FloatArray,
) -> float:
    """Fill the gradient of the mean loss and the root of each case's curvature; the largest."""
    n, width = x.shape
    gradient[:] = 0.0
    inside = gradient[1:]
    for row in range(n):
        chance = 1.0 / (1.0 + math.exp(-score[row]))
        residual = chance - y[row]
        weight[row] = np.float32(math.sqrt(max(chance * (1.0 - chance), 0.0) / n))
        gradient[0] += residual
        line = x[row]
        for place in range(width):
            inside[place] += residual * line[place]
    gradient[0] /= n
    largest = abs(gradient[0])
    for place in range(width):
        inside[place] = inside[place] / n + penalty * beta[place + 1]
        largest = max(largest, abs(inside[place]))
    return largest


@own_kernel
def _add_curvature(scaled: SingleArray, count: int, curvature: SingleArray) -> None:
    """Add the products of ``count`` rows, four at a time, to the lower triangle."""
    width = scaled.shape[1]
    row = 0
    while row + 4 <= count:
        first, second, third, fourth = (
            scaled[row], scaled[row + 1], scaled[row + 2], scaled[row + 3],
        )  # fmt: skip
        for i in range(width):
            a, b, c, d = first[i], second[i], third[i], fourth[i]
            target = curvature[i]
            for j in range(i + 1):
                target[j] += (a * first[j] + b * second[j]) + (c * third[j] + d * fourth[j])
        row += 4
    for rest in range(row, count):
        line = scaled[rest]
        for i in range(width):
            for j in range(i + 1):
                curvature[i, j] += line[i] * line[j]


@own_kernel
def _curvature(
    x: FloatArray, weight: SingleArray, penalty: float, scaled: SingleArray, out: FloatArray
) -> None:
    """The Hessian (p + 1, p + 1), lower triangle; cases without curvature cost nothing.

    ``scaled`` (rows at once, p + 1) is working memory. Cases whose weight is below a millionth of
    the mean's square root change the steps by nothing that matters.
    """
    n, width = x.shape
    single = np.zeros((width + 1, width + 1), dtype=np.float32)
    out[:, :] = 0.0
    total = 0.0
    for row in range(n):
        total += weight[row] * weight[row]
    least = np.float32(1e-3 * math.sqrt(total / n))
    count = 0
    for row in range(n):
        root = weight[row]
        if root > least:
            line = x[row]
            target = scaled[count]
            target[0] = root
            for place in range(width):
                target[place + 1] = root * np.float32(line[place])
            count += 1
        if count == scaled.shape[0] or (row == n - 1 and count > 0):
            _add_curvature(scaled, count, single)
            count = 0
    for i in range(width + 1):
        for j in range(i + 1):
            out[i, j] = single[i, j]
        out[i, i] += penalty if i > 0 else 0.0


@own_kernel
def _solve(matrix: FloatArray, right: FloatArray) -> bool:
    """Solve in place by Cholesky; False where the matrix is not positive definite."""
    size = matrix.shape[0]
    for i in range(size):
        for j in range(i + 1):
            total = matrix[i, j]
            for k in range(j):
                total -= matrix[i, k] * matrix[j, k]
            if i == j:
                if total <= 0.0:
                    return False
                matrix[i, i] = math.sqrt(total)
            else:
                matrix[i, j] = total / matrix[j, j]
    for i in range(size):
        total = right[i]
        for k in range(i):
            total -= matrix[i, k] * right[k]
        right[i] = total / matrix[i, i]
    for i in range(size - 1, -1, -1):
        total = right[i]
        for k in range(i + 1, size):
            total -= matrix[k, i] * right[k]
        right[i] = total / matrix[i, i]
    return True


@own_kernel
def newton_logistic(
    x: FloatArray,
    y: FloatArray,
    penalty: float,
    tolerance: float,
    most: int,
    beta: FloatArray,
) -> tuple[int, float]:
    """Minimise mean log loss + penalty/2 |beta[1:]|² from ``beta`` (p + 1,), filled in place.

    Parameters
    ----------
    x : float64 (n, p), C-contiguous
    y : float64 (n,)
        In [0, 1].
    penalty : float
        1 / (C n) in scikit-learn's words; the intercept beta[0] is free.
    tolerance : float
        Largest absolute entry of the gradient at which it ends.
    most : int
        Steps at most.

    Returns
    -------
    tuple
        Steps taken, and the largest entry of the gradient at the end.
    """
    n, width = x.shape
    score, trial = np.empty(n), np.empty(n)
    weight = np.empty(n, dtype=np.float32)
    gradient, step = np.empty(width + 1), np.empty(width + 1)
    moved = np.empty(width + 1)
    hessian = np.empty((width + 1, width + 1))
    scaled = np.empty((64, width + 1), dtype=np.float32)
    scores_of(x, beta, score)
    value = _objective(score, y, beta, penalty)
    largest = _gradient(x, y, score, beta, penalty, weight, gradient)
    steps = 0
    while largest > tolerance and steps < most:
        _curvature(x, weight, penalty, scaled, hessian)
        step[:] = gradient
        ridge = 1e-7
        for i in range(width + 1):
            hessian[i, i] += ridge * max(hessian[i, i], 1e-12)
        if not _solve(hessian, step):
            step[:] = gradient
        slope = 0.0
        for i in range(width + 1):
            slope += step[i] * gradient[i]
        length, found = 1.0, False
        for _ in range(40):
            for i in range(width + 1):
                moved[i] = beta[i] - length * step[i]
            scores_of(x, moved, trial)
            new = _objective(trial, y, moved, penalty)
            if new <= value - 1e-4 * length * slope or (new <= value and slope < 1e-14):
                found = True
                break
            length *= 0.5
        if not found:
            break
        beta[:] = moved
        score[:] = trial
        value = new
        largest = _gradient(x, y, score, beta, penalty, weight, gradient)
        steps += 1
    return steps, largest


@own_kernel
def squared_error(
    x: FloatArray,
    y: FloatArray,
    beta: FloatArray,
    score: FloatArray,
    gradient: FloatArray,
) -> float:
    """Mean (sigmoid(x beta) - y)²; the gradient is filled in."""
    n, width = x.shape
    scores_of(x, beta, score)
    gradient[:] = 0.0
    inside = gradient[1:]
    total = 0.0
    for row in range(n):
        chance = 1.0 / (1.0 + math.exp(-score[row]))
        residual = chance - y[row]
        total += residual * residual
        slope = 2.0 * residual * chance * (1.0 - chance) / n
        gradient[0] += slope
        line = x[row]
        for place in range(width):
            inside[place] += slope * line[place]
    return total / n
