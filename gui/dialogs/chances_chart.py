"""What fitted chances promise against what happened, way by way."""

from __future__ import annotations

import numpy as np
from PySide6.QtWidgets import QWidget

from core.document.decisions.chance_words import METHOD_WORDS
from core.document.model import ChanceMethod
from core.document.studies.chances import ChancesOption, ChancesResult
from gui.plots import ChartCard
from gui.plots.spec import (
    AxisSpec,
    BaselineSpec,
    Chart,
    CursorState,
    ReadingLine,
    SeriesSpec,
)

_SERIES = {None: 3, ChanceMethod.LOGISTIC: 0, ChanceMethod.ISOTONIC: 1, ChanceMethod.BANDS: 2}


class FittedChart(ChartCard):
    """Groups of cases by chance; on the diagonal chances come true. All by other folds."""

    def __init__(self, parent: QWidget | None = None) -> None:
        self._result: ChancesResult | None = None
        self._chosen = 0
        super().__init__(parent, is_compact=True)
        for name in ("pin", "expand", "zoom", "reset"):
            self._buttons[name].hide()

    def show_result(self, result: ChancesResult | None, chosen: int) -> None:
        """Show every way of a result, the chosen one with its band."""
        self._result, self._chosen = result, chosen
        self.refresh()
        self.set_cursor(0.0)  # the legend

    def make_spec(self) -> Chart | None:
        result = self._result
        if result is None:
            return None
        top = max(float(np.max([o.said.max(), o.seen.max()])) for o in result.options)
        end = min(1.0, 1.08 * max(top, 0.01))
        return Chart(
            kind="fitted chances",
            title="Do the chances come true?",
            subtitle="cross-fitted, ten groups of equal size",
            x_axis=AxisSpec(label="chance said", quantity="percent", low=0.0, high=end),
            y_axis=AxisSpec(label="share that happened", quantity="percent", low=0.0, high=end),
            series=tuple(
                self._line(option, place == self._chosen)
                for place, option in enumerate(result.options)
            ),
            baselines=(BaselineSpec(name="exact", x=np.array([0.0, end]), y=np.array([0.0, end])),),
            definition=(
                "Each case has its chance from folds that do not contain it. Cases are cut into "
                "ten groups of equal size by it; equal chances stay together. The band of the "
                "chosen way: 95 % Wilson intervals."
            ),
            rows_text=result.rows.text,
            headroom=10,
            box_corner="top left",
        )

    @staticmethod
    def _line(option: ChancesOption, is_chosen: bool) -> SeriesSpec:
        method = option.spec.method if option.spec is not None else None
        return SeriesSpec(
            name=way_words(option),
            series=_SERIES[method],
            x=option.said,
            y=option.seen,
            low=option.low if is_chosen else None,
            high=option.high if is_chosen else None,
            is_chosen=is_chosen,
        )

    def make_state(self, depth: float) -> CursorState | None:
        spec = self.make_spec()
        if spec is None:
            return None
        lines = tuple(
            ReadingLine(
                name=line.name,
                value="",
                series=line.series,
                is_chosen=line.is_chosen,
                is_hidden=line.name in self.hidden,
            )
            for line in spec.series
        )
        return CursorState(x=None, head="Cross-fitted", note="", lines=lines)

    def depth_at(self, x: float, y: float) -> float | None:
        return None

    def tip(self, x: float, y: float) -> str:
        return ""


def way_words(option: ChancesOption) -> str:
    """The name of a way in legend and list."""
    return METHOD_WORDS[option.spec.method] if option.spec is not None else "as they stand"


__all__ = ["FittedChart", "way_words"]
