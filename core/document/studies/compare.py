"""What the studies of page Compare ask and answer, and the ranges of predicted quantiles.

Turning scores into chances: what is asked, and what each way would give.

The same figures as another tool defines them, with the cause of each difference.

How small a difference between two models the cases at hand could show.

The same models judged on two sets of rows.

Metrics, totals and a curve by group of cases.

Whether two sets of rows are alike: scores and inputs, by the population stability index.

Survival over time: curves of groups by risk and of one case, and chances at a horizon.

How far a number may go: a model's predicted quantiles, and how often outcomes kept to them.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from core.document.compare.chart_kinds import chart_task
from core.document.data.model import ReaderSettings, RowUse
from core.document.decisions.matrix_model import MatrixKind
from core.document.made import former_name
from core.document.model import CalibrationSpec, Document
from core.document.plugin_results import MetricInfo
from core.document.results import ChartData, Estimate, EvaluationResult, RowsNote
from payoff.types import FloatArray


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrationOption:
    """Chances by one way, judged on the rows of the fit by folds that do not contain them.

    ``spec`` None: the chances as they stand in the file. ``brier`` and ``log_loss``: lower is
    better. ``predicted`` and ``observed``: mean chance and observed share of the event in groups
    of equal size, with Wilson limits.
    """

    spec: CalibrationSpec | None
    brier: Estimate
    log_loss: Estimate
    predicted: FloatArray
    observed: FloatArray
    low: FloatArray
    high: FloatArray

    said = former_name("predicted")
    seen = former_name("observed")


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrationResult:
    """What each way would give; ``best`` is the way with the smallest log loss."""

    model: str
    rows: RowsNote
    options: tuple[CalibrationOption, ...]
    best: int
    area: float  # share of pairs of an event and another case that the score puts right
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DefinitionRow:
    """One figure of one model by both definitions; NaN where a tool gives none."""

    figure: str
    model: str
    ours: float
    theirs: float
    decimals: int
    cause: str  # why they differ; "the same" where they do not
    ours_words: str = ""  # Payoff's name and rule
    theirs_words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DefinitionsResult:
    """Figures side by side."""

    convention: str
    rows: tuple[DefinitionRow, ...]
    seconds: float


LEVEL, POWER = 0.05, 0.8
TOTAL, AVERAGE = "total_profit", "average_profit"
TOTAL_LOSS, AVERAGE_LOSS = "total_loss", "average_loss"
MONEY = (TOTAL, AVERAGE, TOTAL_LOSS, AVERAGE_LOSS)
"""Metrics of money by the rule."""


def money_figures(document: Document) -> tuple[str, str]:
    """Return the metrics of money by the rule, total and average, in the project's own sense."""
    matrix = document.matrix
    is_loss = matrix is not None and matrix.kind is MatrixKind.LOSS
    return (TOTAL_LOSS, AVERAGE_LOSS) if is_loss else (TOTAL, AVERAGE)


def is_offered(info: MetricInfo, document: Document) -> bool:
    """Return whether lists offer a metric: it judges this outcome, in the project's own sense."""
    if info.metric in MONEY:
        return document.matrix is not None and info.metric in money_figures(document)
    return not info.tasks or chart_task(document) in info.tasks


@dataclass(frozen=True, slots=True, kw_only=True)
class PairPower:
    """One figure of two models. NaN where there is none; ``observed.note`` then says why.

    ``smallest``: the true difference that a test at the level finds with the power. ``units``:
    what the standard error rests on, such as clusters. ``difference``: the one that was asked
    about, without its sign; where none was given the observed one. ``cases_needed`` show that
    difference with the power; ``power`` is that of these cases, NaN for an observed difference:
    it would only restate the p-value.
    """

    first: str
    second: str
    metric: str
    observed: Estimate  # first less second
    standard_error: float
    units: int
    method: str
    smallest: float
    difference: float
    cases_needed: float
    power: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PowerResult:
    """Every pair of models on every figure, figure by figure.

    A total grows with the cases: differences of totals are counted for as many cases as there are
    here. ``metric``: the figure that a given difference is in the unit of.
    """

    rows: RowsNote
    cases: int
    level: float
    target_power: float
    metric: str
    metrics: tuple[MetricInfo, ...]
    pairs: tuple[PairPower, ...]
    verdict: tuple[str, ...]  # a sentence or two for every pair on ``metric``
    warnings: tuple[str, ...]
    seconds: float

    def info(self, metric: str) -> MetricInfo:
        """Return the words of a figure."""
        return next(entry for entry in self.metrics if entry.metric == metric)


