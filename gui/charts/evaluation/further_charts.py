"""All charts of page Compare beyond the usual six: one class, told by a kind what it shows."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from PySide6.QtWidgets import QWidget

from core.document.compare.chart_kinds import ChartKind, chart_kind
from core.document.results import ChartData, ChartFace, Curve, EvaluationResult
from core.document.wording import format_number, format_share
from core.presentation.curve_looks import LOOKS, kind_of_face, look_of_face
from core.presentation.labels import Labels, capitalised
from core.presentation.scales import ceil_to, floor_to, nice_step
from gui.charts.evaluation.evaluation_charts import EvaluationChart
from gui.charts.readings import (
    between,
    cut_words,
    depth_head,
    model_curves,
    prediction_words,
    shown_subtitle,
    threshold_words,
    value_at,
)
from gui.charts.spec import (
    AxisSpec,
    BaselineSpec,
    Chart,
    CursorState,
    ReadingLine,
    Ring,
    SeriesSpec,
)
from payoff.types import FloatArray
from payoff.vocabulary import CurveAxis

_DASHES: tuple[tuple[float, ...], ...] = ((), (6.0, 3.0), (1.5, 2.0), (8.0, 3.0, 1.5, 3.0))
"""Dashes of several lines of one model, which share its colour."""


class FurtherChart(EvaluationChart):
    """A chart of one kind, on the shared cursor where its x axis has a place for it.

    Parameters
    ----------
    kind : str
        A key of ``LOOKS`` and of ``core.document.compare.chart_kinds``, or the id of a plugin's
        curve: that one brings its look with the chart.
    """

    def __init__(
        self, kind: str, parent: QWidget | None = None, *, is_compact: bool = True
    ) -> None:
        nameless = ChartFace(title="", subtitle="", axis="value", x_label="", y_label="")
        self.kind = kind
        self.known: ChartKind = chart_kind(kind) or kind_of_face(kind, nameless)
        self._words = LOOKS.get(kind) or look_of_face(nameless, ())
        super().__init__(parent, is_compact=is_compact)

    # ------------------------------------------------------------ what is drawn

    def spec_of(self, result: EvaluationResult, chart: ChartData, look: Labels) -> Chart:
        if self.kind not in LOOKS and chart.face is not None:
            self.known = kind_of_face(self.kind, chart.face)
            grey = tuple(curve.name for curve in chart.curves if not curve.model)
            self._words = look_of_face(chart.face, grey)
        curves = model_curves(chart)
        subtitle = shown_subtitle(chart, self.known.subtitle)
        if self._words.is_split:
            curves = [curve for curve in curves if curve.model == look.chosen]
            subtitle = f"{subtitle}, {look.chosen}"
        baselines = self._baselines(chart)
        series = self._series(curves, look)
        return Chart(
            kind=self.kind,
            title=self._title_words(result),
            subtitle=subtitle,
            x_axis=self._x_axis(series, look),
            y_axis=replace(
                self._y_axis(series, baselines, look), label=self._y_label(result, look)
            ),
            series=series,
            baselines=baselines,
            definition=chart.definition,
            variant=chart.variant,
            rows_text=result.rows.text,
            notes=chart.notes,
            headroom=52 if self.is_large and self._has_line else 8,
            box_corner=self._words.corner,
        )

    def _title_words(self, result: EvaluationResult) -> str:
        if self.kind == "lorenz" and not result.class_levels:
            return "How unevenly is the outcome spread?"
        return self.known.title

    def _y_label(self, result: EvaluationResult, look: Labels) -> str:
        """The name of the y axis; another one where the outcome is a number and not a class."""
        if self.kind == "lorenz" and not result.class_levels:
            return "share of the sum"
        return self._words.y_words(look)

    @property
    def _is_by_advantage(self) -> bool:
        """Whether depths count in the order of the decisions, not of the event's chance."""
        return self.kind == "roi"

    def _turned(self, depth: float) -> float:
        return depth if self._is_by_advantage else super()._turned(depth)

    @property
    def _has_line(self) -> bool:
        return self.known.axis not in (CurveAxis.SHARE, CurveAxis.VALUE)

    def _series(self, curves: list[Curve], look: Labels) -> tuple[SeriesSpec, ...]:
        if not self._words.is_split:
            return self.series_specs(curves, look)
        return tuple(
            SeriesSpec(
                name=curve.name,
                series=look.series_of(curve.model),
                x=curve.x,
                y=curve.y,
                low=curve.low,
                high=curve.high,
                dash=_DASHES[place % len(_DASHES)],
            )
            for place, curve in enumerate(curves)
        )

    def _baselines(self, chart: ChartData) -> tuple[BaselineSpec, ...]:
        places = {entry[0]: entry for entry in self._words.baselines}
        found = []
        for curve in chart.curves:
            if curve.model or curve.name not in places:
                continue
            _, label_at, side, is_dashed = places[curve.name]
            found.append(
                BaselineSpec(
                    name=curve.name,
                    x=curve.x,
                    y=curve.y,
                    is_dashed=is_dashed,
                    label_at=label_at,
                    side=side,
                    needs_room=True,
                )
            )
        return tuple(found)

    def _x_axis(self, series: tuple[SeriesSpec, ...], look: Labels) -> AxisSpec:
        words = self._words
        ends = words.x_ends
        if ends is None:
            known = [entry.x[np.isfinite(entry.x)] for entry in series if len(entry.x)]
            low = min((float(x.min()) for x in known if len(x)), default=0.0)
            high = max((float(x.max()) for x in known if len(x)), default=1.0)
            ends = _rounded(low, high, is_percent=words.x_quantity == "percent")
        is_depth = self.known.axis in (CurveAxis.DEPTH, CurveAxis.LOWEST) and ends == (0.0, 1.0)
        first, last = ("", "")
        if is_depth:
            is_turned = look.is_by_event and not self._is_by_advantage
            first, last = "highest" if is_turned else "best", "all"
            if self.known.axis is CurveAxis.LOWEST:
                first = "lowest"
        return AxisSpec(
            label=words.x_words(look),
            quantity=words.x_quantity,
            low=ends[0],
            high=ends[1],
            first_word=first,
            last_word=last,
        )

    def _y_axis(
        self,
        series: tuple[SeriesSpec, ...],
        baselines: tuple[BaselineSpec, ...],
        look: Labels,
    ) -> AxisSpec:
        words = self._words
        ends = words.y_ends
        if ends is None:
            ends = _rounded(*_extent(series, baselines), is_percent=words.y_quantity == "percent")
        is_share = words.y_quantity == "percent" and ends[1] <= 1.0
        return AxisSpec(
            label=words.y_words(look),
            quantity=words.y_quantity,
            low=ends[0],
            high=ends[1],
            last_tick=1.0 if is_share else None,
        )

    # ------------------------------------------------------------ cursor

    def make_state(self, depth: float) -> CursorState | None:
        if self._result is None or self._look is None or self.view.spec is None:
            return None
        result, look = self._result, self._look
        if self.known.axis is CurveAxis.VALUE or not result.depths:
            return self._legend(look)
        return self.state_of(result, look, self._turned(depth))

    def _legend(self, look: Labels) -> CursorState:
        """Names only: the axis has no place for the cursor."""
        spec = self.view.spec
        assert spec is not None
        return CursorState(x=None, head=spec.subtitle, note="", lines=self._lines(spec, {}, look))

    def _lines(self, spec: Chart, values: dict[str, str], look: Labels) -> tuple[ReadingLine, ...]:
        return tuple(
            ReadingLine(
                name=entry.name,
                value=values.get(entry.name, ""),
                series=entry.series,
                is_chosen=entry.is_chosen,
                is_hidden=entry.name in self.hidden,
                dash=entry.dash,
            )
            for entry in spec.series
        )

    def state_of(self, result: EvaluationResult, look: Labels, depth: float) -> CursorState:
        spec, chosen = self.view.spec, self.chosen_depths()
        assert spec is not None
        reader = self.reader(result)
        cases = reader.cases(chosen, depth) if chosen is not None else 0.0
        threshold = np.nan
        if chosen is not None and chosen.has_chances:
            threshold = reader.threshold(chosen, depth)
        is_long = self.is_large
        is_number = not result.class_levels
        if chosen is not None and is_number:  # the engine's exact cut-off is one of amounts
            cases = value_at(chosen.depth, chosen.cases, depth)
            threshold = value_at(chosen.depth, chosen.threshold, depth)
        axis = self.known.axis
        x: float | None = depth
        if self._is_by_advantage:
            cases = depth * self.cases_in_all()
            look = replace(look, is_reversed=False, is_apart=False)
        head = depth_head(look, depth, cases, is_long=is_long)
        if axis is CurveAxis.LOWEST:
            x = 1.0 - depth
            head = f"Lowest {format_share(1.0 - depth)}"
        elif axis is CurveAxis.CHANCE:
            x = float(threshold) if np.isfinite(threshold) else None
            head = capitalised(threshold_words(float(threshold)))
        elif axis is CurveAxis.PREDICTION:
            x = float(threshold) if np.isfinite(threshold) else None
        elif axis is CurveAxis.SHARE:
            x = None
        points = self._points(result, spec, depth, x)
        values = {name: self._write(y) for name, (_, y) in points.items() if math.isfinite(y)}
        rings = tuple(
            Ring(x=at, y=y, series=entry.series, name=entry.name)
            for entry in spec.series
            for at, y in (points[entry.name],)
            if entry.name not in self.hidden and math.isfinite(y)
        )
        note = ""
        if is_number:
            note = prediction_words(float(threshold))
        elif is_long and axis is not CurveAxis.CHANCE:
            note = cut_words(chosen, float(threshold))
        return CursorState(
            x=x, head=head, note=note, lines=self._lines(spec, values, look), rings=rings
        )

    def _points(
        self, result: EvaluationResult, spec: Chart, depth: float, x: float | None
    ) -> dict[str, tuple[float, float]]:
        """Where each line is read."""
        found = {}
        for entry in spec.series:
            at = x
            if self.known.axis is CurveAxis.SHARE:
                depths = next((d for d in result.depths if d.model == entry.name), None)
                at = self.reader(result).share(depths, depth) if depths is not None else None
            if at is None or not entry.x[0] <= at <= entry.x[-1]:
                found[entry.name] = (math.nan, math.nan)
                continue
            y = value_at(entry.x, entry.y, at)
            found[entry.name] = (at, between(entry.x, entry.y, at, y))
        return found

    def _write(self, value: float) -> str:
        if self._words.y_quantity == "percent":
            return format_share(value)
        size = abs(value)
        return format_number(value, 0 if size >= 1000 else 2 if size >= 1 else 3)

    def ranked_depth_at(self, x: float) -> float | None:
        axis, chosen = self.known.axis, self.chosen_depths()
        if axis is CurveAxis.DEPTH:
            return x
        if axis is CurveAxis.LOWEST:
            return 1.0 - x
        if chosen is None or self._result is None:
            return None
        if axis is CurveAxis.PREDICTION or (axis is CurveAxis.CHANCE and chosen.has_chances):
            known = np.isfinite(chosen.threshold)
            return float(np.interp(-x, -chosen.threshold[known], chosen.depth[known]))
        if axis is CurveAxis.SHARE:
            return value_at(np.nan_to_num(chosen.class_share[0]), chosen.depth, x)
        return None

    def tip(self, x: float, y: float) -> str:
        """Values of every line at a place of the x axis."""
        spec = self.view.spec
        if spec is None:
            return ""
        is_share = self._words.x_quantity == "percent"
        rows = [f"{spec.x_axis.label} {format_share(x) if is_share else format_number(x, 2)}"]
        for entry in spec.visible_series():
            if len(entry.x) and float(entry.x[0]) <= x <= float(entry.x[-1]):
                rows.append(f"{entry.name}: {self._write(value_at(entry.x, entry.y, x))}")
        return "\n".join(rows)


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
