"""Charts of a model of several quantiles: its fan over the cases, and how often it holds."""

from __future__ import annotations

import numpy as np
from PySide6.QtWidgets import QWidget

from core.document.studies.quantiles import PredictedRange, QuantilesResult
from core.document.wording import format_count, format_share
from gui.plots.card import ChartCard
from gui.plots.spec import (
    AxisSpec,
    BaselineSpec,
    Chart,
    CursorState,
    PointsSpec,
    ReadingLine,
    Ring,
    SeriesSpec,
)
from payoff.counting import counted
from payoff.types import FloatArray

_THROUGH: tuple[float, ...] = ()
_EDGES = (1.0, 99.0)  # percentiles of the outcomes that the axis holds
_MEDIAN = 0.5
_NEXT_TO_NOTHING = 0.03  # of the highest value


def level_words(level: float) -> str:
    """A level as a share: 5 %, 16.25 %."""
    return f"{100 * level:.4g}\N{NO-BREAK SPACE}%"


def range_words(entry: PredictedRange) -> str:
    """A range by its ends: 5 % to 95 %."""
    return f"{level_words(entry.low_level)} to {level_words(entry.high_level)}"


class RangeChart(ChartCard):
    """What both charts share: a result, the colour of its model, a cursor of their own."""

    first_place = _MEDIAN  # of the cursor

    def __init__(self, parent: QWidget | None = None) -> None:
        self._result: QuantilesResult | None = None
        self._series = 0
        super().__init__(parent, is_compact=True)
        self._buttons["pin"].hide()
        self._buttons["expand"].hide()
        self.cursor_requested.connect(self.set_cursor)

    def show_result(self, result: QuantilesResult | None, series: int) -> None:
        """Show another result; None leaves the card empty."""
        self._result, self._series = result, series
        self._depth = self.first_place
        self.refresh()

    @property
    def result(self) -> QuantilesResult | None:
        """The predicted ranges that the chart draws; None where it is empty."""
        return self._result

    def depth_at(self, x: float, y: float) -> float | None:
        return None if self._result is None else min(max(x, 0.0), 1.0)

    def reading(self, name: str, value: str, *, is_chosen: bool = False) -> ReadingLine:
        """One line of the read-out in the model's colour."""
        return ReadingLine(
            name=name,
            value=value,
            series=self._series,
            is_chosen=is_chosen,
            is_hidden=name in self.hidden,
            dash=_THROUGH,
        )


class FanChart(RangeChart):
    """Predicted ranges of the cases, lowest median first, with single outcomes as points."""

    def make_spec(self) -> Chart | None:
        result = self._result
        if result is None:
            return None
        middle = result.fan[_middle(result)]
        series = [
            self._line(range_words(entry), middle, *_ends(result, entry)) for entry in result.ranges
        ]
        series.append(self._line("median", middle, is_chosen=True))
        low, high = _span(result)
        inside = (result.outcome >= low) & (result.outcome <= high)
        beyond = int((~inside).sum())
        many = counted(len(result.outcome), "outcome")
        words = f"ranges by case, and {many} as points"
        if beyond:
            words += f"; {format_count(beyond)} lie beyond the axis"
        return Chart(
            kind="predicted_ranges",
            title=f"How far may {result.target} go?",
            subtitle=words,
            x_axis=AxisSpec(
                label="cases, lowest median first", quantity="percent", low=0.0, high=1.0
            ),
            y_axis=AxisSpec(label=result.target, quantity="number", low=low, high=high),
            series=tuple(series),
            points=(
                PointsSpec(
                    name="outcomes",
                    series=-1,
                    x=result.outcome_share[inside],
                    y=result.outcome[inside],
                ),
            ),
            definition=(
                "Cases in order of their predicted median, in hundredths; each range is the mean "
                "of its two quantiles there. Points are a draw of single cases."
            ),
            rows_text=result.rows.text,
            notes=result.notes,
            headroom=8,
            box_corner="top left",
        )

    def _line(
        self,
        name: str,
        middle: FloatArray,
        low: FloatArray | None = None,
        high: FloatArray | None = None,
        *,
        is_chosen: bool = False,
    ) -> SeriesSpec:
        assert self._result is not None  # by the caller
        return SeriesSpec(
            name=name,
            series=self._series,
            x=self._result.share,
            y=middle,
            low=low,
            high=high,
            is_chosen=is_chosen,
            dash=_THROUGH,
        )

    def make_state(self, depth: float) -> CursorState | None:
        result = self._result
        if result is None:
            return None
        place = int(np.argmin(np.abs(result.share - depth)))
        middle = float(result.fan[_middle(result), place])
        lines = [self.reading("median", f"{middle:.4g}", is_chosen=True)]
        for entry in result.ranges:
            low, high = (float(end[place]) for end in _ends(result, entry))
            lines.append(self.reading(range_words(entry), f"{low:.4g} – {high:.4g}"))
        x = float(result.share[place])
        rings = (Ring(x=x, y=middle, series=self._series, name="median"),)
        head = f"at {format_share(x)} of the cases"
        return CursorState(x=x, head=head, note="", lines=tuple(lines), rings=rings)


