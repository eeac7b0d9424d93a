"""Learners of evaluation models: one interface, ``fit(x, y, ...) -> Fitted``.

Outcomes lie in [0, 1]. Logistic regression has scikit-learn's objective (mean log loss plus
|beta|² / (2 C n), the intercept free) and its tolerance.

Logistic regression as one kernel that holds no interpreter lock.

The gradient, which says when to end, is exact in float64. The curvature only steers the steps, so
it is summed in float32, four cases at a time, and serves for several steps.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import optimize

from core import boosting
from core.kernels import own_kernel
from payoff.errors import PayoffError, no_such
from payoff.specs import LossDistribution
from payoff.types import FloatArray
from payoff.vocabulary import Task

SingleArray = NDArray[np.float32]

LANES = 16
"""Float32 numbers of the widest vector."""

REUSES = 12
"""Steps that begin with the same curvature."""


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
    return float(largest)


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
def _step_length(
    score: FloatArray,
    along: FloatArray,
    y: FloatArray,
    beta: FloatArray,
    direction: FloatArray,
    penalty: float,
) -> float:
    """How far to go: where the slope has fallen to a tenth, by Newton's method within a bracket.

    Costs no look at the columns: the scores move along a line. 0 where it does not descend.
    """
    n = score.shape[0]
    linear, square = 0.0, 0.0
    for place in range(1, beta.shape[0]):
        linear += beta[place] * direction[place]
        square += direction[place] * direction[place]
    low, high, length, first = 0.0, np.inf, 0.0, 0.0
    for look in range(20):
        slope, bend = 0.0, 0.0
        for row in range(n):
            chance = 1.0 / (1.0 + math.exp(-(score[row] + length * along[row])))
            slope += (chance - y[row]) * along[row]
            bend += chance * (1.0 - chance) * along[row] * along[row]
        slope = slope / n + penalty * (linear + length * square)
        bend = bend / n + penalty * square
        if look == 0:
            first = slope
            if first >= 0.0:
                return 0.0
        elif abs(slope) <= 0.1 * abs(first):
            return length
        if slope < 0.0:
            low = length
        else:
            high = length
        length -= slope / max(bend, 1e-300)
        most = high if high < np.inf else max(10.0 * low, 1e6)
        if not low < length < most:
            length = 0.5 * (low + high) if high < np.inf else 4.0 * max(low, 1.0)
    return low


@own_kernel
def _direction(
    gradient: FloatArray,
    moves: FloatArray,
    changes: FloatArray,
    kept: int,
    factor: FloatArray,
    has_factor: bool,
    out: FloatArray,
) -> None:
    """Fill the L-BFGS direction (Nocedal 1980); the last curvature is its first matrix."""
    width = gradient.shape[0]
    share = np.empty(kept)
    for i in range(width):
        out[i] = gradient[i]
    for k in range(kept - 1, -1, -1):
        above, below = 0.0, 0.0
        for i in range(width):
            above += moves[k, i] * out[i]
            below += moves[k, i] * changes[k, i]
        share[k] = above / below
        for i in range(width):
            out[i] -= share[k] * changes[k, i]
    if has_factor:
        _solve(factor, out)
    for k in range(kept):
        above, below = 0.0, 0.0
        for i in range(width):
            above += changes[k, i] * out[i]
            below += moves[k, i] * changes[k, i]
        for i in range(width):
            out[i] += moves[k, i] * (share[k] - above / below)
    for i in range(width):
        out[i] = -out[i]


@own_kernel
def fit_logistic(
    x: FloatArray,
    y: FloatArray,
    penalty: float,
    tolerance: float,
    most: int,
    beta: FloatArray,
) -> tuple[int, float]:
    """Minimise mean log loss + penalty/2 |beta[1:]|² from ``beta`` (p + 1,), filled in place.

    One step down the gradient, then L-BFGS steps that begin with the curvature found there; it is
    found again after every ``REUSES`` steps. A curvature costs as much as six steps.

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
    score, along = np.empty(n), np.empty(n)
    weight = np.empty(n, dtype=np.float32)
    gradient, before = np.empty(width + 1), np.empty(width + 1)
    direction = np.empty(width + 1)
    moves, changes = np.empty((REUSES, width + 1)), np.empty((REUSES, width + 1))
    factor = np.zeros((width + 1, width + 1))
    scaled = np.zeros((64, width + 1 + (-width - 1) % LANES), dtype=np.float32)
    scores_of(x, beta, score)
    largest = _gradient(x, y, score, beta, penalty, weight, gradient)
    steps, kept, has_factor, is_due = 0, 0, False, False
    while largest > tolerance and steps < most:
        if is_due or (steps - 1) % REUSES == 0:
            _curvature(x, weight, penalty, scaled, factor)
            has_factor, kept, is_due = _factor(factor), 0, False
        _direction(gradient, moves, changes, kept, factor, has_factor, direction)
        scores_of(x, direction, along)
        length = _step_length(score, along, y, beta, direction, penalty)
        if length <= 0.0:
            if has_factor and kept == 0:
                break  # as near as numbers of this size can tell
            is_due = True
            steps += 1
            continue
        before[:] = gradient
        for i in range(width + 1):
            beta[i] += length * direction[i]
        for row in range(n):
            score[row] += length * along[row]
        largest = _gradient(x, y, score, beta, penalty, weight, gradient)
        product = 0.0
        for i in range(width + 1):
            moves[kept, i] = length * direction[i]
            changes[kept, i] = gradient[i] - before[i]
            product += moves[kept, i] * changes[kept, i]
        if product > 0.0 and kept < REUSES - 1:
            kept += 1
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
    return float(total / n)


