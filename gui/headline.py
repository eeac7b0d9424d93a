"""What Home will show of a project: its best model and profit, taken when it is saved."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np

from core.document.model import Document
from core.document.project import Headline
from core.document.results import DecisionResult, ModelProfit

CURVE_POINTS = 61


def headline_of(document: Document, decisions: DecisionResult | None, depth: float) -> Headline:
    """The headline at a depth of the cursor; without results only the number of rows."""
    rows = document.data.rows if document.data is not None else 0
    saved_at = datetime.now(UTC).isoformat(timespec="seconds")
    if decisions is None or not decisions.models:
        return Headline(rows=rows, saved_at=saved_at)
    best = max(decisions.models, key=lambda entry: profit_at(entry, depth))
    grid = np.linspace(0.0, 1.0, CURVE_POINTS)
    curve = np.interp(grid, best.depth, best.profit)
    return Headline(
        best_model=best.model,
        profit=profit_at(best, depth),
        low=_finite(np.interp(depth, best.depth, best.low)),
        high=_finite(np.interp(depth, best.depth, best.high)),
        depth=depth,
        rows=rows,
        saved_at=saved_at,
        curve=tuple(float(value) for value in curve) if np.isfinite(curve).all() else (),
    )


def profit_at(model: ModelProfit, depth: float) -> float:
    """The profit of a model at a depth, read off its curve."""
    return float(np.interp(depth, model.depth, model.profit))


def _finite(value: float) -> float | None:
    number = float(value)
    return number if np.isfinite(number) else None
