"""Best profit against capacity: one line per model, flat where more changes nothing."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from PySide6.QtWidgets import QWidget

from core.document.studies.capacity import ACTIONS, CapacityCurve, CapacityResult
from core.document.wording import format_count, format_money
from gui.pages.decide.studies.own_chart import OwnChart, extent
from gui.pages.decide.words import DecisionWords
from gui.plots.readings import value_at
from gui.plots.spec import AxisSpec, ChartSpec, SeriesSpec
from gui.plots.words import ChartLook, capitalised
from payoff.counting import counted
from payoff.types import FloatArray


def action_word(acting: tuple[str, ...], words: DecisionWords) -> str:
    """What an action does to a case: "mailed"; "acted on" where several decisions are actions."""
    return words.done if len(acting) < 2 else "acted on"


def _with_limit(result: CapacityResult, curve: CapacityCurve) -> CapacityCurve:
    """The curve through what was worked out at the limit, so that both read the same there.

    Of two limits the curve follows one alone, and the point lies beside it.
    """
    point, at = result.point(curve.model), result.limit
    has_two = result.most_actions is not None and result.most_money is not None
    if point is None or at is None or has_two or not 0.0 <= at <= curve.capacity[-1]:
        return curve
    is_money = result.resource != ACTIONS
    price = point.money_price if is_money else point.action_price
    others = curve.capacity != at
    place = int(np.searchsorted(curve.capacity[others], at))

    def through(line: FloatArray, value: float) -> FloatArray:
        return np.insert(line[others], place, value)

    return replace(
        curve,
        capacity=through(curve.capacity, at),
        profit=through(curve.profit, point.profit.value),
        low=through(curve.low, point.profit.low),
        high=through(curve.high, point.profit.high),
        expected=through(curve.expected, point.expected),
        price=through(curve.price, price),
    )


class CapacityChart(OwnChart):
    """The best profit that a number of actions, or an amount of money, can bring."""

    def __init__(self, parent: QWidget | None = None) -> None:
        self._result: CapacityResult | None = None
        self._words: DecisionWords | None = None
        self._look: ChartLook | None = None
        super().__init__(parent)

    def show_result(self, result: CapacityResult, words: DecisionWords, look: ChartLook) -> None:
        """Show curves; the cursor goes to the limit."""
        curves = tuple(_with_limit(result, curve) for curve in result.curves)
        self._result, self._words, self._look = replace(result, curves=curves), words, look
        self.refresh()
        self.go_to(result.limit)

    def make_spec(self) -> ChartSpec | None:
        result, words, look = self._result, self._words, self._look
        if result is None or words is None or look is None:
            return None
        promised = (self._promised(curve, words, look) for curve in result.curves)
        series = (
            *(self._series(curve, words, look) for curve in result.curves),
            *(entry for entry in promised if entry is not None),
        )
        low, high = extent(
            [
                line
                for entry in series
                for line in (entry.y, entry.low, entry.high)
                if line is not None
            ]
        )
        is_money = result.resource != ACTIONS
        done = action_word(result.acting, words)
        ends = [float(curve.capacity[-1]) for curve in result.curves]
        return ChartSpec(
            kind="capacity",
            title=f"What can the best decisions {words.verbs.bring}?",
            subtitle=self._subtitle_words(result),
            x_axis=AxisSpec(
                label=f"{words.currency} to spend"
                if is_money
                else f"{words.cases} {done} at the most",
                quantity="money" if is_money else "number",
                currency=words.currency if is_money else "",
                low=0.0,
                high=max(ends) or 1.0,
            ),
            y_axis=AxisSpec(
                label=capitalised(f"total {words.amount}"),
                quantity="money",
                currency=words.currency,
                low=low,
                high=high,
            ),
            series=series,
            definition=(
                "For each limit the best decisions are chosen by what the chances promise per "
                "action, or per unit of money: the most worthwhile first, until the limit is "
                "used up. The line is what these decisions really "
                f"{words.verbs.brought}. Where it is flat, no "
                "further case is worth acting on."
            ),
            variant=result.holds_fixed,
            rows_text=result.rows.text,
            headroom=16,
            box_corner="bottom right",
        )

    def _subtitle_words(self, result: CapacityResult) -> str:
        """What the lines hold to: one limit, also where there are two."""
        if result.most_actions is not None and result.most_money is not None:
            return "by the number alone, bands 95 %"
        return "at most so much, bands 95 %"

    def _series(self, curve: CapacityCurve, words: DecisionWords, look: ChartLook) -> SeriesSpec:
        low, high = (curve.high, curve.low) if words.is_loss else (curve.low, curve.high)
        sign = -1.0 if words.is_loss else 1.0
        return SeriesSpec(
            name=curve.model,
            series=look.series_of(curve.model),
            x=curve.capacity,
            y=sign * curve.profit,
            low=sign * low,
            high=sign * high,
            is_chosen=curve.model == look.chosen,
        )

    def _promised(
        self, curve: CapacityCurve, words: DecisionWords, look: ChartLook
    ) -> SeriesSpec | None:
        """What the chances of the chosen model promise of the same decisions."""
        if curve.model != look.chosen:
            return None
        return SeriesSpec(
            name=f"{curve.model}, promised",
            series=look.series_of(curve.model),
            x=curve.capacity,
            y=(-1.0 if words.is_loss else 1.0) * curve.expected,
            dash=(2.0, 2.0),
            is_quiet=True,
        )

    def value_words(self, name: str, value: float) -> str:
        assert self._words is not None
        return format_money(value, self._words.currency)

    def place_words(self, x: float) -> tuple[str, str]:
        result, words = self._result, self._words
        assert result is not None
        assert words is not None
        is_money = result.resource != ACTIONS
        amount = format_money(x, words.currency) if is_money else format_count(x)
        head = amount if is_money else counted(x, words.case, words.cases)
        chosen = self._look.chosen if self._look is not None else ""
        curve = next((entry for entry in result.curves if entry.model == chosen), None)
        if curve is None:
            return head, ""
        price = format_money(value_at(curve.capacity, curve.price, x), words.currency)
        one = format_money(1.0, words.currency) if is_money else "one"
        return f"{head}, {one} more: {price}", ""
