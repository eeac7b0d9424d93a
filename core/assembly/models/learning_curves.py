"""The curves of a training: which trees they are drawn at, and those that a model's file keeps."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from core.document.training_results import TrainingCurves
from payoff.specs import LossDistribution
from payoff.types import FloatArray, IntArray

if TYPE_CHECKING:
    from core.boosting import BoostedModel

CURVE_POINTS = 1000


def loss_words(spec: LossDistribution) -> str:
    """What a training's curves show: a deviance only where a perfect prediction costs nothing.

    Elsewhere they are the loss itself; the metric called deviance takes off what a perfect
    prediction would lose.
    """
    return f"{spec.label} deviance" if spec.saturated is None else f"{spec.label} loss"


def curve_points(done: int, wanted: IntArray) -> IntArray:
    """Trees to draw: all up to 1,000, else evenly spaced ones with those that were looked at."""
    if done <= CURVE_POINTS:
        return np.arange(done)
    spaced = np.linspace(0, done - 1, CURVE_POINTS).astype(np.int64)
    looks = wanted[:: max(1, len(wanted) // CURVE_POINTS)] if len(wanted) else wanted
    return np.union1d(spaced, looks)


def kept_curves(name: str, model: BoostedModel) -> TrainingCurves:
    """Return the curves that a model's file keeps; NaN where it has none."""
    done = model.n_trees
    kept = curve_points(done, np.empty(0, dtype=np.int64))
    crossed = model.cross_validation
    history = model.history

    def drawn(values: FloatArray | None) -> FloatArray:
        known = values is not None and len(values) == done
        return values[kept] if known and values is not None else np.full(len(kept), np.nan)

    return TrainingCurves(
        model=name,
        trees=(kept + 1).astype(np.float64),
        train=drawn(history.train_deviance),
        valid=drawn(history.valid_deviance),
        oob=drawn(np.cumsum(history.oob_improvement)),
        watched=np.full(len(kept), np.nan),
        crossed=drawn(None if crossed is None else crossed.deviance),
        deviance_words=loss_words(model.distribution),
        done=done,
        wanted=done,
        fraction=1.0,
        no_model=model.no_model,
    )
