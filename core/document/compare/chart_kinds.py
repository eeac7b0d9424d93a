"""The charts of page Compare by kind, which of them are usual, and whose definitions they follow.

The one list that engine, window, report and scripts share. A kind says what the x axis is, so
that every part knows how the shared cursor stands in it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.document.judging import guide_of
from core.document.model import Document
from payoff.vocabulary import CONVENTIONS as CONVENTION_NAMES
from payoff.vocabulary import CurveAxis

if TYPE_CHECKING:  # results hold arrays: numpy is no part of the start
    from core.document.plugin_results import CurveInfo


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartKind:
    """One kind of chart. Titles are questions, subtitles the field's word."""

    kind: str
    title: str
    subtitle: str
    axis: CurveAxis
    tasks: tuple[str, ...]
    needs_money: bool = False


CLASSES = ("binary", "multiclass")

CHART_KINDS: tuple[ChartKind, ...] = (
    ChartKind(
        kind="roc",
        title="How well are the groups told apart?",
        subtitle="ROC",
        axis=CurveAxis.SHARE,
        tasks=CLASSES,
    ),
    ChartKind(
        kind="gains",
        title="How many are found by depth?",
        subtitle="cumulative gains",
        axis=CurveAxis.DEPTH,
        tasks=CLASSES,
    ),
    ChartKind(
        kind="lift",
        title="Times as many as at random",
        subtitle="cumulative lift",
        axis=CurveAxis.DEPTH,
        tasks=CLASSES,
    ),
    ChartKind(
        kind="calibration",
        title="Do the chances come true?",
        subtitle="calibration",
        axis=CurveAxis.CHANCE,
        tasks=CLASSES,
    ),
    ChartKind(
        kind="score_distribution",
        title="Who gets which chance?",
        subtitle="score distribution",
        axis=CurveAxis.CHANCE,
        tasks=CLASSES,
    ),
    ChartKind(
        kind="profit",
        title="Profit if the best n % are acted on",
        subtitle="profit by depth",
        axis=CurveAxis.DEPTH,
        tasks=(*CLASSES, "regression"),
        needs_money=True,
    ),
    ChartKind(
        kind="precision_recall",
        title="How many of the found are right?",
        subtitle="precision-recall",
        axis=CurveAxis.SHARE,
        tasks=CLASSES,
    ),
    ChartKind(
        kind="response",
        title="How many of the best respond?",
        subtitle="cumulative response",
        axis=CurveAxis.DEPTH,
        tasks=CLASSES,
    ),
    ChartKind(
        kind="ks",
        title="Where are the groups furthest apart?",
        subtitle="Kolmogorov-Smirnov",
        axis=CurveAxis.DEPTH,
        tasks=CLASSES,
    ),
    ChartKind(
        kind="lorenz",
        title="How unevenly are the events spread?",
        subtitle="Lorenz, lowest first",
        axis=CurveAxis.LOWEST,
        tasks=(*CLASSES, "regression"),
    ),
    ChartKind(
        kind="smooth_calibration",
        title="Do the chances come true, smoothly?",
        subtitle="calibration, natural spline",
        axis=CurveAxis.CHANCE,
        tasks=CLASSES,
    ),
    ChartKind(
        kind="threshold",
        title="What does each cut-off do?",
        subtitle="sensitivity, specificity, precision, F1",
        axis=CurveAxis.CHANCE,
        tasks=CLASSES,
    ),
    ChartKind(
        kind="net_benefit",
        title="Is acting by the model of use?",
        subtitle="net benefit",
        axis=CurveAxis.CHANCE,
        tasks=CLASSES,
    ),
    ChartKind(
        kind="cost",
        title="What do errors cost, whatever they cost?",
        subtitle="cost curves",
        axis=CurveAxis.VALUE,
        tasks=CLASSES,
    ),
    ChartKind(
        kind="roi",
        title="Return on what is spent, by depth",
        subtitle="ROI",
        axis=CurveAxis.DEPTH,
        tasks=CLASSES,
        needs_money=True,
    ),
    ChartKind(
        kind="predicted_observed",
        title="Do the predictions come true?",
        subtitle="predicted against observed",
        axis=CurveAxis.PREDICTION,
        tasks=("regression",),
    ),
    ChartKind(
        kind="residuals",
        title="Where is it wrong, and by how much?",
        subtitle="residuals by prediction",
        axis=CurveAxis.PREDICTION,
        tasks=("regression",),
    ),
    ChartKind(
        kind="error_share",
        title="How many are missed by how much?",
        subtitle="regression error characteristic",
        axis=CurveAxis.VALUE,
        tasks=("regression",),
    ),
    ChartKind(
        kind="quantile_calibration",
        title="How many turn out lower than predicted?",
        subtitle="quantile calibration",
        axis=CurveAxis.DEPTH,
        tasks=("regression",),
    ),
    ChartKind(
        kind="precision_at",
        title="How many of the first places are right?",
        subtitle="precision at k",
        axis=CurveAxis.VALUE,
        tasks=("ranking",),
    ),
    ChartKind(
        kind="recall_at",
        title="How many are found in the first places?",
        subtitle="recall at k",
        axis=CurveAxis.VALUE,
        tasks=("ranking",),
    ),
    ChartKind(
        kind="ndcg_at",
        title="How good is the order of the first places?",
        subtitle="nDCG at k",
        axis=CurveAxis.VALUE,
        tasks=("ranking",),
    ),
    ChartKind(
        kind="survival_groups",
        title="Do the risk groups live differently?",
        subtitle="Kaplan-Meier by risk group",
        axis=CurveAxis.VALUE,
        tasks=("survival",),
    ),
    ChartKind(
        kind="time_auc",
        title="How well is early told from late, by time?",
        subtitle="time-dependent AUC",
        axis=CurveAxis.VALUE,
        tasks=("survival",),
    ),
    ChartKind(
        kind="risk_calibration",
        title="Do the groups end as they are ranked?",
        subtitle="observed events by risk, at the median time",
        axis=CurveAxis.DEPTH,
        tasks=("survival",),
    ),
)

