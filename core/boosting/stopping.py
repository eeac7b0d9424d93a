"""How many trees: by test rows, cross-validation or out-of-bag improvement, as gbm.perf."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from payoff.errors import PayoffError, no_such
from payoff.types import FloatArray


def smoothed(values: FloatArray, span: float) -> FloatArray:
    """Local quadratic regression on the positions 1, 2 ... with tricube weights (loess)."""
    n = values.shape[0]
    reach = min(n, max(4, int(n * span + 1e-5)))
    x = np.arange(n, dtype=np.float64)
    out = np.empty(n)
    for place in range(n):
        low = min(max(place - reach // 2, 0), n - reach)
        while low + reach < n and place - low > low + reach - place:
            low += 1
        near = slice(low, low + reach)
        shift = x[near] - place
        widest = max(-shift[0], shift[-1])
        weight = (1.0 - np.minimum(np.abs(shift) / widest, 1.0) ** 3) ** 1.5
        basis = np.stack([np.ones(reach), shift, shift**2], axis=1) * weight[:, None]
        out[place] = np.linalg.lstsq(basis, values[near] * weight, rcond=None)[0][0]
    return out


def best_by_oob(improvement: FloatArray) -> int:
    """Iteration at which the summed, smoothed out-of-bag improvement is largest."""
    n = improvement.shape[0]
    if n < 4:
        return int(np.argmax(np.cumsum(improvement))) + 1
    parameters = min(max(4.0, n / 10.0), 50.0)
    return int(np.argmax(np.cumsum(smoothed(improvement, 3.6 / parameters)))) + 1


def best_iteration(
    method: str, valid: FloatArray, oob: FloatArray, cross: FloatArray | None
) -> int:
    """Number of trees that a method chooses.

    Parameters
    ----------
    method : str
        "test", "oob" or "cv".
    valid, oob : float64 (trees,)
    cross : float64 (trees,) or None

    Raises
    ------
    PayoffError
        If the training did not collect what the method reads.
    """
    if method == "test":
        if valid.size == 0 or np.isnan(valid).all():
            raise PayoffError(
                "There are no test rows.",
                why="All rows trained the model.",
                remedy="Train with train_fraction below 1.",
            )
        return int(np.nanargmin(valid)) + 1
    if method == "cv":
        if cross is None:
            raise PayoffError("The model was not cross-validated.", remedy="Train with cv_folds=5.")
        return int(np.nanargmin(cross)) + 1
    if method == "oob":
        if oob.size == 0 or np.isnan(oob).any():
            raise PayoffError(
                "No rows were left out of the bags.",
                why="bag_fraction was 1.",
                remedy="Train with bag_fraction below 1.",
            )
        return best_by_oob(oob)
    raise no_such("way to choose the number of trees", method, ("test", "oob", "cv"))


@dataclass(kw_only=True)
class EarlyStopping:
    """Stops when a figure of the cases that do not train has not improved for some trees.

    Attributes
    ----------
    figure : function or None
        ``figure(scores) -> float`` of the (K, n_valid) link scores: a metric, or the realised
        profit of the decisions. None = their deviance.
    patience : int
        Trees without improvement.
    is_higher_better : bool
    every : int
        Trees between two looks.
    history : list of (int, float)
        What was seen: trees and figure.
    """

    figure: Callable[[FloatArray], float] | None = None
    patience: int = 50
    is_higher_better: bool = False
    every: int = 1
    history: list[tuple[int, float]] = field(default_factory=list)
    best_trees: int = 0
    best_figure: float = math.nan

    def __call__(self, scores: FloatArray, done: int) -> bool:
        """Look at the scores after ``done`` trees; True = stop."""
        if done % self.every:
            return False
        if self.figure is None:
            raise TypeError("a figure is needed to judge scores")
        value = self.figure(scores)
        self.history.append((done, value))
        sign = 1.0 if self.is_higher_better else -1.0
        if math.isnan(self.best_figure) or sign * value > sign * self.best_figure:
            self.best_figure, self.best_trees = value, done
        return done - self.best_trees >= self.patience
