"""What a hold-out costs and can show, before decisions are saved with one."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class HoldOutResult:
    """Cases of the file, the expected profit forgone, and the smallest effect that would show.

    ``event_rate`` is the mean chance of the event among the chosen; ``smallest_effect`` a
    difference in that rate, NaN where the hold-out is too small to show any.
    """

    chosen: int
    held: int
    forgone: float
    event_rate: float
    smallest_effect: float
    power: float
    significance: float