_BY_KIND = {entry.kind: entry for entry in CHART_KINDS}

USUAL_CHARTS: dict[str, tuple[str, ...]] = {
    "binary": ("roc", "gains", "lift", "calibration", "score_distribution", "profit"),
    "multiclass": ("roc", "gains", "lift", "calibration", "score_distribution", "profit"),
    "regression": (
        "predicted_observed",
        "residuals",
        "error_share",
        "quantile_calibration",
        "lorenz",
        "profit",
    ),
    "ranking": ("ndcg_at", "precision_at", "recall_at"),
    "survival": ("survival_groups", "time_auc", "risk_calibration"),
}
"""The charts of a task until the user chooses."""


def chart_kind(kind: str) -> ChartKind | None:
    """What is known of a kind, or None."""
    return _BY_KIND.get(kind)


def kinds_with(task: str, curves: Iterable[CurveInfo]) -> tuple[ChartKind, ...]:
    """Every kind that a task has, those of plugins last."""
    own = [
        ChartKind(
            kind=entry.id,
            title=entry.title,
            subtitle=entry.label,
            axis=CurveAxis(entry.axis),
            tasks=entry.tasks,
        )
        for entry in curves
        if entry.id not in _BY_KIND and task in entry.tasks
    ]
    return (*kinds_of(task), *own)


def title_of(kind: str, curves: Iterable[CurveInfo]) -> str:
    """The question that a chart answers; its id where nobody knows it."""
    known = _BY_KIND.get(kind)
    if known is not None:
        return known.title
    return next((entry.title for entry in curves if entry.id == kind), kind)


