"""Charts by rank: ROC, cumulative gains and lift."""

from __future__ import annotations

import numpy as np

from core.document.results import EvaluationResult
from core.document.wording import format_number, format_share
from core.presentation.labels import Labels
from gui.charts.evaluation.evaluation_charts import EvaluationChart
from gui.charts.readings import (
    DepthReader,
    between,
    cut_words,
    depth_head,
    other_share_curve,
    value_at,
)
from gui.charts.spec import CursorState, SeriesSpec


class RocChart(EvaluationChart):
    """Found events against false alarms; the cursor is a mark on each curve."""

    kind = "roc"

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

    large_headroom = 52

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


class GainsChart(DepthChart):
    """The share of events found by depth."""

    kind = "gains"


class LiftChart(DepthChart):
    """Times as many events as at random, by depth."""

    kind = "lift"

    def from_share(self, share: float, depth: float) -> float:
        return share / depth

    def write(self, value: float) -> str:
        return format_number(value, 2)