INVERSE_PENALTY = 1.0  # C
TOLERANCE = 1e-4
MOST_STEPS = 100
BOOSTED_TREES = 100
OWN_TREES = "boosting"
USUAL_DISTRIBUTIONS = (Task.BINARY, Task.REGRESSION)  # of 0/1 outcomes, of others

Predict = Callable[[FloatArray], FloatArray]
FindDistribution = Callable[[str], LossDistribution]
"""Finds a loss by its id, or the usual one of a Task."""


@dataclass(frozen=True, slots=True, eq=False)
class Fitted:
    """An evaluation model: ``predict(x) -> (n,)``, not clipped.

    ``worse_than_start``: minimising the squared error ended above where the log loss had put it,
    and the start was kept.
    """

    predict: Predict
    worse_than_start: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class FitSettings:
    """What learners need beside the data."""

    seed: int = 0
    find_distribution: FindDistribution | None = None


Learner = Callable[[FloatArray, FloatArray, FitSettings, str], Fitted]


def is_installed(learner: str) -> bool:
    """Whether a learner can be used here; those of other programs only where installed."""
    kind = learner.partition(":")[0]
    return kind in LEARNERS and (kind not in OUTSIDE or find_spec(kind) is not None)


def fit_learner(learner: str, x: FloatArray, y: FloatArray, settings: FitSettings) -> Fitted:
    """Fit a learner by its name: "logistic", "boosting:poisson", ...

    Raises
    ------
    PayoffError
        For a learner that is not known or not installed, and training rows of one outcome only.
    """
    kind, _, detail = learner.partition(":")
    if kind not in LEARNERS:
        raise no_such("learner", learner, LEARNERS)
    if not is_installed(learner):
        raise PayoffError(
            f"{OUTSIDE[kind]} is not installed.",
            remedy=f"Install the package {kind}, or leave it out.",
        )
    if len(y) and y.min() == y.max():
        raise PayoffError(
            f"All {len(y):,} training rows have the outcome {y[0]:g}.",
            why="The split leaves a class empty, so that nothing can be learned.",
            remedy="Give a larger training share, or another outcome.",
        )
    return LEARNERS[kind](x, y, settings, detail)


def sigmoid_of(x: FloatArray, beta: FloatArray) -> FloatArray:
    """Chances of a logistic model."""
    score = np.empty(x.shape[0])
    scores_of(x, beta, score)
    chance: FloatArray = 1.0 / (1.0 + np.exp(-np.clip(score, -700.0, 700.0)))
    return chance


def logistic_coefficients(
    x: FloatArray,
    y: FloatArray,
    *,
    inverse_penalty: float = INVERSE_PENALTY,
    tolerance: float = TOLERANCE,
    most_steps: int = MOST_STEPS,
) -> FloatArray:
    """Intercept and coefficients (p + 1,) that minimise the log loss."""
    beta = np.zeros(x.shape[1] + 1)
    fit_logistic(x, y, 1.0 / (inverse_penalty * len(y)), tolerance, most_steps, beta)
    return beta


def _logistic(x: FloatArray, y: FloatArray, settings: FitSettings, detail: str) -> Fitted:
    del settings, detail
    beta = logistic_coefficients(x, y)
    return Fitted(lambda rows: sigmoid_of(rows, beta))


