"""Reading curves at the cursor: interpolation on the grid of depths, and nothing else."""

from __future__ import annotations

import numpy as np

from core.document.results import Chart, Curve, EvaluationResult, ModelDepths
from core.document.wording import format_count, format_share, format_threshold
from gui.plots.words import ChartLook
from payoff.types import FloatArray


def value_at(x: FloatArray, y: FloatArray, at: float) -> float:
    """The value of a rising-x curve at a point."""
    return float(np.interp(at, x, y))


def depth_of_threshold(depths: ModelDepths, threshold: float) -> float:
    """The depth at which cases down to this threshold are acted on; thresholds fall with depth."""
    known = np.isfinite(depths.threshold)
    if not known.any():
        return 0.0
    falling = depths.threshold[known]
    return float(np.interp(-threshold, -falling, depths.depth[known]))


def chart_of(result: EvaluationResult, kind: str) -> Chart | None:
    """The chart of a kind, or None."""
    return next((chart for chart in result.charts if chart.kind == kind), None)


def depths_of(result: EvaluationResult, model: str) -> ModelDepths | None:
    """One model's ranking, or that of the first model."""
    found = next((entry for entry in result.depths if entry.model == model), None)
    return found or (result.depths[0] if result.depths else None)


def model_curves(chart: Chart) -> list[Curve]:
    """The curves of models, in the engine's order."""
    return [curve for curve in chart.curves if curve.model]


def event_share(result: EvaluationResult, depths: ModelDepths, at: float) -> float:
    """The share of the event's cases within a depth."""
    row = np.nan_to_num(depths.class_share[_event_row(result)])
    return value_at(depths.depth, row, at)


def other_share_curve(result: EvaluationResult, depths: ModelDepths) -> FloatArray:
    """The share of all other classes' cases within each depth, classes weighted as they count."""
    weight = np.array(result.class_weight, dtype=np.float64)
    weight[_event_row(result)] = 0.0
    total = float(weight.sum())
    if total <= 0:
        return np.zeros_like(depths.depth)
    return np.asarray(weight @ np.nan_to_num(depths.class_share) / total, dtype=np.float64)


def _event_row(result: EvaluationResult) -> int:
    levels = result.class_levels
    return levels.index(result.level) if result.level in levels else 0


def depth_head(look: ChartLook, depth: float, cases: float, *, is_long: bool = False) -> str:
    """The first words of a read-out: "Best 21.3 %: 4,268 customers".

    ``depth`` counts from the highest chance; where that is the worst end, it says "Highest".
    """
    word = "Highest" if look.is_reversed else "Best"
    head = f"{word} {format_share(depth)}: {format_count(round(cases))}"
    return f"{head} {look.cases}" if is_long else head


def threshold_words(threshold: float, *, is_upper: bool = False) -> str:
    """The threshold in words: "chance above 6.25 %", or below where the lowest come first."""
    side = "below" if is_upper else "above"
    return f"chance {side} {format_threshold(threshold)}" if np.isfinite(threshold) else ""


def is_rising(threshold: FloatArray) -> bool:
    """Do thresholds rise with depth, because the lowest chances are acted on first?"""
    known = threshold[np.isfinite(threshold)]
    return len(known) > 1 and bool(known[-1] > known[0])
