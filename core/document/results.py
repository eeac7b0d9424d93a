"""Shapes of what the engine answers: small frozen records and arrays, ready to be shown.

No result holds a row of the user's file beyond what a screen shows. Curves lie on a grid of
depths (share of cases acted on, 0 to 1), so that one cursor reads all of them.

Warnings that programs act on: what they are about is said beside their words.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from enum import StrEnum

from core.document.data.results import RowsPage
from core.document.made import former_name
from core.document.plugin_results import MetricInfo
from payoff.types import FloatArray, IntArray

# ---------------------------------------------------------------- data


@dataclass(frozen=True, slots=True, kw_only=True)
class RowsNote:
    """Which rows a number comes from, in words and counts."""

    use: str  # RowUse value
    text: str  # "validation rows, 10,000 of 20,000"
    rows: int
    dropped: tuple[tuple[str, int], ...] = ()  # reason -> count
    lacking: tuple[tuple[str, int], ...] = ()  # model -> rows left out that it has no score for

    def leaving_out(self, dropped: tuple[tuple[str, int], ...]) -> RowsNote:
        """The note once further rows are left out (reason, count), which its words say too."""
        if not dropped:
            return self
        left = self.rows - sum(count for _, count in dropped)
        words = ", ".join(f"{count:,} {reason}" for reason, count in dropped)
        text = self.text.replace(f"{self.rows:,} of ", f"{left:,} of ", 1)
        return replace(
            self, rows=left, text=f"{text} ({words} left out)", dropped=(*self.dropped, *dropped)
        )


# ---------------------------------------------------------------- estimates


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A number with its interval; NaN where it is undefined, then ``note`` says why."""

    value: float
    low: float
    high: float
    method: str = ""  # "DeLong", "Poisson bootstrap, 1,000 draws", "exact variance"
    holds_fixed: str = ""  # "if 5.0 % respond"
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedDifference:
    """First model minus second on the same cases.

    ``standard_error`` is NaN where the interval is not made of one.
    """

    first: str
    second: str
    metric: str
    estimate: Estimate
    p_value: float
    ahead: int = 0  # resamples in which the first is better
    level: int = 0  # resamples in which both are the same
    resamples: int = 0  # 0: not resampled yet
    p_adjusted: float = math.nan  # for all comparisons with the reference on the metric (Holm)
    standard_error: float = math.nan

    difference = former_name("estimate.value")
    low = former_name("estimate.low")
    high = former_name("estimate.high")


# ---------------------------------------------------------------- evaluation


NO_MODEL = "No model"
"""What stands for a model in figures of the same prediction for every case."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricCell:
    """One metric of one model."""

    metric: str
    model: str
    estimate: Estimate
    is_best: bool = False
    is_tied: bool = False  # not distinguishable from the best


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelDepths:
    """One model's ranking on the common grid of depths; everything the cursor reads.

    ``depth[k]`` is the share of all (prior-weighted) cases acted on, tied scores shared
    proportionally. All arrays have the grid's length; ``class_share`` is (classes, grid), the
    share of each class that is among the best (0 at depth 0, 1 at depth 1). Its limits are NaN
    until resamples are there.
    """

    model: str
    depth: FloatArray
    cases: FloatArray  # unweighted number of rows
    threshold: FloatArray  # event chance (or expected advantage) of the last case within
    class_share: FloatArray
    class_share_low: FloatArray
    class_share_high: FloatArray
    has_probabilities: bool = True  # False: a score that only ranks; ``threshold`` is in its points


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """One line of a chart with its band; ``model`` is empty for a baseline."""

    model: str
    x: FloatArray
    y: FloatArray
    low: FloatArray | None = None
    high: FloatArray | None = None
    name: str = ""  # a baseline's label: "random", "best possible"
    alarms: tuple[str, ...] = ()  # what is amiss with it, each in few words


@dataclass(frozen=True, slots=True, kw_only=True)
class PluginChart:
    """How a curve of a plugin is drawn: what ``payoff.CurveAxes`` says, in the user's words.

    ``axis`` is a value of ``payoff.CurveAxis``; units are "percent" or empty.
    """

    title: str
    subtitle: str
    axis: str
    x_label: str
    y_label: str
    x_unit: str = ""
    y_unit: str = ""
    x_ends: tuple[float, float] | None = None
    y_ends: tuple[float, float] | None = None
    is_split: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartData:
    """One chart: ``kind`` is a key of ``compare.chart_kinds``, or the id of a plugin's curve."""

    kind: str
    curves: tuple[Curve, ...]
    definition: str  # what is this?
    variant: str = ""
    notes: tuple[str, ...] = ()  # plain verdicts: "gbm: the chances come true, ..."
    plugin_chart: PluginChart | None = None  # of a plugin's curve


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenRows:
    """Rows that a model has seen before it is judged on them.

    ``how``: "trained", "stopped" (they chose the number of trees), "chosen" (the model was picked
    as the best on them), "folds" (they trained it, and models that did not see them judge it), or
    "fitted" (its chances were fitted to them, crosswise).
    """

    model: str
    how: str
    rows: int

    @property
    def is_flattering(self) -> bool:
        """Whether figures on these rows promise too much."""
        return self.how in ("trained", "stopped", "chosen")


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """The model that is best by one metric, and how much of its lead may be luck.

    ``wins``: resamples in which each model is the best; those that are level share one.
    ``optimism``: what choosing the best on these rows adds to its figure on average, in the
    metric's own unit and sense (the bootstrap estimate; Efron 1983). ``p_value`` of the margin over
    the runner-up, ``corrected``: of the closest rival by Holm's correction for comparing the winner
    with all others.
    """

    metric: str
    winner: str
    runner_up: str
    margin: PairedDifference
    wins: tuple[tuple[str, float], ...]
    resamples: int
    optimism: float
    corrected: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Conditions:
    """Under what a result was computed; two results compare only where all of it is the same."""

    data_hash: str
    rows: str  # fingerprint of the rows used
    weight: str  # column of case weights, or empty
    priors: tuple[tuple[str, float], ...]
    seed: int
    level: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationResult:
    """What page Compare shows."""

    rows: RowsNote
    level: str  # the event level of one-against-rest charts
    class_levels: tuple[str, ...]
    class_weight: FloatArray  # weighted cases per class, priors applied
    metrics: tuple[MetricInfo, ...]
    cells: tuple[MetricCell, ...]
    comparisons: tuple[PairedDifference, ...]  # every model against the reference
    depths: tuple[ModelDepths, ...]
    charts: tuple[ChartData, ...]
    resamples: int
    seconds: float
    warnings: tuple[str, ...] = ()
    seen: tuple[SeenRows, ...] = ()
    favoured: str = ""  # which models these rows favour, in one sentence; empty = none
    selections: tuple[Selection, ...] = ()  # one per metric with a direction, two models or more
    conditions: Conditions | None = None
    no_model: tuple[MetricCell, ...] = ()  # of metrics that have a value without a model