def kinds_of(task: str) -> tuple[ChartKind, ...]:
    """Every kind that a task has, the usual ones first."""
    usual = USUAL_CHARTS.get(task, ())
    fitting = [entry for entry in CHART_KINDS if task in entry.tasks]
    rest = [entry for entry in fitting if entry.kind not in usual]
    return tuple([_BY_KIND[kind] for kind in usual] + rest)


def charts_shown(chosen: tuple[str, ...], task: str) -> tuple[str, ...]:
    """The kinds on the page: those chosen that fit the task, else the usual ones.

    A kind that is not in the catalogue is the curve of a third party's plugin; the engine says
    where one does not fit.
    """
    fitting = tuple(kind for kind in chosen if kind not in _BY_KIND or task in _BY_KIND[kind].tasks)
    return fitting or USUAL_CHARTS.get(task, ())


def chart_task(document: Document) -> str:
    """What the models of a document predict, as the catalogue of charts calls it."""
    target = document.target
    if target is None:
        return "binary"
    if target.levels:
        return target.kind
    return guide_of(document).task


# ---------------------------------------------------------------- conventions


PAYOFF, SKLEARN, SAS_EM, R = CONVENTION_NAMES

CONVENTIONS: tuple[tuple[str, str], ...] = (
    (PAYOFF, "Payoff"),
    (SKLEARN, "as scikit-learn"),
    (SAS_EM, "as SAS EM"),
    (R, "as R"),
)
"""Whose definitions the charts follow: key and words."""

CHART_WORDS: dict[tuple[str, str], tuple[str, str]] = {
    (SAS_EM, "gains"): (
        "cumulative % captured response",
        "As SAS Enterprise Miner: what Payoff calls cumulative gains is called cumulative % "
        "captured response there; its 'gain' is another figure, 100 x (cumulative lift - 1). Read "
        "at 20 depths of 5 %.",
    ),
    (SAS_EM, "lift"): (
        "cumulative lift, 5 % bins",
        "As SAS Enterprise Miner: cumulative lift at 20 depths of 5 %; straight lines between "
        "them hide what lies above 5 %.",
    ),
    (SAS_EM, "response"): (
        "cumulative % response, 5 % bins",
        "As SAS Enterprise Miner: the share of events among the best, at 20 depths of 5 %.",
    ),
    (SAS_EM, "ks"): (
        "bin-based two-way KS",
        "As SAS Enterprise Miner's bin-based two-way KS: distances are looked at in 20 bins of "
        "5 % only, so the largest one may be missed.",
    ),
    (SAS_EM, "calibration"): (
        "mean prediction by 5 % bins",
        "As SAS Enterprise Miner's score rankings: 20 bins of 5 % of the cases by rank.",
    ),
    (SKLEARN, "calibration"): (
        "5 bins of equal width",
        "As sklearn.calibration.calibration_curve(n_bins=5, strategy='uniform'): bins of equal "
        "width in the chance, (0, 0.2], (0.2, 0.4] and so on, empty ones left out. Payoff makes "
        "groups of equal size instead, so that low chances are not all in one bin.",
    ),
    (SKLEARN, "precision_recall"): (
        "precision-recall, steps",
        "As sklearn.metrics.precision_recall_curve: steps, which is what average precision adds "
        "up; straight lines between the points promise too much.",
    ),
    (R, "calibration"): (
        "10 groups, quantiles of type 7",
        "As R's cut(p, quantile(p, 0:10/10)) (type 7, ResourceSelection::hoslem.test): ten groups "
        "by interpolated quantiles of the chances, borders on the right.",
    ),
    (R, "lift"): (
        "cumulative lift, deciles",
        "As R's gains::gains(groups=10): read at ten depths of 10 %; that package prints the lift "
        "as an index, 100 times as high.",
    ),
    (R, "gains"): (
        "cumulative gains, deciles",
        "As R's gains::gains(groups=10): the cumulative share of the total response at ten depths.",
    ),
}
"""(convention, kind) -> its name on the chart, and what differs and why."""
