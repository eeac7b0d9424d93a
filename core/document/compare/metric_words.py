"""How figures of metrics are written: values, differences and intervals, for window and report."""

from __future__ import annotations

from core.document.plugin_results import MetricInfo
from core.document.wording import format_interval, format_money, format_number, format_share


def metric_value(info: MetricInfo, value: float) -> str:
    """A metric's value in its unit and decimals."""
    if info.unit == "percent":
        return format_share(value, info.decimals)
    if info.unit == "money":
        return format_money(value, "", decimals=info.decimals)
    return format_number(value, info.decimals)


def signed_metric(info: MetricInfo, value: float) -> str:
    """A difference of a metric, with its sign."""
    text = metric_value(info, value)
    return f"+{text}" if value > 0 else text


def metric_interval(info: MetricInfo, low: float, high: float) -> str:
    """An interval of a metric: "0.012 to 0.032"."""
    if info.unit == "percent":
        return f"{format_number(100 * low, info.decimals)} to {metric_value(info, high)}"
    return format_interval(low, high, info.decimals)
