"""The chart of one input: how the prediction depends on it, and where the cases lie."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtWidgets import QWidget

from core.document.training_results import DependenceCurve
from core.document.wording import format_share
from core.presentation.numbers import number_words, predicted_words
from core.presentation.scales import nice_step
from gui.plots.card import ChartCard
from gui.plots.spec import (
    AxisSpec,
    BarsSpec,
    Chart,
    CursorState,
    Quantity,
    ReadingLine,
    Ring,
    SeriesSpec,
)
from payoff.types import FloatArray


class DependenceChart(ChartCard):
    """A line with its band over a number, bars over levels; strokes show where cases are."""

    def __init__(self, parent: QWidget | None = None) -> None:
        self._curve: DependenceCurve | None = None
        self._model = ""
        self._series = 0
        self._words = ""
        self._rows = ""
        self._output = 0
        self._is_chance = False
        super().__init__(parent, is_compact=True)
        for name in ("pin", "expand"):
            self._buttons[name].hide()
        self.cursor_requested.connect(self.set_cursor)

    def show_curve(
        self,
        curve: DependenceCurve | None,
        model: str,
        series: int,
        *,
        words: str = "",
        output: int = 0,
        is_chance: bool = False,
        rows: str = "",
    ) -> None:
        """Show a curve; ``words`` say what is predicted, ``output`` which row of it is drawn."""
        is_other = curve is None or self._curve is None or curve.column != self._curve.column
        self._curve, self._model, self._series = curve, model, series
        self._words, self._output, self._is_chance, self._rows = words, output, is_chance, rows
        if is_other:
            self._depth = None
        self.refresh()

    @property
    def curve(self) -> DependenceCurve | None:
        """The dependence that the chart draws; None where it is empty."""
        return self._curve

    def make_spec(self) -> Chart | None:
        curve = self._curve
        if curve is None or len(curve.x) == 0:
            return None
        y, low, high = curve.y[self._output], curve.low[self._output], curve.high[self._output]
        quantity: Quantity = "percent" if self._is_chance else "number"
        is_nominal = bool(curve.levels)
        bottom, top = _range(y, low, high, has_zero=is_nominal)
        return Chart(
            kind=f"dependence {curve.column}",
            title=f"How does {curve.column} change the prediction?",
            subtitle=self._subtitle_words(curve),
            x_axis=_x_axis(curve),
            y_axis=AxisSpec(label=self._words, quantity=quantity, low=bottom, high=top),
            series=() if is_nominal else (self._line(curve.x, y, low, high),),
            bars=(self._bars(curve.x, y),) if is_nominal else (),
            definition=self._definition(is_nominal=is_nominal),
            rows_text=self._rows,
            rug=None if is_nominal else curve.rug,
            headroom=10,
            box_corner="beside cursor",
        )

    def _definition(self, *, is_nominal: bool) -> str:
        """What is drawn: bars over levels have neither a band nor strokes."""
        text = (
            "The mean prediction of the cases when this input is set to each value in turn and "
            "everything else stays as it is."
        )
        if is_nominal:
            return text
        more = (
            "The band holds the middle 80 % of single cases: where it is wide, other inputs matter "
            "as well. Strokes at the foot show where cases lie; where there are none the curve is "
            "a guess."
        )
        return f"{text} {more}"

    def _subtitle_words(self, curve: DependenceCurve) -> str:
        parts = [self._model]
        at_missing = float(curve.at_missing[self._output])
        if curve.missing_share > 0 and math.isfinite(at_missing):
            words = predicted_words(at_missing, is_chance=self._is_chance)
            parts.append(
                f"where it is missing ({format_share(curve.missing_share)} of cases): {words}"
            )
        elif not curve.levels:
            parts.append("band: the middle 80 % of cases")
        return ", ".join(parts)

    def _line(self, x: FloatArray, y: FloatArray, low: FloatArray, high: FloatArray) -> SeriesSpec:
        return SeriesSpec(
            name=self._model,
            series=self._series,
            x=x,
            y=y,
            low=low,
            high=high,
            is_chosen=True,
            dash=(),
        )

    def _bars(self, x: FloatArray, y: FloatArray) -> BarsSpec:
        return BarsSpec(name=self._model, series=self._series, x=x, y=y, offset=0.0, width=0.6)

    # ------------------------------------------------------------ the cursor

    def make_state(self, depth: float) -> CursorState | None:
        curve = self._curve
        if curve is None or len(curve.x) == 0:
            return None
        axis = _x_axis(curve)
        at = axis.low + depth * (axis.high - axis.low)
        row = curve.y[self._output]
        if curve.levels:
            place = min(len(curve.levels) - 1, max(0, round(at)))
            at, value, head = float(place), float(row[place]), curve.levels[place]
        else:
            value, head = float(np.interp(at, curve.x, row)), number_words(at)
        words = predicted_words(value, is_chance=self._is_chance)
        line = ReadingLine(
            name=self._model, value=words, series=self._series, dash=(), is_bar=bool(curve.levels)
        )
        rings = () if curve.levels else (Ring(x=at, y=value, series=self._series, name="here"),)
        return CursorState(x=at, head=f"{curve.column} {head}", note="", lines=(line,), rings=rings)

    def depth_at(self, x: float, y: float) -> float | None:
        if self._curve is None:
            return None
        axis = _x_axis(self._curve)
        return (x - axis.low) / (axis.high - axis.low)


def _x_axis(curve: DependenceCurve) -> AxisSpec:
    if curve.levels:
        return AxisSpec(
            label=curve.column,
            quantity="number",
            low=-0.5,
            high=len(curve.levels) - 0.5,
            words=curve.levels,
        )
    low, high = float(curve.x[0]), float(curve.x[-1])
    if high <= low:
        low, high = low - 0.5, high + 0.5
    return AxisSpec(label=curve.column, quantity="number", low=low, high=high)


def _range(
    y: FloatArray, low: FloatArray, high: FloatArray, *, has_zero: bool
) -> tuple[float, float]:
    """From the lowest to the highest of line and band, down to a round number below."""
    values = np.concatenate([y, low, high])
    values = values[np.isfinite(values)]
    bottom, top = (float(values.min()), float(values.max())) if len(values) else (0.0, 1.0)
    if has_zero or (bottom > 0 and bottom < 0.4 * top):
        bottom = min(0.0, bottom)
    if top <= bottom:
        top = bottom + (abs(bottom) or 1.0) * 0.1
    step = nice_step(top - bottom, 4)
    return math.floor(bottom / step + 1e-9) * step if bottom < 0 else bottom, top
