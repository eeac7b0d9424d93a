"""What all charts of an evaluation share: result, words, cursor, and lines of each model."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtWidgets import QWidget

from core.document.results import (
    CursorReading,
    DecisionResult,
    EvaluationResult,
    ModelDepths,
)
from core.presentation.evaluation import evaluation_chart, ranking_of_model
from core.presentation.labels import Labels
from gui.charts.card import ChartCard
from gui.charts.readings import (
    DepthReader,
    ExactPoint,
)
from gui.charts.spec import (
    Chart,
    CursorState,
    ReadingLine,
    Ring,
)


class EvaluationChart(ChartCard):
    """Base of the charts that show an EvaluationResult."""

    kind = ""
    large_headroom: int | None = None  # pixels above the lines where the chart has a long flag

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
        chart = evaluation_chart(self.kind, self._result, self._look)
        if chart is not None and self.is_large and self.large_headroom is not None:
            return replace(chart, headroom=self.large_headroom)
        return chart

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
        return ranking_of_model(self._result, self._look.chosen)

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
