"""What studies of rows show: their shift, groups of cases, two sets side by side.

A chart of page Compare with a line for every group of cases.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from core.document.compare.chart_kinds import ChartKind, chart_kind
from core.document.compare.words import (
    flattering_words,
    metric_interval,
    metric_value,
    signed_metric,
)
from core.document.data.model import RowUse
from core.document.plugin_results import MetricInfo
from core.document.results import ChartData, Estimate, MetricCell, SeenRows
from core.document.studies.compare import (
    ColumnShift,
    RowSetsResult,
    Segment,
    SegmentsResult,
    ShiftResult,
)
from core.document.wording import UNDEFINED, NumberText, format_count, format_number
from core.presentation.charts.chart import AxisSpec, BarsSpec, BaselineSpec, Chart, SeriesSpec, Side
from core.presentation.charts.scales import ceil_to, nice_step
from core.presentation.evaluation.curve_looks import CHART_LABELS, kind_of_plugin_chart
from core.presentation.labels import Labels, capitalised
from core.presentation.view import Table, View
from payoff.vocabulary import CurveAxis

_USUAL_LABELS = {
    "roc": ("others found (false alarms)", "found"),
    "gains": ("cases by depth", "found"),
    "lift": ("cases by depth", "lift"),
    "calibration": ("predicted chance", "happened"),
}


class _Axes(NamedTuple):
    """Names of the axes, and whether x runs over values and y over shares."""

    x: str
    y: str
    is_value: bool
    is_share: bool


def groups_chart(answer: SegmentsResult, labels: Labels) -> Chart | None:
    """The chart of one model with a line per group; None where there is none."""
    chart = answer.chart
    known, axes = _plugin_chart_of(chart, labels) if chart is not None else (None, None)
    if chart is None or known is None or axes is None:
        return None
    series = tuple(
        SeriesSpec(
            name=labels.value(answer.column, curve.name),
            series=at,
            x=curve.x,
            y=curve.y,
            low=curve.low,
            high=curve.high,
        )
        for at, curve in enumerate(curve for curve in chart.curves if curve.model)
    )
    is_falling = sum(float(entry.y[0] - entry.y[-1]) for entry in series) > 0
    x_axis, y_axis = _x_axis(axes, series), _y_axis(axes, series)
    side: Side = "right" if chart.plugin_chart is None or chart_kind(chart.kind) else "above"
    return Chart(
        kind=chart.kind,
        title=known.title,
        subtitle=f"{known.subtitle} by {answer.column}, {answer.model}",
        x_axis=x_axis,
        y_axis=y_axis,
        series=series,
        baselines=tuple(
            BaselineSpec(
                name=c.name, x=c.x, y=c.y, label_at=0.6, side=side, needs_margin=side == "above"
            )
            for c in chart.curves
            if not c.model
        ),
        definition=chart.definition,
        variant=chart.variant,
        rows_text=answer.rows.text,
        headroom=6,
        box_corner="top right" if is_falling else "bottom right",
        rests_at=x_axis.low,
    )


def _plugin_chart_of(chart: ChartData, labels: Labels) -> tuple[ChartKind | None, _Axes]:
    """What a chart is called and what its axes are, a plugin's by what it says of itself."""
    known, plugin_chart = chart_kind(chart.kind), chart.plugin_chart
    if known is None and plugin_chart is not None:
        is_value = plugin_chart.x_unit != "percent"
        axes = _Axes(
            plugin_chart.x_label, plugin_chart.y_label, is_value, plugin_chart.y_unit == "percent"
        )
        return kind_of_plugin_chart(chart.kind, plugin_chart), axes
    words = _USUAL_LABELS.get(chart.kind, ("", ""))
    if chart.kind in CHART_LABELS:
        words = (CHART_LABELS[chart.kind].x_words(labels), CHART_LABELS[chart.kind].y_words(labels))
    is_value = known is not None and known.axis is CurveAxis.VALUE
    return known, _Axes(*words, is_value, chart.kind != "lift")


def _x_axis(axes: _Axes, series: tuple[SeriesSpec, ...]) -> AxisSpec:
    right = max((float(entry.x[-1]) for entry in series), default=1.0)
    left = min((float(entry.x[0]) for entry in series), default=0.0)
    return AxisSpec(
        label=axes.x,
        quantity="number" if axes.is_value else "percent",
        low=left if axes.is_value else 0.0,
        high=right if axes.is_value else min(1.0, ceil_to(right, 0.1)),
    )


