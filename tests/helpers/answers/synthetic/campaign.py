"""A made-up direct mail campaign: who responds, and how three models rank."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from payoff.types import FloatArray

MODELS = ("gbm 2", "logit", "agency")

LETTER, MARGIN = 1.60, 24.00

GRID = 1001

SEPARATION = (1.52, 1.389, 1.017)

Z = 1.959964


@dataclass(frozen=True)
class Sample:
    """Outcomes and chances of the synthetic customers."""

    outcome: FloatArray  # (n,) 1 = responds
    probability: FloatArray  # (models, n)


@lru_cache(maxsize=4)
def draw_sample(rows: int, seed: int) -> Sample:
    rng = np.random.default_rng(seed)
    outcome = np.zeros(rows)
    outcome[: rows // 20] = 1.0
    shared = rng.normal(size=rows)
    probability = np.empty((len(MODELS), rows))
    for index, separation in enumerate(SEPARATION):
        noise = 0.85 * shared + np.sqrt(1 - 0.85**2) * rng.normal(size=rows)
        score = noise + separation * outcome
        logit = np.log(0.05 / 0.95) + separation * score - separation**2 / 2
        if index == 2:  # rates low chances too low
            logit = logit - 0.35
        probability[index] = 1.0 / (1.0 + np.exp(-logit))
    return Sample(outcome=outcome, probability=probability)


@dataclass(frozen=True)
class Ranking:
    """One model's ranking cut to the grid."""

    depth: FloatArray
    cases: FloatArray
    threshold: FloatArray
    events: FloatArray
    others: FloatArray
    ranks: FloatArray  # event order, for AUC


def rank(sample: Sample, index: int) -> Ranking:
    order = np.argsort(-sample.probability[index], kind="stable")
    outcome = sample.outcome[order]
    probability = sample.probability[index][order]
    rows = len(outcome)
    depth = np.linspace(0.0, 1.0, GRID)
    position = depth * rows
    ends = np.arange(rows + 1, dtype=np.float64)
    events = np.interp(position, ends, np.concatenate([[0.0], np.cumsum(outcome)]))
    last = np.clip(np.ceil(position).astype(np.int64) - 1, 0, rows - 1)
    return Ranking(
        depth=depth,
        cases=position,
        threshold=probability[last],
        events=events,
        others=position - events,
        ranks=outcome,
    )


def share_band(share: FloatArray, count: float) -> tuple[FloatArray, FloatArray]:
    error = Z * np.sqrt(np.maximum(share * (1 - share), 0.0) / count)
    return np.clip(share - error, 0, 1), np.clip(share + error, 0, 1)