class CoverageChart(RangeChart):
    """Share of outcomes below each predicted quantile, beside the share that it promises."""

    first_place = 1.0  # the highest level: an end of the widest range

    def make_spec(self) -> Chart | None:
        result = self._result
        if result is None:
            return None
        whole = np.array([0.0, 1.0])
        words = "on rows that did not train it, with 95 % bands"
        if not result.is_fresh:
            words = "on rows that trained it, which flatter it"
        return Chart(
            kind="quantile_coverage",
            title="Do its ranges hold?",
            subtitle=words,
            x_axis=AxisSpec(
                label="share below, as predicted", quantity="percent", low=0.0, high=1.0
            ),
            y_axis=AxisSpec(
                label="share below, as it was",
                quantity="percent",
                low=0.0,
                high=1.0,
                last_tick=1.0,
            ),
            series=(
                SeriesSpec(
                    name=result.model,
                    series=self._series,
                    x=result.levels,
                    y=result.below,
                    low=result.below_low,
                    high=result.below_high,
                    is_chosen=True,
                    dash=_THROUGH,
                ),
            ),
            baselines=(
                BaselineSpec(name="as promised", x=whole, y=whole, label_at=0.8, side="below"),
            ),
            definition=(
                "Share of the outcomes at or below each predicted quantile, beside its level. A "
                "range holds as often as its two ends say together. Limits by Wilson."
            ),
            rows_text=result.rows.text,
            notes=(*_verdicts(result), *result.notes),
            headroom=8,
            box_corner="bottom right",
        )

    def make_state(self, depth: float) -> CursorState | None:
        result = self._result
        if result is None:
            return None
        place = int(np.argmin(np.abs(result.levels - depth)))
        level, below = float(result.levels[place]), float(result.below[place])
        words = (
            f"{format_share(below)} ({_limits(result.below_low[place], result.below_high[place])})"
        )
        lines = [self.reading("below it", words, is_chosen=True)]
        entry = _range_with(result, level)
        if entry is not None:
            held = f"{format_share(entry.held)} ({_limits(entry.held_low, entry.held_high)})"
            lines.append(self.reading(range_words(entry), held))
            lines.append(
                ReadingLine(name="wanted", value=format_share(entry.wanted), series=None, dash=None)
            )
        rings = (Ring(x=level, y=below, series=self._series, name=result.model),)
        head = f"quantile {level_words(level)}"
        return CursorState(x=level, head=head, note="", lines=tuple(lines), rings=rings)


def _middle(result: QuantilesResult) -> int:
    """The place of the level nearest to one half."""
    return int(np.argmin(np.abs(result.levels - _MEDIAN)))


def _ends(result: QuantilesResult, entry: PredictedRange) -> tuple[FloatArray, FloatArray]:
    """The fan at the two ends of a range."""
    low, high = (
        int(np.argmin(np.abs(result.levels - level)))
        for level in (entry.low_level, entry.high_level)
    )
    return result.fan[low], result.fan[high]


def _span(result: QuantilesResult) -> tuple[float, float]:
    """The axis holds the fan and all but the furthest outcomes."""
    ends = np.percentile(result.outcome, _EDGES)
    low = min(float(result.fan.min()), float(ends[0]))
    high = max(float(result.fan.max()), float(ends[1]))
    if -_NEXT_TO_NOTHING * high < low < 0.0:
        low = 0.0  # a little below 0 would cost the chart a whole step of the axis
    return (low, high) if high > low else (low - 1.0, high + 1.0)


def _limits(low: float, high: float) -> str:
    return f"{format_share(float(low))} – {format_share(float(high))}"


def _range_with(result: QuantilesResult, level: float) -> PredictedRange | None:
    """The range that a level is an end of."""
    found = (e for e in result.ranges if level in (e.low_level, e.high_level))
    return next(found, None)


def verdict(result: QuantilesResult) -> str:
    """The widest range in short: 90 % promised, 88 % held."""
    if not result.ranges:
        return ""
    entry = result.ranges[0]
    shares = (format_share(entry.wanted), format_share(entry.held))
    words = "{}: {} promised, {} held".format(range_words(entry), *shares)
    return f"{words} ({_limits(entry.held_low, entry.held_high)})"


def _verdicts(result: QuantilesResult) -> tuple[str, ...]:
    """The widest range in words: what it promises and what it held."""
    if not result.ranges:
        return ()
    entry = result.ranges[0]
    words = "The range from {ends} is to hold {wanted} of the outcomes and held {held} ({limits})."
    for name, value in (
        ("{ends}", range_words(entry)),
        ("{wanted}", format_share(entry.wanted)),
        ("{held}", format_share(entry.held)),
        ("{limits}", _limits(entry.held_low, entry.held_high)),
    ):
        words = words.replace(name, value)
    return (words,)