# ---------------------------------------------------------------- decisions


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """One line of the matrix linter: ``state`` in ok, info, warning, error."""

    state: str
    text: str
    detail: str = ""
    link: str = ""  # a page or action that shows more
    model: str = ""  # whose figures it is about; empty: everybody's


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelProfit:
    """One model under the matrix, on the common grid of depths.

    ``profit`` is the total when the best ``depth`` are acted on; ``expected`` the same from the
    posteriors. ``rule_depth`` is the share that gets the acting decision under the rule.
    """

    model: str
    depth: FloatArray
    cases: FloatArray
    threshold: FloatArray  # event chance of the last case within (two classes), else advantage
    profit: FloatArray
    low: FloatArray
    high: FloatArray
    expected: FloatArray
    class_cases: FloatArray  # (classes, grid) weighted cases within depth
    total: Estimate  # every case gets its own decision
    average: Estimate
    expected_total: float
    best_total: float
    roi: float
    rule_depth: float
    rule_cases: float
    best_depth: float  # where the profit is highest, of all depths
    best_profit: float
    best_profit_crossfitted: Estimate
    chart_end: float  # last cumulative point of the case-by-case chart
    counts: FloatArray  # (classes, decisions) weighted cases by the rule
    profits: FloatArray  # (classes, decisions) realised profit by the rule
    mean_probability_before: FloatArray  # (classes,) mean posterior as in the file
    mean_probability_after: FloatArray  # after the correction to the priors
    warnings: tuple[str, ...] = ()
    has_probabilities: bool = True  # False: a score that only ranks; what needs chances is NaN

    @property
    def resting_depth(self) -> float:
        """Where a cursor rests that nobody moved: by the rule; without one at the best depth."""
        depth = self.rule_depth if self.has_probabilities else self.best_depth
        return 0.0 if math.isnan(depth) else depth

    # lowest and highest depth that cannot be told apart from the best (paired, 95 %)
    best_range: tuple[float, float] = (float("nan"), float("nan"))
    best_threshold: float = float("nan")  # ``threshold`` of the last case within ``best_depth``


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionResult:
    """What page Decide shows.

    All amounts here, in ``ModelProfit``, ``CursorReading`` and ``ResampleResult`` are profits:
    higher is better, and the losses of a loss matrix count negative. Only ``cells`` are as the user
    wrote them. Whoever shows a loss turns it round.
    """

    rows: RowsNote
    kind: str  # MatrixKind value
    levels: tuple[str, ...]
    class_counts: FloatArray  # rows per class, unweighted
    class_cases: FloatArray  # cases per class: rows by their weights, priors not applied
    class_weight: FloatArray  # weighted (priors applied), sums to the weighted number of cases
    decisions: tuple[str, ...]
    cells: FloatArray  # (levels, decisions) as the matrix stands, worked out from a template if any
    acting: str
    rest: str  # what cases beyond the depth get ("Do nothing")
    models: tuple[ModelProfit, ...]
    act_on_all: float
    do_nothing: float  # total of the rest decision for all
    random_profit: FloatArray  # on the grid
    perfect_total: float
    rule_text: str  # "Mail a customer when the chance of a response is above 6.25 %."
    rule_reason: (
        str  # "A letter costs € 1.60 and a response brings € 25.60: 1.60 / 25.60 = 6.25 %."
    )
    rule_threshold: float | None
    advice: tuple[Advice, ...]
    holds_fixed: str
    differences: tuple[PairedDifference, ...]  # reference model's total against each other model's
    seconds: float
    warnings: tuple[str, ...] = ()
    # what ModelProfit.threshold holds: "chance", "advantage", or "score" (a reference without
    # chances); of a model without chances it is always its score
    threshold_kind: str = "chance"
    threshold_side: str = "above"  # act where the chance is "above" or "below" the threshold
    knots: tuple[str, ...] = ()  # rows of ``cells`` where the outcome is a number; levels are bands
    threshold_reading: tuple[tuple[str, str], ...] = ()  # (heading, text): thresholds explained
    # (levels, decisions): what one unit of the case's amount adds to ``cells``; None without one
    shares: FloatArray | None = None
    rest_for_all: str = ""  # the decision whose total for all is ``do_nothing``; empty = ``rest``
    # exact values where the reference model's cursor rests, without paired differences: what is
    # shown first is no number read off the grid
    at_rest: CursorReading | None = None

    @property
    def all_get(self) -> str:
        """The decision that all cases get where nobody is acted on: a name of its own."""
        return self.rest_for_all or self.rest


