"""What page Models shows of a model that predicts several quantiles."""

from __future__ import annotations

import numpy as np

from core.document.studies.quantiles import PredictedRange, QuantilesResult
from core.document.wording import NBSP, format_count, format_share
from core.presentation.chart import (
    AxisSpec,
    BaselineSpec,
    Chart,
    PointsSpec,
    SeriesSpec,
    StopSpec,
)
from core.presentation.labels import Labels
from core.presentation.table import Table
from core.presentation.view import View
from payoff.counting import counted
from payoff.types import FloatArray

_THROUGH: tuple[float, ...] = ()
_EDGES = (1.0, 99.0)  # percentiles of the outcomes that the axis holds
_MEDIAN = 0.5
_NEXT_TO_NOTHING = 0.03  # of the highest value
_MIDDLE = "median"


def shown_ranges(answer: QuantilesResult, labels: Labels) -> View:
    """Predicted ranges over the cases, and how often outcomes kept to them."""
    series = labels.series_of(answer.model)
    table = Table(
        columns=("Range", "Promised", "Held", "95 %", "Mean width"),
        rows=tuple(_range_row(entry) for entry in answer.ranges),
        right=(1, 2, 3, 4),
        name="Predicted ranges",
    )
    return View(
        key=answer.model,
        title=f"Predicted ranges of {answer.model}",
        subtitle=answer.rows.text,
        sentences=_short_verdicts(answer),
        tables=(table,),
        charts=(_fan_chart(answer, series), _coverage_chart(answer, series)),
        notes=(*_verdicts(answer), *answer.notes),
    )


def _range_row(entry: PredictedRange) -> tuple[str, ...]:
    return (
        _ends_words(entry),
        format_share(entry.wanted),
        format_share(entry.held),
        _limits(entry.held_low, entry.held_high),
        f"{entry.width:.4g}",
    )


def _short_verdicts(answer: QuantilesResult) -> tuple[str, ...]:
    """The widest range in short: 90 % promised, 88 % held."""
    if not answer.ranges:
        return ()
    entry = answer.ranges[0]
    promised, held = format_share(entry.wanted), format_share(entry.held)
    limits = _limits(entry.held_low, entry.held_high)
    return (f"{_ends_words(entry)}: {promised} promised, {held} held ({limits})",)


def _verdicts(answer: QuantilesResult) -> tuple[str, ...]:
    """The widest range in words: what it promises and what it held."""
    if not answer.ranges:
        return ()
    entry = answer.ranges[0]
    wanted, held = format_share(entry.wanted), format_share(entry.held)
    return (
        f"The range from {_ends_words(entry)} is to hold {wanted} of the outcomes and held {held} "
        f"({_limits(entry.held_low, entry.held_high)}).",
    )


def _level_share(level: float) -> str:
    """A level as a share: 5 %, 16.25 %."""
    return f"{100 * level:.4g}{NBSP}%"


def _ends_words(entry: PredictedRange) -> str:
    """A range by its ends: 5 % to 95 %."""
    return f"{_level_share(entry.low_level)} to {_level_share(entry.high_level)}"


def _limits(low: float, high: float) -> str:
    return f"{format_share(float(low))} – {format_share(float(high))}"


# ---------------------------------------------------------------- the fan


def _fan_chart(answer: QuantilesResult, series: int) -> Chart:
    """Predicted ranges of the cases, lowest median first, with single outcomes as points."""
    middle = answer.fan[int(np.argmin(np.abs(answer.levels - _MEDIAN)))]
    ranges = [(_ends_words(entry), *_fan_ends(answer, entry)) for entry in answer.ranges]

    def line(name: str, low: FloatArray | None, high: FloatArray | None) -> SeriesSpec:
        return SeriesSpec(
            name=name,
            series=series,
            x=answer.share,
            y=middle,
            low=low,
            high=high,
            is_chosen=name == _MIDDLE,
            dash=_THROUGH,
        )

    low, high = _fan_span(answer)
    inside = (answer.outcome >= low) & (answer.outcome <= high)
    outcomes = PointsSpec(
        name="outcomes", series=-1, x=answer.outcome_share[inside], y=answer.outcome[inside]
    )
    return Chart(
        kind="predicted_ranges",
        title=f"How far may {answer.target} go?",
        subtitle=_fan_words(answer, int((~inside).sum())),
        x_axis=AxisSpec(label="cases, lowest median first", quantity="percent", low=0.0, high=1.0),
        y_axis=AxisSpec(label=answer.target, quantity="number", low=low, high=high),
        series=(*(line(*entry) for entry in ranges), line(_MIDDLE, None, None)),
        points=(outcomes,),
        definition=(
            "Cases in order of their predicted median, in hundredths; each range is the mean "
            "of its two quantiles there. Points are a draw of single cases."
        ),
        rows_text=answer.rows.text,
        notes=answer.notes,
        headroom=8,
        box_corner="top left",
        stops=tuple(_fan_stop(answer, middle, ranges, at) for at in range(len(answer.share))),
        rests_at=_MEDIAN,
    )


