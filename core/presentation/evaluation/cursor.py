"""What the shared cursor reads in the charts of an evaluation, and the place that is pointed at.

ROC, calibration and the distribution of scores are read by their own functions.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from core.document.results import EvaluationResult, ModelDepths
from core.document.wording import format_number, format_share, format_threshold, name_in_text
from core.presentation.charts.chart import Chart, SeriesSpec
from core.presentation.charts.depths import (
    CursorState,
    DepthReader,
    ExactPoint,
    ReadingLine,
    Ring,
    between,
    chart_of_kind,
    cut_words,
    depth_head,
    depth_of_threshold,
    model_curves,
    other_share_curve,
    prediction_words,
    ranking_of_model,
    threshold_words,
    value_at,
)
from core.presentation.evaluation.charts import chart_facts, is_by_advantage
from core.presentation.evaluation.curve_looks import ChartLabels
from core.presentation.labels import Labels, capitalised
from payoff.vocabulary import CurveAxis


def evaluation_cursor(
    answer: EvaluationResult,
    labels: Labels,
    chart: Chart,
    depth: float,
    *,
    exact: ExactPoint | None = None,
    is_long: bool = False,
) -> CursorState | None:
    """Return where the shared cursor stands in a chart of an evaluation, and what it reads.

    Parameters
    ----------
    answer : EvaluationResult
    labels : Labels
    chart : Chart
        Of ``evaluation_chart``.
    depth : float
        The share of the cases acted on.
    exact : ExactPoint, optional
        What the engine read there; without it everything is read off the curves.
    is_long : bool
        Whether there is room for longer words: large charts.
    """
    data = chart_of_kind(answer, chart.kind)
    if data is None:
        return None
    known, look = chart_facts(data)
    if known.axis is CurveAxis.VALUE or not answer.depths:  # no place for the cursor
        return CursorState(x=None, head=chart.subtitle, note="", lines=_lines(chart, {}))
    reader = DepthReader(answer, exact)
    depth = _turned(labels, chart.kind, depth)
    if chart.kind == "calibration":
        return _calibration_state(reader, labels, chart, depth)
    if chart.kind == "score_distribution":
        return _score_state(reader, labels, chart, depth)
    cases, threshold = _cut(reader, labels, depth)
    if known.axis is CurveAxis.CHANCE:
        threshold = _probability_at(reader, labels, depth)
    if is_by_advantage(chart.kind):
        cases = depth * cases_in_all(answer, labels)
    x = _place(known.axis, depth, threshold)
    points = _points(reader, known.axis, look, chart, depth, x)
    values = {
        name: _written(look, y)
        for name, (_, y) in points.items()
        if math.isfinite(y) or look.of_share is not None
    }
    return CursorState(
        x=x,
        head=_head(labels, chart.kind, known.axis, depth, cases, threshold, is_long=is_long),
        note=_note(reader, known.axis, labels, threshold, is_long=is_long),
        lines=_lines(chart, values),
        rings=tuple(_rings(chart, points)),
    )


def _turned(labels: Labels, kind: str, depth: float) -> float:
    """Acting on the lowest chances first, the cursor counts from the other end."""
    return 1.0 - depth if labels.is_reversed and not is_by_advantage(kind) else depth


def _cut(reader: DepthReader, labels: Labels, depth: float) -> tuple[float, float]:
    """The chosen model's cases within a depth, and the score of the last of them."""
    chosen = ranking_of_model(reader.result, labels.chosen)
    if chosen is None:
        return 0.0, math.nan
    if not reader.result.class_levels:  # the engine's exact cut-off is one of amounts
        cases = value_at(chosen.depth, chosen.cases, depth)
        return cases, value_at(chosen.depth, chosen.threshold, depth)
    return reader.cases(chosen, depth), reader.threshold(chosen, depth)


def cases_in_all(answer: EvaluationResult, labels: Labels) -> float:
    """Return how many cases the chosen model ranks; one of them is a small step of the cursor."""
    chosen = ranking_of_model(answer, labels.chosen)
    return float(chosen.cases[-1]) if chosen is not None else 100.0


