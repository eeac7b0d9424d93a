"""Learners of evaluation models: one interface, ``fit(x, y, ...) -> Fitted``.

Outcomes lie in [0, 1]. Logistic regression has scikit-learn's objective (mean log loss plus
|beta|² / (2 C n), the intercept free) and its tolerance.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

import numpy as np
from scipy import optimize

from core import boosting
from core.experiments.logistic_kernels import fit_logistic, scores_of, squared_error
from payoff.errors import PayoffError, no_such
from payoff.specs import LossDistribution
from payoff.types import FloatArray
from payoff.vocabulary import Task

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
    probability: FloatArray = 1.0 / (1.0 + np.exp(-np.clip(score, -700.0, 700.0)))
    return probability


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
