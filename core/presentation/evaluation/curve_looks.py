"""How the charts of an evaluation look: words, axes and lines of each kind."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from core.document.compare.chart_kinds import ChartKind
from core.document.results import Curve, PluginChart
from core.presentation.charts.chart import Corner, Quantity, Side
from core.presentation.charts.scales import ceil_to, nice_step
from core.presentation.labels import Labels, capitalised
from payoff.vocabulary import CurveAxis

Words = Callable[[Labels], str]
Ends = tuple[float, float]
AxisEnds = Callable[[list[Curve]], tuple[Ends, Ends]]


def acted_words(look: Labels, group: str) -> str:
    """A group that the cursor takes in: "responders mailed"; only found where acting avoids it."""
    return f"{group} found" if look.is_by_event else f"{group} {look.done}"


def among_words(look: Labels, group: str) -> str:
    """A group among those taken in: "responders among those mailed".

    Where acting avoids the event, those with the highest chances are the ones not acted on.
    """
    within = "the highest chances" if look.is_by_event else f"those {look.done}"
    return f"{group} among {within}"


def depth_words(look: Labels) -> str:
    """The axis of depths, counted from the highest chance of the event."""
    if look.is_by_event:
        return f"{look.cases} by chance"
    return f"{look.cases} {look.done}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartLabels:
    """What a kind's axes say, where its limits come from, and how it is read.

    Attributes
    ----------
    x_words, y_words : callable
        The names of the axes.
    x_ends, y_ends : (float, float) or None
        Fixed ends; None = from the curves.
    ends : callable or None
        Makes the ends of both axes of the models' curves, where they follow a rule of their own.
    baselines : tuple of (name, place of the name, side, dashed)
        The grey lines.
    keeps_names : bool
        Whether the grey lines keep their names where there is no room for them.
    is_split : bool
        The chosen model alone, one line per name.
    title, number_title, number_y : callable or str
        In place of the catalogue's title; title and y axis where the outcome is a number.
    names_variant : bool
        Whether the subtitle says how the curve was made.
    headroom, large_headroom : int
        Pixels above the highest value of the small and of the large chart.
    of_share : callable or None
        The value at a depth, of the share of events found there, which is known exactly.
    decimals : int or None
        Of a number that is read; None = by its size.
    tips_by_depth : bool
        Whether the pointer reads what the cursor would read there.
    """

    x_words: Words
    y_words: Words
    x_quantity: Quantity = "percent"
    y_quantity: Quantity = "percent"
    x_ends: Ends | None = (0.0, 1.0)
    y_ends: Ends | None = None
    ends: AxisEnds | None = None
    corner: Corner = "top right"
    baselines: tuple[tuple[str, float, Side, bool], ...] = ()
    keeps_names: bool = False
    is_split: bool = False
    title: Words | None = None
    number_title: str = ""
    number_y: str = ""
    names_variant: bool = False
    headroom: int = 8
    large_headroom: int = 52
    of_share: Callable[[float, float], float] | None = None
    decimals: int | None = None
    tips_by_depth: bool = False


def _advantage(look: Labels) -> str:
    """Depths in the order of the decisions, whichever end of the chances that is."""
    return f"{look.cases} {look.done}"


def _probability(_check_now: Labels) -> str:
    return "predicted chance"


def _described(words: str) -> Words:
    return lambda _check_now: words


_PREDICTED = ChartLabels(
    x_words=_described("predicted"),
    y_words=_described("observed"),
    x_quantity="number",
    y_quantity="number",
    x_ends=None,
    corner="top left",
)
_PLACES = ChartLabels(
    x_words=_described("places"), y_words=_described("precision"), x_quantity="number", x_ends=None
)
_TIMES = ChartLabels(
    x_words=_described("time"), y_words=_described("AUC"), x_quantity="number", x_ends=None
)


def _calibration_ends(curves: list[Curve]) -> tuple[Ends, Ends]:
    """Round ends above the highest chance, and above the highest share that happened."""
    right = max((float(np.nanmax(c.x)) for c in curves if len(c.x)), default=1.0)
    top = max((float(np.nanmax(c.y)) for c in curves if len(c.y)), default=1.0)
    top = max(top, right)
    x_high = min(1.0, ceil_to(right, nice_step(right, 5, is_percent=True)))
    y_high = min(1.0, ceil_to(top, nice_step(top, 5, is_percent=True)))
    return (0.0, x_high), (0.0, y_high)


def _lift_ends(curves: list[Curve]) -> tuple[Ends, Ends]:
    return (0.0, 1.0), (0.0, max((_lift_top(curve) for curve in curves), default=2.0))


def _lift_top(curve: Curve) -> float:
    """Where the lift axis ends: the lift at 1 % depth, since the first few cases are noise."""
    inside = curve.x >= 0.01
    highest = float(np.nanmax(curve.y[inside])) if inside.any() else float(np.nanmax(curve.y))
    return max(2.0, ceil_to(highest, nice_step(highest, 5)))


CHART_LABELS: dict[str, ChartLabels] = {
    "roc": ChartLabels(
        x_words=lambda look: f"{acted_words(look, look.others)} (false alarms)",
        y_words=lambda look: acted_words(look, look.event),
        y_ends=(0.0, 1.0),
        baselines=(("random", 0.62, "right", True),),
        keeps_names=True,
        headroom=4,
        corner="bottom right",
        tips_by_depth=True,
    ),
    "gains": ChartLabels(
        x_words=depth_words,
        y_words=lambda look: f"{look.event} found",
        y_ends=(0.0, 1.0),
        title=lambda look: f"{capitalised(look.event)} found by depth",
        baselines=(("random", 0.44, "right", True), ("best possible", 0.42, "above", False)),
        keeps_names=True,
        headroom=20,
        corner="bottom right",
        of_share=lambda share, _depth: share,
        tips_by_depth=True,
    ),
    "lift": ChartLabels(
        x_words=depth_words,
        y_words=_described("lift"),
        y_quantity="number",
        ends=_lift_ends,
        baselines=(("random", 1.0, "below", True),),
        keeps_names=True,
        headroom=4,
        of_share=lambda share, depth: share / depth,
        decimals=2,
        tips_by_depth=True,
    ),
    "calibration": ChartLabels(
        x_words=_probability,
        y_words=lambda look: look.happened,
        ends=_calibration_ends,
        baselines=(("exact", 0.9, "right", True),),
        keeps_names=True,
        names_variant=True,
        headroom=12,
        large_headroom=12,
        corner="beside cursor",
    ),
    "score_distribution": ChartLabels(
        x_words=_probability,
        y_words=_described("share of group"),
        is_split=True,
        headroom=24,
        large_headroom=24,
        tips_by_depth=True,
    ),
    "precision_recall": ChartLabels(
        x_words=lambda look: f"{acted_words(look, look.event)} (recall)",
        y_words=lambda look: among_words(look, look.event),
        y_ends=(0.0, 1.0),
        baselines=(("random", 0.3, "above", True),),
    ),
    "response": ChartLabels(
        x_words=depth_words,
        y_words=lambda look: f"share of {look.event}",
        baselines=(("random", 0.5, "below", True),),
    ),
    "ks": ChartLabels(
        x_words=depth_words,
        y_words=lambda look: f"{look.event} less others",
    ),
    "lorenz": ChartLabels(
        x_words=lambda look: f"{look.cases}, lowest first",
        y_words=lambda look: f"share of {look.event}",
        number_title="How unevenly is the outcome spread?",
        number_y="share of the sum",
        y_ends=(0.0, 1.0),
        corner="top left",
        baselines=(("even", 0.62, "left", True), ("best possible", 0.5, "above", False)),
    ),
    "smooth_calibration": ChartLabels(
        x_words=_probability,
        y_words=lambda look: look.happened,
        x_ends=None,
        baselines=(("exact", 0.9, "right", True),),
        corner="top left",
    ),
    "threshold": ChartLabels(
        x_words=_probability,
        y_words=_described("share"),
        x_ends=None,
        y_ends=(0.0, 1.0),
        is_split=True,
    ),
    "net_benefit": ChartLabels(
        x_words=_described("chance at which acting just pays"),
        y_words=_described("net benefit per case"),
        x_ends=None,
        y_quantity="number",
        baselines=(("act on all", 0.1, "left", True), ("act on none", 0.9, "above", False)),
    ),
    "cost": ChartLabels(
        x_words=_described("weight of missing an event"),
        y_words=_described("expected cost"),
        y_quantity="number",
        y_ends=(0.0, 0.5),
        x_quantity="number",
        baselines=(("all or none", 0.5, "above", True),),
    ),
    "roi": ChartLabels(
        x_words=_advantage,
        y_words=_described("return on what is spent"),
        baselines=(("pays back", 0.9, "above", False),),
    ),
    "predicted_observed": replace(_PREDICTED, baselines=(("exact", 0.8, "right", True),)),
    "residuals": replace(
        _PREDICTED,
        y_words=_described("observed less predicted, median"),
        baselines=(("no error", 0.9, "above", False),),
    ),
    "error_share": ChartLabels(
        x_words=_described("missed by at most"),
        y_words=lambda look: f"share of {look.cases}",
        x_quantity="number",
        x_ends=None,
        y_ends=(0.0, 1.0),
        corner="bottom right",
    ),
    "quantile_calibration": ChartLabels(
        x_words=lambda look: f"{look.cases}, highest predicted first",
        y_words=_described("observed at or below predicted"),
        y_ends=(0.0, 1.0),
        baselines=(("a half", 0.9, "above", True),),
    ),
    "precision_at": _PLACES,
    "recall_at": replace(_PLACES, y_words=_described("recall"), corner="bottom right"),
    "ndcg_at": replace(
        _PLACES, y_words=_described("nDCG"), y_quantity="number", corner="bottom right"
    ),
    "survival_groups": replace(
        _TIMES, y_words=_described("without the event"), y_ends=(0.0, 1.0), is_split=True
    ),
    "time_auc": replace(_TIMES, y_quantity="number", baselines=(("random", 0.9, "above", True),)),
    "risk_calibration": ChartLabels(
        x_words=lambda look: f"{look.cases}, highest risk first",
        y_words=_described("with the event"),
        baselines=(("all cases", 0.8, "above", True),),
    ),
}


def style_of_plugin_chart(plugin_chart: PluginChart, grey: tuple[str, ...]) -> ChartLabels:
    """The look of a plugin's curve, from what its axes say."""
    is_depth = plugin_chart.axis in (CurveAxis.DEPTH, CurveAxis.LOWEST)
    return ChartLabels(
        x_words=_described(plugin_chart.x_label),
        y_words=_described(plugin_chart.y_label),
        x_quantity="percent" if plugin_chart.x_unit == "percent" else "number",
        y_quantity="percent" if plugin_chart.y_unit == "percent" else "number",
        x_ends=plugin_chart.x_ends or ((0.0, 1.0) if is_depth else None),
        y_ends=plugin_chart.y_ends,
        baselines=tuple((name, 0.7, "above", True) for name in grey),
        is_split=plugin_chart.is_split,
    )


def kind_of_plugin_chart(kind: str, plugin_chart: PluginChart) -> ChartKind:
    """The catalogue's entry of a plugin's curve."""
    return ChartKind(
        kind=kind,
        title=plugin_chart.title,
        subtitle=plugin_chart.subtitle,
        axis=CurveAxis(plugin_chart.axis),
        tasks=(),
    )