@dataclass(frozen=True, slots=True, kw_only=True)
class CursorReading:
    """Exact values at a depth, one per model: what the flag shows once the engine answered."""

    depth: float
    models: tuple[str, ...]
    cases: IntArray
    threshold: FloatArray
    profit: FloatArray
    low: FloatArray
    high: FloatArray
    class_cases: FloatArray  # (models, classes)
    differences: tuple[PairedDifference, ...] = ()  # at the same depth, against the reference
    # (models, classes, decisions) weighted cases and profits at the depth; None where there are two
    # decisions at most and no cost column: they follow from class_cases and the cells
    counts: FloatArray | None = None
    profits: FloatArray | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ResampleResult:
    """The slow part of Decide: paired resamples at a depth and at the rules."""

    resamples: int
    differences: tuple[PairedDifference, ...]
    at_depth: tuple[PairedDifference, ...]
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SaveResult:
    """Where decisions were saved, the record beside them, and what the file holds."""

    path: str
    record_path: str
    rows: int
    columns: tuple[str, ...]
    totals: tuple[tuple[str, float], ...]
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AppliedShift:
    """New cases beside the evaluated ones; indexes are population stability indexes.

    Verdicts: "stable", "too few cases", "shifted", "another population".
    """

    score_index: float
    score_verdict: str
    decisions_index: float
    decisions_verdict: str
    acted_then: float  # share of cases acted on; evaluated rows weighted to the priors
    acted_now: float
    evaluated_rows: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ApplyResult:
    """A rule applied to another file: expected totals; realised ones if the outcome is known."""

    path: str
    rows: int
    expected_total: float
    counts: tuple[tuple[str, int], ...]  # decision -> cases
    realised_total: float | None
    saved: SaveResult | None
    preview: RowsPage
    preview_columns: tuple[str, ...]
    warnings: tuple[str, ...] = ()
    checks: tuple[Advice, ...] = ()  # how like the evaluated rows the cases are
    shift: AppliedShift | None = None  # None: the evaluated rows are not at hand


# ---------------------------------------------------------------- plugins


class WarningCode(StrEnum):
    """What a warning is about, for whoever acts on it."""

    WEIGHT_KIND = "weight_kind"  # a column is a weight, and nobody has said of which kind
    GUESSED_ROLE = "guessed_role"  # what a column is for was guessed, and is to be checked
    METRIC_LEFT_OUT = "metric_left_out"  # a chosen metric is not shown


class CodedWarning(str):
    """A warning in words, with its code and the column, model or metric that it is about.

    Stored answers and JSON keep its words only: whoever asks for the code has the answer at first
    hand.
    """

    code: WarningCode
    about: str

    def __new__(cls, words: str, code: WarningCode, about: str) -> CodedWarning:
        """Return the words as a warning of a code."""
        made = super().__new__(cls, words)
        made.code, made.about = code, about
        return made

    def __reduce__(self) -> tuple[type[CodedWarning], tuple[str, WarningCode, str]]:
        return type(self), (str(self), self.code, self.about)


def is_about(warning: str, code: WarningCode, about: str | None = None) -> bool:
    """Return whether a warning has a code, and is about something where that is given."""
    if not isinstance(warning, CodedWarning) or warning.code is not code:
        return False
    return about is None or warning.about == about
