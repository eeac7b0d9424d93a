"""What page Models shows of a model that predicts several quantiles."""

from __future__ import annotations

import numpy as np

from core.document.studies.compare import PredictedRange, QuantilesResult
from core.document.wording import NBSP, NumberText, format_count, format_share, name_in_text
from core.presentation.charts.chart import (
    AsideSpec,
    AxisSpec,
    BaselineSpec,
    Chart,
    PointsSpec,
    SeriesSpec,
)
from core.presentation.labels import Labels, four_digits
from core.presentation.view import Table, View
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
        title=f"Predicted ranges of {name_in_text(answer.model)}",
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
        four_digits(entry.width),
    )


def _short_verdicts(answer: QuantilesResult) -> tuple[str, ...]:
    """The widest range in short: 90 % promised, 88 % held."""
    if not answer.ranges:
        return ()
    entry = answer.ranges[0]
    expected, held = format_share(entry.wanted), format_share(entry.held)
    limits = _limits(entry.held_low, entry.held_high)
    return (f"{_ends_words(entry)}: {expected} promised, {held} held ({limits})",)


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


def _limits(low: float, high: float) -> NumberText:
    words = f"{format_share(float(low))} – {format_share(float(high))}"
    return NumberText(words, float(low), float(high))


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
        x_axis=AxisSpec(
            label="cases, lowest median first",
            quantity="percent",
            low=0.0,
            high=1.0,
            template="at {} of the cases",
        ),
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
        asides=_fan_asides(answer.share, middle, ranges),
        rests_at=_MEDIAN,
    )


def _fan_words(answer: QuantilesResult, beyond: int) -> str:
    words = f"ranges by case, and {counted(len(answer.outcome), 'outcome')} as points"
    return f"{words}; {format_count(beyond)} lie beyond the axis" if beyond else words


def _fan_asides(
    places: FloatArray, middle: FloatArray, ranges: list[tuple[str, FloatArray, FloatArray]]
) -> tuple[AsideSpec, ...]:
    """What is read of each hundredth of the cases: its median, and both ends of each range."""
    described = {_MIDDLE: [f"{value:.4g}" for value in middle]}
    for name, low, high in ranges:
        described[name] = [f"{a:.4g} – {b:.4g}" for a, b in zip(low, high, strict=True)]
    return tuple(AsideSpec(name=name, x=places, texts=tuple(described[name])) for name in described)


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
        asides=_level_asides(answer),
        rests_at=1.0,  # the highest level: an end of the widest range
    )


def _level_asides(answer: QuantilesResult) -> tuple[AsideSpec, ...]:
    """What is read at each level: the share below it, and the range that it is an end of."""
    heads = [f"quantile {_level_share(level)}" for level in answer.levels.tolist()]
    below = [
        f"{format_share(float(share))} ({_limits(low, high)})"
        for share, low, high in zip(answer.below, answer.below_low, answer.below_high, strict=True)
    ]
    described = {"": heads, answer.model: below}
    wanted = [""] * len(heads)
    for entry in answer.ranges:
        held = f"{format_share(entry.held)} ({_limits(entry.held_low, entry.held_high)})"
        is_end = [level in (entry.low_level, entry.high_level) for level in answer.levels.tolist()]
        described[_ends_words(entry)] = [held if ends else "" for ends in is_end]
        wanted = [
            format_share(entry.wanted) if ends else known
            for ends, known in zip(is_end, wanted, strict=True)
        ]
    described["wanted"] = wanted
    return tuple(AsideSpec(name=n, x=answer.levels, texts=tuple(described[n])) for n in described)
