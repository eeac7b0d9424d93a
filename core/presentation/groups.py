"""A chart of page Compare with a line for every group of cases."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from core.document.compare.chart_kinds import ChartKind, chart_kind
from core.document.results import ChartData
from core.document.studies.compare import SegmentsResult
from core.presentation.chart import AxisSpec, BaselineSpec, Chart, SeriesSpec, Side
from core.presentation.curve_looks import LOOKS, kind_of_face
from core.presentation.labels import Labels
from core.presentation.scales import ceil_to, nice_step
from payoff.vocabulary import CurveAxis

_USUAL_LOOKS = {
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
    known, axes = _face_of(chart, labels) if chart is not None else (None, None)
    if chart is None or known is None or axes is None:
        return None
    series = tuple(
        SeriesSpec(name=curve.name, series=at, x=curve.x, y=curve.y, low=curve.low, high=curve.high)
        for at, curve in enumerate(curve for curve in chart.curves if curve.model)
    )
    is_falling = sum(float(entry.y[0] - entry.y[-1]) for entry in series) > 0
    x_axis, y_axis = _x_axis(axes, series), _y_axis(axes, series)
    side: Side = "right" if chart.face is None or chart_kind(chart.kind) else "above"
    return Chart(
        kind=chart.kind,
        title=known.title,
        subtitle=f"{known.subtitle} by {answer.column}, {answer.model}",
        x_axis=x_axis,
        y_axis=y_axis,
        series=series,
        baselines=tuple(
            BaselineSpec(
                name=c.name, x=c.x, y=c.y, label_at=0.6, side=side, needs_room=side == "above"
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


def _face_of(chart: ChartData, labels: Labels) -> tuple[ChartKind | None, _Axes]:
    """What a chart is called and what its axes are, a plugin's by what it says of itself."""
    known, face = chart_kind(chart.kind), chart.face
    if known is None and face is not None:
        is_value = face.x_unit != "percent"
        axes = _Axes(face.x_label, face.y_label, is_value, face.y_unit == "percent")
        return kind_of_face(chart.kind, face), axes
    words = _USUAL_LOOKS.get(chart.kind, ("", ""))
    if chart.kind in LOOKS:
        words = (LOOKS[chart.kind].x_words(labels), LOOKS[chart.kind].y_words(labels))
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
