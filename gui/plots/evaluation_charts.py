"""The charts of page Compare: ROC, gains, lift, calibration and score distribution."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from PySide6.QtWidgets import QWidget

from core.document.results import (
    Chart,
    CursorReading,
    Curve,
    DecisionResult,
    EvaluationResult,
    ModelDepths,
)
from core.document.wording import format_number, format_share, format_threshold
from gui.plots.card import ChartCard
from gui.plots.readings import (
    DepthReader,
    ExactPoint,
    between,
    chart_of,
    cut_words,
    depth_head,
    depth_of_threshold,
    depths_of,
    model_curves,
    other_share_curve,
    shown_subtitle,
    threshold_words,
    value_at,
)
from gui.plots.scales import ceil_to, nice_step
from gui.plots.spec import (
    AxisSpec,
    BarsSpec,
    BaselineSpec,
    ChartSpec,
    CursorState,
    ReadingLine,
    Ring,
    SeriesSpec,
    Side,
)
from gui.plots.words import ChartLook, capitalised


class EvaluationChart(ChartCard):
    """Base of the charts that show an EvaluationResult."""

    kind = ""

    def __init__(self, parent: QWidget | None = None, *, is_compact: bool = True) -> None:
        self._result: EvaluationResult | None = None
        self._look: ChartLook | None = None
        self._exact: ExactPoint | None = None
        super().__init__(parent, is_compact=is_compact)

    def set_result(self, result: EvaluationResult | None, look: ChartLook | None = None) -> None:
        """Show a result in the document's words; None empties the chart."""
        look = look or self._look
        if result is self._result and look == self._look:
            return
        self._result, self._look = result, look
        self.refresh()

    def set_reading(
        self, reading: CursorReading | None, decisions: DecisionResult | None = None
    ) -> None:
        """Take the engine's exact values at a depth; they replace the interpolated ones there."""
        is_reversed = self._look is not None and self._look.is_reversed
        self._exact = None
        if reading is not None and decisions is not None:
            self._exact = ExactPoint.of(reading, decisions, is_reversed=is_reversed)
        self.set_cursor(self.cursor_depth)

    def make_spec(self) -> ChartSpec | None:
        if self._result is None or self._look is None:
            return None
        chart = chart_of(self._result, self.kind)
        if chart is None or not chart.curves:
            return None
        return self._look.with_provenance(self.spec_of(self._result, chart, self._look))

    def spec_of(self, result: EvaluationResult, chart: Chart, look: ChartLook) -> ChartSpec:
        """The chart's spec."""
        raise NotImplementedError

    def make_state(self, depth: float) -> CursorState | None:
        if self._result is None or self._look is None or not self._result.depths:
            return None
        return self.state_of(self._result, self._look, self._turned(depth))

    def state_of(self, result: EvaluationResult, look: ChartLook, depth: float) -> CursorState:
        """The cursor at a depth counted from the highest chance of the event."""
        raise NotImplementedError

    def depth_at(self, x: float, y: float) -> float | None:
        depth = self.ranked_depth_at(x)
        return None if depth is None else self._turned(depth)

    def ranked_depth_at(self, x: float) -> float | None:
        """The depth, counted from the highest chance of the event, at a place of the x axis."""
        return x

    def _turned(self, depth: float) -> float:
        """Acting on the lowest chances first, the cursor counts from the other end."""
        is_reversed = self._look is not None and self._look.is_reversed
        return 1.0 - depth if is_reversed else depth

    def cases_in_all(self) -> float:
        chosen = self.chosen_depths()
        return float(chosen.cases[-1]) if chosen is not None else 100.0

    def reader(self, result: EvaluationResult) -> DepthReader:
        """Reads rankings at the cursor."""
        return DepthReader(result, self._exact)

    def chosen_depths(self) -> ModelDepths | None:
        """The ranking of the chosen model."""
        if self._result is None or self._look is None:
            return None
        return depths_of(self._result, self._look.chosen)

    def series_specs(self, curves: list[Curve], look: ChartLook) -> tuple[SeriesSpec, ...]:
        """The models' curves as series."""
        return tuple(
            SeriesSpec(
                name=curve.model,
                series=look.series_of(curve.model),
                x=curve.x,
                y=curve.y,
                low=curve.low,
                high=curve.high,
                is_chosen=curve.model == look.chosen,
            )
            for curve in curves
        )

    def reading_lines(
        self, values: list[tuple[str, str]], look: ChartLook
    ) -> tuple[ReadingLine, ...]:
        """One line of the read-out per model."""
        return tuple(
            ReadingLine(
                name=model,
                value=value,
                series=look.series_of(model),
                is_chosen=model == look.chosen,
                is_hidden=model in self.hidden,
            )
            for model, value in values
        )

    def rings_on(self, points: list[tuple[str, float, float]], look: ChartLook) -> tuple[Ring, ...]:
        """Marks on the curves that the legend has not switched off."""
        return tuple(
            Ring(x=x, y=y, series=look.series_of(model), name=model)
            for model, x, y in points
            if model not in self.hidden
        )


