"""What acting to a depth is worth: the one rule about depths that were chosen on the same rows.

A peak read off the rows that chose it flatters. There the cross-fitted figure (chosen on one half,
read on the other) stands large, and what these rows say themselves is the note.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.document.results import CursorReading, Estimate, ModelProfit
from core.document.studies.uplift import Choice

SAME = 1e-9
"""Two depths that lie nearer are one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DepthWorth:
    """The figure to show large, and the flattered one beside it; amounts are profits.

    ``flattered`` is None where the depth was not chosen on these rows: then nothing flatters.
    """

    estimate: Estimate
    flattered: Estimate | None = None

    @property
    def is_crossfitted(self) -> bool:
        """Whether the figure is not the one that the rows themselves say."""
        return self.flattered is not None

    def less(self, fixed: float) -> Estimate:
        """The difference from an amount that is known: its interval is that of the figure."""
        found = self.estimate
        return replace(
            found, value=found.value - fixed, low=found.low - fixed, high=found.high - fixed
        )


def is_chosen_here(profit: ModelProfit, depth: float) -> bool:
    """Whether a depth is the peak of these rows, and neither the rule's own nor nobody.

    Acting on nobody brings what doing nothing brings; no choice makes that look better.
    """
    if not abs(depth - profit.best_depth) < SAME or depth < SAME:
        return False
    return not (profit.has_probabilities and abs(depth - profit.rule_depth) < SAME)


def chosen_for(profits: Sequence[ModelProfit], depth: float, models: Sequence[str]) -> str:
    """Return the first of some models for which these rows chose a depth: it looks better there."""
    found = {entry.model for entry in profits if is_chosen_here(entry, depth)}
    return next((name for name in models if name in found), "")


def answers(reading: CursorReading | None, model: str, depth: float) -> bool:
    """Whether the engine has read this very depth for a model."""
    return reading is not None and model in reading.models and abs(reading.depth - depth) < SAME


def estimate_at(
    profit: ModelProfit, depth: float, reading: CursorReading | None = None, *, held: str = ""
) -> Estimate:
    """What these rows say of a model at a depth: the one number of every page and report.

    Exact where the engine has read that depth, else off the curve of the chart.
    """
    if reading is not None and answers(reading, profit.model, depth):
        place = reading.models.index(profit.model)
        found = [line[place] for line in (reading.profit, reading.low, reading.high)]
    else:
        lines = (profit.profit, profit.low, profit.high)
        found = [np.interp(depth, profit.depth, line) for line in lines]
    value, low, high = (float(each) for each in found)
    return Estimate(value=value, low=low, high=high, holds_fixed=held)


def worth_at(profit: ModelProfit, depth: float, read: Estimate) -> DepthWorth:
    """What a model brings at a depth, where ``read`` is what these rows say of it."""
    return _worth(read, profit.best_profit_crossfitted, is_chosen_here(profit, depth))


def gain_of(choice: Choice) -> DepthWorth:
    """What treating to the best depth of an uplift ranking earns."""
    read = Estimate(value=choice.gain, low=choice.gain_low, high=choice.gain_high)
    crossed = Estimate(
        value=choice.cross_fitted,
        low=choice.cross_fitted_low,
        high=choice.cross_fitted_high,
    )
    return _worth(read, crossed, not choice.is_nobody)


def _worth(read: Estimate, crossed: Estimate, is_chosen: bool) -> DepthWorth:
    if not is_chosen or not math.isfinite(crossed.value):
        return DepthWorth(estimate=read)
    return DepthWorth(estimate=crossed, flattered=read)
