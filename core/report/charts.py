"""The charts of the report: the usual two, or those that were put on it from page Compare."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from core.document.compare.chart_kinds import ChartKind, chart_kind, charts_shown
from core.document.markup import NOTHING, Html, joined
from core.document.model import Document, ReportItem
from core.document.report.commands import METRIC_TABLE, is_grid_entry
from core.document.results import ChartData, Curve, EvaluationResult
from core.document.wording import format_number, format_share
from core.presentation.page import section_html
from core.presentation.view import View
from core.report.svg import Axis, SvgLine, line_chart
from payoff.vocabulary import CurveAxis

USUAL = (ReportItem(kind="roc"), ReportItem(kind="gains"))
_X_WORDS = {
    "roc": "false alarms",
    "precision_recall": "found (recall)",
    CurveAxis.DEPTH: "share of cases, best first",
    CurveAxis.LOWEST: "share of cases, lowest first",
    CurveAxis.CHANCE: "predicted chance",
}
_NUMBERS = frozenset(
    {"lift", "net_benefit", "cost", "predicted_observed", "residuals", "ndcg_at", "time_auc"}
)
"""Kinds whose y axis is a plain number; all others are shares."""


def items_of(document: Document) -> tuple[ReportItem, ...]:
    """The charts that the report shows."""
    chosen = tuple(
        item for item in document.report if is_grid_entry(item.kind) and item.kind != METRIC_TABLE
    )
    return chosen or USUAL


def with_report_charts(document: Document, task: str) -> Document:
    """The document with every chart of the report computed."""
    shown = charts_shown(document.charts, task)
    wanted = [
        item.kind
        for item in document.report
        if is_grid_entry(item.kind) and item.kind != METRIC_TABLE
    ]
    missing = tuple(kind for kind in wanted if kind not in shown)
    return replace(document, charts=(*shown, *missing)) if missing else document


def chart_sections(document: Document, evaluation: EvaluationResult) -> Html:
    """A section per chart: picture, definition, the user's note."""
    by_kind = {chart.kind: chart for chart in evaluation.charts}
    parts = []
    for item in items_of(document):
        chart = by_kind.get(item.kind)
        known = chart_kind(item.kind) or (_kind_of_face(chart) if chart is not None else None)
        if chart is None or known is None:
            continue  # the profit by depth has its section; others had nothing for these rows
        parts.append(_section(document, chart, known, item))
    return joined(parts)


def _kind_of_face(chart: ChartData) -> ChartKind | None:
    """The entry of a plugin's curve, from what it says of itself."""
    face = chart.face
    if face is None:
        return None
    axis = CurveAxis(face.axis)
    return ChartKind(kind=chart.kind, title=face.title, subtitle=face.subtitle, axis=axis, tasks=())


def _section(document: Document, chart: ChartData, known: ChartKind, item: ReportItem) -> Html:
    reference = document.reference_model or (document.models[0].name if document.models else "")
    named = [curve for curve in chart.curves if curve.model and curve.name]
    curves = [c for c in chart.curves if not c.name or not c.model or c.model == reference]
    of_model = f", {reference}" if named else ""
    title = f"{known.title} ({chart.variant or known.subtitle}{of_model})"
    lines = tuple(_line(document, curve, place) for place, curve in enumerate(curves))
    picture = line_chart(title, lines, *_axes(chart, known, lines)) if lines else NOTHING
    lines_said = tuple(text for text in (*chart.notes, chart.definition) if text)
    block = View(key=chart.kind, title=title, notes=lines_said)
    return section_html(block, title=item.caption, note=item.note, pictures=(picture,))


def _line(document: Document, curve: Curve, place: int) -> SvgLine:
    settings = document.model(curve.model) if curve.model else None
    series = None
    if curve.model:
        series = place if curve.name else (settings.series if settings is not None else 0)
    return SvgLine(
        name=curve.name or curve.model,
        x=curve.x,
        y=curve.y,
        low=curve.low,
        high=curve.high,
        series=series,
    )


def _axes(chart: ChartData, known: ChartKind, lines: tuple[SvgLine, ...]) -> tuple[Axis, Axis]:
    """Axes that hold every model's line; bands and grey lines may leave the picture."""
    models = [line for line in lines if line.series is not None] or list(lines)
    x = np.concatenate([line.x for line in models])
    y = np.concatenate([line.y for line in models])
    x, y = x[np.isfinite(x)], y[np.isfinite(y)]
    is_value = known.axis in (CurveAxis.VALUE, CurveAxis.PREDICTION)
    low, high = (float(x.min()), float(x.max())) if len(x) else (0.0, 1.0)
    bottom, top = (float(y.min()), float(y.max())) if len(y) else (0.0, 1.0)
    if chart.kind in ("roc", "gains", "lorenz", "precision_recall", "threshold"):
        bottom, top = 0.0, 1.0
    words = _X_WORDS.get(chart.kind) or _X_WORDS.get(known.axis, known.subtitle)
    is_number, y_words, face = chart.kind in _NUMBERS, known.subtitle, chart.face
    if face is not None and chart_kind(chart.kind) is None:
        words, y_words = face.x_label, face.y_label
        is_value, is_number = face.x_unit != "percent", face.y_unit != "percent"
    return (
        Axis(
            label=words,
            text=_number if is_value else _percent,
            low=low if is_value else min(low, 0.0),
            high=high,
        ),
        Axis(
            label=y_words,
            text=_number if is_number else _percent,
            low=min(bottom, 0.0) if bottom < 0.5 * top else bottom,
            high=top,
        ),
    )


def _number(value: float) -> str:
    size = abs(value)
    return format_number(value, 0 if size >= 100 else 1 if size >= 10 else 2)


def _percent(value: float) -> str:
    return format_share(value, 0)