@dataclass(frozen=True, slots=True, kw_only=True)
class RowSetsResult:
    """Every figure on both sets of rows; ``names`` are what these are called in the project."""

    names: tuple[str, str]
    first: EvaluationResult
    second: EvaluationResult


GROUPS = 4
MOST_GROUPS = 12
FEW_ROWS = 100
FEW_EVENTS = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """One group of cases."""

    name: str
    rows: int
    events: int  # rows with the event; of a number 0
    note: str = ""  # why its figures are rough, or are not there


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentCell:
    """One metric of one model in one group."""

    segment: str
    model: str
    metric: str
    estimate: Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentsResult:
    """Figures by group; ``whole`` are those of all rows."""

    rows: RowsNote
    column: str
    segments: tuple[Segment, ...]
    metrics: tuple[MetricInfo, ...]
    cells: tuple[SegmentCell, ...]
    whole: tuple[SegmentCell, ...]  # ``segment`` is empty
    chart: ChartData | None  # curves of one model, each named by its group
    model: str  # whose curves they are
    metric: str = ""  # the figure that was asked for; empty: the first
    warnings: tuple[str, ...]
    seconds: float

    def cell(self, segment: str, model: str, metric: str) -> Estimate | None:
        """One figure; the empty segment is all rows."""
        for entry in (*self.cells, *self.whole):
            if (entry.segment, entry.model, entry.metric) == (segment, model, metric):
                return entry.estimate
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class ShiftSide:
    """One of the two: rows of the project by their use, or those of another file."""

    use: RowUse = RowUse.ALL
    path: str = ""  # empty: the project's own data
    reader: ReaderSettings = field(default_factory=ReaderSettings)


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnShift:
    """One score or input in both sets.

    ``verdict``: "stable", "too few cases", "shifted", "another population". ``noise``: what the
    index stays below in 95 % of samples of one population. Shares of the cases per bin, the last
    bin of inputs being missing values where there are any.
    """

    name: str
    is_score: bool
    index: float
    noise: float
    verdict: str
    bins: tuple[str, ...]
    then: FloatArray
    now: FloatArray


@dataclass(frozen=True, slots=True, kw_only=True)
class ShiftResult:
    """Scores first, then inputs, the largest index first."""

    then_text: str
    now_text: str
    then_rows: int
    now_rows: int
    columns: tuple[ColumnShift, ...]
    left_out: tuple[str, ...]  # columns that only one of the two has
    warnings: tuple[str, ...] = ()  # scores that come about in another way on one side
    drawn: str = ""  # the score or input that was asked for; empty: the first
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SurvivalGroup:
    """One group: shares without the event over the times, as predicted and as observed.

    ``low`` and ``high`` are 95 % limits of the observed share. ``at_horizon``: predicted, observed.
    """

    name: str
    cases: int
    predicted: FloatArray
    observed: FloatArray
    low: FloatArray
    high: FloatArray
    at_horizon: tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class SurvivalResult:
    """Curves at ``times`` (m,); ``case`` is empty without a row.

    ``brier`` and ``auc`` at the horizon judge the model's own chances on these rows. ``origin``
    says where those chances come from, ``notes`` what late entry means.
    """

    model: str
    rows: RowsNote
    times: FloatArray
    horizon: float
    groups: tuple[SurvivalGroup, ...]
    case: FloatArray
    case_probability: float  # of the event by the horizon; NaN without a row
    brier: float
    brier_constant: float  # of the same chance for everybody: the share observed
    auc: float
    origin: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class HorizonFileArguments:
    """-> HorizonFileResult. Kind "horizon_file": the data with chances at a horizon beside them."""

    document: Document
    model: str
    horizon: float
    path: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HorizonFileResult:
    """What was written: names of the three new columns, and how many rows are unknown."""

    path: str
    probability: str
    outcome: str
    weight: str
    rows: int
    unknown: int


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