def _y_axis(axes: _Axes, series: tuple[SeriesSpec, ...]) -> AxisSpec:
    top = max((float(np.nanquantile(entry.y, 0.99)) for entry in series), default=1.0)
    low = min((float(np.nanmin(entry.y)) for entry in series), default=0.0)
    is_share = axes.is_share and top <= 1.0 and low >= 0.0
    return AxisSpec(
        label=axes.y,
        quantity="percent" if is_share else "number",
        low=min(0.0, low) if is_share or low < 0 else 0.0 if low < 0.5 * top else low,
        high=ceil_to(top, nice_step(top - min(0.0, low), 5, is_percent=is_share)),
        last_tick=1.0 if is_share else None,
    )


_SIGNS = {
    "stable": "✓ stable",
    "too few cases": "too few cases to tell",
    "shifted": "▲ shifted",
    "another population": "▲▲ another population",
}
_BAR = 0.4  # of the room of a bin


def population_shift(answer: ShiftResult, labels: Labels) -> View:
    """Scores and inputs by how far they shifted, and the bins of the one that is chosen."""
    del labels  # columns and rows have their own names
    title = "Shift of scores and inputs"
    verdict = _shift_verdict(answer)
    names = _shift_names(answer)
    parts = tuple(
        View(title=title, sentences=(verdict,), charts=(_shift_chart(column, names),))
        for column in answer.columns
    )
    notes = [*answer.warnings, f"{answer.then_text}  →  {answer.now_text}"]
    if answer.left_out:
        notes.append(f"Only in one of the two: {', '.join(answer.left_out)}.")
    table = Table(
        columns=("Column", "Kind", "Index", "By chance up to", "Verdict"),
        rows=tuple(_shift_row(column) for column in answer.columns),
        right=(2, 3),
        name=title,
        wide=4,
    )
    return View(
        title=title,
        sentences=(verdict,),
        tables=(table,) if parts else (),
        charts=_drawn_part(answer, parts),
        notes=tuple(notes),
        by_row=parts,
    )


def _drawn_part(answer: ShiftResult, parts: tuple[View, ...]) -> tuple[Chart, ...]:
    """The chart of the column that was asked for, else of the one that has shifted most."""
    names = [column.name for column in answer.columns]
    if not parts:
        return ()
    return parts[names.index(answer.drawn) if answer.drawn in names else 0].charts


def _shift_verdict(answer: ShiftResult) -> str:
    """What has shifted, and of what it cannot be told: too few cases are no sign of rest."""
    moved = [e.name for e in answer.columns if e.verdict in ("shifted", "another population")]
    unknown = [e.name for e in answer.columns if e.verdict == "too few cases"]
    if not answer.columns:
        return "There is nothing to compare: no score and no input is in both."
    parts = [f"Shifted: {', '.join(moved)}."] if moved else []
    if unknown:
        parts.append(f"Too few cases to tell: {', '.join(unknown)}.")
    if len(moved) + len(unknown) < len(answer.columns) and not moved:
        parts.append("Nothing else has shifted." if unknown else "Nothing has shifted.")
    return " ".join(parts)


def _shift_names(answer: ShiftResult) -> tuple[str, str]:
    """What the two sets of rows are called beside the bars."""
    then, now = answer.then_text.split(",")[0], answer.now_text.split(",")[0]
    return (f"{then} then", f"{now} now") if then == now else (then, now)


def _shift_row(column: ColumnShift) -> tuple[str, ...]:
    return (
        column.name,
        "score" if column.is_score else "input",
        format_number(column.index, 3),
        format_number(column.noise, 3),
        _SIGNS[column.verdict],
    )


def _shift_chart(column: ColumnShift, names: tuple[str, str]) -> Chart:
    """Shares of the cases by bin, then and now, of one column."""
    x = np.arange(len(column.bins), dtype=np.float64)
    sides = ((names[0], -1, column.then, -_BAR / 2), (names[1], 0, column.now, _BAR / 2))
    return Chart(
        kind="shift",
        title=column.name,
        subtitle=f"share of the cases by value, index {format_number(column.index, 3)}",
        x_axis=AxisSpec(
            label="", quantity="number", low=-0.6, high=len(x) - 0.4, words=column.bins
        ),
        y_axis=AxisSpec(
            label="share",
            quantity="percent",
            low=0.0,
            high=float(max(column.then.max(), column.now.max())),
            last_tick=1.0,
        ),
        bars=tuple(
            BarsSpec(name=name, series=series, x=x, y=y, offset=offset, width=_BAR)
            for name, series, y, offset in sides
        ),
        definition=(
            "Population stability index = sum over bins of (now - then) x ln(now / then); "
            "below 0.1 stable, above 0.25 another population."
        ),
        headroom=64,  # for the box: bars fill the width
        rests_at=0.0,
    )


# ---------------------------------------------------------------- groups of cases


