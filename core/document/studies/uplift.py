"""What page Uplift asks and shows: the guard, curves of every model, prices, and every variant."""

from __future__ import annotations

import math
from dataclasses import dataclass

from core.document.results import Estimate, PairedDifference, RowsNote
from payoff.types import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, slots=True, kw_only=True)
class GuardLine:
    """One check of the guard; ``state`` is ok, warning or error."""

    key: str
    title: str
    state: str
    value: str
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GuardResult:
    """Whether areas may be read, before any is shown."""

    state: str
    headline: str
    advice: str
    lines: tuple[GuardLine, ...]
    balance_depth: FloatArray
    balance_share: FloatArray
    balance_low: float
    balance_high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ArmEffect:
    """Effect of the treated arm on the outcome, without a model; amounts per case."""

    arm: str
    cases: int
    control_cases: int
    mean: float
    control_mean: float
    effect: Estimate
    relative: float
    p_value: float
    next_test: int  # cases of both arms that would find half of it; 0 = cannot be told


@dataclass(frozen=True, slots=True, kw_only=True)
class VariantRow:
    """One definition of the area of one ranking.

    ``scale`` is what the generalised area above chance is multiplied by in an ideal experiment.
    """

    key: str
    name: str
    used_by: str
    formula: str
    area: float
    above_chance: float
    standard_error: float
    unit: str  # "points" (share of cases on both axes) or "units" (of the outcome)
    is_valid: bool
    validity: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedFigure:
    """A number another tool would print for this ranking; NaN with ``note`` where it would fail."""

    tool: str
    name: str
    value: float
    formula: str
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CriteriaCard:
    """Radcliffe's six for one model."""

    qini: Estimate
    falls: int
    steps: int
    peak: float
    peak_depth: float
    agreement: float
    spread: float


@dataclass(frozen=True, slots=True, kw_only=True)
class BestChoice:
    """The best depth at the present prices; amounts for the cases at hand."""

    depth: float
    cases: float
    threshold: float
    incremental: float
    gain: float
    low: float
    high: float
    cross_fitted: float
    spent: float
    gain_of_all: float
    is_nobody: bool
    cross_fitted_low: float = math.nan
    cross_fitted_high: float = math.nan


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceCurve:
    """A grey line that no ranking passes; ``key`` is "perfect" or "maximal"."""

    key: str
    depth: FloatArray
    incremental: FloatArray


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherRows:
    """The same ranking on rows of another use, scaled to as many cases as are at hand."""

    use: str  # "train", "validation" or "test"
    cases: float
    depth: FloatArray
    incremental: FloatArray
    above_chance: Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class UpliftModelResult:
    """One ranking on the common grid of depths (share of cases, highest score first).

    ``incremental`` is in units of the outcome for the cases at hand were the best all treated;
    ``low`` and ``high`` its 95 % interval at a depth, ``low_all`` and ``high_all`` the band that
    holds the whole curve.
    """

    model: str
    series: int
    area: Estimate
    above_chance: Estimate
    nu: float
    depth: FloatArray
    incremental: FloatArray
    low: FloatArray
    high: FloatArray
    low_all: FloatArray
    high_all: FloatArray
    treated_units: FloatArray
    threshold: FloatArray
    slices: FloatArray  # uplift by tenths
    criteria: CriteriaCard
    choice: BestChoice
    variants: tuple[VariantRow, ...]
    named: tuple[NamedFigure, ...]
    pehe: float = math.nan  # mean squared error; NaN where the true effect is not known
    pehe_root: float = math.nan
    other: OtherRows | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceSwitch:
    """Where the best model changes along the price of a contact; NaN ends = never told apart."""

    price: float
    low: float
    high: float
    before: str
    after: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceResult:
    """Best net gain of every model over the price of a contact."""

    prices: FloatArray
    gain: FloatArray  # (models, prices)
    depth: FloatArray
    winner: IntArray  # -1: treating nobody is best
    is_clear: BoolArray
    switches: tuple[PriceSwitch, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class UpliftResult:
    """What page Uplift shows."""

    rows: RowsNote
    treatment: str
    treated: str
    control: str
    outcome: str
    event: str  # empty for numbers
    is_binary: bool
    cases: float
    treated_cases: float
    control_cases: float
    guard: GuardResult
    effects: tuple[ArmEffect, ...]
    models: tuple[UpliftModelResult, ...]
    differences: tuple[PairedDifference, ...]  # the first model's area above chance less each other
    prices: PriceResult | None
    price_used: tuple[float, float, float]  # value, contact, redemption: written, or the matrix's
    has_propensity: bool
    draws: int
    seconds: float
    warnings: tuple[str, ...] = ()
    references: tuple[ReferenceCurve, ...] = ()
    true_effect: float = math.nan  # mean of the column of true effects
