"""What the chances promise and what came in, by depth, with the room that chance alone explains."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from core.document.studies.gap import GapResult
from core.document.wording import format_money, format_share
from core.presentation.labels import Labels, capitalised
from core.presentation.scales import extent
from gui.plots.own_chart import OwnChart
from gui.plots.readings import value_at
from gui.plots.spec import AxisSpec, Chart, SeriesSpec


class GapChart(OwnChart):
    """Two lines of one model over the depth; the band belongs to the promise."""

    def __init__(self, parent: QWidget | None = None) -> None:
        self._result: GapResult | None = None
        self._words: Labels | None = None
        self._series = 0
        super().__init__(parent)

    def show_result(self, result: GapResult, words: Labels, series: int) -> None:
        """Show another model or matrix; the cursor goes to the rule."""
        self._result, self._words, self._series = result, words, series
        self.refresh()
        self.go_to(result.rule_depth)

    def make_spec(self) -> Chart | None:
        result, words = self._result, self._words
        if result is None or words is None:
            return None
        sign = -1.0 if words.is_loss else 1.0
        low, high = (result.high, result.low) if words.is_loss else (result.low, result.high)
        bottom, top = extent([sign * line for line in (result.realised, low, high)])
        return Chart(
            kind="gap",
            title="Do the chances keep their promise?",
            subtitle=result.model,
            x_axis=AxisSpec(
                label=f"share of {words.cases} {words.done}",
                quantity="percent",
                low=0.0,
                high=1.0,
            ),
            y_axis=AxisSpec(
                label=capitalised(f"total {words.amount}"),
                quantity="money",
                currency=words.currency,
                low=bottom,
                high=top,
            ),
            series=(
                SeriesSpec(
                    name="promised",
                    series=self._series,
                    x=result.depth,
                    y=sign * result.expected,
                    low=sign * low,
                    high=sign * high,
                    dash=(5.0, 3.0),
                    is_quiet=True,
                ),
                SeriesSpec(
                    name=words.verbs.came_in,
                    series=self._series,
                    x=result.depth,
                    y=sign * result.realised,
                    is_chosen=True,
                    dash=(),
                ),
            ),
            definition=(
                "The dashed line adds up what the chances promise of acting on the best n %, the "
                f"full line what that really {words.verbs.brought}. If the chances "
                "are right, the full line lies "
                "within the band at 95 of 100 depths looked at one at a time."
            ),
            variant=result.holds_fixed,
            rows_text=result.rows.text,
            headroom=10,
            box_corner="top right",
        )

    def value_words(self, name: str, value: float) -> str:
        assert self._words is not None
        return format_money(value, self._words.currency)

    def place_words(self, x: float) -> tuple[str, str]:
        result, words = self._result, self._words
        assert result is not None
        assert words is not None
        gap = value_at(result.depth, result.realised - result.expected, x)
        return f"best {format_share(x)}, gap {words.money(gap, sign=True)}", ""
