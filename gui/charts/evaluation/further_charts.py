"""All charts of page Compare beyond the usual six: one class, told by a kind what it shows."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from PySide6.QtWidgets import QWidget

from core.document.results import EvaluationResult
from core.document.wording import format_number, format_share
from core.presentation.evaluation import chart_of_kind, look_of_kind
from core.presentation.labels import Labels, capitalised
from gui.charts.evaluation.evaluation_charts import EvaluationChart
from gui.charts.readings import (
    between,
    cut_words,
    depth_head,
    prediction_words,
    threshold_words,
    value_at,
)
from gui.charts.spec import (
    Chart,
    CursorState,
    ReadingLine,
    Ring,
)
from payoff.vocabulary import CurveAxis


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
        self.kind = kind
        self._of_kind = look_of_kind(kind)
        super().__init__(parent, is_compact=is_compact)

    # ------------------------------------------------------------ what is drawn

    def make_spec(self) -> Chart | None:
        if self._result is not None:
            self._of_kind = look_of_kind(self.kind, chart_of_kind(self._result, self.kind))
        self.large_headroom = 52 if self._has_line else None
        return super().make_spec()

    def _turned(self, depth: float) -> float:
        return depth if self._of_kind.is_by_advantage else super()._turned(depth)

    @property
    def _has_line(self) -> bool:
        return self._of_kind.known.axis not in (CurveAxis.SHARE, CurveAxis.VALUE)

    # ------------------------------------------------------------ cursor

    def make_state(self, depth: float) -> CursorState | None:
        if self._result is None or self._look is None or self.view.spec is None:
            return None
        result, look = self._result, self._look
        if self._of_kind.known.axis is CurveAxis.VALUE or not result.depths:
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
        axis = self._of_kind.known.axis
        x: float | None = depth
        if self._of_kind.is_by_advantage:
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
            if self._of_kind.known.axis is CurveAxis.SHARE:
                depths = next((d for d in result.depths if d.model == entry.name), None)
                at = self.reader(result).share(depths, depth) if depths is not None else None
            if at is None or not entry.x[0] <= at <= entry.x[-1]:
                found[entry.name] = (math.nan, math.nan)
                continue
            y = value_at(entry.x, entry.y, at)
            found[entry.name] = (at, between(entry.x, entry.y, at, y))
        return found

    def _write(self, value: float) -> str:
        if self._of_kind.words.y_quantity == "percent":
            return format_share(value)
        size = abs(value)
        return format_number(value, 0 if size >= 1000 else 2 if size >= 1 else 3)

    def ranked_depth_at(self, x: float) -> float | None:
        axis, chosen = self._of_kind.known.axis, self.chosen_depths()
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
        is_share = self._of_kind.words.x_quantity == "percent"
        rows = [f"{spec.x_axis.label} {format_share(x) if is_share else format_number(x, 2)}"]
        for entry in spec.visible_series():
            if len(entry.x) and float(entry.x[0]) <= x <= float(entry.x[-1]):
                rows.append(f"{entry.name}: {self._write(value_at(entry.x, entry.y, x))}")
        return "\n".join(rows)
