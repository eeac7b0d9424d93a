"""What the tabs of page Uplift ask and show: each arm without a model, and the order of rows."""

from __future__ import annotations

from dataclasses import dataclass

from core.document.results import Estimate
from payoff.types import FloatArray


@dataclass(frozen=True, slots=True, kw_only=True)
class ArmRow:
    """One arm against the control arm on one outcome, all cases or one segment of them.

    ``adjusted`` is None where there are no inputs to adjust for; ``p_value`` is made good for all
    rows of its kind (Holm 1979).
    """

    arm: str
    outcome: str
    segment: str
    cases: int
    mean: float
    control_mean: float
    effect: Estimate
    adjusted: Estimate | None
    p_value: float
    is_binary: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ArmsResult:
    """Every arm against control on every outcome; by segment for the chosen outcome."""

    control: str
    rows: tuple[ArmRow, ...]
    segment: str
    segment_p_value: float  # of one effect in all segments, of the chosen arm; NaN without
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RowOrderRow:
    """A figure of a tool that reads rows one by one, over orders of the rows inside ties."""

    model: str
    tool: str
    name: str
    exact: float
    as_filed: float
    low: float
    high: float
    worst: float
    best: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RowOrderModel:
    """How many cases of one ranking tie."""

    model: str
    tied: int
    cases: int
    groups: int
    shuffles: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RowOrderResult:
    """The audit of every ranking."""

    models: tuple[RowOrderModel, ...]
    rows: tuple[RowOrderRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class VarianceArguments:
    """-> VarianceResult. Kind "uplift_variance": figures 10 to 12 of Renaudin and Martin."""

    rows: int = 1_000
    repeats: int = 101
    treated_share: float = 0.5
    knows_chance: bool = True
    seed: int = 20261


@dataclass(frozen=True, slots=True, kw_only=True)
class VarianceResult:
    """Variance of the area over base rates and baselines, and areas at the middle base rate.

    Attributes
    ----------
    base_rates : (B,) float64
    nus : (V,) float64
    variance : (models, B, V) float64
    mean : (models, B, V) float64
    best_nu : (B,) float64
    base_rate : float
        Of ``areas``.
    areas : (models, repeats, V) float64
    """

    models: tuple[str, ...]
    base_rates: FloatArray
    nus: FloatArray
    variance: FloatArray
    mean: FloatArray
    best_nu: FloatArray
    base_rate: float
    areas: FloatArray