def compared_groups(answer: SegmentsResult, labels: Labels) -> View:
    """One figure of every model in each group of a column, and a chart with a line per group."""
    key = answer.metric or next((entry.metric for entry in answer.metrics), "")
    info = next((entry for entry in answer.metrics if entry.metric == key), None)
    chart = groups_chart(answer, labels)
    known = View(
        title=f"By {answer.column}",
        charts=() if chart is None else (chart,),
        notes=(*answer.warnings, answer.rows.text),
    )
    if info is None:
        return replace(known, sentences=("This figure is not there for these rows.",))
    models = [entry.name for entry in labels.models]
    events = sum(segment.events for segment in answer.segments)
    whole = Segment(name="", rows=answer.rows.rows, events=events)
    parts = (*answer.segments, whole)
    columns = (answer.column, capitalised(labels.cases), capitalised(labels.event), *models, "")
    table = Table(
        columns=columns,
        rows=tuple(_group_row(answer, info, segment, labels) for segment in parts),
        right=tuple(range(1, 3 + len(models))),
        name=f"{info.title} by {answer.column}",
        wide=3 + len(models),
    )
    described = f"{info.title} by {answer.column}, 95 % intervals."
    return replace(known, sentences=(described,), tables=(table,))


def _group_row(
    answer: SegmentsResult, info: MetricInfo, segment: Segment, labels: Labels
) -> tuple[str, ...]:
    cells = [labels.value(answer.column, segment.name) or "all", format_count(segment.rows)]
    has_events = any(entry.events for entry in answer.segments)
    cells.append(format_count(segment.events) if has_events else "")
    for model in labels.models:
        estimate = answer.cell(segment.name, model.name, info.metric)
        is_known = estimate is not None and math.isfinite(estimate.value)
        cells.append(_with_interval(info, estimate) if estimate and is_known else UNDEFINED)
    return (*cells, segment.note)


def _with_interval(info: MetricInfo, estimate: Estimate) -> NumberText:
    text, ends = metric_value(info, estimate.value), (estimate.low, estimate.high)
    if not all(map(math.isfinite, ends)):
        return text
    return NumberText(f"{text}  ({metric_interval(info, *ends)})", estimate.value, *ends)


# ---------------------------------------------------------------- two sets of rows


def two_sets_of_rows(answer: RowSetsResult, labels: Labels) -> View:
    """Every figure on two sets of rows with the gap between them, and what lies beyond noise."""
    del labels  # models and metrics have their own names
    first, second, names = answer.first, answer.second, answer.names
    pairs = [
        (info, cell, other)
        for info in second.metrics
        for cell in second.cells
        for other in first.cells
        if cell.metric == info.metric and (other.metric, other.model) == (cell.metric, cell.model)
    ]
    table = Table(
        columns=("Metric", "Model", *names, "Gap", "Seen"),
        rows=tuple(
            (
                info.title,
                cell.model,
                _with_interval(info, other.estimate),
                _with_interval(info, cell.estimate),
                signed_metric(info, other.estimate.value - cell.estimate.value),
                " | ".join(filter(None, (_seen(cell, r.seen) for r in (first, second)))),
            )
            for info, cell, other in pairs
        ),
        right=(2, 3, 4),
        name="Two sets of rows side by side",
        wide=5,
    )
    uses = {first.rows.use, second.rows.use}
    is_within = len(uses) == 1 or RowUse.ALL.value in uses  # one set holds the other
    estimates = [(cell.model, other.estimate, cell.estimate) for _, cell, other in pairs]
    verdict, notes = _gap_verdict(estimates), [first.rows.text, second.rows.text]
    if is_within and first.rows.rows == second.rows.rows:
        verdict = "Both are the same rows: choose two different sets."
    elif is_within:
        notes.append("All rows hold the others too: of rows apart the gap would be larger.")
    return View(
        key=f"{names[0]}, {names[1]}",
        title=f"{names[0]} beside {names[1]}",
        sentences=(verdict,),
        tables=(table,),
        notes=tuple(notes),
    )


def _seen(cell: MetricCell, seen: tuple[SeenRows, ...]) -> str:
    return flattering_words(cell.model, seen)


def _gap_verdict(estimates: list[tuple[str, Estimate, Estimate]]) -> str:
    """Which models have a figure whose intervals on the two sets of rows do not meet."""
    known = [
        (model, one, two)
        for model, one, two in estimates
        if all(map(math.isfinite, (one.low, one.high, two.low, two.high)))
    ]
    if not known:
        return "No figure has an interval on both sets of rows: nothing to tell."
    apart = dict.fromkeys(
        model for model, one, two in known if one.low > two.high or one.high < two.low
    )
    if not apart:
        return "No figure differs by more than its intervals allow."
    return f"Beyond the intervals: {', '.join(apart)}."
