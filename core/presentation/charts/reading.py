"""What is read at a point of a chart, and the numbers behind it: for pointer, keys and tables."""

from __future__ import annotations

import math

import numpy as np

from core.document.files.spreadsheet import csv_text
from core.document.wording import format_money, format_share, name_in_text
from core.presentation.charts.chart import AsideSpec, AxisSpec, Chart, Quantity
from core.presentation.labels import capitalised, every_digit, number_words, setting_words
from core.presentation.view import Table
from payoff.counting import counted
from payoff.types import FloatArray

HEADER = ("curve", "x", "value", "low", "high")


def quantity_words(value: float, quantity: Quantity, currency: str) -> str:
    """A value as an axis of its quantity writes it."""
    if quantity == "money":
        return format_money(value, currency)
    return format_share(value) if quantity == "percent" else number_words(value)


def place_words(chart: Chart, x: float) -> str:
    """A place of the x axis with what is read beside the lines: "500 letters, one more: € 1.20"."""
    axis, unnamed = chart.x_axis, [aside for aside in chart.asides if not aside.name]
    ready = next((aside for aside in unnamed if aside.texts), None)
    if ready is not None:
        return aside_words(ready, x)
    if axis.words:
        head = axis.words[word_place(axis, x)]
    elif axis.counts is not None:
        head = counted(x, *axis.counts)
    else:
        head = quantity_words(x, axis.quantity, axis.currency)
    described = [axis.template.format(head)]
    described += [aside_words(aside, x) for aside in unnamed]
    return ", ".join(described)


def aside_words(aside: AsideSpec, x: float) -> str:
    """What an aside says at a place of the x axis."""
    if aside.texts:
        return aside.texts[int(np.abs(aside.x - x).argmin())]
    assert aside.y is not None
    value = float(np.interp(x, aside.x, aside.y))
    if aside.quantity == "money":
        return aside.words.format(format_money(value, aside.currency, sign=aside.has_sign))
    return aside.words.format(quantity_words(value, aside.quantity, ""))


def word_place(axis: AxisSpec, x: float) -> int:
    """The place of an axis of words that is nearest."""
    return min(len(axis.words) - 1, max(0, round(x)))


# ---------------------------------------------------------------- areas


def area_shape(chart: Chart) -> tuple[int, int]:
    """Rows and columns of the grid that fills a chart's area."""
    if chart.regions is not None:
        return chart.regions.region.shape[0], chart.regions.region.shape[1]
    assert chart.shades is not None
    return chart.shades.values.shape[0], chart.shades.values.shape[1]


def area_point(chart: Chart, x: float, y: float) -> tuple[int, int] | None:
    """Column and row of the grid nearest to a point of the axes; None outside."""
    rows, columns = area_shape(chart)
    across = (x - chart.x_axis.low) / (chart.x_axis.high - chart.x_axis.low)
    up = (y - chart.y_axis.low) / (chart.y_axis.high - chart.y_axis.low)
    if not (0.0 <= across <= 1.0 and 0.0 <= up <= 1.0):
        return None
    if chart.regions is not None:
        return round(across * (columns - 1)), round(up * (rows - 1))
    return min(columns - 1, int(across * columns)), min(rows - 1, int(up * rows))


def area_place(chart: Chart, column: int, row: int) -> tuple[float, float]:
    """The values of both axes at a point of the grid."""
    rows, columns = area_shape(chart)
    ends = ((chart.x_axis, column, columns), (chart.y_axis, row, rows))
    if chart.regions is not None:
        across, up = (
            axis.low + (axis.high - axis.low) * at / max(1, count - 1) for axis, at, count in ends
        )
    else:
        across, up = (
            axis.low + (axis.high - axis.low) * (at + 0.5) / count for axis, at, count in ends
        )
    return across, up


def area_words(chart: Chart, column: int, row: int) -> str:
    """What stands at a point of the grid."""
    regions, shades = chart.regions, chart.shades
    if regions is not None:
        x, y = area_place(chart, column, row)
        first, second = (
            f"{name} {_axis_words(axis, at)}"
            for name, axis, at in zip(
                regions.numbers, (chart.x_axis, chart.y_axis), (x, y), strict=True
            )
        )
        winner = regions.names[int(regions.region[row, column])]
        after = regions.names[int(regions.second[row, column])]
        value = format_money(float(regions.value[row, column]), regions.currency)
        margin = setting_words(float(regions.margin[row, column]), "money", regions.currency)
        lead = f"{margin} ahead of {name_in_text(after)}"
        return f"{capitalised(first)}, {second}:\n{winner}, {value}\n{lead}"
    assert shades is not None
    first = _level(chart.x_axis, shades.x, column)
    second = _level(chart.y_axis, shades.y, row)
    shade = quantity_words(float(shades.values[row, column]), shades.quantity, "")
    return f"{chart.x_axis.label} {first}, {chart.y_axis.label} {second}: {shade}"


