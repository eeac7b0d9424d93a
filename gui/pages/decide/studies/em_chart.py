"""Average profit by depth, ours and as Enterprise Miner draws it."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from core.document.studies.rankings import RankingsResult
from core.document.wording import format_money, format_share
from core.presentation.labels import Labels, capitalised
from core.presentation.scales import extent
from gui.plots.own_chart import OwnChart
from gui.plots.spec import AxisSpec, Chart, SeriesSpec

DASHED = (5.0, 3.0)


class EnterpriseChart(OwnChart):
    """Two lines and two base lines; full = ours, dashed = Enterprise Miner's."""

    def __init__(self, parent: QWidget | None = None) -> None:
        self._result: RankingsResult | None = None
        self._words: Labels | None = None
        self._series = 0
        super().__init__(parent)

    def show_result(self, result: RankingsResult, words: Labels, series: int) -> None:
        """Show another model or matrix."""
        self._result, self._words, self._series = result, words, series
        self.refresh()
        self.go_to(1.0)

    def make_spec(self) -> Chart | None:
        result, words = self._result, self._words
        if result is None or words is None:
            return None
        depth = result.column("depth")
        lines = (
            ("Payoff", "cumulative_average", self._series, ()),
            ("as SAS EM", "em_cumulative_average", self._series, DASHED),
            ("base", "base_average", -1, ()),
            ("base as SAS EM", "em_base_cumulative_average", -1, DASHED),
        )
        bottom, top = extent([result.column(name) for _words, name, _series, _dash in lines])
        amount = f"average {words.amount}, best cases first"
        return Chart(
            kind="as_em",
            title="As Enterprise Miner draws it",
            subtitle=result.model,
            x_axis=AxisSpec(
                label=f"share of {words.cases} {words.done}",
                quantity="percent",
                low=0.0,
                high=1.0,
            ),
            y_axis=AxisSpec(
                label=capitalised(amount),
                quantity="money",
                currency=words.currency,
                low=bottom,
                high=top,
            ),
            series=tuple(
                SeriesSpec(
                    name=name,
                    series=series,
                    x=depth,
                    y=result.column(column),
                    dash=dash,
                    is_quiet=series < 0,
                )
                for name, column, series, dash in lines
            ),
            definition=(
                "Cumulative average of what decisions brought, cases with the highest chance "
                "first. Enterprise Miner averages among equal chances before it weights to the "
                "priors, and its base line adds averages up bin by bin."
            ),
            rows_text=result.rows.text,
            headroom=10,
            box_corner="top right",
        )

    def value_words(self, name: str, value: float) -> str:
        assert self._words is not None
        return format_money(value, self._words.currency, decimals=3)

    def place_words(self, x: float) -> tuple[str, str]:
        return f"best {format_share(x)}", ""
