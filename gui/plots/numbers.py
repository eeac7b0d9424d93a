"""The numbers behind a chart, as rows: for the table, the CSV file and the clipboard."""

from __future__ import annotations

import math

from core.document.files.spreadsheet import csv_text
from gui.plots.spec import AxisSpec, ChartSpec
from payoff.types import FloatArray

HEADER = ("curve", "x", "value", "low", "high")


def chart_table(spec: ChartSpec) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Header and rows: every curve with its band, bars, points, then baselines, as plain numbers.

    Hidden curves are left out, as in the picture. Numbers are written so that reading them back
    gives the same value; an empty cell is a missing one.
    """
    rows: list[tuple[str, ...]] = []
    for entry in spec.visible_series():
        rows += _rows(entry.name, entry.x, entry.y, entry.low, entry.high)
    for bars in spec.visible_bars():
        rows += _rows(bars.name, bars.x, bars.y, None, None)
    for points in spec.visible_points():
        rows += _rows(points.name, points.x, points.y, None, None)
    named = [line for line in spec.baselines if line.name]
    for line in named:  # what has no name on the chart says nothing in a table
        rows += _rows(line.name, line.x, line.y, None, None)
    header = (HEADER[0], _axis_name(spec.x_axis), _axis_name(spec.y_axis), *HEADER[3:])
    return header, rows


def _rows(
    name: str, x: FloatArray, y: FloatArray, low: FloatArray | None, high: FloatArray | None
) -> list[tuple[str, ...]]:
    lows = low.tolist() if low is not None else [math.nan] * len(x)
    highs = high.tolist() if high is not None else [math.nan] * len(x)
    return [
        (name, _number(a), _number(b), _number(c), _number(d))
        for a, b, c, d in zip(x.tolist(), y.tolist(), lows, highs, strict=True)
    ]


def _axis_name(axis: AxisSpec) -> str:
    unit = (
        axis.currency if axis.quantity == "money" else "share" if axis.quantity == "percent" else ""
    )
    return f"{axis.label} ({unit})" if unit else axis.label


def _number(value: float) -> str:
    return "" if math.isnan(value) else repr(value)


def chart_csv(spec: ChartSpec) -> str:
    """The table as CSV text: comma, point, UTF-8."""
    header, rows = chart_table(spec)
    return csv_text([header, *rows])