def _probability_at(reader: DepthReader, labels: Labels, depth: float) -> float:
    """The chosen model's threshold at a depth; NaN of a score without chances."""
    chosen = ranking_of_model(reader.result, labels.chosen)
    if chosen is None or not chosen.has_probabilities:
        return math.nan
    return reader.threshold(chosen, depth)


def _place(axis: CurveAxis, depth: float, threshold: float) -> float | None:
    """Where the cursor stands on the axis; None where it has no place there."""
    if axis is CurveAxis.LOWEST:
        return 1.0 - depth
    if axis in (CurveAxis.CHANCE, CurveAxis.PREDICTION):
        return threshold if math.isfinite(threshold) else None
    return None if axis is CurveAxis.SHARE else depth


def _head(
    labels: Labels,
    kind: str,
    axis: CurveAxis,
    depth: float,
    cases: float,
    threshold: float,
    *,
    is_long: bool,
) -> str:
    """The first words of a read-out."""
    if kind == "roc":
        return f"Found at {'highest' if labels.is_by_event else 'best'} {format_share(depth)}"
    if axis is CurveAxis.LOWEST:
        return f"Lowest {format_share(1.0 - depth)}"
    if axis is CurveAxis.CHANCE:
        return capitalised(threshold_words(threshold))
    if is_by_advantage(kind):
        labels = replace(labels, is_reversed=False, is_apart=False)
    return depth_head(labels, depth, cases, is_long=is_long)


def _note(
    reader: DepthReader, axis: CurveAxis, labels: Labels, threshold: float, *, is_long: bool
) -> str:
    """What is said of the cut-off beside the head."""
    if not reader.result.class_levels:
        return prediction_words(threshold)
    if not is_long or axis is CurveAxis.CHANCE:
        return ""
    return cut_words(ranking_of_model(reader.result, labels.chosen), threshold)


def _points(
    reader: DepthReader,
    axis: CurveAxis,
    look: ChartLabels,
    chart: Chart,
    depth: float,
    x: float | None,
) -> dict[str, tuple[float, float]]:
    """Where each line is read."""
    found = {}
    for entry in chart.series:
        depths = next((d for d in reader.result.depths if d.model == entry.name), None)
        if chart.kind == "roc":
            found[entry.name] = _roc_point(reader, depths, depth)
        elif look.of_share is not None:
            found[entry.name] = (depth, _shared_value(reader, look, entry, depths, depth))
        else:
            at = x
            if axis is CurveAxis.SHARE:
                at = reader.share(depths, depth) if depths is not None else None
            found[entry.name] = _point_at(entry, at)
    return found


def _roc_point(
    reader: DepthReader, depths: ModelDepths | None, depth: float
) -> tuple[float, float]:
    if depths is None:
        return math.nan, math.nan
    return reader.others(depths, depth), reader.share(depths, depth)


def _shared_value(
    reader: DepthReader,
    look: ChartLabels,
    entry: SeriesSpec,
    depths: ModelDepths | None,
    depth: float,
) -> float:
    """A model's value at a depth: from its exact share where the curve allows it."""
    if depths is None or depth <= 0 or look.of_share is None:
        return value_at(entry.x, entry.y, depth)
    value = look.of_share(reader.share(depths, depth), depth)
    return between(entry.x, entry.y, depth, value)


def _point_at(entry: SeriesSpec, at: float | None) -> tuple[float, float]:
    if at is None or not entry.x[0] <= at <= entry.x[-1]:
        return math.nan, math.nan
    return at, value_at(entry.x, entry.y, at)


def _written(look: ChartLabels, value: float) -> str:
    """A value of a line as it is read."""
    if look.y_quantity == "percent":
        return format_share(value)
    if look.decimals is not None:
        return format_number(value, look.decimals)
    size = abs(value)
    return format_number(value, 0 if size >= 1000 else 2 if size >= 1 else 3)


def _lines(chart: Chart, values: dict[str, str]) -> tuple[ReadingLine, ...]:
    """One line of the read-out for each line of the chart."""
    return tuple(
        ReadingLine(
            name=entry.name,
            value=values.get(entry.name, ""),
            series=entry.series,
            is_chosen=entry.is_chosen,
            is_hidden=entry.name in chart.hidden,
            dash=entry.dash,
        )
        for entry in chart.series
    )


