"""What page Uplift asks and shows.

What page Uplift asks and shows: the guard, curves of every model, prices, and every variant.

What page Uplift asks beyond the curves: slices, RATE with its error, the next test.

What the metric table of page Uplift asks and shows.

Who is to be treated, written to a file from page Uplift.

What the tabs of page Uplift ask and show: each arm without a model, and the order of rows.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from core.document.made import former_name
from core.document.model import Document
from core.document.plugin_results import MetricInfo
from core.document.results import Estimate, EvaluationResult, PairedDifference, RowsNote
from payoff.types import BoolArray, FloatArray, IntArray

OK, WARNING, ERROR = "ok", "warning", "error"
"""States of a check, and of all checks together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One check: ``state`` is ok, warning or error; ``value`` is what stands in bold.

    ``p_value`` is the check's own, ``adjusted`` what it is among all checks, which decides; NaN
    where nothing is tested.
    """

    key: str
    title: str
    state: str
    value: str
    detail: str = ""
    number: float = math.nan
    p_value: float = math.nan
    is_test: bool = True  # False: a figure to know, nothing that could have failed
    adjusted: float = math.nan


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Validity:
    """Whether areas may be read, before any is shown: all checks and the verdict.

    Attributes
    ----------
    state : str
        ok, warning (read with care) or error (the area is not valid as it stands).
    headline, advice : str
    balance_depth, balance_share : (M,) float64
        Treated share in a moving window along the ranking; (0,) without a ranking.
    balance_low, balance_high : float
        Where it should stay, 95 of 100 windows.
    """

    state: str
    headline: str
    advice: str
    checks: tuple[Check, ...]
    balance_depth: FloatArray
    balance_share: FloatArray
    balance_low: float = math.nan
    balance_high: float = math.nan

    @property
    def warnings(self) -> tuple[str, ...]:
        """The verdict and every check that is not ok, in words."""
        if self.state == OK:
            return ()
        texts = [
            f"{check.title}: {check.value}. {check.detail}".strip()
            for check in self.checks
            if check.state != OK
        ]
        return (f"{self.headline} {self.advice}".strip(), *texts)

    lines = former_name("checks")


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """Mean of an arm less mean of the control arm, cases as assigned; amounts per case.

    ``relative`` is the effect as a share of the control's mean. ``method`` names the estimator.
    """

    arm: str
    control: str
    cases: float
    control_cases: float
    mean: float
    control_mean: float
    effect: float
    low: float
    high: float
    standard_error: float
    p_value: float
    relative: float
    method: str

    value = former_name("effect")


@dataclass(frozen=True, slots=True, kw_only=True)
class ArmEffect:
    """Effect of the treated arm on the outcome, without a model."""

    effect: Effect
    next_test: int  # cases of both arms that would find half of it; 0 = cannot be told

    arm = former_name("effect.arm")
    cases = former_name("effect.cases")
    control_cases = former_name("effect.control_cases")
    mean = former_name("effect.mean")
    control_mean = former_name("effect.control_mean")
    relative = former_name("effect.relative")
    p_value = former_name("effect.p_value")


@dataclass(frozen=True, slots=True, kw_only=True)
class Area:
    """An area with its interval; NaN errors where no formula is known (local propensities).

    ``minus_random`` is the area less the triangle under the chord, ``end`` the curve's last height.
    ``method`` says where the errors come from, "none" where there are none.
    """

    area: float
    minus_random: float
    end: float
    standard_error: float
    standard_error_minus_random: float
    standard_error_end: float
    low: float
    high: float
    low_minus_random: float
    high_minus_random: float
    method: str

    area_minus_random = former_name("minus_random")


@dataclass(frozen=True, slots=True, kw_only=True)
class VariantRow:
    """One definition of the area of one ranking, and whether it may be read on these data."""

    key: str
    name: str
    used_by: str
    formula: str
    unit: str  # "points" (share of cases on both axes) or "units" (of the outcome)
    measured: Area
    is_valid: bool
    validity: str

    area = former_name("measured.area")
    above_chance = former_name("measured.minus_random")
    standard_error = former_name("measured.standard_error_minus_random")


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedFigure:
    """A number another tool would print for this ranking; NaN with ``note`` where it would fail."""

    tool: str
    name: str
    value: float
    formula: str
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Criteria:
    """Radcliffe's six criteria of one model, in his order.

    Attributes
    ----------
    qini, qini_low, qini_high : float
        Area above chance on these rows, share of the cases on both axes.
    falls, steps : int
        Of ``steps`` passages from a tenth to the next, in how many the uplift falls.
    isotonic_gap : float
        Case-weighted root mean square from uplifts by tenths to the nearest falling ones.
    peak, peak_depth : float
        Most incremental units and the depth at which they are reached.
    at_depth, impact : float
        Incremental units at a cut-off.
    agreement : float
        Correlation of uplifts by tenths of the training rows with these; NaN without training rows.
    spread : float
        Mean prediction of the best tenth less that of the worst.
    """

    qini: float
    qini_low: float
    qini_high: float
    falls: int
    steps: int
    isotonic_gap: float
    peak: float
    peak_depth: float
    at_depth: float
    impact: float
    agreement: float
    spread: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """The depth that serves best, and what it brings for the cases at hand.

    ``gain`` is read at a depth chosen on the same rows and flatters; ``cross_fitted`` is the gain
    of depths chosen on one half and read on the other.
    """

    depth: float
    threshold: float
    targeted: float
    incremental: float
    gain: float
    gain_low: float
    gain_high: float
    cross_fitted: float
    spent: float
    mean_return: float
    gain_of_all: float
    is_nobody: bool
    cross_fitted_low: float = math.nan
    cross_fitted_high: float = math.nan

    cases = former_name("targeted")
    low = former_name("gain_low")
    high = former_name("gain_high")


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
    minus_random: Estimate

    above_chance = former_name("minus_random")


@dataclass(frozen=True, slots=True, kw_only=True)
class UpliftModelResult:
    """One ranking on the common grid of depths (share of cases, highest score first).

    ``incremental`` is in units of the outcome for the cases at hand were the best all treated;
    ``low`` and ``high`` its 95 % interval at a depth, ``low_all`` and ``high_all`` the band that
    holds the whole curve.
    """

    model: str
    area: Estimate
    minus_random: Estimate
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
    criteria: Criteria
    choice: Choice
    variants: tuple[VariantRow, ...]
    named: tuple[NamedFigure, ...]
    pehe: float = math.nan  # mean squared error; NaN where the true effect is not known
    pehe_root: float = math.nan
    other: OtherRows | None = None

    above_chance = former_name("minus_random")


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceSwitch:
    """Where the best model changes along the price of a contact; NaN ends = never told apart."""

    price: float
    low: float
    high: float
    before: str
    after: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PriceAxis:
    """The best net gain of every model over prices of a contact.

    Attributes
    ----------
    prices : (P,) float64
    gain, depth : (R, P) float64
    winner : (P,) int64
        The model with the most; -1 where treating nobody is best for all.
    is_clear : (P,) bool
        Whether the winner beats every other model by more than chance (paired, 95 %).
    switches : tuple of (price, low, high, before, after)
        Where the winner changes: the price, and between which prices the two cannot be told apart;
        NaN ends where they never can.
    """

    prices: FloatArray
    gain: FloatArray
    depth: FloatArray
    winner: IntArray
    is_clear: BoolArray
    switches: tuple[tuple[float, float, float, int, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PriceResult:
    """Best net gain of every model over the price of a contact; ``models`` are the axis's rows."""

    models: tuple[str, ...]
    axis: PriceAxis

    prices = former_name("axis.prices")
    gain = former_name("axis.gain")
    depth = former_name("axis.depth")
    winner = former_name("axis.winner")
    is_clear = former_name("axis.is_clear")

    @property
    def switches(self) -> tuple[PriceSwitch, ...]:
        """Where the best model changes, by the models' names."""
        return tuple(
            PriceSwitch(
                price=price,
                low=low,
                high=high,
                before=self.models[before],
                after=self.models[after],
            )
            for price, low, high, before, after in self.axis.switches
        )


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
    guard: Validity
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


@dataclass(frozen=True, slots=True, kw_only=True)
class UpliftMetricsResult:
    """Every chosen metric of the task "uplift" for every ranking of the experiment.

    Attributes
    ----------
    evaluation : EvaluationResult
        A column of cells per metric, and differences from the first ranking on the same draws.
    offered : tuple of MetricInfo
        All metrics of the task that plugins offer.
    models : tuple of str
    """

    evaluation: EvaluationResult
    offered: tuple[MetricInfo, ...]
    models: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SaveUpliftArguments:
    """-> SaveResult. Kind "save_uplift": every row of the data, outcome known or not.

    ``depth`` is the share of the evaluated cases that is treated; None = the best depth at the
    project's prices. Cases that tie with the last of them are all treated.
    """

    document: Document
    model: str
    path: str
    depth: float | None = None
    keep_columns: tuple[str, ...] = ()  # written along; empty = the id, or the row number


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
