"""The charts on the shared cursor: what they draw and read comes from ``core.presentation``."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from core.document.results import CursorReading, DecisionResult, EvaluationResult
from core.presentation.charts.depths import ExactPoint
from core.presentation.decide.profit import chosen_profit, money_chart, profit_cursor, profit_tip
from core.presentation.evaluation.charts import evaluation_chart
from core.presentation.evaluation.cursor import (
    cases_in_all,
    evaluation_cursor,
    evaluation_depth,
    evaluation_tip,
)
from core.presentation.labels import Labels
from gui.charts.card import ChartCard
from gui.charts.spec import Chart, CursorState


class EvaluationChart(ChartCard):
    """A chart of an EvaluationResult.

    Parameters
    ----------
    kind : str
        Of ``core.document.compare.chart_kinds``, or the id of a plugin's curve.
    """

    def __init__(
        self, kind: str, parent: QWidget | None = None, *, is_compact: bool = True
    ) -> None:
        self.kind = kind
        self._result: EvaluationResult | None = None
        self._check_now: Labels | None = None
        self._exact: ExactPoint | None = None
        super().__init__(parent, is_compact=is_compact)

    def set_result(self, result: EvaluationResult | None, look: Labels | None = None) -> None:
        """Show a result in the document's words; None empties the chart."""
        look = look or self._check_now
        if result is self._result and look == self._check_now:
            return
        self._result, self._check_now = result, look
        self.refresh()

    def set_reading(
        self, reading: CursorReading | None, decisions: DecisionResult | None = None
    ) -> None:
        """Take the engine's exact values at a depth; they replace the interpolated ones there."""
        self._exact = None
        if reading is not None and decisions is not None and self._check_now is not None:
            self._exact = ExactPoint.of_charts(reading, decisions, self._check_now)
        self.set_cursor(self.cursor_depth)

    def make_spec(self) -> Chart | None:
        if self._result is None or self._check_now is None:
            return None
        return evaluation_chart(self.kind, self._result, self._check_now, is_large=self.is_large)

    def make_state(self, depth: float) -> CursorState | None:
        chart = self.view.spec
        if self._result is None or self._check_now is None or chart is None:
            return None
        is_long = self.is_large or not self._is_compact
        return evaluation_cursor(
            self._result, self._check_now, chart, depth, exact=self._exact, is_long=is_long
        )

    def depth_at(self, x: float, y: float) -> float | None:
        if self._result is None or self._check_now is None:
            return None
        return evaluation_depth(self._result, self._check_now, self.kind, x)

    def tip(self, x: float, y: float) -> str:
        chart = self.view.spec
        if self._result is None or chart is None:
            return ""
        return evaluation_tip(self._result, chart, x) or super().tip(x, y)

    def cases_in_all(self) -> float:
        if self._result is None or self._check_now is None:
            return super().cases_in_all()
        return cases_in_all(self._result, self._check_now)


class ProfitChart(ChartCard):
    """Total profit if the best n % are acted on, for every model, with bands.

    The large form carries the flag, the compact form (``is_compact=True``) a read-out box.
    """

    def __init__(self, parent: QWidget | None = None, *, is_compact: bool = False) -> None:
        self._result: DecisionResult | None = None
        self._check_now: Labels | None = None
        self._reading: CursorReading | None = None
        self._former: DecisionResult | None = None
        super().__init__(parent, is_compact=is_compact)

    def set_former(self, former: DecisionResult | None) -> None:
        """Keep the chosen model's line of former totals as a ghost; None takes it away."""
        if former is not self._former:
            self._former = former
            self.refresh()

    def set_result(self, result: DecisionResult | None, look: Labels | None = None) -> None:
        """Show a result in the document's words; None empties the chart."""
        look = look or self._check_now
        if result is self._result and look == self._check_now:
            return
        self._result, self._check_now, self._reading = result, look, None
        self.refresh()

    def set_reading(self, reading: CursorReading | None) -> None:
        """Take the engine's exact values at a depth; they replace the interpolated ones there."""
        self._reading = reading
        self.set_cursor(self.cursor_depth)

    @property
    def _is_small(self) -> bool:
        return self._is_compact and not self.is_large

    def make_spec(self) -> Chart | None:
        if self._result is None or self._check_now is None:
            return None
        return money_chart(
            self._result, self._check_now, is_small=self._is_small, former=self._former
        )

    def make_state(self, depth: float) -> CursorState | None:
        if self._result is None or self._check_now is None:
            return None
        return profit_cursor(
            self._result,
            self._check_now,
            depth,
            reading=self._reading,
            hidden=self.hidden,
            is_long=not self._is_small,
            former=self._former,
        )

    def depth_at(self, x: float, y: float) -> float | None:
        return x

    def tip(self, x: float, y: float) -> str:
        if self._result is None or self._check_now is None:
            return ""
        return profit_tip(self._result, self._check_now, x)

    def cases_in_all(self) -> float:
        if self._result is None or not self._result.models:
            return super().cases_in_all()
        return float(self._result.models[0].cases[-1])

    def best_depth(self) -> float | None:
        """The depth at which the chosen model's profit is highest."""
        if self._result is None or self._check_now is None or not self._result.models:
            return None
        return chosen_profit(self._result, self._check_now).best_depth
