"""What all charts of an evaluation share: result, words, cursor, and lines of each model."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from core.document.results import (
    ChartData,
    CursorReading,
    Curve,
    DecisionResult,
    EvaluationResult,
    ModelDepths,
)
from core.presentation.chart import with_provenance
from core.presentation.labels import Labels
from gui.charts.card import ChartCard
from gui.charts.readings import (
    DepthReader,
    ExactPoint,
    chart_of,
    depths_of,
)
from gui.charts.spec import (
    BaselineSpec,
    Chart,
    CursorState,
    ReadingLine,
    Ring,
    SeriesSpec,
    Side,
)


class EvaluationChart(ChartCard):
    """Base of the charts that show an EvaluationResult."""

    kind = ""

    def __init__(self, parent: QWidget | None = None, *, is_compact: bool = True) -> None:
        self._result: EvaluationResult | None = None
        self._look: Labels | None = None
        self._exact: ExactPoint | None = None
        super().__init__(parent, is_compact=is_compact)

    def set_result(self, result: EvaluationResult | None, look: Labels | None = None) -> None:
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
        is_ranked_apart = decisions is not None and decisions.threshold_kind == "advantage"
        is_apart = is_ranked_apart and self._look is not None and self._look.is_apart
        if reading is not None and decisions is not None and not is_apart:
            self._exact = ExactPoint.of(reading, decisions, is_reversed=is_reversed)
        self.set_cursor(self.cursor_depth)

    def make_spec(self) -> Chart | None:
        if self._result is None or self._look is None:
            return None
        chart = chart_of(self._result, self.kind)
        if chart is None or not chart.curves:
            return None
        return with_provenance(self.spec_of(self._result, chart, self._look), self._look.provenance)

    def spec_of(self, result: EvaluationResult, chart: ChartData, look: Labels) -> Chart:
        """What a chart of the result looks like: axes, lines and marks."""
        raise NotImplementedError

    def make_state(self, depth: float) -> CursorState | None:
        if self._result is None or self._look is None or not self._result.depths:
            return None
        return self.state_of(self._result, self._look, self._turned(depth))

    def state_of(self, result: EvaluationResult, look: Labels, depth: float) -> CursorState:
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

    def series_specs(self, curves: list[Curve], look: Labels) -> tuple[SeriesSpec, ...]:
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

    def reading_lines(self, values: list[tuple[str, str]], look: Labels) -> tuple[ReadingLine, ...]:
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

    def rings_on(self, points: list[tuple[str, float, float]], look: Labels) -> tuple[Ring, ...]:
        """Marks on the curves that the legend has not switched off."""
        return tuple(
            Ring(x=x, y=y, series=look.series_of(model), name=model)
            for model, x, y in points
            if model not in self.hidden
        )


def baseline_specs(
    chart: ChartData, known: dict[str, tuple[float, Side, bool]]
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
