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

LANES = 16
"""Float32 numbers of the widest vector."""


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
    """Add the products of ``count`` rows, four at a time, to the lower triangle.

    Rows are as wide as whole vectors: each line is added to the end of its vector, a few cells
    beyond the diagonal that nobody reads, instead of cell by cell there.
    """
    width = scaled.shape[1]
    rows = count + (-count) % 4
    for row in range(count, rows):
        scaled[row, :] = np.float32(0.0)
    for row in range(0, rows, 4):
        first, second = scaled[row], scaled[row + 1]
        third, fourth = scaled[row + 2], scaled[row + 3]
        for i in range(width):
            a, b, c, d = first[i], second[i], third[i], fourth[i]
            target = curvature[i]
            for j in range((i // LANES + 1) * LANES):
                target[j] += (a * first[j] + b * second[j]) + (c * third[j] + d * fourth[j])


@own_kernel
def _curvature(
    x: FloatArray, weight: SingleArray, penalty: float, scaled: SingleArray, out: FloatArray
) -> None:
    """The Hessian (p + 1, p + 1), lower triangle; cases without curvature cost nothing.

    ``scaled`` (rows at once, p + 1 and a little) is working memory. Cases with less than a
    thousandth of the mean curvature are left out: together they turn a step by less than that.
    """
    n, width = x.shape
    single = np.zeros((scaled.shape[1], scaled.shape[1]), dtype=np.float32)
    total = 0.0
    for row in range(n):
        total += weight[row] * weight[row]
    least = np.float32(math.sqrt(1e-3 * total / n))
    count = 0
    for row in range(n):
        root = weight[row]
        if root > least:
            line = x[row]
            target = scaled[count]
            target[0] = root
            inside = target[1 : width + 1]
            for place in range(width):
                inside[place] = root * np.float32(line[place])
            count += 1
        if count == scaled.shape[0] or (row == n - 1 and count > 0):
            _add_curvature(scaled, count, single)
            count = 0
    for i in range(width + 1):
        for j in range(i + 1):
            out[i, j] = single[i, j]
        out[i, i] += penalty if i > 0 else 0.0
        out[i, i] += 1e-7 * max(out[i, i], 1e-12)


@own_kernel
def _factor(matrix: FloatArray) -> bool:
    """Cholesky in place, lower triangle; False where the matrix is not positive definite."""
    size = matrix.shape[0]
    for i in range(size):
        line = matrix[i]
        for j in range(i + 1):
            other = matrix[j]
            a, b = 0.0, 0.0
            twos = j - j % 2
            for k in range(0, twos, 2):
                a += line[k] * other[k]
                b += line[k + 1] * other[k + 1]
            if j % 2:
                a += line[j - 1] * other[j - 1]
            rest = line[j] - (a + b)
            if i == j:
                if rest <= 0.0:
                    return False
                line[i] = math.sqrt(rest)
            else:
                line[j] = rest / other[j]
    return True


@own_kernel
def _solve(factor: FloatArray, right: FloatArray) -> None:
    """Solve in place with a Cholesky factor."""
    size = factor.shape[0]
    for i in range(size):
        total = right[i]
        for k in range(i):
            total -= factor[i, k] * right[k]
        right[i] = total / factor[i, i]
    for i in range(size - 1, -1, -1):
        right[i] /= factor[i, i]
        for k in range(i):
            right[k] -= factor[i, k] * right[i]


@own_kernel
def _search(
    x: FloatArray,
    y: FloatArray,
    penalty: float,
    value: float,
    slope: float,
    step: FloatArray,
    beta: FloatArray,
    moved: FloatArray,
    trial: FloatArray,
) -> float:
    """Halve a step until the objective falls enough; the new objective, NaN where it never does.

    ``moved`` and its scores ``trial`` are filled.
    """
    length = 1.0
    for _ in range(40):
        for i in range(beta.shape[0]):
            moved[i] = beta[i] - length * step[i]
        scores_of(x, moved, trial)
        new = _objective(trial, y, moved, penalty)
        if new <= value - 1e-4 * length * slope or (new <= value and slope < 1e-14):
            return new
        length *= 0.5
    return np.nan


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

    A curvature serves again while a step made the gradient three times smaller: the next step costs
    a sixth of one with a curvature of its own.

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
    factor = np.zeros((width + 1, width + 1))
    scaled = np.zeros((64, width + 1 + (-width - 1) % LANES), dtype=np.float32)
    scores_of(x, beta, score)
    value = _objective(score, y, beta, penalty)
    largest = _gradient(x, y, score, beta, penalty, weight, gradient)
    steps, is_fresh, has_factor = 0, False, False
    while largest > tolerance and steps < most:
        if not has_factor:
            _curvature(x, weight, penalty, scaled, factor)
            is_fresh, has_factor = True, _factor(factor)
        step[:] = gradient
        if has_factor:
            _solve(factor, step)
        slope = 0.0
        for i in range(width + 1):
            slope += step[i] * gradient[i]
        new = _search(x, y, penalty, value, slope, step, beta, moved, trial)
        if np.isnan(new):
            if is_fresh:
                break
            has_factor = False  # an old curvature led nowhere: try its own
            continue
        beta[:] = moved
        score[:] = trial
        value, before = new, largest
        largest = _gradient(x, y, score, beta, penalty, weight, gradient)
        has_factor = has_factor and largest < before / 3.0
        is_fresh = False
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
