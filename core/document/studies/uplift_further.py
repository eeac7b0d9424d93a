"""What page Uplift asks beyond the curves: slices, RATE with its error, the next test."""

from __future__ import annotations

from dataclasses import dataclass

from core.document.former_names import former_name
from core.document.studies.uplift import Effect
from payoff.types import FloatArray


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """A rank-weighted average treatment effect (RATE) with its error from resampling.

    ``weighting`` "autoc" averages TOC(q) over depths q, "qini" q TOC(q). ``low`` and ``high`` are
    the 95 % interval; ``p_value`` is of a ranking no better than chance, two-sided.
    """

    weighting: str
    value: float
    standard_error: float
    low: float
    high: float
    p_value: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RateFigure:
    """A RATE by the name that grf or causalml gives it."""

    name: str
    tool: str
    formula: str
    rate: Rate

    value = former_name("rate.value")
    standard_error = former_name("rate.standard_error")
    low = former_name("rate.low")
    high = former_name("rate.high")
    p_value = former_name("rate.p_value")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RankingSlices:
    """Slices of a ranking, best first; every array has one entry per slice.

    ``uplift`` is NaN in a slice without an arm. ``weighted_average`` is the uplift of the other
    slices, weighted by their treated cases, ``weighted_error`` its standard error.
    """

    treated: FloatArray
    control: FloatArray
    rate_treated: FloatArray
    rate_control: FloatArray
    uplift: FloatArray
    standard_error: FloatArray
    mean_score: FloatArray
    weighted_average: float
    weighted_error: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SliceBalance:
    """Share treated in each slice, (k,).

    ``low`` and ``high`` hold the shares of all slices at once in 95 of 100 experiments.
    """

    share: FloatArray
    low: FloatArray
    high: FloatArray


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSlices:
    """Equal slices of one ranking, the shares treated in them, and RATE."""

    model: str
    slices: RankingSlices
    balance: SliceBalance
    rates: tuple[RateFigure, ...]

    treated = former_name("slices.treated")
    control = former_name("slices.control")
    rate_treated = former_name("slices.rate_treated")
    rate_control = former_name("slices.rate_control")
    uplift = former_name("slices.uplift")
    standard_error = former_name("slices.standard_error")
    mean_score = former_name("slices.mean_score")
    weighted_average = former_name("slices.weighted_average")
    weighted_error = former_name("slices.weighted_error")
    share = former_name("balance.share")
    share_low = former_name("balance.low")
    share_high = former_name("balance.high")


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
    seen: Effect  # in this experiment
    found_now: float
    cases_now: float
    is_binary: bool
    ladder: tuple[tuple[float, int], ...]  # effect, cases: from half to twice the effect
