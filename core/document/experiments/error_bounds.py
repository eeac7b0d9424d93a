"""What is said of a mean loss: limits, how they were found, and what they take for granted."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Side(StrEnum):
    """Which limits are asked for; a one-sided limit is closer than either of two."""

    UPPER = "upper"
    LOWER = "lower"
    TWO = "two"


class ConditionState(StrEnum):
    """How far a condition of a bound is known to hold."""

    MET = "met"
    ASSUMED = "assumed"
    BROKEN = "broken"


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundCondition:
    """One thing that a bound takes for granted, and whether it was checked."""

    state: ConditionState
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorBound:
    """Limits of the expected loss from the mean of ``n`` losses.

    ``is_valid``: the limits fail at most as often as said, whatever the losses follow. Otherwise
    they are approximate. ``is_vacuous``: the limit says no more than the loss's range does.
    """

    method: str
    label: str
    side: Side
    confidence: float
    mean: float
    low: float
    high: float
    variance: float
    n: int
    loss_range: tuple[float, float] | None
    is_valid: bool
    is_vacuous: bool
    conditions: tuple[BoundCondition, ...]
    note: str = ""
    needed: int = 0  # losses at which the margin would be the one asked for; 0 = not worked out

    @property
    def margin(self) -> float:
        """How far the asked-for limit lies from the mean; the farther one of two."""
        above, below = self.high - self.mean, self.mean - self.low
        if self.side is Side.TWO:
            return max(above, below)
        return above if self.side is Side.UPPER else below


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelBounds:
    """The bounds of one model, or the reason why it has none."""

    model: str
    mean: float
    n: int
    bounds: tuple[ErrorBound, ...]
    refusal: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundsResult:
    """The expected loss of every model of a document."""

    loss: str
    rows_text: str
    models: tuple[ModelBounds, ...]
    warnings: tuple[str, ...] = ()