def _axis_words(axis: AxisSpec, value: float) -> str:
    unit = "share" if axis.quantity == "percent" else "money"
    return setting_words(value, unit, axis.currency)


def _level(axis: AxisSpec, places: FloatArray, at: int) -> str:
    if axis.words:
        return axis.words[at]
    return quantity_words(float(places[at]), axis.quantity, axis.currency)


# ---------------------------------------------------------------- numbers


def chart_numbers(chart: Chart) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Header and rows: every curve with its band, bars, points, then baselines, as plain numbers.

    Hidden curves are left out, as in the picture. Numbers are written so that reading them back
    gives the same value; an empty cell is a missing one. A chart of an area has a row for each of
    its points, one of steps or tiles a row for each.
    """
    if chart.fills_area:
        return _area_table(chart)
    if chart.steps:
        header: tuple[str, ...] = ("step", "from", "to", "words")
        return header, [
            (step.name, every_digit(step.start), every_digit(step.end), step.words)
            for step in chart.steps
        ]
    if chart.tiles:
        header = ("group", "cases", "share", "in words")
        return header, [(tile.name, tile.figure, tile.note, tile.exact) for tile in chart.tiles]
    rows: list[tuple[str, ...]] = []
    for entry in chart.visible_series():
        rows += _rows(entry.name, entry.x, entry.y, entry.low, entry.high)
    for bars in chart.visible_bars():
        rows += _rows(bars.name, bars.x, bars.y, None, None)
    for points in chart.visible_points():
        rows += _rows(points.name, points.x, points.y, None, None)
    named = [line for line in chart.baselines if line.name]
    for line in named:  # what has no name on the chart says nothing in a table
        rows += _rows(line.name, line.x, line.y, None, None)
    header = (HEADER[0], _axis_name(chart.x_axis), _axis_name(chart.y_axis), *HEADER[3:])
    return header, rows


def _area_table(chart: Chart) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    rows, columns = area_shape(chart)
    axes = (_axis_name(chart.x_axis), _axis_name(chart.y_axis))
    points = [(column, row) for row in range(rows) for column in range(columns)]
    regions, shades = chart.regions, chart.shades
    if regions is not None:
        header: tuple[str, ...] = ("winner", *axes, "value", "ahead by", "second")
        return header, [
            (
                regions.names[int(regions.region[row, column])],
                *map(every_digit, area_place(chart, column, row)),
                every_digit(float(regions.value[row, column])),
                every_digit(float(regions.margin[row, column])),
                regions.names[int(regions.second[row, column])],
            )
            for column, row in points
        ]
    assert shades is not None
    return (chart.x_axis.label, chart.y_axis.label, "value"), [
        (
            chart.x_axis.words[column]
            if chart.x_axis.words
            else every_digit(float(shades.x[column])),
            chart.y_axis.words[row] if chart.y_axis.words else every_digit(float(shades.y[row])),
            every_digit(float(shades.values[row, column])),
        )
        for column, row in points
    ]


def _rows(
    name: str, x: FloatArray, y: FloatArray, low: FloatArray | None, high: FloatArray | None
) -> list[tuple[str, ...]]:
    lows = low.tolist() if low is not None else [math.nan] * len(x)
    highs = high.tolist() if high is not None else [math.nan] * len(x)
    return [
        (name, every_digit(a), every_digit(b), every_digit(c), every_digit(d))
        for a, b, c, d in zip(x.tolist(), y.tolist(), lows, highs, strict=True)
    ]


def _axis_name(axis: AxisSpec) -> str:
    unit = (
        axis.currency if axis.quantity == "money" else "share" if axis.quantity == "percent" else ""
    )
    return f"{axis.label} ({unit})" if unit else axis.label


def chart_csv(chart: Chart) -> str:
    """The table as CSV text: comma, point, UTF-8."""
    header, rows = chart_numbers(chart)
    return csv_text([header, *rows])


MOST_NUMBERS = 120  # rows of numbers behind a chart; a curve has a thousand points


def numbers_behind(chart: Chart) -> Table:
    """The numbers of a chart, of long curves every so many, rounded for reading."""
    header, rows = chart_numbers(chart)
    step = max(1, -(-len(rows) // MOST_NUMBERS))
    thinned = tuple(tuple(map(shown_number, row)) for row in rows[::step])
    right = (at for at in range(1, len(header)) if all(is_number(row[at]) for row in rows))
    return Table(columns=header, rows=thinned, right=tuple(right))


def is_number(text: str) -> bool:
    """Whether a cell of the numbers behind a chart is one, or missing."""
    try:
        float(text or 0.0)
    except ValueError:
        return False
    return True


def shown_number(text: str) -> str:
    """Six digits are enough to read."""
    return f"{float(text):.6g}" if text and is_number(text) else text
