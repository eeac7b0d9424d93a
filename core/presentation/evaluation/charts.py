"""The charts of an evaluation: answer and labels in.

Every kind is drawn by the same functions, told by its look (``curve_looks``) what its axes say. The
distribution of scores differs by more than words: it has its own functions.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from core.document.compare.chart_kinds import ChartKind, chart_kind
from core.document.results import ChartData, Curve, EvaluationResult, PluginChart
from core.document.wording import name_in_text
from core.presentation.charts.chart import (
    AxisSpec,
    BarsSpec,
    BaselineSpec,
    Chart,
    SeriesSpec,
    with_provenance,
)
from core.presentation.charts.depths import (
    chart_of_kind,
    model_curves,
    ranking_of_model,
    shown_subtitle,
)
from core.presentation.charts.scales import ceil_to, floor_to, nice_step
from core.presentation.evaluation.curve_looks import (
    CHART_LABELS,
    ChartLabels,
    Ends,
    kind_of_plugin_chart,
    style_of_plugin_chart,
)
from core.presentation.labels import Labels
from payoff.types import FloatArray
from payoff.vocabulary import CurveAxis

_DASHES: tuple[tuple[float, ...], ...] = ((), (6.0, 3.0), (1.5, 2.0), (8.0, 3.0, 1.5, 3.0))
"""Dashes of several lines of one model, which share its colour."""

_NAMELESS = PluginChart(title="", subtitle="", axis="value", x_label="", y_label="")
_WITH_LINE = (CurveAxis.DEPTH, CurveAxis.LOWEST, CurveAxis.CHANCE, CurveAxis.PREDICTION)
"""Axes on which the cursor is a line, which needs room for its flag."""


def evaluation_chart(
    kind: str, answer: EvaluationResult, labels: Labels, *, is_large: bool = False
) -> Chart | None:
    """Return a chart of an evaluation; None where there is nothing to draw.

    Parameters
    ----------
    kind : str
        Of ``core.document.compare.chart_kinds``, or the id of a plugin's curve, whose look comes
        with the chart.
    answer : EvaluationResult
    labels : Labels
    is_large : bool
        Whether it is the one large chart of its page, or on paper.
    """
    chart = chart_of_kind(answer, kind)
    if chart is None or not chart.curves or _lacks_probabilities(answer, labels, kind):
        return None
    known, look = chart_facts(chart)
    if kind == "score_distribution":
        drawn = _score_chart(answer, chart, labels)
    else:
        drawn = _curve_chart(answer, chart, known, look, labels)
    has_flag = is_large and known.axis in _WITH_LINE
    drawn = replace(drawn, headroom=look.large_headroom if has_flag else look.headroom)
    return with_provenance(drawn, labels.provenance)


def empty_chart_words(answer: EvaluationResult | None, labels: Labels, kind: str) -> str:
    """Return why a chart is empty although there are results; nothing while they are awaited."""
    if answer is None:
        return ""
    if _lacks_probabilities(answer, labels, kind):
        return f"{name_in_text(labels.chosen)} is a score without chances: it only ranks cases."
    drawn = chart_of_kind(answer, kind)
    if drawn is not None:
        return "" if drawn.curves else " ".join(drawn.notes)
    if answer.resamples == 0:
        return ""
    if chart_kind(kind) is None:
        return "No plugin draws it for these rows; the warnings say why."
    if kind == "roi":
        return "Say what each decision earns or costs, and the return is drawn here."
    return "These rows have nothing for it."


def _lacks_probabilities(answer: EvaluationResult, labels: Labels, kind: str) -> bool:
    """Whether the chart is of the chosen model's chances and that one has none."""
    depths = ranking_of_model(answer, labels.chosen) if kind == "score_distribution" else None
    return depths is not None and not depths.has_probabilities


def chart_facts(chart: ChartData) -> tuple[ChartKind, ChartLabels]:
    """What the catalogue knows of a chart and how it looks; a plugin's says both itself."""
    known, look = chart_kind(chart.kind), CHART_LABELS.get(chart.kind)
    if known is not None and look is not None:
        return known, look
    plugin_chart = chart.plugin_chart or _NAMELESS
    grey = tuple(curve.name for curve in chart.curves if not curve.model)
    return kind_of_plugin_chart(chart.kind, plugin_chart), style_of_plugin_chart(plugin_chart, grey)


# ---------------------------------------------------------------- lines


