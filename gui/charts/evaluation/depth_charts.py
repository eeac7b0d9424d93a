"""Charts by rank: ROC, cumulative gains and lift."""

from __future__ import annotations

import numpy as np

from core.document.results import (
    ChartData,
    Curve,
    EvaluationResult,
)
from core.document.wording import format_number, format_share
from core.presentation.curve_looks import acted_words, depth_words
from core.presentation.labels import Labels, capitalised
from core.presentation.scales import ceil_to, nice_step
from gui.charts.evaluation.evaluation_charts import (
    EvaluationChart,
    baseline_specs,
)
from gui.charts.readings import (
    DepthReader,
    between,
    cut_words,
    depth_head,
    model_curves,
    other_share_curve,
    shown_subtitle,
    value_at,
)
from gui.charts.spec import (
    AxisSpec,
    Chart,
    CursorState,
    SeriesSpec,
    Side,
)


class RocChart(EvaluationChart):
    """Found events against false alarms; the cursor is a mark on each curve."""

    kind = "roc"

    def spec_of(self, result: EvaluationResult, chart: ChartData, look: Labels) -> Chart:
        return Chart(
            kind=self.kind,
            title="How well are the groups told apart?",
            subtitle="ROC",
            x_axis=AxisSpec(
                label=f"{acted_words(look, look.others)} (false alarms)",
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

    def state_of(self, result: EvaluationResult, look: Labels, depth: float) -> CursorState:
        values, points, reader = [], [], self.reader(result)
        for entry in result.depths:
            found, alarms = reader.share(entry, depth), reader.others(entry, depth)
            values.append((entry.model, format_share(found)))
            points.append((entry.model, alarms, found))
        return CursorState(
            x=None,
            head=("Found at highest %s" if look.is_by_event else "Found at best %s")
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

    def state_of(self, result: EvaluationResult, look: Labels, depth: float) -> CursorState:
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

    def depth_axis(self, look: Labels) -> AxisSpec:
        """The axis of depths with words at both ends."""
        return AxisSpec(
            label=depth_words(look),
            quantity="percent",
            low=0.0,
            high=1.0,
            first_word="highest" if look.is_by_event else "best",
            last_word="all",
        )


class GainsChart(DepthChart):
    """The share of events found by depth."""

    kind = "gains"

    def spec_of(self, result: EvaluationResult, chart: ChartData, look: Labels) -> Chart:
        known: dict[str, tuple[float, Side, bool]] = {
            "random": (0.44, "right", True),
            "best possible": (0.42, "above", False),
        }
        return Chart(
            kind=self.kind,
            title=f"{capitalised(look.event)} found by depth",
            subtitle=shown_subtitle(chart, "cumulative gains"),
            x_axis=self.depth_axis(look),
            y_axis=AxisSpec(
                label=f"{look.event} found",
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

    def spec_of(self, result: EvaluationResult, chart: ChartData, look: Labels) -> Chart:
        curves = model_curves(chart)
        top = max((_lift_top(curve) for curve in curves), default=2.0)
        return Chart(
            kind=self.kind,
            title="Times as many as at random",
            subtitle=shown_subtitle(chart, "cumulative lift"),
            x_axis=self.depth_axis(look),
            y_axis=AxisSpec(label="lift", quantity="number", low=0.0, high=top),
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


def _lift_top(curve: Curve) -> float:
    """Where the lift axis ends: the lift at 1 % depth, since the first few cases are noise."""
    inside = curve.x >= 0.01
    highest = float(np.nanmax(curve.y[inside])) if inside.any() else float(np.nanmax(curve.y))
    return max(2.0, ceil_to(highest, nice_step(highest, 5)))
