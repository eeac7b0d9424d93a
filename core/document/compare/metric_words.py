"""How figures of metrics are written: values, differences and intervals, for window and report."""

from __future__ import annotations

from core.document.plugin_results import MetricInfo
from core.document.wording import (
    NumberText,
    format_interval,
    format_money,
    format_number,
    format_share,
)

POINTS = " points"
"""Of a difference of percentages."""


def metric_value(info: MetricInfo, value: float) -> NumberText:
    """A metric's value in its unit and decimals."""
    if info.unit == "percent":
        return format_share(value, info.decimals)
    if info.unit == "money":
        return format_money(value, "", decimals=info.decimals)
    return format_number(value, info.decimals)


def signed_metric(info: MetricInfo, value: float) -> NumberText:
    """A difference of a metric, with its sign; of percentages in points."""
    text = difference_size(info, value)
    return NumberText(f"+{text}" if value > 0 else text, value)


def difference_size(info: MetricInfo, value: float) -> NumberText:
    """A difference of a metric: 3.9 % less 2.0 % is 1.9 points."""
    if info.unit == "percent":
        return NumberText(format_number(100 * value, info.decimals) + POINTS, value)
    return metric_value(info, value)


def difference_interval(info: MetricInfo, low: float, high: float) -> NumberText:
    """An interval of a difference: "0.012 to 0.032", "2.1 to 5.7 points"."""
    if info.unit == "percent":
        words = format_interval(100 * low, 100 * high, info.decimals) + POINTS
        return NumberText(words, low, high)
    return metric_interval(info, low, high)


def metric_interval(info: MetricInfo, low: float, high: float) -> NumberText:
    """An interval of a metric: "0.012 to 0.032"."""
    if info.unit == "percent":
        words = f"{format_number(100 * low, info.decimals)} to {metric_value(info, high)}"
        return NumberText(words, low, high)
    return format_interval(low, high, info.decimals)