def _curve_chart(
    answer: EvaluationResult, chart: ChartData, known: ChartKind, look: ChartLabels, labels: Labels
) -> Chart:
    curves = model_curves(chart)
    subtitle = shown_subtitle(chart, known.subtitle)
    if look.names_variant:
        subtitle = ", ".join(part for part in (known.subtitle, chart.variant) if part)
    if look.is_split:
        curves = [curve for curve in curves if curve.model == labels.chosen]
        subtitle = f"{subtitle}, {labels.chosen}"
    baselines = _baselines(chart, look)
    series = _split_lines(curves, labels) if look.is_split else _model_lines(curves, labels)
    x_ends, y_ends = look.ends(curves) if look.ends is not None else (look.x_ends, look.y_ends)
    is_number = not answer.class_levels
    y_axis = _y_axis(look, y_ends or _y_ends(look, series, baselines), labels)
    title = look.title(labels) if look.title is not None else known.title
    return Chart(
        kind=chart.kind,
        title=look.number_title if is_number and look.number_title else title,
        subtitle=subtitle,
        x_axis=_x_axis(known, look, x_ends or _x_ends(look, series), labels),
        y_axis=replace(y_axis, label=look.number_y) if is_number and look.number_y else y_axis,
        series=series,
        baselines=baselines,
        definition=chart.definition,
        variant=chart.variant,
        rows_text=answer.rows.text,
        notes=chart.notes,
        box_corner=look.corner,
    )


def _model_lines(curves: list[Curve], labels: Labels) -> tuple[SeriesSpec, ...]:
    """The models' curves."""
    return tuple(
        SeriesSpec(
            name=curve.model,
            series=labels.series_of(curve.model),
            x=curve.x,
            y=curve.y,
            low=curve.low,
            high=curve.high,
            is_chosen=curve.model == labels.chosen,
        )
        for curve in curves
    )


def _split_lines(curves: list[Curve], labels: Labels) -> tuple[SeriesSpec, ...]:
    """Several curves of the chosen model."""
    return tuple(
        SeriesSpec(
            name=curve.name,
            series=labels.series_of(curve.model),
            x=curve.x,
            y=curve.y,
            low=curve.low,
            high=curve.high,
            dash=_DASHES[place % len(_DASHES)],
        )
        for place, curve in enumerate(curves)
    )


def _baselines(chart: ChartData, look: ChartLabels) -> tuple[BaselineSpec, ...]:
    places = {entry[0]: entry for entry in look.baselines}
    return tuple(
        BaselineSpec(
            name=curve.name,
            x=curve.x,
            y=curve.y,
            label_at=places[curve.name][1],
            side=places[curve.name][2],
            is_dashed=places[curve.name][3],
            needs_margin=not look.keeps_names,
        )
        for curve in chart.curves
        if not curve.model and curve.name in places
    )


def _x_axis(known: ChartKind, look: ChartLabels, ends: Ends, labels: Labels) -> AxisSpec:
    """The axis across, with words at both ends where it is the whole of the depths."""
    first = last = ""
    if known.axis in (CurveAxis.DEPTH, CurveAxis.LOWEST) and ends == (0.0, 1.0):
        is_turned = labels.is_by_event and not is_by_advantage(known.kind)
        first, last = "highest" if is_turned else "best", "all"
        if known.axis is CurveAxis.LOWEST:
            first = "lowest"
    return AxisSpec(
        label=look.x_words(labels),
        quantity=look.x_quantity,
        low=ends[0],
        high=ends[1],
        first_word=first,
        last_word=last,
    )


def _y_axis(look: ChartLabels, ends: Ends, labels: Labels) -> AxisSpec:
    is_share = look.y_quantity == "percent" and ends[1] <= 1.0
    return AxisSpec(
        label=look.y_words(labels),
        quantity=look.y_quantity,
        low=ends[0],
        high=ends[1],
        last_tick=1.0 if is_share else None,
    )


def _x_ends(look: ChartLabels, series: tuple[SeriesSpec, ...]) -> Ends:
    known = [entry.x[np.isfinite(entry.x)] for entry in series if len(entry.x)]
    low = min((float(x.min()) for x in known if len(x)), default=0.0)
    high = max((float(x.max()) for x in known if len(x)), default=1.0)
    return _rounded(low, high, is_percent=look.x_quantity == "percent")


def _y_ends(
    look: ChartLabels, series: tuple[SeriesSpec, ...], baselines: tuple[BaselineSpec, ...]
) -> Ends:
    return _rounded(*_extent(series, baselines), is_percent=look.y_quantity == "percent")


