"""How far a number may go: a model's predicted quantiles, and how often outcomes kept to them."""

from __future__ import annotations

from dataclasses import dataclass

from core.document.results import RowsNote
from payoff.types import FloatArray


@dataclass(frozen=True, slots=True, kw_only=True)
class PredictedRange:
    """A range between two predicted quantiles as far from either end: 0.1 to 0.9 is to hold 80 %.

    ``held`` is the share of outcomes inside, ends included, with 95 % limits; ``width`` the mean
    width in units of the outcome.
    """

    low_level: float
    high_level: float
    wanted: float
    held: float
    held_low: float
    held_high: float
    width: float


@dataclass(frozen=True, slots=True, kw_only=True)
class QuantilesResult:
    """Quantiles of some cases in groups of equal size, lowest median first, beside outcomes.

    ``levels`` (K,) rise from 0 to 1. ``share`` (m,) is the place of a group's middle among the
    cases, 0 to 1; ``fan`` (K, m) its mean quantiles. ``outcome_share`` and ``outcome`` (p,) are a
    draw of single cases. ``below`` (K,) is the share of outcomes at or below each quantile, with
    95 % limits. ``is_fresh``: no row trained the model that judges it.
    """

    model: str
    target: str
    rows: RowsNote
    levels: FloatArray
    below: FloatArray
    below_low: FloatArray
    below_high: FloatArray
    ranges: tuple[PredictedRange, ...]  # widest first
    share: FloatArray
    fan: FloatArray
    outcome_share: FloatArray
    outcome: FloatArray
    is_fresh: bool
    notes: tuple[str, ...] = ()