class RocChart(EvaluationChart):
    """Found events against false alarms; the cursor is a mark on each curve."""

    kind = "roc"

    def spec_of(self, result: EvaluationResult, chart: Chart, look: ChartLook) -> ChartSpec:
        return ChartSpec(
            kind=self.kind,
            title=self.tr("How well are the groups told apart?"),
            subtitle="ROC",
            x_axis=AxisSpec(
                label=self.tr("%s (false alarms)") % acted_words(look, look.others),
                quantity="percent",
                low=0.0,
                high=1.0,
            ),
            y_axis=AxisSpec(
                label=acted_words(look, look.event),
                quantity="percent",
                low=0.0,
                high=1.0,
                last_tick=1.0,
            ),
            series=self.series_specs(model_curves(chart), look),
            baselines=baseline_specs(chart, {"random": (0.62, "right", True)}),
            definition=chart.definition,
            variant=chart.variant,
            rows_text=result.rows.text,
            headroom=4,
            box_corner="bottom right",
        )

    def state_of(self, result: EvaluationResult, look: ChartLook, depth: float) -> CursorState:
        values, points, reader = [], [], self.reader(result)
        for entry in result.depths:
            found, alarms = reader.share(entry, depth), reader.others(entry, depth)
            values.append((entry.model, format_share(found)))
            points.append((entry.model, alarms, found))
        return CursorState(
            x=None,
            head=(
                self.tr("Found at highest %s") if look.is_reversed else self.tr("Found at best %s")
            )
            % format_share(depth),
            note="",
            lines=self.reading_lines(values, look),
            rings=self.rings_on(points, look),
        )

    def ranked_depth_at(self, x: float) -> float | None:
        chosen = self.chosen_depths()
        if chosen is None or self._result is None:
            return None
        return value_at(other_share_curve(self._result, chosen), chosen.depth, x)


class DepthChart(EvaluationChart):
    """Base of the charts whose x is the depth."""

    def state_of(self, result: EvaluationResult, look: ChartLook, depth: float) -> CursorState:
        spec, reader = self.view.spec, self.reader(result)
        values, points = [], []
        for entry in spec.series if spec is not None else ():
            value = self.value(reader, entry, depth)
            values.append((entry.name, self.write(value)))
            points.append((entry.name, depth, value))
        chosen = self.chosen_depths()
        cases = reader.cases(chosen, depth) if chosen is not None else 0.0
        threshold = reader.threshold(chosen, depth) if chosen is not None else np.nan
        is_long = self.view.has_flag or self.is_large
        return CursorState(
            x=depth,
            head=depth_head(look, depth, cases, is_long=is_long),
            note=cut_words(chosen, threshold) if is_long else "",
            lines=self.reading_lines(values, look),
            rings=self.rings_on(points, look),
        )

    def value(self, reader: DepthReader, entry: SeriesSpec, depth: float) -> float:
        """A model's value at a depth: from its exact share where the curve allows it."""
        depths = next((d for d in reader.result.depths if d.model == entry.name), None)
        if depths is None or depth <= 0:
            return value_at(entry.x, entry.y, depth)
        return between(entry.x, entry.y, depth, self.from_share(reader.share(depths, depth), depth))

    def from_share(self, share: float, depth: float) -> float:
        """What the chart shows of the share of events within a depth."""
        return share

    def write(self, value: float) -> str:
        """A value as the read-out writes it."""
        return format_share(value)

    def depth_axis(self, look: ChartLook) -> AxisSpec:
        """The axis of depths with words at both ends."""
        return AxisSpec(
            label=self.tr("%s by chance") % look.cases
            if look.is_reversed
            else f"{look.cases} {look.done}",
            quantity="percent",
            low=0.0,
            high=1.0,
            first_word=self.tr("highest") if look.is_reversed else self.tr("best"),
            last_word=self.tr("all"),
        )


