"""Problems and metrics for the tests of evaluation."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

import payoff
from core.document.results import RowsNote
from core.evaluation import EvaluationProblem, JudgedScores, MetricRequest
from plugins.curves import hooks as curves
from plugins.metrics.hooks import payoff_register_metrics

METRICS = {spec.id: spec for spec in payoff_register_metrics()}
CURVES = tuple(MetricRequest(spec=spec) for spec in curves.payoff_register_metrics())


def note(rows: int) -> RowsNote:
    return RowsNote(use="validation", text=f"validation rows, {rows:,}", rows=rows)


def request(metric: str | payoff.EvaluationMetric, **parameters: float) -> MetricRequest:
    spec = METRICS[metric] if isinstance(metric, str) else metric
    return MetricRequest(spec=spec, parameters=tuple(parameters.items()))


def binary_model(name: str, probability: np.ndarray, **extras: np.ndarray) -> JudgedScores:
    probability = np.asarray(probability, dtype=np.float64)
    return JudgedScores(
        name=name, posteriors=np.vstack([probability, 1.0 - probability]), extras=extras
    )


def binary_problem(
    outcome: Sequence[int] | np.ndarray,
    probabilities: dict[str, np.ndarray],
    metrics: Sequence[MetricRequest | str],
    **settings: object,
) -> EvaluationProblem:
    """``outcome`` 1 = event; levels "yes", "no"."""
    outcome = np.asarray(outcome)
    settings.setdefault("resamples", 0)
    settings.setdefault("curves", CURVES)
    return EvaluationProblem(
        kind="binary",
        models=tuple(
            binary_model(name, probability) for name, probability in probabilities.items()
        ),
        metrics=tuple(request(m) if isinstance(m, str) else m for m in metrics),
        rows=note(len(outcome)),
        levels=("yes", "no"),
        outcome=np.where(outcome == 1, 0, 1).astype(np.int32),
        **settings,
    )


def made_cases(rows: int, seed: int, noise: Sequence[float] = (0.3,)) -> tuple[np.ndarray, ...]:
    """Outcomes (1 = event, about 15 %) and one chance per noise."""
    rng = np.random.default_rng(seed)
    latent = rng.normal(size=rows)
    outcome = (rng.random(rows) < _sigmoid(1.2 * latent - 2.0)).astype(int)
    probabilities = [_sigmoid(1.2 * (latent + rng.normal(0, sd, rows)) - 2.0) for sd in noise]
    return outcome, *probabilities


def made_classes(rows: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Codes of three classes and a model's posteriors (3, rows)."""
    rng = np.random.default_rng(seed)
    logits = rng.normal(size=(3, rows)) + np.array([[0.0], [0.6], [1.0]])
    posteriors = np.exp(logits) / np.exp(logits).sum(axis=0)
    cumulative = posteriors.cumsum(axis=0)
    codes = (rng.random(rows) > cumulative).sum(axis=0).clip(0, 2).astype(np.int32)
    return codes, posteriors


def _sigmoid(value: np.ndarray) -> np.ndarray:
    return 1.0 / (1.0 + np.exp(-value))


def cell_of(result, metric: str, model: str = "m"):
    return next(c.estimate for c in result.cells if c.metric == metric and c.model == model)
