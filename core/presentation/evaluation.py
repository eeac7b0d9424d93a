"""The charts of an evaluation, on the screen and on paper: ROC, gains, lift, calibration, and more.

Each is made of the answer to ``CompareModels`` alone; where its cursor stands is the window's.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from core.document.compare.chart_kinds import CHART_WORDS, ChartKind, chart_kind
from core.document.results import ChartData, ChartFace, Curve, EvaluationResult, ModelDepths
from core.presentation.chart import (
    AxisSpec,
    BarsSpec,
    BaselineSpec,
    Chart,
    SeriesSpec,
    Side,
    with_provenance,
)
from core.presentation.curve_looks import (
    LOOKS,
    FurtherLook,
    acted_words,
    depth_words,
    kind_of_face,
    look_of_face,
)
from core.presentation.labels import Labels, capitalised
from core.presentation.scales import ceil_to, floor_to, nice_step
from payoff.types import FloatArray
from payoff.vocabulary import CurveAxis

_DASHES: tuple[tuple[float, ...], ...] = ((), (6.0, 3.0), (1.5, 2.0), (8.0, 3.0, 1.5, 3.0))
"""Dashes of several lines of one model, which share its colour."""
_CONVENTION_NAMES = frozenset(name for name, _ in CHART_WORDS.values())


def evaluation_chart(kind: str, result: EvaluationResult, labels: Labels) -> Chart | None:
    """Return a chart of an evaluation.

    Parameters
    ----------
    kind : str
        Of ``core.document.compare.chart_kinds``, or the id of a plugin's curve.
    result : EvaluationResult
    labels : Labels

    Returns
    -------
    Chart or None
        None where the rows have nothing for it.
    """
    chart = chart_of_kind(result, kind)
    if chart is None or not chart.curves:
        return None
    if kind == "score_distribution" and not says_chances(result, labels.chosen):
        return None
    make = _OWN.get(kind, _further_chart)
    return with_provenance(make(result, chart, labels), labels.provenance)


# ---------------------------------------------------------------- looking things up


def chart_of_kind(result: EvaluationResult, kind: str) -> ChartData | None:
    """Return the chart of a kind, or None."""
    return next((chart for chart in result.charts if chart.kind == kind), None)


def ranking_of_model(result: EvaluationResult, model: str) -> ModelDepths | None:
    """Return one model's ranking, or that of the first model."""
    found = next((entry for entry in result.depths if entry.model == model), None)
    return found or (result.depths[0] if result.depths else None)


def says_chances(result: EvaluationResult, model: str) -> bool:
    """Return whether a model says chances, or is not known to the evaluation."""
    depths = ranking_of_model(result, model)
    return depths is None or depths.has_chances


def model_curves(chart: ChartData) -> list[Curve]:
    """Return the curves of models, in the engine's order."""
    return [curve for curve in chart.curves if curve.model]


def _shown_subtitle(chart: ChartData, usual: str) -> str:
    """The field's word for a chart; another tool's word where its definition is followed."""
    return chart.variant if chart.variant in _CONVENTION_NAMES else usual


@dataclass(frozen=True, slots=True, kw_only=True)
class KindLook:
    """A kind of chart in the catalogue, and how its axes and lines look."""

    known: ChartKind
    words: FurtherLook

    @property
    def is_by_advantage(self) -> bool:
        """Whether depths count in the order of the decisions, not of the event's chance."""
        return self.known.kind == "roi"


def look_of_kind(kind: str, chart: ChartData | None = None) -> KindLook:
    """Return the look of a chart beyond the usual ones; a plugin's curve brings its own."""
    nameless = ChartFace(title="", subtitle="", axis="value", x_label="", y_label="")
    face = chart.face if chart is not None and chart.face is not None else nameless
    known = chart_kind(kind)
    words = LOOKS.get(kind)
    if words is None:
        grey = tuple(c.name for c in chart.curves if not c.model) if chart is not None else ()
        return KindLook(known=kind_of_face(kind, face), words=look_of_face(face, grey))
    return KindLook(known=known or kind_of_face(kind, face), words=words)


# ---------------------------------------------------------------- lines


def _series(curves: list[Curve], labels: Labels) -> tuple[SeriesSpec, ...]:
    """The models' curves as lines in their colours."""
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


def _baselines(
    chart: ChartData,
    known: dict[str, tuple[float, Side, bool]],
    *,
    needs_room: bool = False,
) -> tuple[BaselineSpec, ...]:
    """The grey lines that a chart shows: where their names stand, and whether they are dashed."""
    found = []
    for curve in chart.curves:
        if curve.model or curve.name not in known:
            continue
        label_at, side, is_dashed = known[curve.name]
        found.append(
            BaselineSpec(
                name=curve.name,
                x=curve.x,
                y=curve.y,
                is_dashed=is_dashed,
                label_at=label_at,
                side=side,
                needs_room=needs_room,
            )
        )
    return tuple(found)


# ---------------------------------------------------------------- by rank


