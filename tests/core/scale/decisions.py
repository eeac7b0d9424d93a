"""Decisions that tests ask for, of data in memory and in pieces."""

from __future__ import annotations

from typing import Any

import numpy as np

import payoff
from core.script.decide.in_pieces import DecisionsInPieces

MATRIX = {"yes": [10.0, 0.0], "no": [-1.0, 0.0]}
THREE = {"yes": [10.0, 4.5, 0.0], "no": [-1.3, -0.21, 0.0]}
KINDS: dict[str, dict[str, Any]] = {
    "two decisions": {"matrix": MATRIX},
    "losses": {"matrix": {"yes": [0.7, 9.1], "no": [1.3, 0.1]}, "kind": "loss"},
    "the rarer the better": {"matrix": {"yes": [-8.0, 0.0], "no": [1.1, 0.0]}},
    "priors": {
        "matrix": MATRIX,
        "priors": {"yes": 0.02, "no": 0.98},
        "old_priors": {"yes": 0.2, "no": 0.8},
        "prior_range": (0.01, 0.03),
    },
    "three decisions": {"matrix": THREE, "decisions": ["mail", "write", "leave"]},
    "three decisions, priors": {
        "matrix": THREE,
        "priors": {"yes": 0.1, "no": 0.9},
        "old_priors": "data",
        "costs": [1.0, 0.25, 0.0],
    },
}


def decided(data: Any, **more: Any) -> payoff.Decisions:
    return payoff.decide(data, target="outcome", posteriors={"yes": "first"}, **more)


def pieces(data: Any, **more: Any) -> DecisionsInPieces:
    found = decided(data, **more)
    assert isinstance(found, DecisionsInPieces)
    return found


def decision_figures(found: DecisionsInPieces) -> str:
    """Every figure, to the last digit."""
    np.set_printoptions(threshold=100_000, floatmode="unique")
    analysis = repr([found.totals, found.profit_curve.to_numpy().tobytes()])
    model = found.analysis.models[0]
    best = model.best_depth, model.best_profit, model.best_profit_crossfitted, model.best_range
    return repr((analysis, best, found.analysis.advice, found.thresholds()))