def _fan_words(answer: QuantilesResult, beyond: int) -> str:
    words = f"ranges by case, and {counted(len(answer.outcome), 'outcome')} as points"
    return f"{words}; {format_count(beyond)} lie beyond the axis" if beyond else words


def _fan_stop(
    answer: QuantilesResult,
    middle: FloatArray,
    ranges: list[tuple[str, FloatArray, FloatArray]],
    at: int,
) -> StopSpec:
    """What is read of one hundredth of the cases."""
    place, value = float(answer.share[at]), float(middle[at])
    ends = ((name, f"{low[at]:.4g} – {high[at]:.4g}") for name, low, high in ranges)
    return StopSpec(
        x=place,
        y=value,
        head=f"at {format_share(place)} of the cases",
        lines=((_MIDDLE, f"{value:.4g}"), *ends),
    )


def _fan_ends(answer: QuantilesResult, entry: PredictedRange) -> tuple[FloatArray, FloatArray]:
    """The fan at the two ends of a range."""
    low, high = (
        int(np.argmin(np.abs(answer.levels - level)))
        for level in (entry.low_level, entry.high_level)
    )
    return answer.fan[low], answer.fan[high]


def _fan_span(answer: QuantilesResult) -> tuple[float, float]:
    """The axis holds the fan and all but the furthest outcomes."""
    ends = np.percentile(answer.outcome, _EDGES)
    low = min(float(answer.fan.min()), float(ends[0]))
    high = max(float(answer.fan.max()), float(ends[1]))
    if -_NEXT_TO_NOTHING * high < low < 0.0:
        low = 0.0  # a little below 0 would cost the chart a whole step of the axis
    return (low, high) if high > low else (low - 1.0, high + 1.0)


# ---------------------------------------------------------------- coverage


def _coverage_chart(answer: QuantilesResult, series: int) -> Chart:
    """Share of outcomes below each predicted quantile, beside the share that it promises."""
    whole = np.array([0.0, 1.0])
    words = "on rows that did not train it, with 95 % bands"
    if not answer.is_fresh:
        words = "on rows that trained it, which flatter it"
    line = SeriesSpec(
        name=answer.model,
        series=series,
        x=answer.levels,
        y=answer.below,
        low=answer.below_low,
        high=answer.below_high,
        is_chosen=True,
        dash=_THROUGH,
    )
    axis = AxisSpec(label="share below, as predicted", quantity="percent", low=0.0, high=1.0)
    return Chart(
        kind="quantile_coverage",
        title="Do its ranges hold?",
        subtitle=words,
        x_axis=axis,
        y_axis=AxisSpec(
            label="share below, as it was", quantity="percent", low=0.0, high=1.0, last_tick=1.0
        ),
        series=(line,),
        baselines=(BaselineSpec(name="as promised", x=whole, y=whole, label_at=0.8, side="below"),),
        definition=(
            "Share of the outcomes at or below each predicted quantile, beside its level. A "
            "range holds as often as its two ends say together. Limits by Wilson."
        ),
        rows_text=answer.rows.text,
        notes=(*_verdicts(answer), *answer.notes),
        headroom=8,
        box_corner="bottom right",
        stops=tuple(_level_stop(answer, at) for at in range(len(answer.levels))),
        rests_at=1.0,  # the highest level: an end of the widest range
    )


def _level_stop(answer: QuantilesResult, at: int) -> StopSpec:
    """What is read at one level: the share below it, and the range that it is an end of."""
    level, below = float(answer.levels[at]), float(answer.below[at])
    limits = _limits(answer.below_low[at], answer.below_high[at])
    lines = [(answer.model, f"{format_share(below)} ({limits})")]
    found = (e for e in answer.ranges if level in (e.low_level, e.high_level))
    entry = next(found, None)
    if entry is not None:
        held = f"{format_share(entry.held)} ({_limits(entry.held_low, entry.held_high)})"
        lines += [(_ends_words(entry), held), ("wanted", format_share(entry.wanted))]
    return StopSpec(x=level, y=below, head=f"quantile {_level_share(level)}", lines=tuple(lines))