def _rings(chart: Chart, points: dict[str, tuple[float, float]]) -> Iterable[Ring]:
    """Marks on the curves that the legend has not switched off."""
    for entry in chart.series:
        x, y = points[entry.name]
        if entry.name not in chart.hidden and math.isfinite(y):
            yield Ring(x=x, y=y, series=entry.series, name=entry.name)


def _calibration_state(
    reader: DepthReader, labels: Labels, chart: Chart, depth: float
) -> CursorState:
    """The threshold, and the engine's verdict on each model."""
    threshold = _probability_at(reader, labels, depth)
    found = chart_of_kind(reader.result, chart.kind)
    curves = model_curves(found) if found is not None else []
    alarms = [f"{name_in_text(curve.model)} {words}" for curve in curves for words in curve.alarms]
    is_known = math.isfinite(threshold)
    return CursorState(
        x=threshold if is_known else None,
        head=_acting_words(labels, threshold) if is_known else f"{labels.chosen}: no chances",
        note="",
        lines=tuple(ReadingLine(name=words, value="", series=None) for words in alarms),
    )


def _score_state(reader: DepthReader, labels: Labels, chart: Chart, depth: float) -> CursorState:
    """The threshold, and how many events and others are above it."""
    chosen = ranking_of_model(reader.result, labels.chosen)
    assert chosen is not None
    threshold = _probability_at(reader, labels, depth)
    found, others = reader.whole_shares(chosen, depth)
    values = (
        (labels.event, found, labels.series_of(labels.chosen)),
        (labels.others, others, -1),
    )
    return CursorState(
        x=threshold if math.isfinite(threshold) else None,
        head=capitalised(threshold_words(threshold)),
        note="",
        lines=tuple(
            ReadingLine(
                name=name,
                value=format_share(share),
                series=series,
                is_bar=True,
                is_hidden=name in chart.hidden,
            )
            for name, share, series in values
        ),
    )


def _acting_words(labels: Labels, threshold: float) -> str:
    """Where acting begins: "Mail above 6.25 %"; of several classes only the chance is said."""
    if labels.is_apart:
        return capitalised(threshold_words(threshold))
    side = "below" if labels.is_reversed else "above"
    return f"{labels.acting} {side} {format_threshold(threshold)}"


# ---------------------------------------------------------------- pointing


def evaluation_depth(answer: EvaluationResult, labels: Labels, kind: str, x: float) -> float | None:
    """Return the depth that a place of the x axis stands for; None where it is none."""
    depth = _ranked_depth(answer, labels, kind, x)
    return None if depth is None else _turned(labels, kind, depth)


def _ranked_depth(answer: EvaluationResult, labels: Labels, kind: str, x: float) -> float | None:
    """The same, counted from the highest chance of the event."""
    data = chart_of_kind(answer, kind)
    axis = CurveAxis.VALUE if data is None else chart_facts(data)[0].axis
    if axis is CurveAxis.DEPTH:
        return x
    if axis is CurveAxis.LOWEST:
        return 1.0 - x
    chosen = ranking_of_model(answer, labels.chosen)
    if chosen is None:
        return None
    if axis is CurveAxis.PREDICTION or (axis is CurveAxis.CHANCE and chosen.has_probabilities):
        return depth_of_threshold(chosen, x)
    if kind == "roc":
        return value_at(other_share_curve(answer, chosen), chosen.depth, x)
    if axis is CurveAxis.SHARE:
        return value_at(np.nan_to_num(chosen.class_share[0]), chosen.depth, x)
    return None


def evaluation_tip(answer: EvaluationResult, chart: Chart, x: float) -> str:
    """Return the values of every line at a place of the x axis.

    Nothing of charts that read there what the cursor would.
    """
    data = chart_of_kind(answer, chart.kind)
    if data is None:
        return ""
    look = chart_facts(data)[1]
    if look.tips_by_depth:
        return ""
    is_share = look.x_quantity == "percent"
    rows = [f"{chart.x_axis.label} {format_share(x) if is_share else format_number(x, 2)}"]
    for entry in chart.visible_series():
        if len(entry.x) and float(entry.x[0]) <= x <= float(entry.x[-1]):
            rows.append(f"{entry.name}: {_written(look, value_at(entry.x, entry.y, x))}")
    return "\n".join(rows)
