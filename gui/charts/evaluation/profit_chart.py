"""Profit by depth: the large chart of page Decide, and its small form on page Compare."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from PySide6.QtWidgets import QWidget

from core.document.results import CursorReading, DecisionResult, ModelProfit
from core.document.wording import format_money, format_number, money_decimals
from core.presentation.labels import Labels
from core.presentation.profit import money_chart
from gui.charts.card import ChartCard
from gui.charts.readings import depth_head, is_rising, score_words, threshold_words, value_at
from gui.charts.spec import (
    Chart,
    CursorState,
    ReadingLine,
    Ring,
)


class ProfitChart(ChartCard):
    """Total profit if the best n % are acted on, for every model, with bands.

    The large form carries the flag, the compact form (``is_compact=True``) a read-out box. Amounts
    of a loss matrix are shown as losses: turned round, lower is better.
    """

    def __init__(self, parent: QWidget | None = None, *, is_compact: bool = False) -> None:
        self._result: DecisionResult | None = None
        self._look: Labels | None = None
        self._reading: CursorReading | None = None
        super().__init__(parent, is_compact=is_compact)

    def set_result(self, result: DecisionResult | None, look: Labels | None = None) -> None:
        """Show a result in the document's words; None empties the chart."""
        look = look or self._look
        if result is self._result and look == self._look:
            return
        self._result, self._look, self._reading = result, look, None
        self.refresh()

    def set_reading(self, reading: CursorReading | None) -> None:
        """Take the engine's exact values at a depth; they replace the interpolated ones there."""
        self._reading = reading
        self.set_cursor(self.cursor_depth)

    # ------------------------------------------------------------ what is drawn

    def make_spec(self) -> Chart | None:
        if self._result is None or self._look is None:
            return None
        is_small = self._is_compact and not self.is_large
        return money_chart(self._result, self._look, is_small=is_small)

    # ------------------------------------------------------------ cursor

    def make_state(self, depth: float) -> CursorState | None:
        result, look = self._result, self._look
        if result is None or look is None or not result.models:
            return None
        chosen = next((m for m in result.models if m.model == look.chosen), result.models[0])
        sign = -1.0 if look.is_loss else 1.0
        has_flag = not self._is_compact or self.is_large
        lines, rings = [], []
        for entry in result.models:
            shown = sign * self._value(entry, "profit", depth)
            series = look.series_of(entry.model)
            lines.append(
                ReadingLine(
                    name=entry.model,
                    value=self._amount(shown, look, has_flag),
                    series=series,
                    is_chosen=entry.model == look.chosen,
                    is_hidden=entry.model in self.hidden,
                )
            )
            if entry.model not in self.hidden:
                rings.append(Ring(x=depth, y=shown, series=series, name=entry.model))
        return CursorState(
            x=depth,
            head=depth_head(
                replace(look, is_reversed=False, is_apart=False),
                depth,
                self._value(chosen, "cases", depth),
                is_long=has_flag,
            ),
            note=self._note(result, chosen, depth) if has_flag else "",
            lines=tuple(lines),
            rings=tuple(rings),
        )

    def _value(self, entry: ModelProfit, name: str, depth: float) -> float:
        """``profit``, ``cases`` or ``threshold`` at a depth: the engine's exact value if it was
        read at this very depth, else read off the curve."""
        reading = self._reading
        is_exact = reading is not None and abs(reading.depth - depth) <= 1e-12
        if reading is not None and is_exact and entry.model in reading.models:
            return float(getattr(reading, name)[reading.models.index(entry.model)])
        return value_at(entry.depth, getattr(entry, name), depth)

    def _note(self, result: DecisionResult, chosen: ModelProfit, depth: float) -> str:
        threshold = self._value(chosen, "threshold", depth)
        if not chosen.has_chances:
            return score_words(threshold, is_upper=is_rising(chosen.threshold))
        if result.threshold_kind != "advantage":
            return threshold_words(threshold, is_upper=result.threshold_side == "below")
        if not np.isfinite(threshold) or self._look is None:
            return ""
        return f"advantage above {format_money(threshold, self._look.currency)}"

    def _amount(self, value: float, look: Labels, has_flag: bool) -> str:
        if has_flag:
            return format_money(value, look.currency)
        return format_number(value, money_decimals(value))

    def depth_at(self, x: float, y: float) -> float | None:
        return x

    def cases_in_all(self) -> float:
        if self._result is None or not self._result.models:
            return 100.0
        return float(self._result.models[0].cases[-1])

    def tip(self, x: float, y: float) -> str:
        """Profit and interval of every model at a depth."""
        if self._result is None or self._look is None:
            return ""
        sign = -1.0 if self._look.is_loss else 1.0
        rows = [f"best {100 * x:.1f} %"]
        for entry in self._result.models:
            ends = sorted(sign * value_at(entry.depth, line, x) for line in (entry.low, entry.high))
            value = format_money(sign * value_at(entry.depth, entry.profit, x), self._look.currency)
            span = f"{format_number(ends[0], 0)} to {format_number(ends[1], 0)}"
            rows.append(f"{entry.model}: {value} ({span})")
        return "\n".join(rows)

    def best_depth(self) -> float | None:
        """The depth at which the chosen model's profit is highest."""
        if self._result is None or self._look is None or not self._result.models:
            return None
        look = self._look
        models = self._result.models
        chosen = next((m for m in models if m.model == look.chosen), models[0])
        return chosen.best_depth