def _rounded(low: float, high: float, *, is_percent: bool) -> Ends:
    """Ends of an axis on round numbers; shares stay within 0 and 1 where they are."""
    if not high > low:
        low, high = low - 0.5, low + 0.5
    step = nice_step(high - low, 5, is_percent=is_percent)
    bottom, top = floor_to(low, step), ceil_to(high, step)
    if is_percent and low >= 0 and high <= 1:
        top = min(top, 1.0)
    return bottom, top


def _extent(series: tuple[SeriesSpec, ...], baselines: tuple[BaselineSpec, ...]) -> Ends:
    """Lowest and highest value to be seen: curves, bands as far as 98 % of them, grey lines at 0.

    The first points of a curve by depth rest on a handful of cases; they may leave the picture.
    """
    arrays: list[FloatArray] = []
    for entry in series:
        inside = entry.y[np.isfinite(entry.y)]
        arrays.append(inside)
        for end in (entry.low, entry.high):
            if end is not None:
                known = end[np.isfinite(end)]
                if len(known):
                    arrays.append(np.quantile(known, (0.01, 0.98)))
    for line in baselines:
        if len(line.y) and float(np.ptp(line.y)) == 0.0:
            arrays.append(line.y)
    parts = [part for part in arrays if len(part)]
    if not parts:
        return 0.0, 1.0
    low = min(float(part.min()) for part in parts)
    high = max(float(part.max()) for part in parts)
    return min(low, 0.0) if low > 0 and low < 0.5 * high else low, high


# ---------------------------------------------------------------- distribution of scores


def _score_chart(answer: EvaluationResult, chart: ChartData, labels: Labels) -> Chart:
    """Who gets which chance: bars of events and others for the chosen model."""
    look = CHART_LABELS[chart.kind]
    bars = _bars(_score_groups(answer, chart, labels))
    tops = [float(np.max(entry.y)) for entry in bars if len(entry.y)]
    top = max(tops, default=1.0) or 1.0
    return Chart(
        kind=chart.kind,
        title="Who gets which chance?",
        subtitle=f"score distribution, {labels.chosen}",
        x_axis=_x_axis(chart_facts(chart)[0], look, (0.0, _tail_end(bars)), labels),
        y_axis=replace(_y_axis(look, (0.0, top), labels), last_tick=1.0),
        bars=bars,
        definition=chart.definition,
        variant=chart.variant,
        rows_text=answer.rows.text,
        notes=chart.notes,
        box_corner=look.corner,
    )


def _score_groups(
    answer: EvaluationResult, chart: ChartData, labels: Labels
) -> list[tuple[str, int, Curve]]:
    """Events and others of the chosen model, with their names and colours."""
    curves = [c for c in model_curves(chart) if c.model == labels.chosen]
    event = next((c for c in curves if c.name == answer.level), None)
    others = [c for c in curves if c is not event]
    weight = dict(zip(answer.class_levels, answer.class_weight.tolist(), strict=True))
    groups = []
    if event is not None:
        groups.append((labels.event, labels.series_of(labels.chosen), event))
    if others:
        shares = np.array([weight.get(c.name, 1.0) for c in others])
        total = float(shares.sum()) or 1.0
        mixed = (shares / total) @ np.vstack([c.y for c in others])
        groups.append((labels.others, -1, replace(others[0], y=mixed)))
    return groups


def _bars(groups: list[tuple[str, int, Curve]]) -> tuple[BarsSpec, ...]:
    """Bars of the groups side by side in each bin; the others stand first."""
    bars = []
    ordered = sorted(groups, key=lambda entry: entry[1] >= 0)
    for index, (name, series, curve) in enumerate(ordered):
        centre = curve.x if len(curve.x) == len(curve.y) else (curve.x[1:] + curve.x[:-1]) / 2
        bin_width = float(np.min(np.diff(centre))) if len(centre) > 1 else 0.02
        width = 0.84 * bin_width / max(1, len(ordered))
        offset = (index - (len(ordered) - 1) / 2) * width
        bars.append(
            BarsSpec(name=name, series=series, x=centre, y=curve.y, offset=offset, width=width)
        )
    return tuple(reversed(bars))


def _tail_end(bars: tuple[BarsSpec, ...]) -> float:
    """Where the axis of chances ends: 98.5 % of each group stand before it."""
    last = 0.1
    for entry in bars:
        total = float(entry.y.sum())
        if total > 0:
            within = np.cumsum(entry.y) < 0.985 * total
            last = max(last, float(entry.x[min(int(within.sum()), len(entry.x) - 1)]) + entry.width)
    return min(1.0, ceil_to(last, 0.1))


def is_by_advantage(kind: str) -> bool:
    """Whether depths count in the order of the decisions, not of the event's chance."""
    return kind == "roi"
