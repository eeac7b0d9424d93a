"""Best profit against capacity: one line per model, flat where more changes nothing."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from core.document.studies.capacity import ACTIONS, CapacityCurve, CapacityResult
from core.document.wording import format_count, format_money
from core.presentation.labels import Labels, capitalised
from core.presentation.scales import extent
from gui.pages.decide.studies.own_chart import OwnChart
from gui.plots.readings import value_at
from gui.plots.spec import AxisSpec, Chart, SeriesSpec
from payoff.counting import counted


def action_word(acting: tuple[str, ...], words: Labels) -> str:
    """What an action does to a case: "mailed"; "acted on" where several decisions are actions."""
    return words.done if len(acting) < 2 else "acted on"


class CapacityChart(OwnChart):
    """The best profit that a number of actions, or an amount of money, can bring."""

    def __init__(self, parent: QWidget | None = None) -> None:
        self._result: CapacityResult | None = None
        self._words: Labels | None = None
        self._look: Labels | None = None
        super().__init__(parent)

    def show_result(self, result: CapacityResult, words: Labels, look: Labels) -> None:
        """Show curves; the cursor goes to the limit."""
        self._result, self._words, self._look = result, words, look
        self.refresh()
        self.go_to(result.limit)

    def make_spec(self) -> Chart | None:
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
        return Chart(
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

    def _series(self, curve: CapacityCurve, words: Labels, look: Labels) -> SeriesSpec:
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

    def _promised(self, curve: CapacityCurve, words: Labels, look: Labels) -> SeriesSpec | None:
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
