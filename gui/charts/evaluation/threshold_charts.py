"""Charts over the chance that a model gives: calibration and the distribution of scores."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from core.document.results import (
    ChartData,
    Curve,
    EvaluationResult,
)
from core.document.wording import format_share, format_threshold
from core.presentation.labels import Labels, capitalised
from core.presentation.scales import ceil_to, nice_step
from gui.charts.evaluation.evaluation_charts import EvaluationChart, baseline_specs
from gui.charts.readings import (
    depth_of_threshold,
    depths_of,
    model_curves,
    threshold_words,
    value_at,
)
from gui.charts.spec import (
    AxisSpec,
    BarsSpec,
    Chart,
    CursorState,
    ReadingLine,
)


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

    def spec_of(self, result: EvaluationResult, chart: ChartData, look: Labels) -> Chart:
        curves = model_curves(chart)
        right = max((float(np.nanmax(c.x)) for c in curves if len(c.x)), default=1.0)
        top = max((float(np.nanmax(c.y)) for c in curves if len(c.y)), default=1.0)
        x_high = min(1.0, ceil_to(right, nice_step(right, 5, is_percent=True)))
        y_high = min(1.0, ceil_to(max(top, right), nice_step(max(top, right), 5, is_percent=True)))
        return Chart(
            kind=self.kind,
            title="Do the chances come true?",
            subtitle=", ".join(part for part in ("calibration", chart.variant) if part),
            x_axis=AxisSpec(label="predicted chance", quantity="percent", low=0.0, high=x_high),
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

    def state_of(self, result: EvaluationResult, look: Labels, depth: float) -> CursorState:
        threshold = self.threshold_at(depth)
        spec = self.view.spec
        verdicts = [short_verdict(note) for note in spec.notes] if spec is not None else []
        notes = [part for verdict in verdicts for part in verdict.split("; ")]
        return CursorState(
            x=threshold if np.isfinite(threshold) else None,
            head=_cut_words(look, threshold)
            if np.isfinite(threshold)
            else f"{look.chosen}: no chances",
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

    def make_spec(self) -> Chart | None:
        if self._has_chosen():
            return super().make_spec()
        self.set_empty("Who gets which chance?", "")
        return None

    def set_empty(self, title: str, sentence: str, button: str = "") -> None:
        if not self._has_chosen() and self._look is not None:
            words = "%s is a score without chances: it only ranks cases."
            sentence = words % self._look.chosen
        super().set_empty(title, sentence, button)

    def _has_chosen(self) -> bool:
        """Whether the chosen model says chances."""
        if self._result is None or self._look is None:
            return True
        depths = depths_of(self._result, self._look.chosen)
        return depths is None or depths.has_chances

    def spec_of(self, result: EvaluationResult, chart: ChartData, look: Labels) -> Chart:
        groups = self._groups(result, chart, look)
        bars = _bars(groups, look)
        tops = [float(np.max(entry.y)) for entry in bars if len(entry.y)]
        top = max(tops, default=1.0) or 1.0
        right = _tail_end(bars)
        return Chart(
            kind=self.kind,
            title="Who gets which chance?",
            subtitle=f"score distribution, {look.chosen}",
            x_axis=AxisSpec(label="predicted chance", quantity="percent", low=0.0, high=right),
            y_axis=AxisSpec(
                label="share of group",
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
        self, result: EvaluationResult, chart: ChartData, look: Labels
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

    def state_of(self, result: EvaluationResult, look: Labels, depth: float) -> CursorState:
        chosen = self.chosen_depths()
        assert chosen is not None
        threshold = self.threshold_at(depth)
        reader = self.reader(result)
        found, others = reader.whole_shares(chosen, depth)
        values = (
            (look.event, found, look.series_of(look.chosen)),
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


def _cut_words(look: Labels, threshold: float) -> str:
    """Where acting begins: "Mail above 6.25 %"; of several classes only the chance is said."""
    if look.is_apart:
        return capitalised(threshold_words(threshold))
    words = "%s below %s" if look.is_reversed else "%s above %s"
    return words % (look.acting, format_threshold(threshold))


def _bars(groups: list[tuple[str, int, Curve]], look: Labels) -> tuple[BarsSpec, ...]:
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