def _logistic_mse(x: FloatArray, y: FloatArray, settings: FitSettings, detail: str) -> Fitted:
    """Least squares of chances, without a penalty: not convex, so it starts at the log loss's."""
    del settings, detail
    start = logistic_coefficients(x, y)
    score = np.empty(len(y))

    def objective(beta: FloatArray) -> tuple[float, FloatArray]:
        gradient = np.empty_like(beta)
        value = squared_error(x, y, beta, score, gradient)
        return float(value), gradient

    def plain(beta: FloatArray) -> float:
        return float(np.mean((sigmoid_of(x, beta) - y) ** 2))

    found = optimize.minimize(
        objective,
        start,
        jac=True,
        method="L-BFGS-B",
        options={"maxiter": MOST_STEPS, "gtol": 1e-7, "ftol": 1e-12},
    )
    end = np.asarray(found.x, dtype=np.float64)
    is_worse = plain(end) > plain(start)
    beta = start if is_worse else end
    return Fitted(lambda rows: sigmoid_of(rows, beta), is_worse)


def _linear(x: FloatArray, y: FloatArray, settings: FitSettings, detail: str) -> Fitted:
    """Least squares; the shortest solution where columns tell the same."""
    del settings, detail
    design = np.hstack([np.ones((len(y), 1)), x])
    beta, *_ = np.linalg.lstsq(design, y, rcond=1e-10)
    return Fitted(lambda rows: np.asarray(beta[0] + rows @ beta[1:], dtype=np.float64))


def _boosting(x: FloatArray, y: FloatArray, settings: FitSettings, detail: str) -> Fitted:
    """The program's own trees with any distribution; by the outcome where none is named."""
    if settings.find_distribution is None:
        raise PayoffError("Boosted trees need the program's distributions.")
    is_binary = bool(np.all((y == 0.0) | (y == 1.0)))
    spec = settings.find_distribution(detail or USUAL_DISTRIBUTIONS[0 if is_binary else 1])
    cases = boosting.TrainingCases(inputs=boosting.inputs_of_matrix(x), outcome=y)
    grown = boosting.BoostSettings(
        n_trees=BOOSTED_TREES, interaction_depth=3, seed=settings.seed, keeps_train_deviance=False
    )
    model = boosting.fit(cases, spec, {}, grown)

    def predict(rows: FloatArray) -> FloatArray:
        response: FloatArray = model.response(boosting.inputs_of_matrix(rows))[0]
        return response

    return Fitted(predict)


def _outside(model: Any, x: FloatArray, y: FloatArray) -> Fitted:
    model.fit(x, y)
    return Fitted(lambda rows: np.asarray(model.predict(rows), dtype=np.float64))


def _lightgbm(x: FloatArray, y: FloatArray, settings: FitSettings, detail: str) -> Fitted:
    import lightgbm

    objective = detail or "regression"
    model = lightgbm.LGBMRegressor(
        objective=objective,
        n_estimators=BOOSTED_TREES,
        random_state=settings.seed,
        n_jobs=1,
        deterministic=True,
        force_row_wise=True,
        verbose=-1,
    )
    return _outside(model, x, y)


def _xgboost(x: FloatArray, y: FloatArray, settings: FitSettings, detail: str) -> Fitted:
    import xgboost

    model = xgboost.XGBRegressor(
        objective=detail or "reg:squarederror",
        n_estimators=BOOSTED_TREES,
        random_state=settings.seed,
        n_jobs=1,
    )
    return _outside(model, x, y)


def _catboost(x: FloatArray, y: FloatArray, settings: FitSettings, detail: str) -> Fitted:
    import catboost

    model = catboost.CatBoostRegressor(
        loss_function=detail or "RMSE",
        iterations=BOOSTED_TREES,
        random_seed=settings.seed,
        thread_count=1,
        verbose=False,
        allow_writing_files=False,
    )
    return _outside(model, x, y)


LEARNERS: dict[str, Learner] = {
    "logistic": _logistic,
    "logistic_mse": _logistic_mse,
    "linear": _linear,
    OWN_TREES: _boosting,
    "xgboost": _xgboost,
    "lightgbm": _lightgbm,
    "catboost": _catboost,
}

OUTSIDE = {"xgboost": "XGBoost", "lightgbm": "LightGBM", "catboost": "CatBoost"}
