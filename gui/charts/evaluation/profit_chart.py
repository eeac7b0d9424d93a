"""Profit by depth: the large chart of page Decide, and its small form on page Compare."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from PySide6.QtWidgets import QWidget

from core.document.decisions.amount_words import AmountWords
from core.document.model import ChartMode
from core.document.results import CursorReading, DecisionResult, ModelProfit
from core.document.wording import format_money, format_number, money_decimals
from core.presentation.chart import with_provenance
from core.presentation.labels import Labels, capitalised
from gui.charts.card import ChartCard
from gui.charts.readings import depth_head, is_rising, score_words, threshold_words, value_at
from gui.charts.spec import (
    AxisSpec,
    BaselineSpec,
    Chart,
    Corner,
    CursorState,
    ReadingLine,
    Ring,
    SeriesSpec,
)
from payoff.types import FloatArray


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
        if self._result is None or self._look is None or not self._result.models:
            return None
        result, look = self._result, self._look
        sign = -1.0 if look.is_loss else 1.0
        series = tuple(self._series(entry, look, sign) for entry in result.models)
        baselines = self._baselines(result, look, sign)
        low, high = _extent(series, baselines)
        is_small = self._is_compact and not self.is_large
        spec = Chart(
            kind="profit",
            title=self._title_words(look),
            subtitle="" if is_small else f"{result.rows.text}, bands 95 %",
            x_axis=self._depth_axis(look, is_small),
            y_axis=AxisSpec(
                label=self._amount_words(look)
                if is_small
                else capitalised(self._amount_words(look)),
                quantity="money",
                low=low,
                high=high,
                currency=look.currency,
            ),
            series=series,
            baselines=baselines,
            definition=self._definition(look),
            variant=result.holds_fixed,
            rows_text=result.rows.text,
            headroom=22 if is_small else 56,
            box_corner=_box_corner(series, low, high),
        )
        return with_provenance(spec, look.provenance)

    def _title_words(self, look: Labels) -> str:
        amount = "Loss" if look.is_loss else "Profit"
        if look.mode is ChartMode.FIRM:
            return f"{amount} if each of the best n % gets its own decision"
        return f"{amount} if the best n % are {look.done}"

    def _amount_words(self, look: Labels) -> str:
        return "total loss" if look.is_loss else "total profit"

    def _depth_axis(self, look: Labels, is_small: bool) -> AxisSpec:
        if is_small:
            first, label = "best", f"{look.cases} {look.done}"
        else:
            first = "best cases"
            label = f"share of {look.cases} {look.done}, highest advantage first"
        return AxisSpec(
            label=label,
            quantity="percent",
            low=0.0,
            high=1.0,
            first_word=first,
            last_word="all",
        )

    def _definition(self, look: Labels) -> str:
        if look.mode is ChartMode.FIRM:
            return (
                "Every case gets the decision with the highest expected consequence. Cases are "
                "added up from the best to the worst; the last point is the total."
            )
        return (
            "Cases are sorted by the expected advantage of acting, best first. The best n % "
            "are acted on, all others get their best other decision; the line adds up what "
            f"that really {AmountWords(look.is_loss).brought}."
        )

    def _series(self, entry: ModelProfit, look: Labels, sign: float) -> SeriesSpec:
        low, high = (entry.low, entry.high) if sign > 0 else (-entry.high, -entry.low)
        return SeriesSpec(
            name=entry.model,
            series=look.series_of(entry.model),
            x=entry.depth,
            y=sign * entry.profit,
            low=low,
            high=high,
            is_chosen=entry.model == look.chosen,
        )

    def _baselines(
        self, result: DecisionResult, look: Labels, sign: float
    ) -> tuple[BaselineSpec, ...]:
        """Doing nothing, acting at random, and what acting on all brings."""
        nothing = sign * result.do_nothing
        grid = np.linspace(0.0, 1.0, len(result.random_profit))
        is_small = self._is_compact and not self.is_large
        rest = result.rest.lower() or "do nothing"
        if len(result.decisions) > 2 and result.rest_for_all:
            rest = f"“{result.rest_for_all}” for all"
        lines = [
            BaselineSpec(
                name=rest,
                x=np.array([0.0, 1.0]),
                y=np.array([nothing, nothing]),
                is_dashed=False,
                label_at=1.0,
                side="above",
            )
        ]
        random = sign * result.random_profit
        if len(random) and look.mode is ChartMode.ACT_ON_BEST:
            falls = random[-1] < random[0]
            lines.append(
                BaselineSpec(
                    name="random" if is_small else "at random",
                    x=grid,
                    y=random,
                    label_at=0.36 if is_small else 0.54,
                    side="below" if falls else "above",
                )
            )
            if not is_small:
                words = f"{result.acting.lower()} all: "
                end = words + format_money(sign * result.act_on_all, look.currency)
                point = np.array([sign * result.act_on_all])
                lines.append(
                    BaselineSpec(
                        name=end,
                        x=np.array([1.0]),
                        y=point,
                        side="below" if falls else "above",
                        needs_room=True,
                    )
                )
        return tuple(lines)

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


def _box_corner(series: tuple[SeriesSpec, ...], low: float, high: float) -> Corner:
    """Where a small chart's read-out covers least: low where the curves end high."""
    ends = [float(np.interp(0.85, entry.x, entry.y)) for entry in series]
    return "bottom right" if ends and min(ends) > low + 0.6 * (high - low) else "top right"


def _extent(
    series: tuple[SeriesSpec, ...], baselines: tuple[BaselineSpec, ...]
) -> tuple[float, float]:
    """The lowest and highest amount that is drawn."""
    arrays: list[FloatArray] = [entry.y for entry in series]
    arrays += [line.y for line in baselines]
    arrays += [entry.low for entry in series if entry.low is not None]
    arrays += [entry.high for entry in series if entry.high is not None]
    finite = [part[np.isfinite(part)] for part in arrays]
    low = min((float(part.min()) for part in finite if len(part)), default=0.0)
    high = max((float(part.max()) for part in finite if len(part)), default=1.0)
    return (low, high) if high > low else (low - 1.0, high + 1.0)