def _roc(result: EvaluationResult, chart: ChartData, labels: Labels) -> Chart:
    """Found events against false alarms."""
    return Chart(
        kind="roc",
        title="How well are the groups told apart?",
        subtitle="ROC",
        x_axis=AxisSpec(
            label=f"{acted_words(labels, labels.others)} (false alarms)",
            quantity="percent",
            low=0.0,
            high=1.0,
        ),
        y_axis=AxisSpec(
            label=acted_words(labels, labels.event),
            quantity="percent",
            low=0.0,
            high=1.0,
            last_tick=1.0,
        ),
        series=_series(model_curves(chart), labels),
        baselines=_baselines(chart, {"random": (0.62, "right", True)}),
        definition=chart.definition,
        variant=chart.variant,
        rows_text=result.rows.text,
        headroom=4,
        box_corner="bottom right",
    )


def _depth_axis(labels: Labels) -> AxisSpec:
    """The axis of depths with words at both ends."""
    return AxisSpec(
        label=depth_words(labels),
        quantity="percent",
        low=0.0,
        high=1.0,
        first_word="highest" if labels.is_by_event else "best",
        last_word="all",
    )


def _gains(result: EvaluationResult, chart: ChartData, labels: Labels) -> Chart:
    """The share of events found by depth."""
    known: dict[str, tuple[float, Side, bool]] = {
        "random": (0.44, "right", True),
        "best possible": (0.42, "above", False),
    }
    return Chart(
        kind="gains",
        title=f"{capitalised(labels.event)} found by depth",
        subtitle=_shown_subtitle(chart, "cumulative gains"),
        x_axis=_depth_axis(labels),
        y_axis=AxisSpec(
            label=f"{labels.event} found", quantity="percent", low=0.0, high=1.0, last_tick=1.0
        ),
        series=_series(model_curves(chart), labels),
        baselines=_baselines(chart, known),
        definition=chart.definition,
        variant=chart.variant,
        rows_text=result.rows.text,
        headroom=20,
        box_corner="bottom right",
    )


def _lift(result: EvaluationResult, chart: ChartData, labels: Labels) -> Chart:
    """Times as many events as at random, by depth."""
    curves = model_curves(chart)
    top = max((_lift_top(curve) for curve in curves), default=2.0)
    return Chart(
        kind="lift",
        title="Times as many as at random",
        subtitle=_shown_subtitle(chart, "cumulative lift"),
        x_axis=_depth_axis(labels),
        y_axis=AxisSpec(label="lift", quantity="number", low=0.0, high=top),
        series=_series(curves, labels),
        baselines=_baselines(chart, {"random": (1.0, "below", True)}),
        definition=chart.definition,
        variant=chart.variant,
        rows_text=result.rows.text,
        headroom=4,
        box_corner="top right",
    )


def _lift_top(curve: Curve) -> float:
    """Where the lift axis ends: the lift at 1 % depth, since the first few cases are noise."""
    inside = curve.x >= 0.01
    highest = float(np.nanmax(curve.y[inside])) if inside.any() else float(np.nanmax(curve.y))
    return max(2.0, ceil_to(highest, nice_step(highest, 5)))


# ---------------------------------------------------------------- by chance


def _calibration(result: EvaluationResult, chart: ChartData, labels: Labels) -> Chart:
    """Predicted chance against what happened."""
    curves = model_curves(chart)
    right = max((float(np.nanmax(c.x)) for c in curves if len(c.x)), default=1.0)
    top = max((float(np.nanmax(c.y)) for c in curves if len(c.y)), default=1.0)
    x_high = min(1.0, ceil_to(right, nice_step(right, 5, is_percent=True)))
    y_high = min(1.0, ceil_to(max(top, right), nice_step(max(top, right), 5, is_percent=True)))
    return Chart(
        kind="calibration",
        title="Do the chances come true?",
        subtitle=", ".join(part for part in ("calibration", chart.variant) if part),
        x_axis=AxisSpec(label="predicted chance", quantity="percent", low=0.0, high=x_high),
        y_axis=AxisSpec(
            label=labels.happened, quantity="percent", low=0.0, high=y_high, last_tick=1.0
        ),
        series=_series(curves, labels),
        baselines=_baselines(chart, {"exact": (0.9, "right", True)}),
        definition=chart.definition,
        variant=chart.variant,
        rows_text=result.rows.text,
        notes=chart.notes,
        headroom=12,
        box_corner="beside cursor",
    )


def _score_distribution(result: EvaluationResult, chart: ChartData, labels: Labels) -> Chart:
    """Who gets which chance: bars of events and others for the chosen model."""
    bars = _bars(_groups(result, chart, labels))
    tops = [float(np.max(entry.y)) for entry in bars if len(entry.y)]
    return Chart(
        kind="score_distribution",
        title="Who gets which chance?",
        subtitle=f"score distribution, {labels.chosen}",
        x_axis=AxisSpec(
            label="predicted chance", quantity="percent", low=0.0, high=_tail_end(bars)
        ),
        y_axis=AxisSpec(
            label="share of group",
            quantity="percent",
            low=0.0,
            high=max(tops, default=1.0) or 1.0,
            last_tick=1.0,
        ),
        bars=bars,
        definition=chart.definition,
        variant=chart.variant,
        rows_text=result.rows.text,
        headroom=24,
        box_corner="top right",
    )


