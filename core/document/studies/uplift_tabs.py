"""What the tabs of page Uplift ask and show: each arm without a model, and the order of rows."""

from __future__ import annotations

from dataclasses import dataclass

from core.document.former_names import former_name
from core.document.studies.uplift import Effect
from payoff.types import FloatArray


@dataclass(frozen=True, slots=True, kw_only=True)
class ArmRow:
    """One arm against the control arm on one outcome, all cases or one segment of them.

    ``adjusted`` is None where there are no inputs to adjust for; ``p_value`` is that of ``effect``
    made good for all rows of its kind (Holm 1979).
    """

    outcome: str
    segment: str
    effect: Effect
    adjusted: Effect | None
    p_value: float
    is_binary: bool

    arm = former_name("effect.arm")
    cases = former_name("effect.cases")
    mean = former_name("effect.mean")
    control_mean = former_name("effect.control_mean")


@dataclass(frozen=True, slots=True, kw_only=True)
class ArmsResult:
    """Every arm against control on every outcome; by segment for the chosen outcome."""

    control: str
    rows: tuple[ArmRow, ...]
    segment: str
    segment_p_value: float  # of one effect in all segments, of the chosen arm; NaN without
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderRange:
    """A figure of a tool that reads rows one by one, over orders of the rows inside ties.

    ``exact`` shares ties in proportion; ``as_filed`` is the order of the file; ``low`` and ``high``
    are over the shuffles, ``worst`` and ``best`` the two extreme orders.
    """

    tool: str
    name: str
    exact: float
    as_filed: float
    low: float
    high: float
    worst: float
    best: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RowTies:
    """How many cases of a ranking tie; ``tied`` cases stand in groups of more than one."""

    tied: int
    cases: int
    groups: int
    shuffles: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RowOrderModel:
    """The ties of one ranking."""

    model: str
    ties: RowTies

    tied = former_name("ties.tied")
    cases = former_name("ties.cases")
    groups = former_name("ties.groups")
    shuffles = former_name("ties.shuffles")


@dataclass(frozen=True, slots=True, kw_only=True)
class RowOrderRow:
    """One figure of one ranking."""

    model: str
    figure: OrderRange

    tool = former_name("figure.tool")
    name = former_name("figure.name")
    exact = former_name("figure.exact")
    as_filed = former_name("figure.as_filed")
    low = former_name("figure.low")
    high = former_name("figure.high")
    worst = former_name("figure.worst")
    best = former_name("figure.best")


@dataclass(frozen=True, slots=True, kw_only=True)
class RowOrderResult:
    """The audit of every ranking."""

    models: tuple[RowOrderModel, ...]
    rows: tuple[RowOrderRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class VarianceStudy:
    """Areas (AUNUC) of made-up experiments over base rates and baselines.

    Attributes
    ----------
    base_rates : (B,) float64
    nus : (V,) float64
    variance, mean : (models, B, V) float64
        Over repeats; the mean is the same for every nu but for chance.
    best_nu : (B,) float64
        The baseline that theory names: (1 - alpha) p1 + alpha p0.
    areas : (models, B, repeats, V) float64
    """

    models: tuple[str, ...]
    base_rates: FloatArray
    nus: FloatArray
    variance: FloatArray
    mean: FloatArray
    best_nu: FloatArray
    areas: FloatArray