class GainsChart(DepthChart):
    """The share of events found by depth."""

    kind = "gains"

    def spec_of(self, result: EvaluationResult, chart: Chart, look: ChartLook) -> ChartSpec:
        known: dict[str, tuple[float, Side, bool]] = {
            "random": (0.44, "right", True),
            "best possible": (0.42, "above", False),
        }
        return ChartSpec(
            kind=self.kind,
            title=self.tr("%s found by depth") % capitalised(look.event),
            subtitle=shown_subtitle(chart, self.tr("cumulative gains")),
            x_axis=self.depth_axis(look),
            y_axis=AxisSpec(
                label=self.tr("%s found") % look.event,
                quantity="percent",
                low=0.0,
                high=1.0,
                last_tick=1.0,
            ),
            series=self.series_specs(model_curves(chart), look),
            baselines=baseline_specs(chart, known),
            definition=chart.definition,
            variant=chart.variant,
            rows_text=result.rows.text,
            headroom=52 if self.is_large else 20,
            box_corner="bottom right",
        )


class LiftChart(DepthChart):
    """Times as many events as at random, by depth."""

    kind = "lift"

    def spec_of(self, result: EvaluationResult, chart: Chart, look: ChartLook) -> ChartSpec:
        curves = model_curves(chart)
        top = max((_lift_top(curve) for curve in curves), default=2.0)
        return ChartSpec(
            kind=self.kind,
            title=self.tr("Times as many as at random"),
            subtitle=shown_subtitle(chart, self.tr("cumulative lift")),
            x_axis=self.depth_axis(look),
            y_axis=AxisSpec(label=self.tr("lift"), quantity="number", low=0.0, high=top),
            series=self.series_specs(curves, look),
            baselines=baseline_specs(chart, {"random": (1.0, "below", True)}),
            definition=chart.definition,
            variant=chart.variant,
            rows_text=result.rows.text,
            headroom=52 if self.is_large else 4,
            box_corner="top right",
        )

    def from_share(self, share: float, depth: float) -> float:
        return share / depth

    def write(self, value: float) -> str:
        return format_number(value, 2)


class ThresholdChart(EvaluationChart):
    """Base of the charts whose x is a chance: the cursor stands at the chosen model's threshold."""

    def threshold_at(self, depth: float) -> float:
        """The chosen model's threshold at a depth."""
        chosen = self.chosen_depths()
        if chosen is None or self._result is None or not chosen.has_chances:
            return np.nan
        return self.reader(self._result).threshold(chosen, depth)

    def ranked_depth_at(self, x: float) -> float | None:
        chosen = self.chosen_depths()
        if chosen is None or not chosen.has_chances:
            return None
        return depth_of_threshold(chosen, x)


class CalibrationChart(ThresholdChart):
    """Predicted chance against what happened; the cursor is the threshold."""

    kind = "calibration"

    def spec_of(self, result: EvaluationResult, chart: Chart, look: ChartLook) -> ChartSpec:
        curves = model_curves(chart)
        right = max((float(np.nanmax(c.x)) for c in curves if len(c.x)), default=1.0)
        top = max((float(np.nanmax(c.y)) for c in curves if len(c.y)), default=1.0)
        x_high = min(1.0, ceil_to(right, nice_step(right, 5, is_percent=True)))
        y_high = min(1.0, ceil_to(max(top, right), nice_step(max(top, right), 5, is_percent=True)))
        return ChartSpec(
            kind=self.kind,
            title=self.tr("Do the chances come true?"),
            subtitle=", ".join(part for part in (self.tr("calibration"), chart.variant) if part),
            x_axis=AxisSpec(
                label=self.tr("predicted chance"), quantity="percent", low=0.0, high=x_high
            ),
            y_axis=AxisSpec(
                label=look.happened, quantity="percent", low=0.0, high=y_high, last_tick=1.0
            ),
            series=self.series_specs(curves, look),
            baselines=baseline_specs(chart, {"exact": (0.9, "right", True)}),
            definition=chart.definition,
            variant=chart.variant,
            rows_text=result.rows.text,
            notes=chart.notes,
            headroom=12,
            box_corner="beside cursor",
        )

    def state_of(self, result: EvaluationResult, look: ChartLook, depth: float) -> CursorState:
        threshold = self.threshold_at(depth)
        spec = self.view.spec
        verdicts = [short_verdict(note) for note in spec.notes] if spec is not None else []
        notes = [part for verdict in verdicts for part in verdict.split("; ")]
        words = self.tr("%s below %s") if look.is_reversed else self.tr("%s above %s")
        return CursorState(
            x=threshold if np.isfinite(threshold) else None,
            head=words % (look.act, format_threshold(threshold))
            if np.isfinite(threshold)
            else self.tr("%s: no chances") % look.chosen,
            note="",
            lines=tuple(ReadingLine(name=note, value="", series=None) for note in notes if note),
        )

    def tip(self, x: float, y: float) -> str:
        spec = self.view.spec
        if spec is None:
            return ""
        rows = [f"predicted {format_share(x)}"]
        for entry in spec.series:
            if float(entry.x[0]) <= x <= float(entry.x[-1]):
                rows.append(f"{entry.name}: {format_share(value_at(entry.x, entry.y, x))}")
        return "\n".join(rows)