def _groups(
    result: EvaluationResult, chart: ChartData, labels: Labels
) -> list[tuple[str, int, Curve]]:
    """Events and others of the chosen model, with their names and colours."""
    curves = [c for c in model_curves(chart) if c.model == labels.chosen]
    event = next((c for c in curves if c.name == result.level), None)
    others = [c for c in curves if c is not event]
    weight = dict(zip(result.class_levels, result.class_weight.tolist(), strict=True))
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


# ---------------------------------------------------------------- all others


def _further_chart(result: EvaluationResult, chart: ChartData, labels: Labels) -> Chart:
    """A chart beyond the usual ones: its kind says what it shows."""
    look = look_of_kind(chart.kind, chart)
    words, curves = look.words, model_curves(chart)
    subtitle = _shown_subtitle(chart, look.known.subtitle)
    if words.is_split:
        curves = [curve for curve in curves if curve.model == labels.chosen]
        subtitle = f"{subtitle}, {labels.chosen}"
    places = {name: (at, side, is_dashed) for name, at, side, is_dashed in words.baselines}
    baselines = _baselines(chart, places, needs_room=True)
    series = _split_series(curves, labels) if words.is_split else _series(curves, labels)
    is_of_numbers = chart.kind == "lorenz" and not result.class_levels
    return Chart(
        kind=chart.kind,
        title="How unevenly is the outcome spread?" if is_of_numbers else look.known.title,
        subtitle=subtitle,
        x_axis=_x_axis(look, series, labels),
        y_axis=_y_axis(
            words, series, baselines, "share of the sum" if is_of_numbers else words.y_words(labels)
        ),
        series=series,
        baselines=baselines,
        definition=chart.definition,
        variant=chart.variant,
        rows_text=result.rows.text,
        notes=chart.notes,
        headroom=8,
        box_corner=words.corner,
    )


def _split_series(curves: list[Curve], labels: Labels) -> tuple[SeriesSpec, ...]:
    """Several lines of one model: one colour, a dash for each."""
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


def _x_axis(look: KindLook, series: tuple[SeriesSpec, ...], labels: Labels) -> AxisSpec:
    words, axis = look.words, look.known.axis
    ends = words.x_ends
    if ends is None:
        known = [entry.x[np.isfinite(entry.x)] for entry in series if len(entry.x)]
        low = min((float(x.min()) for x in known if len(x)), default=0.0)
        high = max((float(x.max()) for x in known if len(x)), default=1.0)
        ends = _rounded(low, high, is_percent=words.x_quantity == "percent")
    first, last = ("", "")
    if axis in (CurveAxis.DEPTH, CurveAxis.LOWEST) and ends == (0.0, 1.0):
        is_turned = labels.is_by_event and not look.is_by_advantage
        first, last = "highest" if is_turned else "best", "all"
        if axis is CurveAxis.LOWEST:
            first = "lowest"
    return AxisSpec(
        label=words.x_words(labels),
        quantity=words.x_quantity,
        low=ends[0],
        high=ends[1],
        first_word=first,
        last_word=last,
    )


def _y_axis(
    words: FurtherLook,
    series: tuple[SeriesSpec, ...],
    baselines: tuple[BaselineSpec, ...],
    label: str,
) -> AxisSpec:
    ends = words.y_ends
    if ends is None:
        ends = _rounded(*_extent(series, baselines), is_percent=words.y_quantity == "percent")
    is_share = words.y_quantity == "percent" and ends[1] <= 1.0
    return AxisSpec(
        label=label,
        quantity=words.y_quantity,
        low=ends[0],
        high=ends[1],
        last_tick=1.0 if is_share else None,
    )


def _rounded(low: float, high: float, *, is_percent: bool) -> tuple[float, float]:
    """Ends of an axis on round numbers; shares stay within 0 and 1 where they are."""
    if not high > low:
        low, high = low - 0.5, low + 0.5
    step = nice_step(high - low, 5, is_percent=is_percent)
    bottom, top = floor_to(low, step), ceil_to(high, step)
    if is_percent and low >= 0 and high <= 1:
        top = min(top, 1.0)
    return bottom, top


def _extent(
    series: tuple[SeriesSpec, ...], baselines: tuple[BaselineSpec, ...]
) -> tuple[float, float]:
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


_OWN: dict[str, Callable[[EvaluationResult, ChartData, Labels], Chart]] = {
    "roc": _roc,
    "gains": _gains,
    "lift": _lift,
    "calibration": _calibration,
    "score_distribution": _score_distribution,
}
