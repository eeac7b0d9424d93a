"""What page Uplift asks beyond the curves: slices, RATE with its error, the next test."""

from __future__ import annotations

from dataclasses import dataclass

from core.document.results import Estimate
from payoff.types import FloatArray


@dataclass(frozen=True, slots=True, kw_only=True)
class RateFigure:
    """A rank-weighted average treatment effect with its error from resampling.

    ``name`` is what grf or causalml call it.
    """

    name: str
    tool: str
    formula: str
    value: float
    standard_error: float
    low: float
    high: float
    p_value: float  # of no better than chance


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSlices:
    """Equal slices of one ranking, best first; every array has one entry per slice.

    ``share_low`` and ``share_high`` hold the share treated of all slices at once in 95 of 100
    experiments. A slice without an arm has NaN as its uplift.
    """

    model: str
    treated: FloatArray
    control: FloatArray
    rate_treated: FloatArray
    rate_control: FloatArray
    uplift: FloatArray
    standard_error: FloatArray
    mean_score: FloatArray
    share: FloatArray
    share_low: FloatArray
    share_high: FloatArray
    weighted_average: float
    weighted_error: float
    rates: tuple[RateFigure, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SlicesResult:
    """Every ranking of the experiment in slices."""

    count: int
    draws: int
    is_binary: bool
    models: tuple[ModelSlices, ...]
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NextTestResult:
    """Cases that a test needs, and the smallest effect that as many as now would find."""

    effect: float
    cases: int
    treated: int
    control: int
    seen: Estimate  # the effect in this experiment
    found_now: float
    cases_now: float
    ladder: tuple[tuple[float, int], ...]  # effect, cases: from half to twice the effect
