"""Predicted classes and score rankings of one model, and what Enterprise Miner would draw."""

from __future__ import annotations

from dataclasses import dataclass

from core.document.results import RowsNote
from payoff.types import FloatArray

BY_CHANCE, BY_EXPECTED = "chance", "expected"
BINS = 20
"""Bins of depth: those of Enterprise Miner's Model Comparison."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingsResult:
    """What page Decide shows of one model's rankings; amounts in the user's sense.

    ``predicted`` and ``adjusted`` (actual class, predicted class) hold cases and prior-weighted
    cases; they are empty for a number, which has no predicted class. ``as_em``: profits as charts
    of SAS Enterprise Miner draw them are to be shown beside ours.
    """

    rows: RowsNote
    model: str
    by: str
    levels: tuple[str, ...]
    has_priors: bool
    names: tuple[str, ...]
    values: FloatArray  # (names, bins)
    predicted: FloatArray
    adjusted: FloatArray
    as_em: bool = False

    def column(self, name: str) -> FloatArray:
        """A column of the rankings, (bins,)."""
        line: FloatArray = self.values[self.names.index(name)]
        return line
