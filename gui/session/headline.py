"""What Home will show of a project: the model of page Decide and its profit, taken when saved."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import numpy as np

from core.document.files.project import Headline

if TYPE_CHECKING:
    from core.document.decisions.chosen_depth import DepthWorth
    from core.document.model import Document
    from core.document.results import CursorReading, DecisionResult, ModelProfit

CURVE_POINTS = 61


def headline_of(
    document: Document,
    decisions: DecisionResult | None,
    depth: float,
    reading: CursorReading | None = None,
) -> Headline:
    """The headline at a depth of the cursor; without results only the number of rows.

    It speaks of the model that page Decide stands at: one question has one answer. Where the engine
    has read this depth exactly, its values stand, not those of the drawn curve.
    """
    from core.document.decisions.words import void_reason
    from core.presentation.decide.figures import profit_of

    rows = document.data.rows if document.data is not None else 0
    saved_at = datetime.now(UTC).isoformat(timespec="seconds")
    chosen = None if decisions is None else profit_of(decisions, document.reference_model)
    if decisions is None or chosen is None or void_reason(decisions, chosen.model):
        return Headline(rows=rows, saved_at=saved_at)
    shown = _worth_at(chosen, depth, reading)
    grid = np.linspace(0.0, 1.0, CURVE_POINTS)
    curve = np.interp(grid, chosen.depth, chosen.profit)
    return Headline(
        best_model=chosen.model,
        profit=_finite(shown.estimate.value),
        low=_finite(shown.estimate.low),
        high=_finite(shown.estimate.high),
        depth=depth,
        rows=rows,
        saved_at=saved_at,
        curve=tuple(float(value) for value in curve) if np.isfinite(curve).all() else (),
        is_loss=decisions.kind == "loss",
        is_crossfitted=shown.is_crossfitted,
    )


def _worth_at(model: ModelProfit, depth: float, reading: CursorReading | None) -> DepthWorth:
    """Profit and its interval: as read exactly, else off the curve; a peak is cross-fitted."""
    from core.document.decisions.chosen_depth import estimate_at, worth_at

    return worth_at(model, depth, estimate_at(model, depth, reading))


def _finite(value: float) -> float | None:
    number = float(value)
    return number if np.isfinite(number) else None
