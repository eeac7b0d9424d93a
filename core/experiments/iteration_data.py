"""Made-up data for the studies of boosting: seeded, of the kinds that the literature judges by."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from core.boosting import TrainingCases, inputs_of_matrix
from payoff.types import FloatArray

Made = tuple[FloatArray, FloatArray]
Draw = np.random.Generator


def _friedman_1(draw: Draw, rows: int) -> Made:
    x = draw.random((rows, 10))
    y = 10.0 * np.sin(np.pi * x[:, 0] * x[:, 1]) + 20.0 * (x[:, 2] - 0.5) ** 2
    return x, y + 10.0 * x[:, 3] + 5.0 * x[:, 4] + draw.normal(size=rows)


def _circuit(draw: Draw, rows: int) -> FloatArray:
    low, high = np.array([0.0, 40.0 * np.pi, 0.0, 1.0]), np.array([100.0, 560.0 * np.pi, 1.0, 11.0])
    values: FloatArray = low + draw.random((rows, 4)) * (high - low)
    return values


def _friedman_2(draw: Draw, rows: int) -> Made:
    x = _circuit(draw, rows)
    y = np.hypot(x[:, 0], x[:, 1] * x[:, 2] - 1.0 / (x[:, 1] * x[:, 3]))
    return x, y + 125.0 * draw.normal(size=rows)


def _friedman_3(draw: Draw, rows: int) -> Made:
    x = _circuit(draw, rows)
    y = np.arctan2(x[:, 1] * x[:, 2] - 1.0 / (x[:, 1] * x[:, 3]), x[:, 0])
    return x, y + 0.1 * draw.normal(size=rows)


def _line(draw: Draw, rows: int) -> Made:
    x = draw.normal(size=(rows, 8))
    return x, x @ np.array([1.0, -0.7, 0.5, 0.3, 0.2, 0.0, 0.0, 0.0]) + 2.0 * draw.normal(size=rows)


def _steps(draw: Draw, rows: int) -> Made:
    x = draw.random((rows, 6))
    y = np.floor(4.0 * x[:, 0]) + 2.0 * (x[:, 1] > 0.6) * (x[:, 2] > 0.3)
    return x, y + draw.normal(size=rows)


def _two_clouds(draw: Draw, rows: int) -> Made:
    y = (draw.random(rows) < 0.5).astype(np.float64)
    x = draw.normal(size=(rows, 10)) + np.where(y > 0, 1.0, -1.0)[:, None] * 0.5 / np.sqrt(10.0)
    return x, y


def _ring(draw: Draw, rows: int) -> Made:
    y = (draw.random(rows) < 0.5).astype(np.float64)
    wide = draw.normal(size=(rows, 6)) * np.where(y > 0, 1.0, 1.6)[:, None]
    return wide, y


def _counts(draw: Draw, rows: int) -> Made:
    x = draw.normal(size=(rows, 6))
    rate = np.exp(0.3 * x[:, 0] + 0.4 * (x[:, 1] > 0) - 0.3 * x[:, 2] * (x[:, 3] > 0))
    return x, draw.poisson(rate).astype(np.float64)


MADE_UP: dict[str, tuple[str, Callable[[Draw, int], Made]]] = {
    "Friedman 1": ("gaussian", _friedman_1),
    "Friedman 2": ("gaussian", _friedman_2),
    "Friedman 3": ("gaussian", _friedman_3),
    "a straight line": ("gaussian", _line),
    "steps": ("gaussian", _steps),
    "two clouds": ("bernoulli", _two_clouds),
    "rings": ("bernoulli", _ring),
    "counts": ("poisson", _counts),
}
"""Name: the distribution, and what draws inputs (n, F) and outcome (n,)."""


def made_up_cases(name: str, rows: int, seed: int) -> TrainingCases:
    """Cases of a generator; the same seed gives the same."""
    x, y = MADE_UP[name][1](np.random.default_rng(seed), rows)
    return TrainingCases(inputs=inputs_of_matrix(x), outcome=y, n_classes=1)