class ScoreDistributionChart(ThresholdChart):
    """Who gets which chance: bars of events and others for the chosen model."""

    kind = "score_distribution"

    def make_spec(self) -> ChartSpec | None:
        if self._has_chosen():
            return super().make_spec()
        self.set_empty(self.tr("Who gets which chance?"), "")
        return None

    def set_empty(self, title: str, sentence: str, button: str = "") -> None:
        if not self._has_chosen() and self._look is not None:
            words = self.tr("%s is a score without chances: it only ranks cases.")
            sentence = words % self._look.chosen
        super().set_empty(title, sentence, button)

    def _has_chosen(self) -> bool:
        """Whether the chosen model says chances."""
        if self._result is None or self._look is None:
            return True
        depths = depths_of(self._result, self._look.chosen)
        return depths is None or depths.has_chances

    def spec_of(self, result: EvaluationResult, chart: Chart, look: ChartLook) -> ChartSpec:
        groups = self._groups(result, chart, look)
        bars = _bars(groups, look)
        tops = [float(np.max(entry.y)) for entry in bars if len(entry.y)]
        top = max(tops, default=1.0) or 1.0
        right = _tail_end(bars)
        return ChartSpec(
            kind=self.kind,
            title=self.tr("Who gets which chance?"),
            subtitle=self.tr("score distribution, %s") % look.chosen,
            x_axis=AxisSpec(
                label=self.tr("predicted chance"), quantity="percent", low=0.0, high=right
            ),
            y_axis=AxisSpec(
                label=self.tr("share of group"),
                quantity="percent",
                low=0.0,
                high=top,
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
        self, result: EvaluationResult, chart: Chart, look: ChartLook
    ) -> list[tuple[str, int, Curve]]:
        """Events and others of the chosen model, with their names and colours."""
        curves = [c for c in model_curves(chart) if c.model == look.chosen]
        event = next((c for c in curves if c.name == result.level), None)
        others = [c for c in curves if c is not event]
        weight = dict(zip(result.class_levels, result.class_weight.tolist(), strict=True))
        groups = []
        if event is not None:
            groups.append((look.event, look.series_of(look.chosen), event))
        if others:
            shares = np.array([weight.get(c.name, 1.0) for c in others])
            total = float(shares.sum()) or 1.0
            mixed = (shares / total) @ np.vstack([c.y for c in others])
            groups.append((look.others, -1, replace(others[0], y=mixed)))
        return groups

    def state_of(self, result: EvaluationResult, look: ChartLook, depth: float) -> CursorState:
        chosen = self.chosen_depths()
        assert chosen is not None
        threshold = self.threshold_at(depth)
        reader = self.reader(result)
        others = reader.others(chosen, depth)
        values = (
            (look.event, reader.share(chosen, depth), look.series_of(look.chosen)),
            (look.others, others, -1),
        )
        return CursorState(
            x=threshold if np.isfinite(threshold) else None,
            head=capitalised(threshold_words(threshold)),
            note="",
            lines=tuple(
                ReadingLine(
                    name=name,
                    value=format_share(share),
                    series=series,
                    is_bar=True,
                    is_hidden=name in self.hidden,
                )
                for name, share, series in values
            ),
        )


def acted_words(look: ChartLook, group: str) -> str:
    """A group that the cursor takes in: "responders mailed"; only found where acting avoids it."""
    return f"{group} found" if look.is_reversed else f"{group} {look.done}"


def baseline_specs(
    chart: Chart, known: dict[str, tuple[float, Side, bool]]
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
            )
        )
    return tuple(found)


def _lift_top(curve: Curve) -> float:
    """Where the lift axis ends: the lift at 1 % depth, since the first few cases are noise."""
    inside = curve.x >= 0.01
    highest = float(np.nanmax(curve.y[inside])) if inside.any() else float(np.nanmax(curve.y))
    return max(2.0, ceil_to(highest, nice_step(highest, 5)))


def _bars(groups: list[tuple[str, int, Curve]], look: ChartLook) -> tuple[BarsSpec, ...]:
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


def short_verdict(note: str) -> str:
    """The engine's verdict in the few words that a box holds; nothing where all is well.

    >>> short_verdict("agency: chances are too low around 4 % to 12 %.")
    'agency too low, 4 % to 12 %'
    """
    if ": chances are " not in note:
        return ""
    return note.rstrip(".").replace(": chances are ", " ").replace(" around ", ", ")
