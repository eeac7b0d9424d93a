"""How figures of metrics are written: values, differences and intervals, for window and report."""

from __future__ import annotations

from core.document.plugin_results import MetricInfo
from core.document.wording import format_interval, format_money, format_number, format_share

POINTS = " points"
"""Of a difference of percentages."""


def metric_value(info: MetricInfo, value: float) -> str:
    """A metric's value in its unit and decimals."""
    if info.unit == "percent":
        return format_share(value, info.decimals)
    if info.unit == "money":
        return format_money(value, "", decimals=info.decimals)
    return format_number(value, info.decimals)


def signed_metric(info: MetricInfo, value: float) -> str:
    """A difference of a metric, with its sign; of percentages in points."""
    text = difference_size(info, value)
    return f"+{text}" if value > 0 else text


def difference_size(info: MetricInfo, value: float) -> str:
    """A difference of a metric: 3.9 % less 2.0 % is 1.9 points."""
    if info.unit == "percent":
        return format_number(100 * value, info.decimals) + POINTS
    return metric_value(info, value)


def difference_interval(info: MetricInfo, low: float, high: float) -> str:
    """An interval of a difference: "0.012 to 0.032", "2.1 to 5.7 points"."""
    if info.unit == "percent":
        return format_interval(100 * low, 100 * high, info.decimals) + POINTS
    return metric_interval(info, low, high)


def metric_interval(info: MetricInfo, low: float, high: float) -> str:
    """An interval of a metric: "0.012 to 0.032"."""
    if info.unit == "percent":
        return f"{format_number(100 * low, info.decimals)} to {metric_value(info, high)}"
    return format_interval(low, high, info.decimals)
