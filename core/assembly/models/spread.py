"""The distribution of a case's number, of models that predict several quantiles of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from core.decisions import PredictedQuantiles, predicted_quantiles
from payoff.types import FloatArray

if TYPE_CHECKING:
    from core.boosting import BoostedModel

ROLE = "quantile "
"""Metrics find the predicted quantiles of a model in the roles "quantile 0.1" ..."""


def levels_of(model: BoostedModel) -> FloatArray | None:
    """Levels (K,) of the quantiles that a model predicts, rising; None where it predicts none."""
    levels = model.distribution.quantile_levels
    return None if levels is None else np.array(levels(model.parameters), dtype=np.float64)


def spread_of(model: BoostedModel, response: FloatArray) -> PredictedQuantiles | None:
    """A model's predictions (K, n) as quantiles of each case; None where they are none."""
    levels = levels_of(model)
    return None if levels is None else predicted_quantiles(levels, response)


def one_number(model: BoostedModel, response: FloatArray) -> FloatArray:
    """The one number (n,) that a model predicts: of quantiles the mean of their distribution."""
    spread = spread_of(model, response)
    found: FloatArray = response[0] if spread is None else spread.mean
    return found


def quantile_roles(spread: PredictedQuantiles) -> Mapping[str, FloatArray]:
    """The quantiles by the roles that metrics read."""
    return {
        f"{ROLE}{level:g}": values
        for level, values in zip(spread.levels.tolist(), spread.values, strict=True)
    }
